/**
 * @file Modules that a Python program can import and that no attribute of `torch` leads to.
 * @original
 */
import { CLASS } from "./python/bridge/foreign_functions.ts";
import { register_namespace } from "./python/bridge/mappings.ts";
import { finders } from "./python/vm/import.ts";
import { define_name } from "./torch/_python_names.ts";

const modules = new Map<string, object>();

finders.push((name) => {
  const module = modules.get(name);
  return module === undefined ? null : { module };
});

/** Adds modules by their full names; their functions and classes get these names. */
export function register_modules(added: Readonly<Record<string, object>>): void {
  for (const [name, namespace] of Object.entries(added)) {
    modules.set(name, namespace);
    register_namespace(namespace, name);
    for (const [key, value] of Object.entries(namespace)) {
      if (typeof value !== "function") continue;
      const is_class = CLASS.test(Function.prototype.toString.call(value));
      const is_named = !is_class && Object.hasOwn(value, "__module__"); // an operator that is an object
      if (!is_named) define_name(name, key, value, !is_class);
    }
  }
}
