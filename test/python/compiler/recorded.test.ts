/** Code objects, texts by `dis`, errors and warnings that CPython 3.11 gave. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { dis } from "../../../src/python/compiler/dis.ts";
import { compile, SyntaxError_ } from "../../../src/python/index.ts";
import { all_codes, fields_of } from "../../../tools/oracle/code_fields.ts";

interface Refusal {
  readonly text: string;
  readonly name: string;
  readonly message: string;
  readonly lineno: number;
  readonly offset: number;
  readonly end_lineno: number;
  readonly end_offset: number | null;
}
interface Fixture {
  readonly programs: readonly { readonly text: string; readonly codes: readonly object[]; readonly dis: string }[];
  readonly singles: readonly { readonly text: string; readonly mode: "eval" | "single"; readonly dis: string }[];
  readonly refused: readonly Refusal[];
  readonly warned: readonly { readonly text: string; readonly warnings: readonly (readonly [string, number])[] }[];
}

const file = new URL("../../fixtures/python/bytecode.json.gz", import.meta.url);
const fixture = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Fixture;

function error_of(text: string): SyntaxError_ {
  try {
    compile(text, "<string>");
  } catch (error) {
    if (error instanceof SyntaxError_) return error;
    throw error;
  }
  throw new Error("no error");
}

describe("code objects are CPython's", () => {
  test.each(fixture.programs)("%#: $text", ({ text, codes }) => {
    expect([...all_codes(compile(text, "<string>"))].map(fields_of)).toEqual(codes);
  });
});

describe("dis writes CPython's text", () => {
  test.each(fixture.programs)("%#: $text", ({ text, dis: written }) => {
    expect(dis(compile(text, "<string>"))).toBe(written);
  });
  test.each(fixture.singles)("mode $mode: $text", ({ text, mode, dis: written }) => {
    expect(dis(compile(text, "<string>", mode))).toBe(written);
  });
});

describe("errors have CPython's class, text and place", () => {
  test.each(fixture.refused)("$text", ({ text, name, message, lineno, offset, end_lineno, end_offset }) => {
    const error = error_of(text);
    expect([error.name, error.message, error.lineno, error.offset, error.end_lineno, error.end_offset]).toEqual([
      name,
      message,
      lineno,
      offset,
      end_lineno,
      end_offset ?? 0,
    ]);
  });
});

describe("warnings are CPython's", () => {
  test.each(fixture.warned)("$text", ({ text, warnings }) => {
    const told: [string, number][] = [];
    compile(text, "<string>", "exec", { warn: (message, lineno) => told.push([message, lineno]) });
    expect(told).toEqual(warnings);
  });
});
