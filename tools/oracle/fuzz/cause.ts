/**
 * @file When two differences are the same one.
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

/** One line that is the same where the cause is probably the same. */
export function cause({ call, kind, ours, theirs }: Difference): string {
  const told = kind.startsWith("error") || kind.includes("raises") || kind.startsWith("JavaScript");
  const text = kind === "ours raises, PyTorch not" || kind.startsWith("JavaScript") ? ours : theirs;
  if (theirs.startsWith("RuntimeError: aten::")) return `${kind} | torch.ops | ${shape(text)}`; // said before the operator runs
  return `${kind} | ${operator(call)}${told ? ` | ${shape(text)}` : ""}`;
}
