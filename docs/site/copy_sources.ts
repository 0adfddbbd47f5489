/**
 * @file The sources as the site serves them, one text file each, for the source page and the viewer's source pane.
 * They are named `….txt`, because hosts serve `.ts` as video.
 * @original
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "./context.ts";
import { mirrorsOf, upstreamPath } from "./repository.ts";

/** Whatever a page may link to: operators' pages name their tests, the list of differences names tools. */
const folders = ["src", "walkthroughs", "tools", "test"];
const wanted = /\.(ts|tsx|mjs|yaml|tmpl|py|c)$/;
const skipped = /(^|\/)(node_modules|dist|fixtures)(\/|$)/;

export async function copySources(context: Context): Promise<string> {
  rmSync(join(context.out, "source"), { recursive: true, force: true });
  const files: Record<string, string> = {};
  for (const folder of folders)
    for (const file of filesBelow(context.root, folder)) {
      context.write(join(context.out, "source", `${file}.txt`), readFileSync(join(context.root, file)));
      const mirrors = mirrorsOf(file);
      files[file] = mirrors === null ? "" : upstreamPath(mirrors);
    }
  // Which files there are, and PyTorch's counterpart of each.
  context.write(join(context.out, "source/index.json"), JSON.stringify(files));
  return `${Object.keys(files).length} files`;
}

function* filesBelow(root: string, folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (skipped.test(path)) continue;
    if (entry.isDirectory()) yield* filesBelow(root, path);
    else if (entry.isFile() && wanted.test(entry.name)) yield path;
  }
}
