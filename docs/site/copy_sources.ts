/**
 * @file The sources as the site serves them, one text file each, for the source page and the viewer's source pane.
 * They are named `….txt`, because hosts serve `.ts` as video.
 * @original
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "./context.ts";
import { mirrorsOf, upstreamPath } from "./repository.ts";

const folders = ["src", "walkthroughs", "tools/codegen", "tools/oracle"];
const wanted = /\.(ts|yaml|tmpl|py|c)$/;

export async function copySources(context: Context): Promise<string> {
  rmSync(join(context.out, "source"), { recursive: true, force: true });
  const files: Record<string, string> = {};
  for (const folder of folders)
    for (const entry of readdirSync(join(context.root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !wanted.test(entry.name)) continue;
      const file = join(entry.parentPath, entry.name).slice(context.root.length);
      context.write(join(context.out, "source", `${file}.txt`), readFileSync(join(context.root, file)));
      const mirrors = mirrorsOf(file);
      files[file] = mirrors === null ? "" : upstreamPath(mirrors);
    }
  // Which files there are, and PyTorch's counterpart of each.
  context.write(join(context.out, "source/index.json"), JSON.stringify(files));
  return `${Object.keys(files).length} files`;
}
