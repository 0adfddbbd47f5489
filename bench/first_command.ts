/**
 * @file `npx tsx bench/first_command.ts`: CPU seconds of the first command that a reader types, in a fresh checkout and then again. Prints one
 * line; never fails on a time. `npm run bench:growth` has the same figures for trees with more operators.
 * @original
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** CPU seconds of `npx tsx walkthroughs/prelu.ts`, its child processes included. */
export interface FirstCommand {
  /** Nothing is translated yet. */
  readonly fresh: number;
  /** The command has run before. */
  readonly warm: number;
}

/** `times` of the shell: its second line tells the user and system time of all children, `0m1.230s 0m0.120s`. */
function cpu_seconds(folder: string, temporary: string): number {
  const { stdout } = spawnSync("sh", ["-c", "npx tsx walkthroughs/prelu.ts --plain >/dev/null; times"], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, TMPDIR: temporary }, // tsx keeps what it has translated there
  });
  const times = [...(stdout.split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g)];
  return times.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
}

/** Measures a checkout; `turns` times warm, of which the least counts. Removes the checkout's cache first. */
export function first_command(folder: string, turns = 3): FirstCommand {
  const temporary = mkdtempSync(join(tmpdir(), "glasstorch-first-"));
  try {
    rmSync(join(folder, "node_modules/.cache/glasstorch"), { recursive: true, force: true });
    const fresh = cpu_seconds(folder, temporary);
    const warm = Math.min(...Array.from({ length: turns }, () => cpu_seconds(folder, temporary)));
    return { fresh, warm };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { fresh, warm } = first_command(fileURLToPath(new URL("../", import.meta.url)));
  console.log(
    `npx tsx walkthroughs/prelu.ts: ${fresh.toFixed(1)} s of CPU in a fresh checkout, ${warm.toFixed(1)} s when it has run before (Node ${process.versions.node})`,
  );
}
