/**
 * @file WGSL's types, the operators and functions on numbers, and the representation of each type's numbers.
 * @original
 */
import type { Invocation, Scalar } from "./memory.ts";
import type { Struct } from "./wgsl.ts";

/** `int` and `float` are numbers without a suffix: they take the type of the other operand. */
export type Type =
  | Scalar
  | "int"
  | "float"
  | "vec3"
  | "void"
  | { readonly of: Scalar; readonly size: number | null }
  | Struct;

export interface Value {
  readonly type: Type;
  readonly get: (on: Invocation) => unknown;
}

export const BUILTINS: Readonly<Record<string, Type>> = {
  global_invocation_id: "vec3",
  local_invocation_id: "vec3",
  workgroup_id: "vec3",
  num_workgroups: "vec3",
  local_invocation_index: "u32",
};

export const FLOAT_FUNCTIONS: Readonly<Record<string, (...args: number[]) => number>> = {
  exp: Math.exp,
  log: Math.log,
  sqrt: Math.sqrt,
  tanh: Math.tanh,
  floor: Math.floor,
  ceil: Math.ceil,
  pow: Math.pow,
  fma: (a, b, c) => a * b + c,
};

export const ANY_FUNCTIONS: Readonly<Record<string, (...args: number[]) => number>> = {
  abs: Math.abs,
  min: Math.min,
  max: Math.max,
};

export const show = (type: Type): string =>
  typeof type === "string"
    ? (({ int: "a whole number", float: "a number", vec3: "vec3<u32>", void: "nothing" } as Record<string, string>)[
        type
      ] ?? type)
    : "of" in type
      ? `array<${type.of}${type.size === null ? "" : `, ${type.size}`}>`
      : type.name;

export const isNumber = (type: Type): boolean =>
  type === "f32" || type === "u32" || type === "i32" || type === "int" || type === "float";
export const isWhole = (type: Type): boolean => type === "u32" || type === "i32" || type === "int";

/** Rounds a number to the type's representation. */
export const rounders: Readonly<Record<string, (value: number) => number>> = {
  f32: Math.fround,
  u32: (value) => value >>> 0,
  i32: (value) => value | 0,
  int: (value) => value,
  float: (value) => value,
};

export function literal(text: string): Value {
  const number = Number(text.startsWith("0x") ? text.replace(/[iu]$/, "") : text.replace(/[iufh]$/, ""));
  const suffix = text.startsWith("0x") ? /[iu]$/.exec(text)?.[0] : /[iufh]$/.exec(text)?.[0];
  const type =
    suffix === "u"
      ? "u32"
      : suffix === "i"
        ? "i32"
        : suffix !== undefined
          ? "f32"
          : /[.e]/.test(text) && !text.startsWith("0x")
            ? "float"
            : "int";
  const value = type === "f32" ? Math.fround(number) : number;
  return { type, get: () => value };
}

export type Compute = Readonly<Record<string, (a: number, b: number) => number>>;

export const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  ">": (a, b) => a > b,
  "<=": (a, b) => a <= b,
  ">=": (a, b) => a >= b,
};

export const floating: Compute = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
};

export const whole: Compute = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": Math.imul,
  "/": (a, b) => (b === 0 ? a : Math.trunc(a / b)), // WGSL's answer to a division by zero
  "%": (a, b) => (b === 0 ? 0 : a % b),
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "<<": (a, b) => a << (b & 31),
  ">>": (a, b) => a >>> (b & 31),
};

/** A shift to the right keeps the sign. */
export const signed: Compute = { ">>": (a, b) => a >> (b & 31) };
