/** @file A program ends as it likes, whatever the device is doing: no hang, no abort, its own exit code. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));

test.each([
  ["idle", 0, "3\n"],
  ["fetch", 0, "3\n3\n"],
  ["pending", 0, "3\n"],
  ["stop", 0, "3\n"],
  ["exit", 3, "3\n"],
  ["throw", 1, "3\n"],
])("%s: exit code %i", (how, code, stdout) => {
  const args = ["--import", "tsx", "test/webgpu/support/ends.ts", how];
  const made = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8", timeout: 60_000 });
  expect({ status: made.status, stdout: made.stdout }).toEqual({ status: code, stdout });
});
