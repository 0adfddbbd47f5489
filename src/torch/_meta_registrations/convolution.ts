/**
 * @file Meta kernels of convolutions and of paddings that copy elements of the tensor itself.
 * @mirrors torch/_meta_registrations.py#meta_conv
 */
import { register_decomposition } from "#torch/_decomp/index";
import {
  assert,
  check,
  type Shape,
  size_at,
  size_repr,
  suggest_memory_format,
  unpacked,
} from "#torch/_prims_common/index";
import { out_wrapper, type Reference } from "#torch/_prims_common/wrappers";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";

function register_meta(names: string, fn: Reference): void {
  register_decomposition(names, fn, "meta");
}

// convolution -------------------------------------------------------------------------------------------------------------

interface Steps {
  readonly stride: Shape;
  readonly padding: Shape;
  readonly dilation: Shape;
}

/** A list with one number per dim; one number may stand for all dims. */
function expanded(list: Shape, dims: number): Shape {
  return list.length === 1 ? new Array<number>(dims).fill(list[0]) : list;
}

function list_repr(list: Shape): string {
  return `[${list.join(", ")}]`;
}

/** The shape of the result. `output_padding` is null unless the convolution is transposed. */
function calc_conv_nd_return_shape(
  input: Tensor,
  weight: Tensor,
  steps: Steps,
  groups: number,
  output_padding: Shape | null,
): number[] {
  const kernel_size = [...weight.shape].slice(2);
  const dims = [...input.shape].slice(2);
  const of = (list: Shape) => expanded(list, dims.length);
  const [stride, padding, dilation] = [of(steps.stride), of(steps.padding), of(steps.dilation)];
  const reach = kernel_size.map((k, i) => dilation[i] * (k - 1) + 1);
  let channels = size_at(weight, 0);
  let sizes: number[];
  if (output_padding !== null) {
    channels = groups * size_at(weight, 1);
    const more = output_padding.length > 0 ? of(output_padding) : null;
    sizes = dims.map((n, i) =>
      more !== null
        ? (n - 1) * stride[i] - 2 * padding[i] + reach[i] + more[i]
        : Math.floor((n + 2 * padding[i] - reach[i]) / stride[i]) + 1,
    );
  } else {
    check(size_at(weight, 1) * groups === size_at(input, 1), () => "Invalid channel dimensions");
    const padded = dims.map((n, i) => n + 2 * padding[i]);
    check(
      padded.every((n, i) => n >= reach[i]),
      () =>
        `Calculated padded input size per channel: (${padded.join(" x ")}). Kernel size: (${reach.join(" x ")}). Kernel size can't be greater than actual input size`,
    );
    sizes = padded.map((n, i) => Math.floor((n - reach[i]) / stride[i]) + 1);
  }
  check(
    sizes.some((n) => n > 0),
    () =>
      `Given input size per channel: ${list_repr(dims)}. Calculated output size per channel: ${list_repr(sizes)}. Output size is too small`,
  );
  return [size_at(input, 0), channels, ...sizes];
}

function meta_conv(
  input: Tensor,
  weight: Tensor,
  _bias: Tensor | null,
  stride: Shape,
  padding: Shape,
  dilation: Shape,
  is_transposed: boolean,
  output_padding: Shape,
  groups: number,
): Tensor {
  const steps = { stride, padding, dilation };
  const shape_out = calc_conv_nd_return_shape(input, weight, steps, groups, is_transposed ? output_padding : null);
  if (size_at(input, 1) === 0) shape_out[1] = 0;
  return input.new_empty(shape_out);
}
register_meta("convolution _convolution", meta_conv);

function meta_convolution_backward(
  grad_output: Tensor,
  input: Tensor,
  weight: Tensor,
  bias_sizes: number[] | null,
  ...rest: unknown[]
): (Tensor | null)[] {
  const output_mask = rest[6] as boolean[];
  const formats = [suggest_memory_format(input), suggest_memory_format(weight)];
  const memory_format =
    [torch.channels_last, torch.channels_last_3d].find((format) => formats.includes(format)) ?? torch.contiguous_format;
  const like = (t: Tensor) => grad_output.new_empty([...t.shape]).to({ memory_format });
  return [
    output_mask[0] ? like(input) : null,
    output_mask[1] ? like(weight) : null,
    output_mask[2] ? grad_output.new_empty(bias_sizes ?? []) : null,
  ];
}
register_meta("convolution_backward", meta_convolution_backward);

// padding -----------------------------------------------------------------------------------------------------------------

/** The padding of the last dims as pairs (before, after), the last dim first. */
function sides_of(padding: Shape): [before: number, after: number][] {
  return Array.from({ length: padding.length / 2 }, (_, i) => [padding[2 * i], padding[2 * i + 1]]);
}

function check_reflection(input: Tensor, padding: Shape): void {
  for (const [i, [before, after]] of sides_of(padding).entries()) {
    const d = input.dim() - 1 - i;
    check(
      before < size_at(input, d) && after < size_at(input, d),
      () =>
        `Argument #${4 + 2 * i}: Padding size should be less than the corresponding input dimension, but got: padding (${before}, ${after}) at dimension ${d} of input ${size_repr(input.shape)}`,
    );
  }
}

function padded(input: Tensor, padding: Shape): number[] {
  const shape = [...input.shape];
  for (const [i, [before, after]] of sides_of(padding).entries()) shape[shape.length - 1 - i] += before + after;
  return shape;
}

const NAMES = ["W", "H", "D"];

function pad_common(dim: number, is_reflection: boolean) {
  return (input: Tensor, padding: Shape): Tensor => {
    if (!is_reflection)
      check(input.dtype !== torch.bool, () => `"replication_pad${dim}d" not implemented for 'torch.bool'`);
    check(padding.length === 2 * dim, () => `padding size is expected to be ${2 * dim}, but got: ${padding.length}`);
    const is_batch = input.dim() === dim + 2;
    check(
      [...input.shape].every((n, d) => n !== 0 || (is_batch && d === 0)),
      () =>
        `Expected ${dim + 1}D or ${dim + 2}D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: ${size_repr(input.shape)}`,
    );
    if (is_reflection) check_reflection(input, padding);
    const shape = padded(input, padding);
    const told = (of: Shape) =>
      NAMES.slice(0, dim)
        .map((name, i) => `${name}: ${of[of.length - 1 - i]}`)
        .reverse()
        .join(" ");
    check(
      shape.slice(-dim).some((n) => n >= 1),
      () => `input (${told([...input.shape])}) is too small. Calculated output ${told(shape)}`,
    );
    const output = input.new_empty(shape);
    if (dim === 2 && is_batch && suggest_memory_format(input) === torch.channels_last)
      return output.to({ memory_format: torch.channels_last });
    return output;
  };
}

const AXES = ["width", "height", "depth"];

function check_backward_dims(grad_output: Tensor, input: Tensor, padding: Shape): void {
  const [ndim, grad_ndim] = [input.dim(), grad_output.dim()];
  check(padding.length === 6, () => "padding size is expected to be 6");
  assert(ndim > 3, () => `input.ndim must be > 3, got ${ndim}`);
  assert(grad_ndim === ndim, () => `grad_output.ndim must equal input.ndim, got ${grad_ndim} != ${ndim}`);
}

function pad_backward_common(dim: number, is_reflection: boolean) {
  return (grad_output: Tensor, input: Tensor, padding: Shape): Tensor => {
    if (dim === 3) check_backward_dims(grad_output, input, padding);
    if (dim === 1 && !is_reflection) check(padding.length === 2, () => "padding size is expected to be 2");
    unpacked(padding, 2 * dim);
    const last = input.dim() === dim + 2 ? dim + 1 : dim; // with or without a batch dim
    const outputs = sides_of(padding).map(([before, after], i) => {
      const size = dim === 2 ? size_at(input, last - i) : input.size(last - i);
      if (dim === 1 && is_reflection)
        check(
          before < size && after < size,
          () =>
            `Argument #4: Padding size should be less than the corresponding input dimension, but got: padding (${before}, ${after}) at dimension ${last} of input ${size_repr(input.shape)}`,
        );
      return size + before + after;
    });
    for (const [i, expected] of outputs.entries()) {
      const got = grad_output.size(last - i);
      check(expected === got, () => `grad_output ${AXES[i]} unexpected. Expected: ${expected}, Got: ${got}`);
    }
    return input.new_empty([...input.shape]);
  };
}

for (const dim of [1, 2, 3])
  for (const kind of ["reflection", "replication"]) {
    const name = `${kind}_pad${dim}d`;
    register_meta(`${name} ${name}.out`, out_wrapper(pad_common(dim, kind === "reflection")));
    register_meta(
      `${name}_backward ${name}_backward.grad_input`,
      out_wrapper(pad_backward_common(dim, kind === "reflection")),
    );
  }
