/**
 * @file The one file that the box of /lookup works on: every function with its line, every operator, who writes each generated file.
 * @original
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { symbolFile } from "../../src/trace/sources.ts";
import type { SymbolFile } from "../../src/trace/symbol_entry.ts";
import { read_tree } from "../../tools/codegen/file_system.ts";
import type { LookupIndex } from "../../tools/explain/lookup.ts";
import { lookupIndex as makeIndex } from "../../tools/explain/lookup_index.ts";
import type { Context } from "./context.ts";
import { homeOf, operatorFacts } from "./operator_facts.ts";
import { upstreamPath } from "./repository.ts";

export async function lookupIndex(context: Context): Promise<string> {
  const { all } = operatorFacts(context);
  const made = makeIndex(upstreamPaths(symbolFile()), all, read_tree(context.root));
  // Of several loops the answer is the one that ran for float32, as on the operator's page.
  const kernels = new Map(all.map((o) => [o.name, homeOf([o])]));
  const index = {
    ...made,
    operators: made.operators.map((o) => {
      const home = kernels.get(o.name) ?? null;
      if (home === null) return o;
      return { ...o, kernel: { name: home.name, file: home.file, line: home.line, mirrors: home.mirrors } };
    }),
  };
  context.write(join(context.out, "lookup.json"), JSON.stringify(index));
  context.write(join(context.generated, "lookup_examples.json"), JSON.stringify(examples(context)));
  return `${Object.keys(index.symbols).length} files, ${index.operators.length} operators`;
}

/** PyTorch's paths as its repository has them. */
function upstreamPaths(symbols: SymbolFile): SymbolFile {
  const out: Record<string, LookupIndex["symbols"][string]> = {};
  for (const [file, { mirrors, prefix, symbols: rows }] of Object.entries(symbols))
    out[file] = {
      mirrors: upstreamPath(mirrors),
      prefix,
      symbols: rows.map((row) =>
        row[4] === undefined ? row : ([row[0], row[1], row[2] ?? "", row[3] ?? "", upstreamPath(row[4])] as const),
      ),
    };
  return out;
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
