/**
 * @file The meaning of kernel text's types for given dtypes: `scalar_t`, `data<acc_t>`, `captured<Foo>`.
 * @original The C++ compiler substitutes template parameters.
 * @see src/aten/Dispatch.ts, which declares them for TypeScript
 */
import { accOf, type ElementType, elementType, opmathOf } from "./element_types.ts";
import { element, NUMBER, TRUTH, type ValueType, VOID } from "./tree.ts";

/** Element types of this instantiation, by type variable. */
export type Bindings = ReadonlyMap<string, ElementType>;

/** Splits `data<acc<src_t>>` into `data` and `acc<src_t>`. */
function splitType(type: string): { head: string; argument: string | null } {
  const match = /^([\w$]+)\s*<(.*)>$/s.exec(type.trim());
  return match ? { head: match[1], argument: match[2].trim() } : { head: type.trim(), argument: null };
}

export function isCaptured(type: string): boolean {
  return /^captured(_opmath)?\b/.test(type.trim());
}

/** The element type that `type` names, or null if it names none. */
export function elementNamed(type: string, bindings: Bindings): ElementType | null {
  const { head, argument } = splitType(type);
  if (argument === null) {
    const own = bindings.get(head) ?? elementType(head);
    if (own !== undefined) return own;
    if (head === "opmath_t") return opmathOf(first(bindings));
    if (head === "acc_t") return accOf(first(bindings));
    return null;
  }
  const inner = elementNamed(argument, bindings);
  if (inner === null) return null;
  if (head === "opmath") return opmathOf(inner);
  return head === "acc" ? accOf(inner) : null;
}

function first(bindings: Bindings): ElementType {
  return [...bindings.values()][0];
}

export function typeNamed(type: string, bindings: Bindings): ValueType {
  if (type === "number") return NUMBER;
  if (type === "boolean") return TRUTH;
  if (type === "void") return VOID;
  const { head, argument } = splitType(type);
  if (head === "captured") return argument === null ? element(first(bindings)) : typeNamed(argument, bindings);
  if (head === "captured_opmath") return element(opmathOf(first(bindings)));
  if (head === "data" && argument !== null) {
    const t = elementNamed(argument, bindings);
    if (t !== null) return { k: "data", t };
  }
  if (head === "row" && argument !== null) {
    const of = typeNamed(argument, bindings);
    if (of.k === "element") return { k: "row", t: of.t, depth: 1, packed: false };
    if (of.k === "row") return { ...of, depth: of.depth + 1 };
  }
  if (head === "pointer" && argument !== null) {
    const of = typeNamed(argument, bindings);
    if (of.k === "element") return { k: "row", t: of.t, depth: 1, packed: true };
  }
  if (type.endsWith("[]")) {
    const t = elementNamed(type.slice(0, -2).replace(/^readonly\s+/, ""), bindings);
    if (t !== null) return { k: "array", t };
  }
  const t = elementNamed(type, bindings);
  return t === null ? { k: "other", written: type } : element(t);
}
