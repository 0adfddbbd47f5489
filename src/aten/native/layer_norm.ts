/**
 * @file Normalization by the mean and variance, or the root mean square, of the last dims.
 * @mirrors aten/src/ATen/native/layer_norm.cpp
 */

import { check_floating_types_and2 } from "#aten/Dispatch";
import { sizes_equal } from "#aten/ExpandUtils";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { toOpMathType } from "#aten/OpMathType";
import { defined } from "#aten/TensorMethods";
import { DeviceType } from "#c10/core/DeviceType";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { multiply_integers } from "#c10/util/accumulate";
import { str, TORCH_CHECK, TORCH_CHECK_VALUE } from "#c10/util/Exception";
import { check_mixed_data_type, is_mixed_type, param_scalar_type } from "./cpu/mixed_data_type.ts";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
import { empty_like, zeros_like } from "./TensorFactories/index.ts";

type MaybeTensor = Tensor | null;
type Matrix = readonly [M: number, N: number];

/** The gradients that are wanted; others are null. */
export interface LayerNormGradients {
  readonly dX: MaybeTensor;
  readonly dgamma: MaybeTensor;
  readonly dbeta: MaybeTensor;
}

export const LayerNormKernel =
  DEFINE_DISPATCH<
    (
      X: Tensor,
      gamma: MaybeTensor,
      beta: MaybeTensor,
      matrix: Matrix,
      eps: number,
      Y: Tensor,
      stats: readonly [mean: Tensor, rstd: Tensor],
    ) => void
  >("LayerNormKernel");
export const LayerNormBackwardKernel =
  DEFINE_DISPATCH<
    (
      dY: Tensor,
      X: Tensor,
      mean: Tensor,
      rstd: Tensor,
      gamma: MaybeTensor,
      matrix: Matrix,
      grads: LayerNormGradients,
    ) => void
  >("LayerNormBackwardKernel");

function check_parameter(name: string, t: MaybeTensor, normalized_shape: readonly number[]): void {
  TORCH_CHECK(
    t === null || sizes_equal(t.sizes(), normalized_shape),
    "Expected ",
    name,
    " to be of same shape as normalized_shape, but got ",
    name,
    " of shape ",
    t?.sizes() ?? [],
    " and normalized_shape = ",
    normalized_shape,
  );
}

/** `any` stands for the leading dims in the message. */
function check_normalized_shape(input: Tensor, normalized_shape: readonly number[], any: string): void {
  const axis = input.dim() - normalized_shape.length;
  if (axis >= 0 && sizes_equal(input.sizes().slice(axis), normalized_shape)) return;
  const expected = str("Given normalized_shape=", normalized_shape, ", expected input with shape [", any);
  TORCH_CHECK(false, expected, normalized_shape.join(", "), "], but got input of size", input.sizes());
}

function check_not_empty(normalized_shape: readonly number[]): void {
  TORCH_CHECK(
    normalized_shape.length >= 1,
    "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = ",
    normalized_shape,
  );
}

/** The input as a matrix whose rows are normalized. */
export function _check_layer_norm_inputs(
  input: Tensor,
  normalized_shape: readonly number[],
  weight: MaybeTensor,
  bias: MaybeTensor,
): Matrix {
  check_not_empty(normalized_shape);
  check_parameter("weight", weight, normalized_shape);
  check_parameter("bias", bias, normalized_shape);
  check_normalized_shape(input, normalized_shape, "*, ");
  const axis = input.dim() - normalized_shape.length;
  return [multiply_integers(input.sizes().slice(0, axis)), multiply_integers(normalized_shape)];
}

export function contiguous_like(t: Tensor): Tensor {
  return empty_like(t, null, null, null, null, MemoryFormat.Contiguous);
}

/** Shape of the statistics: they have as many dims as the input, to broadcast with it. */
export function stat_shape_of(input: Tensor, normalized_shape: readonly number[]): number[] {
  const axis = input.dim() - normalized_shape.length;
  return input.sizes().map((size, d) => (d < axis ? size : 1));
}

// native_layer_norm                                                                                  CPU
export function layer_norm_cpu(
  input: Tensor,
  normalized_shape: number[],
  weight: MaybeTensor,
  bias: MaybeTensor,
  eps: number,
): [Tensor, Tensor, Tensor] {
  const mixed_type = is_mixed_type(input, weight, bias);
  if (mixed_type) check_mixed_data_type(input, weight, bias);
  const matrix = _check_layer_norm_inputs(input, normalized_shape, weight, bias);
  const X = input.contiguous();
  const gamma = weight?.contiguous() ?? null;
  const beta = bias?.contiguous() ?? null;
  const Y = contiguous_like(X);
  const options = X.options().dtype(param_scalar_type(input, mixed_type));
  const mean = at.empty_memory_format([matrix[0]], options);
  const rstd = at.empty_memory_format([matrix[0]], options);
  if (matrix[0] > 0) LayerNormKernel.call(DeviceType.CPU, X, gamma, beta, matrix, eps, Y, [mean, rstd]);
  const stat_shape = stat_shape_of(input, normalized_shape);
  return [Y, mean.view(stat_shape), rstd.view(stat_shape)];
}

// native_layer_norm_backward                                                                         CPU
export function layer_norm_backward_cpu(
  dY: Tensor,
  input: Tensor,
  normalized_shape: number[],
  mean: Tensor,
  rstd: Tensor,
  weight_opt: MaybeTensor,
  bias_opt: MaybeTensor,
  grad_input_mask: boolean[],
): [Tensor, Tensor, Tensor] {
  const weight = defined(weight_opt);
  const bias = defined(bias_opt);
  const matrix = _check_layer_norm_inputs(input, normalized_shape, weight, bias);
  const X = input.contiguous();
  const gamma = weight?.contiguous() ?? null;
  const beta = bias?.contiguous() ?? null;
  const rows = matrix[0] > 0;
  const of_parameter = (t: Tensor | null) => {
    TORCH_CHECK(t !== null, "tensor does not have a device");
    return rows ? contiguous_like(t) : zeros_like(t, null, null, null, null, MemoryFormat.Contiguous);
  };
  const dX = grad_input_mask[0] ? contiguous_like(X) : null;
  const dgamma = grad_input_mask[1] ? of_parameter(gamma) : null;
  const dbeta = grad_input_mask[2] ? of_parameter(beta) : null;
  const grads: LayerNormGradients = { dX, dgamma, dbeta };
  if (rows) LayerNormBackwardKernel.call(DeviceType.CPU, dY, X, mean, rstd, gamma, matrix, grads);
  return [dX ?? new Tensor(), dgamma ?? new Tensor(), dbeta ?? new Tensor()];
}

// layer_norm                                                                                         CompositeImplicitAutograd
export function layer_norm_symint(
  input: Tensor,
  normalized_shape: number[],
  weight: MaybeTensor,
  bias: MaybeTensor,
  eps: number,
  _cudnn_enable: boolean,
): Tensor {
  return at.native_layer_norm(input, normalized_shape, weight, bias, eps)[0];
}

// _fused_rms_norm                                                                                    CompositeImplicitAutograd
export function rms_norm_composite(
  input: Tensor,
  normalized_shape: number[],
  weight: MaybeTensor,
  eps: number | null,
): [Tensor, Tensor] {
  check_floating_types_and2(input.scalar_type(), "rms_norm");
  const opmath = toOpMathType(input.scalar_type());
  const dims = normalized_shape.map((_, i) => input.dim() - i - 1);
  const eps_val = eps ?? (opmath === ScalarType.Double ? 2 ** -52 : 2 ** -23); // the distance from 1 to the next number
  const upcasted = input.to_dtype(opmath);
  const squares = upcasted.pow_Tensor_Scalar(Scalar.fromInt(2)).mean_dim(dims, true);
  const rqrst = squares.add__Scalar(Scalar.fromDouble(eps_val), Scalar.ONE).rsqrt();
  let result = upcasted.mul_Tensor(rqrst);
  if (weight !== null) result = result.mul_Tensor(weight);
  if (input.suggest_memory_format() === MemoryFormat.Contiguous) result = result.contiguous();
  return [result.type_as(input), rqrst];
}

// rms_norm                                                                                           CompositeImplicitAutograd
export function rms_norm_symint(
  input: Tensor,
  normalized_shape: number[],
  weight: MaybeTensor,
  eps: number | null,
): Tensor {
  check_not_empty(normalized_shape);
  check_parameter("weight", weight, normalized_shape);
  TORCH_CHECK_VALUE(
    input.dim() >= normalized_shape.length,
    "Input tensor must have at least ",
    normalized_shape.length,
    " dimensions, but got ",
    input.dim(),
  );
  check_normalized_shape(input, normalized_shape, "*");
  check_floating_types_and2(input.scalar_type(), "rms_norm");
  if (input.suggest_memory_format() !== MemoryFormat.Contiguous)
    return rms_norm_composite(input, normalized_shape, weight, eps)[0];
  return at._fused_rms_norm(input, normalized_shape, weight, eps)[0];
}

/** `x * weight + bias`, as far as these are given. */
export function affine(x: Tensor, weight: MaybeTensor, bias: MaybeTensor): Tensor {
  if (weight !== null && bias !== null) return bias.addcmul(x, weight);
  if (weight !== null) return x.mul_Tensor(weight);
  return bias === null ? x : x.add_Tensor(bias);
}

// native_layer_norm                                                                                  CompositeExplicitAutograd
// For backends without a kernel: the M rows become the channels of one instance.
export function math_native_layer_norm(
  input: Tensor,
  normalized_shape: number[],
  weight: MaybeTensor,
  bias: MaybeTensor,
  eps: number,
): [Tensor, Tensor, Tensor] {
  const [M] = _check_layer_norm_inputs(input, normalized_shape, weight, bias);
  if (input.numel() === 0) return [at.empty_like(input), at.empty_like(input), at.empty_like(input)];
  const rows = input.contiguous().reshape([1, M, -1]);
  const [normalized, mean, rstd] = at.native_batch_norm(rows, null, null, null, null, true, 0, eps);
  const out = affine(normalized.view(input.sizes().slice()), weight, bias);
  const stat_shape = stat_shape_of(input, normalized_shape);
  return [out, mean.view(stat_shape), rstd.view(stat_shape)];
}
