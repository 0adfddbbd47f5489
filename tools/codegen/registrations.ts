/**
 * @file A registration block, divided by operator: `exp(m) { m.impl("exp", ...); m.impl("exp.out", ...); },`, so that
 * the dispatcher can run the lines of one operator alone (Note [Registered when asked for] in
 * src/aten/core/library.ts).
 * @original
 */
import type { NativeFunction } from "./model.ts";

/** A line that registers something for `f`. */
export interface Registration {
  readonly f: NativeFunction;
  readonly line: string;
}

/** Sorted by the first occurrence of each operator. */
export function by_operator_name(registrations: readonly Registration[]): string[] {
  const lines = new Map<string, string[]>();
  for (const { f, line } of registrations) {
    const name = String(f.func.name.name);
    const known = lines.get(name);
    if (known === undefined) lines.set(name, [line]);
    else known.push(line);
  }
  return [...lines].flatMap(([name, own]) => [`${name}(m) {`, ...own.map((line) => `  ${line}`), "},"]);
}
