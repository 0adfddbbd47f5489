/**
 * @file Reading files with the real PyTorch 2.13.0 (`PYTHON`, else `python3`).
 * @original
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../codegen/file_system.ts";
import type { ReadFiles } from "../checks/host.ts";

export const python = process.env["PYTHON"] ?? "python3";

/** The reason why PyTorch cannot be asked; null if it can. */
export function withoutPyTorch(command = python): string | null {
  const { status, stdout } = spawnSync(command, ["-c", "import torch; print(torch.__version__)"], { encoding: "utf8" });
  const version = status === 0 ? stdout.trim() : "";
  if (version.startsWith("2.13.0")) return null;
  return `no PyTorch 2.13.0 at ${command}${version === "" ? "" : ` (it is ${version})`}`;
}

/** A line about the installed PyTorch: its version, or the packages that exercise 22 lacks. Nothing else needs it. */
export function pytorchLine(command = python): string {
  const lacks = withoutPyTorch(command);
  if (lacks !== null) return `${lacks}; only exercise 22 asks it: pip install torch==2.13.0 pyyaml`;
  const { status } = spawnSync(command, ["-c", "import yaml"], { encoding: "utf8" });
  return `2.13.0 at ${command}${status === 0 ? "" : ", without PyYAML, which exercise 22 needs: pip install pyyaml"}`;
}

/** The values it reads in each file; or the reason why it was not asked. */
export function readByPyTorch(files: readonly Uint8Array[], command = python): ReadFiles | string {
  const lacks = withoutPyTorch(command);
  if (lacks !== null) return lacks;
  const scratch = mkdtempSync(join(tmpdir(), "glasstorch-files-"));
  try {
    const names = files.map((_, i) => join(scratch, `${i}.pt`));
    for (const [i, file] of files.entries()) writeFileSync(names[i], file);
    const { status, stdout, stderr } = spawnSync(command, [join(ROOT, "tools/oracle/read_files.py"), ...names], {
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(`tools/oracle/read_files.py ended in an error:\n${stderr.slice(-2000)}`);
    return JSON.parse(stdout) as ReadFiles;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
