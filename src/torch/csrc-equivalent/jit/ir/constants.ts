/**
 * @file From values to `prim::Constant` nodes, and back.
 * @mirrors torch/csrc/jit/ir/constants.cpp
 */

import type { ClassType } from "#aten/core/class_type";
import { IValue } from "#aten/core/ivalue";
import { type_of } from "#aten/core/ivalue.impl";
import {
  BoolType,
  ComplexType,
  DeviceObjType,
  FloatType,
  IntType,
  NoneType,
  NumberType,
  StreamObjType,
  StringType,
  TensorType,
  TupleType,
  type Type,
} from "#aten/core/jit_type";
import { tensor_type_from } from "#aten/core/tensor_type";
import { Device } from "#c10/core/Device";
import { RuntimeError } from "#c10/util/Exception";
import type { SourceRange } from "../frontend/source_range.ts";
import type { AttributeKind, AttributeTypes } from "./attributes.ts";
import type { Graph } from "./ir/graph.ts";
import type { Node } from "./ir/node.ts";
import type { Value } from "./ir/value.ts";
import type { Scope } from "./scope.ts";

/** The value is of a kind that no constant has. */
export class constant_not_supported_error extends RuntimeError {}

/** Whether a value can be a constant, with everything inside it. */
function insertableIValue(value: IValue): boolean {
  switch (value.tag) {
    case "Int":
    case "None":
    case "Bool":
    case "Double":
    case "ComplexDouble":
    case "String":
    case "Device":
      return true;
    case "Tensor":
      return !value.toTensor().requires_grad();
    case "GenericList":
      return value.toList().vec().every(insertableIValue);
    case "Tuple":
      return value.toTuple().every(insertableIValue);
    case "GenericDict":
      return [...value.toGenericDict().entries()].every(
        ({ key, value: inner }) => insertableIValue(key) && insertableIValue(inner),
      );
    default:
      return value.isEnum();
  }
}

/** Sets attribute and type of a constant node. Returns whether the value can be a constant. */
function fill(node: Node, value: IValue): boolean {
  const set = <K extends AttributeKind>(kind: K, attribute: AttributeTypes[K], type: Type): true => {
    node.setAttr("value", kind, attribute);
    node.output().setType(type);
    return true;
  };
  switch (value.tag) {
    case "Tensor":
      if (value.toTensor().requires_grad()) return false;
      return set("t", value.toTensor(), tensor_type_from(value.toTensor()));
    case "Int":
      return set("i", value.payload as number | bigint, IntType);
    case "Double":
      return set("f", value.toDouble(), FloatType);
    case "ComplexDouble":
      return set("c", value.payload as AttributeTypes["c"], ComplexType);
    case "Bool":
      return set("i", Number(value.toBool()), BoolType);
    case "String":
      return set("s", value.toStringRef(), StringType);
    case "Device":
      return set("s", String(value.payload), DeviceObjType);
    case "Stream":
      return set("ival", value, StreamObjType);
    case "None":
      node.output().setType(NoneType);
      return true;
    case "Object":
      return (type_of(value) as ClassType).is_module() ? false : set("ival", value, type_of(value));
    default:
      return insertableIValue(value) && set("ival", value, complete_type_of(value));
  }
}

/** The type with what is known of the tensors in a tuple. */
function complete_type_of(value: IValue): Type {
  if (value.isTensor()) return tensor_type_from(value.toTensor());
  if (!value.isTuple() || value.toTuple().named_type !== undefined) return type_of(value);
  return TupleType.create(value.toTuple().map(complete_type_of));
}

/** Inserts a constant at the insert point; null if the value cannot be one. */
export function tryInsertConstant(
  graph: Graph,
  value: IValue,
  range: SourceRange | null = null,
  scope: Scope | null = null,
): Value | null {
  const node = graph.create("prim::Constant");
  if (!fill(node, value)) {
    node.destroy();
    return null;
  }
  if (range !== null) node.setSourceRange(range);
  if (scope !== null) node.setScope(scope);
  return graph.insertNode(node).output();
}

/** @throws {constant_not_supported_error} if the value cannot be a constant */
export function insertConstant(
  graph: Graph,
  value: IValue,
  range: SourceRange | null = null,
  scope: Scope | null = null,
): Value {
  const constant = tryInsertConstant(graph, value, range, scope);
  if (constant === null) throw new constant_not_supported_error(`Unsupported value kind: ${value.tagKind()}`);
  return constant;
}

/** The value of a constant; null if the value is not the output of one. */
export function toIValue(value: Value): IValue | null {
  const node = value.node();
  const type = value.type();
  if (node.kind() !== "prim::Constant" || type.kind() === "FunctionType") return null;
  if (type.isSubtypeOf(TensorType)) return IValue.fromTensor(node.t("value"));
  if (type.isSubtypeOf(BoolType)) return IValue.fromBool(node.i("value") !== 0);
  if (type.isSubtypeOf(NumberType)) {
    switch (node.kindOf("value")) {
      case "i":
        return IValue.fromInt(node.i("value"));
      case "f":
        return IValue.fromDouble(node.f("value"));
      case "c":
        return IValue.fromComplexDouble(node.c("value"));
    }
  }
  if (type === StringType) return IValue.fromString(node.s("value"));
  if (type === DeviceObjType) return IValue.opaque("Device", Device.parse(node.s("value")));
  if (node.mustBeNone()) return IValue.None;
  if (node.hasAttribute("value") && node.kindOf("value") === "ival") return node.ival("value");
  throw new RuntimeError(`constant literal not supported for: ${type.str()}`);
}

/** The constant as an unboxed value: the integer, the flag, the list. Null if the value is no constant. */
export function constant_as<T>(value: Value, convert: (constant: IValue) => T): T | null {
  const constant = toIValue(value);
  return constant === null || constant.isNone() ? null : convert(constant);
}
