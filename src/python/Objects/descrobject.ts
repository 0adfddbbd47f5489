/**
 * @file Descriptors: `property`, `classmethod`, `staticmethod`, and attributes of built-in types that a function computes.
 * @mirrors Objects/descrobject.c (CPython 3.11)
 */
import { call, vectorcall } from "./call.ts";
import { AttributeError } from "./exceptions.ts";
import { bind_method } from "./funcobject.ts";
import { define_methods } from "./methodobject.ts";
import { getattr_or_undefined, with_dict } from "./object.ts";
import { builtin_type, plain_value, type TypeObject, type_of } from "./typeobject.ts";

/** An attribute of a built-in type that is computed, `fn.__name__`; without `set` it is read-only. */
export class GetSet {
  readonly name: string;
  readonly owner: TypeObject;
  readonly get: (self: never) => unknown;
  readonly set: ((self: never, value: unknown) => void) | null;

  constructor(
    name: string,
    owner: TypeObject,
    get: (self: never) => unknown,
    set: ((self: never, value: unknown) => void) | null,
  ) {
    this.name = name;
    this.owner = owner;
    this.get = get;
    this.set = set;
  }
}

builtin_type("getset_descriptor", {
  cls: GetSet,
  tp_descr_get: (descriptor: GetSet, instance) =>
    instance === undefined
      ? descriptor
      : descriptor.get((descriptor.owner.is_primitive ? plain_value(instance) : instance) as never),
  tp_descr_set: (descriptor: GetSet, instance, value) => {
    if (descriptor.set === null)
      throw new AttributeError(`attribute '${descriptor.name}' of '${descriptor.owner.name}' objects is not writable`);
    descriptor.set(instance as never, value);
  },
});

/** Gives a type computed attributes: `name: get` or `name: [get, set]`; `set` gets undefined for `del`. */
export function define_attributes(
  type: TypeObject,
  attributes: Readonly<
    Record<
      string,
      ((self: never) => unknown) | readonly [(self: never) => unknown, (self: never, value: never) => void]
    >
  >,
): void {
  for (const [name, how] of Object.entries(attributes)) {
    const [get, set] = typeof how === "function" ? [how, null] : how;
    type.dict.set(name, new GetSet(name, type, get, set as ((self: never, value: unknown) => void) | null));
  }
  type.modified();
}

/** `property(fget, fset, fdel, doc)`. */
export class PyProperty {
  fget: unknown = null;
  fset: unknown = null;
  fdel: unknown = null;
  __doc__: unknown = null;
  /** Name in the class, which messages use. */
  name: string | null = null;
}

const named = (property: PyProperty, instance: unknown, what: string): AttributeError => {
  const owner = type_of(instance).qualname;
  return new AttributeError(
    property.name === null
      ? `property of '${owner}' object has no ${what}`
      : `property '${property.name}' of '${owner}' object has no ${what}`,
  );
};

export const property_type = builtin_type("property", {
  cls: PyProperty,
  tp_alloc: (cls) => Reflect.construct(PyProperty, [], cls) as object,
  tp_descr_get: (property: PyProperty, instance) => {
    if (instance === undefined) return property;
    if (property.fget === null) throw named(property, instance, "getter");
    return call(property.fget, instance);
  },
  tp_descr_set: (property: PyProperty, instance, value) => {
    if (value === undefined) {
      if (property.fdel === null) throw named(property, instance, "deleter");
      call(property.fdel, instance);
    } else {
      if (property.fset === null) throw named(property, instance, "setter");
      call(property.fset, instance, value);
    }
  },
});
with_dict.add(property_type);

function copy(property: PyProperty, change: Partial<PyProperty>): PyProperty {
  const { fget, fset, fdel, __doc__, name } = property;
  const result = Reflect.construct(PyProperty, [], property.constructor) as PyProperty;
  return Object.assign(result, { fget, fset, fdel, __doc__, name }, change);
}

define_methods(property_type, {
  "__init__(self, /, fget=None, fset=None, fdel=None, doc=None)": (self: PyProperty, fget, fset, fdel, doc) => {
    Object.assign(self, {
      fget,
      fset,
      fdel,
      __doc__: doc ?? (fget === null ? null : getattr_or_undefined(fget, "__doc__")) ?? null,
    });
  },
  "getter(self, fget, /)": (self: PyProperty, fget) => copy(self, { fget }),
  "setter(self, fset, /)": (self: PyProperty, fset) => copy(self, { fset }),
  "deleter(self, fdel, /)": (self: PyProperty, fdel) => copy(self, { fdel }),
  "__get__(self, instance, owner=None, /)": (self: PyProperty, instance: unknown) =>
    instance === null ? self : property_type.tp_descr_get?.(self as never, instance, type_of(instance)),
  "__set__(self, instance, value, /)": (self: PyProperty, instance, value) =>
    property_type.tp_descr_set?.(self as never, instance, value),
  "__delete__(self, instance, /)": (self: PyProperty, instance) =>
    property_type.tp_descr_set?.(self as never, instance, undefined),
  "__set_name__(self, owner, name, /)": (self: PyProperty, _owner, name: string) => {
    self.name = name;
  },
});

/** Base of `classmethod` and `staticmethod`: both hold one function. */
class Wrapper {
  __func__: unknown = null;
}
export class PyClassMethod extends Wrapper {}
export class PyStaticMethod extends Wrapper {}

export const classmethod_type = builtin_type("classmethod", {
  cls: PyClassMethod,
  tp_alloc: (cls) => Reflect.construct(PyClassMethod, [], cls) as object,
  tp_descr_get: (method: PyClassMethod, _instance, type) => bind_method(method.__func__, type.cls),
});
export const staticmethod_type = builtin_type("staticmethod", {
  cls: PyStaticMethod,
  tp_alloc: (cls) => Reflect.construct(PyStaticMethod, [], cls) as object,
  tp_descr_get: (method: PyStaticMethod) => method.__func__,
  tp_call: (method: PyStaticMethod, args, kwnames) => vectorcall(method.__func__, args, kwnames),
});
for (const type of [classmethod_type, staticmethod_type]) {
  with_dict.add(type);
  define_methods(type, {
    "__init__(self, function, /)": (self: Wrapper, fn) => {
      self.__func__ = fn;
      for (const name of ["__module__", "__name__", "__qualname__", "__doc__"]) {
        const value = getattr_or_undefined(fn, name);
        if (value !== undefined) (self as unknown as Record<string, unknown>)[name] = value;
      }
      (self as unknown as Record<string, unknown>)["__wrapped__"] = fn;
    },
  });
  define_attributes(type, {
    __isabstractmethod__: (self: Wrapper) => getattr_or_undefined(self.__func__, "__isabstractmethod__") ?? false,
  });
}
define_attributes(property_type, {
  __isabstractmethod__: (self: PyProperty) =>
    [self.fget, self.fset, self.fdel].some(
      (fn) => fn !== null && getattr_or_undefined(fn, "__isabstractmethod__") === true,
    ),
});
