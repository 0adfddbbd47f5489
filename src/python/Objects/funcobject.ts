/**
 * @file Python functions: a JavaScript function that carries a code object, its globals, its defaults and its cells.
 * @mirrors Objects/funcobject.c (CPython 3.11)
 */
import type { Code } from "../compiler/code.ts";
import { builtins_of } from "./builtins_of.ts";
import { FUNCTION, vectorcall } from "./call.ts";
import type { PyDict } from "./dictobject.ts";
import { TypeError_, ValueError } from "./exceptions.ts";
import type { PyTuple } from "./tupleobject.ts";
import { builtin_type, TYPE } from "./typeobject.ts";

/** A variable that functions share: the value, or undefined while it is unbound. */
export class Cell {
  value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  get cell_contents(): unknown {
    if (this.value === undefined) throw new ValueError("Cell is empty");
    return this.value;
  }

  set cell_contents(value: unknown) {
    this.value = value;
  }
}

/** The parts of a function: code, globals, defaults, cells, names. */
export class FunctionRecord {
  code: Code;
  readonly globals: PyDict;
  /** Built-in names that the function sees: those of its globals when it was made. */
  readonly builtins: PyDict;
  readonly closure: readonly Cell[] | null;
  defaults: PyTuple | null = null;
  kwdefaults: PyDict | null = null;
  annotations: PyDict | null = null;
  name: string;
  qualname: string;
  doc: unknown = null;
  module: unknown;

  constructor(code: Code, globals: PyDict, closure: readonly Cell[] | null) {
    this.code = code;
    this.globals = globals;
    this.builtins = builtins_of(globals);
    this.closure = closure;
    this.name = code.co_name;
    this.qualname = code.co_qualname;
    this.module = globals.get("__name__") ?? null;
  }
}

export interface PyFunction {
  (...args: unknown[]): unknown;
  readonly [FUNCTION]: FunctionRecord;
}

/** Runs calls from JavaScript; the machine sets it. `self` is JavaScript's `this`. */
export const running: {
  from_js: (fn: PyFunction, args: unknown[]) => unknown;
  /** Arguments of JavaScript as the machine passes them: one plain object behind the others holds keywords, unless `fn` cannot take them. */
  arguments_of_javascript: (
    args: unknown[],
    fn: PyFunction | null,
  ) => [args: unknown[], kwnames: readonly string[] | null];
  call: (fn: PyFunction, args: unknown[], kwnames: readonly string[] | null) => unknown;
} = {
  from_js: () => {
    throw new TypeError_("the machine is not ready");
  },
  arguments_of_javascript: (args) => [args, null],
  call: () => {
    throw new TypeError_("the machine is not ready");
  },
};

export const function_type = builtin_type("function", {
  is_method_descriptor: true,
  tp_call: (fn: PyFunction, args, kwnames) => running.call(fn, args, kwnames),
  tp_descr_get: (fn: PyFunction, instance) => (instance === undefined ? fn : bind_method(fn, instance)),
});

export function make_function(code: Code, globals: PyDict, closure: readonly Cell[] | null): PyFunction {
  const fn = ((...args: unknown[]) => running.from_js(fn, args)) as unknown as PyFunction;
  const carrier = fn as unknown as Record<symbol, unknown>;
  carrier[FUNCTION] = new FunctionRecord(code, globals, closure);
  carrier[TYPE] = function_type;
  return fn;
}

/** Whether a value is a function that a program made with `def` or `lambda`. */
export function is_function(value: unknown): value is PyFunction {
  return typeof value === "function" && Object.hasOwn(value, FUNCTION);
}

// ---- Methods

/** A bound method carries its function and its instance here. */
export const METHOD: unique symbol = Symbol("python.method");

export interface PyMethod {
  (...args: unknown[]): unknown;
  readonly [METHOD]: { readonly func: unknown; readonly self: unknown };
}

export const method_type = builtin_type("method", {
  tp_call: (method: PyMethod, args, kwnames) =>
    vectorcall(method[METHOD].func, [method[METHOD].self, ...args], kwnames),
});

/** `instance.method`: the function with its first argument. */
export function bind_method(func: unknown, self: unknown): PyMethod {
  const method = ((...args: unknown[]) =>
    is_function(func)
      ? running.from_js(func, [self, ...args])
      : vectorcall(func, [self, ...args], null)) as unknown as PyMethod;
  const carrier = method as unknown as Record<symbol, unknown>;
  carrier[METHOD] = { func, self };
  carrier[TYPE] = method_type;
  return method;
}

export function is_method(value: unknown): value is PyMethod {
  return typeof value === "function" && Object.hasOwn(value, METHOD);
}
