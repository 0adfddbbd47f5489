/**
 * @file Kernel of one Adagrad step for one parameter.
 * @mirrors aten/src/ATen/native/cpu/FusedAdagradKernel.cpp
 * @differs Ours uses one thread; PyTorch uses several. A float32 product and the sum that uses it are rounded once
 * here, because the compilers of PyTorch's binaries fuse them; float64 ones are rounded twice.
 */
import { AT_DISPATCH, cast, load, type opmath_t, type pointer, round_to, type scalar_t, store } from "#aten/Dispatch";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { type AdagradOptions, type AdagradTensors, fused_adagrad_stub } from "#aten/native/FusedAdagrad";
import { memory_of } from "#aten/native/FusedUtils";
import { sqrt } from "#c10/util/math";
import { adagrad_math_instances } from "./generated/FusedAdagradKernel.ts";

/**
 * Updates `n` elements; `clr` is the learning rate of this step.
 * @template fused_adagrad_kernel: floating types and halves
 */
export function adagrad_math(
  param: pointer<scalar_t>,
  grad: pointer<scalar_t>,
  state_sum: pointer<scalar_t>,
  n: number,
  clr: opmath_t,
  eps: opmath_t,
  weight_decay: opmath_t,
  grad_scale: opmath_t,
  scaled: boolean,
  maximize: boolean,
): void {
  const decay: opmath_t = round_to<opmath_t>(weight_decay);
  const rate: opmath_t = round_to<opmath_t>(clr);
  const least: opmath_t = round_to<opmath_t>(eps);
  for (let i = 0; i < n; i++) {
    let g: opmath_t = cast<opmath_t>(load(grad, i));
    if (scaled) {
      g = round_to<opmath_t>(g / grad_scale);
      store(grad, i, cast<scalar_t>(g));
    }
    if (maximize) g = -g;
    const p: opmath_t = cast<opmath_t>(load(param, i));
    if (decay !== 0) g = round_to<opmath_t>(p * decay + g);
    const sum: opmath_t = round_to<opmath_t>(g * g + cast<opmath_t>(load(state_sum, i)));
    store(state_sum, i, cast<scalar_t>(sum));
    const std: opmath_t = round_to<opmath_t>(round_to<opmath_t>(sqrt(sum)) + least);
    const moved: opmath_t = round_to<opmath_t>(round_to<opmath_t>(rate * g) / std);
    store(param, i, cast<scalar_t>(p - moved));
  }
}

function fused_adagrad_kernel(tensors: AdagradTensors, options: AdagradOptions): void {
  const { lr, lr_decay, weight_decay, eps, maximize, grad_scale } = options;
  const { param, grad, state_sum, state_step } = tensors;
  const update = AT_DISPATCH(adagrad_math_instances, param.scalar_type());
  const memory = [...memory_of(param, param), ...memory_of(grad, param), ...memory_of(state_sum, param)] as const;
  const step = state_step.item().toFloat();
  // biome-ignore format: one group per line
  update(
    ...memory,
    param.numel(), lr / (1 + (step - 1) * lr_decay), eps, weight_decay,
    grad_scale ?? 1, grad_scale !== null, maximize,
  );
}

REGISTER_DEFAULT_DISPATCH(fused_adagrad_stub, fused_adagrad_kernel, "fused_adagrad_kernel");
