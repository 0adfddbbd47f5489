/**
 * @file Python's `repr` and `str` of the values in messages and in printed tensors and modules.
 * @original PyTorch uses CPython's `repr`; JavaScript has nothing like it.
 */
import { float_repr } from "#python/Objects/floatobject";
import { PyTuple } from "#python/Objects/tupleobject";
import { is_sparse, isDict, isFloat, isPythonInt } from "./python_numbers.ts";

/** Depth of nested lists after which the rest is omitted; CPython throws RecursionError at a depth some hundred larger. */
const MAX_DEPTH = 200;

/** Lists and dicts being printed: one that contains itself prints as `[...]`. */
const active: unknown[] = [];

function container(value: object, open: string, close: string, items: () => string[]): string {
  if (active.includes(value) || active.length === MAX_DEPTH) return `${open}...${close}`;
  active.push(value);
  try {
    return `${open}${items().join(", ")}${close}`;
  } finally {
    active.pop();
  }
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
      return value === null ? "None" : object_repr(value);
    default:
      return value === undefined ? "None" : String(value);
  }
}

function object_repr(value: object): string {
  if (isFloat(value)) return float_repr(value.value);
  if (value instanceof PyTuple && value.constructor === PyTuple)
    return container(value, "(", value.length === 1 ? ",)" : ")", () => value.map(repr));
  if (Array.isArray(value) && value.constructor === Array)
    return is_sparse(value) ? "[...]" : container(value, "[", "]", () => Array.from(value, repr));
  if (isDict(value))
    return container(value, "{", "}", () => Object.entries(value).map(([k, v]) => `${repr(k)}: ${repr(v)}`));
  return "__repr__" in value && typeof value.__repr__ === "function" ? String(value.__repr__()) : String(value);
}

/** `f"{value}"`: `str(value)`, but for a tensor without dims its number. */
export function py_format(value: unknown): string {
  const tensor = value as { shape?: unknown[]; dtype: { is_floating_point: boolean }; item(): number } | null;
  if (tensor?.shape?.length !== 0) return py_str(value);
  return tensor.dtype.is_floating_point ? float_repr(tensor.item()) : py_str(tensor.item());
}

/** `str(value)`: a string is itself. */
export function py_str(value: unknown): string {
  return typeof value === "string" ? value : repr(value);
}
