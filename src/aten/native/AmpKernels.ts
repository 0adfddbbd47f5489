/**
 * @file Operators of the gradient scaler: unscaling gradients and updating the scale.
 * @mirrors aten/src/ATen/native/AmpKernels.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

export const _amp_foreach_non_finite_check_and_unscale_cpu_stub = DEFINE_DISPATCH<
  (scaled_grad: Tensor, found_inf: Tensor, inv_scale: Tensor) => void
>("_amp_foreach_non_finite_check_and_unscale_cpu_stub");

export const _amp_update_scale_cpu_stub =
  DEFINE_DISPATCH<
    (
      current_scale: Tensor,
      growth_tracker: Tensor,
      found_inf: Tensor,
      growth_factor: number,
      backoff_factor: number,
      growth_interval: number,
    ) => void
  >("_amp_update_scale_cpu_stub");

function check_one(t: Tensor, name: string): void {
  TORCH_CHECK(t.numel() === 1, name, " must be a 1-element tensor.");
}

function check_dtype(t: Tensor, name: string, dtype: ScalarType, dtype_name: string): void {
  TORCH_CHECK(t.scalar_type() === dtype, name, " must be ", dtype_name, " tensor.");
}

/** Multiplies all gradients by `inv_scale`, in place. `found_inf` becomes 1 if one of them is infinite or NaN. */
export function _amp_foreach_non_finite_check_and_unscale_cpu_(
  scaled_grads: readonly Tensor[],
  found_inf: Tensor,
  inv_scale: Tensor,
): void {
  if (scaled_grads.length === 0) return;
  check_one(inv_scale, "inv_scale");
  check_one(found_inf, "found_inf");
  check_dtype(inv_scale, "inv_scale", ScalarType.Float, "a float");
  check_dtype(found_inf, "found_inf", ScalarType.Float, "a float");
  for (const t of scaled_grads)
    _amp_foreach_non_finite_check_and_unscale_cpu_stub.call(found_inf.device().type(), t, found_inf, inv_scale);
}

/** Reduces the scale after an infinite gradient, and increases it after `growth_interval` steps without one. */
export function _amp_update_scale_cpu_(
  current_scale: Tensor,
  growth_tracker: Tensor,
  found_inf: Tensor,
  growth_factor: number,
  backoff_factor: number,
  growth_interval: number,
): Tensor {
  check_one(growth_tracker, "growth_tracker");
  check_one(current_scale, "current_scale");
  check_one(found_inf, "found_inf");
  check_dtype(growth_tracker, "growth_tracker", ScalarType.Int, "an int");
  check_dtype(current_scale, "current_scale", ScalarType.Float, "a float");
  check_dtype(found_inf, "found_inf", ScalarType.Float, "a float");
  _amp_update_scale_cpu_stub.call(
    growth_tracker.device().type(),
    current_scale,
    growth_tracker,
    found_inf,
    growth_factor,
    backoff_factor,
    growth_interval,
  );
  return current_scale;
}
