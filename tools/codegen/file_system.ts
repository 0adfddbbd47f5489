/**
 * @file The tree on disk as a map of texts, the generator's input.
 * @original
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The files that the generator reads. */
const READ = [
  { folder: "src", pattern: /\.(?:ts|tmpl|yaml)$/ },
  { folder: "tools/codegen", pattern: /\.(?:tmpl|yaml)$/ },
  { folder: "test/openreg", pattern: /\.(?:ts|yaml)$/ }, // a backend outside the library, in the form that its authors would write
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
