/**
 * @file Programs that are started many times: made plain JavaScript once, since the loader of TypeScript costs each start half a second
 * and stays in the process with a thread of its own.
 * @original
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

export const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** @param source below `bench/`; @param folder whose packages it finds. Returns the program's path. */
export function made_program(source: string, folder = ROOT): string {
  const outfile = join(folder, "node_modules/.cache/bench", source.replace(/\.ts$/, ".mjs").replaceAll("/", "-"));
  buildSync({
    entryPoints: [join(ROOT, "bench", source)],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
  });
  return outfile;
}
