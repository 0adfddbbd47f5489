/**
 * @file The operators that a working tree adds: entries of native_functions.yaml that are missing or different in its
 * base branch.
 * @original
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "../../codegen/file_system.ts";
import { baseOf, nameOf } from "../../pytorch/operators.ts";
import { ExerciseError } from "../exercise.ts";

const YAML = "src/aten/native/native_functions.yaml";

/** @param branch the base branch; null for main, fetched or local */
export function addedOperators(branch: string | null): string[] {
  return changedOperators(git("show", `${forkPoint(branch)}:${YAML}`) ?? "[]", readFileSync(join(ROOT, YAML), "utf8"));
}

/** The operators whose entries differ between two states of native_functions.yaml. */
export function changedOperators(before: string, now: string): string[] {
  const old = entriesOf(before);
  const changed = [...entriesOf(now)].filter(([name, text]) => old.get(name) !== text);
  return [...new Set(changed.map(([name]) => baseOf(name)))];
}

function forkPoint(branch: string | null): string {
  const branches = branch === null ? ["origin/main", "main"] : [branch];
  for (const each of branches) {
    const found = git("merge-base", "HEAD", each);
    if (found !== null) return found.trim();
  }
  throw new ExerciseError(
    `git knows no branch ${branches.join(" and no branch ")} here: name the operator, or --base BRANCH`,
  );
}

function git(...args: string[]): string | null {
  const { status, stdout } = spawnSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 });
  return status === 0 ? stdout : null;
}

/** The whole text of the entries, by name. */
function entriesOf(yaml: string): Map<string, string> {
  const entries = parse(yaml) as { readonly func: string }[];
  return new Map(entries.map((entry) => [nameOf(entry), JSON.stringify(entry)]));
}
