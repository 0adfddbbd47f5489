/**
 * @file The check of what a program says: the lines of its answer, or its error, word for word, against PyTorch's.
 * @original
 */
import type { Outcome } from "../exercise.ts";
import { compareRows, type Finding } from "../report.ts";
import { own_words } from "./own_words.ts";
import { callOf } from "./recorded.ts";
import type { Scope } from "./run.ts";

interface Golden {
  readonly cases: readonly {
    /** The program as a user writes it. */
    readonly name: string;
    /** Passed to the call of `calls.ts`, which makes of them what they stand for. */
    readonly args: readonly unknown[];
    /** The lines of PyTorch's answer; for an error, its name and its text. */
    readonly says: readonly string[];
  }[];
}

export async function outcome(spec: Outcome, { host, session }: Scope): Promise<Finding | null> {
  const golden = (await host.golden(spec.golden)) as Golden;
  const { run } = callOf(session, spec.call);
  for (const { name, args, says } of golden.cases) {
    const found = said(run, args);
    const finding = compareRows(says, found, (first) => ({
      headline: name,
      because: `PyTorch: ${says[first] ?? "(nothing more)"} -- yours: ${found[first] ?? "(nothing more)"}`,
    }));
    // A hint may be for a case, or for a text of the learner's or of PyTorch's.
    if (finding !== null)
      return { ...finding, seen: `${finding.seen} | ${says[finding.first] ?? "(nothing more)"} | ${name}` };
  }
  return null;
}

function said(run: (...args: unknown[]) => unknown, args: readonly unknown[]): string[] {
  try {
    return [run(...structuredClone(args))].flat().map(String);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
    return `${name}: ${own_words(message)}`.trimEnd().split("\n");
  }
}
