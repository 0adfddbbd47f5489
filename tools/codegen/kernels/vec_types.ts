/**
 * @file The types of `@vec` kernel text and their WebAssembly form: registers, arithmetic, intrinsics.
 * @original at::vec has a class for each dtype and machine.
 * @see src/aten/cpu/vec/Vec.ts, which declares them for TypeScript
 */
import type { WasmType } from "../../../src/aten/cpu/vec/assembler.ts";
import type { VecDtype } from "./vec_source.ts";

/** `literal` takes the type of the other operand; `truth` is a condition on scalars. */
export type VecType = "Vec" | "IntVec" | "Mask" | "int" | "float" | "ptr" | "truth" | "literal" | "void";

/** The names in instructions for a dtype. */
export interface Shape {
  readonly dtype: VecDtype;
  /** Size of an element in memory, in bytes. */
  readonly size: number;
  /** Size of a computed element, as a power of two. */
  readonly log2: number;
  readonly element: WasmType;
  readonly vec: "f32x4" | "f64x2" | "i32x4" | "i64x2";
  readonly int_vec: "i32x4" | "i64x2";
}

export const SHAPES: Readonly<Record<VecDtype, Shape>> = {
  float32: { dtype: "float32", size: 4, log2: 2, element: "f32", vec: "f32x4", int_vec: "i32x4" },
  float64: { dtype: "float64", size: 8, log2: 3, element: "f64", vec: "f64x2", int_vec: "i64x2" },
  int32: { dtype: "int32", size: 4, log2: 2, element: "i32", vec: "i32x4", int_vec: "i32x4" },
  int64: { dtype: "int64", size: 8, log2: 3, element: "i64", vec: "i64x2", int_vec: "i64x2" },
  float16: { dtype: "float16", size: 2, log2: 2, element: "f32", vec: "f32x4", int_vec: "i32x4" },
  bfloat16: { dtype: "bfloat16", size: 2, log2: 2, element: "f32", vec: "f32x4", int_vec: "i32x4" },
};

/** Whether elements are integers. */
export function is_integral(shape: Shape): boolean {
  return shape.vec === shape.int_vec;
}

export function type_named(text: string): VecType | null {
  switch (text) {
    case "Vec":
    case "IntVec":
    case "Mask":
    case "int":
    case "float":
    case "ptr":
    case "void":
      return text;
    case "scalar_t":
      return "float";
    default:
      return null;
  }
}

export function wasm_type(type: VecType, shape: Shape): WasmType {
  switch (type) {
    case "Vec":
    case "IntVec":
    case "Mask":
      return "v128";
    case "float":
      return shape.element;
    default:
      return "i32";
  }
}

/** The prefix of arithmetic instructions on a type. */
export function prefix_of(type: VecType, shape: Shape): string {
  switch (type) {
    case "Vec":
      return shape.vec;
    case "IntVec":
      return shape.int_vec;
    case "Mask":
      return "v128";
    case "float":
      return shape.element;
    default:
      return "i32";
  }
}

const ARITHMETIC: Readonly<Record<string, string>> = { "+": "add", "-": "sub", "*": "mul", "/": "div" };
const BITS: Readonly<Record<string, string>> = { "&": "and", "|": "or", "^": "xor" };
const SHIFTS: Readonly<Record<string, string>> = { "<<": "shl", ">>": "shr_s", ">>>": "shr_u" };
const COMPARISONS: Readonly<Record<string, string>> = {
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
  "===": "eq",
  "!==": "ne",
};

export function is_comparison(operator: string): boolean {
  return COMPARISONS[operator] !== undefined;
}

export function is_shift(operator: string): boolean {
  return SHIFTS[operator] !== undefined;
}

/** The instruction for `operator` on two values of `type`, or null. The right side of a shift is an int. */
export function instruction_for(operator: string, type: VecType, shape: Shape): string | null {
  const prefix = prefix_of(type, shape);
  const comparison = COMPARISONS[operator];
  if (comparison !== undefined) {
    if (type === "Mask" || type === "truth") return null;
    const ordered = operator !== "===" && operator !== "!==";
    const of_elements = type === "Vec" || type === "float";
    const is_signed = type === "int" || type === "IntVec" || (of_elements && is_integral(shape));
    const whole = is_signed ? "_s" : type === "ptr" ? "_u" : "";
    return `${prefix}.${comparison}${ordered ? whole : ""}`;
  }
  switch (type) {
    case "Vec":
    case "float":
      if (ARITHMETIC[operator] === undefined || (operator === "/" && is_integral(shape))) return null;
      return `${prefix}.${ARITHMETIC[operator]}`;
    case "int":
    case "ptr":
    case "IntVec": {
      if (BITS[operator] !== undefined) return `${type === "IntVec" ? "v128" : prefix}.${BITS[operator]}`;
      const op = operator === "/" ? undefined : (ARITHMETIC[operator] ?? SHIFTS[operator]);
      return op === undefined ? null : `${prefix}.${op}`;
    }
    default:
      return null;
  }
}

export interface Intrinsic {
  readonly params: readonly VecType[];
  readonly result: VecType;
  readonly lines: (shape: Shape, relaxed: boolean) => readonly string[];
}

/** A shuffle: lane k of the result is lane `lane(k)` of two vectors, where the second vector's lanes follow the first's. */
function shuffle(lane: (k: number, lanes: number) => number): Intrinsic {
  const lines = ({ log2 }: Shape): string[] => {
    const bytes = Array.from({ length: 16 }, (_, at) => {
      const from = lane(at >> log2, 16 >> log2);
      return (from << log2) + (at & ((1 << log2) - 1));
    });
    return [`i8x16.shuffle ${bytes.join(" ")}`];
  };
  return { params: ["Vec", "Vec"], result: "Vec", lines };
}

/**
 * Intrinsics that are instructions on their operands. `load`, `store` and variants, `lane` and `min` need more:
 * vec_expressions.ts.
 */
export const INTRINSICS: ReadonlyMap<string, Intrinsic> = new Map<string, Intrinsic>([
  ["splat", { params: ["float"], result: "Vec", lines: (s) => [`${s.vec}.splat`] }],
  [
    "splat_int",
    {
      params: ["int"],
      result: "IntVec",
      lines: (s) => [...(s.int_vec === "i64x2" ? ["i64.extend_i32_s"] : []), `${s.int_vec}.splat`],
    },
  ],
  ["pmin", { params: ["Vec", "Vec"], result: "Vec", lines: (s) => [`${s.vec}.pmin`] }],
  ["pmax", { params: ["Vec", "Vec"], result: "Vec", lines: (s) => [`${s.vec}.pmax`] }],
  ["abs", { params: ["Vec"], result: "Vec", lines: (s) => [`${s.vec}.abs`] }],
  ["evens", shuffle((k) => 2 * k)],
  ["odds", shuffle((k) => 2 * k + 1)],
  ["interleave_low", shuffle((k, lanes) => (k >> 1) + (k & 1) * lanes)],
  ["interleave_high", shuffle((k, lanes) => (lanes >> 1) + (k >> 1) + (k & 1) * lanes)],
  ["sqrt", { params: ["Vec"], result: "Vec", lines: (s) => [`${s.vec}.sqrt`] }],
  ["to_bits", { params: ["Vec"], result: "IntVec", lines: () => [] }],
  ["from_bits", { params: ["IntVec"], result: "Vec", lines: () => [] }],
  ["any", { params: ["Mask"], result: "truth", lines: () => ["v128.any_true"] }],
  ["all", { params: ["Mask"], result: "truth", lines: (s) => [`${s.int_vec}.all_true`] }],
  ["clz", { params: ["int"], result: "int", lines: () => ["i32.clz"] }],
  ["to_float", { params: ["int"], result: "float", lines: (s) => [`${s.element}.convert_i32_s`] }],
  ["copy", { params: ["ptr", "ptr", "int"], result: "void", lines: () => ["memory.copy"] }],
  ["fill", { params: ["ptr", "int", "int"], result: "void", lines: () => ["memory.fill"] }],
]);

/** Intrinsics that have no instruction if elements are integers. */
export const FLOATS_ONLY: ReadonlySet<string> = new Set(["pmin", "pmax", "sqrt", "to_float"]);

/** A memory access: the instructions between address and result. */
export interface Access {
  readonly value: VecType;
  readonly stores: boolean;
  readonly name: (s: Shape) => string;
}

export const ACCESSES: ReadonlyMap<string, Access> = new Map([
  ["load", { value: "Vec" as const, stores: false, name: () => "v128.load" }],
  ["load_splat", { value: "Vec" as const, stores: false, name: (s: Shape) => `v128.load${8 << s.log2}_splat` }],
  ["load_one", { value: "float" as const, stores: false, name: (s: Shape) => `${s.element}.load` }],
  ["store", { value: "Vec" as const, stores: true, name: () => "v128.store" }],
  ["load_opmath", { value: "Vec" as const, stores: false, name: () => "v128.load" }],
  ["store_opmath", { value: "Vec" as const, stores: true, name: () => "v128.store" }],
  ["load_one_opmath", { value: "float" as const, stores: false, name: (s: Shape) => `${s.element}.load` }],
  ["store_one", { value: "float" as const, stores: true, name: (s: Shape) => `${s.element}.store` }],
  ["store_int", { value: "int" as const, stores: true, name: () => "i32.store" }],
  ["load_int", { value: "int" as const, stores: false, name: () => "i32.load" }],
  ["load_short", { value: "int" as const, stores: false, name: () => "i32.load16_u" }],
  ["store_short", { value: "int" as const, stores: true, name: () => "i32.store16" }],
  ["load_byte", { value: "int" as const, stores: false, name: () => "i32.load8_u" }],
  ["store_byte", { value: "int" as const, stores: true, name: () => "i32.store8" }],
]);

/** Accesses to halves in memory: the instruction that loads their bits into lanes; a single one is loaded into all lanes. */
export const HALF_ACCESSES: ReadonlyMap<string, { readonly name: string; readonly lane: string }> = new Map([
  ["load", { name: "v128.load16x4", lane: "" }],
  ["load_one", { name: "i32.load16", lane: "" }],
  ["load_splat", { name: "i32.load16", lane: "" }],
  ["store", { name: "v128.store64_lane", lane: " 0" }],
  ["store_one", { name: "v128.store16_lane", lane: " 0" }],
]);
