/**
 * @file A single size as an operand.
 * @mirrors torch/csrc/lazy/core/ir_builder.h#GetSymIntValue
 */
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { getIrBuilder } from "../backend/backend_interface.ts";
import { Value } from "./ir.ts";

/** A constant of the graph: slices with other bounds are other graphs. */
export function GetSymIntValue(size: number): Value {
  return new Value(getIrBuilder().MakeScalar(Scalar.fromInt(size), ScalarType.Long));
}
