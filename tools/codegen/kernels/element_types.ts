/**
 * @file The element types of kernels: all facts that codegen knows about a dtype are in this one table, one row per dtype.
 * @mirrors torch/headeronly/core/ScalarType.h
 */

export type ElementClass = "bool" | "integral" | "floating" | "reduced";

export interface ElementType {
  /** The name in kernel text and instance names: `float32`. */
  readonly name: string;
  /** The member of ScalarType: `Float`. */
  readonly scalarType: string;
  readonly class: ElementClass;
  /** Size in memory, in bytes. */
  readonly size: number;
  /** Integer limits as literals; for floats the largest finite value and the distance from 1 to the next number. */
  readonly lowest: string;
  readonly highest: string;
  readonly epsilon: string;
  /** Facts about its JavaScript form. */
  readonly js: JavaScriptFacts;
}

export interface JavaScriptFacts {
  /** The typed array that holds such elements. */
  readonly array: string;
  /** The JavaScript type of a loaded element. */
  readonly value: "number" | "bigint";
  /** The suffix of an integer literal. */
  readonly suffix: "" | "n";
  /** Conversion from the array's number to the element, and back. */
  readonly load: Step;
  readonly store: Step;
  /** `$` as if it were stored and loaded again. */
  readonly round: Step;
  /** Conversion from a number that need not be an integer, and from an int64. */
  readonly fromDouble: Step;
  readonly fromInt64: Step;
  /** The function that multiplies, if `*` would lose bits. */
  readonly product: string | null;
  /** Whether memory may be read and written as two int32 per element, without a bigint. */
  readonly pairs: boolean;
}

/** An expression in which `$` stands for the operand, and the imports it needs. */
export interface Step {
  readonly text: string;
  /** Whether operators surround `$`: then it, and the whole, may need parentheses. */
  readonly operators?: true;
  readonly needs?: { readonly name: string; readonly module: string };
}

/** The file of helper functions. */
export const MATH = "src/c10/util/math.ts";
const HALF = "src/c10/util/Half.ts";
const BFLOAT16 = "src/c10/util/BFloat16.ts";

const AS_IS: Step = { text: "$" };

function call(name: string, module: string): Step {
  return { text: `${name}($)`, needs: { name, module } };
}

/** Up to 32 bits. A store wraps by itself; `round` is for a value that stays in a variable. */
function integer(
  array: string,
  round: string,
  fromInt64: string,
  more: Partial<JavaScriptFacts> = {},
): JavaScriptFacts {
  const fromDouble = call("double_to_int32", MATH);
  return {
    ...real(array, round),
    round: { text: round, operators: true },
    fromDouble,
    fromInt64: { text: `Number(BigInt.${fromInt64})` },
    ...more,
  };
}

function real(array: string, round: string): JavaScriptFacts {
  return {
    array,
    value: "number",
    suffix: "",
    load: AS_IS,
    store: AS_IS,
    round: { text: round },
    fromDouble: AS_IS,
    fromInt64: { text: "Number($)" },
    product: null,
    pairs: false,
  };
}

/** Types stored as bits and computed as float32. */
function inBits(array: string, load: Step, store: Step, round: Step): JavaScriptFacts {
  return { ...real(array, "$"), load, store, round };
}

const INT64: JavaScriptFacts = {
  array: "BigInt64Array",
  value: "bigint",
  suffix: "n",
  load: AS_IS,
  store: AS_IS,
  round: { text: "BigInt.asIntN(64, $)" },
  fromDouble: call("double_to_int64", MATH),
  fromInt64: { text: "BigInt.asIntN(64, $)" },
  product: null,
  pairs: true,
};

const UINT64: JavaScriptFacts = {
  ...INT64,
  array: "BigUint64Array",
  round: { text: "BigInt.asUintN(64, $)" },
  fromDouble: call("double_to_uint64", MATH),
  fromInt64: { text: "BigInt.asUintN(64, $)" },
  pairs: false,
};

/** Memory that a view declares as bool may hold any byte: all but 0 are true, as in PyTorch's `c10::load`. */
const BOOL: JavaScriptFacts = { ...real("Uint8Array", "$"), load: { text: "$ === 0 ? 0 : 1", operators: true } };

const TABLE_OF_HALVES: Step = {
  text: "half_to_float_table[$]",
  needs: { name: "half_to_float_table", module: HALF },
};

const row = (
  name: string,
  scalarType: string,
  cls: ElementClass,
  size: number,
  [lowest, highest, epsilon]: readonly [string, string, string],
  js: JavaScriptFacts,
): ElementType => ({ name, scalarType, class: cls, size, lowest, highest, epsilon, js });

// biome-ignore format: table
export const ELEMENT_TYPES: readonly ElementType[] = [
  row("uint8", "Byte", "integral", 1, ["0", "255", "0"],
    integer("Uint8Array", "$ & 255", "asUintN(8, $)", { fromDouble: { text: "Math.trunc($)" } })),
  row("int8", "Char", "integral", 1, ["-128", "127", "0"], integer("Int8Array", "($ << 24) >> 24", "asIntN(8, $)")),
  row("int16", "Short", "integral", 2, ["-32768", "32767", "0"], integer("Int16Array", "($ << 16) >> 16", "asIntN(16, $)")),
  row("int32", "Int", "integral", 4, ["-2147483648", "2147483647", "0"],
    integer("Int32Array", "$ | 0", "asIntN(32, $)", { product: "Math.imul" })), // 32 x 32 bits do not fit a double
  row("int64", "Long", "integral", 8, ["-9223372036854775808n", "9223372036854775807n", "0n"], INT64),
  row("float16", "Half", "reduced", 2, ["-65504", "65504", "0.0009765625"],
    inBits("Uint16Array", TABLE_OF_HALVES, call("fp16_ieee_from_fp32_value", HALF), call("round_to_half", HALF))),
  row("float32", "Float", "floating", 4, ["-3.4028234663852886e38", "3.4028234663852886e38", "1.1920928955078125e-7"],
    real("Float32Array", "Math.fround($)")),
  row("float64", "Double", "floating", 8, ["-1.7976931348623157e308", "1.7976931348623157e308", "2.220446049250313e-16"],
    real("Float64Array", "$")),
  row("bool", "Bool", "bool", 1, ["0", "1", "0"], BOOL),
  row("bfloat16", "BFloat16", "reduced", 2, ["-3.3895313892515355e38", "3.3895313892515355e38", "0.0078125"],
    inBits("Uint16Array", call("f32_from_bits", BFLOAT16), call("round_to_nearest_even", BFLOAT16), call("round_to_bfloat16", BFLOAT16))),
  row("uint16", "UInt16", "integral", 2, ["0", "65535", "0"], integer("Uint16Array", "$ & 65535", "asUintN(16, $)")),
  row("uint32", "UInt32", "integral", 4, ["0", "4294967295", "0"],
    integer("Uint32Array", "$ >>> 0", "asUintN(32, $)", { product: "Math.imul", fromDouble: call("double_to_uint32", MATH) })),
  row("uint64", "UInt64", "integral", 8, ["0n", "18446744073709551615n", "0n"], UINT64),
];

const BY_NAME = new Map(ELEMENT_TYPES.map((t) => [t.name, t]));

export function elementType(name: string): ElementType | undefined {
  return BY_NAME.get(name);
}

const FLOAT32 = BY_NAME.get("float32") as ElementType;
const FLOAT64 = BY_NAME.get("float64") as ElementType;
const INT_64 = BY_NAME.get("int64") as ElementType;

/** Whether it is a 64-bit integer, signed or unsigned, whose values are bigints in JavaScript. */
export function isInt64(t: ElementType): boolean {
  return t.js.value === "bigint";
}

export function isFloating(t: ElementType): boolean {
  return t.class === "floating" || t.class === "reduced";
}

/** Suffixes of bodies that fit `t` (`x$int64`, `x$integral`), the most specific first. */
export function overrideSuffixes(t: ElementType): string[] {
  return [t.name, t.class];
}

/** @mirrors aten/src/ATen/OpMathType.h */
export function opmathOf(t: ElementType): ElementType {
  return t.class === "reduced" ? FLOAT32 : t;
}

/** The accumulation type on the CPU. @mirrors aten/src/ATen/AccumulateType.h */
export function accOf(t: ElementType): ElementType {
  if (t.class === "reduced") return FLOAT32;
  if (t.class === "floating") return FLOAT64;
  return t.class === "integral" ? INT_64 : t;
}
