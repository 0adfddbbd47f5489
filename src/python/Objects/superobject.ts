/**
 * @file `super`: attributes from the classes behind a class in an object's method resolution order.
 * @mirrors Objects/typeobject.c#super_getattro (CPython 3.11)
 */
import { thread } from "../vm/frame.ts";
import { define_attributes } from "./descrobject.ts";
import { RuntimeError, TypeError_ } from "./exceptions.ts";
import { Cell } from "./funcobject.ts";
import { define_methods, define_static_methods } from "./methodobject.ts";
import { generic_getattr } from "./object.ts";
import { builtin_type, info_of, type TypeObject, type_of } from "./typeobject.ts";

export class PySuper {
  readonly type: TypeObject;
  /** The object, or the class if `super` is used in a class method. */
  readonly self: unknown;
  /** Null: `super(type)` is not bound to an object. */
  readonly self_type: TypeObject | null;

  constructor(type: TypeObject, self: unknown, self_type: TypeObject | null) {
    this.type = type;
    this.self = self;
    this.self_type = self_type;
  }
}

/** The attribute behind `type` in the order of `self_type`, unbound. */
export function super_lookup(type: TypeObject, self_type: TypeObject, name: string): unknown {
  const { mro } = self_type;
  for (let i = mro.indexOf(type) + 1; i < mro.length; i++) {
    const found = (mro[i] as TypeObject).own(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

export const super_type = builtin_type("super", {
  cls: PySuper,
  tp_descr_get: (self: PySuper, instance) =>
    instance === undefined || instance === null || self.self_type !== null ? self : explicit(self.type.cls, instance),
  tp_getattro: (self: PySuper, name) => {
    if (name !== "__class__" && self.self_type !== null) {
      const found = super_lookup(self.type, self.self_type, name);
      if (found !== undefined) {
        const get = type_of(found).tp_descr_get;
        if (get === null) return found;
        return get(found as never, info_of(self.self) === self.self_type ? undefined : self.self, self.self_type);
      }
    }
    return generic_getattr(self, name);
  },
});

/** `super()` takes the class from the cell `__class__` and the object from the first parameter of the function that calls it. */
function implicit(): PySuper {
  const { frame } = thread;
  if (frame === null) throw new RuntimeError("super(): no current frame");
  const { code, localsplus } = frame.prepared;
  if (code.co_argcount === 0) throw new RuntimeError("super(): no arguments");
  const first = frame.fast[0];
  const self = first instanceof Cell ? first.value : first;
  if (self === undefined) throw new RuntimeError("super(): arg[0] deleted");
  const at = localsplus.indexOf("__class__");
  if (at < 0 || !code.co_freevars.includes("__class__")) throw new RuntimeError("super(): __class__ cell not found");
  const cls = (frame.fast[at] as Cell).value;
  if (cls === undefined) throw new RuntimeError("super(): empty __class__ cell");
  return explicit(cls, self);
}

/** The class that is `super`'s first argument. */
function class_argument(cls: unknown): TypeObject {
  const type = info_of(cls);
  if (type === undefined) throw new TypeError_(`super() argument 1 must be a type, not ${type_of(cls).tp_name}`);
  return type;
}

function explicit(cls: unknown, self: unknown): PySuper {
  const type = class_argument(cls);
  const as_class = info_of(self);
  if (as_class?.is_subtype(type)) return new PySuper(type, self, as_class);
  const self_type = type_of(self);
  if (self_type.is_subtype(type)) return new PySuper(type, self, self_type);
  throw new TypeError_("super(type, obj): obj must be an instance or subtype of type");
}

define_static_methods(super_type, {
  "__new__(cls, type=<unset>, object=<unset>, /)": (_cls: unknown, type: unknown, object: unknown) =>
    type === undefined
      ? implicit()
      : object === undefined
        ? new PySuper(class_argument(type), null, null)
        : explicit(type, object),
});
define_attributes(super_type, {
  __thisclass__: (self: PySuper) => self.type.cls,
  __self__: (self: PySuper) => self.self,
  __self_class__: (self: PySuper) => self.self_type?.cls ?? null,
});
define_methods(super_type, {
  "__init__(self, type=<unset>, object=<unset>, /)": () => null,
  "__repr__(self, /)": (self: PySuper) =>
    self.self_type === null
      ? `<super: <class '${self.type.name}'>, NULL>`
      : `<super: <class '${self.type.name}'>, <${self.self_type.name} object>>`,
});
