/**
 * @file Elements of one byte in sixteen lanes of one byte: for graphs of whose values only the lowest eight bits matter.
 *
 *   bitwise_and, +, *, ... of bytes        what is above eight bits is lost when it is stored: it need not be computed
 *   a < b, a === b                         only of what has no more: inputs, captures, constants, and what is made of their bits
 *
 * @mirrors aten/src/ATen/cpu/vec/vec128/vec128.h
 * @differs C++ has a class of vectors for each dtype; here a graph that computes in four bytes is seen to need but one.
 * @see vec128.ts (the loop around it), vec128_types.ts (all other elements)
 */
import type { Emitter } from "./emitter.ts";
import { is_comparison, type Kernel, type Value } from "./ir.ts";
import { SIZES } from "./vec128_types.ts";

const LEAST: Readonly<Record<string, number>> = { int8: -128, uint8: 0, bool: 0 };
/** Of operations whose result's lowest bits depend on nothing but those of what they take. */
const OF_LOWEST_BITS: ReadonlySet<string> = new Set(["add", "sub", "mul", "neg", "and", "or", "xor"]);
const OF_MASKS: ReadonlySet<string> = new Set(["and", "or", "xor", "not", "unlikely", "select", "eq", "ne"]);

/** Whether sixteen lanes of one byte are enough for it. */
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

/** Whether the value is one of `dtype`, so that its lowest byte tells all. */
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

/** Elements from local `at` on, in `count` vectors. Memory that was made bool by a view holds any byte: all but 0 are true. */
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

/** A value of a graph whose inputs are of `dtype`, of `args`. */
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

/** Of two vectors, the lower byte of every two. */
const LOW_BYTES = Array.from({ length: 16 }, (_, k) => 2 * k);
