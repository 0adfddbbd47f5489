/**
 * @file Grouping of differences by their probable cause.
 * @original
 */
import type { Difference } from "./compare.ts";

/** `aten.add_.Tensor`, `torch.add`, `Tensor.__iadd__` -> `add`. */
export function operator(call: string): string {
  const parts = call.split(".");
  const name = parts[1] ?? parts[0] ?? "";
  const plain = name.replace(/^__i?(.*)__$/, "$1");
  return /^_*$/.test(plain.replace(/_$/, "")) ? plain : plain.replace(/_$/, "");
}

/** A message without its numbers, lists and types. */
function shape(message: string): string {
  return message
    .split("\n")[0]
    .replace(/\[[^\]]*\]/g, "[..]")
    .replace(/aten::\w+(\.\w+)?/g, "aten::OP")
    .replace(/-?\d[\d.e+-]*/g, "N")
    .slice(0, 110);
}

/** One line that is equal for differences with probably the same cause. */
export function cause({ call, kind, ours, theirs }: Difference): string {
  const told = kind.startsWith("error") || kind.includes("raises") || kind.startsWith("JavaScript");
  const text = kind === "ours raises, PyTorch not" || kind.startsWith("JavaScript") ? ours : theirs;
  if (theirs.startsWith("RuntimeError: aten::")) return `${kind} | torch.ops | ${shape(text)}`; // thrown before the operator runs
  return `${kind} | ${operator(call)}${told ? ` | ${shape(text)}` : ""}`;
}

/** An int that no double holds is refused as a size, a stride or a count: `guard_int` in src/c10/core/SymInt.ts. */
const BEYOND_DOUBLES = /^OverflowError: -?\d+ cannot be taken here: sizes and counts are doubles/;

/** Values that differ by intention, as README.md explains: the operator, PyTorch's value and ours. */
const INTENDED: readonly { readonly of: RegExp; readonly theirs: string; readonly ours: string }[] = [
  { of: /^gelu$/i, theirs: "NaN", ours: "Infinity" },
];

/** Whether README.md names this difference as one that stays. */
export function is_intended({ call, kind, where, ours, theirs }: Difference): boolean {
  if (BEYOND_DOUBLES.test(ours)) return true;
  const at = /element (\d+) of/.exec(where)?.[1];
  if (kind !== "values" || at === undefined) return false;
  const element = (list: string): string | undefined => list.slice(1, -1).split(", ")[Number(at)];
  return INTENDED.some((d) => d.of.test(operator(call)) && element(theirs) === d.theirs && element(ours) === d.ours);
}
