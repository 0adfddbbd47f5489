/**
 * @file The `operator` module: the operators of the language as functions, and getters.
 * @mirrors Modules/_operator.c (CPython 3.11)
 */
import { call_special, call_with_keywords } from "../Objects/call.ts";
import { TypeError_, ValueError } from "../Objects/exceptions.ts";
import { each } from "../Objects/iterobject.ts";
import { define_methods, define_static_methods, functions, type Implementation } from "../Objects/methodobject.ts";
import {
  type Comparison,
  checked_length,
  equal,
  getattr,
  NotImplemented,
  repr,
  richcompare,
  truth,
} from "../Objects/object.ts";
import { tuple } from "../Objects/tupleobject.ts";
import { full_name, type PyClass, type TypeObject, type_of } from "../Objects/typeobject.ts";
import { index, int_of } from "./arguments.ts";
import { callable_object, callable_type } from "./callable_object.ts";
import { absolute, binary, contains, delitem, getitem, setitem, unary } from "./operations.ts";

/** Operators of two operands; each has a twin that works in place. */
const BINARY: Readonly<Record<string, string>> = {
  add: "+",
  and_: "&",
  floordiv: "//",
  lshift: "<<",
  matmul: "@",
  mod: "%",
  mul: "*",
  or_: "|",
  pow: "**",
  rshift: ">>",
  sub: "-",
  truediv: "/",
  xor: "^",
};
const UNARY = { inv: "~", invert: "~", neg: "-", pos: "+" } as const;
const COMPARISONS: Readonly<Record<string, Comparison>> = { lt: "<", le: "<=", eq: "==", ne: "!=", ge: ">=", gt: ">" };

function operators(): Record<string, Implementation> {
  const table: Record<string, Implementation> = {};
  for (const [name, sign] of Object.entries(BINARY)) {
    table[`${name}(a, b, /)`] = (a, b) => binary(sign, a, b);
    table[`i${name.replace("_", "")}(a, b, /)`] = (a, b) => binary(`${sign}=`, a, b);
  }
  for (const [name, sign] of Object.entries(UNARY)) table[`${name}(a, /)`] = (a) => unary(sign, a);
  for (const [name, how] of Object.entries(COMPARISONS)) table[`${name}(a, b, /)`] = (a, b) => richcompare(a, b, how);
  return table;
}

function length_hint(value: unknown, otherwise: unknown): unknown {
  if (int_of(otherwise) === undefined)
    throw new TypeError_(`'${type_of(otherwise).tp_name}' object cannot be interpreted as an integer`);
  const length = call_special(value, "__len__");
  if (length !== undefined) return checked_length(length);
  const hint = call_special(value, "__length_hint__");
  return hint === undefined || hint === NotImplemented ? otherwise : hint;
}

/** The place of the first element that is equal. */
function index_of(values: unknown, value: unknown): number {
  let at = 0;
  for (const element of each(values)) {
    if (equal(element, value)) return at;
    at++;
  }
  throw new ValueError("sequence.index(x): x not in sequence");
}

function count_of(values: unknown, value: unknown): number {
  let count = 0;
  for (const element of each(values)) if (equal(element, value)) count++;
  return count;
}

function concat(sign: string, a: unknown, b: unknown): unknown {
  if (call_special_missing(a)) throw new TypeError_(`'${type_of(a).tp_name}' object can't be concatenated`);
  return binary(sign, a, b);
}

const call_special_missing = (value: unknown): boolean => type_of(value).lookup("__getitem__") === undefined;

// ---- Getters

interface Getter {
  readonly items: readonly unknown[];
  readonly keywords?: ReadonlyMap<string, unknown>;
}

/** `itemgetter` and `attrgetter`: one item gives a value, several a tuple. */
function getter_type(
  name: string,
  get: (object: unknown, item: unknown) => unknown,
  check: (item: unknown) => void,
): TypeObject {
  const type = callable_type(name, "operator", ({ items }: Getter, args, kwnames) => {
    if (kwnames !== null) throw new TypeError_(`${name}() takes no keyword arguments`);
    if (args.length !== 1) throw new TypeError_(`${name} expected 1 argument, got ${args.length}`);
    const values = items.map((item) => get(args[0], item));
    return values.length === 1 ? values[0] : tuple(values);
  });
  define_static_methods(type, {
    "__new__(cls, item, /, *items)": (cls: PyClass, item: unknown, items: unknown[]) => {
      const all = [item, ...items];
      all.forEach(check);
      return callable_object<Getter>(cls, { items: all });
    },
  });
  define_methods(type, {
    "__repr__(self, /)": (self: Getter) => `${full_name(type_of(self))}(${self.items.map(repr).join(", ")})`,
  });
  return type;
}

function methodcaller_type(): TypeObject {
  const type = callable_type("methodcaller", "operator", ({ items, keywords }: Required<Getter>, args) => {
    if (args.length !== 1) throw new TypeError_(`methodcaller expected 1 argument, got ${args.length}`);
    return call_with_keywords(getattr(args[0], items[0] as string), items.slice(1), keywords);
  });
  define_static_methods(type, {
    "__new__(cls, name, /, *args, **kwargs)": (
      cls: PyClass,
      name: unknown,
      args: unknown[],
      keywords: Map<string, unknown>,
    ) => {
      if (typeof name !== "string") throw new TypeError_("method name must be a string");
      return callable_object<Getter>(cls, { items: [name, ...args], keywords });
    },
  });
  define_methods(type, {
    "__repr__(self, /)": ({ items, keywords }: Required<Getter>) => {
      const parts = [...items.map(repr), ...[...keywords].map(([name, value]) => `${name}=${repr(value)}`)];
      return `operator.methodcaller(${parts.join(", ")})`;
    },
  });
  return type;
}

export function _operator(): Map<string, unknown> {
  const namespace = functions("_operator", {
    ...operators(),
    "abs(a, /)": (a) => absolute(a),
    "call(obj, /, *args, **kwargs)": (fn: unknown, args: unknown[], keywords: Map<string, unknown>) =>
      call_with_keywords(fn, args, keywords),
    "concat(a, b, /)": (a, b) => concat("+", a, b),
    "iconcat(a, b, /)": (a, b) => concat("+=", a, b),
    "contains(a, b, /)": (a, b) => contains(a, b),
    "countOf(a, b, /)": count_of,
    "delitem(a, b, /)": (a, b) => delitem(a, b),
    "getitem(a, b, /)": (a, b) => getitem(a, b),
    "index(a, /)": (a) => index(a),
    "indexOf(a, b, /)": index_of,
    "is_(a, b, /)": (a, b) => Object.is(a, b),
    "is_not(a, b, /)": (a, b) => !Object.is(a, b),
    "length_hint(obj, default=0, /)": length_hint,
    "not_(a, /)": (a) => !truth(a),
    "setitem(a, b, c, /)": (a, b, c) => setitem(a, b, c),
    "truth(a, /)": (a) => truth(a),
  });
  const dotted = (object: unknown, path: unknown): unknown =>
    (path as string).split(".").reduce<unknown>(getattr, object);
  const types = [
    getter_type("itemgetter", getitem, () => undefined),
    getter_type("attrgetter", dotted, (name) => {
      if (typeof name !== "string") throw new TypeError_("attribute name must be a string");
    }),
    methodcaller_type(),
  ];
  for (const type of types) namespace.set(type.name, type.cls);
  return namespace;
}
