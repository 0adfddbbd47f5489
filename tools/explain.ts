/**
 * @file `npm run explain -- QUERY`: where is it? For an operator, a call, a symbol, or a PyTorch stack trace pasted into standard input.
 * @original
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import torch from "glasstorch";
import { allSymbols, symbolFile } from "glasstorch/trace";
import colors from "picocolors";
import { ROOT, read_tree } from "./codegen/file_system.ts";
import { type Found, type LineAnswer, Lookup, nameOfCall } from "./explain/lookup.ts";
import { lookupIndex } from "./explain/lookup_index.ts";
import { type OperatorFacts, Operators } from "./explain/operators.ts";
import { place, report } from "./explain/report.ts";
import { isTrace } from "./explain/stack_trace.ts";
import { testsOf } from "./explain/tests_of.ts";

const usage = `npm run explain -- QUERY

  prelu, add.Tensor, aten::add.out         an operator
  "torch.add(x, y)", x.add_, nn.PReLU      a call
  at::native::_prelu_kernel                a symbol, PyTorch's or ours
  < trace.txt                              a PyTorch stack trace on standard input

  --generated                              with the text of all that codegen made from the operator's YAML line
`;

function explainSymbol(found: Found): void {
  console.log(`\n${colors.bold(found.symbol)}${found.kind === "" ? "" : `   ${found.kind}`}`);
  console.log(`  ours     ${place(found.ours)}`);
  console.log(`  PyTorch  ${found.mirrors}`);
  if (found.from !== null) console.log(`  made from ${found.from.entry}   ${place(found.from)}`);
  if (found.generator !== null) console.log(`  by        ${found.generator}`);
}

function explainLine({ line, found, kind }: LineAnswer): void {
  console.log(colors.dim(line.text.trim().slice(0, 160)));
  const words = kind === "" ? "" : `   ${kind}`;
  if (found !== null)
    console.log(`    ${place(found.ours)}${words}${found.from === null ? "" : `   (from ${found.from.entry})`}`);
  else if (line.symbol !== null || line.python !== null)
    console.log(`    ${kind === "" ? "no function of that name here" : kind}`);
}

function explain(query: string, generated: boolean): boolean {
  const files = read_tree(ROOT);
  const lookupOf = (all: readonly OperatorFacts[]): Lookup => new Lookup(lookupIndex(symbolFile(), all, files));
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
  for (const [i, f] of family.entries()) {
    const facts = operators.facts(f);
    const tests = i === 0 ? testsOf(ROOT, facts) : [];
    console.log(report(facts, { brief: i > 0, generated, tests, colors }));
  }
  if (family.length > 0) return true;
  const answer = lookupOf([]).answer(query);
  if (answer.what === "trace") for (const line of answer.lines) explainLine(line);
  else if (answer.what === "symbols") for (const found of answer.symbols) explainSymbol(found);
  return answer.what === "trace" || answer.what === "symbols";
}

const { values: options, positionals } = parseArgs({
  options: { generated: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
  allowPositionals: true,
});
const query = positionals.join(" ");
if (options.help || (query === "" && process.stdin.isTTY === true)) {
  console.log(usage);
  process.exit(options.help ? 0 : 2);
}
const asked = query === "" ? readFileSync(0, "utf8") : query;
if (asked.trim() === "") {
  console.log(usage);
  process.exit(2);
}
if (!explain(asked, options.generated)) {
  const bases = torch._C._dispatch_get_all_op_names().map((n) => n.replace("aten::", "").split(".")[0]);
  const near = [...new Set(bases)].filter((n) => n.includes(nameOfCall(asked)) || asked.includes(n));
  console.error(`nothing here is called ${asked}${near.length === 0 ? "" : `; near: ${near.slice(0, 12).join(", ")}`}`);
  process.exit(1);
}
