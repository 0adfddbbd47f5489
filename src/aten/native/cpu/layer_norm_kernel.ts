/**
 * @file Kernels of layer_norm and its gradients: each row of an M x N matrix by itself.
 * @mirrors aten/src/ATen/native/cpu/layer_norm_kernel.cpp
 * @differs Ours reads parameters into arrays of the computation's type, so one loop serves parameters in half and in
 * float; PyTorch has a loop for each.
 */
import {
  AT_DISPATCH,
  type acc_t,
  cast,
  type data,
  type float64,
  load,
  type opmath_t,
  type pointer,
  round_to,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { accessor_with_stride, type TensorAccessor } from "#aten/native/batch_norm";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { LayerNormBackwardKernel, type LayerNormGradients, LayerNormKernel } from "#aten/native/layer_norm";
import { toOpMathType } from "#aten/OpMathType";
import { check_type } from "#aten/TensorMethods";
import { ScalarType } from "#c10/core/ScalarType";
import { layer_norm_backward_row_instances, layer_norm_row_instances } from "./generated/layer_norm_kernel.ts";
import { rowwise_moments_instances } from "./generated/moments_utils.ts";

/** @template LayerNormKernelImpl: floating types and halves */
export function layer_norm_row(
  y: data<scalar_t>,
  yo: number,
  x: data<scalar_t>,
  xo: number,
  gamma: data<opmath_t>,
  beta: data<opmath_t>,
  N: number,
  mean: opmath_t,
  rstd: opmath_t,
): void {
  for (let j = 0; j < N; j++) {
    const normalized: opmath_t = (cast<opmath_t>(load(x, xo + j)) - mean) * rstd;
    // A fused multiply-add, as in PyTorch's vectors: the product is not rounded.
    const fused = cast<float64>(normalized) * cast<float64>(load(gamma, j)) + cast<float64>(load(beta, j));
    store(y, yo + j, cast<scalar_t>(round_to<opmath_t>(fused)));
  }
}

/** Version for halves: the mean is subtracted after the multiplication, in a fused operation. */
export function layer_norm_row$reduced(
  y: data<scalar_t>,
  yo: number,
  x: data<scalar_t>,
  xo: number,
  gamma: data<opmath_t>,
  beta: data<opmath_t>,
  N: number,
  mean: opmath_t,
  rstd: opmath_t,
): void {
  const shift: opmath_t = round_to<opmath_t>(-(rstd * mean));
  for (let j = 0; j < N; j++) {
    const scaled = cast<float64>(load(x, xo + j)) * cast<float64>(rstd) + cast<float64>(shift);
    const normalized: opmath_t = round_to<opmath_t>(scaled);
    const fused = cast<float64>(normalized) * cast<float64>(load(gamma, j)) + cast<float64>(load(beta, j));
    store(y, yo + j, cast<scalar_t>(round_to<opmath_t>(fused)));
  }
}

/**
 * Gradient of one row, and its contribution to the parameters' gradients.
 * @template LayerNormBackwardKernelImpl: floating types and halves
 */
export function layer_norm_backward_row(
  dx: pointer<scalar_t>,
  dy: pointer<scalar_t>,
  x: pointer<scalar_t>,
  gamma: data<opmath_t>,
  dgamma: data<opmath_t>,
  dbeta: data<opmath_t>,
  N: number,
  mean: opmath_t,
  rstd: opmath_t,
  wants_dx: boolean,
  wants_params: boolean,
): void {
  if (wants_params) {
    const shift: opmath_t = -rstd * mean;
    for (let j = 0; j < N; j++) {
      const g: opmath_t = cast<opmath_t>(load(dy, j));
      const normalized: opmath_t = rstd * cast<opmath_t>(load(x, j)) + shift;
      store(dgamma, j, load(dgamma, j) + g * normalized);
      store(dbeta, j, load(dbeta, j) + g);
    }
  }
  if (!wants_dx) return;
  let ds: acc_t = 0;
  let db: acc_t = 0;
  for (let j = 0; j < N; j++) {
    const g: acc_t = cast<acc_t>(load(dy, j)) * cast<acc_t>(load(gamma, j));
    ds += g * cast<acc_t>(load(x, j));
    db += g;
  }
  const n: acc_t = cast<acc_t>(N);
  const r: acc_t = cast<acc_t>(rstd);
  const b: opmath_t = cast<opmath_t>(((db * cast<acc_t>(mean) - ds) * r * r * r) / n);
  const c: opmath_t = -b * mean - cast<opmath_t>((db * r) / n);
  for (let j = 0; j < N; j++) {
    const g: opmath_t = rstd * cast<opmath_t>(load(dy, j)) * load(gamma, j);
    store(dx, j, cast<scalar_t>(g + b * cast<opmath_t>(load(x, j)) + c));
  }
}

type FloatArray = Float32Array | Float64Array;

/** An array in the type in which `dtype` is computed. */
export function opmath_array(dtype: ScalarType, n: number): FloatArray {
  return toOpMathType(dtype) === ScalarType.Double ? new Float64Array(n) : new Float32Array(n);
}

/** The `n` elements of `t`, of any shape, or `n` times `value`. Precondition: `t` is contiguous. */
export function parameters(t: Tensor | null, dtype: ScalarType, n: number, value: number): FloatArray {
  const array = opmath_array(dtype, n);
  const read = t === null ? null : accessor_flat(t);
  for (let i = 0; i < n; i++) array[i] = read?.get(i) ?? value;
  return array;
}

/** Accessor for all elements of a contiguous tensor; the stride of a dim of size 1 is ignored. */
export function accessor_flat(t: Tensor): TensorAccessor {
  return accessor_with_stride(t, t.scalar_type(), 1);
}

export function LayerNormKernelImpl(
  X: Tensor,
  gamma: Tensor | null,
  beta: Tensor | null,
  [M, N]: readonly [number, number],
  eps: number,
  Y: Tensor,
  [mean, rstd]: readonly [Tensor, Tensor],
): void {
  const dtype = X.scalar_type();
  const row = AT_DISPATCH(layer_norm_row_instances, dtype);
  const moments = AT_DISPATCH(rowwise_moments_instances, dtype);
  check_type(Y, dtype);
  const weights = parameters(gamma, dtype, N, 1);
  const biases = parameters(beta, dtype, N, 0);
  const mean_a = accessor_flat(mean);
  const rstd_a = accessor_flat(rstd);
  const of_row = opmath_array(dtype, 2);
  const [x, xo, y, yo] = [X.data_view(), X.data_offset(), Y.data_view(), Y.data_offset()];
  for (let i = 0; i < M; i++) {
    moments(of_row, x, xo + i * N, N);
    of_row[1] = inverse_std(dtype, of_row[1], eps);
    row(y, yo + i * N, x, xo + i * N, weights, biases, N, of_row[0], of_row[1]);
    mean_a.set(i, of_row[0]);
    rstd_a.set(i, of_row[1]);
  }
}

/** 1 / sqrt(variance + eps), step by step in the type of the computation. A negative variance is a rounding error. */
export function inverse_std(dtype: ScalarType, variance: number, eps: number): number {
  const at_least = Math.max(variance, 0);
  if (toOpMathType(dtype) === ScalarType.Double) return 1 / Math.sqrt(at_least + eps);
  return Math.fround(1 / Math.fround(Math.sqrt(Math.fround(at_least + Math.fround(eps)))));
}

/** Sums of the rows for the `N` elements of both parameters: [2, 1, N]. In PyTorch there is one [2, N] per thread. */
export function sums_of_parameters(X: Tensor, N: number): Tensor {
  const buffer = at.empty_memory_format([0], X.options().dtype(toOpMathType(X.scalar_type())));
  return N > 0 ? buffer.resize_([2, 1, N]).zero_() : buffer;
}

export function LayerNormBackwardKernelImpl(
  dY_: Tensor,
  X: Tensor,
  mean: Tensor,
  rstd: Tensor,
  gamma: Tensor | null,
  [M, N]: readonly [number, number],
  { dX, dgamma, dbeta }: LayerNormGradients,
): void {
  const dtype = X.scalar_type();
  const row = AT_DISPATCH(layer_norm_backward_row_instances, dtype);
  const dY = dY_.contiguous();
  check_type(dY, dtype);
  const wants_params = dgamma !== null || dbeta !== null;
  const buffer = sums_of_parameters(X, wants_params ? N : 0);
  const dgamma_sums = elements_of(buffer, 0, N);
  const dbeta_sums = elements_of(buffer, N, N);
  const weights = parameters(gamma, dtype, N, 1);
  const mean_a = parameters(mean, dtype, M, 0);
  const rstd_a = parameters(rstd, dtype, M, 0);
  const to = dX ?? X;
  for (let i = 0; i < M; i++) {
    // biome-ignore format: one operand group per line
    row(
      to.data_view(), to.data_offset() + i * N,
      dY.data_view(), dY.data_offset() + i * N,
      X.data_view(), X.data_offset() + i * N,
      weights, dgamma_sums, dbeta_sums, N, mean_a[i], rstd_a[i], dX !== null, wants_params,
    );
  }
  write(dgamma, dgamma_sums);
  write(dbeta, dbeta_sums);
}

/** Elements [from, from + n) of a contiguous tensor of floats. */
export function elements_of(t: Tensor, from: number, n: number): FloatArray {
  const begin = t.data_offset() + from;
  return (t.data_view() as FloatArray).subarray(begin, begin + n);
}

/** Writes `values` to a contiguous tensor, in its dtype. */
export function write(t: Tensor | null, values: FloatArray): void {
  if (t === null) return;
  const to = accessor_flat(t);
  for (let i = 0; i < t.numel(); i++) to.set(i, values[i]);
}

REGISTER_DEFAULT_DISPATCH(LayerNormKernel, LayerNormKernelImpl, "LayerNormKernelImpl");
REGISTER_DEFAULT_DISPATCH(LayerNormBackwardKernel, LayerNormBackwardKernelImpl, "LayerNormBackwardKernelImpl");
