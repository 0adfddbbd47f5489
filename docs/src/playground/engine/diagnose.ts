/**
 * @file Where a text has a syntax error that the transpiler lets through and the browser's engine refuses without saying where, such as
 * a name declared twice. Loads a full parser, only then.
 * @original
 */
import type { Failure } from "./protocol.ts";

/** The failure, with its line if a parser finds one. */
export async function diagnose(failure: Failure, textOf: (file: string) => string | undefined): Promise<Failure> {
  const place = failure.stack[0];
  if (failure.name !== "SyntaxError" || place?.line !== 0) return failure;
  const text = textOf(place.file);
  if (text === undefined) return failure;
  const { parse } = await import("@babel/parser");
  try {
    parse(text, { sourceType: "module", plugins: ["typescript"], allowAwaitOutsideFunction: true });
    return failure;
  } catch (error) {
    const { loc } = error as { loc?: { line: number; column: number } };
    if (loc === undefined) return failure;
    return { ...failure, stack: [{ ...place, line: loc.line, column: loc.column + 1 }] };
  }
}
