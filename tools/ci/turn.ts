/**
 * @file Which share of a large sample a complete run of all checks (`.ci/run`) takes: the next one for each commit, so
 * that as many commits as there are shares cover everything. `npm test` takes the whole, and so does `TURN=all`.
 *
 * Cases of a test are shared by `cases_in_turn`, whole test files by `files_by_turn`. A run that leaves files out says in a
 * line how many of them it takes.
 * @original
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

function git(...args: string[]): string | null {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

let known: number | null | undefined;

/**
 * The last commit's number: one more than that of the commit before, so that turns follow each other. A clone without
 * its history cannot count, and takes the number from the commit's hash.
 */
function commit_number(): number | null {
  if (known !== undefined) return known;
  const count = git("rev-parse", "--is-shallow-repository") === "false";
  const found = count ? git("rev-list", "--first-parent", "--count", "HEAD") : git("rev-parse", "HEAD");
  known = found === null ? null : count ? Number(found) : Number.parseInt(found.slice(0, 8), 16);
  return known;
}

/** A number from 0 to `of` - 1 that the last commit determines; null: take everything. `TURN=1` names one. */
export function turn_of(of: number): number | null {
  const named = process.env["TURN"];
  if (named === "all") return null;
  const number = named === undefined ? commit_number() : Number(named);
  return number === null ? null : number % of;
}

/** The turn of this run's tests; null, which takes everything, unless the run is a complete one (`CI=true`) or `TURN` names a turn. */
export function turn_of_tests(of: number): number | null {
  return process.env["CI"] === "true" || process.env["TURN"] !== undefined ? turn_of(of) : null;
}

/** The members of `all` whose turn it is: every `of`-th, and at least one. */
export function in_turn<T>(all: readonly T[], of: number, turn: number | null = turn_of_tests(of)): readonly T[] {
  if (turn === null) return all;
  const shares = Math.max(1, Math.min(of, all.length));
  return all.filter((_, i) => i % shares === turn % shares);
}

/** The line that says which share of them runs; null if all do. */
export function turn_in_words(what: string, all: readonly unknown[], taken: readonly unknown[]): string | null {
  return taken.length === all.length
    ? null
    : `turn: ${taken.length} of ${all.length} ${what} run (TURN=all runs all of them)`;
}

/** `in_turn` for the cases of a test; `what` names them in the line that it prints if some are left out. */
export function cases_in_turn<T>(
  what: string,
  all: readonly T[],
  of: number,
  turn: number | null = turn_of_tests(of),
): readonly T[] {
  const taken = in_turn(all, of, turn);
  const words = turn_in_words(what, all, taken);
  if (words !== null) console.log(words);
  return taken;
}

export interface FilesByTurn {
  readonly taken: readonly string[];
  readonly left_out: readonly string[];
  /** The line that says how many files run; null if all do. */
  readonly words: string | null;
}

/** Shares test files, every `of`-th in the given order; `what` names them in the line. */
export function files_by_turn(
  what: string,
  all: readonly string[],
  of: number,
  turn: number | null = turn_of_tests(of),
): FilesByTurn {
  const taken = in_turn(all, of, turn);
  const left_out = all.filter((file) => !taken.includes(file));
  return { taken, left_out, words: turn_in_words(what, all, taken) };
}
