/**
 * @file The lists with which a kernel names its dtypes. The content of each group is defined only here.
 * @mirrors aten/src/ATen/Dispatch.h
 */
import { SchemaError } from "../errors.ts";
import { ELEMENT_TYPES, type ElementType } from "./element_types.ts";

const HALVES = ["Half", "BFloat16"];
const FLOATING = ["Float", "Double"];
const INTEGRAL = ["Byte", "Char", "Short", "Int", "Long"];
const BAREBONES_UNSIGNED = ["UInt16", "UInt32", "UInt64"];
const ALL = [...INTEGRAL, ...FLOATING];

/** The groups of the AT_DISPATCH macros; `and halves` is their `_AND2(kHalf, kBFloat16, ...)`. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "all types": ALL,
  "integral types": INTEGRAL,
  "floating types": FLOATING,
  "reduced floating types": HALVES,
  "barebones unsigned types": BAREBONES_UNSIGNED,
  "all types and halves": [...ALL, ...HALVES],
  "floating types and halves": [...FLOATING, ...HALVES],
};

/** `"Bool, all types and halves"` -> element types, in ScalarType order, each once. */
export function parseTypeList(text: string): ElementType[] {
  const known = ELEMENT_TYPES.map((t) => t.scalarType);
  const wanted = new Set<string>();
  for (const part of text.split(",").map((s) => s.trim().replace(/\s+/g, " "))) {
    const group = GROUPS[part] ?? (known.includes(part) ? [part] : null);
    if (group === null) {
      const wayOut = `use ${Object.keys(GROUPS).join(", ")} or a ScalarType: ${known.join(", ")}`;
      throw new SchemaError(`unknown type list "${part}"`, wayOut);
    }
    for (const name of group) wanted.add(name);
  }
  return ELEMENT_TYPES.filter((t) => wanted.has(t.scalarType));
}
