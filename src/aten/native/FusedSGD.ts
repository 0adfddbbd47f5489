/**
 * @file Fused stochastic gradient descent step for a list of parameters; each parameter is one loop.
 * @mirrors aten/src/ATen/native/FusedSGD.cpp
 * @see cpu/FusedSGDKernel.ts
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
import { check_empty, check_lengths, number_in } from "./FusedUtils.ts";

export interface SGDOptions {
  readonly weight_decay: number;
  readonly momentum: number;
  readonly lr: number;
  readonly dampening: number;
  readonly nesterov: boolean;
  readonly maximize: boolean;
  /** Whether the momentum buffer is still empty. */
  readonly is_first_step: boolean;
  /** Gradients are divided by this number, in place; null means no division. */
  readonly grad_scale: number | null;
}

export const fused_sgd_stub =
  DEFINE_DISPATCH<(param: Tensor, grad: Tensor, momentum_buffer: Tensor | null, options: SGDOptions) => void>(
    "fused_sgd_stub",
  );

type Arguments<LR> = readonly [
  params: readonly Tensor[],
  grads: readonly Tensor[],
  momentum_buffer_list: readonly Tensor[],
  weight_decay: number,
  momentum: number,
  lr: LR,
  dampening: number,
  nesterov: boolean,
  maximize: boolean,
  is_first_step: boolean,
  grad_scale: Tensor | null,
  found_inf: Tensor | null,
];

export function _fused_sgd_kernel_cpu_(...args: Arguments<number>): void {
  const [params, grads, momentum_buffer_list, weight_decay, momentum, lr, dampening, ...rest] = args;
  const [nesterov, maximize, is_first_step, scale, found_inf] = rest;
  const grad_scale = number_in(scale);
  if (number_in(found_inf) === 1) return;
  check_lengths(params.length, { grads });
  if (momentum === 0) check_empty("momentum_buffer_list", momentum_buffer_list);
  else check_lengths(params.length, { momentum_buffer_list });
  const options = { weight_decay, momentum, lr, dampening, nesterov, maximize, is_first_step, grad_scale };
  for (const [i, param] of params.entries()) {
    const buffer = momentum === 0 ? null : momentum_buffer_list[i];
    fused_sgd_stub.call(param.device().type(), param, grads[i], buffer, options);
  }
}

export function _fused_sgd_kernel_cpu__tensor_lr(...args: Arguments<Tensor>): void {
  const [params, grads, momentum_buffer_list, weight_decay, momentum, lr, ...rest] = args;
  _fused_sgd_kernel_cpu_(params, grads, momentum_buffer_list, weight_decay, momentum, lr.item().toDouble(), ...rest);
}
