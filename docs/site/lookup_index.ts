/**
 * @file The one file that the box of /lookup works on: every function with its line, every operator, who writes each generated file.
 * @original
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { symbolFile } from "../../src/trace/sources.ts";
import { read_tree } from "../../tools/codegen/file_system.ts";
import { codegen_symbols } from "../../tools/explain/codegen_symbols.ts";
import type { LookupOperator } from "../../tools/explain/lookup.ts";
import { lookupIndex as makeIndex, operatorOf } from "../../tools/explain/lookup_index.ts";
import { paragraphs } from "../../tools/explain/paragraphs.ts";
import { baseOf, type Coverage, coverageOf, nameOf } from "../../tools/pytorch/operators.ts";
import { pytorchOperators, theirIndex } from "../../tools/pytorch/read.ts";
import type { Context } from "./context.ts";
import { homeOf, operatorFacts } from "./operator_facts.ts";

export async function lookupIndex(context: Context): Promise<string> {
  const { all } = operatorFacts(context);
  // Of several loops the answer is the one that ran for float32, as on the operator's page.
  const operators = all.map((facts): LookupOperator => {
    const home = homeOf([facts]);
    const operator = operatorOf(facts);
    if (home === null) return operator;
    return { ...operator, kernel: { name: home.name, file: home.file, line: home.line, mirrors: home.mirrors } };
  });
  const index = makeIndex({
    symbols: [symbolFile(), codegen_symbols()],
    operators,
    files: read_tree(context.root),
    paragraphs: paragraphs(context.root),
  });
  context.write(join(context.out, "lookup.json"), JSON.stringify(index));
  // Fetched at the first question only.
  context.write(join(context.out, "pytorch.json"), JSON.stringify(theirIndex()));
  context.write(join(context.generated, "lookup_examples.json"), JSON.stringify(examples(context)));
  context.write(join(context.out, "not_built.json"), JSON.stringify(notBuilt(context)));
  const { entries, names } = coverage(context);
  context.write(join(context.generated, "coverage.json"), JSON.stringify({ entries, names }));
  return `${Object.keys(index.symbols).length} files, ${index.operators.length} operators; of PyTorch's ${entries.all} operators ${entries.built}`;
}

/** PyTorch's operators that are missing here; all overloads and variants of one name count once. */
function notBuilt(context: Context): string[] {
  const ours = new Set(operatorFacts(context).all.map((o) => baseOf(o.name)));
  const theirs = new Set(pytorchOperators().operators.map((o) => baseOf(nameOf(o))));
  return [...theirs].filter((name) => !ours.has(name));
}

/** How many of PyTorch's operators exist here. */
export function coverage(context: Context): Coverage {
  return coverageOf(
    pytorchOperators(),
    operatorFacts(context).all.map((o) => o.name),
  );
}

/** Traces that PyTorch 2.13.0 printed, recorded by tools/oracle/record_stacks.py. */
function examples(context: Context): { name: string; text: string }[] {
  const packed = readFileSync(join(context.root, "test/fixtures/stacks/traces.json.gz"));
  const { traces } = JSON.parse(gunzipSync(packed).toString()) as { traces: Record<string, string> };
  const lines = (name: string, count: number): string => traces[name].trim().split("\n").slice(0, count).join("\n");
  return [
    { name: "an error with TORCH_SHOW_CPP_STACKTRACES=1", text: lines("error", 16) },
    { name: "gdb, in prelu's kernel", text: lines("gdb", 12) },
    { name: "gdb, in backward", text: lines("gdb backward", 10) },
  ];
}
