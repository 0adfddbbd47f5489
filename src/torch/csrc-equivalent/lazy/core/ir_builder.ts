/**
 * @file Nodes that lazy tensors make without an operator of the program: values, numbers, expansions, casts, lists.
 * @mirrors torch/csrc/lazy/core/ir_builder.h
 */
import type { Scalar } from "#c10/core/Scalar";
import type { ScalarType } from "#c10/core/ScalarType";
import type { BackendData } from "../backend/backend_data.ts";
import type { Node, Value } from "./ir.ts";

/** A backend's own classes of these nodes. */
export interface IrBuilder {
  MakeDeviceData(data: BackendData): Node;
  MakeScalar(value: Scalar, type: ScalarType): Node;
  /** @param is_scalar_expand whether the input has no dimensions: then the result gets memory of its own */
  MakeExpand(input0: Value, size: readonly number[], is_scalar_expand: boolean): Node;
  /** @param stype the dtype of the input, if it is known */
  MakeCast(input0: Value, dtype: ScalarType, stype: ScalarType | null): Node;
  MakeTensorList(inputs: readonly Value[]): Node;
}
