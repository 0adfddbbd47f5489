/**
 * @file Replacing functions in the globals of a program while it is traced.
 * @mirrors torch/fx/_symbolic_trace.py#_Patcher
 */
import { NotImplementedError, RuntimeError } from "#c10/util/Exception";
import { builtins } from "#python/Objects/builtins_of";
import type { PyDict } from "#python/Objects/dictobject";
import { builtin_function, is_builtin } from "#python/Objects/methodobject";
import { tuple } from "#python/Objects/tupleobject";
import { frame_above } from "#python/vm/frame";
import { call_function, is_callable } from "../callables.ts";
import { map_aggregate_ } from "../node.ts";
import { Proxy } from "../proxy/index.ts";
import { has_name, name_of } from "../qualified_names.ts";

/** Functions that `wrap` named: the globals in which each is replaced, and its name. */
const _wrapped_fns_to_patch: { readonly globals: PyDict; readonly name: string }[] = [];

function find_proxy(args: unknown, kwargs: unknown): Proxy | null {
  let found: Proxy | null = null;
  const look = (leaf: unknown): unknown => {
    if (leaf instanceof Proxy) found = leaf;
    return leaf;
  };
  map_aggregate_(args, look);
  map_aggregate_(kwargs, look);
  return found;
}

const wrappers = new WeakSet<object>();

/** A function that becomes one node if an argument is a proxy, and runs otherwise. */
function wrapped_function(orig_fn: unknown): unknown {
  const wrapped = builtin_function(
    `${name_of(orig_fn) ?? "wrapped"}(*args, **kwargs)`,
    (args: unknown[], kwargs: Map<string, unknown>) => {
      const proxy = find_proxy(tuple(args), kwargs) as Proxy | null;
      if (proxy === null) return call_function(orig_fn, args, kwargs);
      const result = proxy.tracer.create_proxy(
        ...(["call_function", orig_fn, tuple(args), kwargs] as unknown as Parameters<Proxy["tracer"]["create_proxy"]>),
      );
      result.node.meta.set("is_wrapped", true);
      return result;
    },
  );
  wrappers.add(wrapped);
  return wrapped;
}

export class _Patcher {
  private readonly patches: { readonly globals: PyDict; readonly name: string; readonly before: unknown }[] = [];
  private readonly visited = new Set<PyDict>();

  private patch(globals: PyDict, name: string, make: (orig: unknown) => unknown): void {
    const before = globals.get(name);
    if (is_builtin(before) && wrappers.has(before)) return;
    this.patches.push({ globals, name, before });
    globals.set(name, make(before ?? builtins.get(name)));
  }

  /** Replaces the functions that the program wrapped. */
  patch_wrapped_functions(): void {
    for (const { globals, name } of [..._wrapped_fns_to_patch])
      if (globals.has(name) || builtins.has(name)) this.patch(globals, name, wrapped_function);
  }

  /** Replaces the functions in `globals` that are to be recorded wherever they stand. */
  autowrap_check(globals: PyDict, functions: ReadonlySet<unknown>): void {
    if (this.visited.has(globals)) return;
    this.visited.add(globals);
    for (const [name, value] of [...globals] as [string, unknown][])
      if (!name.startsWith("_") && functions.has(value) && is_callable(value))
        this.patch(globals, name, wrapped_function);
  }

  /** Puts everything back, the last replacement first. */
  revert_all_patches(): void {
    for (const { globals, name, before } of this.patches.toReversed())
      if (before === undefined) globals.delete(name);
      else globals.set(name, before);
    this.patches.length = 0;
  }
}

/**
 * Lets a function of the calling module be recorded as one node, and not traced through: `torch.fx.wrap("my_function")`, or as a decorator.
 * @throws {NotImplementedError} "wrap must be called at the top level of a module"
 */
export const wrap = has_name("torch.fx._symbolic_trace.wrap", (fn_or_name: unknown): unknown => {
  if (typeof fn_or_name !== "string" && !is_callable(fn_or_name))
    throw new RuntimeError("Unsupported type for global function! Must be either a callable or string name");
  const name = typeof fn_or_name === "string" ? fn_or_name : (name_of(fn_or_name) as string);
  const frame = frame_above(0);
  if (frame === null || frame.f_code.co_name !== "<module>")
    throw new NotImplementedError("wrap must be called at the top level of a module");
  _wrapped_fns_to_patch.push({ globals: frame.f_globals, name });
  return fn_or_name;
});
