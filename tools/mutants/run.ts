/**
 * @file `npm run mutants -- FILE...`: changes one thing in a file at a time (`<` to `<=`, a statement away) and runs the tests that are
 * about it: a mutant that no test notices is a gap, or a change that means nothing.
 *
 *     npm ci --prefix tools/mutants            (once: it is a package of its own, and no part of `npm ci`)
 *     npm run mutants -- src/torch/csrc-equivalent/autograd/input_buffer.ts
 *
 * Which tests are about a file: tests.ts. Code that runs when a module is imported is left alone, since every test would see it.
 * @original
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { testsOf } from "./tests.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const stryker = join(root, "tools/mutants/node_modules/@stryker-mutator/core/bin/stryker.js");

interface Mutant {
  readonly mutatorName: string;
  readonly replacement: string;
  readonly status: "Killed" | "Survived" | "NoCoverage" | "Timeout" | "Ignored" | "RuntimeError" | "CompileError";
  readonly location: { start: { line: number; column: number }; end: { line: number; column: number } };
}

function mutate(file: string): boolean {
  const tests = testsOf(root, file);
  if (tests.length === 0) throw new Error(`no test is known to be about ${file}: name one in tools/mutants/tests.ts`);
  console.log(`\n${file}\n  ${tests.join("\n  ")}`);
  const folder = mkdtempSync(join(tmpdir(), "glasstorch-mutants-"));
  const report = join(folder, "report.json");
  const config = join(folder, "stryker.json");
  writeFileSync(
    config,
    JSON.stringify({
      mutate: [file],
      testRunner: "vitest",
      vitest: { configFile: "tools/mutants/vitest.config.ts", related: false },
      coverageAnalysis: "perTest",
      ignoreStatic: true,
      concurrency: 1,
      disableTypeChecks: false,
      reporters: ["json", process.stdout.isTTY ? "progress" : "progress-append-only"],
      jsonReporter: { fileName: report },
      ignorePatterns: ["docs", "bench", ".git", "dist"],
      tempDirName: ".stryker-tmp",
      timeoutMS: 30_000,
    }),
  );
  const env = { ...process.env, MUTANT_TESTS: JSON.stringify(tests) };
  const { status } = spawnSync(process.execPath, [stryker, "run", config], { cwd: root, stdio: "inherit", env });
  if (status !== 0 || !existsSync(report)) return false;
  const { files } = JSON.parse(readFileSync(report, "utf8"));
  for (const [path, { source, mutants }] of Object.entries<{ source: string; mutants: Mutant[] }>(files))
    print(path, source, mutants);
  rmSync(folder, { recursive: true });
  return true;
}

function print(path: string, source: string, mutants: readonly Mutant[]): void {
  const lines = source.split("\n");
  const asked = mutants.filter((m) => m.status !== "Ignored" && m.status !== "CompileError");
  const alive = asked.filter((m) => m.status === "Survived" || m.status === "NoCoverage");
  for (const { location, replacement, status } of alive) {
    const { start, end } = location;
    const line = lines[start.line - 1] ?? "";
    const was = start.line === end.line ? line.slice(start.column - 1, end.column - 1) : `${line.trim()} ...`;
    console.log(
      `  ${path}:${start.line}  ${was}  ->  ${replacement.split("\n")[0]}${status === "NoCoverage" ? "  (no test comes here)" : ""}`,
    );
  }
  const killed = asked.length - alive.length;
  const share = ((100 * killed) / Math.max(asked.length, 1)).toFixed(1);
  console.log(
    `${path}: ${killed} of ${asked.length} mutants noticed (${share} %), ${mutants.length - asked.length} left out`,
  );
}

const files = process.argv.slice(2).map((file) => relative(root, resolve(file)));
if (files.length === 0 || !existsSync(stryker)) {
  console.error(files.length === 0 ? "npm run mutants -- FILE..." : "first: npm ci --prefix tools/mutants");
  process.exit(1);
}
mkdirSync(join(root, ".stryker-tmp"), { recursive: true });
const done = files.map(mutate);
rmSync(join(root, ".stryker-tmp"), { recursive: true, force: true });
process.exit(done.every(Boolean) ? 0 : 1);
