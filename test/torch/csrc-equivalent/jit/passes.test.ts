/** Graphs as text, aliases and passes, against recordings of PyTorch (tools/oracle/record_jit_passes.py). */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import "../../../../src/torch/index.ts";
import "../../../../src/torch/csrc-equivalent/jit/runtime/register_prim_ops/index.ts";
import "../../../../src/torch/csrc-equivalent/jit/runtime/register_tensor_members.ts";
import { describe, expect, test } from "vitest";
import { AliasDb } from "../../../../src/torch/csrc-equivalent/jit/ir/alias_analysis.ts";
import { Graph } from "../../../../src/torch/csrc-equivalent/jit/ir/ir.ts";
import { parse_ir } from "../../../../src/torch/csrc-equivalent/jit/ir/irparser.ts";
import { Canonicalize } from "../../../../src/torch/csrc-equivalent/jit/passes/canonicalize.ts";
import { jit_passes } from "../../../../src/torch/csrc-equivalent/jit/python/passes.ts";

interface Case {
  readonly name: string;
  readonly source: string;
  readonly text: string;
  readonly canonical: string;
  readonly aliases: readonly (readonly [string, string, readonly string[]])[];
  readonly passes: Readonly<Record<string, readonly [string, boolean | null]>>;
}

const file = new URL("../../../fixtures/torchscript/jit_passes.json.gz", import.meta.url);
const { cases } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { cases: readonly Case[] };

function aliases(graph: Graph): unknown[] {
  const db = new AliasDb(graph);
  const lines: [string, string, string[]][] = [];
  for (const [name, to] of db.points_to()) lines.push([name, "points to", [...to].sort()]);
  for (const [name, inside] of db.contains()) lines.push([name, "contains", [...inside].sort()]);
  return lines.sort((a, b) => (`${a}` < `${b}` ? -1 : 1));
}

describe.each(cases)("$name", ({ source, text, canonical, aliases: recorded, passes }) => {
  test("text, copy, canonical numbers", () => {
    const graph = parse_ir(source);
    expect(String(graph)).toBe(text);
    expect(String(Canonicalize(graph, false))).toBe(canonical);
    graph.lint();
    graph.copy().lint();
  });
  test("aliases", () => {
    expect(aliases(parse_ir(source))).toEqual([...recorded].sort((a, b) => (`${a}` < `${b}` ? -1 : 1)));
  });
  test.each(Object.keys(passes))("%s", (name) => {
    const graph = parse_ir(source);
    const returned = (jit_passes as unknown as Record<string, (graph: Graph) => unknown>)[name](graph);
    const [after, changed] = passes[name];
    expect(String(graph)).toBe(after);
    if (changed !== null) expect(returned).toBe(changed);
    graph.lint();
  });
});

describe("names of values", () => {
  test("a name that is taken goes to the newest value", () => {
    const graph = new Graph();
    const values = Array.from({ length: 6 }, () => graph.addInput().setDebugName("x"));
    expect(values.map((value) => value.debugName())).toEqual(["x.1", "x.3", "x.5", "x.7", "x.9", "x"]);
    expect(() => graph.addInput("12")).toThrow("Invalid name: '12'");
  });
});
