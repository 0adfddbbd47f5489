/**
 * @file The context that every part of the preparation gets, and how it reports.
 * @original
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { allSymbols, type SymbolEntry } from "../../src/trace/index.ts";
import { docs, root } from "./repository.ts";

export interface Context {
  /** Folder of the repository; all folders end in a slash. */
  readonly root: string;
  readonly docs: string;
  /** Served as they are, below `/generated/`. */
  readonly out: string;
  /** Pages. */
  readonly content: string;
  /** Bundled into the pages that import them, as `@site/generated/…`. */
  readonly generated: string;
  readonly symbols: readonly SymbolEntry[];
  /** One line: what was made, how many. */
  log(line: string): void;
  /** Writes a file, with its folder; a name without a slash in front is below the folder of the repository. */
  write(path: string, text: string | Uint8Array): void;
}

export function makeContext(): Context {
  return {
    root,
    docs,
    out: join(docs, "static/generated/"),
    content: join(docs, "content/"),
    generated: join(docs, "generated/"),
    symbols: allSymbols(),
    log: (line) => console.log(`  ${line}`),
    write: (path, text) => {
      const full = path.startsWith("/") ? path : join(root, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, text);
    },
  };
}
