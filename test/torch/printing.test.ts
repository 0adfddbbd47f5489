/**
 * Tensors and objects print in a Python program as with PyTorch, and tensors from C++, too. The programs are those of tools/oracle/printed;
 * tools/oracle/record_printed.py recorded what they print.
 */
import { readFileSync } from "node:fs";
import "glasstorch/fx";
import "glasstorch/jit";
import { pathToFileURL } from "node:url";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { readFixture } from "../helpers/recorded.ts";

interface Row {
  readonly text: string;
  readonly [what: string]: unknown;
}
interface Program {
  readonly name: string;
  readonly args: readonly string[];
  readonly rows: readonly Row[];
}

// `npm run test:oracle` records other tensors.
const { PRINTED_FIXTURE: other } = process.env;
const RECORDED =
  other === undefined ? new URL("../fixtures/python/printed.json.gz", import.meta.url) : pathToFileURL(other);
const { programs, different } = readFixture<{
  programs: readonly Program[];
  /** Expressions whose text is another one here, with the reason. */
  different: Readonly<Record<string, string>>;
}>(RECORDED);

function rows_of({ name, args }: Program): Row[] {
  const text = readFileSync(new URL(`../../tools/oracle/printed/${name}.py`, import.meta.url), "utf8");
  let stdout = "";
  python(`import sys\nsys.argv[1:] = ${JSON.stringify(args)}\n${text}`, {
    stdout: (part) => {
      stdout += part;
    },
  });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}

test.each(programs.map((program) => [program.name, program] as const))("%s", (_name, program) => {
  const ours = new Map(rows_of(program).map((row) => [JSON.stringify([row.text, row["options"]]), row]));
  expect(ours.size).toBeGreaterThanOrEqual(Math.min(290, program.rows.length));
  for (const row of program.rows) {
    const mine = ours.get(JSON.stringify([row.text, row["options"]]));
    // The kind of a function can be PyTorch's when other parts of the library are loaded.
    if (!(row.text in different)) expect(mine).toEqual(row);
  }
});
