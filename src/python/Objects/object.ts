/**
 * @file Questions to any object: its attributes, its text, its truth, its order beside another.
 * @mirrors Objects/object.c (CPython 3.11)
 */
import { call_special, call_unbound, vectorcall } from "./call.ts";
import { AttributeError, missing, OverflowError, RecursionError, TypeError_, ValueError } from "./exceptions.ts";
import { FloatValue, float_repr } from "./floatobject.ts";
import { int_repr } from "./longobject.ts";
import { type Implementation, is_builtin } from "./methodobject.ts";
import { NotImplemented } from "./not_implemented.ts";
import { info_of, key_in, TYPE, type TypeObject, type_of } from "./typeobject.ts";
import { escape_non_ascii, str_repr } from "./unicodeobject.ts";

// ---- Attributes

/** Attributes of an instance are properties of its JavaScript object. Those of JavaScript itself, on prototypes, are none of them. */
function own(instance: object, type: TypeObject, name: string): unknown {
  if (!type.has_dict && type.slots === null) return undefined;
  const key = key_in(type, name);
  return Object.hasOwn(instance, key) ? (instance as Record<string, unknown>)[key] : undefined;
}

/** `object.__getattribute__` without its error: undefined if there is no such attribute. */
export function generic_getattr(instance: object, name: string): unknown {
  const type = type_of(instance);
  const found = type.lookup(name);
  if (found === undefined) return own(instance, type, name);
  const found_type = type_of(found);
  const get = found_type.tp_descr_get;
  if (get !== null && found_type.tp_descr_set !== null) return get(found as never, instance, type);
  const value = own(instance, type, name);
  if (value !== undefined) return value;
  return get === null ? found : get(found as never, instance, type);
}

/** `object.__setattr__`; an undefined value deletes. */
export function generic_setattr(instance: object, name: string, value: unknown): void {
  const type = type_of(instance);
  const found = type.lookup(name);
  if (found !== undefined) {
    const set = type_of(found).tp_descr_set;
    if (set !== null) {
      set(found as never, instance, value);
      return;
    }
    if (typeof found === "function") type.shadowed = true;
  }
  const key = key_in(type, name);
  if (!type.has_dict && type.slots?.has(name) !== true) {
    if (found !== undefined) throw new AttributeError(`'${type.tp_name}' object attribute '${name}' is read-only`);
    throw no_attribute(type, name);
  }
  if (value === undefined) {
    if (!Object.hasOwn(instance, key)) {
      if (type.mro.some((base) => base.slots?.has(name) === true)) throw new AttributeError(name);
      throw no_attribute(type, name);
    }
    delete (instance as Record<string, unknown>)[key];
  } else if (typeof instance === "function" && (name === "name" || name === "length")) {
    Object.defineProperty(instance, key, { value, writable: true, enumerable: true, configurable: true });
  } else (instance as Record<string, unknown>)[key] = value;
}

/** Built-in types whose instances take new attributes say so here. */
export const with_dict = {
  add: (type: TypeObject): void => {
    type.has_dict = true;
  },
};

function no_attribute(type: TypeObject, name: string): AttributeError {
  return new AttributeError(`'${type.tp_name}' object has no attribute '${name}'`);
}

/** The attribute, or undefined if there is none. `__getattr__` of a program is asked last; only its AttributeError means "none". */
export function find_attribute(value: unknown, name: string): unknown {
  const type = type_of(value);
  const getattribute = type.lookup("__getattribute__");
  let result: unknown;
  try {
    if (getattribute !== undefined && !is_builtin(getattribute))
      return call_unbound(getattribute, value, [name], null, type);
    if (type.tp_getattro !== null) result = type.tp_getattro(value as never, name);
    else if ((typeof value === "object" && value !== null) || (typeof value === "function" && type.heap))
      result = generic_getattr(value, name);
    else {
      const found = type.lookup(name);
      const get = found === undefined ? null : type_of(found).tp_descr_get;
      result = get === null ? found : get(found as never, value, type);
    }
  } catch (error) {
    // A property that says that it is missing is asked for once more, as any missing attribute.
    if (!(error instanceof AttributeError) || type.lookup("__getattr__") === undefined) throw error;
  }
  if (result !== undefined) return result;
  const getattr = type.lookup("__getattr__");
  return getattr === undefined ? undefined : call_unbound(getattr, value, [name], null, type);
}

/** `getattr(value, name)`. */
export function getattr(value: unknown, name: string): unknown {
  let error: unknown;
  try {
    const result = find_attribute(value, name);
    if (result !== undefined) return result;
    const info = info_of(value);
    error =
      info === undefined
        ? no_attribute(type_of(value), name)
        : new AttributeError(`type object '${info.name}' has no attribute '${name}'`);
  } catch (raised) {
    error = raised;
  }
  if (error instanceof AttributeError && !missing.has(error)) missing.set(error, { name, obj: value });
  throw error;
}

/** `getattr(value, name, None)` that tells "no attribute" as undefined also if a property raises AttributeError. */
export function getattr_or_undefined(value: unknown, name: string): unknown {
  try {
    return find_attribute(value, name);
  } catch (error) {
    if (error instanceof AttributeError) return undefined;
    throw error;
  }
}

/** `setattr(value, name, new_value)`; an undefined value deletes the attribute. */
export function setattr(target: unknown, name: string, value: unknown): void {
  const type = type_of(target);
  const method = type.lookup(value === undefined ? "__delattr__" : "__setattr__");
  if (method !== undefined && !is_builtin(method)) {
    call_unbound(method, target, value === undefined ? [name] : [name, value], null, type);
  } else if (type.tp_setattro !== null) type.tp_setattro(target as never, name, value);
  else if ((typeof target === "object" && target !== null) || (typeof target === "function" && type.heap))
    generic_setattr(target, name, value);
  else {
    const found = type.lookup(name);
    if (found === undefined) throw no_attribute(type, name);
    const set = type_of(found).tp_descr_set;
    if (set !== null) {
      set(found as never, target, value);
      return;
    }
    throw new AttributeError(`'${type.tp_name}' object attribute '${name}' is read-only`);
  }
}

// ---- Texts

/** Objects whose text is being made, so that a list that holds itself prints `[...]`. */
const printing: object[] = [];

/** Containers inside each other whose text is made; CPython counts its calls. */
const DEEPEST = 1000;

/** Makes the text of a container once: inside itself it is `again`. */
export function repr_once(value: object, again: string, make: () => string): string {
  if (printing.includes(value)) return again;
  if (printing.length >= DEEPEST)
    throw new RecursionError("maximum recursion depth exceeded while getting the repr of an object");
  printing.push(value);
  try {
    return make();
  } finally {
    printing.pop();
  }
}

/** `repr(value)`. */
export function repr(value: unknown): string {
  switch (typeof value) {
    case "string":
      return str_repr(value);
    case "boolean":
      return value ? "True" : "False";
    case "bigint":
      return int_repr(value);
    case "number":
      return Number.isInteger(value) && !Object.is(value, -0) ? String(value) : float_repr(value);
  }
  if (value === null) return "None";
  if (value instanceof FloatValue) return float_repr(value.value);
  const text = call_special(value, "__repr__");
  if (typeof text !== "string")
    throw new TypeError_(`__repr__ returned non-string (type ${type_of(text ?? null).tp_name})`);
  return text;
}

/** `ascii(value)`: `repr` with escapes for what is not ASCII. */
export function ascii(value: unknown): string {
  return escape_non_ascii(repr(value));
}

/** `str(value)`. */
export function str(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" && typeof value !== "function") return repr(value);
  const text = value === null ? undefined : call_special(value, "__str__");
  if (text === undefined) return repr(value);
  if (typeof text !== "string") throw new TypeError_(`__str__ returned non-string (type ${type_of(text).tp_name})`);
  return text;
}

// ---- Truth

/** `bool(value)`. */
export function truth(value: unknown): boolean {
  switch (typeof value) {
    case "boolean":
      return value;
    case "number":
      return value !== 0;
    case "string":
      return value !== "";
    case "bigint":
      return value !== 0n;
  }
  if (value === null) return false;
  if (value instanceof FloatValue) return value.value !== 0;
  if (Array.isArray(value) && (value as { [TYPE]?: TypeObject })[TYPE] === undefined) return value.length > 0;
  const type = type_of(value);
  const as_bool = type.lookup("__bool__");
  if (as_bool !== undefined && as_bool !== null) {
    const result = call_unbound(as_bool, value, [], null, type);
    if (typeof result !== "boolean")
      throw new TypeError_(`__bool__ should return bool, returned ${type_of(result).tp_name}`);
    return result;
  }
  const length = call_special(value, "__len__");
  return length === undefined ? true : checked_length(length) !== 0;
}

/** The result of a `__len__` as a number. */
export function checked_length(length: unknown): number {
  const value = typeof length === "boolean" ? Number(length) : length;
  if (typeof value === "bigint") throw new OverflowError("cannot fit 'int' into an index-sized integer");
  if (typeof value !== "number" || !Number.isInteger(value))
    throw new TypeError_(`'${type_of(length).tp_name}' object cannot be interpreted as an integer`);
  if (value < 0) throw new ValueError("__len__() should return >= 0");
  return value;
}

// ---- Order

/** Comparison signs with their methods, and the method of the other side. */
const COMPARISONS = {
  "<": ["__lt__", "__gt__"],
  "<=": ["__le__", "__ge__"],
  "==": ["__eq__", "__eq__"],
  "!=": ["__ne__", "__ne__"],
  ">": ["__gt__", "__lt__"],
  ">=": ["__ge__", "__le__"],
} as const;
export type Comparison = keyof typeof COMPARISONS;

/** The six methods of a comparison, `__lt__` to `__ge__`, for `define_methods`. */
export function comparison_methods(compare: (how: Comparison) => Implementation): Record<string, Implementation> {
  const signs = Object.keys(COMPARISONS) as Comparison[];
  return Object.fromEntries(signs.map((how) => [`${COMPARISONS[how][0]}(self, value, /)`, compare(how)]));
}

export { NotImplemented };

function is_number(value: unknown): value is number | bigint | boolean | FloatValue {
  return (
    typeof value === "number" || typeof value === "bigint" || typeof value === "boolean" || value instanceof FloatValue
  );
}

const plain_number = (value: number | bigint | boolean | FloatValue): number | bigint =>
  typeof value === "boolean" ? Number(value) : value instanceof FloatValue ? value.value : value;

function compare_plain(a: number | bigint | string, b: number | bigint | string, how: Comparison): boolean {
  switch (how) {
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case "==":
      // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number compare by value only so
      return a == b;
    case "!=":
      // biome-ignore lint/suspicious/noDoubleEquals: as above
      return a != b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
  }
}

/** Strings compare by code points, JavaScript's by UTF-16 units: they differ where one has a character beyond U+FFFF. */
function compare_strings(a: string, b: string, how: Comparison): boolean {
  if (how === "==" || how === "!=" || !/[\ud800-\udfff]/.test(a + b)) return compare_plain(a, b, how);
  const x = Array.from(a, (it) => it.codePointAt(0) as number);
  const y = Array.from(b, (it) => it.codePointAt(0) as number);
  const i = x.findIndex((it, k) => it !== y[k]);
  return i < 0 ? compare_plain(x.length, y.length, how) : compare_plain(x[i] as number, y[i] ?? -1, how);
}

/** `a < b` and so on; the result need not be a bool. */
export function richcompare(a: unknown, b: unknown, how: Comparison): unknown {
  if (is_number(a) && is_number(b)) return compare_plain(plain_number(a), plain_number(b), how);
  if (typeof a === "string" && typeof b === "string") return compare_strings(a, b, how);
  const [method, reflected] = COMPARISONS[how];
  const type = type_of(a);
  const other = type_of(b);
  let tried = false;
  if (type !== other && other.is_subtype(type)) {
    tried = true;
    const result = call_special(b, reflected, a);
    if (result !== undefined && result !== NotImplemented) return result;
  }
  const result = call_special(a, method, b);
  if (result !== undefined && result !== NotImplemented) return result;
  if (!tried) {
    const answer = call_special(b, reflected, a);
    if (answer !== undefined && answer !== NotImplemented) return answer;
  }
  if (how === "==") return a === b;
  if (how === "!=") return a !== b;
  throw new TypeError_(`'${how}' not supported between instances of '${type.tp_name}' and '${other.tp_name}'`);
}

/** `a is b`. Two NaNs cannot be told apart: they count as one object. */
export function same(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "number" && Object.is(a, b));
}

/** Whether two elements of a container are equal: the same object, or `==`. */
export function equal(a: unknown, b: unknown): boolean {
  return same(a, b) || truth(richcompare(a, b, "=="));
}

/** `a < b` as a boolean. */
export function less(a: unknown, b: unknown): boolean {
  return truth(richcompare(a, b, "<"));
}

/** `callable(value)`. */
export function is_callable(value: unknown): boolean {
  const type = type_of(value);
  return type.tp_call !== null || type.lookup("__call__") !== undefined;
}

/** Calls a method of an object by its name, which may also be an attribute of the instance. */
export function call_method(self: unknown, name: string, ...args: unknown[]): unknown {
  return vectorcall(getattr(self, name), args, null);
}
