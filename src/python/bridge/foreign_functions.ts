/**
 * @file Functions and methods of the library as a program calls them.
 * @original
 */

import { define_attributes } from "../Objects/descrobject.ts";
import { PyDict } from "../Objects/dictobject.ts";
import "../Objects/function_attributes.ts";
import { bind_method, function_type, METHOD, method_type } from "../Objects/funcobject.ts";
import { address } from "../Objects/hashing.ts";
import { builtin_function_type, define_methods } from "../Objects/methodobject.ts";
import { generic_getattr } from "../Objects/object.ts";
import { builtin_type, full_name, TYPE, type TypeObject, type_of } from "../Objects/typeobject.ts";
import { last_part, naming } from "./names.ts";
import { arguments_as_they_are, arguments_to_library, crosses_as_it_is, from_library } from "./values.ts";

export type NativeFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Arguments of methods that are not converted as others are, by the name of the method. */
export const conversions = new Map<string, typeof arguments_to_library>([
  ["__deepcopy__", ([memo]) => [memo_of(memo)]],
]);

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

/** A free function of the library that PyTorch has in C: `torch.add`. It is no method when it stands in a class. */
export const native_function_type: TypeObject = builtin_type("builtin_function_or_method", {
  bases: [builtin_function_type],
  shown_as: builtin_function_type,
  tp_call: (fn: NativeFunction, args, kwnames) => call_native(fn, undefined, args, kwnames),
});

/** Functions of the library around whose calls something must be done; the library registers them. */
export const around = new WeakMap<object, (run: () => unknown) => unknown>();

function within(fn: NativeFunction, run: () => unknown): unknown {
  const how = around.get(fn);
  return how === undefined ? run() : how(run);
}

/** How the text of a class begins. */
export const CLASS = /^class\b/;

/** An attribute of a function of the library: its type's, or one that a program set. */
function function_getattr(type: TypeObject, fn: NativeFunction, name: string): unknown {
  const found = type.lookup(name);
  const get = found === undefined ? null : type_of(found).tp_descr_get;
  if (get !== null) return get(found as never, fn, type);
  if (found !== undefined) return found;
  return Object.prototype.propertyIsEnumerable.call(fn, name)
    ? (fn as never as Record<string, unknown>)[name]
    : undefined;
}

/** A free function that PyTorch has in Python, or what a decorator of the library made of a program's function: it is a method when it stands in a class. */
export const python_function_type: TypeObject = builtin_type("function", {
  bases: [function_type],
  shown_as: function_type,
  prototype: {},
  tp_call: (fn: NativeFunction, args, kwnames) => within(fn, () => call_native(fn, undefined, args, kwnames)),
  tp_descr_get: (fn: NativeFunction, instance) => (instance === undefined ? fn : bind_method(fn, instance)),
  tp_getattro: (fn: NativeFunction, name) => function_getattr(python_function_type, fn, name),
  tp_setattro: (fn: NativeFunction, name, value) => {
    if (value === undefined) delete (fn as never as Record<string, unknown>)[name];
    else Object.defineProperty(fn, name, { value, writable: true, enumerable: true, configurable: true });
  },
});

/** A class of the library in whose place PyTorch has a function: a context that `contextlib` makes there. */
const context_function_type: TypeObject = builtin_type("function", {
  bases: [python_function_type],
  shown_as: function_type,
  prototype: {},
  tp_call: (fn: NativeFunction, args, kwnames) =>
    from_library(Reflect.construct(fn, arguments_to_library(args, kwnames)) as unknown),
});

/** Types of functions that a program has met. */
export const function_types = new WeakMap<object, TypeObject>();

/** The type of a function of the library, or of a class that PyTorch has as a function. */
export function type_of_function(fn: object): TypeObject {
  const known = naming.of(fn);
  const type = CLASS.test(Function.prototype.toString.call(fn))
    ? context_function_type
    : known?.in_c === true
      ? native_function_type
      : python_function_type;
  function_types.set(fn, type);
  return type;
}

/** A method as a class of the library holds it: a function that takes its object as the first argument, which becomes `this`. */
export class NativeMethod {
  readonly name: string;
  readonly fn: NativeFunction;
  private readonly convert: typeof arguments_to_library;
  /** Adapts the result, if the name is registered. */
  private readonly adapt: ((value: unknown, self: unknown) => unknown) | undefined;
  /** The class that holds it. */
  readonly owner: TypeObject | null;

  /** @param takes_values whether the method's class takes a program's values as they are */
  constructor(name: string, fn: NativeFunction, owner: TypeObject | null = null, takes_values = false) {
    this.name = name;
    this.fn = fn;
    this.owner = owner;
    this.convert = conversions.get(name) ?? (takes_values ? arguments_as_they_are : arguments_to_library);
    this.adapt = results.get(name);
  }

  call(self: unknown, args: readonly unknown[], kwnames: readonly string[] | null): unknown {
    // One object, as an operator has it, needs no list of arguments.
    const [only] = args;
    const value = from_library(
      kwnames === null && args.length === 1 && this.convert === arguments_to_library && crosses_as_it_is(only)
        ? Reflect.apply(this.fn, self, [only])
        : Reflect.apply(this.fn, self, this.convert(args, kwnames)),
    );
    return this.adapt === undefined ? value : this.adapt(value, self);
  }
}

/** A method that PyTorch has in Python: a function in its class. */
export class PythonMethod extends NativeMethod {}

export const native_method_type: TypeObject = builtin_type("method_descriptor", {
  cls: NativeMethod,
  is_method_descriptor: true,
  tp_call: (method: NativeMethod, args, kwnames) => method.call(args[0], args.slice(1), kwnames),
  tp_call_on: (method: NativeMethod, self, args, kwnames) => method.call(self, args, kwnames),
  tp_descr_get: (method: NativeMethod, instance) => (instance === undefined ? method : bound(method, instance)),
});

export const python_method_type: TypeObject = builtin_type("function", {
  bases: [function_type],
  shown_as: function_type,
  cls: PythonMethod,
  is_method_descriptor: true,
  tp_call: (method: PythonMethod, args, kwnames) => method.call(args[0], args.slice(1), kwnames),
  tp_call_on: (method: PythonMethod, self, args, kwnames) => method.call(self, args, kwnames),
  tp_descr_get: (method: PythonMethod, instance) => (instance === undefined ? method : bound(method, instance)),
  tp_getattro: generic_getattr as never,
  tp_setattro: null,
});

/** A JavaScript function, because the library may get it as a callback. */
function bound(method: NativeMethod, self: unknown): unknown {
  const fn = (...args: unknown[]): unknown => Reflect.apply(method.fn, self, args);
  if (method instanceof PythonMethod)
    Object.defineProperties(fn, { [TYPE]: { value: method_type }, [METHOD]: { value: { func: method, self } } });
  else
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
  bases: [builtin_function_type],
  shown_as: builtin_function_type,
  tp_call: (fn: Bound, args, kwnames) => fn[BOUND_NATIVE].method.call(fn[BOUND_NATIVE].self, args, kwnames),
});

// ---- Attributes

/** The signature that the library wrote for a function, as `inspect` reads it; null if it has none. */
function text_signature(fn: NativeFunction, self: boolean): string | null {
  const { __signature__: signature } = fn as { __signature__?: object };
  if (signature === undefined) return null;
  const text = String(signature);
  return self ? `(self${text === "()" ? "" : ", "}${text.slice(1)}` : text;
}

const qualname_of = ({ name, owner }: NativeMethod): string => (owner === null ? name : `${owner.qualname}.${name}`);
const module_of = (owner: TypeObject | null): unknown => owner?.dict.get("__module__") ?? null;

/** Attributes that only a function with code of Python has. */
const WITHOUT_CODE = {
  __code__: () => undefined,
  __globals__: () => undefined,
  __closure__: () => null,
  __defaults__: () => null,
  __kwdefaults__: () => null,
  __annotations__: () => new PyDict(),
  __builtins__: () => undefined,
};

define_attributes(native_method_type, {
  __name__: (method: NativeMethod) => method.name,
  __qualname__: qualname_of,
  __objclass__: (method: NativeMethod) => method.owner?.cls,
  __module__: () => undefined,
  __doc__: () => null,
  __text_signature__: (method: NativeMethod) => text_signature(method.fn, true),
});
define_methods(native_method_type, {
  "__repr__(self, /)": (method: NativeMethod) =>
    `<method '${method.name}' of '${method.owner === null ? "object" : full_name(method.owner)}' objects>`,
});
define_attributes(python_method_type, {
  ...WITHOUT_CODE,
  __name__: (method: NativeMethod) => method.name,
  __qualname__: qualname_of,
  __module__: (method: NativeMethod) => module_of(method.owner),
  __doc__: () => null,
  __dict__: () => new PyDict(),
  __text_signature__: (method: NativeMethod) => text_signature(method.fn, true),
});
define_methods(python_method_type, {
  "__repr__(self, /)": (method: NativeMethod) => `<function ${qualname_of(method)} at ${address(method)}>`,
});
define_attributes(bound_native_type, {
  __name__: (fn: Bound) => fn[BOUND_NATIVE].method.name,
  __qualname__: (fn: Bound) => qualname_of(fn[BOUND_NATIVE].method),
  __self__: (fn: Bound) => fn[BOUND_NATIVE].self,
  __module__: () => null,
  __doc__: () => null,
  __text_signature__: (fn: Bound) => text_signature(fn[BOUND_NATIVE].method.fn, false),
});
define_methods(bound_native_type, {
  "__repr__(self, /)": (fn: Bound) => {
    const { method, self } = fn[BOUND_NATIVE];
    return `<built-in method ${method.name} of ${type_of(self).tp_name} object at ${address(self)}>`;
  },
});

const function_qualname = (fn: NativeFunction): string => naming.of(fn)?.qualname ?? fn.name;
const of_function = {
  __name__: (fn: NativeFunction) => last_part(function_qualname(fn)),
  __qualname__: function_qualname,
  __module__: (fn: NativeFunction) => naming.of(fn)?.module ?? "torch",
  __doc__: () => null,
  __text_signature__: (fn: NativeFunction) => text_signature(fn, false),
};
define_attributes(native_function_type, of_function);
define_methods(native_function_type, {
  "__repr__(self, /)": (fn: NativeFunction) => {
    const qualname = function_qualname(fn);
    return qualname.includes(".")
      ? `<built-in method ${last_part(qualname)} of type object at ${address(native_function_type)}>`
      : `<built-in function ${qualname}>`;
  },
});
define_attributes(python_function_type, { ...WITHOUT_CODE, ...of_function, __dict__: () => new PyDict() });
define_methods(python_function_type, {
  "__repr__(self, /)": (fn: NativeFunction) => `<function ${function_qualname(fn)} at ${address(fn)}>`,
});

/** A function of the library that takes a program's values as they are. */
const value_function_type: TypeObject = builtin_type("function", {
  bases: [function_type],
  shown_as: function_type,
  prototype: {},
  tp_getattro: (fn: NativeFunction, name) => function_getattr(value_function_type, fn, name),
  tp_call: (fn: NativeFunction, args, kwnames) =>
    within(fn, () => from_library(Reflect.apply(fn, undefined, arguments_as_they_are(args, kwnames)))),
});
const MODULE = Symbol("python.module");
define_attributes(value_function_type, {
  ...WITHOUT_CODE,
  ...of_function,
  __module__: (fn: NativeFunction & { readonly [MODULE]: string }) => fn[MODULE],
  __dict__: () => new PyDict(),
});
define_methods(value_function_type, {
  "__repr__(self, /)": (fn: NativeFunction) => `<function ${function_qualname(fn)} at ${address(fn)}>`,
});

/** Marks a function of the library: it takes a program's values as they are, and stands in this module. */
export function takes_values<F extends object>(module: string, fn: F): F {
  return Object.defineProperties(fn, { [TYPE]: { value: value_function_type }, [MODULE]: { value: module } });
}
