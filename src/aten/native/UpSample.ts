/**
 * @file Helpers of all kinds of resampling: sizes, scales, checks, and positions of nearest neighbours.
 * @mirrors aten/src/ATen/native/UpSample.h
 * @differs Ours has one pair of stubs for all weighted interpolations; PyTorch has a pair for each operator.
 */
import { check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { get_channels_last_strides_2d, get_channels_last_strides_3d, MemoryFormat } from "#c10/core/MemoryFormat";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED, unmet } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
import { type PaddingTables, padding_backward_stub, padding_stub } from "./Padding.ts";
import { contiguously } from "./Pool/index.ts";

/** The kind of interpolation. */
export interface Interpolation {
  readonly filter: "linear" | "cubic" | "lanczos";
  /** Whether shrinking uses all input elements that an output element covers. */
  readonly antialias: boolean;
  /** If true, the centers of the corner elements of both images coincide; otherwise their outer edges do. */
  readonly align_corners: boolean;
  /** Scale of each spatial dim; null means that the sizes decide. */
  readonly scales: readonly (number | null)[];
  /** Dtype to which weights are rounded; if absent, the dtype of the computation. */
  readonly weights?: ScalarType;
}

/** All tensors are contiguous, and have a floating dtype that is not reduced, or uint8. */
export const upsample_kernel =
  DEFINE_DISPATCH<(output: Tensor, input: Tensor, how: Interpolation) => void>("upsample_kernel");
/** Adds to `grad_input`. */
export const upsample_backward_kernel =
  DEFINE_DISPATCH<(grad_input: Tensor, grad_output: Tensor, how: Interpolation) => void>("upsample_backward_kernel");

/** Strides of the result; channels last is kept. */
export function strides_like(input: Tensor, sizes: readonly number[]): readonly number[] {
  const format = input.suggest_memory_format();
  if (format === MemoryFormat.ChannelsLast) return get_channels_last_strides_2d(sizes);
  return format === MemoryFormat.ChannelsLast3d ? get_channels_last_strides_3d(sizes) : [];
}

/** Output sizes, given as sizes or as factors. */
export function compute_output_size(
  input_size: readonly number[],
  output_size: readonly number[] | null,
  scale_factors: readonly number[] | null,
): number[] {
  const spatial = input_size.slice(2);
  const unlike = (list: string) => unmet(`static_cast<int64_t>(${list}->size()) == spatial_dimensions`);
  if (output_size !== null) {
    TORCH_CHECK(scale_factors === null, "Must specify exactly one of output_size and scale_factors");
    TORCH_CHECK(output_size.length === input_size.length - 2, unlike("output_size"));
    return output_size.slice();
  }
  TORCH_CHECK(scale_factors !== null, "Must specify exactly one of output_size and scale_factors");
  const factors = scale_factors as readonly number[];
  TORCH_CHECK(factors.length === input_size.length - 2, unlike("scale_factors"));
  return spatial.map((size, i) => Math.trunc(size * factors[i]));
}

export function get_scale_value(scales: readonly number[] | null, idx: number): number | null {
  return scales === null ? null : scales[idx];
}

const AXES = ["D", "H", "W"];

function sizes_repr(spatial: readonly number[]): string {
  const names = AXES.slice(-spatial.length);
  return `(${spatial.map((size, i) => `${names[i]}: ${size}`).join(", ")})`;
}

/** Sizes of a result with `dim` spatial dims. */
function upsample_common_check(dim: number, input_size: readonly number[], output_size: readonly number[]): number[] {
  TORCH_CHECK(
    output_size.length === dim,
    `It is expected output_size equals to ${dim}, but got size ${output_size.length}`,
  );
  TORCH_CHECK(
    input_size.length === dim + 2,
    `It is expected input_size equals to ${dim + 2}, but got size ${input_size.length}`,
  );
  const spatial = input_size.slice(2);
  TORCH_CHECK(
    [...spatial, ...output_size].every((size) => size > 0),
    `Input and output sizes should be greater than 0, but got input ${sizes_repr(spatial)}`,
    `${dim === 1 ? " and output" : " output"} ${sizes_repr(output_size)}`,
  );
  return [input_size[0], input_size[1], ...output_size];
}

/** Sizes and strides of the result; channels last is kept. */
export function upsampled(dim: number, input: Tensor, output_size: readonly number[]): [number[], readonly number[]] {
  const sizes = upsample_common_check(dim, input.sizes(), output_size);
  TORCH_CHECK(
    input.numel() !== 0 || input.sizes().every((size, d) => d === 0 || size !== 0),
    `Non-empty ${dim + 2}D data tensor expected but got a tensor with sizes `,
    input.sizes(),
  );
  return [sizes, strides_like(input, sizes)];
}

/** Checks that `grad_output` has the sizes of the result. */
export function check_upsample_grad(
  dim: number,
  grad_output: Tensor,
  output_size: readonly number[],
  input_size: readonly number[],
): void {
  const sizes = upsample_common_check(dim, input_size, output_size);
  const grad = grad_output.sizes();
  if (dim === 1) {
    for (const [d, size] of sizes.entries())
      TORCH_CHECK(
        grad.length === 3 && grad[d] === size,
        `Expected a tensor of dimension 3 and tensor.size[${d}] == ${size} but got: dimension ${grad.length} `,
        `and tensor.size[${d}] = ${grad_output.size(d)}`,
      );
    return;
  }
  TORCH_CHECK(
    grad.length === dim + 2,
    `Expected grad_output to be a tensor of dimension ${dim + 2} but got: dimension ${grad.length}`,
  );
  for (const [d, size] of sizes.entries())
    TORCH_CHECK(
      grad[d] === size,
      `Expected grad_output to have the same shape as output; output.size(${d}) = ${size} but got `,
      `grad_output.size(${d}) = ${grad[d]}`,
    );
}

/** Accepts `Float` and `Double`, and also `Byte` if byte images are supported. */
function check_floating_types(dtype: ScalarType, label: string): void {
  TORCH_CHECK_NOT_IMPLEMENTED(
    dtype === ScalarType.Float || dtype === ScalarType.Double,
    `"${label}" not implemented for '${toString(dtype)}'`,
  );
}

/** Converts halves to floats for `run`, which writes to contiguous tensors. */
function in_opmath(to: Tensor, from: Tensor, run: (to: Tensor, from: Tensor) => void): void {
  const dtype = from.scalar_type();
  if (dtype !== ScalarType.Half && dtype !== ScalarType.BFloat16) {
    contiguously([to], ([t]) => run(t, from.contiguous()));
    return;
  }
  const wide = to.to_dtype(ScalarType.Float).contiguous();
  run(wide, from.to_dtype(ScalarType.Float).contiguous());
  to.copy_(wide);
}

/**
 * Whether PyTorch uses its channels-last loops, whose names appear in messages. For few channels the other loops are
 * faster.
 */
function vectorized_2d(output: Tensor, input: Tensor): boolean {
  if (input.dim() !== 4) return false;
  return (input.suggest_memory_format() !== 0 && input.size(1) > 3) || output.size(-2) + output.size(-1) <= 128;
}

const BYTES: readonly string[] = ["upsample_bilinear2d", "upsample_bicubic2d"];

/** Precondition: `output` has the sizes of the result. `name` is the operator's name. */
export function upsample_into(name: string, output: Tensor, input: Tensor, how: Interpolation): void {
  const dtype = input.scalar_type();
  const vectorized = name === "upsample_bilinear2d" && vectorized_2d(output, input);
  const label = how.antialias ? "compute_index_ranges_weights" : `compute_indices_weights_${how.filter}`;
  const bytes = dtype === ScalarType.Byte && (how.antialias || BYTES.includes(name));
  if (!bytes && how.antialias) check_floating_types(dtype, label);
  else if (!bytes) check_floating_types_and2(dtype, vectorized ? `${name}_channels_last` : label);
  if (input.numel() === 0) return;
  // PyTorch's general loops keep their weights in a tensor of the input's dtype.
  const weighed = vectorized ? how : { ...how, weights: dtype };
  in_opmath(output, input, (to, from) => upsample_kernel.call(input.device_type(), to, from, weighed));
}

/** Precondition: `grad_input` has the sizes of the input. */
export function upsample_backward_into(name: string, grad_input: Tensor, grad: Tensor, how: Interpolation): void {
  const dtype = grad.scalar_type();
  if (how.antialias) check_floating_types(dtype, `${name.slice(1)}_backward_cpu`);
  else check_floating_types_and2(dtype, `${name}_backward`);
  const same = grad.sizes().every((size, d) => size === grad_input.size(d));
  if (same && how.filter === "cubic" && !how.antialias) {
    grad_input.copy_(grad); // even if a scale says otherwise
    return;
  }
  grad_input.zero_();
  if (grad.numel() === 0) return;
  in_opmath(grad_input, grad, (to, from) => upsample_backward_kernel.call(grad.device_type(), to, from, how));
}

/** Number of input elements per output element. @param round rounds to the dtype of the computation */
export function area_pixel_compute_scale(
  input_size: number,
  output_size: number,
  align_corners: boolean,
  scale: number | null,
  round: (x: number) => number,
): number {
  if (!align_corners) return compute_scales_value(scale, input_size, output_size, round);
  return output_size > 1 ? round(round(input_size - 1) / (output_size - 1)) : 0;
}

function compute_scales_value(
  scale: number | null,
  input_size: number,
  output_size: number,
  round: (x: number) => number,
): number {
  return scale !== null && scale > 0 ? round(1 / scale) : round(round(input_size) / output_size);
}

/** Position of output element `dst_index` in the input. It is before the first element only if `cubic`. */
export function area_pixel_compute_source_index(
  scale: number,
  dst_index: number,
  align_corners: boolean,
  cubic: boolean,
  round: (x: number) => number,
): number {
  if (align_corners) return round(scale * dst_index);
  const src_idx = round(round(scale * round(dst_index + 0.5)) - 0.5);
  return !cubic && src_idx < 0 ? 0 : src_idx;
}

/**
 * Index of the nearest neighbour: the one before the center, as in OpenCV, or if `exact`, the one that contains the
 * center.
 */
function nearest_indices(from: number, to: number, scale: number | null, exact: boolean): Int32Array {
  const step = compute_scales_value(scale, from, to, Math.fround);
  return Int32Array.from({ length: to }, (_, i) => {
    if (exact) return Math.min(Math.floor((i + 0.5) * step), from - 1);
    if (to === from) return i;
    if (to === 2 * from) return i >> 1;
    return Math.min(Math.floor(Math.fround(Math.fround(i) * step)), from - 1);
  });
}

function nearest_tables(
  input: Tensor,
  output: Tensor,
  scales: readonly (number | null)[],
  exact: boolean,
): PaddingTables {
  const tables = scales.map((scale, i) => nearest_indices(input.size(i + 2), output.size(i + 2), scale, exact));
  const one = () => new Int32Array(1);
  return [one(), one(), one(), ...tables].slice(-3) as [Int32Array, Int32Array, Int32Array];
}

/** Precondition: `output` has the sizes of the result. */
export function upsample_nearest_into(
  output: Tensor,
  input: Tensor,
  scales: readonly (number | null)[],
  exact: boolean,
): void {
  const label = vectorized_2d(output, input) ? "upsample_nearest2d_channels_last" : "compute_indices_weights_nearest";
  if (input.scalar_type() !== ScalarType.Byte) check_floating_types_and2(input.scalar_type(), label);
  if (input.numel() === 0) return;
  const tables = nearest_tables(input, output, scales, exact);
  contiguously([output], ([out]) =>
    padding_stub.call(input.device_type(), out, input.contiguous(), tables, input.size(0) * input.size(1)),
  );
}

/** Precondition: `grad_input` has the sizes of the input. `name` is the operator's name. */
export function upsample_nearest_backward_into(
  name: string,
  grad_input: Tensor,
  grad_output: Tensor,
  scales: readonly (number | null)[],
): void {
  check_floating_types_and2(grad_output.scalar_type(), `${name}_backward`);
  grad_input.zero_();
  if (grad_output.numel() === 0) return;
  const tables = nearest_tables(grad_input, grad_output, scales, name.includes("exact"));
  in_opmath(grad_input, grad_output, (to, from) =>
    padding_backward_stub.call(grad_output.device_type(), to, from, tables, to.size(0) * to.size(1)),
  );
}
