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

/** Line of a name in a file of PyTorch's; or the file that has the body of what a header only declares. */
let lines: Readonly<Record<string, Readonly<Record<string, number | string>>>> | null = null;

function upstreamLines(): NonNullable<typeof lines> {
  if (lines === null)
    lines = JSON.parse(readFileSync(join(docs, "site/upstream_lines.json"), "utf8")).files as NonNullable<typeof lines>;
  return lines;
}

/** `torch.nn.modules.activation.PReLU.forward` is known as `PReLU.forward`, `at::native::prelu` as `prelu`. */
export function keyOf(symbol: string): string {
  const parts = symbol.replace("(anonymous namespace)::", "").split(/::|\./);
  const owner = parts.at(-2) ?? "";
  return /^_?[A-Z]/.test(owner) ? `${owner}.${parts.at(-1)}` : (parts.at(-1) ?? "");
}

export interface Upstream {
  readonly path: string;
  /** On GitHub at the mirrored version, with its line where it is known. */
  readonly url: string;
  /** A search for the name in a file whose lines no wheel has. */
  readonly search?: string;
}

/** Where PyTorch has what mirrors `mirrors`, and there what is called `symbol`; null for what has no name there. */
export function upstream(mirrors: string, symbol: string | null = ""): Upstream {
  const path = upstreamPath(mirrors);
  if (symbol === null) return { path, url: tree + path };
  const known = upstreamLines()[path];
  const found =
    known?.[keyOf(symbol)] ??
    known?.[keyOf(symbol).replace(/^.*\./, "")] ??
    known?.[symbol] ??
    (/\/templates\//.test(path) ? known?.[""] : undefined);
  if (typeof found === "number") return { path, url: `${tree}${path}#L${found}` };
  const file = typeof found === "string" ? found : path;
  const name = keyOf(symbol).replace(/^.*\./, "");
  if (!file.endsWith(".cpp") || /\/templates\//.test(file) || name === "") return { path: file, url: tree + file };
  const query = encodeURIComponent(`repo:pytorch/pytorch path:${file} ${name}`);
  return { path: file, url: tree + file, search: `https://github.com/search?type=code&q=${query}` };
}

/** The file of PyTorch that the header of `path` names, or null if PyTorch has none. */
export function mirrorsOf(path: string): string | null {
  const head = fileText(path)?.slice(0, 3000) ?? "";
  return /@mirrors\s+(\S+)/.exec(head)?.[1] ?? null;
}

/** The site's page of a source file, without the host's sub-path. */
export function sourceRoute(file: string, line?: number): string {
  return `/source/?file=${file}${line === undefined ? "" : `#L${line}`}`;
}
