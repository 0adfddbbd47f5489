/**
 * @file The repository around the site: its files, PyTorch's counterpart of each, and the addresses of both.
 * @original
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

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

/** The wheel packs some files elsewhere than the repository has them. */
const packed: readonly (readonly [string, string])[] = [
  ["torchgen/packaged/autograd/", "tools/autograd/"],
  ["torchgen/packaged/ATen/", "aten/src/ATen/"],
];

/** PyTorch's path as its repository has it: no `#symbol`, nothing of the wheel's own layout. */
export function upstreamPath(mirrors: string): string {
  const path = mirrors.replace(/#.*$/, "");
  for (const [from, to] of packed) if (path.startsWith(from)) return to + path.slice(from.length);
  return path;
}

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
