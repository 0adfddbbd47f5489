/**
 * @file `npm run rehearse [-- COMMIT]`: predicts the result of `.ci/run` for the last commit, in a fresh clone, but
 * only for the parts that changes since COMMIT can affect (default: since the branch left `origin/main`, or else the
 * last commit).
 * @original
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

function git(...args: string[]): string | null {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

const since = process.argv[2] ?? git("merge-base", "HEAD", "origin/main") ?? "HEAD~1";
const commit = git("rev-parse", "--verify", `${since}^{commit}`);
if (commit === null) {
  console.error(`rehearse: there is no commit ${since}`);
  process.exit(2);
}
if (git("status", "--porcelain") !== "") console.log("rehearse: what is not committed is not in the clone");

const clone = mkdtempSync(join(tmpdir(), "glasstorch-rehearsal-"));
console.log(`rehearse: the parts that changes since ${commit.slice(0, 10)} can touch, in ${clone}`);
const run = (command: string, ...args: string[]): number =>
  spawnSync(command, args, { cwd: clone, stdio: "inherit", env: { ...process.env, CI: "true", FORCE_COLOR: "0" } })
    .status ?? 1;
let status = run("git", "clone", "--quiet", root, ".");
status ||= run("npm", "ci");
status ||= run("npx", "tsx", "walkthroughs/prelu.ts", "--plain");
status ||= run("npx", "tsx", "tools/ci/run.ts", "--since", commit);
rmSync(clone, { recursive: true, force: true });
process.exit(status);
