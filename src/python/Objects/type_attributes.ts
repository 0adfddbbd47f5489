/**
 * @file Attributes of classes, and what `type` knows about a class.
 * @mirrors Objects/typeobject.c#type_getattro (CPython 3.11)
 */
import { define_attributes } from "./descrobject.ts";
import { PyDict } from "./dictobject.ts";
import { AttributeError, TypeError_ } from "./exceptions.ts";
import { define_class_methods, define_methods } from "./methodobject.ts";
import { getattr, setattr } from "./object.ts";
import { tuple } from "./tupleobject.ts";
import { shown_type } from "./type_call.ts";
import { add_descriptor_slots, expose } from "./type_new.ts";
import {
  builtin_type,
  full_name,
  INFO,
  object_type,
  type PyClass,
  type TypeObject,
  type_of,
  type_type,
} from "./typeobject.ts";

/** The attribute that a class shows for a name in `__slots__`. Its instances hold the value as any other attribute; only those who ask the class meet this. */
class Member {
  readonly name: string;
  readonly owner: TypeObject;

  constructor(name: string, type: TypeObject) {
    this.name = name;
    this.owner = type.mro.findLast((base) => base.slots?.has(name) === true) ?? type;
  }
}
const member_type = builtin_type("member_descriptor", { cls: Member });
define_attributes(member_type, {
  __name__: (member: Member) => member.name,
  __objclass__: (member: Member) => member.owner.cls,
  __doc__: () => null,
});
define_methods(member_type, {
  "__repr__(self, /)": (member: Member) => `<member '${member.name}' of '${member.owner.name}' objects>`,
  "__get__(self, instance, owner=None, /)": (member: Member, instance) =>
    instance === null ? member : getattr(instance, member.name),
  "__set__(self, instance, value, /)": (member: Member, instance, value) => setattr(instance, member.name, value),
  "__delete__(self, instance, /)": (member: Member, instance) => setattr(instance, member.name, undefined),
});

/** `cls.name`: what the metaclass insists on, then the class and its bases, then the metaclass. */
export function type_getattr(cls: PyClass, name: string): unknown {
  const type = cls[INFO];
  const of_meta = type.metatype.lookup(name);
  const meta_type = of_meta === undefined ? null : type_of(of_meta);
  if (meta_type !== null && meta_type.tp_descr_get !== null && meta_type.tp_descr_set !== null)
    return meta_type.tp_descr_get(of_meta as never, cls, type.metatype);
  const found = type.lookup(name);
  if (found !== undefined) {
    const get = type_of(found).tp_descr_get;
    return get === null ? found : get(found as never, undefined, type);
  }
  if (type.slots?.has(name) === true) return new Member(name, type);
  if (meta_type === null) return undefined;
  return meta_type.tp_descr_get === null ? of_meta : meta_type.tp_descr_get(of_meta as never, cls, type.metatype);
}

/** `cls.name = value`, or `del cls.name` if the value is undefined. */
export function type_setattr(cls: PyClass, name: string, value: unknown): void {
  const type = cls[INFO];
  const of_meta = type.metatype.lookup(name);
  const set = of_meta === undefined ? null : type_of(of_meta).tp_descr_set;
  if (set !== null) {
    set(of_meta as never, cls, value);
    return;
  }
  if (!type.heap && type.change(name, value)) return;
  if (!type.heap)
    throw new TypeError_(
      `cannot ${value === undefined ? "delete" : "set"} '${name}' attribute of immutable type '${type.tp_name}'`,
    );
  if (value === undefined) {
    if (!type.dict.has(name)) throw new AttributeError(`type object '${type.tp_name}' has no attribute '${name}'`);
    delete (cls.prototype as Record<string, unknown>)[name];
    delete (cls as unknown as Record<string, unknown>)[name];
  } else expose(cls, name, value);
  type.set(name, value);
  if (name === "__get__" || name === "__set__" || name === "__delete__") add_descriptor_slots(type);
}

type_type.tp_getattro = type_getattr;
type_type.tp_setattro = type_setattr;

define_attributes(type_type, {
  __name__: [
    (cls: PyClass) => cls[INFO].name,
    (cls: PyClass, name: unknown) => {
      if (name === undefined)
        throw new TypeError_(`cannot delete '__name__' attribute of immutable type '${cls[INFO].name}'`);
      if (!cls[INFO].heap)
        throw new TypeError_(`cannot set '__name__' attribute of immutable type '${cls[INFO].name}'`);
      if (typeof name !== "string")
        throw new TypeError_(`can only assign string to ${cls[INFO].name}.__name__, not '${type_of(name).tp_name}'`);
      (cls[INFO] as { name: string }).name = name;
      Object.defineProperty(cls, "name", { value: name, configurable: true });
    },
  ],
  __qualname__: [
    (cls: PyClass) => cls[INFO].qualname,
    (cls: PyClass, name: unknown) => {
      if (name === undefined)
        throw new TypeError_(`cannot delete '__qualname__' attribute of immutable type '${cls[INFO].name}'`);
      if (typeof name !== "string")
        throw new TypeError_(
          `can only assign string to ${cls[INFO].name}.__qualname__, not '${type_of(name).tp_name}'`,
        );
      cls[INFO].qualname = name;
    },
  ],
  __module__: [
    (cls: PyClass) => {
      // A type whose instances compute theirs has the attribute under the same name.
      const module = cls[INFO].dict.get("__module__");
      return cls[INFO].heap || typeof module === "string" ? (module ?? "builtins") : "builtins";
    },
    (cls: PyClass, name: unknown) => cls[INFO].set("__module__", name),
  ],
  __bases__: (cls: PyClass) => tuple(cls[INFO].bases.map((base) => base.cls)),
  __base__: (cls: PyClass) => cls[INFO].bases[0]?.cls ?? null,
  __mro__: (cls: PyClass) => tuple(cls[INFO].mro.map((type) => type.cls)),
  __doc__: [
    (cls: PyClass) => cls[INFO].dict.get("__doc__") ?? null,
    (cls: PyClass, doc: unknown) => cls[INFO].set("__doc__", doc),
  ],
  __dict__: (cls: PyClass) => {
    const result = new PyDict();
    for (const [name, value] of cls[INFO].dict) result.set(name, value);
    return result;
  },
  __annotations__: [
    (cls: PyClass) => {
      const own = cls[INFO].dict.get("__annotations__");
      if (own !== undefined) return own;
      const made = new PyDict();
      if (cls[INFO].heap) cls[INFO].dict.set("__annotations__", made);
      return made;
    },
    (cls: PyClass, value: unknown) => cls[INFO].set("__annotations__", value),
  ],
  __abstractmethods__: [
    (cls: PyClass) => {
      const names = cls[INFO].dict.get("__abstractmethods__");
      if (names === undefined) throw new AttributeError("__abstractmethods__");
      return names;
    },
    (cls: PyClass, names: unknown) => cls[INFO].set("__abstractmethods__", names),
  ],
});

define_methods(type_type, {
  "__getattribute__(self, name, /)": (cls: PyClass, name: string) => {
    const value = type_getattr(cls, name);
    if (value === undefined) throw new AttributeError(`type object '${cls[INFO].name}' has no attribute '${name}'`);
    return value;
  },
  "__setattr__(self, name, value, /)": (cls: PyClass, name: string, value) => type_setattr(cls, name, value),
  "__delattr__(self, name, /)": (cls: PyClass, name: string) => type_setattr(cls, name, undefined),
  "mro(self, /)": (cls: PyClass) => cls[INFO].mro.map((type) => type.cls),
  "__subclasses__(self, /)": (cls: PyClass) => cls[INFO].subclasses().map((type) => type.cls),
  "__repr__(self, /)": (cls: PyClass) => `<class '${full_name(cls[INFO])}'>`,
  "__instancecheck__(self, instance, /)": (cls: PyClass, instance) => type_of(instance).is_subtype(cls[INFO]),
  "__subclasscheck__(self, subclass, /)": (cls: PyClass, subclass: PyClass) => subclass[INFO].is_subtype(cls[INFO]),
});
define_class_methods(type_type, {
  "__prepare__(cls, /, *args, **kwargs)": () => new PyDict(),
});

define_attributes(object_type, {
  __class__: [
    (self: unknown) => shown_type(self).cls,
    (self: object, cls: PyClass) => {
      if (cls?.[INFO] === undefined)
        throw new TypeError_(`__class__ must be set to a class, not '${type_of(cls).tp_name}' object`);
      if (!type_of(self).heap || !cls[INFO].heap)
        throw new TypeError_("__class__ assignment only supported for mutable types or ModuleType subclasses");
      Object.setPrototypeOf(self, cls.prototype);
    },
  ],
});
