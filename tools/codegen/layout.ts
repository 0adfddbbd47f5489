/**
 * @file The layout of generated code: short texts take one line, so that one more operator adds few lines.
 * @original clang-format formats torchgen's output.
 */

/** No line is filled beyond this many characters, not counting indentation that an enclosing text adds. */
export const MAX_WIDTH = 160;

/**
 * `head { body }` on one line if it fits; else with the body on a line of its own, or with one statement per line. A
 * branching statement keeps its own lines: it is never joined with others.
 */
export function braced(head: string, body: readonly string[], indent = ""): string[] {
  const plain = body.length === 1 || body.every((statement) => statement.endsWith(";") && !statement.startsWith("if "));
  const line = `${indent}${head} { ${body.join(" ")} }`;
  if (plain && line.length <= MAX_WIDTH) return [line];
  const together = fill(body);
  const lines = plain && together.length === 1 ? together : body;
  return [`${indent}${head} {`, ...lines.map((each) => `${indent}  ${each}`), `${indent}}`];
}

/** A statement, and a statement that must follow it in every case. */
export function try_finally(statement: string, undo: string): string[] {
  const line = `try { ${statement} } finally { ${undo} }`;
  return line.length <= MAX_WIDTH ? [line] : ["try {", `  ${statement}`, `} finally { ${undo} }`];
}

/** Statements, or entries with their commas, on as few lines as possible. */
export function fill(parts: readonly string[], indent = ""): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + part.length <= MAX_WIDTH) lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(`${indent}${part}`);
  }
  return lines;
}
