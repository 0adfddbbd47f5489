/**
 * @file The tree on disk as the map of texts that the generator works on.
 * @original
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** What the generator reads; everything else of the repository does not concern it. */
const READ = [
  { folder: "src", pattern: /\.(?:ts|tmpl|yaml)$/ },
  { folder: "tools/codegen", pattern: /\.(?:tmpl|yaml)$/ },
  { folder: "test/openreg", pattern: /\.(?:ts|yaml)$/ }, // a backend outside of the library, as its authors write one
];

/** The root of this repository. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");

export function read_tree(root: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const { folder, pattern } of READ) {
    if (!existsSync(join(root, folder))) continue;
    for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      if (pattern.test(entry))
        files.set(`${folder}/${entry.replaceAll("\\", "/")}`, readFileSync(join(root, folder, entry), "utf8"));
    }
  }
  return files;
}
