/**
 * @file A class of named tuples, as `typing.NamedTuple` makes them for programs.
 * @original PyTorch writes `class TensorMetadata(NamedTuple)`.
 */
import { call_with_keywords, vectorcall } from "#python/Objects/call";
import { getattr } from "#python/Objects/object";
import type { PyTuple } from "#python/Objects/tupleobject";
import { import_module } from "#python/vm/import";

/** @returns a function that makes instances, with the class as its property */
export function named_tuple(
  module: string,
  name: string,
  fields: readonly string[],
): { readonly cls: unknown; make(...values: unknown[]): PyTuple } {
  const namedtuple = getattr(import_module("collections"), "namedtuple");
  const cls = call_with_keywords(namedtuple, [name, [...fields]], new Map([["module", module]]));
  return { cls, make: (...values) => vectorcall(cls, values, null) as PyTuple };
}
