/**
 * @file What a run of the checks has found: the form in which it goes from the runner to a terminal or a page.
 * @original
 */
import type { Exercise } from "./exercise.ts";

/** Expected and found, side by side. */
export interface Compared {
  readonly expected: string;
  readonly yours: string;
}

export interface Failure {
  readonly check: string;
  readonly headline: string;
  readonly rows: readonly Compared[];
  /** The first row that differs. */
  readonly first: number;
  /** The key set, the cell and its origin, or whatever made it so. */
  readonly because: string;
  /** What was found at the first difference; chooses the hint. */
  readonly seen: string;
  /** Recorded calls that show it, as text trees. */
  readonly call: string | null;
}

export interface Report {
  readonly exercise: string;
  readonly passed: readonly string[];
  /** The first check that fails. */
  readonly failure: Failure | null;
  /** What could not be asked in this place; it has not failed. */
  readonly notes?: readonly string[];
  /** Where its kernels ran, and why there; of exercises that have some. */
  readonly ran?: string;
}

/** A failure as a check finds it; the runner adds which check it was. */
export type Finding = Omit<Failure, "check" | "call"> & { readonly call?: string };

/** Rows in order; a finding at the first that differs, null if none does. */
export function compareRows(
  expected: readonly string[],
  yours: readonly string[],
  told: (first: number) => { readonly headline: string; readonly because: string },
): Finding | null {
  const rows: Compared[] = [];
  for (let i = 0; i < Math.max(expected.length, yours.length); i++)
    rows.push({ expected: expected[i] ?? "(no more)", yours: yours[i] ?? "(no more)" });
  const first = rows.findIndex((row) => row.expected !== row.yours);
  return first === -1 ? null : { rows, first, seen: rows[first].yours, ...told(first) };
}

/** Of a run that was ended. */
export function endless({ id, checks: [{ id: check }] }: Exercise, seconds: number): Report {
  const failure = {
    check,
    headline: "it does not end",
    rows: [{ expected: "an answer", yours: `none after ${seconds} s` }],
    first: 0,
    because: "an endless loop, or a function that calls itself",
    seen: "endless",
    call: null,
  };
  return { exercise: id, passed: [], failure };
}
