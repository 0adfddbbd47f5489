/**
 * @file What the steps over lists of tensors have in common.
 * @mirrors torch/utils/_foreach_utils.py
 */
import { AssertionError } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor";
import { torch } from "#torch/_torch";
import { check_capturable } from "./optimizer_helpers.ts";

type Row = Tensor | null;

/** Lists of which one row belongs together, split by device and dtype of the first: a `_foreach` operator wants them equal. */
export function _group_tensors_by_device_and_dtype<L extends Readonly<Record<string, readonly Row[]>>>(
  lists: L,
): { readonly lists: { [K in keyof L]: Tensor[] }; readonly indices: number[] }[] {
  const groups = new Map<string, number[]>();
  const [first] = Object.values(lists);
  first.forEach((tensor, i) => {
    const { device, dtype } = tensor as Tensor;
    const key = `${device} ${dtype}`;
    const indices = groups.get(key);
    if (indices === undefined) groups.set(key, [i]);
    else indices.push(i);
  });
  return [...groups.values()].map((indices) => ({
    lists: Object.fromEntries(
      // A list may be empty: what an option would need is not kept without it.
      Object.entries(lists).map(([name, list]) => [name, list.length === 0 ? [] : indices.map((i) => list[i])]),
    ) as { [K in keyof L]: Tensor[] },
    indices,
  }));
}

/** What every step over lists checks first. */
export function check_foreach(
  { differentiable, capturable }: { readonly differentiable: boolean; readonly capturable?: boolean },
  rows: readonly (readonly Tensor[])[],
  what?: string,
  supports_xla = false,
): void {
  if (differentiable) throw new AssertionError("_foreach ops don't support autograd");
  if (capturable) check_capturable(rows, what, supports_xla);
}

/** Step counts on the CPU are added to as tensors: a number would be wrapped once for each. */
export function _increment_steps(state_steps: Tensor[]): void {
  if (state_steps[0].device.type === "cpu")
    torch._foreach_add_(state_steps, torch.tensor(1, { dtype: torch.float32 }), { alpha: 1 });
  else torch._foreach_add_(state_steps, 1);
}

/** The gradients with weight decay. Those that are `ours` (negated ones) may be written. */
export function _with_weight_decay(grads: Tensor[], params: Tensor[], weight_decay: number, ours: boolean): Tensor[] {
  if (weight_decay === 0) return grads;
  if (!ours) return torch._foreach_add(grads, params, { alpha: weight_decay });
  torch._foreach_add_(grads, params, { alpha: weight_decay });
  return grads;
}

/** The gradients, or what maximizing makes of them, with weight decay. */
export function _effective_grads(params: Tensor[], grads: Tensor[], maximize: boolean, weight_decay: number): Tensor[] {
  return _with_weight_decay(maximize ? torch._foreach_neg(grads) : grads, params, weight_decay, maximize);
}
