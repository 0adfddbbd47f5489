/**
 * @file Helpers of the optimizer steps over lists of tensors.
 * @original PyTorch repeats this code in each optimizer.
 */
import { AssertionError } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { check_capturable } from "./optimizer/helpers.ts";
import { mul, type NumberOrTensor, sub } from "./python_operators.ts";

/** The checks at the beginning of every step over lists. @param lists with one entry for each parameter */
export function check_foreach(
  { differentiable, capturable }: { readonly differentiable: boolean; readonly capturable?: boolean },
  lists: readonly (readonly Tensor[])[],
  what?: string,
  supports_xla = false,
): void {
  if (differentiable) throw new AssertionError("_foreach ops don't support autograd");
  if (!capturable) return;
  const rows = lists[0].map((_, i) => lists.map((list) => list[i]));
  check_capturable(rows, what, supports_xla);
}

/** Adds 1 to step counts. On the CPU the 1 is a tensor, because a number would be wrapped once for each count. */
export function _increment_steps(state_steps: Tensor[]): void {
  if (state_steps[0].device.type === "cpu")
    torch._foreach_add_(state_steps, torch.tensor(1, { dtype: torch.float32 }), { alpha: 1 });
  else torch._foreach_add_(state_steps, 1);
}

/**
 * The gradients of the loss that a step makes smaller: negated to maximize it, and with weight decay added. The callers' own gradients
 * are not written.
 */
export function _effective_grads(params: Tensor[], grads: Tensor[], maximize: boolean, weight_decay: number): Tensor[] {
  const negated = maximize ? torch._foreach_neg(grads) : grads;
  if (weight_decay === 0) return negated;
  if (!maximize) return torch._foreach_add(grads, params, { alpha: weight_decay });
  torch._foreach_add_(negated, params, { alpha: weight_decay });
  return negated;
}

/** `_effective_grads`, or, if the weight decay is decoupled from them, the decay of the parameters themselves. */
export function _decoupled_grads(params: Tensor[], grads: Tensor[], lr: NumberOrTensor, group: Decay): Tensor[] {
  const weight_decay = group.weight_decay as number; // a tensor is converted to a number
  if (!group.decoupled_weight_decay) return _effective_grads(params, grads, group.maximize, weight_decay);
  if (weight_decay !== 0) torch._foreach_mul_(params, sub(1, mul(lr, weight_decay)) as number);
  return _effective_grads(params, grads, group.maximize, 0);
}

interface Decay {
  readonly maximize: boolean;
  readonly weight_decay: NumberOrTensor;
  readonly decoupled_weight_decay: boolean;
}
