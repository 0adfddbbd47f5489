/**
 * @file The source of the symbol index: the library's own sources, from disk or from another provider. The published
 * package has no sources; there the build puts the finished index in this file's place.
 * @original
 */

import type { SymbolFile } from "./symbol_entry.ts";
import { is_read, symbol_index } from "./symbol_index.ts";

type Sources = Iterable<readonly [path: string, text: string]>;

let sources: () => Sources = from_disk;
let index: SymbolFile | null = null;

/** The index of the sources as they are at the first query. */
export function symbolFile(): SymbolFile {
  return (index ??= symbol_index(sources()));
}

/**
 * Sets a function that returns the texts of `src/`, by their paths from the repository's root, for a host without a
 * disk (a page).
 */
export function readSourcesFrom(texts: () => Sources): void {
  sources = texts;
  index = null;
}

function* from_disk(): Sources {
  const fs = process.getBuiltinModule("node:fs");
  const root = new URL("../../", import.meta.url);
  for (const entry of fs.readdirSync(new URL("src/", root), { recursive: true, encoding: "utf8" })) {
    const path = `src/${entry.replaceAll("\\", "/")}`;
    if (is_read(path)) yield [path, fs.readFileSync(new URL(path, root), "utf8")];
  }
}
