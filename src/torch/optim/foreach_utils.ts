/**
 * @file Helpers of the optimizer steps over lists of tensors.
 * @original PyTorch repeats this code in each optimizer.
 */
import { AssertionError } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { check_capturable } from "./optimizer/helpers.ts";

/** The checks at the beginning of every step over lists. */
export function check_foreach(
  { differentiable, capturable }: { readonly differentiable: boolean; readonly capturable?: boolean },
  rows: readonly (readonly Tensor[])[],
  what?: string,
  supports_xla = false,
): void {
  if (differentiable) throw new AssertionError("_foreach ops don't support autograd");
  if (capturable) check_capturable(rows, what, supports_xla);
}

/** Adds 1 to step counts. On the CPU the 1 is a tensor, because a number would be wrapped once for each count. */
export function _increment_steps(state_steps: Tensor[]): void {
  if (state_steps[0].device.type === "cpu")
    torch._foreach_add_(state_steps, torch.tensor(1, { dtype: torch.float32 }), { alpha: 1 });
  else torch._foreach_add_(state_steps, 1);
}

/** The gradients with weight decay. If they are `ours` (for example negated copies), they may be overwritten. */
export function _with_weight_decay(grads: Tensor[], params: Tensor[], weight_decay: number, ours: boolean): Tensor[] {
  if (weight_decay === 0) return grads;
  if (!ours) return torch._foreach_add(grads, params, { alpha: weight_decay });
  torch._foreach_add_(grads, params, { alpha: weight_decay });
  return grads;
}

/** The gradients, negated when maximizing, with weight decay. */
export function _effective_grads(params: Tensor[], grads: Tensor[], maximize: boolean, weight_decay: number): Tensor[] {
  return _with_weight_decay(maximize ? torch._foreach_neg(grads) : grads, params, weight_decay, maximize);
}
