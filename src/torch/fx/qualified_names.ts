/**
 * @file The full names of the library's functions, as PyTorch spells them: `torch.nn.functional.linear` is `torch._C._nn.linear`.
 * @original In Python a function itself knows its `__module__` and `__name__`; a function of JavaScript does not, so that the names are looked up.
 * @see tools/pytorch/qualified_names.ts, which writes the table of the names that do not follow from the namespace
 */
import { torch } from "#torch/_torch";
import { OTHER_NAMES } from "./generated/qualified_names.ts";

type Namespace = Readonly<Record<string, unknown>>;

/** The object of this full name below `torch`; undefined if there is none. */
export function object_named(full: string): unknown {
  let found: unknown = torch;
  for (const part of full.split(".").slice(1)) {
    if (typeof found !== "function" && (typeof found !== "object" || found === null)) return undefined;
    if (!(part in found)) return undefined;
    found = (found as Namespace)[part];
  }
  return found;
}

/** `linear torch.functional.split x=torch.y` by the short name. */
function others_of(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const entry of text === "" ? [] : text.split(" ")) {
    const at = entry.indexOf("=");
    if (at >= 0) found.set(entry.slice(0, at), entry.slice(at + 1));
    else found.set(entry.slice(entry.lastIndexOf(".") + 1), entry);
  }
  return found;
}

let names: WeakMap<object, string> | null = null;

/** A function that several namespaces hold has the name that the first of them gives it. */
function all_names(): WeakMap<object, string> {
  const found = new WeakMap<object, string>();
  for (const [namespace, others] of Object.entries(OTHER_NAMES)) {
    const holder = object_named(namespace);
    if (holder === undefined) continue;
    const other_names = others_of(others);
    for (const name of Object.keys(holder as object)) {
      const value = (holder as Namespace)[name];
      if (typeof value !== "function" || found.has(value)) continue;
      found.set(value, other_names.get(name) ?? `${namespace}.${name}`);
    }
  }
  return found;
}

/** PyTorch's full name of a function of the library; undefined if the value is none. */
export function library_name(fn: unknown): string | undefined {
  if (typeof fn !== "function") return undefined;
  names ??= all_names();
  return names.get(fn);
}
