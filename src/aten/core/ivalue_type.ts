/**
 * @file The type of a boxed value.
 * @mirrors aten/src/ATen/core/ivalue.cpp#IValue::type
 */
import type { IValue } from "./ivalue.ts";
import {
  AnyType,
  BoolType,
  CapsuleType,
  ComplexType,
  DeviceObjType,
  FloatType,
  GeneratorType,
  IntType,
  ListType,
  NoneType,
  PyObjectType,
  StorageType,
  StreamObjType,
  StringType,
  TupleType,
  type Type,
} from "./jit_type.ts";
import { tensor_type_from } from "./tensor_type.ts";

/** A payload that knows its own type: a dict, an object, an enum member, a named tuple. */
interface Typed {
  type(): Type;
}

function isTyped(payload: unknown): payload is Typed {
  return payload !== null && typeof payload === "object" && typeof (payload as Partial<Typed>).type === "function";
}

const plain = new Map<string, Type>([
  ["None", NoneType],
  ["Double", FloatType],
  ["ComplexDouble", ComplexType],
  ["Int", IntType],
  ["Bool", BoolType],
  ["String", StringType],
  ["Device", DeviceObjType],
  ["Stream", StreamObjType],
  ["Generator", GeneratorType],
  ["Storage", StorageType],
  ["Capsule", CapsuleType],
  ["PyObject", PyObjectType],
]);

export function type_of(value: IValue): Type {
  const type = plain.get(value.tag);
  if (type !== undefined) return type;
  switch (value.tag) {
    case "Tensor":
      return tensor_type_from(value.toTensor());
    case "GenericList":
      return ListType.create(value.toList().elementType());
    case "Tuple":
      return isTyped(value.payload) ? value.payload.type() : TupleType.create(value.toTuple().map(type_of));
    default:
      return isTyped(value.payload) ? value.payload.type() : AnyType;
  }
}
