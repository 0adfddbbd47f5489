/**
 * Syntax trees and syntax errors are PyTorch's (tools/oracle/record_torchscript.py recorded them).
 */
import { describe, expect, test } from "vitest";
import { Parser } from "#torch/csrc-equivalent/jit/frontend/parser";
import { Source, SourceRange } from "#torch/csrc-equivalent/jit/frontend/source_range";
import { readFixture } from "../../../../helpers/recorded.ts";

interface Case {
  name: string;
  src: string;
  tree?: string;
  message?: string;
}

const { cases } = readFixture<{ cases: Case[] }>(
  new URL("../../../../fixtures/torchscript/trees.json.gz", import.meta.url),
);

function outcome(src: string): { tree?: string; message?: string } {
  try {
    return { tree: String(new Parser(new Source(src)).parseFunction(true)) };
  } catch (error) {
    return { message: (error as Error).message };
  }
}

describe("trees", () => {
  for (const { name, src, tree, message } of cases) {
    test(name, () => {
      expect(outcome(src)).toEqual(tree === undefined ? { message } : { tree });
    });
  }
});

test("a column is counted in bytes, and a mark is as wide as its bytes", () => {
  const text = 'def f():\n    "é" + x\n';
  const range = new SourceRange(new Source(text, "a.py", 5), text.indexOf("x"), text.indexOf("x") + 1);
  expect(range.file_line_col()).toEqual({ file: "a.py", line: 6, col: 11 });
  expect(range.highlight()).toBe('  File "a.py", line 6\ndef f():\n    "é" + x\n           ~ <--- HERE\n');
});
