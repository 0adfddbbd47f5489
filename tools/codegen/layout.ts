/**
 * @file How generated code is laid out: what is short stands in one line, so that an operator more is few lines more.
 * @original clang-format lays out what torchgen writes.
 */

/** No line is filled beyond this many characters, but for the indentation that an enclosing text adds. */
export const MAX_WIDTH = 160;

/**
 * `head { body }` in one line if there is room; else with the body in a line of its own, or with one statement a line. What branches
 * shows its shape: it is never joined with other statements.
 */
export function braced(head: string, body: readonly string[], indent = ""): string[] {
  const plain = body.length === 1 || body.every((statement) => statement.endsWith(";") && !statement.startsWith("if "));
  const line = `${indent}${head} { ${body.join(" ")} }`;
  if (plain && line.length <= MAX_WIDTH) return [line];
  const together = fill(body);
  const lines = plain && together.length === 1 ? together : body;
  return [`${indent}${head} {`, ...lines.map((each) => `${indent}  ${each}`), `${indent}}`];
}

/** A statement and what must follow it whatever happens. */
export function try_finally(statement: string, undo: string): string[] {
  const line = `try { ${statement} } finally { ${undo} }`;
  return line.length <= MAX_WIDTH ? [line] : ["try {", `  ${statement}`, `} finally { ${undo} }`];
}

/** Statements, or entries with their commas, side by side in as few lines as hold them. */
export function fill(parts: readonly string[], indent = ""): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + part.length <= MAX_WIDTH) lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(`${indent}${part}`);
  }
  return lines;
}
