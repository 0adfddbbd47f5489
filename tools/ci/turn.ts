/**
 * @file Which part of a large sample a run takes: another one for each commit, so that a few commits together cover everything. The whole runs by
 * `npm run test:matrix` and with `TURN=all`.
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

/** The members of `all` whose turn it is: every `of`-th. */
export function in_turn<T>(all: readonly T[], of: number, turn: number | null = turn_of(of)): readonly T[] {
  return turn === null ? all : all.filter((_, i) => i % of === turn);
}
