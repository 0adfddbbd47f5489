/**
 * @file `isinstance` and `issubclass`.
 * @mirrors Objects/abstract.c#PyObject_IsInstance (CPython 3.11)
 */
import { call_unbound } from "../call.ts";
import { TypeError_ } from "../exceptions.ts";
import { GenericAlias } from "../genericaliasobject.ts";
import { is_builtin } from "../methodobject.ts";
import { getattr_or_undefined, truth } from "../object.ts";
import { PyTuple } from "../tupleobject.ts";
import { foreign, info_of, object_type, type TypeObject, type_of, type_type } from "../typeobject.ts";
import { UnionType } from "../unionobject.ts";

const INSTANCE_OF = "isinstance() arg 2 must be a type, a tuple of types, or a union";
const SUBCLASS_OF = "issubclass() arg 2 must be a class, a tuple of classes, or a union";

/** An instance that can be called is a function of JavaScript, and no class; another function may stand for a class of the library. */
function is_callable_instance(value: unknown): boolean {
  const type = type_of(value);
  return !type.is_subtype(type_type) && type.name !== "function";
}

function class_of(value: unknown): TypeObject | null {
  if (typeof value !== "function") return null;
  return is_callable_instance(value) ? null : (info_of(value) ?? foreign.class_of(value));
}

/** The class's metaclass may have a method of a program that decides. */
function own_check(cls: unknown, name: string): ((value: unknown) => boolean) | null {
  const type = type_of(cls);
  const method = type.lookup(name);
  if (method === undefined || (is_builtin(method) && type.is_subtype(type_type)))
    return name === "__instancecheck__" ? instance_check_of_javascript(cls) : subclass_check_of_javascript(cls);
  return (value) => truth(call_unbound(method, cls, [value], null, type));
}

/** A class of the library may decide what its instances are, as JavaScript's `instanceof` sees them. */
function instance_check_of_javascript(cls: unknown): ((value: unknown) => boolean) | null {
  if (typeof cls !== "function" || is_callable_instance(cls)) return null;
  const decides = cls[Symbol.hasInstance] !== Function.prototype[Symbol.hasInstance];
  return decides ? (value) => value instanceof cls : null;
}

/** A class of the library may decide what its subclasses are: those whose objects are its instances. */
function subclass_check_of_javascript(cls: unknown): ((value: unknown) => boolean) | null {
  const check = instance_check_of_javascript(cls);
  return check === null ? null : (value) => value === cls || (class_of(value) !== null && check(prototype_of(value)));
}

const prototype_of = (cls: unknown): unknown => (cls as { readonly prototype: unknown }).prototype;

/** `isinstance(value, cls)`. */
export function isinstance(value: unknown, cls: unknown): boolean {
  const type = type_of(value);
  if (type.cls === cls) return true;
  if (cls instanceof PyTuple) return cls.some((one) => isinstance(value, one));
  if (cls instanceof UnionType) return isinstance_of_union(value, cls);
  const check = own_check(cls, "__instancecheck__");
  if (check !== null) return check(value);
  const wanted = class_of(cls);
  if (wanted === null) throw new TypeError_(INSTANCE_OF);
  return type.is_subtype(wanted) || claimed_class(value, type)?.is_subtype(wanted) === true;
}

function isinstance_of_union(value: unknown, { args }: UnionType): boolean {
  for (const member of args) {
    if (member instanceof GenericAlias) {
      throw new TypeError_("isinstance() argument 2 cannot be a parameterized generic");
    }
    if (isinstance(value, member)) return true;
  }
  return false;
}

/** An object may say that it is of another class than it is: a `__class__` of its own. */
function claimed_class(value: unknown, type: TypeObject): TypeObject | null {
  if (type.lookup("__class__") === object_type.dict.get("__class__")) return null;
  return class_of(getattr_or_undefined(value, "__class__"));
}

/** `issubclass(cls, other)`. */
export function issubclass(cls: unknown, other: unknown): boolean {
  if (other instanceof PyTuple) return other.some((one) => issubclass(cls, one));
  if (other instanceof UnionType) return other.args.some((one) => issubclass(cls, one));
  const check = own_check(other, "__subclasscheck__");
  if (check !== null) return check(cls);
  const type = class_of(cls);
  if (type === null) throw new TypeError_("issubclass() arg 1 must be a class");
  const wanted = class_of(other);
  if (wanted === null) throw new TypeError_(SUBCLASS_OF);
  return type.is_subtype(wanted);
}
