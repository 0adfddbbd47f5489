/**
 * @file `npm run explain -- QUERY`: where is it? For an operator, a call, a symbol, or a PyTorch stack trace pasted into standard input.
 * @original
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import torch from "glasstorch";
import { findSymbol, type SymbolEntry, symbols } from "glasstorch/trace";
import colors from "picocolors";

const root = fileURLToPath(new URL("../", import.meta.url));
const yamlFile = "src/aten/native/native_functions.yaml";
const derivativesFile = "tools/codegen/autograd/derivatives.yaml";

const usage = `npm run explain -- QUERY

  prelu, add.Tensor, aten::add.out         an operator
  "torch.add(x, y)", x.add_, nn.PReLU      a call
  at::native::_prelu_kernel                a symbol, PyTorch's or ours
  < trace.txt                              a PyTorch stack trace on standard input
`;

interface YamlEntry {
  readonly line: number;
  readonly text: string;
  /** `add.Tensor` */
  readonly name: string;
}

/** Entries of a YAML list of operators, with their lines; `head` is the key they begin with. */
function entriesOf(file: string, head: "func" | "name"): YamlEntry[] {
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  const entries: YamlEntry[] = [];
  const begins = new RegExp(`^- ${head}: ([^(]+)\\(`);
  for (let i = 0; i < lines.length; i++) {
    const found = begins.exec(lines[i] as string);
    if (found === null) continue;
    let end = i + 1;
    while (end < lines.length && (lines[end] as string).startsWith("  ")) end++;
    entries.push({ line: i + 1, text: lines.slice(i, end).join("\n").trimEnd(), name: found[1] as string });
  }
  return entries;
}

function heading(text: string): void {
  console.log(`\n${colors.bold(text)}`);
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((l) => `  ${l}`)
    .join("\n");
}

function place(entry: SymbolEntry): string {
  return `${entry.file}:${entry.line}`;
}

/** Rows of a computed table with one kernel together: `AutogradCPU, AutogradCUDA, ... <- VariableType [autograd kernel]`. */
function condensedTable(op: string): string {
  const groups = new Map<string, string[]>();
  for (const row of torch._C._dispatch_dump_table(op).split("\n")) {
    const found = /^(\w+): (.*)$/.exec(row);
    if (found === null) continue;
    const [, key, cell] = found as unknown as [string, string, string];
    groups.set(cell, [...(groups.get(cell) ?? []), key]);
  }
  const rows: string[] = [];
  for (const [cell, keys] of groups) {
    if (cell.includes("[backend fallback]")) continue;
    const shown = keys.length > 4 ? `${keys.slice(0, 3).join(", ")}, ... (${keys.length} keys)` : keys.join(", ");
    rows.push(`${shown.padEnd(44)} ${cell}`);
  }
  const fallbacks = [...groups].filter(([cell]) => cell.includes("[backend fallback]")).flatMap(([, keys]) => keys);
  rows.push(`${fallbacks.length} other keys have their backend fallback, the same for every operator`);
  return rows.join("\n");
}

function* testFiles(folder: string): Generator<string> {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* testFiles(path);
    else if (entry.name.endsWith(".ts")) yield path;
  }
}

function testsNaming(base: string): string[] {
  const word = new RegExp(`(?<![A-Za-z0-9_])${base}(?![A-Za-z0-9_])`);
  const found: string[] = [];
  for (const file of testFiles(join(root, "test")))
    if (word.test(readFileSync(file, "utf8"))) found.push(relative(root, file));
  const opinfo = `test/fixtures/opinfo/${base}.json.gz`;
  if (existsSync(join(root, opinfo))) found.push(`${opinfo} (PyTorch's OpInfo samples)`);
  return found;
}

/** Everything about one entry of native_functions.yaml. */
function explainOperator(entry: YamlEntry, brief: boolean): void {
  const op = `aten::${entry.name}`;
  const base = entry.name.split(".")[0] as string;
  console.log(`\n${colors.bold(colors.cyan(op))}`);
  heading("Schema and YAML entry");
  console.log(indent(`${yamlFile}:${entry.line}\n${entry.text}`));
  // The classes of structured kernels, not their methods.
  const generated = symbols.filter(
    (s) =>
      s.from?.yaml === yamlFile &&
      s.from.line === entry.line &&
      !(s.name.startsWith("structured_") && s.name.includes(".")),
  );
  heading("Generated functions");
  for (const s of generated) console.log(indent(`${s.symbol.padEnd(64)} ${place(s)}`));
  const delegate = /structured_delegate: (\S+)/.exec(entry.text)?.[1];
  const implementer =
    delegate === undefined ? entry : (entriesOf(yamlFile, "func").find((e) => e.name === delegate) ?? entry);
  const kernels = [...implementer.text.matchAll(/^ {4}[\w, ]+: (\w+)$/gm)].map((m) => m[1] as string);
  if (kernels.length === 0) kernels.push(base);
  heading("Kernels a person wrote");
  const meta = entry.name.replace(".", "_");
  const names = new Set([
    `at::meta::structured_${meta}`,
    ...kernels.flatMap((k) => [
      `at::native::${k}`,
      `at::native::structured_${k}`,
      `at::native::${k}_${entry.name.split(".")[1]}`,
    ]),
  ]);
  const written = symbols.filter(
    (s) =>
      s.from === undefined &&
      [...names].some((n) => s.symbol === n || s.symbol === `${n}::meta` || s.symbol === `${n}::impl`),
  );
  for (const s of written) console.log(indent(`${s.symbol.padEnd(64)} ${place(s)}   ${s.mirrors}`));
  if (delegate !== undefined) console.log(indent(`structured: the same class serves aten::${delegate}`));
  if (brief) return;
  heading("Dispatch table");
  console.log(indent(condensedTable(op)));
  heading("Derivative");
  const functional =
    base.endsWith("_") && !base.startsWith("__") ? entry.name.replace(base, base.slice(0, -1)) : entry.name;
  const derivative =
    entriesOf(derivativesFile, "name").find((d) => d.name === entry.name) ??
    entriesOf(derivativesFile, "name").find((d) => d.name === functional);
  console.log(
    indent(
      derivative === undefined
        ? "none: it follows from the operators it calls, or there is none to have"
        : `${derivativesFile}:${derivative.line}\n${derivative.text}`,
    ),
  );
  heading("Tests that name it");
  console.log(indent(testsNaming(base).join("\n") || "none"));
  heading("PyTorch's files");
  console.log(indent([...new Set([...written, ...generated].map((s) => s.mirrors))].join("\n")));
}

/** A word on what a symbol is, from its shape. */
function kindOf(symbol: string): string {
  if (/^at::_ops::\w+::call$/.test(symbol)) return "the dispatcher is entered: key set, table, kernel";
  if (/^at::_ops::\w+::redispatch$/.test(symbol)) return "handed down below the layer that called";
  if (/wrapper_\w+__?/.test(symbol))
    return "wrapper made from native_functions.yaml: device guard, structured meta and impl, the kernel";
  if (/VariableType::/.test(symbol)) return "autograd: saves inputs, makes the node; made from derivatives.yaml";
  if (/ADInplaceOrView::/.test(symbol)) return "version counters and view relations";
  if (/THPVariable_/.test(symbol)) return "binding: parses Python arguments; made from native_functions.yaml";
  if (/^at::native::/.test(symbol)) return "a kernel or composite a person wrote";
  if (/^at::meta::/.test(symbol)) return "shape and dtype inference of a structured operator";
  if (/Backward\d*::apply$/.test(symbol)) return "the node's gradient formula, from derivatives.yaml";
  if (/wrap_kernel_functor/.test(symbol))
    return "template glue between the dispatch table and the kernel; here a call through the table cell";
  return "";
}

/** The bare symbol in one line of a debugger's or PyTorch's own stack trace; of template glue, the function it wraps. */
function symbolInLine(line: string): string | null {
  const text = plain(line);
  const wrapped = /&\(?((?:at|torch)::[\w:]+)\(/.exec(text);
  const found = wrapped ?? /((?:at|torch|c10)::[\w:~]+|THP\w+)/.exec(text);
  return found === null ? null : (found[1] as string);
}

function plain(symbol: string): string {
  return symbol.replaceAll("(anonymous namespace)::", "").trim();
}

function explainSymbol(symbol: string): boolean {
  const entry = findSymbol(symbol) ?? symbols.find((s) => s.name === symbol) ?? null;
  if (entry === null) return false;
  const kind = kindOf(plain(entry.symbol));
  console.log(`\n${colors.bold(entry.symbol)}${kind === "" ? "" : `   ${kind}`}`);
  console.log(`  ours     ${place(entry)}`);
  console.log(`  PyTorch  ${entry.mirrors}`);
  if (entry.from !== undefined) console.log(`  made from ${entry.from.yaml}:${entry.from.line}`);
  return true;
}

function explainTrace(text: string): void {
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const symbol = symbolInLine(line);
    const entry = symbol === null ? null : findSymbol(symbol);
    console.log(colors.dim(line.trim().slice(0, 160)));
    if (symbol === null) continue;
    const kind = kindOf(symbol);
    if (entry !== null)
      console.log(
        `    ${place(entry)}${kind === "" ? "" : `   ${kind}`}${entry.from === undefined ? "" : `   (from ${entry.from.yaml}:${entry.from.line})`}`,
      );
    else console.log(`    ${kind === "" ? "no function of that name here" : kind}`);
  }
}

/** `torch.add(x, y)`, `x.add_`, `nn.PReLU()`: the name called. */
function nameOfCall(query: string): string {
  return query.replace(/\(.*$/s, "").replace(/^.*\./, "");
}

function explain(query: string): boolean {
  if (query.includes("\n")) {
    explainTrace(query);
    return true;
  }
  if (/::/.test(query) && !query.startsWith("aten::")) return explainSymbol(query);
  const entries = entriesOf(yamlFile, "func");
  const wanted = query.replace(/^aten::/, "");
  const exact = entries.filter((e) => e.name === wanted);
  const family =
    exact.length > 0
      ? exact
      : entries.filter((e) => [wanted, nameOfCall(query)].includes(e.name.split(".")[0] as string));
  for (const [i, entry] of family.entries()) explainOperator(entry, i > 0);
  if (family.length > 0) return true;
  return explainSymbol(nameOfCall(query)) || explainSymbol(wanted);
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
  const near = [...new Set(entriesOf(yamlFile, "func").map((e) => e.name.split(".")[0] as string))].filter(
    (n) => n.includes(nameOfCall(asked)) || asked.includes(n),
  );
  console.error(`nothing here is called ${asked}${near.length === 0 ? "" : `; near: ${near.slice(0, 12).join(", ")}`}`);
  process.exit(1);
}
