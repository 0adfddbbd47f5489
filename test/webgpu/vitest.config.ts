import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

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

// Processes, not threads: only a process's own environment names the adapter's driver.
export default defineConfig({
  test: {
    name: "webgpu",
    root: folder,
    include: has_adapter() ? ["**/*.test.ts"] : [],
    passWithNoTests: true,
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ["support/setup.ts"],
  },
});
