/**
 * @file Sets of dtypes for `ufunc_inner_loop`.
 * @mirrors torchgen/model.py#ScalarType
 */
import { SchemaError } from "./errors.ts";

const INTEGRAL = ["Byte", "Char", "Short", "Int", "Long"];
const FLOATING = ["Float", "Double"];
const COMPLEX = ["ComplexFloat", "ComplexDouble"];
const SETS: Readonly<Record<string, readonly string[]>> = {
  Integral: INTEGRAL,
  FloatingPoint: FLOATING,
  Complex: COMPLEX,
  All: [...INTEGRAL, ...FLOATING],
  AllAndComplex: [...INTEGRAL, ...FLOATING, ...COMPLEX],
  FloatingPointAndComplex: [...FLOATING, ...COMPLEX],
};
const SINGLE = [...INTEGRAL, ...FLOATING, ...COMPLEX, "Half", "BFloat16", "ComplexHalf", "Bool"];

/** `AllAndComplex, BFloat16` -> dtype names, in order, each once. */
export function parse_supported_dtypes(text: string): string[] {
  const dtypes = new Set<string>();
  for (const name of text.split(", ")) {
    const members = SETS[name] ?? (SINGLE.includes(name) ? [name] : null);
    if (members === null)
      throw new SchemaError(`unknown dtype '${name}'`, `use ${[...Object.keys(SETS), ...SINGLE].join(", ")}`);
    for (const m of members) dtypes.add(m);
  }
  return [...dtypes];
}
