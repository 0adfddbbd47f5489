/**
 * The parser makes CPython's trees, at CPython's places, and refuses what CPython refuses in its words. The rows are CPython's
 * (tools/oracle/record_python.py).
 */
import { describe, expect, test } from "vitest";
import { dump } from "#python/ast/dump";
import { unparse } from "#python/ast/unparse";
import { MemoryError } from "#python/Objects/exceptions";
import { SyntaxError_ } from "#python/Parser/errors";
import { parse } from "#python/Parser/index";
import { TokenType, tokenize } from "#python/Parser/tokenizer";
import { readFixture } from "../../helpers/recorded.ts";

interface Refused {
  readonly text: string;
  readonly tree?: string;
  readonly name: string;
  readonly message: string;
  readonly lineno: number;
  readonly offset: number;
  readonly end_lineno: number;
  readonly end_offset: number;
}
const { trees, dumps, errors } = readFixture<{
  trees: readonly { text: string; tree: string; unparsed: string }[];
  dumps: readonly { text: string; indent: number | string | null; dump: string }[];
  errors: readonly Refused[];
}>(new URL("../../fixtures/python/parser.json.gz", import.meta.url));

const titled = (text: string): string => JSON.stringify(text.slice(0, 60));

describe("programs", () => {
  test.each(trees.map(({ text, tree }) => [titled(text), text, tree] as const))("%s", (_title, text, tree) => {
    expect(dump(parse(text), { include_attributes: true })).toBe(tree);
  });

  test.each(trees.map(({ text, unparsed }) => [titled(text), text, unparsed] as const))(
    "%s, written again",
    (_title, text, unparsed) => {
      expect(unparse(parse(text))).toBe(unparsed);
      expect(dump(parse(unparsed))).toBe(dump(parse(text)));
    },
  );

  test("ast.dump with indentation", () => {
    for (const { text, indent, dump: said } of dumps) expect(dump(parse(text), { indent })).toBe(said);
  });
});

test("a text's error tells its line and file", () => {
  try {
    parse("x = 1\nif x\n  y\n", "net.py");
    expect.unreachable();
  } catch (e) {
    const { filename, text, lineno } = e as SyntaxError_;
    expect({ filename, text, lineno }).toEqual({ filename: "net.py", text: "if x\n", lineno: 2 });
  }
});

test("brackets nested without end are refused, not a stack overflow", () => {
  expect(() => parse(`${"(".repeat(201)}${")".repeat(201)}`)).toThrow("too many nested parentheses");
  for (const text of [
    `${"-".repeat(100_000)}x`,
    `${"not ".repeat(50_000)}x`,
    `${"2 ** ".repeat(50_000)}x`,
    `${"lambda: ".repeat(50_000)}x`,
    `${"a if b else ".repeat(50_000)}x`,
  ])
    expect(() => parse(text)).toThrow(MemoryError);
});

describe("what is no program", () => {
  test.each(errors.map((error) => [titled(error.text), error] as const))("%s", (_title, error) => {
    if (error.tree !== undefined) {
      expect(dump(parse(error.text), { include_attributes: true })).toBe(error.tree);
      return;
    }
    let thrown: unknown = null;
    try {
      parse(error.text);
    } catch (e) {
      thrown = e;
    }
    expect(thrown).toBeInstanceOf(SyntaxError_);
    const { name, message, lineno, offset } = thrown as SyntaxError_;
    const { text: _text, end_lineno: _end_lineno, end_offset: _end_offset, ...said } = error;
    expect({ name, message, lineno, offset }).toEqual(said);
  });
});

test("tokens, without comments and empty lines", () => {
  const names = new Map(Object.entries(TokenType).map(([name, type]) => [type, name]));
  const tokens = [...tokenize("if x:  # always\n\n    y += 'a'\n")].map(({ type, text, lineno, col_offset }) => [
    names.get(type),
    text,
    lineno,
    col_offset,
  ]);
  expect(tokens.map(([type, text]) => `${type} ${JSON.stringify(text)}`)).toEqual([
    'NAME "if"',
    'NAME "x"',
    'OP ":"',
    expect.stringMatching(/^NEWLINE/),
    expect.stringMatching(/^INDENT/),
    'NAME "y"',
    'OP "+="',
    `STRING "'a'"`,
    expect.stringMatching(/^NEWLINE/),
    expect.stringMatching(/^DEDENT/),
    expect.stringMatching(/^ENDMARKER/),
  ]);
  expect(tokens[5]?.slice(2)).toEqual([3, 4]);
  expect(() => [...tokenize("x = (1")]).not.toThrow(); // the parser tells an open bracket
  expect(() => [...tokenize("'abc")]).toThrow("unterminated string literal");
});
