/**
 * @file Functions and methods of the library as a program calls them.
 * @original
 */

import { define_attributes } from "../Objects/descrobject.ts";
import { bind_method } from "../Objects/funcobject.ts";
import { define_methods } from "../Objects/methodobject.ts";
import { builtin_type, TYPE, type TypeObject } from "../Objects/typeobject.ts";
import { arguments_to_library, from_library } from "./values.ts";

export type NativeFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Arguments of methods that are not converted as others are, by the name of the method. */
const conversions = new Map<string, typeof arguments_to_library>([["__deepcopy__", ([memo]) => [memo_of(memo)]]]);

/** Changes of the results of methods, by the name of the method; the library registers them. */
export const results = new Map<string, (value: unknown, self: unknown) => unknown>();

/** The memory of copies that the library keeps beside the one of Python's `copy`: its keys are objects, and need no hash. */
const memos = new WeakMap<object, Map<unknown, unknown>>();

function memo_of(memo: unknown): Map<unknown, unknown> {
  if (typeof memo !== "object" || memo === null) return new Map();
  let known = memos.get(memo);
  if (known === undefined) {
    known = new Map();
    memos.set(memo, known);
  }
  return known;
}

/** Calls a function of the library with the machine's arguments. */
export function call_native(
  fn: NativeFunction,
  self: unknown,
  args: readonly unknown[],
  kwnames: readonly string[] | null,
): unknown {
  return from_library(Reflect.apply(fn, self, arguments_to_library(args, kwnames)));
}

/** Whether PyTorch has a function in C: such a function is no method when it stands in a class. The library sets it. */
export const written_in_c: { test: (fn: NativeFunction) => boolean } = { test: () => false };

/**
 * A free function of the library: `torch.add`, or what a decorator of the library made of a program's function, which is a method when it stands in a
 * class.
 */
export const native_function_type: TypeObject = builtin_type("builtin_function_or_method", {
  tp_call: (fn: NativeFunction, args, kwnames) => call_native(fn, undefined, args, kwnames),
  tp_descr_get: (fn: NativeFunction, instance) =>
    instance === undefined || written_in_c.test(fn) ? fn : bind_method(fn, instance),
});

/** A method as a class of the library holds it: a function that takes its object as the first argument, which becomes `this`. */
export class NativeMethod {
  readonly name: string;
  readonly fn: NativeFunction;
  private readonly convert: typeof arguments_to_library;
  /** Adapts the result, if the name is registered. */
  private readonly adapt: ((value: unknown, self: unknown) => unknown) | undefined;

  constructor(name: string, fn: NativeFunction) {
    this.name = name;
    this.fn = fn;
    this.convert = conversions.get(name) ?? arguments_to_library;
    this.adapt = results.get(name);
  }

  call(self: unknown, args: readonly unknown[], kwnames: readonly string[] | null): unknown {
    const value = from_library(Reflect.apply(this.fn, self, this.convert(args, kwnames)));
    return this.adapt === undefined ? value : this.adapt(value, self);
  }
}

export const native_method_type: TypeObject = builtin_type("method_descriptor", {
  cls: NativeMethod,
  is_method_descriptor: true,
  tp_call: (method: NativeMethod, args, kwnames) => method.call(args[0], args.slice(1), kwnames),
  tp_descr_get: (method: NativeMethod, instance) => (instance === undefined ? method : bound(method, instance)),
});

/** A JavaScript function, because the library may get it as a callback. */
function bound(method: NativeMethod, self: unknown): unknown {
  const fn = (...args: unknown[]): unknown => Reflect.apply(method.fn, self, args);
  Object.defineProperties(fn, {
    [TYPE]: { value: bound_native_type },
    [BOUND_NATIVE]: { value: { method, self } },
  });
  return fn;
}

/** `x.add` that was looked up and not called at once carries its parts here. */
const BOUND_NATIVE = Symbol("python.bound_native");
interface Bound {
  readonly [BOUND_NATIVE]: { readonly method: NativeMethod; readonly self: unknown };
}

export const bound_native_type: TypeObject = builtin_type("builtin_function_or_method", {
  tp_call: (fn: Bound, args, kwnames) => fn[BOUND_NATIVE].method.call(fn[BOUND_NATIVE].self, args, kwnames),
});

define_attributes(native_method_type, {
  __name__: (method: NativeMethod) => method.name,
  __qualname__: (method: NativeMethod) => method.name,
  __doc__: () => null,
});
define_methods(native_method_type, { "__repr__(self, /)": (method: NativeMethod) => `<method '${method.name}'>` });
define_attributes(bound_native_type, {
  __name__: (fn: Bound) => fn[BOUND_NATIVE].method.name,
  __qualname__: (fn: Bound) => fn[BOUND_NATIVE].method.name,
  __self__: (fn: Bound) => fn[BOUND_NATIVE].self,
  __doc__: () => null,
});
define_methods(bound_native_type, {
  "__repr__(self, /)": (fn: Bound) => `<built-in method ${fn[BOUND_NATIVE].method.name}>`,
});
define_attributes(native_function_type, {
  __name__: (fn: NativeFunction) => fn.name,
  __qualname__: (fn: NativeFunction) => fn.name,
  __module__: () => "torch",
  __doc__: () => null,
});
define_methods(native_function_type, {
  "__repr__(self, /)": (fn: NativeFunction) => `<built-in method ${fn.name} of type object>`,
});
