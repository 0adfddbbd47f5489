/**
 * @file Conversion of an operator's results to Python objects.
 * @mirrors torch/csrc/autograd/utils/wrap_outputs.h
 * @differs Each type has a name of its own, because TypeScript cannot overload by type; C++ overloads `wrap`.
 */
import type { Tensor as AtTensor } from "#aten/generated/core/TensorBody";
import type { Scalar } from "#c10/core/Scalar";
import type { ScalarType } from "#c10/core/ScalarType";
import { PyTuple, tuple_map } from "#python/Objects/tupleobject";
import type { TensorBase } from "#torch/csrc-equivalent/autograd/python_variable/type";
import { THPVariable_Wrap } from "#torch/csrc-equivalent/autograd/python_variable/wrap";
import type { THPDtype } from "#torch/csrc-equivalent/Dtype";
import { getTHPDtype } from "#torch/csrc-equivalent/DynamicTypes";
import { THPUtils_packInt64 } from "#torch/csrc-equivalent/utils/python_numbers";
import type { StructSeqType } from "#torch/csrc-equivalent/utils/structseq";

export function wrap(tensor: AtTensor): TensorBase | null {
  return THPVariable_Wrap(tensor);
}

export function wrap_TensorList(tensors: readonly AtTensor[]): PyTuple<TensorBase | null> {
  const { length } = tensors;
  const list = new PyTuple<TensorBase | null>(length);
  for (let i = 0; i < length; i++) list[i] = THPVariable_Wrap(tensors[i]);
  return list;
}

export function wrap_tuple(values: readonly unknown[]): PyTuple {
  return tuple_map(values, wrap_any);
}

/** A result of several named tensors, or lists of them. */
export function wrap_structseq(type: StructSeqType, fields: readonly unknown[]): PyTuple {
  return new type(wrap_tuple(fields));
}

/** An integer as a number while that is exact, else as a bigint. */
export function wrap_Scalar(scalar: Scalar): number | bigint | boolean {
  if (scalar.isSymbolic()) return scalar.toSymInt();
  if (scalar.isFloatingPoint()) return scalar.toDouble();
  if (scalar.isBoolean()) return scalar.toBool();
  return THPUtils_packInt64(scalar.to(scalar.type()));
}

export function wrap_ScalarType(dtype: ScalarType): THPDtype {
  return getTHPDtype(dtype);
}

function wrap_any(value: unknown): unknown {
  if (Array.isArray(value)) return wrap_tuple(value);
  return typeof value === "object" && value !== null ? THPVariable_Wrap(value as AtTensor) : value;
}
