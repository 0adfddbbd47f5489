/**
 * @file `npm run build`: compiles `src/` to the publishable package in `dist/`, one JavaScript file per source file, checks expanded.
 * @original
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expand_checks } from "./expand_checks.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const dist = join(root, "dist");

export function build(): void {
  rmSync(dist, { recursive: true, force: true });
  const tsc = join(root, "node_modules/@typescript/native/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json")], { stdio: "inherit" });
  for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".js")) continue;
    const text = readFileSync(join(dist, file), "utf8");
    const expanded = expand_checks(text);
    if (expanded !== text) writeFileSync(join(dist, file), expanded);
  }
  for (const file of ["LICENSE", "README.md"]) copyFileSync(join(root, file), join(dist, file));
  const { name, version, description, license, engines, sideEffects } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const entry = (path: string) => ({ types: `./${path}.d.ts`, default: `./${path}.js` });
  const manifest = {
    name,
    version,
    description,
    license,
    type: "module",
    sideEffects,
    engines,
    exports: { ".": entry("index"), "./trace": entry("trace/index") },
  };
  writeFileSync(join(dist, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const start = performance.now();
  build();
  console.log(`dist/ built in ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
