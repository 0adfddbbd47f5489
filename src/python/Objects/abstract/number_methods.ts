/**
 * @file The special methods of operators that the built-in numbers share, `__add__` to `__rpow__`. They give the answers of number_slots.ts, or
 * NotImplemented if the other operand belongs to a wider type.
 * @mirrors Objects/typeobject.c#slotdefs (CPython 3.11)
 */
import { TypeError_, ValueError } from "../exceptions.ts";
import { define_methods, type Implementation } from "../methodobject.ts";
import { type Comparison, NotImplemented, richcompare } from "../object.ts";
import type { TypeObject } from "../typeobject.ts";
import {
  has_operation,
  KIND,
  type Kind,
  kind_of,
  number_operation,
  OPERATIONS,
  type Operation,
} from "./number_slots.ts";
import { abs, divmod, power, unary_negative, unary_positive } from "./numbers.ts";

/** Whether an operand can be brought to this type. */
const reaches = (value: unknown, kind: Kind): boolean => kind_of(value) !== KIND.none && kind_of(value) <= kind;

function powers(kind: Kind): Record<string, Implementation> {
  const result = (a: unknown, b: unknown, other: unknown, mod: unknown): unknown => {
    if (!reaches(other, kind)) return NotImplemented;
    if (mod === null) return power(a, b);
    if (kind === KIND.int) return kind_of(mod) === KIND.int ? power(a, b, mod) : NotImplemented;
    throw kind === KIND.float
      ? new TypeError_("pow() 3rd argument not allowed unless all arguments are integers")
      : new ValueError("complex modulo");
  };
  return {
    "__pow__(self, value, mod=None, /)": (self, value, mod) => result(self, value, value, mod),
    "__rpow__(self, value, mod=None, /)": (self, value, mod) => result(value, self, value, mod),
  };
}

const COMPARISONS: readonly (readonly [string, Comparison])[] = [
  ["lt", "<"],
  ["le", "<="],
  ["eq", "=="],
  ["ne", "!="],
  ["gt", ">"],
  ["ge", ">="],
];

/** Gives a type of numbers its operators and comparisons. */
export function define_number_methods(type: TypeObject, kind: Kind): void {
  const methods: Record<string, Implementation> = kind === KIND.none ? {} : powers(kind);
  const add = (operation: Operation): void => {
    methods[`__${operation}__(self, value, /)`] = (self: unknown, value: unknown) =>
      reaches(value, kind) ? number_operation(operation, self, value) : NotImplemented;
    methods[`__r${operation}__(self, value, /)`] = (self: unknown, value: unknown) =>
      reaches(value, kind) ? number_operation(operation, value, self) : NotImplemented;
  };
  for (const operation of OPERATIONS) if (operation !== "pow" && has_operation(kind, operation)) add(operation);
  if (kind !== KIND.complex) {
    methods["__divmod__(self, value, /)"] = (self, value) =>
      reaches(value, kind) ? divmod(self, value) : NotImplemented;
    methods["__rdivmod__(self, value, /)"] = (self, value) =>
      reaches(value, kind) ? divmod(value, self) : NotImplemented;
    for (const [name, sign] of COMPARISONS)
      methods[`__${name}__(self, value, /)`] = (self, value) =>
        reaches(value, kind) ? richcompare(self, value, sign) : NotImplemented;
  }
  methods["__neg__(self, /)"] = unary_negative;
  methods["__pos__(self, /)"] = unary_positive;
  methods["__abs__(self, /)"] = abs;
  define_methods(type, methods);
}
