/**
 * @file Kernel of one Adam step for one parameter.
 * @mirrors aten/src/ATen/native/cpu/FusedAdamKernel.cpp
 * @differs Ours uses one thread; PyTorch uses several. A float32 product and the sum that uses it are rounded once
 * here, because the compilers of PyTorch's binaries fuse them; float64 ones are rounded twice.
 */
import { AT_DISPATCH, cast, load, type opmath_t, type pointer, round_to, type scalar_t, store } from "#aten/Dispatch";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { type AdamOptions, type AdamTensors, fused_adam_stub } from "#aten/native/FusedAdam";
import { memory_of } from "#aten/native/FusedUtils";
import { sqrt } from "#c10/util/math";
import { adam_math_instances } from "./generated/FusedAdamKernel.ts";

/**
 * Updates `n` elements. `lerp` is 1 - beta1, `square` is 1 - beta2; `kept` is the factor by which AdamW multiplies the
 * weight (1 for Adam).
 * @parameters an instance takes numbers and no object of options: Note [Rows] in Dispatch.ts.
 * @template fused_adam_kernel: floating types and halves
 */
export function adam_math(
  param: pointer<scalar_t>,
  grad: pointer<scalar_t>,
  exp_avg: pointer<scalar_t>,
  exp_avg_sq: pointer<scalar_t>,
  max_exp_avg_sq: pointer<scalar_t>,
  n: number,
  step_size: opmath_t,
  bias_correction2_sqrt: opmath_t,
  lerp: opmath_t,
  square: opmath_t,
  beta2: opmath_t,
  eps: opmath_t,
  weight_decay: opmath_t,
  kept: opmath_t,
  grad_scale: opmath_t,
  scaled: boolean,
  maximize: boolean,
  amsgrad: boolean,
): void {
  const weight: opmath_t = round_to<opmath_t>(lerp);
  const small: boolean = weight < 0.5 && weight > -0.5;
  const share: opmath_t = small ? weight : round_to<opmath_t>(weight - 1);
  const of_square: opmath_t = round_to<opmath_t>(square);
  const of_before: opmath_t = round_to<opmath_t>(beta2);
  const decay: opmath_t = round_to<opmath_t>(weight_decay);
  const keep: opmath_t = round_to<opmath_t>(kept);
  const size: opmath_t = round_to<opmath_t>(step_size);
  const correction: opmath_t = round_to<opmath_t>(bias_correction2_sqrt);
  const least: opmath_t = round_to<opmath_t>(eps);
  for (let i = 0; i < n; i++) {
    let g: opmath_t = cast<opmath_t>(load(grad, i));
    if (scaled) {
      g = round_to<opmath_t>(g / grad_scale);
      store(grad, i, cast<scalar_t>(g));
    }
    if (maximize) g = -g;
    let p: opmath_t = cast<opmath_t>(load(param, i));
    if (decay !== 0) g = round_to<opmath_t>(p * decay + g);
    p = round_to<opmath_t>(p * keep);
    const before: opmath_t = cast<opmath_t>(load(exp_avg, i));
    const nearer: opmath_t = small ? before : g;
    const mean: opmath_t = round_to<opmath_t>(share * round_to<opmath_t>(g - before) + nearer);
    const faded: opmath_t = round_to<opmath_t>(cast<opmath_t>(load(exp_avg_sq, i)) * of_before);
    const variance: opmath_t = round_to<opmath_t>(round_to<opmath_t>(of_square * g) * g + faded);
    store(exp_avg, i, cast<scalar_t>(mean));
    store(exp_avg_sq, i, cast<scalar_t>(variance));
    let second: opmath_t = variance;
    if (amsgrad) {
      const largest: opmath_t = cast<opmath_t>(load(max_exp_avg_sq, i));
      if (largest > second || largest !== largest) second = largest;
      store(max_exp_avg_sq, i, cast<scalar_t>(second));
    }
    const denom: opmath_t = round_to<opmath_t>(
      round_to<opmath_t>(round_to<opmath_t>(sqrt(second)) / correction) + least,
    );
    const moved: opmath_t = round_to<opmath_t>(round_to<opmath_t>(size * mean) / denom);
    store(param, i, cast<scalar_t>(p - moved));
  }
}

function fused_adam_kernel(tensors: AdamTensors, options: AdamOptions): void {
  const { lr, beta1, beta2, weight_decay, eps, maximize, grad_scale, decoupled_weight_decay } = options;
  const { param, grad, exp_avg, exp_avg_sq, max_exp_avg_sq, state_step } = tensors;
  const update = AT_DISPATCH(adam_math_instances, param.scalar_type());
  const step = state_step.item().toFloat();
  const of_param = memory_of(param, param);
  const averages = [...memory_of(exp_avg, param), ...memory_of(exp_avg_sq, param)] as const;
  const largest = memory_of(max_exp_avg_sq ?? exp_avg_sq, param);
  // biome-ignore format: one group per line
  update(
    ...of_param,
    ...memory_of(grad, param), // PyTorch, too, asks for it last
    ...averages,
    ...largest,
    param.numel(), lr / (1 - beta1 ** step), Math.sqrt(1 - beta2 ** step), 1 - beta1, 1 - beta2, beta2, eps,
    decoupled_weight_decay ? 0 : weight_decay, decoupled_weight_decay ? 1 - lr * weight_decay : 1,
    grad_scale ?? 1, grad_scale !== null, maximize, max_exp_avg_sq !== null,
  );
}

REGISTER_DEFAULT_DISPATCH(fused_adam_stub, fused_adam_kernel, "fused_adam_kernel");
