/**
 * @file Which types have values that can be changed, so that two names of one value matter.
 * @mirrors torch/csrc/jit/ir/alias_analysis.cpp#AliasDb::isMutableType
 */
import type { Type } from "#aten/core/jit_type";

const immutable = new Set([
  "IntType",
  "FloatType",
  "ComplexType",
  "BoolType",
  "NumberType",
  "StringType",
  "NoneType",
  "DeviceObjType",
  "GeneratorType",
  "StreamObjType",
  "EnumType",
  "FunctionType",
  "SymIntType",
  "SymBoolType",
  "ScalarTypeType",
  "LayoutType",
  "MemoryFormatType",
]);

export function isMutableType(type: Type): boolean {
  if (immutable.has(type.kind())) return false;
  switch (type.kind()) {
    case "OptionalType":
    case "TupleType":
    case "UnionType":
    case "FutureType":
      return type.containedTypes().some(isMutableType);
    default:
      return true;
  }
}
