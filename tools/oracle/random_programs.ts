/**
 * @file Compares random programs with CPython: `npx tsx tools/oracle/random_programs.ts FILE [--show N]` reads what record_random_programs.py
 * wrote, runs each program, and prints those whose output or traceback differs, at most N of them whole (3).
 * @original
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { SyntaxError_ } from "../../src/python/Parser/errors.ts";
import { python } from "../../src/python/pythonrun.ts";
import { exception_lines, exception_texts } from "../../src/python/vm/print_exception.ts";

type Row = readonly [seed: number, text: string, stdout: string, error: string | null];

function run(text: string): { stdout: string; error: string | null } {
  let stdout = "";
  try {
    python(text, {
      filename: "program.py",
      stdout: (part) => void (stdout += part),
      limit: { instructions: 50_000_000 },
    });
  } catch (error) {
    const no_program = error instanceof SyntaxError_ && error.__traceback__ === null;
    return {
      stdout,
      error: no_program ? exception_lines(error, false).join("") : exception_texts(error, { hints: false }).join(""),
    };
  }
  return { stdout, error: null };
}

/** An address is not the program's. */
const without_addresses = (text: string): string => text.replace(/ at 0x[0-9a-f]+/g, " at 0x...");

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { show: { type: "string", default: "3" } },
  });
  const { rows } = JSON.parse(gunzipSync(readFileSync(positionals[0] as string)).toString()) as {
    rows: readonly Row[];
  };
  let differ = 0;
  for (const [seed, text, stdout, error] of rows) {
    const got = run(text);
    const ours = without_addresses(got.stdout + (got.error ?? "")).split("\n");
    const said = without_addresses(stdout + (error ?? "")).split("\n");
    const at = ours.findIndex((line, i) => line !== said[i]);
    const first = at < 0 && ours.length < said.length ? ours.length : at;
    if (first < 0) continue;
    differ++;
    const near = (lines: readonly string[]): string => lines.slice(Math.max(0, first - 3), first + 2).join("\n    ");
    console.log(`seed ${seed}, line ${first + 1}\n  CPython\n    ${near(said)}\n  ours\n    ${near(ours)}`);
    if (differ <= Number(values.show)) console.log(text.replace(/^[\s\S]*?Point\([^\n]*\n/, ""));
  }
  console.log(`${rows.length} programs, ${differ} differ`);
  process.exitCode = differ === 0 ? 0 : 1;
}

main();
