/**
 * @file Kernels of the gradient scaler: gradients are multiplied and checked for infinity and NaN, and the scale is
 * updated.
 * @mirrors aten/src/ATen/native/cpu/AmpGradScalerKernels.cpp
 * @differs Ours has two loops, so that the product can use SIMD; PyTorch checks each value in the loop that multiplies
 * it.
 */
import { AT_DISPATCH, type captured_opmath, type InstanceOf, load, type row, type scalar_t } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import {
  _amp_foreach_non_finite_check_and_unscale_cpu_stub,
  _amp_update_scale_cpu_stub,
} from "#aten/native/AmpKernels";
import { REGISTER_DEFAULT_DISPATCH, REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { TensorIterator } from "#aten/TensorIterator";
import { non_finite_instances, unscale_loops } from "./generated/AmpGradScalerKernels.ts";
import { cpu_kernel } from "./Loops/index.ts";

/** @loop _amp_foreach_non_finite_check_and_unscale_cpu: floating types and halves */
export function unscale(grad: scalar_t, inv_scale: captured_opmath): scalar_t {
  return grad * inv_scale;
}

/**
 * Number of infinite and NaN elements in a row.
 * @template _amp_foreach_non_finite_check_and_unscale_cpu: floating types and halves
 */
export function non_finite(grad: row<scalar_t>, n: number): number {
  let count = 0;
  for (let i = 0; i < n; i++) {
    const value = load(grad, i);
    if (value - value !== 0) count++;
  }
  return count;
}

interface Search {
  readonly fn: InstanceOf<typeof non_finite>;
  found: number;
}

function look_through(operands: readonly OperandInfo[], n: number, m: number, search: Search): void {
  const grad = operands[0];
  for (let j = 0; j < m; j++) search.found += search.fn(grad.view(), grad.at(0, j), grad.inner_stride(), n);
}

function _amp_foreach_non_finite_check_and_unscale_cpu_kernel(
  scaled_grad: Tensor,
  found_inf: Tensor,
  inv_scale: Tensor,
): void {
  const iter = TensorIterator.unary_op(scaled_grad, scaled_grad);
  const search = { fn: AT_DISPATCH(non_finite_instances, iter.dtype()), found: 0 };
  iter.for_each(look_through, search);
  if (search.found > 0) found_inf.impl_.data_view()[found_inf.impl_.data_offset()] = 1;
  cpu_kernel(iter, unscale_loops, inv_scale.item());
}

function _amp_update_scale_cpu_kernel(
  current_scale: Tensor,
  growth_tracker: Tensor,
  found_inf: Tensor,
  growth_factor: number,
  backoff_factor: number,
  growth_interval: number,
): void {
  const [scale, tracker, found] = [current_scale, growth_tracker, found_inf].map(({ impl_ }) => ({
    view: impl_.data_view(),
    at: impl_.data_offset(),
  }));
  if (found.view[found.at] !== 0) {
    scale.view[scale.at] = (scale.view[scale.at] as number) * backoff_factor;
    tracker.view[tracker.at] = 0;
    return;
  }
  const successful = (tracker.view[tracker.at] as number) + 1;
  if (successful !== growth_interval) {
    tracker.view[tracker.at] = successful;
    return;
  }
  const grown = Math.fround((scale.view[scale.at] as number) * growth_factor);
  if (Number.isFinite(grown)) scale.view[scale.at] = grown; // never larger than the largest float32
  tracker.view[tracker.at] = 0;
}

REGISTER_DISPATCH(
  _amp_foreach_non_finite_check_and_unscale_cpu_stub,
  _amp_foreach_non_finite_check_and_unscale_cpu_kernel,
  "_amp_foreach_non_finite_check_and_unscale_cpu_kernel",
);
REGISTER_DEFAULT_DISPATCH(_amp_update_scale_cpu_stub, _amp_update_scale_cpu_kernel, "_amp_update_scale_cpu_kernel");
