/**
 * @file Normalization by the mean and variance of groups of channels.
 * @mirrors aten/src/ATen/native/group_norm.cpp
 */

import { check_floating_types_and2 } from "#aten/Dispatch";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { defined } from "#aten/TensorMethods";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { sym_product } from "#c10/core/SymInt";
import { TORCH_CHECK, unmet } from "#c10/util/Exception";
import { check_mixed_data_type, is_mixed_type, param_scalar_type } from "./cpu/mixed_data_type.ts";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
import { affine } from "./layer_norm.ts";
import { empty_like } from "./TensorFactories/index.ts";

type MaybeTensor = Tensor | null;

/** Sizes (N, C, HxW), and the number of groups. */
export interface Groups {
  readonly N: number;
  readonly C: number;
  readonly HxW: number;
  readonly group: number;
}

/** The gradients that are wanted; others are null. */
export interface GroupNormGradients {
  readonly dX: MaybeTensor;
  readonly dgamma: MaybeTensor;
  readonly dbeta: MaybeTensor;
}

export const GroupNormKernel =
  DEFINE_DISPATCH<
    (
      X: Tensor,
      gamma: MaybeTensor,
      beta: MaybeTensor,
      groups: Groups,
      eps: number,
      Y: Tensor,
      stats: readonly [mean: Tensor, rstd: Tensor],
    ) => void
  >("GroupNormKernel");
export const GroupNormBackwardKernel =
  DEFINE_DISPATCH<
    (
      dY: Tensor,
      X: Tensor,
      mean: Tensor,
      rstd: Tensor,
      gamma: MaybeTensor,
      groups: Groups,
      grads: GroupNormGradients,
    ) => void
  >("GroupNormBackwardKernel");

function check_group_norm_inputs(
  input: Tensor,
  weight: MaybeTensor,
  bias: MaybeTensor,
  C: number,
  num_groups: number,
): void {
  TORCH_CHECK(num_groups > 0, "Expected num groups to be greater than 0, got ", num_groups);
  TORCH_CHECK(
    C % num_groups === 0,
    "Expected number of channels in input to be divisible by num_groups, but got input of shape ",
    input.sizes(),
    " and num_groups=",
    num_groups,
  );
  const check = (name: string, t: MaybeTensor) =>
    TORCH_CHECK(
      t === null || (t.dim() === 1 && t.numel() === C),
      "Expected ",
      name,
      " to be a vector of size equal to the number of channels in input, but got ",
      name,
      " of shape ",
      weight?.sizes() ?? [0], // PyTorch's message shows the weight's shape for the bias, too
      " and input of shape ",
      input.sizes(),
    );
  check("weight", weight);
  check("bias", bias);
}

function like(t: Tensor, format: MemoryFormat | null): Tensor {
  return empty_like(t, null, null, null, null, format);
}

// native_group_norm                                                                                  CPU
export function native_group_norm(
  X: Tensor,
  gamma: MaybeTensor,
  beta: MaybeTensor,
  N: number,
  C: number,
  HxW: number,
  group: number,
  eps: number,
): [Tensor, Tensor, Tensor] {
  check_group_norm_inputs(X, gamma, beta, C, group);
  const mixed_type = is_mixed_type(X, gamma, beta);
  if (mixed_type) check_mixed_data_type(X, gamma, beta);
  const memory_format = X.suggest_memory_format();
  TORCH_CHECK(X.is_contiguous(memory_format), unmet("X.is_contiguous(memory_format)"));
  const Y = like(X, memory_format);
  const options = X.options().dtype(param_scalar_type(X, mixed_type));
  const mean = at.empty_memory_format([N, group], options);
  const rstd = at.empty_memory_format([N, group], options);
  if (!mixed_type) check_floating_types_and2(X.scalar_type(), "GroupNormKernelImpl");
  TORCH_CHECK(X.numel() === N * C * HxW, unmet("X.numel() == N * C * HxW"));
  GroupNormKernel.call(X.device().type(), X, gamma, beta, { N, C, HxW, group }, eps, Y, [mean, rstd]);
  return [Y, mean, rstd];
}

// native_group_norm_backward                                                                         CPU
export function native_group_norm_backward(
  dY: Tensor,
  X: Tensor,
  mean: Tensor,
  rstd: Tensor,
  gamma_opt: MaybeTensor,
  N: number,
  C: number,
  HxW: number,
  group: number,
  grad_input_mask: boolean[],
): [Tensor, Tensor, Tensor] {
  const gamma = defined(gamma_opt);
  TORCH_CHECK(X.scalar_type() === dY.scalar_type(), "Expected scalar types of X and dY are same.");
  if (is_mixed_type(X, mean, rstd)) check_mixed_data_type(X, mean, rstd);
  TORCH_CHECK(gamma !== null || !(grad_input_mask[1] || grad_input_mask[2]), "tensor does not have a device");
  const dX = grad_input_mask[0] ? like(X, X.suggest_memory_format()) : null;
  const dgamma = grad_input_mask[1] && gamma !== null ? like(gamma, MemoryFormat.Contiguous) : null;
  const dbeta = grad_input_mask[2] && gamma !== null ? like(gamma, MemoryFormat.Contiguous) : null;
  check_floating_types_and2(X.scalar_type(), "GroupNormBackwardKernelImpl");
  TORCH_CHECK(dY.numel() === N * C * HxW, unmet("dY.numel() == N * C * HxW"));
  TORCH_CHECK(X.numel() === N * C * HxW, unmet("X.numel() == N * C * HxW"));
  TORCH_CHECK(mean.numel() === N * group, unmet("mean.numel() == N * group"));
  TORCH_CHECK(rstd.numel() === N * group, unmet("rstd.numel() == N * group"));
  TORCH_CHECK(gamma === null || gamma.numel() === C, unmet("!gamma.defined() || gamma.numel() == C"));
  GroupNormBackwardKernel.call(
    X.device().type(),
    dY,
    X,
    mean,
    rstd,
    gamma,
    { N, C, HxW, group },
    { dX, dgamma, dbeta },
  );
  return [dX ?? new Tensor(), dgamma ?? new Tensor(), dbeta ?? new Tensor()];
}

// group_norm                                                                                         CompositeImplicitAutograd
export function group_norm(
  input: Tensor,
  num_groups: number,
  weight: MaybeTensor,
  bias: MaybeTensor,
  eps: number,
  _cudnn_enabled: boolean,
): Tensor {
  const N = input.sym_size(0);
  const C = input.size(1);
  check_group_norm_inputs(input, weight, bias, C, num_groups);
  const HxW = sym_product(input.sizes().slice(2));
  const X = input.contiguous(input.suggest_memory_format());
  const gamma = weight?.contiguous() ?? null;
  const beta = bias?.contiguous() ?? null;
  return at.native_group_norm(X, gamma, beta, N, C, HxW, num_groups, eps)[0];
}

// native_group_norm                                                                                  CompositeExplicitAutograd
// For backends without a kernel: the groups of all instances become the channels of one instance.
export function math_group_norm(
  input: Tensor,
  weight: MaybeTensor,
  bias: MaybeTensor,
  N: number,
  C: number,
  _HxW: number,
  group: number,
  eps: number,
): [Tensor, Tensor, Tensor] {
  const groups = input.view([1, N * group, N > 0 ? -1 : 1]);
  const [normalized, mean, rstd] = at.native_batch_norm(groups, null, null, null, null, true, 0, eps);
  const shape = input.sizes().map((_, d) => (d === 1 ? C : 1));
  const of_channels = (t: MaybeTensor) => t?.view(shape) ?? null;
  const out = affine(normalized.view(input.sizes().slice()), of_channels(weight), of_channels(bias));
  return [out, mean.view([N, group]), rstd.view([N, group])];
}
