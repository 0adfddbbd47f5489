/**
 * @file The methods of `object`, which every object has unless its class has its own, and the types of None, `NotImplemented` and `...`.
 * @mirrors Objects/typeobject.c, Objects/object.c (CPython 3.11)
 */
import { call_special, call_unbound } from "./call.ts";
import { AttributeError, DeprecationWarning, type Exception, TypeError_ } from "./exceptions.ts";
import { address, id_of, key_equality, object_hash } from "./hashing.ts";
import { define_class_methods, define_methods, define_static_methods } from "./methodobject.ts";
import {
  equal,
  generic_getattr,
  generic_setattr,
  getattr_or_undefined,
  NotImplemented,
  repr,
  setattr,
  str,
  truth,
} from "./object.ts";
import { Ellipsis, ellipsis_type } from "./sliceobject.ts";
import {
  info_of,
  none_type,
  notimplemented_type,
  object_type,
  type PyClass,
  type TypeObject,
  type_of,
  type_type,
} from "./typeobject.ts";

/** The functions of the module `copyreg`, which say how an object is taken apart; the standard library sets it. */
export const copyreg: { call: (name: string, ...args: unknown[]) => unknown } = {
  call: (_name, self) => {
    throw new TypeError_(`cannot pickle '${type_of(self).tp_name}' object`);
  },
};

// ---- object

/** How a warning of a built-in object is given; the module `warnings` sets it. */
export const warnings: { warn: (category: new (...args: unknown[]) => Exception, message: string) => void } = {
  warn: () => {},
};

/** Names that `dir` finds in a class and its bases. */
export function names_of_class(type: TypeObject): Set<string> {
  return new Set(type.mro.flatMap((base) => [...base.names()]));
}

/** Names of the attributes of an object and of its class. */
function object_dir(self: unknown): string[] {
  const names = names_of_class(type_of(self));
  const own = getattr_or_undefined(self, "__dict__");
  if (own instanceof Map) for (const name of own.keys()) names.add(String(name));
  return [...names];
}

/** `object.__setattr__`: what happens unless a program's class says otherwise. An undefined value deletes. */
function set_attribute(self: unknown, name: unknown, value: unknown): void {
  const type = type_of(self);
  if (typeof name !== "string") {
    throw new TypeError_(`attribute name must be string, not '${type_of(name).tp_name}'`);
  }
  if (info_of(self) !== undefined) throw new TypeError_("can't apply this __setattr__ to type object");
  if (type.tp_setattro !== null) type.tp_setattro(self as never, name, value);
  else if ((typeof self === "object" || typeof self === "function") && self !== null)
    generic_setattr(self, name, value);
  else setattr(self, name, value);
}

const no_order = (): unknown => NotImplemented;

define_methods(object_type, {
  "__repr__(self, /)": (self: unknown) => {
    const type = type_of(self);
    const module = type.dict.get("__module__");
    const where = typeof module === "string" && module !== "builtins" ? `${module}.` : "";
    return `<${where}${type.qualname} object at ${address(self)}>`;
  },
  // `str` checks the result, so a `__repr__` that returns no text is reported as `__str__`.
  "__str__(self, /)": (self: unknown) => call_special(self, "__repr__") ?? repr(self),
  "__eq__(self, value, /)": (self: unknown, other: unknown) => (self === other ? true : NotImplemented),
  "__ne__(self, value, /)": (self: unknown, other: unknown) => {
    const type = type_of(self);
    const result = call_unbound(type.lookup("__eq__"), self, [other], null, type);
    return result === NotImplemented ? result : !truth(result);
  },
  "__lt__(self, value, /)": no_order,
  "__le__(self, value, /)": no_order,
  "__gt__(self, value, /)": no_order,
  "__ge__(self, value, /)": no_order,
  "__hash__(self, /)": (self: unknown) => id_of(self) - 0x7f0000000000,
  "__format__(self, format_spec, /)": (self: unknown, spec: unknown) => {
    if (typeof spec !== "string")
      throw new TypeError_(`__format__() argument must be str, not ${type_of(spec).tp_name}`);
    if (spec !== "") throw new TypeError_(`unsupported format string passed to ${type_of(self).tp_name}.__format__`);
    return str(self);
  },
  "__dir__(self, /)": object_dir,
  "__sizeof__(self, /)": () => 16,
  "__reduce_ex__(self, protocol, /)": (self: unknown, protocol) => copyreg.call("_reduce_ex", self, protocol),
  "__reduce__(self, /)": (self: unknown) => copyreg.call("_reduce", self),
  "__getstate__(self, /)": (self: unknown) => copyreg.call("_getstate", self),
  "__getattribute__(self, name, /)": (self: object, name: string) => {
    const type = type_of(self);
    const value = type.tp_getattro === null ? generic_getattr(self, name) : type.tp_getattro(self as never, name);
    if (value === undefined) throw new AttributeError(`'${type.tp_name}' object has no attribute '${name}'`);
    return value;
  },
  "__setattr__(self, name, value, /)": set_attribute,
  "__delattr__(self, name, /)": (self: object, name: string) => set_attribute(self, name, undefined),
});
define_class_methods(object_type, {
  "__init_subclass__(cls, /)": () => null,
  "__subclasshook__(cls, object, /)": () => NotImplemented,
});
define_methods(type_type, {
  "__dir__(self, /)": (self: PyClass) => [...names_of_class(info_of(self) as TypeObject)],
});
object_type.set("__doc__", null); // CPython has texts here; ours stand in the signatures
object_hash.method = object_type.dict.get("__hash__");
key_equality.equal = equal;

// ---- None, NotImplemented, ...

/** The type of a value of which there is only one. */
function singleton(type: TypeObject, value: unknown, text: string): void {
  define_static_methods(type, {
    "__new__(cls, /, *args, **kwargs)": (_cls: PyClass, args: unknown[], kwargs: ReadonlyMap<string, unknown>) => {
      if (args.length > 0 || kwargs.size > 0) throw new TypeError_(`${type.tp_name} takes no arguments`);
      return value;
    },
  });
  define_methods(type, { "__repr__(self, /)": () => text, "__reduce__(self, /)": () => text });
}

singleton(none_type, null, "None");
define_methods(none_type, { "__bool__(self, /)": () => false });
singleton(ellipsis_type, Ellipsis, "Ellipsis");

singleton(notimplemented_type, NotImplemented, "NotImplemented");
define_methods(notimplemented_type, {
  "__bool__(self, /)": () => {
    warnings.warn(DeprecationWarning, "NotImplemented should not be used in a boolean context");
    return true;
  },
});
