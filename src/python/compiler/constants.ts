/**
 * @file The constants of a code object. Equal values of one type are kept once; `1`, `1.0` and `True` stay apart although they are equal.
 * @mirrors Objects/codeobject.c (CPython 3.11): _PyCode_ConstantKey
 */
import type { AST } from "../ast/nodes.ts";
import { PyBytes } from "../Objects/bytesobject.ts";
import { PyComplex } from "../Objects/complexobject.ts";
import { FloatValue, float_repr } from "../Objects/floatobject.ts";
import { PyFrozenSet } from "../Objects/setobject.ts";
import { PyTuple } from "../Objects/tupleobject.ts";
import { Code } from "./code.ts";

const numbers = new WeakMap<AST, number>();
let count = 0;

function number_of(node: AST): number {
  let number = numbers.get(node);
  if (number === undefined) numbers.set(node, (number = ++count));
  return number;
}

/** A text that two constants share if they are equal and have the same type. */
export function constant_key(value: unknown): string {
  switch (typeof value) {
    case "string":
      return `s${value.length}:${value}`;
    case "number":
      return Number.isInteger(value) && !Object.is(value, -0) ? `i${value}` : `f${float_repr(value)}`;
    case "bigint":
      return `i${value}`;
    case "boolean":
      return value ? "True" : "False";
  }
  if (value === null) return "None";
  if (value instanceof FloatValue) return `f${float_repr(value.value)}`;
  if (value instanceof PyTuple) return `(${value.map(constant_key).join()})`;
  if (value instanceof PyBytes) return `b${value.data.join()};`;
  if (value instanceof PyComplex) return `c${float_repr(value.real)},${float_repr(value.imag)}`;
  if (value instanceof PyFrozenSet) return `{${value.elements.map(constant_key).sort().join()}}`;
  // Code that is made twice from one node, in a `finally` block for instance, is equal.
  if (value instanceof Code && value.node !== null) return `code${number_of(value.node)}`;
  return String(value);
}

export class ConstantTable {
  readonly values: unknown[] = [];
  /** Strings are the most frequent constants; they need no key. */
  private readonly strings = new Map<string, number>();
  private readonly others = new Map<string, number>();

  /** @returns the index of a constant, which is added if it is new */
  index(value: unknown): number {
    const table = typeof value === "string" ? this.strings : this.others;
    const key = typeof value === "string" ? value : constant_key(value);
    let index = table.get(key);
    if (index === undefined) {
      table.set(key, (index = this.values.length));
      this.values.push(value);
    }
    return index;
  }
}
