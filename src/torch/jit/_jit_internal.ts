/**
 * @file Names of Python objects in scripts, the names that a function sees, and the marks of decorators.
 * @mirrors torch/_jit_internal.py
 */
import { AttributeError, RuntimeError } from "#c10/util/Exception";
import { builtins } from "#python/Objects/builtins_of";
import { FUNCTION } from "#python/Objects/call";
import { is_function, type PyFunction } from "#python/Objects/funcobject";
import { getattr, getattr_or_undefined } from "#python/Objects/object";
import { info_of, type_of } from "#python/Objects/typeobject";
import { frame_above } from "#python/vm/frame";
import { import_module } from "#python/vm/import";
import { declared_overloads } from "../_bodies/index.ts";
import type { ResolutionCallback } from "./_C.ts";

/** The name of a class or function with its module. Names of programs begin with `__torch__`. */
export function _qualified_name(obj: unknown, mangle_name = true): string {
  const override = getattr_or_undefined(obj, "_jit_override_qualname");
  if (override !== undefined) return override as string;
  let name = getattr(obj, "__name__") as string;
  if (name === "<lambda>") name = "_lambda";
  let module_name = getattr_or_undefined(obj, "__module__") as string | null | undefined;
  if (module_name === null || module_name === undefined) {
    throw new RuntimeError(
      `Could not get qualified name for class '${name}': __module__ can't be None for the class to be compiled.`,
    );
  }
  if (module_name === "torch._classes") return getattr(obj, "qualified_name") as string;
  if (module_name === "__main__") module_name = "__torch__";
  else if (mangle_name) module_name = `__torch__.${module_name}`;
  if (name.includes(".")) {
    throw new RuntimeError(`Could not get qualified name for class '${name}': '${name}' is not a valid identifier`);
  }
  return `${module_name}.${name}`;
}

/** Finds a name, which may have points, in one of several namespaces. */
function callback_of(lookup: (name: string) => unknown): ResolutionCallback {
  return (name) => {
    const [first, ...rest] = name.split(".");
    let value = lookup(first);
    for (const part of rest) {
      if (value === null || value === undefined) return null;
      try {
        value = getattr(value, part);
      } catch (error) {
        if (error instanceof AttributeError) return null;
        throw error;
      }
    }
    return value ?? null;
  };
}

function of_typing(name: string): unknown {
  const typing = import_module("typing");
  return getattr_or_undefined(typing, name);
}

/** The variables that a function sees: those around it and its globals. */
export function get_closure(fn: unknown): Map<unknown, unknown> {
  const captures = new Map<unknown, unknown>();
  if (!is_function(fn)) return captures;
  const { globals, closure, code } = (fn as PyFunction)[FUNCTION];
  for (const [name, value] of globals) captures.set(name, value);
  for (const [i, name] of code.co_freevars.entries()) captures.set(name, closure?.[i].cell_contents);
  return captures;
}

export function createResolutionCallbackFromClosure(fn: unknown): ResolutionCallback {
  const captures = get_closure(fn);
  return callback_of((name) => captures.get(name) ?? of_typing(name) ?? builtins.get(name));
}

/** @param frames_up 0 is the frame of the Python program that runs */
export function createResolutionCallbackFromFrame(frames_up = 0): ResolutionCallback {
  const frame = frame_above(frames_up);
  if (frame === null) return () => null;
  const { f_locals, f_globals } = frame;
  return callback_of((name) => f_locals.get(name) ?? f_globals.get(name) ?? builtins.get(name));
}

/** The functions that a class itself defines. */
export function functions_of(cls: unknown): [string, unknown][] {
  return [...(info_of(cls)?.dict ?? [])].filter(([, value]) => is_function(value));
}

export function createResolutionCallbackForClassMethods(cls: unknown): ResolutionCallback {
  const captures = new Map<unknown, unknown>();
  const static_functions = [...(info_of(cls)?.dict.keys() ?? [])].map((name) => getattr_or_undefined(cls, name));
  for (const fn of static_functions) for (const [name, value] of get_closure(fn)) captures.set(name, value);
  return callback_of((name) => captures.get(name) ?? of_typing(name) ?? builtins.get(name));
}

/** The meanings of the decorators of functions: `torch.jit.ignore`, `torch.jit.unused`, `torch.jit.export`. */
export const FunctionModifiers = {
  UNUSED: "unused (ignored and replaced with raising of an exception)",
  IGNORE: "ignore (leave as a call to Python, cannot be torch.jit.save'd)",
  EXPORT: "export (compile this function even if nothing calls it)",
  DEFAULT: "default (compile if called from a exported function / forward)",
  COPY_TO_SCRIPT_WRAPPER: "if this method is not scripted, copy the python method onto the scripted model",
  _DROP: "_drop (function is fully ignored, declaration can be unscriptable)",
} as const;
type Modifier = (typeof FunctionModifiers)[keyof typeof FunctionModifiers];

const modifiers = new WeakMap<object, Modifier>();

export function set_modifier(fn: unknown, modifier: Modifier): void {
  if ((typeof fn !== "object" && typeof fn !== "function") || fn === null)
    throw new AttributeError(`'${type_of(fn).name}' object has no attribute '_torchscript_modifier'`);
  modifiers.set(fn, modifier);
}

export function get_torchscript_modifier(fn: unknown): Modifier {
  return modifiers.get(fn as object) ?? FunctionModifiers.DEFAULT;
}

/** Whether a function stays Python. */
export function is_ignored_fn(fn: unknown): boolean {
  const modifier = get_torchscript_modifier(fn);
  return (
    modifier === FunctionModifiers.UNUSED ||
    modifier === FunctionModifiers.IGNORE ||
    modifier === FunctionModifiers._DROP
  );
}

/** Whether the body of a function is replaced by an error. */
export function should_drop(fn: unknown): boolean {
  return get_torchscript_modifier(fn) === FunctionModifiers.UNUSED;
}

/** Declarations under `@torch.jit._overload` by qualified name. */
const overloaded_fns = new Map<string, unknown[]>();

export function _overload(fn: unknown): unknown {
  const name = _qualified_name(fn);
  const known = overloaded_fns.get(name);
  if (known === undefined) overloaded_fns.set(name, [fn]);
  else known.push(fn);
  return fn;
}

/** Declarations under `@torch.jit._overload_method` by module and qualified name, which has the class. */
const overloaded_methods = new Map<string, unknown[]>();

const method_key = (fn: unknown): string =>
  `${String(getattr_or_undefined(fn, "__module__"))}.${String(getattr_or_undefined(fn, "__qualname__"))}`;

export function _overload_method(fn: unknown): unknown {
  const key = method_key(fn);
  const known = overloaded_methods.get(key);
  if (known === undefined) overloaded_methods.set(key, [fn]);
  else known.push(fn);
  return fn;
}

/** The declarations for a method, whose implementation is given. */
export function _get_overloaded_methods(method: unknown): readonly unknown[] {
  return overloaded_methods.get(method_key(method)) ?? [];
}

export function _get_fn_overloads(name: string): readonly unknown[] | undefined {
  for (const fn of declared_overloads.splice(0)) _overload(fn);
  return overloaded_fns.get(name);
}

export function _clear_fn_overloads(name: string): void {
  overloaded_fns.delete(name);
}
