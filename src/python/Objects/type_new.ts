/**
 * @file Making a class: `type.__new__`, from a name, bases and a namespace.
 * @mirrors Objects/typeobject.c#type_new (CPython 3.11)
 */
import { thread } from "../vm/frame.ts";
import { call_special, call_unbound, vectorcall } from "./call.ts";
import { PyClassMethod, PyProperty, PyStaticMethod } from "./descrobject.ts";
import type { PyDict } from "./dictobject.ts";
import { AttributeError, type BaseException, RuntimeError, TypeError_, ValueError } from "./exceptions.ts";
import { type Cell, is_function, running } from "./funcobject.ts";
import { list_from } from "./iterobject.ts";
import { define_methods, define_static_methods, is_builtin } from "./methodobject.ts";
import { super_lookup } from "./superobject.ts";
import { PyTuple } from "./tupleobject.ts";
import {
  foreign,
  heap_type,
  INFO,
  info_of,
  object_type,
  type PyClass,
  type TypeObject,
  type_of,
  type_type,
} from "./typeobject.ts";

/** Types from which a program cannot derive. */
const FINAL = new Set(["bool", "NoneType", "function", "method", "generator", "ellipsis", "range", "slice"]);

const METACLASS_CONFLICT =
  "metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the metaclasses of all its bases";

function base_of(value: unknown): TypeObject {
  const type = info_of(value) ?? foreign.class_of(value);
  if (type === null) throw new TypeError_(METACLASS_CONFLICT); // the value's type would have to be the metaclass
  if (!type.heap && FINAL.has(type.name)) throw new TypeError_(`type '${type.tp_name}' is not an acceptable base type`);
  return type;
}

/** The most derived metaclass of a class and its bases. */
export function winner(metatype: TypeObject, bases: readonly TypeObject[]): TypeObject {
  let best = metatype;
  for (const base of bases) {
    if (best.is_subtype(base.metatype)) continue;
    if (base.metatype.is_subtype(best)) best = base.metatype;
    else throw new TypeError_(METACLASS_CONFLICT);
  }
  return best;
}

/** The nearest class that decides an instance's memory: one that is written in TypeScript or by the library. */
function solid(type: TypeObject): TypeObject {
  const shares = (base: TypeObject): boolean =>
    base.reserved !== null && base.bases.some((parent) => parent.tp_alloc === base.tp_alloc);
  return (
    type.mro.find((base) => !base.heap && base.tp_alloc !== null && !shares(base) && !is_plain_exception(base)) ??
    object_type
  );
}

/** Exceptions whose instances hold more than any exception does. */
const LARGER_EXCEPTIONS = new Set([
  "BaseException",
  "StopIteration",
  "SystemExit",
  "ImportError",
  "NameError",
  "AttributeError",
  "OSError",
  "BaseExceptionGroup",
  "SyntaxError",
  "UnicodeDecodeError",
  "UnicodeEncodeError",
]);
const is_plain_exception = (type: TypeObject): boolean =>
  !LARGER_EXCEPTIONS.has(type.name) && type.mro.some((base) => base.name === "BaseException");

/** The base whose prototype the class's prototype descends from. */
function primary_of(bases: readonly TypeObject[]): TypeObject {
  let best = bases[0] as TypeObject;
  for (const base of bases.slice(1)) {
    const [a, b] = [solid(best), solid(base)];
    if (a === b || a.is_subtype(b)) continue;
    if (b.is_subtype(a)) best = base;
    else throw new TypeError_("multiple bases have instance lay-out conflict");
  }
  return best;
}

const HIDDEN = { enumerable: false, configurable: true } as const;

/** JavaScript's view of an attribute of a class: what the library calls `forward`, reads as a property or finds on the class itself. */
export function expose(cls: PyClass, name: string, value: unknown): void {
  const { prototype } = cls;
  if (name === "constructor" || name === "__proto__" || cls[INFO].reserved?.has(name) === true) return;
  if (is_function(value)) {
    Object.defineProperty(prototype, name, {
      value(this: unknown, ...args: unknown[]) {
        return running.from_js(value, [this, ...args]);
      },
      writable: true,
      ...HIDDEN,
    });
  } else if (typeof value === "function" && foreign.is_method(value)) {
    // A decorator of the library made it of a program's function.
    Object.defineProperty(prototype, name, {
      value(this: unknown, ...args: unknown[]) {
        return (value as (...args: unknown[]) => unknown)(this, ...args);
      },
      writable: true,
      ...HIDDEN,
    });
  } else if (typeof value === "function" && foreign.is_function(value)) {
    Object.defineProperty(cls, name, { value, writable: true, ...HIDDEN });
    Object.defineProperty(prototype, name, { value, writable: true, ...HIDDEN });
  } else if (value instanceof PyProperty) {
    Object.defineProperty(prototype, name, {
      get(this: unknown) {
        return value.fget === null ? undefined : vectorcall(value.fget, [this], null);
      },
      set(this: unknown, it: unknown) {
        vectorcall(value.fset, [this, it], null);
      },
      ...HIDDEN,
    });
  } else if (value instanceof PyStaticMethod || value instanceof PyClassMethod) {
    const bound = (receiver: unknown): unknown =>
      value instanceof PyStaticMethod
        ? value.__func__
        : (type_of(value).tp_descr_get?.(value as never, undefined, info_of(receiver) ?? cls[INFO]) ?? null);
    const call_it = function (this: unknown, ...args: unknown[]): unknown {
      const fn = bound(typeof this === "function" ? this : cls);
      return typeof fn === "function" ? (fn as (...args: unknown[]) => unknown)(...args) : vectorcall(fn, args, null);
    };
    Object.defineProperty(cls, name, { value: call_it, writable: true, ...HIDDEN });
    Object.defineProperty(prototype, name, { value: call_it, writable: true, ...HIDDEN });
  } else if (!name.startsWith("__") && !OF_FUNCTIONS.has(name) && is_plain_value(value)) {
    // A constant of the class, such as `arg_constraints` of a distribution: the library may have its own on a prototype above.
    const seen = foreign.constant(value);
    Object.defineProperty(cls, name, { value: seen, writable: true, ...HIDDEN });
    Object.defineProperty(prototype, name, { value: seen, writable: true, ...HIDDEN });
  }
}

/** Members of every function of JavaScript; a class cannot give them another meaning. */
const OF_FUNCTIONS = new Set(["name", "length", "prototype", "arguments", "caller", "apply", "bind", "call"]);

/** Whether an attribute of a class is a value, and not a function or descriptor: the library reads it as a property. */
function is_plain_value(value: unknown): boolean {
  const type = type_of(value);
  return typeof value !== "function" && type.tp_descr_get === null && type.tp_descr_set === null;
}

/** A class with `__get__`, `__set__` or `__delete__` of a program makes descriptors. */
export function add_descriptor_slots(type: TypeObject): void {
  const has = (name: string): boolean => {
    const method = type.lookup(name);
    return method !== undefined && method !== null && !is_builtin(method);
  };
  if (has("__get__")) {
    type.tp_descr_get = (descriptor, instance, owner) =>
      call_special(descriptor, "__get__", instance === undefined ? null : instance, owner.cls);
  }
  if (!has("__set__") && !has("__delete__")) return;
  type.tp_descr_set = (descriptor, instance, value) => {
    const [name, args] = value === undefined ? ["__delete__", [instance]] : ["__set__", [instance, value]];
    if (call_special(descriptor, name as string, ...(args as unknown[])) === undefined)
      throw new AttributeError(name as string);
  };
}

/** `type(name, bases, namespace)`. */
export function type_new(
  metacls: PyClass,
  name: string,
  bases: readonly unknown[],
  namespace: PyDict,
  keywords: ReadonlyMap<string, unknown>,
): PyClass {
  const types = bases.length === 0 ? [object_type] : bases.map(base_of);
  const metatype = winner(metacls[INFO], types);
  const primary = primary_of(types);
  const type = heap_type(
    name,
    types,
    metatype,
    Object.create((primary.is_primitive ? object_type : primary).cls.prototype as object) as object,
    {
      tp_alloc: primary.tp_alloc,
      tp_getattro: primary.tp_getattro,
      tp_setattro: primary.tp_setattro,
      tp_call: primary === object_type ? null : primary.tp_call,
    },
  );
  if (primary.cls !== object_type.cls) Object.setPrototypeOf(type.cls, primary.cls as object);
  for (const [key, value] of namespace) type.dict.set(key as string, value);
  const { dict } = type;
  const qualname = dict.get("__qualname__");
  dict.delete("__qualname__");
  if (qualname !== undefined) {
    if (typeof qualname !== "string")
      throw new TypeError_(`type __qualname__ must be a str, not ${type_of(qualname).tp_name}`);
    type.qualname = qualname;
  }
  add_slots(type);
  if (!dict.has("__module__")) {
    const module = thread.frame?.globals.get("__name__");
    if (module !== undefined) dict.set("__module__", module);
  }
  if (!dict.has("__doc__")) dict.set("__doc__", null);
  if (dict.has("__eq__") && !dict.has("__hash__")) dict.set("__hash__", null);
  const cell = dict.get("__classcell__") as Cell | undefined;
  if (cell !== undefined) {
    dict.delete("__classcell__");
    cell.value = type.cls;
  }
  if (is_function(dict.get("__new__"))) dict.set("__new__", wrapped(new PyStaticMethod(), dict.get("__new__")));
  for (const special of ["__init_subclass__", "__class_getitem__"])
    if (is_function(dict.get(special))) dict.set(special, wrapped(new PyClassMethod(), dict.get(special)));
  type.modified();
  add_descriptor_slots(type);
  // JavaScript sees the members of classes that it may meet. Built-in containers are left alone: their own code calls JavaScript's methods.
  const seen_by_javascript = primary.tp_alloc === null || primary.mro.some((base) => base.only_prototype !== null);
  if (seen_by_javascript) expose_all(type, primary);
  for (const [key, value] of [...dict]) {
    const value_type = type_of(value);
    const set_name = value_type.lookup("__set_name__");
    if (set_name !== undefined) {
      try {
        call_unbound(set_name, value, [type.cls, key], null, value_type);
      } catch (error) {
        throw set_name_failed(error, value_type, key, name);
      }
    }
  }
  init_subclass(type, keywords);
  return type.cls;
}

/** The members of the class, and of mixins, which JavaScript would not find along the one chain of prototypes. */
function expose_all(type: TypeObject, primary: TypeObject): void {
  for (const base of [...type.mro].reverse())
    if (base !== type && base.heap && !primary.mro.includes(base))
      for (const [key, value] of base.dict) expose(type.cls, key, value);
  for (const [key, value] of type.dict) expose(type.cls, key, value);
}

/** `__slots__`: attributes that are not in the instance's `__dict__`; without bases that take any attribute, there are no others. */
function add_slots(type: TypeObject): void {
  const declared = type.dict.get("__slots__");
  if (declared === undefined || type.bases.some((base) => base.tp_alloc !== null && base.name !== "dict")) return;
  const names = (typeof declared === "string" ? [declared] : list_from(declared)).map((name) => {
    if (typeof name !== "string")
      throw new TypeError_(`__slots__ items must be strings, not '${type_of(name).tp_name}'`);
    if (type.dict.has(name)) throw new ValueError(`'${name}' in __slots__ conflicts with class variable`);
    return mangled(type.name, name);
  });
  type.has_dict = names.includes("__dict__") || type.bases.some((base) => base.has_dict);
  type.slots = new Set([...names, ...type.bases.flatMap((base) => [...(base.slots ?? [])])]);
}

/** A private name as the compiler writes it in the class's methods. */
function mangled(cls: string, name: string): string {
  const prefix = cls.replace(/^_+/, "");
  return name.startsWith("__") && !name.endsWith("__") && prefix !== "" ? `_${prefix}${name}` : name;
}

function set_name_failed(error: unknown, value_type: TypeObject, key: string, name: string): unknown {
  const wrapped_error = new RuntimeError(
    `Error calling __set_name__ on '${value_type.tp_name}' instance '${key}' in '${name}'`,
  );
  wrapped_error.__cause__ = error as BaseException;
  wrapped_error.__suppress_context__ = true;
  return wrapped_error;
}

function wrapped<T extends { __func__: unknown }>(method: T, fn: unknown): T {
  method.__func__ = fn;
  return method;
}

/** `super(cls, cls).__init_subclass__(**keywords)`. */
function init_subclass(type: TypeObject, keywords: ReadonlyMap<string, unknown>): void {
  const found = super_lookup(type, type, "__init_subclass__");
  if (found === undefined) {
    if (keywords.size > 0) throw new TypeError_(`${type.name}.__init_subclass__() takes no keyword arguments`);
    return;
  }
  const get = type_of(found).tp_descr_get;
  const method = get === null ? found : get(found as never, undefined, type);
  vectorcall(method, [...keywords.values()], keywords.size === 0 ? null : [...keywords.keys()]);
}

define_static_methods(type_type, {
  "__new__(metacls, name, bases, namespace, /, **kwargs)": (
    metacls: PyClass,
    name: unknown,
    bases: unknown,
    namespace: PyDict,
    kwargs: ReadonlyMap<string, unknown>,
  ) => {
    if (typeof name !== "string")
      throw new TypeError_(`type.__new__() argument 1 must be str, not ${type_of(name).tp_name}`);
    if (!(bases instanceof PyTuple))
      throw new TypeError_(`type.__new__() argument 2 must be tuple, not ${type_of(bases).tp_name}`);
    if (!(namespace instanceof Map))
      throw new TypeError_(`type.__new__() argument 3 must be dict, not ${type_of(namespace).tp_name}`);
    const metatype = winner(metacls[INFO], bases.map(base_of));
    const make = metatype.lookup("__new__");
    if (metatype !== metacls[INFO] && make !== type_type.dict.get("__new__")) {
      const fn = make instanceof PyStaticMethod ? make.__func__ : make;
      const args = [metatype.cls, name, bases, namespace, ...kwargs.values()];
      return vectorcall(fn, args, kwargs.size === 0 ? null : [...kwargs.keys()]);
    }
    return type_new(metacls, name, bases, namespace, kwargs);
  },
});
define_methods(type_type, {
  "__init__(self, /, *args, **kwargs)": () => null,
});
