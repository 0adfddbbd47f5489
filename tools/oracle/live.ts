/**
 * @file `npm run test:oracle`: compares with the real PyTorch, if it is installed.
 *
 * - the Python lines in each walkthrough run, and the Python walkthroughs print what they print here;
 * - schemas, registrations and tables recorded again equal the committed fixture;
 * - PyTorch's derivatives.yaml can be parsed, and ours contains the same lines;
 * - syntax trees and code objects of files of the installed PyTorch equal CPython's;
 * - random expressions of numbers, texts and formats have CPython's values and errors;
 * - OpInfo samples of another seed get PyTorch's answers;
 * - files recorded again are read and written byte for byte, and PyTorch reads ours as the same values;
 * - the recorded paths of calls are still PyTorch's, and random programs of another seed take its paths (x86-64 Linux
 *   with gcc only: the recorder writes breakpoints into the library);
 * - the random programs of test/fixtures/oracle/random.jsonl.gz leave the same state as in PyTorch. They are the same in
 *   every run; `npm run fuzz` makes new ones.
 *
 * A complete run of all checks takes an eighth of the walkthroughs, a tenth of OpInfo's operators, and one of five groups of
 * slow comparisons; the next commit takes the next ones. Without PyTorch 2.13.0 (`PYTHON`, else `python3`) it says so in
 * one line and succeeds.
 * @original
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { compile, dump, parse, unparse } from "../../src/python/index.ts";
import { in_turn, turn_in_words, turn_of_tests } from "../ci/turn.ts";
import { arguments_for } from "../module_loader/with_library.ts";
import { all_codes, fields_of } from "./code_fields.ts";
import { count_in, missing_entries, own_lines, packaged_folder, summary } from "./count_formulas.ts";
import { differences, type Row as Expression } from "./expressions.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const python = process.env["PYTHON"] ?? "python3";
let passed = 0;
const failures: string[] = [];

function run(
  command: string,
  args: string[],
  env: Record<string, string> = {},
): { ok: boolean; stdout: string; output: string } {
  const made = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, ...env },
  });
  return { ok: made.status === 0, stdout: made.stdout ?? "", output: `${made.stdout ?? ""}${made.stderr ?? ""}` };
}

/** Runs test files on a fixture that `env` names, whichever test files have their turn. */
function run_tests(files: string, env: Record<string, string>): ReturnType<typeof run> {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  return run(process.execPath, [vitest, "run", files, "--reporter=dot"], { ...env, TURN: "all" });
}

let since = performance.now();

/** Counts a comparison, and prints how long it took. */
function hold(what: string, ok: boolean, output: string): void {
  if (ok) passed++;
  else failures.push(`${what}\n${output.slice(-4000)}`);
  const now = performance.now();
  console.log(`${ok ? "ok   " : "FAILS"}  ${what} (${((now - since) / 1000).toFixed(0)} s)`);
  since = now;
}

const version = run(python, ["-c", "import torch; print(torch.__version__)"]);
const found = version.output.trim().split("\n").at(-1) ?? "";
if (!version.ok || !found.startsWith("2.13.0")) {
  console.log(`test:oracle: no PyTorch 2.13.0 at ${python}${version.ok ? ` (it is ${found})` : ""}; nothing was asked`);
  process.exit(0);
}

/** The installed package, whose files are Python that people wrote. */
function torch_folder(): string {
  return run(python, ["-c", "import torch, pathlib; print(pathlib.Path(torch.__file__).parent)"]).stdout.trim();
}

interface Row {
  readonly file: string;
  readonly tree: string;
  readonly unparsed: string;
}

/** Our syntax tree of a file as text, and as a program; the error if the file is refused. */
function tree_of(file: string): readonly [tree: string, unparsed: string] {
  try {
    const tree = parse(readFileSync(file, "utf8"), file);
    return [dump(tree, { include_attributes: true }), unparse(tree)];
  } catch (error) {
    return [String(error), ""];
  }
}

/** Slow comparisons, of which a complete run of all checks takes one group. */
const GROUPS = [
  "more paths of calls",
  "syntax trees and code objects",
  "paths of calls",
  "expressions and files",
  "paths of random programs",
] as const;
const taken = in_turn(GROUPS, GROUPS.length);
const words = turn_in_words(`groups of comparisons with PyTorch (${taken.join(", ")})`, GROUPS, taken);
if (words !== null) console.log(words);
const is_taken = (group: (typeof GROUPS)[number]): boolean => taken.includes(group);

/** Our code objects of a file as text; the error if the file is refused. */
function codes_of(file: string): string {
  try {
    return JSON.stringify([...all_codes(compile(readFileSync(file, "utf8"), file))].map(fields_of));
  } catch (error) {
    return String(error);
  }
}

const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
for (const file of in_turn(
  readdirSync(join(root, "walkthroughs")).filter((f) => f.endsWith(".ts")),
  8,
)) {
  const program = join("walkthroughs", file);
  const lines = run(process.execPath, [...arguments_for(join(root, program)), program, "--python"]);
  const made = lines.ok ? run(python, ["-W", "ignore", "-c", lines.stdout]) : lines;
  hold(`the Python of walkthroughs/${file}`, made.ok, made.output);
}

const walkthroughs = join(root, "test/fixtures/walkthroughs.json");
const printed = JSON.parse(readFileSync(walkthroughs, "utf8")).printed as Record<string, readonly string[]>;
for (const [file, lines] of Object.entries(printed)) {
  const made = run(python, [join("walkthroughs", file)]);
  hold(
    `walkthroughs/${file}: its asserts, and what it prints`,
    made.ok && made.stdout === `${lines.join("\n")}\n`,
    made.output,
  );
}

const scratch = mkdtempSync(join(tmpdir(), "glasstorch-oracle-"));
const table = join(scratch, "operators.json.gz");
const recorded = run(python, ["tools/oracle/record_dispatch.py", "src/aten/native/native_functions.yaml", table]);
const text = (file: string): string => gunzipSync(readFileSync(file)).toString();
const committed = join(root, "test/fixtures/dispatch/operators.json.gz");
hold("dispatch tables, recorded anew", recorded.ok && text(table) === text(committed), recorded.output);

const packaged = packaged_folder(python);
if (packaged !== null) {
  const count = count_in(packaged);
  hold(
    "PyTorch's own formulas parse, and all but one are typed",
    count.formulas === 1378 && count.parsed === 1378 && count.refused.length === 1,
    [summary(count), ...count.refused.map((e) => e.message)].join("\n"),
  );
  const own = own_lines(packaged);
  hold("derivatives.yaml has PyTorch's own lines", own.length === 0, own.join("\n"));
  const missing = missing_entries(packaged);
  hold("every operator with a formula in PyTorch has one here", missing.length === 0, missing.join("\n"));
}

if (is_taken("syntax trees and code objects")) {
  compare_trees();
  compare_codes();
}
if (is_taken("expressions and files")) {
  compare_expressions();
  compare_printing();
}

function compare_trees(): void {
  const trees = join(scratch, "trees.json.gz");
  const parsed = run(python, ["tools/oracle/record_python.py", "files", torch_folder(), "150", "20260101", trees]);
  if (!parsed.ok) hold("syntax trees of PyTorch's files", false, parsed.output);
  else {
    const rows = (JSON.parse(text(trees)) as { rows: readonly Row[] }).rows;
    const wrong = rows.filter(({ file, tree, unparsed }) => {
      const [ours, written] = tree_of(file);
      return ours !== tree || written !== unparsed;
    });
    hold(
      `syntax trees of ${rows.length} of PyTorch's files`,
      wrong.length === 0,
      wrong.map(({ file }) => file).join("\n"),
    );
  }
}

function compare_codes(): void {
  const codes = join(scratch, "codes.jsonl.gz");
  const compiled = run(python, ["tools/oracle/record_bytecode.py", "files", torch_folder(), "80", "20260101", codes]);
  if (!compiled.ok) hold("code objects of PyTorch's files", false, compiled.output);
  else {
    const [, ...lines] = text(codes).trim().split("\n");
    const rows = lines.map((line) => JSON.parse(line) as { readonly file: string; readonly codes: unknown });
    const wrong = rows.filter((row) => codes_of(row.file) !== JSON.stringify(row.codes));
    hold(
      `code objects of ${rows.length} of PyTorch's files`,
      wrong.length === 0 && rows.length > 0,
      wrong.map(({ file }) => file).join("\n"),
    );
  }
}

function compare_expressions(): void {
  const file = join(scratch, "expressions.json.gz");
  const evaluated = run(python, ["tools/oracle/record_expressions.py", file, "5000", "20260102"]);
  if (!evaluated.ok) hold("random expressions", false, evaluated.output);
  else {
    const { rows } = JSON.parse(text(file)) as { rows: readonly Expression[] };
    const wrong = differences(rows);
    hold(
      `${rows.length} random expressions`,
      wrong.length === 0 && rows.length > 0,
      wrong.map((row) => `${row.text}\n  CPython ${row.said}\n  ours    ${row.ours}`).join("\n"),
    );
  }
}

/** Tensors of another seed, and the objects of a program, print the same. */
function compare_printing(): void {
  const file = join(scratch, "printed.json.gz");
  const recorded_texts = run(python, ["tools/oracle/record_printed.py", file, "20260101"]);
  const tests = recorded_texts.ok
    ? run_tests("test/torch/printing.test.ts", { PRINTED_FIXTURE: file })
    : recorded_texts;
  hold("printed tensors of another seed, and printed objects", tests.ok, tests.output);
}

const opinfo = join(scratch, "opinfo");
mkdirSync(opinfo);
const SHARES = 10;
const turn = turn_of_tests(SHARES);
const sampled = run(python, [
  "tools/oracle/record_opinfo.py",
  opinfo,
  "20260101",
  ...(turn === null ? [] : ["--share", `${turn}/${SHARES}`]),
]);
if (!sampled.ok) hold("OpInfo samples of another seed", false, sampled.output);
else {
  const tests = run_tests("test/opinfo", { OPINFO_FIXTURES: opinfo });
  hold("OpInfo samples of another seed", tests.ok, tests.output);
}

if (is_taken("expressions and files")) compare_files();

function compare_files(): void {
  const files = join(scratch, "files.json.gz");
  const recorded_files = run(python, ["tools/oracle/record_files.py", files, "20260101"]);
  const read_files = recorded_files.ok
    ? run_tests("test/torch/serialization/recorded.test.ts", { FILES_FIXTURE: files })
    : recorded_files;
  hold("files of PyTorch, recorded anew", read_files.ok, read_files.output);
  const ours = join(scratch, "files");
  mkdirSync(ours);
  const written = run(process.execPath, [tsx, "tools/oracle/write_files.ts", ours]);
  const checked = written.ok ? run(python, ["tools/oracle/check_files.py", ours]) : written;
  hold("files of ours, read by PyTorch", checked.ok, checked.output);
}

/** Random programs of another seed take PyTorch's paths. */
function compare_programs(): void {
  const programs = join(scratch, "fuzz.json.gz");
  const made = run(python, ["tools/oracle/record_fuzz.py", programs, "20260101", "120"]);
  const tests = made.ok ? run_tests("test/paths/fuzz.test.ts", { FUZZ_FIXTURE: programs }) : made;
  hold("random programs of another seed", tests.ok, tests.output);
}

if (process.platform === "linux" && process.arch === "x64" && run("gcc", ["--version"]).ok) {
  const recorded_paths = [
    ...(is_taken("paths of calls") ? ["backtraces"] : []),
    ...(is_taken("more paths of calls") ? ["more"] : []),
  ];
  for (const file of recorded_paths) {
    const again = run(python, ["tools/oracle/record_paths.py", "check", `test/fixtures/paths/${file}.json.gz`]);
    hold(`the ways of calls in ${file}.json.gz, recorded anew`, again.ok, again.output);
  }
  if (is_taken("paths of random programs")) compare_programs();
} else console.log("       ways of calls are recorded on x86-64 Linux with gcc only: not asked");

const random = run(process.execPath, [tsx, "tools/oracle/fuzz.ts", "--replay", "test/fixtures/oracle/random.jsonl.gz"]);
hold("random programs, the whole state compared", random.ok, random.output);
rmSync(scratch, { recursive: true, force: true });

for (const failure of failures) console.error(`\n${failure}`);
console.log(`${passed} passed, ${failures.length} failed (asked PyTorch ${found})`);
process.exit(failures.length === 0 ? 0 : 1);
