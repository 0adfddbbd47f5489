/**
 * @file Calling a class: `type.__call__`, `object.__new__` and `object.__init__`, and the memory of an instance.
 * @mirrors Objects/typeobject.c#type_call (CPython 3.11)
 */
import { call_unbound, FUNCTION, vectorcall } from "./call.ts";
import { TypeError_ } from "./exceptions.ts";
import { type PyFunction, running } from "./funcobject.ts";
import { define_methods, define_static_methods, is_builtin } from "./methodobject.ts";
import { INFO, is_instance, object_type, type PyClass, type TypeObject, type_of, type_type } from "./typeobject.ts";

/** How instances of a class are made when nothing but `__init__` of a program is to run. */
interface Construction {
  readonly version: number;
  readonly allocate: () => object;
  readonly init: PyFunction | null;
}

const constructions = new WeakMap<TypeObject, Construction>();

/** An instance without attributes. Instances of a class with `__call__` are JavaScript functions, so that the library can call them. */
export function allocate(type: TypeObject): object {
  if (type.tp_alloc !== null) return type.tp_alloc(type.cls);
  if (type.lookup("__call__") !== undefined) return callable_instance(type);
  return new (maker_of(type))();
}

const makers = new WeakMap<TypeObject, new () => object>();

/** A JavaScript class of the same prototype: its objects learn how many properties they will have. */
function maker_of(type: TypeObject): new () => object {
  let maker = makers.get(type);
  if (maker === undefined) {
    maker = function () {} as unknown as new () => object;
    maker.prototype = type.cls.prototype;
    makers.set(type, maker);
  }
  return maker;
}

function callable_instance(type: TypeObject): object {
  const instance = (...args: unknown[]): unknown => {
    const [positional, kwnames] = running.arguments_of_javascript(args, null);
    return vectorcall(instance, positional, kwnames);
  };
  Object.setPrototypeOf(instance, type.cls.prototype);
  delete (instance as { name?: string }).name;
  delete (instance as { length?: number }).length;
  return instance;
}

/** The short way to an instance, for the machine: null if `__new__`, the metaclass or a built-in base has a say. */
export function simple_construction(callable: unknown): (Construction & { readonly init: PyFunction }) | null {
  const type = (callable as { readonly [INFO]?: TypeObject })[INFO];
  if (type === undefined || !type.heap) return null;
  let known = constructions.get(type);
  if (known === undefined || known.version !== type.version) {
    const plain =
      type.metatype === type_type &&
      type.tp_alloc === null &&
      type.lookup("__new__") === object_new &&
      type.lookup("__call__") === undefined;
    const init = type.lookup("__init__");
    const maker = maker_of(type);
    known = {
      version: type.version,
      allocate: () => new maker(),
      init: plain && typeof init === "function" && Object.hasOwn(init, FUNCTION) ? (init as PyFunction) : null,
    };
    constructions.set(type, known);
  }
  return known.init === null ? null : (known as Construction & { readonly init: PyFunction });
}

export function init_returned(value: unknown): TypeError_ {
  return new TypeError_(`__init__() should return None, not '${type_of(value).tp_name}'`);
}

/** `type.__call__`: `__new__`, then `__init__` if an instance came of it. */
export function type_call(cls: PyClass, args: unknown[], kwnames: readonly string[] | null): unknown {
  const type = cls[INFO];
  if (type === type_type) {
    if (args.length === 1 && kwnames === null) return shown_type(args[0]).cls;
    if (args.length - (kwnames?.length ?? 0) !== 3) throw new TypeError_("type() takes 1 or 3 arguments");
  }
  const make = type.lookup("__new__");
  if (make === undefined) throw new TypeError_(`cannot create '${type.tp_name}' instances`);
  const instance = call_new(make, cls, args, kwnames);
  if (!is_instance(instance, type)) return instance;
  const init = type_of(instance).lookup("__init__");
  if (init !== undefined && init !== object_init) {
    const value = call_unbound(init, instance, args, kwnames, type);
    if (value !== null) throw init_returned(value);
  }
  return instance;
}

/** `type(value)`. */
export function shown_type(value: unknown): TypeObject {
  const type = type_of(value);
  return type.shown_as ?? type;
}

function call_new(make: unknown, cls: PyClass, args: unknown[], kwnames: readonly string[] | null): unknown {
  const get = type_of(make).tp_descr_get;
  const fn = get === null || is_builtin(make) ? make : get(make as never, undefined, cls[INFO]);
  return vectorcall(fn, [cls, ...args], kwnames);
}

/** Calling a metaclass' instance asks the metaclass for `__call__` first. */
export function call_class(cls: PyClass, args: unknown[], kwnames: readonly string[] | null): unknown {
  const { metatype } = cls[INFO];
  if (metatype !== type_type) {
    const own = metatype.lookup("__call__");
    if (own !== undefined && own !== type_type.dict.get("__call__"))
      return call_unbound(own, cls, args, kwnames, metatype);
  }
  return type_call(cls, args, kwnames);
}
(type_type as { tp_call: unknown }).tp_call = call_class;

function excess(type: TypeObject, given: number, keywords: number): TypeError_ | null {
  if (given === 0 && keywords === 0) return null;
  const own_new = type.lookup("__new__") !== object_new;
  const own_init = type.lookup("__init__") !== object_init;
  if (own_new && type.dict.get("__new__") !== undefined && !own_init) return null;
  if (own_init && !own_new) return null;
  if (own_new) return new TypeError_("object.__new__() takes exactly one argument (the type to instantiate)");
  return new TypeError_(`${type.name}() takes no arguments`);
}

function abstract_methods(type: TypeObject): string[] {
  const names = type.lookup("__abstractmethods__");
  if (names === undefined || names === null) return [];
  return [...(names as Iterable<string>)].sort();
}

define_static_methods(object_type, {
  "__new__(cls, /, *args, **kwargs)": (cls: PyClass, args: unknown[], kwargs: Map<string, unknown>) => {
    const type = cls[INFO];
    const maker = type.mro.find((base) => !base.heap && base.dict.has("__new__") && !base.allocates);
    if (maker !== undefined && maker !== object_type) {
      const safe = type.mro.find((base) => is_builtin(base.lookup("__new__"))) ?? maker;
      throw new TypeError_(`object.__new__(${type.name}) is not safe, use ${safe.name}.__new__()`);
    }
    const error = excess(type, args.length, kwargs.size);
    if (error !== null) throw error;
    const missing = abstract_methods(type);
    if (missing.length > 0) {
      const names = missing.join(", ");
      const s = missing.length === 1 ? "" : "s";
      throw new TypeError_(`Can't instantiate abstract class ${type.tp_name} with abstract method${s} ${names}`);
    }
    return allocate(type);
  },
});
define_methods(object_type, {
  "__init__(self, /, *args, **kwargs)": (self: object, args: unknown[], kwargs: Map<string, unknown>) => {
    if (args.length === 0 && kwargs.size === 0) return;
    const type = type_of(self);
    if (type.lookup("__init__") !== object_init)
      throw new TypeError_("object.__init__() takes exactly one argument (the instance to initialize)");
    if (type.lookup("__new__") === object_new) throw new TypeError_(`${type.name}() takes no arguments`);
  },
});
export const object_new = object_type.dict.get("__new__");
export const object_init = object_type.dict.get("__init__");

define_methods(type_type, {
  "__call__(self, /, *args, **kwargs)": (self: PyClass, args: unknown[], kwargs: Map<string, unknown>) =>
    type_call(self, [...args, ...kwargs.values()], kwargs.size === 0 ? null : [...kwargs.keys()]),
});
