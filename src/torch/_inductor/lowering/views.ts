/**
 * @file Lowerings of views: each is another index into the same storage. Also operators that join or repeat tensors by index.
 * @mirrors torch/_inductor/lowering.py
 */
import { computed_in } from "#aten/cpu/vec/ir";
import { integer, scale } from "#torch/utils/_sympy/expr";
import { type Index, Pointwise, type TensorBox } from "../ir/index.ts";
import { add, contiguous_strides, type Expr, FloorDiv, Mod, numel, place, ZERO } from "../sizevars.ts";
import { type OpsValue, V } from "../virtualized.ts";
import { as_number, promoted_dtype, register_lowering, to_dtype, wrap_dim } from "./index.ts";

type Sizes = readonly number[];

/** A list of sizes that the program gave. */
const numbers = (given: unknown): number[] => [...(given as Iterable<unknown>)].map(Number);

/** The tensor with other sizes and the same order of elements. */
export function view(x: TensorBox, given: Sizes): TensorBox {
  const total = numel(x.size);
  const known = given.reduce((n, s) => (s < 0 ? n : n * s), 1);
  const size = given.map((s) => (s < 0 ? (known === 0 ? 0 : total / known) : s));
  const old = x.size;
  if (old.length === size.length && old.every((s, d) => s === size[d])) return x;
  const strides = contiguous_strides(size);
  const old_strides = contiguous_strides(old);
  return x.view(size, (index) => {
    const flat = place(index, strides, 0);
    return old.map((s, d) => (s === 1 ? ZERO : Mod(FloorDiv(flat, integer(old_strides[d])), integer(s))));
  });
}
register_lowering("view reshape _unsafe_view", ([x, size]) => view(x as TensorBox, numbers(size)));

export function permute(x: TensorBox, dims: Sizes): TensorBox {
  const rank = x.size.length;
  const order = dims.map((d) => wrap_dim(d, rank));
  return x.view(
    order.map((d) => x.size[d]),
    (index) => x.size.map((_, d) => index[order.indexOf(d)]),
  );
}
register_lowering("permute", ([x, dims]) => permute(x as TensorBox, numbers(dims)));
const swapped = (x: TensorBox, a: number, b: number): TensorBox => {
  const dims = x.size.map((_, d) => d);
  const [i, j] = [wrap_dim(a, dims.length), wrap_dim(b, dims.length)];
  if (dims.length > 0) [dims[i], dims[j]] = [dims[j], dims[i]];
  return permute(x, dims);
};
register_lowering("t", ([x]) => ((x as TensorBox).size.length < 2 ? (x as TensorBox) : swapped(x as TensorBox, 0, 1)));
register_lowering("transpose.int", ([x, a, b]) => swapped(x as TensorBox, Number(a), Number(b)));

export function expand(x: TensorBox, given: Sizes): TensorBox {
  const more = given.length - x.size.length;
  const size = given.map((s, d) => (s === -1 ? x.size[d - more] : s));
  return x.view(size, (index) => x.size.map((s, d) => (s === 1 ? ZERO : index[d + more])));
}
register_lowering("expand", ([x, size]) => expand(x as TensorBox, numbers(size)));

export function unsqueeze(x: TensorBox, given: number): TensorBox {
  const dim = given < 0 ? given + x.size.length + 1 : given;
  const size = [...x.size.slice(0, dim), 1, ...x.size.slice(dim)];
  return x.view(size, (index) => index.filter((_, d) => d !== dim));
}
register_lowering("unsqueeze", ([x, dim]) => unsqueeze(x as TensorBox, Number(dim)));

export function squeeze(x: TensorBox, dims: Sizes): TensorBox {
  const gone = new Set(dims.map((d) => wrap_dim(d, x.size.length)).filter((d) => x.size[d] === 1));
  const kept = x.size.map((_, d) => d).filter((d) => !gone.has(d));
  return x.view(
    kept.map((d) => x.size[d]),
    (index) => x.size.map((_, d) => (gone.has(d) ? ZERO : index[kept.indexOf(d)])),
  );
}
register_lowering("squeeze", ([x]) =>
  squeeze(
    x as TensorBox,
    (x as TensorBox).size.map((_, d) => d),
  ),
);
register_lowering("squeeze.dim", ([x, dim]) => squeeze(x as TensorBox, [Number(dim)]));
register_lowering("squeeze.dims", ([x, dims]) => squeeze(x as TensorBox, numbers(dims)));

/** The part of a dimension from `start` to `end`, every `step`-th. */
export function slice(x: TensorBox, given: number, start: unknown, end: unknown, step = 1): TensorBox {
  const dim = wrap_dim(given, x.size.length);
  const length = x.size[dim];
  const clipped = (at: unknown, otherwise: number): number => {
    if (at === null || at === undefined) return otherwise;
    const n = Number(at);
    return Math.min(length, Math.max(0, n < 0 ? n + length : n));
  };
  const [from, to] = [clipped(start, 0), clipped(end, length)];
  const size = x.size.with(dim, Math.max(0, Math.ceil((to - from) / step)));
  return x.view(size, (index) => index.map((i, d) => (d === dim ? add(scale(i, step), integer(from)) : i)));
}
register_lowering("slice.Tensor", ([x, dim, start, end, step]) =>
  slice(x as TensorBox, Number(dim ?? 0), start, end, Number(step ?? 1)),
);
export function select(x: TensorBox, given: number, at: number): TensorBox {
  const dim = wrap_dim(given, x.size.length);
  const i = integer(at < 0 ? at + x.size[dim] : at);
  return x.view(x.size.toSpliced(dim, 1), (index) => index.toSpliced(dim, 0, i));
}
register_lowering("select.int", ([x, dim, index]) => select(x as TensorBox, Number(dim), Number(index)));

function split(x: TensorBox, sizes: Sizes, given: number): TensorBox[] {
  let at = 0;
  return sizes.map((size) => slice(x, given, at, (at += size)));
}
register_lowering("split_with_sizes", ([x, sizes, dim]) => split(x as TensorBox, numbers(sizes), Number(dim ?? 0)));
register_lowering("split.Tensor", ([x, each, dim]) => {
  const length = (x as TensorBox).size[wrap_dim(Number(dim ?? 0), (x as TensorBox).size.length)];
  const size = Number(each);
  if (size === 0) return undefined;
  const sizes = Array.from({ length: Math.max(1, Math.ceil(length / size)) }, (_, k) =>
    Math.min(size, length - k * size),
  );
  return split(x as TensorBox, sizes, Number(dim ?? 0));
});
register_lowering("unbind.int", ([x, dim]) => {
  const d = Number(dim ?? 0);
  const length = (x as TensorBox).size[wrap_dim(d, (x as TensorBox).size.length)];
  return Array.from({ length }, (_, k) => select(x as TensorBox, d, k));
});

register_lowering("flip", ([x, dims]) => {
  const { size } = x as TensorBox;
  const turned = new Set(numbers(dims).map((d) => wrap_dim(d, size.length)));
  const flipped = (x as TensorBox).view(size, (index) =>
    index.map((i, d) => (turned.has(d) ? add(integer(size[d] - 1), scale(i, -1)) : i)),
  );
  return copy_of(flipped);
});

/** A loop that copies; undefined if kernels do not have the dtype. */
function copy_of(x: TensorBox): TensorBox | undefined {
  return computed_in(x.dtype) === undefined ? undefined : Pointwise.create(x.dtype, x.make_loader(), x.size);
}
register_lowering("repeat", ([x, given]) => {
  const times = numbers(given);
  const { size } = x as TensorBox;
  const more = times.length - size.length;
  const repeated = times.map((n, d) => n * (size[d - more] ?? 1));
  return copy_of((x as TensorBox).view(repeated, (index) => size.map((s, d) => Mod(index[d + more], integer(s)))));
});

// ---- several tensors in one --------------------------------------------------------------------------------------------

/** `index` is below a bound, or from it on. */
const compare = (op: "lt" | "ge", i: Expr, bound: number): OpsValue =>
  V.ops.pointwise(op, "int64", [V.ops.index_expr(i, "int64"), V.ops.constant(BigInt(bound), "int64")]);

register_lowering("cat", ([given, dim]) => cat([...(given as Iterable<TensorBox>)], Number(dim ?? 0)));
register_lowering("stack", ([given, dim_given]) => {
  const all = [...(given as Iterable<TensorBox>)];
  const dim = wrap_dim(Number(dim_given ?? 0), all[0].size.length + 1);
  return cat(
    all.map((t) => unsqueeze(t, dim)),
    dim,
  );
});

/** The tensors behind each other. (`pointwise_cat`) */
function cat(all: readonly TensorBox[], dim_given: number): TensorBox | undefined {
  const inputs = all.filter((t) => !(t.size.length === 1 && t.size[0] === 0));
  const dtype = promoted_dtype(all);
  if (computed_in(dtype) === undefined || inputs.length === 0 || inputs.length > 8) return undefined;
  const boxes = inputs.map((t) => to_dtype(t, dtype));
  const dim = wrap_dim(dim_given, boxes[0].size.length);
  const ends: number[] = [];
  for (const t of boxes) ends.push((ends.at(-1) ?? 0) + t.size[dim]);
  const loaders = boxes.map((t) => t.make_loader());
  const part = (index: Index, k: number): OpsValue => {
    const start = ends[k - 1] ?? 0;
    return loaders[k](index.map((i, d) => (d === dim ? add(i, integer(-start)) : i)));
  };
  const size = boxes[0].size.with(dim, ends.at(-1) as number);
  return Pointwise.create(
    dtype,
    (index) => {
      // From the last to the first: each is chosen below its end.
      const last = boxes.length - 1;
      let value: OpsValue = null;
      for (let k = last; k >= 0; k--) {
        const above = k === 0 ? null : compare("ge", index[dim], ends[k - 1]);
        const below = k === last ? null : compare("lt", index[dim], ends[k]);
        const own =
          boxes.length === 1
            ? part(index, k)
            : V.ops.masked(
                above === null
                  ? below
                  : below === null
                    ? above
                    : V.ops.pointwise("logical_and", "bool", [above, below]),
                () => part(index, k),
                0,
                dtype,
              );
        value = k === last ? own : V.ops.where(below, own, value, dtype);
      }
      return value;
    },
    size,
  );
}

register_lowering("constant_pad_nd", ([x, given, fill]) => {
  const { dtype, size } = x as TensorBox;
  const pads = numbers(given);
  const value = as_number(fill ?? 0);
  if (computed_in(dtype) === undefined || value === null || typeof value.value === "bigint") return undefined;
  const before = size.map((_, d) => pads[2 * (size.length - 1 - d)] ?? 0);
  const after = size.map((_, d) => pads[2 * (size.length - 1 - d) + 1] ?? 0);
  const load = (x as TensorBox).make_loader();
  const padded = size.map((s, d) => s + before[d] + after[d]);
  if (pads.every((p) => p === 0)) return copy_of(x as TensorBox);
  return Pointwise.create(
    dtype,
    (index) => {
      const conditions = size.flatMap((s, d) => [
        ...(before[d] > 0 ? [compare("ge", index[d], before[d])] : []),
        ...(after[d] > 0 ? [compare("lt", index[d], before[d] + s)] : []),
      ]);
      const moved = index.map((i, d) => add(i, integer(-before[d])));
      if (conditions.length === 0) return load(moved);
      const mask = conditions.reduce((a, b) => V.ops.pointwise("logical_and", "bool", [a, b]));
      return V.ops.masked(mask, () => load(moved), Number(value.value), dtype);
    },
    padded,
  );
});
