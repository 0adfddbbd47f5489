import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { device_files } from "../../tools/ci/slow_files.ts";

const folder = fileURLToPath(new URL("./", import.meta.url));

/** On Linux SwiftShader comes with the packages; elsewhere the system must have an adapter. */
function has_adapter(): boolean {
  if (process.platform === "linux" && process.arch === "x64") return true;
  const probe = spawnSync(process.execPath, ["--import", "tsx", "support/probe.ts"], { cwd: folder });
  if (probe.status === 0) return true;
  if (process.env["CI"] === "true") throw new Error(`test/webgpu: no adapter here\n${probe.stderr}`);
  console.warn("test/webgpu: this system offers no adapter. Its tests are left out.");
  return false;
}

/** These lose devices, end threads or look at the process: each file has a process of its own. */
const apart = ["c10/**/*.test.ts", "browser/**/*.test.ts", "learn/**/*.test.ts", "walkthrough.test.ts"];

// Processes, not threads: only a process's own environment names the adapter's driver.
const shared: TestProjectInlineConfiguration["test"] = {
  root: folder,
  pool: "forks",
  maxWorkers: 1,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  setupFiles: [`${folder}support/setup.ts`],
};

const found = has_adapter();

export const projects: TestProjectInlineConfiguration[] = [
  { test: { ...shared, name: "webgpu apart", include: found ? apart : [], exclude: [...device_files.left_out] } },
  {
    test: {
      ...shared,
      name: "webgpu",
      include: found ? ["**/*.test.ts"] : [],
      exclude: [...apart, ...device_files.left_out, "node_modules/**"],
      globalSetup: [`${folder}support/say_turn.ts`],
      // One process imports the library once, and each file opens a device of its own.
      isolate: false,
      sequence: { groupOrder: 1 },
    },
  },
];

export default defineConfig({ test: { projects } });
