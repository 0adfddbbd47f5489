/**
 * @file What an operator returned, as Python objects.
 * @mirrors torch/csrc/autograd/utils/wrap_outputs.h
 * @differs One name per type: TypeScript cannot overload `wrap` by it.
 */
import type { Tensor as AtTensor } from "../../../../aten/generated/core/TensorBody.ts";
import type { Scalar } from "../../../../c10/core/Scalar.ts";
import type { ScalarType } from "../../../../c10/core/ScalarType.ts";
import type { THPDtype } from "../../Dtype.ts";
import { getTHPDtype } from "../../DynamicTypes.ts";
import { THPUtils_packInt64 } from "../../utils/python_numbers.ts";
import type { StructSeqType } from "../../utils/structseq.ts";
import type { TensorBase } from "../python_variable_type.ts";
import { THPVariable_Wrap } from "../python_variable_wrap.ts";

export function wrap(tensor: AtTensor): TensorBase | null {
  return THPVariable_Wrap(tensor);
}

export function wrap_TensorList(tensors: readonly AtTensor[]): (TensorBase | null)[] {
  const list = new Array<TensorBase | null>(tensors.length);
  for (let i = 0; i < tensors.length; i++) list[i] = THPVariable_Wrap(tensors[i] as AtTensor);
  return list;
}

export function wrap_tuple(values: readonly unknown[]): unknown[] {
  return values.map(wrap_any);
}

/** A result of several named tensors. */
export function wrap_structseq(type: StructSeqType, tensors: readonly AtTensor[]): unknown[] {
  return new type(wrap_TensorList(tensors));
}

/** An integer as a number while that is exact, else as a bigint. */
export function wrap_Scalar(scalar: Scalar): number | bigint | boolean {
  if (scalar.isFloatingPoint()) return scalar.toDouble();
  if (scalar.isBoolean()) return scalar.toBool();
  return THPUtils_packInt64(scalar.toBigInt());
}

export function wrap_ScalarType(dtype: ScalarType): THPDtype {
  return getTHPDtype(dtype);
}

function wrap_any(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wrap_any);
  return typeof value === "object" && value !== null ? THPVariable_Wrap(value as AtTensor) : value;
}
