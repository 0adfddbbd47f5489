/**
 * @file `npm run build`: compiles `src/` to the publishable package in `dist/`, one JavaScript file per source file.
 * @original
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const dist = join(root, "dist");

export function build(): void {
  rmSync(dist, { recursive: true, force: true });
  const tsc = join(root, "node_modules/@typescript/native/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json")], { stdio: "inherit" });
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
