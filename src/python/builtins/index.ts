/**
 * @file The module `builtins`: what a program finds without an import.
 * @mirrors Python/bltinmodule.c (CPython 3.11)
 */
import "../Objects/dictobject/methods.ts";
import "../Objects/listobject.ts";
import "../Objects/floatobject/methods.ts";
import "../Objects/longobject/methods.ts";
import "../Objects/setobject/methods.ts";
import "../Objects/unicodeobject/text_methods.ts";
import { isinstance, issubclass } from "../Objects/abstract/isinstance.ts";
import { length } from "../Objects/abstract/sequences.ts";
import { bytearray_type } from "../Objects/bytearrayobject.ts";
import { bytes_type } from "../Objects/bytesobject/methods.ts";
import { complex_type } from "../Objects/complexobject/methods.ts";
import { classmethod_type, property_type, staticmethod_type } from "../Objects/descrobject.ts";
import { dict_type } from "../Objects/dictobject.ts";
import { enumerate_type, reversed_type } from "../Objects/enumobject.ts";
import { makers } from "../Objects/iterobject.ts";
import "../Objects/exception_groups.ts";
import { exception_names } from "../Objects/exception_types.ts";
import { allow_brackets } from "../Objects/genericaliasobject.ts";
import { hash_of, id_of } from "../Objects/hashing.ts";
import { functions } from "../Objects/methodobject.ts";
import { is_callable, NotImplemented, repr } from "../Objects/object.ts";
import { range_type } from "../Objects/rangeobject.ts";
import { frozenset_type, set_type } from "../Objects/setobject.ts";
import { Ellipsis, slice_type } from "../Objects/sliceobject.ts";
import { tuple_type } from "../Objects/tupleobject/methods.ts";
import { bool_type, float_type, int_type, list_type, object_type, str_type, type_type } from "../Objects/typeobject.ts";
import { attribute_functions } from "./attributes.ts";
import { iteration } from "./iteration.ts";
import { filter_type, map_type, zip_type } from "./iterators.ts";
import { numbers_and_texts } from "./numbers_and_texts.ts";
import { printing } from "./print.ts";

/** Names of the module with their values. */
export const builtins: Map<string, unknown> = functions("builtins", {
  ...attribute_functions,
  ...iteration,
  ...numbers_and_texts,
  ...printing,
  "callable(obj, /)": is_callable,
  "hash(obj, /)": hash_of,
  "id(obj, /)": id_of,
  "isinstance(obj, class_or_tuple, /)": isinstance,
  "issubclass(cls, class_or_tuple, /)": issubclass,
  "len(obj, /)": length,
  "repr(obj, /)": repr,
});

for (const type of [list_type, tuple_type, dict_type, set_type, frozenset_type]) allow_brackets(type);

for (const type of [
  bool_type,
  bytearray_type,
  bytes_type,
  classmethod_type,
  complex_type,
  dict_type,
  enumerate_type,
  filter_type,
  float_type,
  frozenset_type,
  int_type,
  list_type,
  map_type,
  object_type,
  property_type,
  range_type,
  reversed_type,
  set_type,
  slice_type,
  staticmethod_type,
  str_type,
  tuple_type,
  type_type,
  zip_type,
]) {
  builtins.set(type.name, type.cls);
}

for (const [name, cls] of exception_names) builtins.set(name, cls);

for (const [name, value] of [
  ["None", null],
  ["True", true],
  ["False", false],
  ["NotImplemented", NotImplemented],
  ["Ellipsis", Ellipsis],
  ["__debug__", true],
  ["__name__", "builtins"],
] as const) {
  builtins.set(name, value);
}
Object.assign(makers, { iter: builtins.get("iter"), reversed: builtins.get("reversed") });
