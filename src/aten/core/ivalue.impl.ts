/**
 * @file TorchScript's questions about a value of any kind: its type, its printed form, whether it equals or is another.
 * @mirrors aten/src/ATen/core/ivalue.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { DeviceTypeName } from "#c10/core/DeviceType";
import { toString as dtypeToString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { Dict } from "./Dict.ts";
import { print as print_tensor } from "./Formatting.ts";
import { type ComplexDouble, formatDouble, type IValue } from "./ivalue.ts";
import {
  AnyType,
  BoolType,
  CapsuleType,
  ComplexType,
  DeviceObjType,
  DictType,
  FloatType,
  FutureType,
  GeneratorType,
  IntType,
  ListType,
  NoneType,
  StorageType,
  StreamObjType,
  StringType,
  TensorType,
  TupleType,
  type Type,
} from "./jit_type.ts";

/** `IValue::type()`: the type that the value has at run time. A list knows the declared type of its elements. */
export function type_of(value: IValue): Type {
  switch (value.tag) {
    case "None":
      return NoneType;
    case "Tensor":
      return TensorType;
    case "Storage":
      return StorageType;
    case "Double":
      return FloatType;
    case "ComplexDouble":
      return ComplexType;
    case "Int":
      return IntType;
    case "Bool":
      return BoolType;
    case "String":
      return StringType;
    case "Tuple": {
      const elements = value.toTuple();
      return elements.named_type ?? TupleType.create(elements.map(type_of));
    }
    case "GenericList":
      return ListType.create(value.toList().elementType());
    case "GenericDict":
      return DictType.create(value.toGenericDict().keyType(), value.toGenericDict().valueType());
    case "Device":
      return DeviceObjType;
    case "Stream":
      return StreamObjType;
    case "Generator":
      return GeneratorType;
    case "Capsule":
      return CapsuleType;
    case "Future":
      return FutureType.create(value.toFuture().elementType());
    case "Object":
      return value.toObject().type();
    case "Enum":
      return value.toEnumHolder().type();
    default:
      return AnyType;
  }
}

/** The name of a tensor's type in C++: `CPUFloatType`. */
function type_name(tensor: Tensor): string {
  if (!tensor.defined()) return "UndefinedType";
  return `${DeviceTypeName(tensor.device_type())}${dtypeToString(tensor.scalar_type())}Type`;
}

/** `operator<<` of a value: the text that `print`, `str` and `format` give. */
export function print_ivalue(value: IValue): string {
  switch (value.tag) {
    case "Tensor": {
      const tensor = value.toTensor();
      return tensor.defined() ? print_tensor(tensor, type_name(tensor)) : "[ Tensor (undefined) ]";
    }
    case "Double":
      return formatDouble(value.payload as number);
    case "ComplexDouble":
      return print_complex(value.payload as ComplexDouble);
    case "Bool":
      return value.payload === true ? "True" : "False";
    case "GenericList":
      return `[${value.toList().vec().map(print_ivalue).join(", ")}]`;
    case "Tuple": {
      const elements = value.toTuple().map(print_ivalue);
      return elements.length === 1 ? `(${elements[0]},)` : `(${elements.join(", ")})`;
    }
    case "GenericDict":
      return print_dict(value.toGenericDict());
    case "Object":
      return `<${value.toObject().name()} object at 0x0>`;
    case "Enum":
      return `Enum<${value.toEnumHolder().unqualifiedClassName()}.${value.toEnumHolder().name()}>`;
    case "Future":
    case "Await":
    case "RRef":
    case "Capsule":
    case "Generator":
    case "Uninitialized":
      return value.tag;
    case "None":
      return "None";
    default:
      return String(value.payload);
  }
}

/** The text of a key in an error. There a tensor has its type's name in Python, `torch.FloatTensor`. */
export function print_key(key: IValue): string {
  return key.isTensor() && key.toTensor().defined() ? print_tensor(key.toTensor()) : print_ivalue(key);
}

function print_dict(dict: Dict): string {
  const entries = [...dict.entries()].map(({ key, value }) => `${print_ivalue(key)}: ${print_ivalue(value)}`);
  return `{${entries.join(", ")}}`;
}

function print_complex({ real, imag }: ComplexDouble): string {
  const sign = imag < 0 || Object.is(imag, -0) ? "-" : "+";
  return `${formatDouble(real)}${sign}${formatDouble(Math.abs(imag))}j`;
}

/** `IValue::equals`, then `bool` of it: whether values are equal as Python's `==` says. Tensors are compared element by element. */
export function equal_ivalues(a: IValue, b: IValue): boolean {
  switch (a.tag) {
    case "Tensor":
      return b.isTensor() && a.toTensor().eq_Tensor(b.toTensor()).is_nonzero();
    case "GenericList":
      return b.isList() && equal_elements(a.toList().vec(), b.toList().vec());
    case "Tuple":
      return b.isTuple() && equal_elements(a.toTuple(), b.toTuple());
    case "GenericDict":
      return b.isGenericDict() && equal_dicts(a.toGenericDict(), b.toGenericDict());
    case "Enum":
      return b.isEnum() && a.toEnumHolder().is(b.toEnumHolder());
    case "Double":
      return b.isDouble() && a.payload === b.payload;
    default:
      return a.equals(b);
  }
}

function equal_elements(a: readonly IValue[], b: readonly IValue[]): boolean {
  return a.length === b.length && a.every((item, i) => equal_ivalues(item, b[i]));
}

function equal_dicts(a: Dict, b: Dict): boolean {
  if (a.size() !== b.size()) return false;
  for (const { key, value } of a.entries()) {
    const other = b.find(key);
    if (other === null || !equal_ivalues(value, other)) return false;
  }
  return true;
}

/**
 * `IValue::is`: whether both are one object, as Python's `is` says.
 * @differs Equal strings are one object, because JavaScript's strings have no identity; in PyTorch each is an object of its own.
 */
export function is_same_ivalue(a: IValue, b: IValue): boolean {
  if (a.isTensor() && b.isTensor()) return a.toTensor().is_same(b.toTensor());
  if (a.isTensor() || b.isTensor()) {
    // An undefined tensor is None, too.
    const undefined_tensor = (value: IValue) => value.isNone() || (value.isTensor() && !value.toTensor().defined());
    return undefined_tensor(a) && undefined_tensor(b);
  }
  if (a.tag !== b.tag) return false;
  switch (a.tag) {
    case "GenericList":
    case "GenericDict":
    case "Tuple":
    case "Object":
    case "Future":
      return a.payload === b.payload;
    default:
      return equal_ivalues(a, b);
  }
}

/**
 * `IValue::hash`. Values that are equal have equal hashes.
 * @differs The numbers for texts and floats are others: C++'s library chooses them.
 */
export function hash_ivalue(value: IValue): number | bigint {
  switch (value.tag) {
    case "None":
      return 0;
    case "Bool":
      return value.payload === true ? 1 : 0;
    case "Int":
      return value.payload as number | bigint;
    case "String":
      return hash_text(value.toStringRef());
    case "Double":
    case "ComplexDouble":
      return hash_text(print_ivalue(value));
    case "Tensor":
      return hash_text(`tensor ${value.toTensor().data_ptr()}`);
    case "Tuple":
      return hash_text(value.toTuple().map(hash_ivalue).join(","));
    case "Device":
      return hash_text(print_ivalue(value));
    default:
      TORCH_CHECK(false, "Can't hash IValues with tag '", value.tag, "'");
  }
}

const MUL = 0xc6a4a7935bd1e995n;
const SEED = 0xc70f6907n;

/** MurmurHash64A with the seed of libstdc++: `std::hash` of a string. */
function hash_text(text: string): bigint {
  const bytes = new TextEncoder().encode(text);
  const times = (x: bigint): bigint => BigInt.asUintN(64, x * MUL);
  const mix = (x: bigint): bigint => x ^ (x >> 47n);
  let hash = SEED ^ times(BigInt(bytes.length));
  for (let at = 0; at < bytes.length; at += 8) {
    const chunk = bytes.subarray(at, at + 8);
    const word = chunk.reduceRight((high, byte) => (high << 8n) | BigInt(byte), 0n);
    hash = times(hash ^ (chunk.length === 8 ? times(mix(times(word))) : word));
  }
  return BigInt.asIntN(64, mix(times(mix(hash))));
}
