/**
 * @file Fused Adam and AdamW steps for a list of parameters; each parameter is one loop.
 * @mirrors aten/src/ATen/native/FusedAdam.cpp
 * @see cpu/FusedAdamKernel.ts
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
import { check_empty, check_lengths, number_in } from "./FusedUtils.ts";

/** The tensors of one parameter. */
export interface AdamTensors {
  readonly param: Tensor;
  readonly grad: Tensor;
  readonly exp_avg: Tensor;
  readonly exp_avg_sq: Tensor;
  /** null if AMSGrad is off. */
  readonly max_exp_avg_sq: Tensor | null;
  readonly state_step: Tensor;
}

export interface AdamOptions {
  readonly lr: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly weight_decay: number;
  readonly eps: number;
  readonly maximize: boolean;
  /** Gradients are divided by this number, in place; null means no division. */
  readonly grad_scale: number | null;
  /** AdamW: the weight decays directly, not through the gradient. */
  readonly decoupled_weight_decay: boolean;
}

export const fused_adam_stub = DEFINE_DISPATCH<(tensors: AdamTensors, options: AdamOptions) => void>("fused_adam_stub");

/** The lists of `_fused_adam_`, in the order of its schema. */
type Lists = readonly [
  params: readonly Tensor[],
  grads: readonly Tensor[],
  exp_avgs: readonly Tensor[],
  exp_avg_sqs: readonly Tensor[],
  max_exp_avg_sqs: readonly Tensor[],
  state_steps: readonly Tensor[],
];
/** Parameters after the learning rate. */
type Rest = readonly [
  beta1: number,
  beta2: number,
  weight_decay: number,
  eps: number,
  amsgrad: boolean,
  maximize: boolean,
  grad_scale: Tensor | null,
  found_inf: Tensor | null,
];
type Arguments<LR> = readonly [...Lists, lr: LR, ...Rest];

function fused(args: Arguments<number>, decoupled_weight_decay: boolean): void {
  const [params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, ...numbers] = args;
  const [lr, beta1, beta2, weight_decay, eps, amsgrad, maximize, grad_scale, found_inf] = numbers;
  const scale = number_in(grad_scale);
  if (number_in(found_inf) === 1) return;
  check_lengths(params.length, { grads, exp_avgs, exp_avg_sqs });
  if (amsgrad) check_lengths(params.length, { max_exp_avg_sqs });
  else check_empty("max_exp_avg_sqs", max_exp_avg_sqs);
  check_lengths(params.length, { state_steps });
  const options = { lr, beta1, beta2, weight_decay, eps, maximize, grad_scale: scale, decoupled_weight_decay };
  for (const [i, param] of params.entries()) {
    const [grad, exp_avg, exp_avg_sq, state_step] = [grads[i], exp_avgs[i], exp_avg_sqs[i], state_steps[i]];
    const max_exp_avg_sq = amsgrad ? max_exp_avg_sqs[i] : null;
    const tensors = { param, grad, exp_avg, exp_avg_sq, max_exp_avg_sq, state_step };
    fused_adam_stub.call(param.device().type(), tensors, options);
  }
}

function with_number(args: Arguments<Tensor>): Arguments<number> {
  const [params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, lr, ...rest] = args;
  return [params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, lr.item().toDouble(), ...rest];
}

export function _fused_adam_kernel_cpu_(...args: Arguments<number>): void {
  fused(args, false);
}
export function _fused_adam_kernel_cpu__tensor_lr(...args: Arguments<Tensor>): void {
  fused(with_number(args), false);
}

export function _fused_adamw_kernel_cpu_(...args: Arguments<number>): void {
  fused(args, true);
}
export function _fused_adamw_kernel_cpu__tensor_lr(...args: Arguments<Tensor>): void {
  fused(with_number(args), true);
}
