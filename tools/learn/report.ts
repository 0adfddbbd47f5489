/**
 * @file The result of a run of the checks, in the form in which the runner sends it to a terminal or a page.
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
  /** Index of the first row that differs. */
  readonly first: number;
  /** The reason: the key set, the cell and its origin, or another cause. */
  readonly because: string;
  /** The text found at the first difference; it selects the hint. */
  readonly seen: string;
  /** Recorded calls that show it, as text trees. */
  readonly call: string | null;
}

export interface Report {
  readonly exercise: string;
  readonly passed: readonly string[];
  /** The first check that fails. */
  readonly failure: Failure | null;
  /** Questions that could not be asked here; they do not count as failures. */
  readonly notes?: readonly string[];
  /** Where its kernels ran, and why there; for exercises with kernels. */
  readonly ran?: string;
}

/** A failure as a check finds it; the runner adds the check's id. */
export type Finding = Omit<Failure, "check" | "call"> & { readonly call?: string };

/** Compares rows in order; returns a finding at the first difference, null if there is none. */
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

/** The report of a run that was stopped, so many seconds after its first check began. */
export function endless({ id, checks: [{ id: check }] }: Exercise, seconds: number): Report {
  const failure = {
    check,
    headline: `the checks took longer than ${seconds} s`,
    rows: [{ expected: "an answer", yours: `none within ${seconds} s, counted from the first check` }],
    first: 0,
    because:
      "either your code does not end (an endless loop, or a function that calls itself), or the machine is busy with other work: then check again",
    seen: "endless",
    call: null,
  };
  return { exercise: id, passed: [], failure };
}
