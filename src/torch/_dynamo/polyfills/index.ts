/**
 * @file Python texts of functions that have no frame here: the translator follows the text in the function's place.
 * @mirrors torch/_dynamo/polyfills/__init__.py, torch/_dynamo/polyfills/loader.py
 */
import { is_function, type PyFunction } from "#python/Objects/funcobject";
import { getattr_or_undefined } from "#python/Objects/object";
import { modules, run_module } from "#python/vm/import";
import { sources } from "#python/vm/traceback";
import { SOURCES } from "./generated/sources.ts";

const PREFIX = "torch._dynamo.polyfills.";

/** Modules of Python, with the name of the text that stands for their functions. */
const TEXTS: Readonly<Record<string, string>> = {
  functools: "functools",
  itertools: "itertools",
  "torch.utils._pytree": "pytree",
};

const known = new Map<unknown, PyFunction>();
const tabled = new Set<string>();

/** `chain_from_iterable` stands for `itertools.chain.from_iterable`. */
function original_of(module: unknown, name: string): unknown {
  const own = getattr_or_undefined(module, name);
  if (own !== undefined) return own;
  const [cls, method] = [name.slice(0, name.indexOf("_")), name.slice(name.indexOf("_") + 1)];
  const owner = getattr_or_undefined(module, cls);
  return owner === undefined ? undefined : getattr_or_undefined(owner, method);
}

function table(name: string, text_name: string): void {
  const text = SOURCES[PREFIX + text_name] as string;
  const filename = `torch/_dynamo/polyfills/${text_name}.py`;
  sources.set(filename, text);
  const names = new Map<string, unknown>([["__name__", PREFIX + text_name]]);
  const { __dict__ } = run_module(PREFIX + text_name, { text, filename, is_package: false, names });
  for (const [key, body] of __dict__) {
    if (typeof key !== "string" || key.startsWith("_") || !is_function(body)) continue;
    const original = original_of(modules.get(name), key);
    if (original !== undefined) known.set(original, body);
  }
}

/** The Python function that is followed in the place of `value`; undefined if there is none. */
export function polyfill_of(value: unknown): PyFunction | undefined {
  for (const [name, text_name] of Object.entries(TEXTS)) {
    if (tabled.has(name) || !modules.has(name)) continue;
    tabled.add(name);
    table(name, text_name);
  }
  return known.get(value);
}
