/**
 * @file Writes the side file with the dispatch tables of a trace's operators: `npx tsx tools/trace-viewer/record_tables.ts OUT TRACE...`
 * from the repository's root.
 * @original
 */
import { readFileSync, writeFileSync } from "node:fs";
import torch from "../../src/index.ts";

const [out, ...traces] = process.argv.slice(2);
if (out === undefined || traces.length === 0) {
  console.error("npx tsx tools/trace-viewer/record_tables.ts OUT TRACE...");
  process.exit(2);
}
const tables: { [operator: string]: string } = {};
for (const file of traces) {
  const { events } = JSON.parse(readFileSync(file, "utf8")) as { events: { kind: string; op?: string }[] };
  for (const { kind, op } of events)
    if (kind === "op" && op !== undefined) tables[op] ??= torch._C._dispatch_dump_table(op);
}
writeFileSync(out, `${JSON.stringify({ format: "glasstorch-tables", version: 1, tables })}\n`);
console.log(`wrote ${out}: ${Object.keys(tables).length} operators`);
