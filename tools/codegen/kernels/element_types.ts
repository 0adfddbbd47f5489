/**
 * @file The element types kernels are made for, and the lists in which a kernel names them.
 * @mirrors torch/headeronly/core/ScalarType.h
 */
import { SchemaError } from "../errors.ts";

export type ElementClass = "bool" | "integral" | "floating" | "reduced";

export interface ElementType {
  /** As kernel text and instance names spell it: `float32`. */
  readonly name: string;
  /** The member of ScalarType: `Float`. */
  readonly scalarType: string;
  /** The typed array that holds such elements. */
  readonly array: string;
  /** What a loaded element is in JavaScript. */
  readonly value: "number" | "bigint";
  readonly class: ElementClass;
  /** Integer limits as literals; for floats the largest finite value and the distance from 1 to the next number. */
  readonly lowest: string;
  readonly highest: string;
  readonly epsilon: string;
}

const row = (
  name: string,
  scalarType: string,
  array: string,
  value: "number" | "bigint",
  cls: ElementClass,
  lowest: string,
  highest: string,
  epsilon: string,
): ElementType => ({ name, scalarType, array, value, class: cls, lowest, highest, epsilon });

// biome-ignore format: table
export const ELEMENT_TYPES: readonly ElementType[] = [
  row("uint8",    "Byte",     "Uint8Array",    "number", "integral", "0", "255", "0"),
  row("int8",     "Char",     "Int8Array",     "number", "integral", "-128", "127", "0"),
  row("int16",    "Short",    "Int16Array",    "number", "integral", "-32768", "32767", "0"),
  row("int32",    "Int",      "Int32Array",    "number", "integral", "-2147483648", "2147483647", "0"),
  row("int64",    "Long",     "BigInt64Array", "bigint", "integral", "-9223372036854775808n", "9223372036854775807n", "0n"),
  row("float16",  "Half",     "Uint16Array",   "number", "reduced",  "-65504", "65504", "0.0009765625"),
  row("float32",  "Float",    "Float32Array",  "number", "floating", "-3.4028234663852886e38", "3.4028234663852886e38", "1.1920928955078125e-7"),
  row("float64",  "Double",   "Float64Array",  "number", "floating", "-1.7976931348623157e308", "1.7976931348623157e308", "2.220446049250313e-16"),
  row("bool",     "Bool",     "Uint8Array",    "number", "bool",     "0", "1", "0"),
  row("bfloat16", "BFloat16", "Uint16Array",   "number", "reduced",  "-3.3895313892515355e38", "3.3895313892515355e38", "0.0078125"),
];

const BY_NAME = new Map(ELEMENT_TYPES.map((t) => [t.name, t]));
const BY_SCALAR_TYPE = new Map(ELEMENT_TYPES.map((t) => [t.scalarType, t]));

export function elementType(name: string): ElementType | undefined {
  return BY_NAME.get(name);
}

/** The names under which AT_DISPATCH macros gather types. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  "all types": ["Byte", "Char", "Short", "Int", "Long", "Float", "Double"],
  "integral types": ["Byte", "Char", "Short", "Int", "Long"],
  "floating types": ["Float", "Double"],
  "reduced floating types": ["Half", "BFloat16"],
};

/** `"Bool, all types, Half"` -> element types, in ScalarType order, each once. */
export function parseTypeList(text: string): ElementType[] {
  const wanted = new Set<string>();
  for (const part of text.split(",").map((s) => s.trim().replace(/\s+/g, " "))) {
    const list = LISTS[part];
    if (list !== undefined) for (const name of list) wanted.add(name);
    else if (BY_SCALAR_TYPE.has(part)) wanted.add(part);
    else {
      throw new SchemaError(
        `unknown type list "${part}"`,
        `use ${Object.keys(LISTS).join(", ")} or a ScalarType: ${[...BY_SCALAR_TYPE.keys()].join(", ")}`,
      );
    }
  }
  return ELEMENT_TYPES.filter((t) => wanted.has(t.scalarType));
}

/** `x$int64`, `x$integral`: the bodies that fit `t`, the most particular first. */
export function overrideSuffixes(t: ElementType): string[] {
  return [t.name, t.class];
}

/** @mirrors aten/src/ATen/OpMathType.h */
export function opmathOf(t: ElementType): ElementType {
  return t.class === "reduced" ? (BY_NAME.get("float32") as ElementType) : t;
}

/** On the CPU. @mirrors aten/src/ATen/AccumulateType.h */
export function accOf(t: ElementType): ElementType {
  if (t.class === "reduced") return BY_NAME.get("float32") as ElementType;
  if (t.class === "floating") return BY_NAME.get("float64") as ElementType;
  return t.class === "integral" ? (BY_NAME.get("int64") as ElementType) : t;
}
