/**
 * @file Classes of the library as Python classes: names, bases, attributes, instances, and classes that a program derives from them.
 * @original
 */
import { ALLOCATE, Allocated, allocate, construct_on, TAKES_VALUES } from "../Objects/allocated.ts";
import { call_unbound } from "../Objects/call.ts";
import { AttributeError, TypeError_ } from "../Objects/exceptions.ts";
import { BUILTIN, type BuiltinFunction, define_methods, define_static_methods } from "../Objects/methodobject.ts";
import { expose } from "../Objects/type_new.ts";
import {
  builtin_type,
  full_name,
  INFO,
  object_type,
  type PyClass,
  TYPE,
  TypeObject,
  type_of,
  type_type,
} from "../Objects/typeobject.ts";
import { float_if_kept, remember_floats } from "./float_attributes.ts";
import { CLASS, call_native, type NativeFunction, NativeMethod, PythonMethod } from "./foreign_functions.ts";
import { last_part, naming, type PythonName } from "./names.ts";
import { arguments_as_they_are, arguments_to_library, from_library } from "./values.ts";

type Constructor = abstract new (...args: never[]) => object;

/** Names that belong to JavaScript: a program does not see them. */
const HIDDEN = new Set([
  "constructor",
  "toString",
  "valueOf",
  "toJSON",
  "toLocaleString",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "length", // `__len__`
]);
/** Own properties of every function of JavaScript; a module of the library is a function. */
const OF_FUNCTIONS = new Set(["name", "length", "prototype", "arguments", "caller"]);

/** Names that the library gives its classes for itself: `dir` does not show them. */
const NOT_SHOWN = new Set(["__signature__", "__metaclass__"]);

/** Methods that a class of the library has because JavaScript lacks something, and that PyTorch's does not have. */
export const not_in_python = new WeakMap<object, ReadonlySet<string>>();

/** An accessor of a class of the library: `x.grad`. */
class NativeProperty {
  readonly name: string;
  readonly get: (() => unknown) | undefined;
  readonly set: ((value: unknown) => void) | undefined;

  constructor(name: string, { get, set }: PropertyDescriptor) {
    this.name = name;
    this.get = get;
    this.set = set;
  }
}
builtin_type("getset_descriptor", {
  cls: NativeProperty,
  tp_descr_get: (property: NativeProperty, instance) => {
    if (instance === undefined) return property;
    return property.get === undefined ? undefined : from_library(property.get.call(instance));
  },
  tp_descr_set: (property: NativeProperty, instance, value) => {
    if (property.set === undefined)
      throw new AttributeError(
        `attribute '${property.name}' of '${type_of(instance).tp_name}' objects is not writable`,
      );
    property.set.call(instance, value);
  },
});

/** The library says what Python calls its public classes. Others may say it themselves, or have their JavaScript name and no module. */
function name_of(native: Constructor): PythonName {
  const known = naming.of(native);
  if (known !== undefined) return known;
  const module = own_text(native, "__module__");
  if (native.prototype instanceof Error)
    return { module: module ?? "torch", qualname: native.prototype.name, in_c: true, is_function: false };
  const name = own_text(native, "__name__") ?? native.name;
  const dot = name.lastIndexOf(".");
  const rest = { in_c: /^[a-z]/.test(name), is_function: false };
  return dot < 0
    ? { module: module ?? "torch", qualname: name, ...rest }
    : { module: name.slice(0, dot), qualname: name.slice(dot + 1), ...rest };
}

/** A text that the class itself has; that of its base does not count. */
function own_text(native: Constructor, what: "__name__" | "__module__"): string | null {
  const value = Object.getOwnPropertyDescriptor(native, what)?.value as unknown;
  return typeof value === "string" ? value : null;
}

/** A class of the library. Its attributes are looked up on JavaScript's prototype when a program asks for them. */
export class ForeignType extends TypeObject {
  private readonly seen = new Map<string, unknown>();
  /** The properties of the prototype and of the class, as they were before a program changed an attribute. */
  private readonly replaced = new Map<string, (PropertyDescriptor | undefined)[]>();

  private readonly native: Constructor;
  /** Whether PyTorch writes it in C. */
  readonly in_c: boolean;
  private readonly takes_values: boolean;

  constructor(native: Constructor, base: TypeObject) {
    const { module, qualname, in_c } = name_of(native);
    super(last_part(qualname), [base], type_type, false, {
      tp_alloc: (cls) => allocate_for(native, cls),
      tp_getattro: foreign_getattr,
      tp_setattro: foreign_setattr,
      tp_call: TAKES_VALUES in native ? call_with_values : call_foreign,
    });
    this.native = native;
    this.qualname = qualname;
    this.in_c = in_c;
    this.takes_values = TAKES_VALUES in native;
    this.cls = native as unknown as PyClass;
    this.has_dict = true;
    this.allocates = !in_c && ALLOCATE in native;
    this.only_prototype = native.prototype as object;
    this.dict.set("__module__", module);
    this.dict.set("__doc__", null);
  }

  /** Gives the class the name that the library says. */
  rename({ module, qualname }: PythonName): void {
    this.qualname = qualname;
    this.dict.set("__module__", module);
  }

  /** A class that is written in Python has its short name in messages. */
  override get tp_name(): string {
    return this.in_c ? super.tp_name : this.name;
  }

  /** A method: in a class that is written in Python, it is a function. */
  private method(name: string, fn: NativeFunction): NativeMethod {
    const owner = full_name(this);
    return this.in_c && !naming.is_python_method(owner, name)
      ? new NativeMethod(name, fn, this, this.takes_values)
      : new PythonMethod(name, fn, this, this.takes_values);
  }

  override own(name: string): unknown {
    const known = this.dict.get(name) ?? this.seen.get(name);
    if (known !== undefined) return known;
    if (HIDDEN.has(name) || not_in_python.get(this.native)?.has(name) === true) return undefined;
    const found = this.of_prototype(name) ?? this.of_class(name);
    if (found !== undefined) this.seen.set(name, found);
    return found;
  }

  override names(): Iterable<string> {
    const { native } = this;
    const own = [...Object.getOwnPropertyNames(native.prototype), ...Object.getOwnPropertyNames(native)];
    return new Set([
      ...this.dict.keys(),
      ...own.filter((name) => !NOT_SHOWN.has(name) && this.own(name) !== undefined),
    ]);
  }

  /** A class that is Python in PyTorch can be changed, also for the library: a program replaces a method and puts it back. */
  override change(name: string, value: unknown): boolean {
    if (this.in_c) return false;
    const { native } = this;
    const places = [native.prototype as object, native] as const;
    let before = this.replaced.get(name);
    if (before === undefined) {
      before = places.map((place) => Object.getOwnPropertyDescriptor(place, name));
      this.replaced.set(name, before);
    }
    const is_back = value === undefined || value instanceof NativeMethod || value instanceof NativeProperty;
    if (!is_back) {
      expose(native as unknown as PyClass, name, value);
      // An object that can be called is no method: it does not receive `self`.
      if (
        typeof value === "function" &&
        Object.getOwnPropertyDescriptor(native.prototype, name)?.value === before[0]?.value
      )
        Object.defineProperty(native.prototype, name, { value, writable: true, configurable: true });
    } else
      for (const [i, place] of places.entries()) {
        const descriptor = before[i];
        if (descriptor === undefined) Reflect.deleteProperty(place, name);
        else Object.defineProperty(place, name, descriptor);
      }
    this.seen.delete(name);
    this.set(name, is_back ? undefined : value);
    return true;
  }

  private of_prototype(name: string): unknown {
    const descriptor = Object.getOwnPropertyDescriptor(this.native.prototype, name);
    if (descriptor === undefined) return special_of(this.native.prototype as object, name);
    if (descriptor.get !== undefined || descriptor.set !== undefined) return new NativeProperty(name, descriptor);
    return typeof descriptor.value === "function"
      ? this.method(name, descriptor.value as NativeFunction)
      : from_library(descriptor.value);
  }

  /** Static members; a function becomes a static method that keeps the class as `this`. */
  private of_class(name: string): unknown {
    // A static function with the name of a method is the method for callers without an object, which a program gets from the method itself.
    if (OF_FUNCTIONS.has(name) || name in (this.native.prototype as object)) return undefined;
    const descriptor = Object.getOwnPropertyDescriptor(this.native, name);
    if (descriptor === undefined) return undefined;
    const value = descriptor.get === undefined ? (descriptor.value as unknown) : descriptor.get.call(this.native);
    return typeof value === "function" && !is_class(value)
      ? new NativeStatic(name, value as NativeFunction)
      : from_library(value);
  }
}

/** Calls an object of the library: a module is a function of JavaScript, others have `__call__`. */
function call_foreign(callable: object, args: unknown[], kwnames: readonly string[] | null): unknown {
  if (typeof callable === "function") return call_native(callable as NativeFunction, undefined, args, kwnames);
  const type = type_of(callable);
  const method = type.lookup("__call__");
  if (method === undefined) throw new TypeError_(`'${type.tp_name}' object is not callable`);
  return call_unbound(method, callable, args, kwnames, type);
}

/** Calls an object of a class that takes a program's values as they are. */
function call_with_values(callable: object, args: unknown[], kwnames: readonly string[] | null): unknown {
  if (typeof callable !== "function") return call_foreign(callable, args, kwnames);
  return from_library(Reflect.apply(callable, undefined, arguments_as_they_are(args, kwnames)));
}

/** The arguments of a constructor, as its class takes them. */
const for_constructor = (native: Constructor): typeof arguments_to_library =>
  TAKES_VALUES in native ? arguments_as_they_are : arguments_to_library;

/** A static method of the library's class: the class through which it is called is `this`. */
class NativeStatic {
  readonly name: string;
  readonly fn: NativeFunction;

  constructor(name: string, fn: NativeFunction) {
    this.name = name;
    this.fn = fn;
  }
}
builtin_type("builtin_function_or_method", {
  cls: NativeStatic,
  tp_descr_get: (method: NativeStatic, _instance, type) => {
    const fn = (...args: unknown[]): unknown => Reflect.apply(method.fn, type.cls, args);
    Object.defineProperty(fn, "name", { value: method.name });
    return fn;
  },
  tp_call: (method: NativeStatic, args, kwnames) => call_native(method.fn, undefined, args, kwnames),
});

/** Special methods that JavaScript spells otherwise: iteration and length. */
function special_of(prototype: object, name: string): unknown {
  const spelled = specials.get(name);
  return spelled === undefined ? undefined : spelled(prototype);
}
export const specials = new Map<string, (prototype: object) => unknown>();

function allocate_for(native: Constructor, cls: PyClass): object {
  if (ALLOCATE in native) return allocate(native as never, cls.prototype as object);
  return Reflect.construct(native as never, [], cls as never) as object;
}

/** The attribute of an object of the library: properties of classes, own properties, methods. */
export function foreign_getattr(instance: object, name: string): unknown {
  const type = type_of(instance);
  const found = type.lookup(name);
  const found_type = found === undefined ? null : type_of(found);
  if (found_type !== null && found_type.tp_descr_get !== null && found_type.tp_descr_set !== null)
    return found_type.tp_descr_get(found as never, instance, type);
  if (Object.hasOwn(instance, name)) {
    const visible = Object.prototype.propertyIsEnumerable.call(instance, name);
    if (visible || !(typeof instance === "function" && OF_FUNCTIONS.has(name))) {
      const value = (instance as Record<string, unknown>)[name];
      if (typeof value === "number") return float_if_kept(instance, name, value);
      return value === undefined && visible ? null : value;
    }
  }
  if (found_type === null) return of_proxy(instance, name);
  return found_type.tp_descr_get === null ? found : found_type.tp_descr_get(found as never, instance, type);
}

/** A name that neither the object nor its class holds, but that the object answers to: `torch.ops.aten` is made when it is asked for. */
function of_proxy(instance: object, name: string): unknown {
  const is_made = !Object.hasOwn(instance, name) && name in instance && !(name in Object.getPrototypeOf(instance));
  return is_made ? (instance as Record<string, unknown>)[name] : undefined;
}

function foreign_setattr(instance: object, name: string, value: unknown): void {
  const type = type_of(instance);
  const found = type.lookup(name);
  const set = found === undefined ? null : type_of(found).tp_descr_set;
  if (set !== null) set(found as never, instance, value);
  else if (value === undefined) {
    if (!Object.hasOwn(instance, name)) throw new AttributeError(name);
    delete (instance as Record<string, unknown>)[name];
  } else if (Object.hasOwn(instance, name) && !(typeof instance === "function" && OF_FUNCTIONS.has(name)))
    (instance as Record<string, unknown>)[name] = value;
  else Object.defineProperty(instance, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Classes of the library that are subclasses of a class of Python's library, which is loaded when they are met. */
export const python_bases = new Map<unknown, () => TypeObject>();

/** Types of JavaScript's own classes from which the library derives: Map and Set. */
export const base_types = new Map<unknown, TypeObject>();

const foreign_types = new WeakMap<object, ForeignType>();

/** The class for which a public function stands: it has the class's prototype, as `torch.Size` has. */
function stands_for(value: object): Constructor | null {
  const prototype = Object.getOwnPropertyDescriptor(value, "prototype")?.value as
    | { constructor?: Constructor }
    | undefined;
  const made_by = prototype?.constructor;
  return made_by !== undefined &&
    made_by !== (value as unknown) &&
    CLASS.test(Function.prototype.toString.call(made_by))
    ? made_by
    : null;
}

/** Whether a function of JavaScript is a class. */
export function is_class(value: unknown): value is Constructor {
  if (typeof value !== "function") return false;
  if (naming.of(value)?.is_function === true) return false;
  if (Object.hasOwn(value, INFO) || foreign_types.has(value) || stands_for(value) !== null) return true;
  return CLASS.test(Function.prototype.toString.call(value));
}

/** The record of a class of the library; it is made when the class is first met. */
export function foreign_type(native: Constructor): TypeObject {
  if (Object.hasOwn(native, INFO)) return (native as unknown as PyClass)[INFO];
  const known = foreign_types.get(native);
  if (known !== undefined) return known;
  const other = stands_for(native);
  if (other !== null) {
    const type = foreign_type(other);
    type.cls = native as unknown as PyClass; // programs see the public one
    Object.defineProperties(native, {
      [INFO]: { value: type, configurable: true },
      [TYPE]: { value: type.metatype, configurable: true },
    });
    return type;
  }
  const above = Object.getPrototypeOf(native.prototype) as { constructor?: Constructor } | null;
  const parent =
    above === null || above === Object.prototype || (above as unknown) === Function.prototype
      ? undefined
      : above.constructor;
  const python_base = python_bases.get(native)?.();
  const base =
    python_base ??
    (parent === undefined ||
    parent === (native as unknown) ||
    (parent as unknown) === Object ||
    (parent as unknown) === Function
      ? object_type
      : (base_types.get(parent) ?? foreign_type(parent)));
  if (base === object_type && (parent as unknown) === Allocated) foreign_type(Allocated as unknown as Constructor);
  const type = new ForeignType(native, base);
  foreign_types.set(native, type);
  Object.defineProperty(native, INFO, { value: type, configurable: true });
  Object.defineProperty(native, TYPE, { value: type.metatype, configurable: true });
  if (!Object.hasOwn(native.prototype, TYPE))
    Object.defineProperty(native.prototype, TYPE, { value: type, configurable: true });
  if (base === object_type) has_own_new(type);
  define_methods(type, {
    "__init__(self, /, *args, **kwargs)": (self: object, args: unknown[], kwargs: Map<string, unknown>) =>
      foreign_init(native, self, args, kwargs),
  });
  if ("__signature__" in native) {
    const init = type.dict.get("__init__") as BuiltinFunction;
    const text = String(native.__signature__);
    init[BUILTIN].shown = text === "()" ? "(self)" : `(self, ${text.slice(1)}`;
  }
  return type;
}

/** The class of the library from which a Python class descends. */
function native_of(type: TypeObject): Constructor {
  const foreign = type.mro.find((base) => base instanceof ForeignType);
  return foreign?.cls as unknown as Constructor;
}

/** Whether a class cannot be made without arguments, but an object of it can be allocated. */
function needs_arguments(native: Constructor): boolean {
  const { __signature__: signature } = native as { readonly __signature__?: { readonly required?: number } };
  return ALLOCATE in native && (signature?.required ?? native.length) > 0;
}

/** Objects that no constructor has seen, although their class has one that needs arguments. */
const bare = new WeakSet<object>();

function bare_object(type: ForeignType, cls: PyClass): object {
  const made = allocate(native_of(type) as never, cls.prototype as object);
  bare.add(made);
  return made;
}

/** Gives a class the `__new__` that calls its constructor. */
export function has_own_new(type: TypeObject): void {
  define_static_methods(type, { "__new__(cls, /, *args, **kwargs)": foreign_new });
}

/** `Linear(3, 4)` makes the object with JavaScript's constructor; a class of a program gets an object that no constructor has seen. */
function foreign_new(cls: PyClass, args: unknown[], kwargs: Map<string, unknown>): unknown {
  const type = cls[INFO];
  const kwnames = kwargs.size === 0 ? null : [...kwargs.keys()];
  if (type instanceof ForeignType) {
    if (args.length === 0 && kwargs.size === 0 && needs_arguments(native_of(type))) return bare_object(type, cls); // for a pickle, which sets the attributes
    const given = for_constructor(native_of(type))([...args, ...kwargs.values()], kwnames);
    const made = from_library(Reflect.construct(type.cls as never, given));
    remember_floats(native_of(type), made, args, kwargs);
    return made;
  }
  const native = native_of(type);
  if (ALLOCATE in native) return allocate(native as never, cls.prototype as object);
  const given = for_constructor(native)([...args, ...kwargs.values()], kwnames);
  return Reflect.construct(native as never, given, cls as never);
}

/** `super().__init__(3, 4)`: the constructor of the library runs on the object that is there. */
function foreign_init(native: Constructor, self: object, args: unknown[], kwargs: Map<string, unknown>): void {
  const has_run = type_of(self) instanceof ForeignType && !bare.delete(self);
  if (has_run || !(ALLOCATE in native)) return;
  construct_on(
    self,
    native as never,
    for_constructor(native)([...args, ...kwargs.values()], kwargs.size === 0 ? null : [...kwargs.keys()]),
  );
  remember_floats(native, self, args, kwargs);
}
