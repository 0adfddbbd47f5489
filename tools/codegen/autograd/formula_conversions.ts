/**
 * @file Implicit conversions of C++ and their TypeScript form: `2` becomes `Scalar.fromInt(2)` if a Scalar is required.
 * @original In PyTorch these are constructors of Scalar, ArrayRef, optional, TensorOptions.
 */
import { base, type FormulaType, is_base, is_number, list_of, SCALAR, same_type, UNKNOWN } from "./formula_types.ts";
import type { Typed, TypedCall } from "./typed_formula.ts";

export interface Converted {
  readonly value: Typed;
  /** Among overloads, the one with the lowest total cost is chosen. */
  readonly cost: number;
}

/** `value` converted to type `to`, or null if C++ would not convert either. */
export function convert(value: Typed, to: FormulaType): Converted | null {
  const from = value.type;
  if (value.kind === "braces") return convert_braces(value.items, to);
  if (from.kind === "unknown" || to.kind === "unknown" || same_type(from, to)) return { value, cost: 0 };
  if (to.kind === "union") return cheapest(to.members.map((m) => convert(value, m)));
  if (to.kind === "optional") return convert_to_optional(value, to.elem);
  if (value.kind === "conditional" && !is_number(from)) return convert_branches(value, to);
  if (to.kind === "list") return convert_to_list(value, to.elem);
  if (to.kind === "tuple") return from.kind === "tuple" && same_shape(from.elems, to.elems) ? { value, cost: 1 } : null;
  return to.kind === "base" ? convert_to_base(value, to.name) : null;
}

function cheapest(found: readonly (Converted | null)[]): Converted | null {
  return found.reduce((best, f) => (f !== null && (best === null || f.cost < best.cost) ? f : best), null);
}

function convert_to_optional(value: Typed, elem: FormulaType): Converted | null {
  if (is_base(value.type, "nullopt")) return { value, cost: 1 };
  // A value that needs wrapping could be null, so only values that need no change are converted.
  if (value.type.kind === "optional") return goes_over(value.type.elem, elem) ? { value, cost: 1 } : null;
  const inner = convert(value, elem);
  return inner === null ? null : { value: inner.value, cost: inner.cost + 1 };
}

function convert_branches(value: Typed & { kind: "conditional" }, to: FormulaType): Converted | null {
  const yes = convert(value.yes, to);
  const no = convert(value.no, to);
  if (yes === null || no === null) return null;
  return { value: { ...value, type: to, yes: yes.value, no: no.value }, cost: Math.max(yes.cost, no.cost) };
}

/** A list of elements that need no change; a single value becomes a list of one, as with C++'s ArrayRef. */
function convert_to_list(value: Typed, elem: FormulaType): Converted | null {
  if (value.type.kind === "list") return goes_over(value.type.elem, elem) ? { value, cost: 1 } : null;
  const one = value.type.kind === "optional" ? null : convert(value, elem);
  return one === null ? null : { value: array([one.value], elem), cost: one.cost + 2 };
}

/** Whether the JavaScript value stays the same. */
function goes_over(from: FormulaType, to: FormulaType): boolean {
  if (from.kind === "unknown" || to.kind === "unknown" || same_type(from, to)) return true;
  if (to.kind === "optional") return goes_over(from.kind === "optional" ? from.elem : from, to.elem);
  if (from.kind === "list" && to.kind === "list") return goes_over(from.elem, to.elem);
  return is_number(from) && is_number(to) && !(is_base(from, "double") && is_base(to, "int"));
}

function same_shape(from: readonly FormulaType[], to: readonly FormulaType[]): boolean {
  return from.length === to.length && from.every((f, i) => goes_over(f, to[i]));
}

function convert_to_base(value: Typed, to: string): Converted | null {
  const { type } = value;
  if (to === "Scalar") {
    const scalar = scalar_of(value);
    return scalar === null ? null : { value: scalar, cost: 2 };
  }
  if (goes_over(type, base(to))) return { value, cost: 1 };
  if (to === "TensorOptions" && is_base(type, "ScalarType"))
    return { value: made("new TensorOptions", "TensorOptions", [value]), cost: 2 };
  return null;
}

/** The Scalar of a number; null for a `number` that may be an int or not, because the Scalars differ. */
function scalar_of(value: Typed): Typed | null {
  const { type } = value;
  if (is_base(type, "int"))
    return is_text(value, "0") || is_text(value, "1")
      ? { kind: "text", type: SCALAR, text: is_text(value, "0") ? "Scalar.ZERO" : "Scalar.ONE", imports: "Scalar" }
      : made("Scalar.fromInt", "Scalar", [value]);
  if (is_base(type, "double")) return made("Scalar.fromDouble", "Scalar", [value]);
  return is_base(type, "bool") ? made("Scalar.fromBool", "Scalar", [value]) : null;
}

function is_text(value: Typed, text: string): boolean {
  return value.kind === "text" && value.text === text;
}

/** `{}` is the default-constructed value; `{a, b}` is a list, tuple or array. */
function convert_braces(items: readonly Typed[], to: FormulaType): Converted | null {
  if (to.kind === "unknown") return { value: array(items, UNKNOWN), cost: 0 };
  if (to.kind === "union") return cheapest(to.members.map((m) => convert_braces(items, m)));
  if (to.kind === "optional") {
    if (items.length === 0) return { value: { kind: "text", type: to, text: "null", imports: null }, cost: 1 };
    const inner = convert_braces(items, to.elem);
    return inner === null ? null : { value: inner.value, cost: inner.cost + 1 };
  }
  if (to.kind === "list") {
    const only = items.length === 1 ? items[0] : null;
    if (only?.kind === "braces") return convert_braces(only.items, to); // {{0, 0}}: a list copied from a list
    return all(
      items,
      items.map(() => to.elem),
      (values) => array(values, to.elem),
    );
  }
  if (to.kind === "tuple") {
    if (items.length !== to.elems.length) return null;
    return all(items, to.elems, (values) => ({ kind: "array", type: to, items: values }));
  }
  if (items.length > 0) return null;
  const empty = default_of(to.name);
  return empty === null ? null : { value: empty, cost: 1 };
}

function all(
  items: readonly Typed[],
  types: readonly FormulaType[],
  make: (values: readonly Typed[]) => Typed,
): Converted | null {
  const found = items.map((x, i) => convert(x, types[i]));
  if (found.includes(null)) return null;
  const converted = found as readonly Converted[];
  return { value: make(converted.map((c) => c.value)), cost: 1 + Math.max(0, ...converted.map((c) => c.cost)) };
}

/** The value of `T()`, for the classes whose empty value formulas use. */
export function default_of(name: string): Typed | null {
  if (name === "Tensor") return made("new Tensor", "Tensor", []);
  if (name === "TensorOptions") return { kind: "text", type: base(name), text: "TensorOptions.EMPTY", imports: name };
  return null;
}

/** The value of `std::tuple<Tensor, Tensor>()`: the empty value of each. */
export function default_of_type(type: FormulaType): Typed | null {
  if (type.kind === "list") return array([], type.elem);
  if (type.kind === "optional") return { kind: "text", type, text: "null", imports: null };
  if (type.kind === "base") return default_of(type.name);
  if (type.kind !== "tuple") return null;
  const items = type.elems.map(default_of_type);
  return items.includes(null) ? null : { kind: "array", type, items: items as Typed[] };
}

export function array(items: readonly Typed[], elem: FormulaType): Typed {
  return { kind: "array", type: list_of(elem), items };
}

/** A call of a constructor or static method of a class that formulas import. */
export function made(name: string, class_: string, args: readonly Typed[]): TypedCall {
  const common = { kind: "call", from: "static", object: null, reads: true, infix: null } as const;
  return { ...common, type: base(class_), name, imports: class_, args };
}
