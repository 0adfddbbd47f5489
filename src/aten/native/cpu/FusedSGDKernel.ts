/**
 * @file Kernel of one step of stochastic gradient descent for one parameter.
 * @mirrors aten/src/ATen/native/cpu/FusedSGDKernel.cpp
 * @differs Ours uses one thread; PyTorch uses several. A float32 product and the sum that uses it are rounded once
 * here, because the compilers of PyTorch's binaries fuse them; float64 ones are rounded twice. Ours updates every half;
 * PyTorch's vectorized loop does not store the parameters, so that whole groups of 32 halves stay unchanged.
 */
import { AT_DISPATCH, cast, load, type opmath_t, type pointer, round_to, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { fused_sgd_stub, type SGDOptions } from "#aten/native/FusedSGD";
import { memory_of } from "#aten/native/FusedUtils";
import { sgd_math_instances } from "./generated/FusedSGDKernel.ts";

/**
 * Updates `n` elements; `taken` is 1 - dampening.
 * @parameters an instance takes numbers and no object of options: Note [Rows] in Dispatch.ts.
 * @template fused_sgd_kernel: floating types and halves
 */
export function sgd_math(
  param: pointer<scalar_t>,
  grad: pointer<scalar_t>,
  momentum_buf: pointer<scalar_t>,
  n: number,
  weight_decay: opmath_t,
  momentum: opmath_t,
  taken: opmath_t,
  lr: opmath_t,
  grad_scale: opmath_t,
  scaled: boolean,
  nesterov: boolean,
  maximize: boolean,
  is_first_step: boolean,
): void {
  const decay: opmath_t = round_to<opmath_t>(weight_decay);
  const kept: opmath_t = round_to<opmath_t>(momentum);
  const share: opmath_t = round_to<opmath_t>(taken);
  const rate: opmath_t = round_to<opmath_t>(lr);
  for (let i = 0; i < n; i++) {
    let g: opmath_t = cast<opmath_t>(load(grad, i));
    if (scaled) {
      g = round_to<opmath_t>(g / grad_scale);
      store(grad, i, cast<scalar_t>(g));
    }
    if (maximize) g = -g;
    const p: opmath_t = cast<opmath_t>(load(param, i));
    if (decay !== 0) g = round_to<opmath_t>(p * decay + g);
    if (kept !== 0) {
      let buf: opmath_t = g;
      if (!is_first_step) {
        const faded: opmath_t = round_to<opmath_t>(cast<opmath_t>(load(momentum_buf, i)) * kept);
        buf = round_to<opmath_t>(g * share + faded);
      }
      store(momentum_buf, i, cast<scalar_t>(buf));
      g = nesterov ? round_to<opmath_t>(buf * kept + g) : buf;
    }
    store(param, i, cast<scalar_t>(p - g * rate));
  }
}

function fused_sgd_kernel(param: Tensor, grad: Tensor, momentum_buffer: Tensor | null, options: SGDOptions): void {
  const { weight_decay, momentum, lr, dampening, nesterov, maximize, is_first_step, grad_scale } = options;
  // biome-ignore format: one buffer per line
  AT_DISPATCH(sgd_math_instances, param.scalar_type())(
    ...memory_of(param, param),
    ...memory_of(grad, param),
    ...memory_of(momentum_buffer ?? param, param),
    param.numel(), weight_decay, momentum, 1 - dampening, lr,
    grad_scale ?? 1, grad_scale !== null, nesterov, maximize, is_first_step,
  );
}

REGISTER_DEFAULT_DISPATCH(fused_sgd_stub, fused_sgd_kernel, "fused_sgd_kernel");
