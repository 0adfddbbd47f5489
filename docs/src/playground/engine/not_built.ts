/**
 * @file An operator that PyTorch has and this library lacks: JavaScript says that it "is not a function"; this adds a sentence about the operator.
 * @original
 */
import type { Failure } from "./protocol.ts";

/** The name that a failed call asked for: `torch.conv2d is not a function`. */
export function calledName({ name, message }: Failure): string | null {
  if (name !== "TypeError") return null;
  return /(?:^|[\s(])[\w$.()]+\.(\w+) is not a function\b/.exec(message)?.[1] ?? null;
}

/** @param names PyTorch's operators, without overloads, that are not built here */
export function notBuilt(called: string, names: readonly string[]): string | null {
  const plain = called.replace(/(?<=[^_])_$/, "");
  return names.includes(plain)
    ? `${plain} is an operator of PyTorch 2.13 that is not built here. The page “Where is it?” has its entry and PyTorch’s files.`
    : null;
}
