/**
 * @file Tuples whose fields also have names, such as `sys.version_info` and `time.struct_time`.
 * @mirrors Objects/structseq.c (CPython 3.11)
 */
import { define_attributes } from "./descrobject.ts";
import { TypeError_ } from "./exceptions.ts";
import { list_from } from "./iterobject.ts";
import { define_methods, define_static_methods } from "./methodobject.ts";
import { repr } from "./object.ts";
import { tuple_type } from "./tupleobject/methods.ts";
import { PyTuple } from "./tupleobject.ts";
import { builtin_type, full_name, type PyClass, type TypeObject, type_of } from "./typeobject.ts";

/** A type of tuples with these fields, and what makes one of values. */
export function struct_sequence(
  name: string,
  module: string,
  fields: readonly string[],
): { readonly type: TypeObject; readonly make: (values: readonly unknown[]) => PyTuple } {
  const cls = class extends PyTuple {};
  const type = builtin_type(name, { bases: [tuple_type], cls, module });
  const filled = (of: PyClass, values: readonly unknown[]): PyTuple => {
    const result = Reflect.construct(cls, [], of) as PyTuple;
    result.push(...values);
    return result;
  };
  const attributes = fields.map((field, i) => [field, (self: PyTuple) => self[i]] as const);
  define_attributes(type, Object.fromEntries(attributes));
  define_static_methods(type, {
    "__new__(cls, sequence, dict=None)": (of: PyClass, sequence) => {
      const values = list_from(sequence);
      if (values.length !== fields.length)
        throw new TypeError_(
          `${full_name(type)}() takes a ${fields.length}-sequence (${values.length}-sequence given)`,
        );
      return filled(of, values);
    },
  });
  define_methods(type, {
    "__repr__(self, /)": (self: PyTuple) =>
      `${full_name(type_of(self))}(${fields.map((field, i) => `${field}=${repr(self[i])}`).join(", ")})`,
  });
  return { type, make: (values) => filled(type.cls, values) };
}
