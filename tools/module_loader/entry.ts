/**
 * @file The source of the library for a program in this repository. Most walkthroughs and the gallery import only the
 * package's entries, so everything they load may come from the cache. A program that also imports single sources must
 * share them with the library: it loads everything from the sources.
 * @original
 * @see library.ts, Note [The first command]
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import { Library } from "./library.ts";
import { names_a_source } from "./single_sources.ts";

const root = new URL("../../", import.meta.url);
/**
 * Folders of programs. Their shared files, in `support`, import no single sources; test/tools/module_loader.test.ts checks this.
 */
const PROGRAMS = ["walkthroughs", "gallery"];

function from_cache(): boolean {
  if (process.argv[1] === undefined || !isMainThread) return false;
  const program = resolve(process.argv[1]);
  const known = PROGRAMS.some((folder) => program.startsWith(fileURLToPath(new URL(`${folder}/`, root))));
  return known && existsSync(program) && !names_a_source(program);
}

const library = from_cache() ? new Library(root) : null;
if (library !== null) process.once("exit", () => library.write_cache());

/** The exports of an entry such as `src/index.ts`. */
export async function entry<T>(path: string): Promise<T> {
  return (library === null ? await import(new URL(path, root).href) : library.require(path)) as T;
}
