/**
 * Small programs print what they print in CPython (tools/oracle/record_python_programs.py recorded it), and end with CPython's error.
 */
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { BaseException } from "#python/Objects/exceptions";
import { python } from "#python/pythonrun";
import { format_exception_only } from "#python/vm/traceback";
import { readFixture } from "../helpers/recorded.ts";

interface Program {
  readonly name: string;
  readonly text: string;
  readonly stdout: string;
  readonly error: string | null;
}

function run(text: string): { stdout: string; error: string | null } {
  let stdout = "";
  try {
    python(text, {
      stdout: (part) => {
        stdout += part;
      },
    });
  } catch (error) {
    return {
      stdout,
      error: format_exception_only(error as BaseException)
        .trim()
        .split("\n")
        .at(-1) as string,
    };
  }
  return { stdout, error: null };
}

const folder = new URL("../fixtures/python/programs/", import.meta.url);
for (const file of readdirSync(folder)) {
  const { programs } = readFixture<{ programs: readonly Program[] }>(new URL(file, folder));
  describe(file.replace(".json.gz", ""), () => {
    test.each(programs.map((program) => [program.name, program] as const))("%s", (_name, { text, stdout, error }) => {
      expect(run(text)).toEqual({ stdout, error });
    });
  });
}
