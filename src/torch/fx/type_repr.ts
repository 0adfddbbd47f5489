/**
 * @file The text of a type in annotations.
 * @mirrors torch/fx/node.py#_type_repr
 */

import { getattr_or_undefined, repr } from "#python/Objects/object";
import { Ellipsis } from "#python/Objects/sliceobject";
import { info_of, type_of } from "#python/Objects/typeobject";
import { foreign_class } from "./callables.ts";

/** A class as `module.qualname`, built-in ones without the module; anything else as `repr` writes it. */
export function _type_repr(obj: unknown): string {
  if (foreign_class(obj) && type_of(obj).name !== "GenericAlias") {
    const qualname = String(getattr_or_undefined(obj, "__qualname__"));
    const module = getattr_or_undefined(obj, "__module__");
    return module === "builtins" ? qualname : `${String(module)}.${qualname}`;
  }
  if (obj === Ellipsis) return "...";
  if (type_of(obj).name === "function" && info_of(obj) === undefined)
    return String(getattr_or_undefined(obj, "__name__"));
  return repr(obj);
}
