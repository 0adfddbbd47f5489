/**
 * @file Instantiates only kernels: `npx tsx tools/codegen/kernels/main.ts [--check] [file ...]`. With files, only their
 * outputs are written, and an error elsewhere does not matter.
 * @original A shell over tools/codegen/dest/kernels.ts; `npm run codegen` runs the same function with all other generators.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generate, HELPER_MODULES, outputPath } from "../dest/kernels.ts";

function collect(folder: string, files: Map<string, string>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) collect(path, files);
    else if (entry.name.endsWith(".ts")) files.set(path, readFileSync(path, "utf8"));
  }
}

const check = process.argv.includes("--check");
const only = process.argv.slice(2).filter((a) => !a.startsWith("--"));
const files = new Map<string, string>();
if (only.length > 0) for (const path of only) files.set(path, readFileSync(path, "utf8"));
else collect("src/aten/native", files);
for (const path of HELPER_MODULES) {
  if (existsSync(path)) files.set(path, readFileSync(path, "utf8"));
}
let stale = 0;
for (const [path, text] of generate(files)) {
  const old = existsSync(path) ? readFileSync(path, "utf8") : null;
  if (old === text) continue;
  stale++;
  if (check) console.error(`stale: ${path}`);
  else {
    mkdirSync(dirname(join(process.cwd(), path)), { recursive: true });
    writeFileSync(path, text);
    console.log(`wrote ${path} (${text.split("\n").length} lines)`);
  }
}
if (only.length > 0 && stale === 0) console.log(`up to date: ${only.map(outputPath).join(", ")}`);
if (check && stale > 0) process.exitCode = 1;
