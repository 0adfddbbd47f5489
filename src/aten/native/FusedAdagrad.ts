/**
 * @file Fused Adagrad step for a list of parameters; each parameter is one loop.
 * @mirrors aten/src/ATen/native/FusedAdagrad.cpp
 * @see cpu/FusedAdagradKernel.ts
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
import { check_lengths, number_in } from "./FusedUtils.ts";

/** The tensors of one parameter. */
export interface AdagradTensors {
  readonly param: Tensor;
  readonly grad: Tensor;
  readonly state_sum: Tensor;
  readonly state_step: Tensor;
}

export interface AdagradOptions {
  readonly lr: number;
  readonly lr_decay: number;
  readonly weight_decay: number;
  readonly eps: number;
  readonly maximize: boolean;
  /** Gradients are divided by this number, in place; null means no division. */
  readonly grad_scale: number | null;
}

export const fused_adagrad_stub =
  DEFINE_DISPATCH<(tensors: AdagradTensors, options: AdagradOptions) => void>("fused_adagrad_stub");

type Arguments<LR> = readonly [
  params: readonly Tensor[],
  grads: readonly Tensor[],
  state_sums: readonly Tensor[],
  state_steps: readonly Tensor[],
  lr: LR,
  lr_decay: number,
  weight_decay: number,
  eps: number,
  maximize: boolean,
  grad_scale: Tensor | null,
  found_inf: Tensor | null,
];

export function _fused_adagrad_kernel_cpu_(...args: Arguments<number>): void {
  const [params, grads, state_sums, state_steps, lr, lr_decay, weight_decay, eps, maximize, scale, found_inf] = args;
  const grad_scale = number_in(scale);
  if (number_in(found_inf) === 1) return;
  check_lengths(params.length, { grads, state_sums, state_steps });
  const options = { lr, lr_decay, weight_decay, eps, maximize, grad_scale };
  for (const [i, param] of params.entries()) {
    const tensors = { param, grad: grads[i], state_sum: state_sums[i], state_step: state_steps[i] };
    fused_adagrad_stub.call(param.device().type(), tensors, options);
  }
}

export function _fused_adagrad_kernel_cpu__tensor_lr(...args: Arguments<Tensor>): void {
  const [params, grads, state_sums, state_steps, lr, ...rest] = args;
  _fused_adagrad_kernel_cpu_(params, grads, state_sums, state_steps, lr.item().toDouble(), ...rest);
}
