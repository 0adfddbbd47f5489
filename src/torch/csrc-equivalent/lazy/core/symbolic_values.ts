/**
 * @file A single size as an operand.
 * @mirrors torch/csrc/lazy/core/ir_builder.h#GetSymIntValue
 */
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { getIrBuilder } from "../backend/backend_interface.ts";
import { Value } from "./ir.ts";

/** The end of a slice that goes to the end of its dimension: in C++ the largest int64, here the largest safe number. */
const TO_THE_END = 2n ** 63n - 1n;

/** A constant of the graph: slices with other bounds are other graphs. */
export function GetSymIntValue(size: number): Value {
  const value = Scalar.fromInt(size === Number.MAX_SAFE_INTEGER ? TO_THE_END : size);
  return new Value(getIrBuilder().MakeScalar(value, ScalarType.Long));
}
