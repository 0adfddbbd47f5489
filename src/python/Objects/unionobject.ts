/**
 * @file `types.UnionType`: what `int | None` gives.
 * @mirrors Objects/unionobject.c (CPython 3.11)
 */
import { define_attributes } from "./descrobject.ts";
import { GenericAlias, genericalias_type, repr_of_argument } from "./genericaliasobject.ts";
import { hash_of } from "./hashing.ts";
import { define_methods } from "./methodobject.ts";
import { equal, NotImplemented } from "./object.ts";
import { PyFrozenSet } from "./setobject.ts";
import { type PyTuple, tuple } from "./tupleobject.ts";
import { builtin_type, info_of, none_type, type TypeObject, type_type } from "./typeobject.ts";

export class UnionType {
  readonly args: PyTuple;

  constructor(args: PyTuple) {
    this.args = args;
  }
}

export const union_type: TypeObject = builtin_type("UnionType", { cls: UnionType, module: "types" });

const is_unionable = (value: unknown): boolean =>
  value === null || info_of(value) !== undefined || value instanceof GenericAlias || value instanceof UnionType;

/** `a | b` of types: nested unions are opened, and each member stands once. */
export function union_of(a: unknown, b: unknown): unknown {
  if (!is_unionable(a) || !is_unionable(b)) return NotImplemented;
  const members: unknown[] = [];
  for (const side of [a, b]) {
    for (const given of side instanceof UnionType ? side.args : [side]) {
      const member = given === null ? none_type.cls : given;
      if (!members.some((it) => it === member || (it instanceof GenericAlias && equal(it, member))))
        members.push(member);
    }
  }
  return members.length === 1 ? members[0] : new UnionType(tuple(members));
}

define_attributes(union_type, {
  __args__: (self: UnionType) => self.args,
  __parameters__: () => tuple([]),
});
define_methods(union_type, {
  "__repr__(self, /)": (self: UnionType) =>
    self.args.map((it) => (it === none_type.cls ? "None" : repr_of_argument(it))).join(" | "),
  "__hash__(self, /)": (self: UnionType) => hash_of(new PyFrozenSet(self.args)),
  "__eq__(self, value, /)": (self: UnionType, other: unknown) =>
    other instanceof UnionType
      ? self.args.length === other.args.length && self.args.every((a) => other.args.some((b) => equal(a, b)))
      : NotImplemented,
  "__or__(self, value, /)": union_of,
  "__ror__(self, value, /)": (self: unknown, other: unknown) => union_of(other, self),
});
for (const type of [type_type, genericalias_type]) {
  define_methods(type, {
    "__or__(self, value, /)": union_of,
    "__ror__(self, value, /)": (self: unknown, other: unknown) => union_of(other, self),
  });
}
