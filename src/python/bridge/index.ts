/**
 * @file The border between the machine and the library: it gives every JavaScript value that carries no type of Python a type.
 * @original
 *
 * A program and the library use the same values; Note [Values of the machine] lists them. What is left is the library's own: classes and their
 * objects (foreign_types.ts), functions and methods (foreign_functions.ts), plain objects, Maps, iterators and namespaces (mappings.ts), and the
 * few values that must change on the way (values.ts). The library says what is special about it in `src/torch/_python.ts`.
 */
import { dict_type, PyDict } from "../Objects/dictobject.ts";
import "../Objects/exception_types.ts";
import { EXCEPTIONS } from "../Objects/exceptions.ts";
import { address } from "../Objects/hashing.ts";
import { PyTuple } from "../Objects/tupleobject.ts";
import "../Objects/tupleobject/methods.ts";
import { foreign, INFO, type PyClass, TYPE, type TypeObject, type_of } from "../Objects/typeobject.ts";
import { methods_by_class } from "../vm/attributes.ts";
import {
  function_types,
  type NativeFunction,
  NativeMethod,
  native_function_type,
  python_function_type,
  type_of_function,
} from "./foreign_functions.ts";
import { base_types, foreign_getattr, foreign_type, is_class, specials } from "./foreign_types.ts";
import {
  is_namespace,
  is_plain,
  namespace_type,
  native_generator_type,
  native_iter,
  native_iterator_type,
  native_set_type,
  plain_object_type,
} from "./mappings.ts";
import { naming } from "./names.ts";

type Constructor = abstract new (...args: never[]) => object;

function type_of_foreign(value: object): TypeObject {
  if (typeof value === "function") {
    const known = function_types.get(value);
    if (known !== undefined) return known;
    if (is_class(value)) return foreign_type(value).metatype;
    if (naming.of(value)?.is_function === true) return type_of_function(value);
    const prototype = Object.getPrototypeOf(value) as { constructor: Constructor } | null;
    if (prototype === null || (prototype as unknown) === Function.prototype) return type_of_function(value);
    return foreign_type(prototype.constructor);
  }
  if (is_namespace(value)) return namespace_type;
  if (is_plain(value)) return plain_object_type;
  const prototype = Object.getPrototypeOf(value) as { constructor?: Constructor };
  if ((prototype as unknown) === Map.prototype) return dict_type;
  if ((prototype as unknown) === Set.prototype) return native_set_type;
  if (Object.prototype.toString.call(value) === "[object Generator]") return native_generator_type;
  // An instance of a class of the library may have a method of that name: a node of a graph has a next one.
  const is_iterator = "next" in value && typeof value.next === "function" && !(TYPE in value);
  if (prototype.constructor === undefined || is_iterator) return native_iterator_type;
  return foreign_type(prototype.constructor);
}

foreign.type_of = type_of_foreign;
foreign.class_of = (value) => (is_class(value) ? foreign_type(value) : null);
base_types.set(Map, dict_type);
base_types.set(Set, native_set_type);
foreign.constant = (value) =>
  value instanceof PyDict && [...value.keys()].every((key) => typeof key === "string")
    ? Object.fromEntries(value as unknown as Iterable<[string, unknown]>)
    : value;
foreign.is_method = (value) => type_of(value) === python_function_type;
foreign.is_function = (value) => type_of(value) === native_function_type;
methods_by_class.tp_getattro = foreign_getattr;

specials.set("__iter__", (prototype) =>
  Object.hasOwn(prototype, Symbol.iterator)
    ? new NativeMethod("__iter__", function (this: unknown) {
        return native_iter(this as Iterable<unknown>);
      } as NativeFunction)
    : undefined,
);
specials.set("__len__", (prototype) => {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, "length");
  const get = descriptor?.get;
  return get === undefined ? undefined : new NativeMethod("__len__", get as NativeFunction);
});
specials.set("__str__", (prototype) => {
  const own = Object.getOwnPropertyDescriptor(prototype, "toString")?.value as unknown;
  return typeof own === "function" && Object.hasOwn(prototype, "__repr__")
    ? new NativeMethod("__str__", own as NativeFunction)
    : undefined;
});
specials.set("__repr__", (prototype) => {
  const own = Object.getOwnPropertyDescriptor(prototype, "toString")?.value as unknown;
  if (typeof own !== "function") return undefined;
  return new NativeMethod("__repr__", function (this: object) {
    const text = Reflect.apply(own as () => string, this, []);
    // The library leaves out where an object is.
    return text.endsWith(" object>") ? `${text.slice(0, -1)} at ${address(this)}>` : text;
  } as NativeFunction);
});

// The library derives classes from these: named tuples, sizes, errors of its own. Their objects have types of their own.
for (const cls of [PyTuple, ...Object.values(EXCEPTIONS)]) {
  const type = (cls as unknown as PyClass)[INFO];
  type.only_prototype = cls.prototype;
}
