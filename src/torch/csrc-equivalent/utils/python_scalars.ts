/**
 * @file Writing a Python number to one element of a tensor's memory, and reading it back.
 * @mirrors torch/csrc/utils/python_scalars.h
 */
import type { TypedArray } from "#c10/core/Allocator";
import { reducedFloatingType } from "#c10/core/ReducedFloatingType";
import { getDtypeNames, ScalarType } from "#c10/core/ScalarType";
import { RuntimeError, ValueError } from "#c10/util/Exception";
import { scalar_of_number } from "./python_arg_parser_args.ts";
import {
  isFloat,
  PyObject_IsTrue,
  THPUtils_checkDouble,
  THPUtils_packInt64,
  THPUtils_unpackDouble,
  THPUtils_unpackLong,
  THPUtils_unpackUInt64,
} from "./python_numbers.ts";

/** @param at index in `view`, in elements. Precondition: `view` is the block's view for `scalarType` */
export function store_scalar(view: TypedArray, at: number, scalarType: ScalarType, obj: unknown): void {
  switch (scalarType) {
    case ScalarType.Float:
    case ScalarType.Double:
      (view as Float64Array)[at] = THPUtils_unpackDouble(obj);
      return;
    case ScalarType.Bool:
      (view as Uint8Array)[at] = number_as_bool(obj) ? 1 : 0;
      return;
    case ScalarType.Long:
      (view as BigInt64Array)[at] = integral_element(obj, scalarType) as bigint;
      return;
    case ScalarType.UInt64:
      (view as BigUint64Array)[at] = THPUtils_unpackUInt64(obj);
      return;
    default: {
      const reduced = reducedFloatingType(scalarType);
      (view as Int32Array)[at] =
        reduced !== null
          ? reduced.from_float(THPUtils_unpackDouble(obj))
          : (integral_element(obj, scalarType) as number);
    }
  }
}

/** The value as an element of an integral dtype; if it does not fit, the error names the dtype as Python does. */
function integral_element(obj: unknown, scalarType: ScalarType): number | bigint {
  const scalar = scalar_of_number(integral(obj));
  try {
    return scalar.to(scalarType);
  } catch {
    throw new RuntimeError(`value cannot be converted to type ${getDtypeNames(scalarType)[0]} without overflow`);
  }
}

/** A value that is not a number must be an index (a tensor of one element); otherwise it throws Python's error. */
function integral(obj: unknown): unknown {
  if (typeof obj === "number" || typeof obj === "boolean" || isFloat(obj)) return obj;
  if (typeof obj === "bigint") {
    if (BigInt.asIntN(64, obj) !== obj) throw new ValueError("Overflow when unpacking long long");
    return obj;
  }
  return THPUtils_unpackLong(obj);
}

/** A value that is not a number must be an index here too. */
function number_as_bool(obj: unknown): boolean {
  return THPUtils_checkDouble(obj) ? PyObject_IsTrue(obj) : THPUtils_unpackLong(obj) !== 0;
}

/** Reads an element; an int64 that no number holds exactly becomes a bigint. */
export function load_scalar(view: TypedArray, at: number, scalarType: ScalarType): number | bigint | boolean {
  const value = view[at];
  if (typeof value === "bigint") return THPUtils_packInt64(value);
  if (scalarType === ScalarType.Bool) return value !== 0;
  const reduced = reducedFloatingType(scalarType);
  return reduced === null ? value : reduced.to_float(value);
}
