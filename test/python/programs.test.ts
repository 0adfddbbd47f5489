/**
 * Small programs print what they print in CPython (tools/oracle/record_python_programs.py recorded it), and end with CPython's error.
 * Of the programs about the language (language_*) the whole text of the error is compared: traceback, marks and the exceptions before it.
 */
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { BaseException } from "#python/Objects/exceptions";
import { python } from "#python/pythonrun";
import { format_exception, format_exception_only } from "#python/vm/print_exception";
import { readFixture } from "../helpers/recorded.ts";

interface Program {
  readonly name: string;
  readonly text: string;
  readonly stdout: string;
  readonly error: string | null;
  /** The whole text of the error, where it was recorded. */
  readonly traceback?: string | null;
}

const last_line = (text: string): string => text.trim().split("\n").at(-1) as string;

function run(text: string, filename: string): { stdout: string; error: string | null; traceback: string | null } {
  let stdout = "";
  try {
    python(text, {
      filename,
      stdout: (part) => {
        stdout += part;
      },
    });
  } catch (error) {
    const only = format_exception_only(error as BaseException);
    return { stdout, error: last_line(only), traceback: format_exception(error as BaseException) };
  }
  return { stdout, error: null, traceback: null };
}

const folder = new URL("../fixtures/python/programs/", import.meta.url);
for (const file of readdirSync(folder)) {
  if (file.startsWith("torch_")) continue; // test/torch/python.test.ts
  const { programs } = readFixture<{ programs: readonly Program[] }>(new URL(file, folder));
  describe(file.replace(".json.gz", ""), () => {
    test.each(programs.map((program) => [program.name, program] as const))("%s", (_name, program) => {
      const { text, stdout, error, traceback } = program;
      const got = run(text, traceback === undefined ? "<string>" : "program.py");
      if (traceback === undefined) expect({ stdout: got.stdout, error: got.error }).toEqual({ stdout, error });
      else expect({ stdout: got.stdout, traceback: got.traceback }).toEqual({ stdout, traceback });
    });
  });
}
