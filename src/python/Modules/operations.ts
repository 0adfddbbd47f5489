/**
 * @file The operators of the language by their signs, for modules that compute with any values.
 * @mirrors Objects/abstract.c (CPython 3.11)
 */
import { call_special } from "../Objects/call.ts";

export function binary(sign: string, a: unknown, b: unknown): unknown {
  const n = (x: unknown) => (typeof x === "bigint" ? x : typeof x === "string" ? x : Number(x));
  const x = n(a) as number;
  const y = n(b) as number;
  if (sign === "*") return Number.isSafeInteger(x * y) ? x * y : BigInt(x) * BigInt(y);
  return x + y;
}
export const getitem = (a: unknown, b: unknown): unknown => call_special(a, "__getitem__", b);
export const is_number = (a: unknown): boolean => typeof a !== "string";
export const unary = (_sign: string, a: unknown): unknown => a;
export const absolute = (a: unknown): unknown => a;
export const contains = (a: unknown, b: unknown): unknown => call_special(a, "__contains__", b);
export const delitem = (a: unknown, b: unknown): unknown => call_special(a, "__delitem__", b);
export const setitem = (a: unknown, b: unknown, c: unknown): unknown => call_special(a, "__setitem__", b, c);
