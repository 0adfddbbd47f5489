/**
 * @file The full names of the library's functions, as PyTorch spells them: `torch.nn.functional.linear` is `torch._C._nn.linear`.
 * @original In Python a function itself knows its `__module__` and `__name__`; a function of JavaScript does not, so that the names are looked up.
 * @see tools/pytorch/qualified_names.ts, which writes the table of the names that do not follow from the namespace
 */
import { AttributeError, RuntimeError } from "#c10/util/Exception";
import { takes_values } from "#python/bridge/foreign_functions";
import { builtins } from "#python/Objects/builtins_of";
import { is_builtin } from "#python/Objects/methodobject";
import { getattr_or_undefined, repr, same } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import { doors } from "#torch/_doors";
import { OpOverload } from "#torch/_ops";
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

const names = new WeakMap<object, string>();
/** How many entries of the library were loaded when the namespaces were read last. */
let parts = -1;

/** Reads the namespaces if an entry was loaded since. A function that several of them hold has the name that the first of them gives it. */
function read_namespaces(): void {
  if (parts === doors.opened) return;
  parts = doors.opened;
  for (const [namespace, others] of Object.entries(OTHER_NAMES)) {
    const holder = object_named(namespace);
    if (holder === undefined) continue;
    const other_names = others_of(others);
    for (const name of Object.keys(holder as object)) {
      const value = (holder as Namespace)[name];
      if (typeof value !== "function" || names.has(value)) continue;
      names.set(value, other_names.get(name) ?? `${namespace}.${name}`);
    }
  }
}

/** PyTorch's full name of a function of the library; undefined if the value is none. */
export function library_name(fn: unknown): string | undefined {
  if (typeof fn !== "function") return undefined;
  read_namespaces();
  return names.get(fn);
}

/** Functions of torch.fx itself, which stand in no namespace of the table. */
export function has_name<F extends object>(full: string, fn: F): F {
  names.set(fn, full);
  return takes_values(full.slice(0, full.lastIndexOf(".")), fn);
}

/** `value.__module__`; undefined if it has none. */
export function module_of(value: unknown): string | undefined {
  if (value instanceof OpOverload) return `torch._ops.${value._namespace}`;
  const full = library_name(value);
  if (full !== undefined) return full.slice(0, full.lastIndexOf("."));
  const module = getattr_or_undefined(value, "__module__");
  return typeof module === "string" ? module : undefined;
}

/** `value.__name__`; undefined if it has none. */
export function name_of(value: unknown): string | undefined {
  if (value instanceof OpOverload) return value.__name__;
  const full = library_name(value);
  if (full !== undefined) return full.slice(full.lastIndexOf(".") + 1);
  const name = getattr_or_undefined(value, "__name__");
  return typeof name === "string" ? name : undefined;
}

/** Whether a function is one of `operator`, with its name there. */
export function operator_name(value: unknown): string | null {
  return is_builtin(value) && module_of(value) === "_operator" ? (name_of(value) ?? null) : null;
}

/**
 * The full name under which generated code finds a function.
 * @mirrors torch/fx/node.py#_get_qualified_name
 */
export function _get_qualified_name(func: unknown): string {
  const name = name_of(func);
  if (name === undefined) throw new AttributeError(`'${type_of(func).name}' object has no attribute '__name__'`);
  if (same(builtins.get(name) ?? null, func)) return name;
  if ((torch.Tensor.prototype as unknown as Namespace)[name] === func) return `torch.Tensor.${name}`;
  if (name === "<lambda>") throw new RuntimeError("Unable to represent lambda");
  const module = module_of(func);
  if (module === undefined) throw new RuntimeError(`cannot find module for ${repr(func)}`);
  if (module === "torch" && name === "segment_reduce") return "torch._segment_reduce";
  return `${module.replace("torch._ops", "torch.ops")}.${name}`;
}
