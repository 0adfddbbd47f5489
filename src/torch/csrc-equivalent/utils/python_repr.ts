/**
 * @file Python's `repr` and `str` of the values that occur in messages and printed tensors and modules.
 * @original PyTorch has CPython's `repr`; JavaScript has nothing like it.
 */
import { isDict, isFloat, isPythonInt } from "./python_numbers.ts";

/** A float as Python prints it: shortest digits, always a point or an exponent, exponents of two digits. */
export function float_repr(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0.0";
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude >= 1e16 || magnitude < 1e-4)) {
    const [digits = "", exponent = "0"] = value.toExponential().split("e");
    const e = Number(exponent);
    return `${digits}e${e < 0 ? "-" : "+"}${String(Math.abs(e)).padStart(2, "0")}`;
  }
  const text = String(value);
  return text.includes(".") ? text : `${text}.0`;
}

export function repr(value: unknown): string {
  switch (typeof value) {
    case "number":
      return isPythonInt(value) ? String(value) : float_repr(value);
    case "bigint":
      return String(value);
    case "boolean":
      return value ? "True" : "False";
    case "string":
      return value.includes("'") && !value.includes('"')
        ? `"${value}"`
        : `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`;
    case "object":
      if (value === null) return "None";
      if (isFloat(value)) return float_repr(value.value);
      if (Array.isArray(value) && value.constructor === Array) return `[${value.map(repr).join(", ")}]`;
      if (isDict(value))
        return `{${Object.entries(value)
          .map(([k, v]) => `${repr(k)}: ${repr(v)}`)
          .join(", ")}}`;
      return "__repr__" in value && typeof value.__repr__ === "function" ? String(value.__repr__()) : String(value);
    default:
      return value === undefined ? "None" : String(value);
  }
}
