/**
 * @file Finds the modules below `torch` that are Python here, as in PyTorch: they treat Python's containers, or stand for modules that only
 * Python programs import. Each is compiled when it is first imported.
 * @original
 */
import { submodules } from "#python/bridge/mappings";
import { finders, type ModuleSource } from "#python/vm/import";
import { sources } from "#python/vm/traceback";
import { defined } from "./_python_names.ts";
import { SOURCES } from "./generated/python_sources.ts";

const known = new Map<string, string>();

export const texts = {
  /** Adds modules by their full names. */
  add(more: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(more)) known.set(name, text);
  },
};
texts.add(SOURCES);

submodules.push((name) => known.has(name));
// Before the finder of names, which knows the same modules.
finders.unshift((name): ModuleSource | null => {
  const text = known.get(name);
  if (text === undefined) return null;
  const is_package = [...known.keys()].some((other) => other.startsWith(`${name}.`));
  const filename = `${name.replaceAll(".", "/")}${is_package ? "/__init__" : ""}.py`;
  sources.set(filename, text);
  return { text, filename, is_package, names: defined.get(name) };
});
