/**
 * @file `npm run mutants -- FILE...`: makes one change at a time in a file (`<` to `<=`, removing a statement) and runs
 * the tests for this file. A mutant that no test detects is a gap in the tests, or a change without effect.
 *
 *     npm ci --prefix tools/mutants            (once: it is a separate package, not installed by `npm ci`)
 *     npm run mutants -- src/torch/csrc-equivalent/autograd/input_buffer/index.ts
 *
 * The tests for a file are in tests.ts, or given by `--with`. Code that runs only when a module is imported is not
 * mutated. Mutants that are equivalent to the source are listed in equivalent.tsv, each with its reason; undetected
 * ones in survivors.tsv: file, line, original text, replacement. README.md has the shares.
 *
 * Note [Mutants without a new process]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * Stryker's instrumenter puts all mutants into the file, each behind a switch. The library is imported once for a file
 * of tests, and runner.ts runs each test with one switch after the other. Two things would falsify results. A mutant
 * may leave broken state: so after each detected mutant the test must pass again without it; if it does not, everything
 * is imported again, and a doubtful mutant is tried alone. And state that a program makes once and keeps was made
 * before the mutant was switched on: such mutants are tried alone at the end.
 * @original
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createVitest, type Vitest } from "vitest/node";
import type { Answer, Order } from "./runner.ts";
import { testsOf } from "./tests.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "glasstorch-mutants-"));
const in_folder = (name: string) => join(folder, name);
process.removeAllListeners("warning"); // vitest adds listeners in each run
process.env["MUTANT_ORDER"] = in_folder("order.json");

interface Mutant {
  readonly id: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: { start: { line: number; column: number }; end: { line: number; column: number } };
}

interface Instrumented {
  readonly files: readonly { content: string }[];
  readonly mutants: readonly Mutant[];
}
interface InstrumenterModule {
  readonly Instrumenter: new (
    logger: object,
  ) => { instrument(files: readonly object[], options: object): Promise<Instrumented> };
}
/** A name that the compiler does not resolve: this package is not installed with the others. */
const INSTRUMENTER: string = "@stryker-mutator/instrumenter";

/** The mutants in `source`, and the source with all of them behind switches. */
async function instrument(file: string, source: string): Promise<{ code: string; mutants: readonly Mutant[] }> {
  const { Instrumenter } = (await import(INSTRUMENTER)) as InstrumenterModule;
  const quiet = () => {};
  const logger = { debug: quiet, info: quiet, warn: quiet, isDebugEnabled: () => false };
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const result = await new Instrumenter(logger).instrument([{ name: file, mutate: true, content: source }], options);
  return { code: result.files[0].content, mutants: result.mutants };
}

/** The results so far for one source file's mutants. */
class Mutants {
  readonly killed = new Set<string>();
  readonly imported = new Set<string>();
  /** Mutants that some test reaches. */
  readonly passed = new Set<string>();
  /** The mutants that each test can try only after a new import. */
  private readonly kept = new Map<string, Map<string, string[]>>();
  private readonly vitest: Vitest;

  constructor(vitest: Vitest) {
    this.vitest = vitest;
  }

  /** One run of a file of tests, in a thread of its own. */
  private async run(tests: string, todo: Order["todo"], alone: string | null): Promise<Answer[]> {
    const answers = in_folder("answers");
    writeFileSync(answers, "");
    writeFileSync(in_folder("order.json"), JSON.stringify({ answers, settled: [...this.killed], todo, alone }));
    this.vitest.state.filesMap.clear();
    await this.vitest.start([join(root, tests)]);
    const said = readFileSync(answers, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line): Answer => JSON.parse(line));
    for (const answer of said) if (answer.kind === "killed") this.killed.add(answer.mutant);
    return said;
  }

  /** Runs all tests of a file on all mutants that they reach and nobody has detected yet. */
  async try_with(tests: string): Promise<void> {
    const pending = new Map<string, Set<string>>();
    let goes_on = true;
    while (goes_on) {
      const left = [...pending].map(([test, ids]) => [test, [...ids].filter((id) => !this.killed.has(id))]);
      const answers = await this.run(tests, Object.fromEntries(left), null);
      for (const answer of answers) {
        if (answer.kind === "comes_by") this.note(tests, answer, pending);
        if (answer.kind === "survived") pending.get(answer.test)?.delete(answer.mutant);
        if (answer.kind === "in_doubt") {
          await this.run(tests, { [answer.test]: [answer.mutant] }, answer.mutant);
          pending.get(answer.test)?.delete(answer.mutant);
        }
      }
      const last = answers[answers.length - 1];
      if (last?.kind === "tries") this.killed.add(last.mutant); // the thread ended at that mutant
      goes_on = last?.kind === "spoilt" || last?.kind === "tries";
    }
  }

  private note(tests: string, answer: Answer & { kind: "comes_by" }, pending: Map<string, Set<string>>): void {
    pending.set(answer.test, new Set(answer.again));
    const kept = this.kept.get(tests) ?? new Map<string, string[]>();
    this.kept.set(tests, kept.set(answer.test, answer.kept));
    for (const id of answer.imported) this.imported.add(id);
    for (const id of [...answer.again, ...answer.kept]) this.passed.add(id);
  }

  /** Tries the mutants in state that a program makes once and keeps. */
  async try_alone(): Promise<void> {
    for (const [tests, kept] of this.kept) {
      const ids = new Set([...kept.values()].flat());
      for (const id of ids) {
        if (this.killed.has(id)) continue;
        const where = [...kept].filter(([, of_test]) => of_test.includes(id)).map(([test]) => [test, [id]]);
        await this.run(tests, Object.fromEntries(where), id);
      }
    }
  }
}

/** The reason why no test can detect each equivalent mutant (file, line, original text, replacement). */
const equivalent = new Map(
  readFileSync(join(root, "tools/mutants/equivalent.tsv"), "utf8")
    .split("\n")
    .slice(1, -1)
    .map((row): [string, string] => [row.slice(0, row.lastIndexOf("\t")), row.slice(row.lastIndexOf("\t") + 1)]),
);

const [given, with_tests] = split_at(process.argv.slice(2), "--with");

function split_at(words: readonly string[], word: string): [string[], string[]] {
  const at = words.indexOf(word);
  return at < 0 ? [[...words], []] : [words.slice(0, at), words.slice(at + 1)];
}

/** The files that match a pattern with stars in its last part. */
function files_of(pattern: string): string[] {
  const parts = basename(pattern).split("*");
  const meant = new RegExp(`^${parts.map((part) => part.replaceAll(".", "\\.")).join(".*")}$`);
  const below = dirname(pattern);
  return readdirSync(join(root, below)).flatMap((name) => (meant.test(name) ? [join(below, name)] : []));
}

async function mutate(file: string): Promise<void> {
  const tests = with_tests.length > 0 ? with_tests : testsOf(root, file).flatMap(files_of);
  if (tests.length === 0) throw new Error(`no test is known to be about ${file}: name one in tools/mutants/tests.ts`);
  const source = readFileSync(join(root, file), "utf8");
  const { code, mutants } = await instrument(join(root, file), source);
  writeFileSync(in_folder("code.ts"), code);
  process.env["MUTANT_FILE"] = JSON.stringify({ file: join(root, file), code: in_folder("code.ts") });
  const vitest = await createVitest("test", {
    config: join(root, "tools/mutants/vitest.config.ts"),
    root,
    watch: false,
  });
  console.log(`${file}: ${mutants.length} mutants`);
  const state = new Mutants(vitest);
  for (const path of new Set(tests)) {
    await state.try_with(path);
    console.log(`  ${path}: ${state.killed.size} noticed`);
  }
  await state.try_alone();
  await vitest.close();
  print(file, source, mutants, state);
}

function print(path: string, source: string, mutants: readonly Mutant[], state: Mutants): void {
  const lines = source.split("\n");
  const asked = mutants.filter(({ id }) => state.passed.has(id) || !state.imported.has(id));
  const count = { noticed: 0, equivalent: 0 };
  const survivors: string[] = [];
  for (const { id, location, replacement } of asked) {
    const { start, end } = location;
    const line = (lines[start.line] ?? "").trim();
    const was = start.line === end.line ? (lines[start.line] ?? "").slice(start.column, end.column) : "...";
    const instead = replacement.split("\n")[0] ?? "";
    const why = equivalent.get([path, line, was, instead].join("\t"));
    const noticed = state.killed.has(id);
    if (noticed) count.noticed++;
    else if (why !== undefined) count.equivalent++;
    if (noticed && why !== undefined)
      console.log(`  ${path}:${start.line + 1}  stands in equivalent.tsv, and was noticed`);
    if (noticed || why !== undefined) continue;
    const unpassed = state.passed.has(id) ? "" : "  (no test comes here)";
    console.log(`  ${path}:${start.line + 1}\t${line}\t${was}\t${instead}${unpassed}`);
    survivors.push([path, line, was, instead].join("\t"));
  }
  if (with_tests.length === 0) keep(path, survivors);
  const share = (n: number) => `${((100 * n) / Math.max(asked.length, 1)).toFixed(1)} %`;
  console.log(
    `${path}: ${count.noticed} of ${asked.length} mutants noticed (${share(count.noticed)}), ` +
      `${count.equivalent} equivalent (${share(count.equivalent)}), ${mutants.length - asked.length} left out`,
  );
}

/** Replaces the file's rows in survivors.tsv by `rows`. */
function keep(path: string, rows: readonly string[]): void {
  const list = join(root, "tools/mutants/survivors.tsv");
  const [head, ...others] = readFileSync(list, "utf8").split("\n").slice(0, -1);
  const kept = others.filter((row) => !row.startsWith(`${path}\t`));
  writeFileSync(list, `${[head, ...[...kept, ...rows].sort()].join("\n")}\n`);
}

const files = given.map((file) => relative(root, resolve(file)));
if (files.length === 0) {
  console.error("npm run mutants -- FILE... [--with TEST...]");
  process.exit(1);
}
for (const file of files) await mutate(file);
rmSync(folder, { recursive: true });
