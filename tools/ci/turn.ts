/**
 * @file Which part of a large sample a complete run of all checks (`.ci/run`) takes: another one for each commit, so
 * that a few commits together cover everything. `npm test` takes the whole, and so does `TURN=all`.
 * @original
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A number from 0 to `of` - 1 that the last commit determines; null: take everything. `TURN=1` names one. */
export function turn_of(of: number): number | null {
  const named = process.env["TURN"];
  if (named === "all") return null;
  if (named !== undefined) return Number(named) % of;
  const { status, stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
  return status === 0 ? Number.parseInt(stdout.slice(0, 8), 16) % of : null;
}

/** The turn of this run's tests; null, which takes everything, unless the run is a complete one (`CI=true`) or `TURN` names a turn. */
export function turn_of_tests(of: number): number | null {
  return process.env["CI"] === "true" || process.env["TURN"] !== undefined ? turn_of(of) : null;
}

/** The members of `all` whose turn it is: every `of`-th. */
export function in_turn<T>(all: readonly T[], of: number, turn: number | null = turn_of_tests(of)): readonly T[] {
  return turn === null ? all : all.filter((_, i) => i % of === turn);
}
