/**
 * @file Finds modules in the folders of `sys.path`.
 * @mirrors Lib/importlib/_bootstrap_external.py#PathFinder (CPython 3.11)
 */
import { PyModule } from "../Objects/moduleobject.ts";
import { type Finder, modules } from "../vm/import.ts";
import { host } from "./host.ts";

const decoder = new TextDecoder();

/** `sys.path`, if a program or the host has loaded `sys`. */
function search_path(): unknown[] {
  const sys = modules.get("sys");
  const path = sys instanceof PyModule ? sys.__dict__.get("path") : undefined;
  return Array.isArray(path) ? path : [];
}

/**
 * A module or a package; else, if folders have the name, a namespace package: it has no text, and its `__path__` lists them all.
 * @differs A module below a package is looked for in the folders of `sys.path`, not in the package's `__path__`.
 */
export const find_on_path: Finder = (name) => {
  const file = name.replaceAll(".", "/");
  const portions: string[] = [];
  for (const folder of search_path()) {
    if (typeof folder !== "string") continue;
    const base = `${folder === "" ? "." : folder}/${file}`;
    for (const [filename, is_package] of [
      [`${base}/__init__.py`, true],
      [`${base}.py`, false],
    ] as const) {
      if (host.files.stat(filename)?.is_dir === false)
        return { text: decoder.decode(host.files.read(filename)), filename, is_package };
    }
    if (host.files.stat(base)?.is_dir === true) portions.push(base);
  }
  if (portions.length === 0) return null;
  return new Map<string, unknown>([
    ["__file__", null],
    ["__path__", portions],
    ["__package__", name],
  ]);
};
