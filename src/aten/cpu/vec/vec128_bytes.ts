/**
 * @file Vectors of sixteen one-byte lanes, for graphs in which only the lowest eight bits of values matter.
 *
 *   bitwise_and, +, *, ... of bytes        bits above the eighth are lost in the store, so they need not be computed
 *   a < b, a === b                         only if the operands have no more bits: inputs, captures, constants, and
 *                                          bitwise results of these
 *
 * @mirrors aten/src/ATen/cpu/vec/vec128/vec128.h
 * @differs A graph that computes in four bytes is recognized as needing one; C++ has a class of vectors for each dtype.
 * @see vec128.ts (the loop around it), vec128_types.ts (all other elements)
 */
import type { Emitter } from "./emitter.ts";
import { is_comparison, type Kernel, type Value } from "./ir.ts";
import { SIZES } from "./vec128_types.ts";

const LEAST: Readonly<Record<string, number>> = { int8: -128, uint8: 0, bool: 0 };
/** Operations whose result's lowest bits depend only on the lowest bits of the operands. */
const OF_LOWEST_BITS: ReadonlySet<string> = new Set(["add", "sub", "mul", "neg", "and", "or", "xor"]);
const OF_MASKS: ReadonlySet<string> = new Set(["and", "or", "xor", "not", "unlikely", "select", "eq", "ne"]);

/** Whether sixteen one-byte lanes are enough for the kernel. */
export function is_of_bytes({ inputs, captures, outputs, values }: Kernel): boolean {
  if (inputs.length === 0 || outputs.length !== 1 || captures.some(({ type }) => type !== "i32")) return false;
  const [{ dtype }] = inputs;
  if (inputs.some((i) => i.dtype !== dtype) || SIZES[dtype] !== 1 || SIZES[outputs[0].dtype] !== 1) return false;
  return values.every((v) => is_computed_in_bytes(v, dtype));
}

function is_computed_in_bytes(v: Value, dtype: string): boolean {
  if (is_comparison(v.op)) return v.args.every((a) => a.type === "mask" || has_eight_bits(a, dtype));
  if (v.type === "mask") return OF_MASKS.has(v.op);
  return (
    v.type === "i32" && (OF_LOWEST_BITS.has(v.op) || v.op === "select" || v.op === "bool" || v.op.startsWith("wrap_"))
  );
}

/** Whether the value is one of `dtype`, so that its lowest byte determines it. */
function has_eight_bits(v: Value, dtype: string): boolean {
  switch (v.op) {
    case "input":
    case "capture":
    case "bool":
      return true;
    case "const":
      return Number(v.value) >= LEAST[dtype] && Number(v.value) <= LEAST[dtype] + 255;
    case "and":
    case "or":
    case "xor":
      return v.args.every((a) => has_eight_bits(a, dtype));
    case "select":
      return v.args.slice(1).every((a) => has_eight_bits(a, dtype));
    default:
      return v.op === `wrap_${dtype}`;
  }
}

/**
 * Loads `count` vectors of elements from local `at` on. Memory that a view declares as bool may hold any byte: all but
 * 0 are true.
 */
export function load_bytes(e: Emitter, dtype: string, at: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, k) => {
    e.emit(`local.get $${at}`);
    const x = e.set(`v128.load offset=${16 * k}`);
    return dtype === "bool" ? e.op("i8x16.min_u", x, e.bytes(1)) : x;
  });
}

export function store_bytes(e: Emitter, isMask: boolean, vectors: readonly string[], at: string): void {
  for (const [k, x] of vectors.entries()) {
    const bytes = isMask ? e.op("v128.and", x, e.bytes(1)) : x;
    e.emit(`local.get $${at}`, `local.get $${bytes}`, `v128.store offset=${16 * k}`);
  }
}

/** One value of a graph whose inputs are of `dtype`, from its arguments. */
export function byte_value(
  e: Emitter,
  v: Value,
  dtype: string,
  args: readonly (readonly string[])[],
): readonly string[] {
  const [a, b, c] = args;
  switch (v.op) {
    case "and":
    case "or":
    case "xor":
      return a.map((_, k) => e.op(`v128.${v.op}`, a[k], b[k]));
    case "not":
      return a.map((x) => e.op("v128.not", x));
    case "select":
      return a.map((_, k) => e.op("v128.bitselect", b[k], c[k], a[k]));
    case "bool":
      return a.map((x) => e.op("v128.and", x, e.bytes(1)));
    case "mul":
      return a.map((_, k) => {
        const halves = ["low", "high"].map((half) => e.op(`i16x8.extmul_${half}_i8x16_u`, a[k], b[k]));
        return e.shuffle(halves[0], halves[1], LOW_BYTES);
      });
    case "unlikely":
    case "wrap_int8":
    case "wrap_uint8":
      return a;
  }
  if (v.op === "ne" && v.args[0].type === "mask") return a.map((_, k) => e.op("v128.xor", a[k], b[k]));
  const ordered = is_comparison(v.op) && v.op !== "eq" && v.op !== "ne";
  const sign = ordered ? (dtype === "int8" ? "_s" : "_u") : "";
  return a.map((_, k) => e.op(`i8x16.${v.op}${sign}`, ...args.map((x) => x[k])));
}

/** Byte order for a shuffle of two vectors: the lower byte of every two. */
const LOW_BYTES = Array.from({ length: 16 }, (_, k) => 2 * k);
