/**
 * @file Programs of a user, written once in Python (tools/oracle/user_programs) and once in TypeScript: both must print the same lines.
 * Recorded by tools/oracle/record_user_programs.py.
 */
import { describe, expect, test } from "vitest";
import { setWarningHandler } from "#c10/util/Exception";
import { repr } from "#torch/csrc-equivalent/utils/python_repr";
import { type Any, readFixture } from "./recorded.ts";
import { vectors_everywhere } from "./vectors.ts";
import { with_lists } from "./with_lists.ts";

/** The functions that a program calls: `say` prints its values, `fails` the error of a call. */
export interface Said {
  say(...values: unknown[]): void;
  fails(call: () => unknown): void;
}

interface Recorded {
  readonly torch: string;
  readonly programs: Record<string, Record<string, { readonly python: string; readonly said: string[] }>>;
}

const recorded = readFixture<Recorded>(new URL("../fixtures/front_end/user_programs.json.gz", import.meta.url));

/** As Python's `repr`: a module is a function here; a set, an iterator or a tuple prints as the list of it. */
function text(value: Any): string {
  if (typeof value === "string") return value;
  if (typeof value === "function" && "__repr__" in value) return value.__repr__();
  return repr(with_lists(value));
}

function run(program: (said: Said) => void): string[] {
  const lines: string[] = [];
  const previous = setWarningHandler(({ type, msg }) => {
    lines.push(`${type}: ${msg}`);
  });
  try {
    program({
      say: (...values) => {
        lines.push(values.map(text).join(" "));
      },
      fails: (call) => {
        try {
          call();
        } catch (error) {
          const { name, message } = error as Error;
          lines.push(`${name}: ${message}`.split("\n\n")[0]);
          return;
        }
        lines.push("no error");
      },
    });
  } finally {
    setWarningHandler(previous);
  }
  return lines;
}

/**
 * One test for each program of a subject. Python's warnings of one call come in PyTorch's order. `with_bits`: programs that print the last
 * places of logarithms and exponentials, which vectors round another way; PyTorch has none for so few elements.
 */
export function user_programs(
  about: string | { readonly subject: string; readonly with_bits: readonly string[] },
  programs: Readonly<Record<string, (said: Said) => void>>,
): void {
  const { subject, with_bits } = typeof about === "string" ? { subject: about, with_bits: [] } : about;
  describe(subject, () => {
    const expected = recorded.programs[subject];
    test("every recorded program stands here", () => {
      expect(recorded.torch).toBe("2.13.0+cpu");
      expect(Object.keys(programs)).toEqual(Object.keys(expected));
    });
    for (const title of Object.keys(programs))
      test.skipIf(vectors_everywhere && with_bits.includes(title))(title, () => {
        expect(run(programs[title])).toEqual(expected[title].said);
      });
  });
}
