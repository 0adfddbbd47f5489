/**
 * @file Reads the built pages as a visitor gets them. It is an error if a page says "undefined", shows an object's default text, links to a
 * source file or a line that does not exist, or has no main part.
 * @original
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { docs } from "./repository.ts";

export interface BuiltSite {
  /** Address below the site -> HTML. */
  readonly pages: ReadonlyMap<string, string>;
  /** Source files that are served, with their number of lines. */
  lines(file: string): number | null;
  /** A folder of sources. */
  folder(path: string): boolean;
}

/** Everything wrong, one line each. */
export function complaints(site: BuiltSite): string[] {
  const found: string[] = [];
  for (const [page, html] of site.pages) {
    const text = visibleText(html);
    for (const [, around = ""] of text.matchAll(FAULT)) found.push(`/${page} says: …${around.trim()}…`);
    if (!/<main[\s>]/.test(html)) found.push(`/${page} has no <main>`);
    for (const link of new Set(sourceLinks(html))) {
      const problem = deadLink(link, site);
      if (problem !== null) found.push(`/${page} links to ${problem}`);
    }
  }
  return found;
}

/** PyTorch does speak of "an undefined tensor". */
const FAULT = /(.{0,40}(?:(?<!\ban )\bundefined\b(?! tensor)|\[object Object\]).{0,40})/g;

/** The prose that a reader sees. Code is left out: it may mention `undefined`. */
export function visibleText(html: string): string {
  return html
    .replace(/<(script|style|pre|code|textarea|svg|noscript|title)\b[\s\S]*?<\/\1>/g, " ")
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ");
}

/** `src/a.ts#L3` of every link to the page of sources. */
function* sourceLinks(html: string): Generator<string> {
  for (const [, quoted, bare] of html.matchAll(/href=(?:"([^"]*)"|([^\s>]+))/g)) {
    const address = (quoted ?? bare ?? "").replaceAll("&amp;", "&");
    const file = /\/source\/\?file=([^&]*)$/.exec(address)?.[1];
    if (file !== undefined) yield decodeURIComponent(file);
  }
}

function deadLink(link: string, site: BuiltSite): string | null {
  const [file = "", hash] = link.split("#");
  if (file.endsWith("/")) return site.folder(file) ? null : `the folder ${file}, which is not served`;
  const lines = site.lines(file);
  if (lines === null) return `${file}, which is not served`;
  const line = hash === undefined ? 1 : Number(/^L(\d+)$/.exec(hash)?.[1] ?? 0);
  return line >= 1 && line <= lines ? null : `${link}, but the file has ${lines} lines`;
}

/** The site in a folder, as `docusaurus build` leaves it. */
export function builtSite(build: string): BuiltSite {
  const pages = new Map<string, string>();
  for (const file of readdirSync(build, { recursive: true }).map(String))
    if (file.endsWith(".html"))
      pages.set(file.replaceAll("\\", "/").replace(/index\.html$/, ""), readFileSync(join(build, file), "utf8"));
  const served = join(build, "generated/source");
  const index = JSON.parse(readFileSync(join(served, "index.json"), "utf8")) as Record<string, string>;
  const counted = new Map<string, number | null>();
  return {
    pages,
    folder: (path) => Object.keys(index).some((file) => file.startsWith(path)),
    lines: (file) => {
      const path = join(served, `${file}.txt`);
      if (!counted.has(file))
        counted.set(file, file in index && existsSync(path) ? readFileSync(path, "utf8").split("\n").length : null);
      return counted.get(file) as number | null;
    },
  };
}

if (process.argv[1]?.endsWith("check_built.ts")) {
  const site = builtSite(join(docs, "build"));
  const found = complaints(site);
  for (const line of found.slice(0, 40)) console.error(line);
  console.log(
    `${site.pages.size} built pages read: ${found.length === 0 ? "nothing is wrong" : `${found.length} faults`}`,
  );
  process.exit(found.length === 0 ? 0 : 1);
}
