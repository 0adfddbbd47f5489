/**
 * @file The repository around the site: its files, PyTorch's counterpart of each, and the addresses of both.
 * @original
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { upstreamPath } from "../../tools/pytorch/paths.ts";

export { upstreamPath };

/** With a slash at the end, as all folders here. */
export const docs = join(__dirname, "../");
export const root = join(docs, "../");

const texts = new Map<string, string>();

/** Text of a file by its path in the repository, or null. Kept: many pages quote the same file. */
export function fileText(path: string): string | null {
  if (!existsSync(join(root, path))) return null;
  if (watching || !texts.has(path)) texts.set(path, readFileSync(join(root, path), "utf8"));
  return texts.get(path) as string;
}

/** While the site is being written (`npm run site`), a file may change under it. */
const watching = process.env["NODE_ENV"] === "development";

const tree = "https://github.com/pytorch/pytorch/blob/v2.13.0/";

/** The file on GitHub at the mirrored version. */
export function upstreamUrl(mirrors: string): string {
  return tree + upstreamPath(mirrors);
}

/** What the file's header says it mirrors, or null for what PyTorch lacks. */
export function mirrorsOf(path: string): string | null {
  const head = fileText(path)?.slice(0, 3000) ?? "";
  return /@mirrors\s+(\S+)/.exec(head)?.[1] ?? null;
}

/** The site's page of a source file, without the host's sub-path. */
export function sourceRoute(file: string, line?: number): string {
  return `/source/?file=${file}${line === undefined ? "" : `#L${line}`}`;
}
