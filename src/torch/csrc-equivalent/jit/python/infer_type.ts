/**
 * @file The type of a value of a Python program, as far as it can be known from the value.
 * @mirrors torch/csrc/jit/python/pybind_utils.h#tryToInferType
 */
import type { Type } from "#aten/core/jit_type";
import * as types from "#aten/core/jit_type";
import { DictType, ListType, TupleType } from "#aten/core/jit_type";
import { unifyTypes } from "#aten/core/type";
import { PyComplex } from "#python/Objects/complexobject";
import { FloatValue } from "#python/Objects/floatobject";
import { repr } from "#python/Objects/object";
import { PyTuple } from "#python/Objects/tupleobject";
import { info_of, type_of } from "#python/Objects/typeobject";
import { THPVariable_Check } from "#torch/csrc-equivalent/autograd/python_variable/type";
import { THPDevice_Check } from "#torch/csrc-equivalent/Device";
import { THPDtype_Check } from "#torch/csrc-equivalent/Dtype";
import { THPGenerator_Check } from "#torch/csrc-equivalent/Generator";
import { THPLayout_Check } from "#torch/csrc-equivalent/Layout";
import { THPMemoryFormat_Check } from "#torch/csrc-equivalent/MemoryFormat";
import { isDict } from "#torch/csrc-equivalent/utils/python_numbers";
import { SourceRange } from "../frontend/source_range.ts";
import { python_frontend } from "./python_sugared_value.ts";
import { entries_of, script_object_of } from "./script_objects.ts";

/** A type, or the reason why there is none. */
export type InferredType = { readonly type: Type } | { readonly reason: string };

const success = (type: Type): InferredType => ({ type });
const failure = (reason: string): InferredType => ({ reason });

/** Types of values that are one thing by themselves. */
function type_of_plain(value: unknown): Type | null {
  if (THPVariable_Check(value)) return types.TensorType;
  if (value === null || value === undefined) return types.NoneType;
  if (typeof value === "boolean") return types.BoolType;
  if (value instanceof FloatValue) return types.FloatType;
  if (typeof value === "bigint") return types.IntType;
  if (typeof value === "number")
    return Number.isInteger(value) && !Object.is(value, -0) ? types.IntType : types.FloatType;
  if (value instanceof PyComplex) return types.ComplexType;
  if (typeof value === "string") return types.StringType;
  if (THPDevice_Check(value)) return types.DeviceObjType;
  if (THPGenerator_Check(value)) return types.GeneratorType;
  if (THPDtype_Check(value) || THPLayout_Check(value) || THPMemoryFormat_Check(value)) return types.IntType;
  return null;
}

export function tryToInferType(value: unknown): InferredType {
  const plain = type_of_plain(value);
  if (plain !== null) return success(plain);
  const object = script_object_of(value);
  if (object !== null) return success(object.type());
  const cls = type_of(value).cls;
  const loc = SourceRange.empty();
  const frontend = python_frontend.current;
  const enum_type = frontend?.as_enum_class(cls, loc) ?? null;
  if (enum_type !== null) return success(enum_type);
  if (info_of(value) === undefined && frontend?.is_script_class(cls) === true) {
    const class_type = frontend.as_class(cls, loc);
    if (class_type !== null) return success(class_type);
  }
  return tryToInferContainerType(value);
}

function tryToInferContainerType(value: unknown): InferredType {
  if (value instanceof PyTuple) {
    const elements: Type[] = [];
    for (const item of value) {
      const found = tryToInferType(item);
      if ("reason" in found) return found;
      elements.push(found.type);
    }
    return success(TupleType.create(elements));
  }
  if (value instanceof Map || (isDict(value) && type_of(value).name === "dict")) {
    const entries = [...entries_of(value)];
    if (entries.length === 0) return failure("Dictionary inputs must have entries");
    const message = "Dictionary inputs to traced functions must have consistent type";
    const keys = unifyAll(
      entries.map(([key]) => key),
      message,
    );
    if ("reason" in keys) return keys;
    const values = unifyAll(
      entries.map(([, item]) => item),
      message,
    );
    return "reason" in values ? values : success(DictType.create(keys.type, values.type));
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return failure("List trace inputs must have elements");
    const element = unifyAll(value, "List inputs to traced functions must have consistent element type");
    return "reason" in element ? element : success(ListType.create(element.type));
  }
  return failure(
    `Only tensors and (possibly nested) tuples of tensors, lists, or dicts are supported as inputs or outputs of traced functions, but instead got value of type ${type_of(value).name}.`,
  );
}

function unifyAll(values: readonly unknown[], message: string): InferredType {
  let unified: Type | null = null;
  for (const value of values) {
    const found = tryToInferType(value);
    if ("reason" in found) return failure(`Could not infer type of list element: ${found.reason}`);
    const both: Type | null = unified === null ? found.type : unifyTypes(unified, found.type);
    if (both === null) {
      return failure(`${message}. Found ${(unified as Type | null)?.repr_str() ?? ""} and ${found.type.repr_str()}`);
    }
    unified = both;
  }
  return unified === null ? failure(`no elements in ${repr(values)}`) : success(unified);
}
