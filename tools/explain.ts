/**
 * @file `npm run explain -- QUERY`: finds the place of an operator, a call, a symbol, a file, a word, or a PyTorch
 * stack trace on standard input. It uses the same indexes as the page /lookup.
 * @original
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import torch from "glasstorch";
import { allSymbols, symbolFile } from "glasstorch/trace";
import colors from "picocolors";
import { ROOT, read_tree } from "./codegen/file_system.ts";
import { codegen_symbols } from "./explain/codegen_symbols.ts";
import type { KernelStep } from "./explain/kernels.ts";
import {
  type Found,
  type FoundAnswer,
  type LineAnswer,
  Lookup,
  type LookupOperator,
  type Part,
} from "./explain/lookup.ts";
import { lookupIndex } from "./explain/lookup_index.ts";
import { type Asked, machines_report, machinesOf } from "./explain/machines.ts";
import { type OperatorFacts, Operators } from "./explain/operators.ts";
import { type Paragraph, paragraphs } from "./explain/paragraphs.ts";
import { place, report } from "./explain/report.ts";
import { testsOf } from "./explain/tests_of.ts";
import type { FileAnswer, TheirOperatorAnswer, Theirs } from "./explain/theirs.ts";
import { theirIndex } from "./pytorch/read.ts";

const usage = `npm run explain -- QUERY

  prelu, add.Tensor, aten::conv2d          an operator, built here or not
  "torch.add(x, y)", x.add_, nn.PReLU      a call
  at::native::_prelu_kernel, key_set_      a symbol, PyTorch's or ours
  engine.cpp, torch/nn/functional.py       a file
  CPUFloatType, grad_fn                    a word, of today or of old texts
  < trace.txt                              a PyTorch stack trace on standard input

  --generated                              with the text of all that codegen made from the operator's YAML line
  --simd                                   its scalar functions on every machine: JavaScript loop, graph of values, WebAssembly, WGSL;
                                           and which dtypes have vectors
  --wgsl                                   the same, and which dtypes have a body for a GPU
  --graph FILE.py#f                        a function of a Python program, captured in every way that is built: fx, make_fx, AOTAutograd, script
`;

/** Number of answers of one kind that are printed; the rest is only counted. */
const SHOWN = 8;

const out = (line: string): void => console.log(line);

function explainSymbol(found: Found): void {
  out(`\n${colors.bold(found.symbol)}${found.kind === "" ? "" : `   ${found.kind}`}`);
  out(`  ours     ${place(found.ours)}`);
  if (found.mirrors !== "")
    out(`  PyTorch  ${found.isOurs ? `has none of this name; the file stands for ${found.mirrors}` : found.mirrors}`);
  if (found.from !== null) out(`  made from ${found.from.entry}   ${place(found.from)}`);
  if (found.generator !== null) out(`  by        ${found.generator}`);
}

function explainTheirs(theirs: Theirs): void {
  out(`\n${colors.bold(theirs.symbol)}   ${theirs.kind}`);
  for (const path of theirs.paths) out(`  PyTorch  ${path}`);
  out(theirs.ours.length === 0 ? "  not built here" : `  ours     ${theirs.ours.join(", ")} stands for this file`);
}

function explainUnbuilt(operator: TheirOperatorAnswer): void {
  out(`\n${colors.bold(`aten::${operator.name}`)}   not built here`);
  out(`  ${operator.schema}`);
  out(`  PyTorch  aten/src/ATen/native/native_functions.yaml:${operator.line}`);
  if (operator.delegate !== null) out(`  structured: the kernel of aten::${operator.delegate} serves it`);
  for (const { keys, symbol, paths } of operator.kernels) {
    out(`  ${keys}: ${symbol}`);
    for (const path of paths) out(`           ${path}`);
  }
}

function explainFile(file: FileAnswer): void {
  out(`\n${colors.bold(file.path)}`);
  out(
    file.ours.length === 0 ? "  nothing stands for it here" : file.ours.map((path) => `  ours     ${path}`).join("\n"),
  );
}

function explainParagraph(paragraph: Paragraph): void {
  out(`\n${colors.bold(paragraph.title)}   ${colors.dim(paragraph.file)}`);
  out(`  ${paragraph.tip}`);
}

function explainLine({ line, found, theirs, kind }: LineAnswer): void {
  out(colors.dim(line.text.trim().slice(0, 160)));
  const words = kind === "" ? "" : `   ${kind}`;
  if (found !== null)
    out(`    ${place(found.ours)}${words}${found.from === null ? "" : `   (from ${found.from.entry})`}`);
  else if (theirs !== null && theirs.paths.length > 0) out(`    PyTorch's ${theirs.paths[0]}${words}`);
  else if (kind !== "") out(`    ${kind}`);
  else if (line.symbol !== null || line.python !== null) out("    no function of that name here");
}

class Explainer {
  private readonly operators: Operators;
  private readonly lookup: Lookup;
  private readonly generated: boolean;
  private readonly machines: Asked | null;
  private readonly files: ReadonlyMap<string, string>;

  constructor(generated: boolean, machines: Asked | null) {
    this.generated = generated;
    this.machines = machines;
    const files = read_tree(ROOT);
    this.files = files;
    this.operators = new Operators({
      files,
      symbols: allSymbols(),
      dumpTable: (op) => torch._C._dispatch_dump_table(op),
    });
    const names = this.operators.yaml.native_functions.map((f): LookupOperator => {
      const { name } = f.func.name;
      const base = name.dunder_method ? String(name) : name.base;
      return { name: String(f.func.name), schema: String(f.func), line: f.loc.line, base, sentence: "", kernel: null };
    });
    const symbols = [symbolFile(), codegen_symbols()];
    this.lookup = new Lookup(
      lookupIndex({ symbols, operators: names, files, paragraphs: paragraphs(ROOT) }),
      theirIndex(),
    );
  }

  /** Prints the answer; returns false if there is none. */
  explain(query: string): boolean {
    const answer = this.lookup.answer(query);
    if (answer.what === "nothing") {
      const near = answer.near.length === 0 ? "" : `; near: ${answer.near.join(", ")}`;
      console.error(`nothing here is called ${query.trim()}, and nothing in PyTorch${near}`);
      return false;
    }
    if (answer.what !== "trace" && answer.taken !== undefined)
      console.log(`About ${answer.taken}, from your question:`);
    if (answer.what === "trace") for (const line of answer.lines) explainLine(line);
    else if (this.machines !== null && answer.operators.length > 0) this.explainOperators(answer.operators);
    else for (const part of answer.parts) this.explainPart(part, answer);
    return true;
  }

  private explainPart(part: Part, answer: FoundAnswer): void {
    if (part === "operators") this.explainOperators(answer.operators);
    else if (part === "unbuilt") several(answer.unbuilt, explainUnbuilt);
    // An operator's report has already listed its functions.
    else if (part === "symbols" && answer.what !== "operators") several(answer.symbols, explainSymbol);
    else if (part === "theirs" && answer.symbols.length + answer.operators.length === 0)
      several(answer.theirs, explainTheirs);
    else if (part === "files") several(answer.files, explainFile);
    else if (part === "paragraphs") several(answer.paragraphs, explainParagraph);
    else if (part === "word") out(`\n${answer.word}`);
  }

  private explainOperators(found: readonly LookupOperator[]): void {
    for (const [i, { name }] of found.entries()) {
      const f = this.operators.named(name);
      if (f === null) continue;
      const facts = this.operators.facts(f);
      const tests = i === 0 ? testsOf(ROOT, facts) : [];
      if (this.machines !== null) {
        if (i === 0) this.explainMachines(facts, this.machines);
        continue;
      }
      out(report(facts, { brief: i > 0, generated: this.generated, tests, colors }));
      if (i === 0 && this.has_loops(facts))
        out(
          `\n${colors.bold("Its loops")}\n  npm run explain -- --simd ${facts.name}: scalar function, JavaScript, graph, WebAssembly and WGSL; --wgsl: which dtypes have the last`,
        );
    }
  }

  /** The steps of an operator; for one that only calls others, their loops. */
  private stepsOf(facts: OperatorFacts): KernelStep[] {
    return [facts, ...this.operators.called_by(facts)].flatMap((f) => f.kernels.flatMap((k) => k.steps));
  }

  private has_loops(facts: OperatorFacts): boolean {
    return this.stepsOf(facts).some(({ role }) => role === "loop");
  }

  private explainMachines(facts: OperatorFacts, asked: Asked): void {
    const seen = new Set<string>();
    for (const m of machinesOf(this.files, this.stepsOf(facts))) {
      if (!seen.has(`${m.file} ${m.name}`)) out(machines_report(m, asked, colors, process.stdout.columns ?? 80));
      seen.add(`${m.file} ${m.name}`);
    }
    if (seen.size === 0) out(`aten::${facts.name} has no scalar function: its kernels are written as a whole`);
  }
}

function several<T>(list: readonly T[], explain: (each: T) => void): void {
  for (const each of list.slice(0, SHOWN)) explain(each);
  if (list.length > SHOWN) out(`\nand ${list.length - SHOWN} more`);
}

/** Loaded when it is asked for: the systems that capture programs are not small. */
async function explain_graph(query: string): Promise<void> {
  const [path, name] = query.split("#") as [string, string?];
  const { captures_of, captures_report } = await import("./explain/graphs.ts");
  try {
    if (name === undefined) throw new Error("which function? npm run explain -- --graph FILE.py#f");
    console.log(captures_report(captures_of(path, name), colors));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

// The reader may close the pipe: `npm run explain | head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const { values: options, positionals } = parseArgs({
  options: {
    generated: { type: "boolean", default: false },
    simd: { type: "boolean", default: false },
    wgsl: { type: "boolean", default: false },
    graph: { type: "string" },
    help: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const query = positionals.join(" ");
const asked =
  options.help || options.graph !== undefined || query !== "" || process.stdin.isTTY === true
    ? query
    : readFileSync(0, "utf8");
if (options.graph !== undefined) await explain_graph(options.graph);
else if (options.help || asked.trim() === "") {
  console.log(usage);
  process.exitCode = options.help ? 0 : 2;
} else if (!new Explainer(options.generated, options.wgsl ? "wgsl" : options.simd ? "simd" : null).explain(asked))
  process.exitCode = 1;
