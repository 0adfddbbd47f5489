/**
 * @file Pooling as functions: averages, maxima and norms of windows.
 * @mirrors torch/csrc/api/include/torch/nn/functional/pooling.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { or_null } from "../../optional_tensor.ts";
import { _list_with_default } from "../modules/utils.ts";
import type {
  AdaptivePoolOptions,
  AvgPoolOptions,
  FractionalMaxPoolOptions,
  LPPoolOptions,
  MaxPoolOptions,
  MaxUnpoolFuncOptions,
} from "../options/pooling.ts";

// Averages

export function avg_pool1d(input: Tensor, options: AvgPoolOptions): Tensor {
  const [kernel_size, stride, padding] = [options.kernel_size(), options.stride(), options.padding()];
  return at.avg_pool1d(input, kernel_size, stride, padding, options.ceil_mode(), options.count_include_pad());
}
function avg_pool(operator: typeof at.avg_pool2d, input: Tensor, options: AvgPoolOptions): Tensor {
  const [kernel_size, stride, padding] = [options.kernel_size(), options.stride(), options.padding()];
  const [ceil_mode, include_pad] = [options.ceil_mode(), options.count_include_pad()];
  return operator(input, kernel_size, stride, padding, ceil_mode, include_pad, options.divisor_override());
}
export function avg_pool2d(input: Tensor, options: AvgPoolOptions): Tensor {
  return avg_pool(at.avg_pool2d, input, options);
}
export function avg_pool3d(input: Tensor, options: AvgPoolOptions): Tensor {
  return avg_pool(at.avg_pool3d, input, options);
}

// Maxima

/** The arguments of an operator of maxima. */
function windows(options: MaxPoolOptions) {
  return [options.kernel_size(), options.stride(), options.padding(), options.dilation(), options.ceil_mode()] as const;
}
export function max_pool1d(input: Tensor, options: MaxPoolOptions): Tensor {
  return at.max_pool1d(input, ...windows(options));
}
export function max_pool2d(input: Tensor, options: MaxPoolOptions): Tensor {
  return at.max_pool2d(input, ...windows(options));
}
export function max_pool3d(input: Tensor, options: MaxPoolOptions): Tensor {
  return at.max_pool3d(input, ...windows(options));
}
export function max_pool1d_with_indices(input: Tensor, options: MaxPoolOptions): [Tensor, Tensor] {
  return at.max_pool1d_with_indices(input, ...windows(options));
}
export function max_pool2d_with_indices(input: Tensor, options: MaxPoolOptions): [Tensor, Tensor] {
  return at.max_pool2d_with_indices(input, ...windows(options));
}
export function max_pool3d_with_indices(input: Tensor, options: MaxPoolOptions): [Tensor, Tensor] {
  return at.max_pool3d_with_indices(input, ...windows(options));
}

// Pooling to a size

/** The size of the output; in 1 dimension it must be given, in others null is the input's. */
function output_size(input: Tensor, options: AdaptivePoolOptions): number[] {
  const sizes = options.output_size();
  return sizes.length === 1 ? (sizes as number[]) : _list_with_default(sizes, input.sizes());
}
export function adaptive_max_pool1d_with_indices(input: Tensor, options: AdaptivePoolOptions): [Tensor, Tensor] {
  return at.adaptive_max_pool1d(input, output_size(input, options));
}
export function adaptive_max_pool2d_with_indices(input: Tensor, options: AdaptivePoolOptions): [Tensor, Tensor] {
  return at.adaptive_max_pool2d(input, output_size(input, options));
}
export function adaptive_max_pool3d_with_indices(input: Tensor, options: AdaptivePoolOptions): [Tensor, Tensor] {
  return at.adaptive_max_pool3d(input, output_size(input, options));
}
export function adaptive_max_pool1d(input: Tensor, options: AdaptivePoolOptions): Tensor {
  return adaptive_max_pool1d_with_indices(input, options)[0];
}
export function adaptive_max_pool2d(input: Tensor, options: AdaptivePoolOptions): Tensor {
  return adaptive_max_pool2d_with_indices(input, options)[0];
}
export function adaptive_max_pool3d(input: Tensor, options: AdaptivePoolOptions): Tensor {
  return adaptive_max_pool3d_with_indices(input, options)[0];
}
export function adaptive_avg_pool1d(input: Tensor, options: AdaptivePoolOptions): Tensor {
  return at.adaptive_avg_pool1d(input, output_size(input, options));
}
export function adaptive_avg_pool2d(input: Tensor, options: AdaptivePoolOptions): Tensor {
  return at.adaptive_avg_pool2d(input, output_size(input, options));
}
export function adaptive_avg_pool3d(input: Tensor, options: AdaptivePoolOptions): Tensor {
  return at.adaptive_avg_pool3d(input, output_size(input, options));
}

// The inverse of maxima

/** The size to unpool to: the smallest that gives the input back, or a given one near it. */
function _unpool_output_size(input: Tensor, options: MaxUnpoolFuncOptions): number[] {
  const kernel_size = options.kernel_size();
  const [stride, padding, given] = [options.stride(), options.padding(), options.output_size()];
  const D = kernel_size.length;
  const input_size = input.sizes().slice(input.dim() - D);
  const default_size = kernel_size.map((kernel, d) => (input_size[d] - 1) * stride[d] + kernel - 2 * padding[d]);
  if (given === null) return default_size;
  const size = given.length === D + 2 ? given.slice(2) : [];
  TORCH_CHECK(
    size.length === D,
    `output_size should be a sequence containing ${D} or ${D + 2} elements, but it has a length of '${size.length}'`,
  );
  for (const [d, n] of size.entries()) {
    const [min_size, max_size] = [default_size[d] - stride[d], default_size[d] + stride[d]];
    TORCH_CHECK(
      min_size <= n && n <= max_size,
      `invalid output_size ${size.join(" ")} (dim ${d} must be between ${min_size} and ${max_size})`,
    );
  }
  return [...size];
}
export function max_unpool1d(input: Tensor, indices: Tensor, options: MaxUnpoolFuncOptions): Tensor {
  const size = [..._unpool_output_size(input, options), 1];
  return at.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), size).squeeze_dim(-1);
}
export function max_unpool2d(input: Tensor, indices: Tensor, options: MaxUnpoolFuncOptions): Tensor {
  return at.max_unpool2d(input, indices, _unpool_output_size(input, options));
}
export function max_unpool3d(input: Tensor, indices: Tensor, options: MaxUnpoolFuncOptions): Tensor {
  const size = _unpool_output_size(input, options);
  return at.max_unpool3d(input, indices, size, options.stride(), options.padding());
}

// Maxima of windows that random numbers place

function fractional(
  operator: typeof at.fractional_max_pool2d,
  D: number,
  input: Tensor,
  options: FractionalMaxPoolOptions,
): [Tensor, Tensor] {
  const ratio = options.output_ratio();
  let size = options.output_size();
  TORCH_CHECK(
    size !== null || ratio !== null,
    `fractional_max_pool${D}d requires specifying either an output_size or an output_ratio`,
  );
  size ??= (ratio as number[]).map((r, d) => Math.trunc(input.size(d - D) * r));
  let samples = or_null(options._random_samples());
  if (samples === null) {
    const n_batch = input.dim() === D + 1 ? 1 : input.size(0);
    const like = new TensorOptions(input.scalar_type()).device(input.device());
    samples = at.rand([n_batch, input.size(-D - 1), D], like);
  }
  return operator(input, options.kernel_size(), size, samples);
}
export function fractional_max_pool2d_with_indices(input: Tensor, options: FractionalMaxPoolOptions): [Tensor, Tensor] {
  return fractional(at.fractional_max_pool2d, 2, input, options);
}
export function fractional_max_pool3d_with_indices(input: Tensor, options: FractionalMaxPoolOptions): [Tensor, Tensor] {
  return fractional(at.fractional_max_pool3d, 3, input, options);
}
export function fractional_max_pool2d(input: Tensor, options: FractionalMaxPoolOptions): Tensor {
  return fractional_max_pool2d_with_indices(input, options)[0];
}
export function fractional_max_pool3d(input: Tensor, options: FractionalMaxPoolOptions): Tensor {
  return fractional_max_pool3d_with_indices(input, options)[0];
}

// Norms

type AvgPool = (input: Tensor, kernel_size: number[], stride: number[], padding: number[], ceil: boolean) => Tensor;

function lp_pool(operator: AvgPool, input: Tensor, options: LPPoolOptions): Tensor {
  const p = options.norm_type();
  const kernel_size = options.kernel_size();
  const no_padding = kernel_size.map(() => 0);
  const powers = input.pow_Tensor_Scalar(Scalar.fromDouble(p));
  const out = operator(powers, kernel_size, options.stride(), no_padding, options.ceil_mode());
  const count = kernel_size.reduce((product, n) => product * n, 1);
  return at
    .sign(out)
    .mul_Tensor(at.relu(at.abs(out)))
    .mul_Scalar(Scalar.fromInt(count))
    .pow_Tensor_Scalar(Scalar.fromDouble(1 / p));
}
export function lp_pool1d(input: Tensor, options: LPPoolOptions): Tensor {
  return lp_pool(at.avg_pool1d, input, options);
}
export function lp_pool2d(input: Tensor, options: LPPoolOptions): Tensor {
  return lp_pool(at.avg_pool2d, input, options);
}
export function lp_pool3d(input: Tensor, options: LPPoolOptions): Tensor {
  return lp_pool(at.avg_pool3d, input, options);
}
