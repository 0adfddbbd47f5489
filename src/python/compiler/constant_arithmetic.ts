/**
 * @file Operators on constants, so that `2 * 3` can be compiled as `6`. What would raise an error is left to the machine.
 * @mirrors Python/ast_opt.c (CPython 3.11): safe_multiply, safe_power, safe_lshift
 * @differs CPython calls the operators of its objects, so every sum of constants is found; here the operators stand for numbers, strings, bytes and
 * tuples. Powers of complex numbers are left to the machine.
 */
import * as ast from "../ast/nodes.ts";
import { PyBytes } from "../Objects/bytesobject.ts";
import { PyComplex } from "../Objects/complexobject.ts";
import { FloatValue, float_value } from "../Objects/floatobject.ts";
import { int_value } from "../Objects/longobject.ts";
import { PyFrozenSet } from "../Objects/setobject.ts";
import { PyTuple, tuple } from "../Objects/tupleobject.ts";

/** No constant: the operation is left as it is. */
export const NOT_FOLDED = Symbol("not folded");

// Larger results would make code objects large.
const MAX_INT_SIZE = 128;
const MAX_COLLECTION_SIZE = 256;
const MAX_STR_SIZE = 4096;
const MAX_TOTAL_ITEMS = 1024;

/** The value of an int or bool; null for other values. */
function as_int(value: unknown): bigint | null {
  if (typeof value === "bigint") return value;
  if (typeof value === "boolean") return value ? 1n : 0n;
  return typeof value === "number" && Number.isInteger(value) && !Object.is(value, -0) ? BigInt(value) : null;
}

/** The value of a real number; null for other values, and for an int that is too large. */
function as_float(value: unknown): number | null {
  if (value instanceof FloatValue) return value.value;
  if (typeof value === "number") return value;
  const int = as_int(value);
  if (int === null) return null;
  const float = Number(int);
  return Number.isFinite(float) ? float : null;
}

function as_complex(value: unknown): PyComplex | null {
  if (value instanceof PyComplex) return value;
  const float = as_float(value);
  return float === null ? null : new PyComplex(float, 0);
}

/** `bool(value)` of a constant. */
export function truth_of(value: unknown): boolean {
  if (value instanceof FloatValue) return value.value !== 0;
  if (typeof value === "number") return value !== 0;
  if (value instanceof PyTuple) return value.length > 0;
  if (value instanceof PyFrozenSet) return value.elements.length > 0;
  if (value instanceof PyBytes) return value.data.length > 0;
  if (value instanceof PyComplex) return value.real !== 0 || value.imag !== 0;
  return Boolean(value);
}

export function unary(op: ast.unaryop, value: unknown): unknown {
  if (op instanceof ast.Not) return !truth_of(value);
  const int = as_int(value);
  if (int !== null) return int_value(op instanceof ast.USub ? -int : op instanceof ast.UAdd ? int : ~int);
  if (op instanceof ast.Invert) return NOT_FOLDED;
  const sign = op instanceof ast.USub ? -1 : 1;
  if (value instanceof PyComplex) return new PyComplex(sign * value.real, sign * value.imag);
  const float = as_float(value);
  return float === null ? NOT_FOLDED : float_value(sign * float);
}

export function binary(op: ast.operator, left: unknown, right: unknown): unknown {
  const l = as_int(left);
  const r = as_int(right);
  if (l !== null && r !== null) return bool_operator(op, left, right) ?? int_binary(op, l, r);
  const x = as_float(left);
  const y = as_float(right);
  if (x !== null && y !== null) return float_binary(op, x, y);
  const a = as_complex(left);
  const b = as_complex(right);
  if (a !== null && b !== null) return complex_binary(op, a, b);
  if (op instanceof ast.Add) return concatenated(left, right);
  if (op instanceof ast.Mult) return l !== null ? repeated(right, l) : r !== null ? repeated(left, r) : NOT_FOLDED;
  return NOT_FOLDED;
}

/** `&`, `|` and `^` of two bools are bools. */
function bool_operator(op: ast.operator, left: unknown, right: unknown): boolean | null {
  if (typeof left !== "boolean" || typeof right !== "boolean") return null;
  if (op instanceof ast.BitAnd) return left && right;
  if (op instanceof ast.BitOr) return left || right;
  return op instanceof ast.BitXor ? left !== right : null;
}

function bits(value: bigint): number {
  return value === 0n ? 0 : (value < 0n ? -value : value).toString(2).length;
}

function floor_div(l: bigint, r: bigint): bigint {
  const quotient = l / r;
  return l % r !== 0n && l < 0n !== r < 0n ? quotient - 1n : quotient;
}

function int_binary(op: ast.operator, l: bigint, r: bigint): unknown {
  if (op instanceof ast.Add) return int_value(l + r);
  if (op instanceof ast.Sub) return int_value(l - r);
  if (op instanceof ast.Mult) return bits(l) + bits(r) > MAX_INT_SIZE && l && r ? NOT_FOLDED : int_value(l * r);
  if (op instanceof ast.BitAnd) return int_value(l & r);
  if (op instanceof ast.BitOr) return int_value(l | r);
  if (op instanceof ast.BitXor) return int_value(l ^ r);
  if (op instanceof ast.LShift) {
    if (r < 0n || (l && (r > MAX_INT_SIZE || bits(l) > MAX_INT_SIZE - Number(r)))) return NOT_FOLDED;
    return l === 0n ? 0 : int_value(l << r);
  }
  if (op instanceof ast.RShift) return r < 0n ? NOT_FOLDED : int_value(r > 1n << 30n ? (l < 0n ? -1n : 0n) : l >> r);
  if (op instanceof ast.Pow) {
    if (r < 0n) return l === 0n ? NOT_FOLDED : quotient(1n, l ** -r);
    return l && r && bits(l) > MAX_INT_SIZE / Number(r) ? NOT_FOLDED : int_value(l ** r);
  }
  if (r === 0n) return NOT_FOLDED;
  if (op instanceof ast.Div) return quotient(l, r);
  if (op instanceof ast.FloorDiv) return int_value(floor_div(l, r));
  return op instanceof ast.Mod ? int_value(l - floor_div(l, r) * r) : NOT_FOLDED;
}

/** `l / r`, rounded once. */
function quotient(l: bigint, r: bigint): unknown {
  const [x, y] = [Number(l), Number(r)];
  if (Number.isSafeInteger(x) && Number.isSafeInteger(y)) return float_value(x / y);
  // Digits beyond those of a double, the last of which tells that something was cut off: then rounding to a double is right.
  const shift = BigInt(Math.max(0, 66 - bits(l) + bits(r)));
  const scaled = (l << shift) / r;
  const cut = scaled * r !== l << shift ? 1n : 0n;
  const value = Number((scaled << 1n) | cut) / 2 ** Number(shift + 1n);
  return Number.isFinite(value) ? float_value(value) : NOT_FOLDED;
}

function float_binary(op: ast.operator, x: number, y: number): unknown {
  if (op instanceof ast.Add) return float_value(x + y);
  if (op instanceof ast.Sub) return float_value(x - y);
  if (op instanceof ast.Mult) return float_value(x * y);
  if (op instanceof ast.Pow) {
    if ((x === 0 && y < 0) || (x < 0 && !Number.isInteger(y))) return NOT_FOLDED;
    const value = Math.abs(x) === 1 && !Number.isFinite(y) ? 1 : x ** y;
    return !Number.isFinite(value) && Number.isFinite(x) && Number.isFinite(y) ? NOT_FOLDED : float_value(value);
  }
  if (y === 0) return NOT_FOLDED;
  if (op instanceof ast.Div) return float_value(x / y);
  let rest = x % y;
  let whole = (x - rest) / y;
  if (rest === 0) rest = y < 0 ? -0 : 0;
  else if (rest < 0 !== y < 0) {
    rest += y;
    whole -= 1;
  }
  if (op instanceof ast.Mod) return float_value(rest);
  if (!(op instanceof ast.FloorDiv)) return NOT_FOLDED;
  if (whole === 0) return float_value(x / y < 0 || Object.is(x / y, -0) ? -0 : 0);
  const floor = Math.floor(whole);
  return float_value(whole - floor > 0.5 ? floor + 1 : floor);
}

function complex_binary(op: ast.operator, a: PyComplex, b: PyComplex): unknown {
  if (op instanceof ast.Add) return new PyComplex(a.real + b.real, a.imag + b.imag);
  if (op instanceof ast.Sub) return new PyComplex(a.real - b.real, a.imag - b.imag);
  if (op instanceof ast.Mult)
    return new PyComplex(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real);
  return op instanceof ast.Div && (b.real !== 0 || b.imag !== 0) ? complex_quotient(a, b) : NOT_FOLDED;
}

/** Divides by the larger part first, so that nothing overflows on the way. */
function complex_quotient(a: PyComplex, b: PyComplex): PyComplex {
  if (Math.abs(b.real) >= Math.abs(b.imag)) {
    const ratio = b.imag / b.real;
    const denominator = b.real + b.imag * ratio;
    return new PyComplex((a.real + a.imag * ratio) / denominator, (a.imag - a.real * ratio) / denominator);
  }
  const ratio = b.real / b.imag;
  const denominator = b.real * ratio + b.imag;
  return new PyComplex((a.real * ratio + a.imag) / denominator, (a.imag * ratio - a.real) / denominator);
}

function concatenated(left: unknown, right: unknown): unknown {
  if (typeof left === "string" && typeof right === "string") return left + right;
  if (left instanceof PyTuple && right instanceof PyTuple) return tuple([...left, ...right]);
  if (left instanceof PyBytes && right instanceof PyBytes)
    return new PyBytes(Uint8Array.of(...left.data, ...right.data));
  return NOT_FOLDED;
}

/** `value * times`. */
function repeated(value: unknown, times: bigint): unknown {
  if (BigInt.asIntN(64, times) !== times) return NOT_FOLDED;
  if (value instanceof PyTuple) {
    const { length } = value;
    if (length > 0 && (times < 0n || times > Math.floor(MAX_COLLECTION_SIZE / length))) return NOT_FOLDED;
    const n = Number(times);
    if (length > 0 && n > 0 && complexity_left(value, Math.floor(MAX_TOTAL_ITEMS / n)) < 0) return NOT_FOLDED;
    return tuple(Array.from({ length: length * n }, (_, i) => value[i % length]));
  }
  const size = typeof value === "string" ? [...value].length : value instanceof PyBytes ? value.data.length : null;
  if (size === null) return NOT_FOLDED;
  if (size > 0 && (times < 0n || times > Math.floor(MAX_STR_SIZE / size))) return NOT_FOLDED;
  if (size === 0) return value;
  const n = Number(times);
  if (typeof value === "string") return value.repeat(n);
  const { data } = value as PyBytes;
  return new PyBytes(Uint8Array.from({ length: data.length * n }, (_, i) => data[i % data.length]));
}

/** What is left of `limit` when all elements are counted, those of inner tuples included. */
function complexity_left(value: unknown, limit: number): number {
  const elements = value instanceof PyTuple ? value : value instanceof PyFrozenSet ? value.elements : null;
  if (elements === null) return limit;
  let left = limit - elements.length;
  if (value instanceof PyTuple)
    for (let i = 0; i < value.length && left >= 0; i++) left = complexity_left(value[i], left);
  return left;
}

/** `value[index]`. */
export function item(value: unknown, index: unknown): unknown {
  const i = as_int(index);
  if (i === null) return NOT_FOLDED;
  const elements =
    typeof value === "string" ? [...value] : value instanceof PyTuple ? value : value instanceof PyBytes ? value.data : [];
  const place = Number(i < 0n ? i + BigInt(elements.length) : i);
  return place >= 0 && place < elements.length ? elements[place] : NOT_FOLDED;
}
