/**
 * @file Which of the library's modules a program in a page loads.
 * @original
 */
import { imports_of } from "../../tools/imports_of.ts";

/** Entries of a program in a page. */
const ENTRIES = /^src\/(?:index\.ts|webgpu\.ts|trace\/.*\.ts)$/;

/** The modules that are loaded when a program runs. Sources of vector loops, for example, are only read, by codegen. */
export function loadedModules(texts: ReadonlyMap<string, string>): Set<string> {
  return reachable(
    texts,
    [...texts.keys()].filter((path) => ENTRIES.test(path) || path.startsWith("walkthroughs/")),
  );
}

/** These modules and those that they load, directly or not. */
export function reachable(texts: ReadonlyMap<string, string>, entries: Iterable<string>): Set<string> {
  const loaded = new Set(entries);
  for (const path of loaded)
    for (const { to, type_only } of imports_of(path, texts.get(path) ?? "")) if (!type_only) loaded.add(to);
  return loaded;
}
