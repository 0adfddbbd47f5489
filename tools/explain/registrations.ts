/**
 * @file Registrations by operator and key: the `m.impl(...)` lines of generated and hand-written files.
 * @original
 */

export interface Registration {
  readonly operator: string;
  /** The key as `TORCH_LIBRARY_IMPL` names it: `CPU`, `Autograd`, `CompositeImplicitAutograd`. */
  readonly key: string;
  readonly fn: string;
  readonly file: string;
  readonly line: number;
}

/** Single registrations that name their operator; lists of fallthroughs do not count. */
export function registrationsIn(file: string, text: string): Registration[] {
  if (!text.includes("TORCH_LIBRARY_IMPL(")) return [];
  const found: Registration[] = [];
  let key = "";
  text.split("\n").forEach((line, i) => {
    key = /^\s*TORCH_LIBRARY_IMPL\("aten", "(\w+)"/.exec(line)?.[1] ?? key;
    const [, operator, fn] = /^\s*m\.impl\("([\w.]+)", (?:native\.)?(\w+)/.exec(line) ?? [];
    if (operator !== undefined) found.push({ operator, key, fn, file, line: i + 1 });
  });
  return found;
}
