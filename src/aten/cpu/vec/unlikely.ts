/**
 * @file Values that a loop computes only if some lane needs them: those used only by the `yes` sides of choices by one
 * `unlikely` mask, or by one mask that is the same for all elements.
 *
 *   v4: mask = unlikely v3
 *   v9: f64 = ... v8                   v5 to v9 are inside `if (any lane of v4)`: otherwise the choice does not use them
 *   v10: f64 = select v4, v9, v2
 *
 * No value has an effect, so the results are the same with and without the branch.
 * @original `C10_UNLIKELY` is a hint to a C++ compiler.
 * @see vec128.ts (prints the branch)
 */
import type { Kernel, Value } from "./ir.ts";

export interface Seldom {
  readonly mask: Value;
  /** The values, each after its arguments. */
  readonly values: readonly Value[];
}

/** The group with which each such value is computed. */
export function seldom_values(kernel: Kernel): ReadonlyMap<Value, Seldom> {
  const groups = new Map<Value, Seldom>();
  for (const mask of kernel.values) {
    if (mask.op !== "unlikely" && !(mask.type === "mask" && is_same_for_all(mask))) continue;
    const always = needed(kernel, mask);
    const values = kernel.values.filter((v) => !always.has(v) && !groups.has(v));
    const seldom = { mask, values };
    if (!values.some((v) => is_choice(v, mask))) for (const v of values) groups.set(v, seldom);
  }
  return groups;
}

/** Whether the value is made of captures and constants only. */
export function is_same_for_all(v: Value): boolean {
  return v.args.length === 0 ? v.op === "capture" || v.op === "const" : v.args.every(is_same_for_all);
}

function is_choice(v: Value, mask: Value): boolean {
  return v.op === "select" && v.args[0] === mask;
}

/** The values that the outputs need if no lane of `mask` is true. */
function needed(kernel: Kernel, mask: Value): ReadonlySet<Value> {
  const found = new Set<Value>();
  const visit = (v: Value): void => {
    if (found.has(v)) return;
    found.add(v);
    for (const [k, a] of v.args.entries()) if (k !== 1 || !is_choice(v, mask)) visit(a);
  };
  for (const o of kernel.outputs) visit(o.value);
  return found;
}
