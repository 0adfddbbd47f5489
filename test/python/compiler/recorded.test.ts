/**
 * The compiler makes CPython's code objects, `dis` writes CPython's text, and errors and warnings are CPython's. The rows are CPython's
 * (tools/oracle/record_bytecode.py).
 */
import { describe, expect, test } from "vitest";
import { compile, dis, SyntaxError_ } from "#python/index";
import { all_codes, fields_of } from "../../../tools/oracle/code_fields.ts";
import { readFixture } from "../../helpers/recorded.ts";

interface Refusal {
  readonly text: string;
  readonly name: string;
  readonly message: string;
  readonly lineno: number;
  readonly offset: number;
  readonly end_lineno: number;
  /** null: CPython names no end. */
  readonly end_offset: number | null;
}
const { programs, singles, refused, warned } = readFixture<{
  readonly programs: readonly { readonly text: string; readonly codes: readonly object[]; readonly dis: string }[];
  readonly singles: readonly { readonly text: string; readonly mode: "eval" | "single"; readonly dis: string }[];
  readonly refused: readonly Refusal[];
  readonly warned: readonly { readonly text: string; readonly warnings: readonly (readonly [string, number])[] }[];
}>(new URL("../../fixtures/python/bytecode.json.gz", import.meta.url));

const titled = (text: string): string => JSON.stringify(text.slice(0, 60));

function error_of(text: string): SyntaxError_ {
  try {
    compile(text, "<string>");
  } catch (error) {
    if (error instanceof SyntaxError_) return error;
    throw error;
  }
  throw new Error("no error");
}

describe("programs", () => {
  test.each(programs.map((row) => [titled(row.text), row] as const))("%s", (_title, { text, codes, dis: written }) => {
    const code = compile(text, "<string>");
    expect([...all_codes(code)].map(fields_of)).toEqual(codes);
    expect(dis(code)).toBe(written);
  });

  test.each(singles.map((row) => [row.mode, titled(row.text), row] as const))(
    "mode %s: %s",
    (mode, _title, { text, dis: written }) => {
      expect(dis(compile(text, "<string>", mode))).toBe(written);
    },
  );
});

describe("what is refused", () => {
  test.each(refused.map((row) => [titled(row.text), row] as const))("%s", (_title, row) => {
    const error = error_of(row.text);
    expect([error.name, error.message, error.lineno, error.offset, error.end_lineno, error.end_offset]).toEqual([
      row.name,
      row.message,
      row.lineno,
      row.offset,
      row.end_lineno,
      row.end_offset ?? 0,
    ]);
  });
});

describe("what is warned about", () => {
  test.each(warned.map((row) => [titled(row.text), row] as const))("%s", (_title, { text, warnings }) => {
    const told: [string, number][] = [];
    compile(text, "<string>", "exec", { warn: (message, lineno) => told.push([message, lineno]) });
    expect(told).toEqual(warnings);
  });
});
