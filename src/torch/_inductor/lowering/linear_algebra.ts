/**
 * @file Lowerings of products of matrices and of convolution: calls of the library, `extern_kernels.mm(a, b, out=buf0)`.
 * @mirrors torch/_inductor/kernel/mm.py
 */
import { overload_of } from "#torch/_decomp/index";
import { as_strided, contiguous_layout, StorageBox, TensorBox, the_realizer } from "../ir/index.ts";
import { contiguous_strides, numel } from "../sizevars.ts";
import { pointwise, register_lowering } from "./index.ts";
import { reduce } from "./reductions.ts";
import { expand, permute, squeeze, unsqueeze } from "./views.ts";

/** A call that writes to a new buffer. */
function extern_out(
  name: string,
  args: readonly unknown[],
  kwargs: ReadonlyMap<string, unknown>,
  size: readonly number[],
): TensorBox {
  const [{ dtype }] = args as [TensorBox];
  return new TensorBox(
    new StorageBox(the_realizer().extern("out", overload_of(name), args, kwargs, contiguous_layout(dtype, size))),
  );
}
const NONE: ReadonlyMap<string, unknown> = new Map();

register_lowering("mm", ([a, b]) => {
  const [x, y] = [a as TensorBox, b as TensorBox];
  const [[n, k], [, m]] = [x.size, y.size];
  // A row times a column is a sum, and a column times a row a product.
  if (n === 1 && m === 1 && k > 0) {
    const product = pointwise("mul", [squeeze(x, [0]), squeeze(y, [1])], x.dtype);
    const total = product === undefined ? undefined : reduce(product, "sum", [0], true);
    if (total !== undefined) return unsqueeze(total, 0);
  }
  if (k === 1 && n > 1 && m !== 1 && n + m <= 32) return pointwise("mul", [x, y], x.dtype);
  return extern_out("mm", [a, b], NONE, [n, m]);
});
register_lowering("bmm", ([a, b]) => {
  const [x, y] = [a as TensorBox, b as TensorBox];
  return x.size[2] === 1 && y.size[1] === 1
    ? pointwise("mul", [x, y], x.dtype)
    : extern_out("bmm", [a, b], NONE, [x.size[0], x.size[1], y.size[2]]);
});
register_lowering("addmm", ([bias, a, b], { beta, alpha }) => {
  const [x, y, c] = [a as TensorBox, b as TensorBox, bias as TensorBox];
  const [[n, k], [, m]] = [x.size, y.size];
  const plain = Number(beta ?? 1) === 1 && Number(alpha ?? 1) === 1;
  if (plain && n === 1 && k > 0 && ((k <= 16 && m <= 16) || m === 1)) {
    const product = pointwise("mul", [permute(x, [1, 0]), y], x.dtype);
    const total = product === undefined ? undefined : reduce(product, "sum", [0], true);
    if (total !== undefined) return pointwise("add", [total, c], x.dtype);
  }
  const factors = new Map<string, unknown>([
    ["alpha", alpha ?? 1],
    ["beta", beta ?? 1],
  ]);
  return extern_out("addmm", [c.size.length < 2 ? expand(c, [n, m]) : c, a, b], factors, [n, m]);
});
register_lowering("convolution", (args) => {
  const [x, weight, bias, stride, padding, dilation, transposed, output_padding, groups] = args;
  const [input, w] = [x as TensorBox, weight as TensorBox];
  const [steps, pads, holes] = [stride, padding, dilation].map((given) =>
    [...(given as Iterable<unknown>)].map(Number),
  );
  if (transposed === true || input.size.length !== w.size.length) return undefined;
  const spatial = input.size.slice(2).map((length, d) => {
    const reach = holes[d % holes.length] * (w.size[d + 2] - 1) + 1;
    return Math.floor((length + 2 * pads[d % pads.length] - reach) / steps[d % steps.length]) + 1;
  });
  const layout = contiguous_layout(input.dtype, [input.size[0], w.size[0], ...spatial]);
  if (numel(layout.size) === 0 || !is_contiguous(input) || !is_contiguous(w)) return undefined;
  const keywords = new Map<string, unknown>([
    ["stride", stride],
    ["padding", padding],
    ["dilation", dilation],
    ["transposed", transposed],
    ["output_padding", output_padding],
    ["groups", groups],
  ]);
  const op = overload_of("convolution");
  return new TensorBox(new StorageBox(the_realizer().extern("alloc", op, [x, weight, bias ?? null], keywords, layout)));
});
/** Whether the library makes a contiguous result for it, as the layout says. */
function is_contiguous(x: TensorBox): boolean {
  const strided = as_strided(x);
  if (strided === null) return true; // it is copied
  const { stride, size } = strided.layout;
  return contiguous_strides(size).every((s, d) => size[d] === 1 || s === stride[d]);
}

register_lowering("baddbmm", ([bias, a, b], { beta, alpha }) => {
  const [x, y] = [a as TensorBox, b as TensorBox];
  const factors = new Map<string, unknown>([
    ["alpha", alpha ?? 1],
    ["beta", beta ?? 1],
  ]);
  return extern_out("baddbmm", [bias, a, b], factors, [x.size[0], x.size[1], y.size[2]]);
});
