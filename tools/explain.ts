/**
 * @file `npm run explain -- QUERY`: where is it? For an operator, a call, a symbol, or a PyTorch stack trace pasted into standard input.
 * @original
 */
import { readFileSync } from "node:fs";
import torch from "glasstorch";
import { allSymbols } from "glasstorch/trace";
import colors from "picocolors";
import type { SymbolFile } from "#trace/symbol_entry";
import symbolFile from "../src/generated/symbols.json" with { type: "json" };
import { ROOT, read_tree } from "./codegen/file_system.ts";
import { type Found, type LineAnswer, Lookup, nameOfCall } from "./explain/lookup.ts";
import { lookupIndex } from "./explain/lookup_index.ts";
import { type OperatorFacts, Operators, type TableRow } from "./explain/operators.ts";
import { isTrace } from "./explain/stack_trace.ts";
import { testsOf } from "./explain/tests_of.ts";

const usage = `npm run explain -- QUERY

  prelu, add.Tensor, aten::add.out         an operator
  "torch.add(x, y)", x.add_, nn.PReLU      a call
  at::native::_prelu_kernel                a symbol, PyTorch's or ours
  < trace.txt                              a PyTorch stack trace on standard input
`;

function heading(text: string): void {
  console.log(`\n${colors.bold(text)}`);
}

function show(text: string): void {
  console.log(text.replaceAll(/^/gm, "  "));
}

function place(p: { readonly file: string; readonly line: number }): string {
  return p.line === 0 ? p.file : `${p.file}:${p.line}`;
}

function rowText(row: TableRow): string {
  const keys =
    row.keys.length > 4 ? `${row.keys.slice(0, 3).join(", ")}, ... (${row.keys.length} keys)` : row.keys.join(", ");
  const kernel = row.fallthrough ? "fallthrough" : (row.kernel?.symbol ?? "");
  return `${keys.padEnd(44)} ${kernel} ${place(row.kernel ?? row)} [${row.origin}]`;
}

/** Everything about one operator; of a further overload only what is its own. */
function explainOperator(o: OperatorFacts, brief: boolean): void {
  console.log(`\n${colors.bold(colors.cyan(`aten::${o.name}`))}   ${o.sentence}`);
  heading("Schema and YAML entry");
  show(`${place(o.yaml)}\n${o.yamlText === "" ? `${o.schema}   (autogen)` : o.yamlText}`);
  heading("Generated functions");
  for (const s of o.functions) show(`${s.symbol.padEnd(64)} ${place(s)}`);
  heading("Kernels a person wrote");
  for (const k of o.kernels) {
    show(`${k.symbol.padEnd(64)} ${place(k)}   ${k.mirrors}`);
    for (const s of k.steps) show(`  ${`${s.role} ${s.name}`.padEnd(62)} ${place(s)}   ${s.mirrors}`);
    if (k.calls.length > 0) show(`  calls ${k.calls.join(", ")}`);
  }
  if (o.delegate !== null) show(`structured: the same class serves aten::${o.delegate}`);
  if (brief) return;
  heading("The way of a call on the CPU");
  for (const s of o.way) show(`${s.name.padEnd(64)} ${s.note}`);
  heading("Dispatch table");
  for (const row of o.table) show(rowText(row));
  show(`${o.fallbackKeys} other keys have their backend fallback, the same for every operator`);
  heading("Derivative");
  show(
    o.derivative === null
      ? "none: it follows from the operators it calls, or there is none to have"
      : `${place(o.derivative)}\n${o.derivative.text}`,
  );
  heading("Tests");
  show(testsOf(ROOT, o).join("\n") || "none");
  heading("PyTorch's files");
  show([...new Set([...o.kernels, ...o.functions].map((s) => s.mirrors))].join("\n"));
}

function explainSymbol(found: Found): void {
  console.log(`\n${colors.bold(found.symbol)}${found.kind === "" ? "" : `   ${found.kind}`}`);
  console.log(`  ours     ${place(found.ours)}`);
  console.log(`  PyTorch  ${found.mirrors}`);
  if (found.from !== null) console.log(`  made from ${found.from.yaml}:${found.from.line}`);
  if (found.generator !== null) console.log(`  by        ${found.generator}`);
}

function explainLine({ line, found, kind }: LineAnswer): void {
  console.log(colors.dim(line.text.trim().slice(0, 160)));
  const words = kind === "" ? "" : `   ${kind}`;
  if (found !== null)
    console.log(
      `    ${place(found.ours)}${words}${found.from === null ? "" : `   (from ${found.from.yaml}:${found.from.line})`}`,
    );
  else if (line.symbol !== null || line.python !== null)
    console.log(`    ${kind === "" ? "no function of that name here" : kind}`);
}

function explain(query: string): boolean {
  const files = read_tree(ROOT);
  const lookupOf = (all: readonly OperatorFacts[]): Lookup =>
    new Lookup(lookupIndex(symbolFile as unknown as SymbolFile, all, files));
  if (isTrace(query)) {
    const answer = lookupOf([]).answer(query);
    if (answer.what === "trace") for (const line of answer.lines) explainLine(line);
    return answer.what === "trace";
  }
  const operators = new Operators({
    files,
    symbols: allSymbols(),
    dumpTable: (op) => torch._C._dispatch_dump_table(op),
  });
  const wanted = query.replace(/^aten::/, "");
  const one = operators.named(wanted);
  const called = nameOfCall(query);
  const family =
    one !== null
      ? [one]
      : operators.yaml.native_functions.filter((f) => [wanted, called].includes(String(f.func.name.name)));
  for (const [i, f] of family.entries()) explainOperator(operators.facts(f), i > 0);
  if (family.length > 0) return true;
  const answer = lookupOf([]).answer(query);
  if (answer.what === "trace") for (const line of answer.lines) explainLine(line);
  else if (answer.what === "symbols") for (const found of answer.symbols) explainSymbol(found);
  return answer.what === "trace" || answer.what === "symbols";
}

const query = process.argv.slice(2).join(" ");
if (query === "" && process.stdin.isTTY === true) {
  console.log(usage);
  process.exit(2);
}
const asked = query === "" ? readFileSync(0, "utf8") : query;
if (asked.trim() === "" || query === "--help") {
  console.log(usage);
  process.exit(query === "--help" ? 0 : 2);
}
if (!explain(asked)) {
  const bases = torch._C._dispatch_get_all_op_names().map((n) => n.replace("aten::", "").split(".")[0]);
  const near = [...new Set(bases)].filter((n) => n.includes(nameOfCall(asked)) || asked.includes(n));
  console.error(`nothing here is called ${asked}${near.length === 0 ? "" : `; near: ${near.slice(0, 12).join(", ")}`}`);
  process.exit(1);
}
