/**
 * @file A tagged value: the one form in which boxed code (fallbacks, Python kernels, TorchScript) sees every argument.
 * @mirrors aten/src/ATen/core/ivalue.h
 * @differs The payload is an ordinary JavaScript value; PyTorch packs eight bytes and a tag.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { Scalar } from "#c10/core/Scalar";
import { guard_int, guarding_list, is_symbolic, symbols_of } from "#c10/core/SymInt";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { format_general } from "#c10/util/format_float";
import type { Dict } from "./Dict.ts";
import type { EnumHolder, Future, Object_ } from "./ivalue_inl.ts";
import { OptionalType, type Type } from "./jit_type.ts";
import { List } from "./List.ts";
import type { TensorBase } from "./TensorBase.ts";

export type Tag =
  | "None"
  | "Tensor"
  | "Storage"
  | "Double"
  | "ComplexDouble"
  | "Int"
  | "Bool"
  | "Tuple"
  | "String"
  | "GenericList"
  | "GenericDict"
  | "Device"
  | "Stream"
  | "Generator"
  | "Object"
  | "PyObject"
  | "Capsule"
  | "Future"
  | "Await"
  | "RRef"
  | "Enum"
  | "Uninitialized";

export interface ComplexDouble {
  readonly real: number;
  readonly imag: number;
}

/** The unboxed form of a value: see the table in `IValue.toJS`. */
export type Unboxed = unknown;

/** Converts an element of a list of ints to a number: such lists are sizes and strides, and kernels compute with them. */
function element_of_list(value: Unboxed): Unboxed {
  return typeof value === "bigint" ? guard_int(value) : value;
}

/** The elements of a tuple; a named tuple also has its type. */
export interface TupleElements extends ReadonlyArray<IValue> {
  readonly named_type?: Type;
}

export class IValue {
  readonly tag: Tag;
  readonly payload: unknown;

  private constructor(tag: Tag, payload: unknown) {
    this.tag = tag;
    this.payload = payload;
  }

  static readonly None = new IValue("None", null);
  static readonly True = new IValue("Bool", true);
  static readonly False = new IValue("Bool", false);

  static fromTensor(tensor: TensorBase): IValue {
    return new IValue("Tensor", tensor);
  }
  static fromInt(value: number | bigint): IValue {
    return new IValue("Int", value);
  }
  static fromDouble(value: number): IValue {
    return new IValue("Double", value);
  }
  static fromComplexDouble(value: ComplexDouble): IValue {
    return new IValue("ComplexDouble", value);
  }
  static fromBool(value: boolean): IValue {
    return value ? IValue.True : IValue.False;
  }
  static fromString(value: string): IValue {
    return new IValue("String", value);
  }
  static fromList(list: List): IValue {
    return new IValue("GenericList", list);
  }
  static fromTuple(elements: readonly IValue[]): IValue {
    return new IValue("Tuple", elements);
  }
  static fromNamedTuple(elements: readonly IValue[], named_type: Type): IValue {
    return new IValue("Tuple", Object.assign([...elements], { named_type }));
  }
  static fromDict(dict: Dict): IValue {
    return new IValue("GenericDict", dict);
  }
  static fromObject(object: Object_): IValue {
    return new IValue("Object", object);
  }
  static fromFuture(future: Future): IValue {
    return new IValue("Future", future);
  }
  static fromEnum(holder: EnumHolder): IValue {
    return new IValue("Enum", holder);
  }
  /** The value of a variable on a path where nothing reads it. */
  static readonly uninitialized = new IValue("Uninitialized", null);
  static fromScalar(value: Scalar): IValue {
    if (value.isSymbolic()) return IValue.fromSymbol(value);
    if (value.isBoolean()) return IValue.fromBool(value.toBool());
    if (value.isFloatingPoint()) return IValue.fromDouble(value.toDouble());
    if (value.isComplex()) return IValue.fromComplexDouble({ real: value.real(), imag: value.imag() });
    const exact = value.toBigInt();
    return IValue.fromInt(BigInt.asIntN(54, exact) === exact ? Number(exact) : exact);
  }
  private static fromSymbol(value: Scalar): IValue {
    const tag = value.isFloatingPoint() ? "Double" : value.isBoolean() ? "Bool" : "Int";
    return new IValue(tag, value.toSymInt());
  }
  /** A value that only specialized code inspects (Device, Generator, Storage, PyObject). */
  static opaque(tag: Tag, payload: unknown): IValue {
    return new IValue(tag, payload);
  }

  /** Boxes an unboxed argument of schema type `type`. Postcondition: `toJS(type)` returns an equal value. */
  static from(value: Unboxed, type: Type): IValue {
    switch (type.kind()) {
      case "TensorType":
        return IValue.fromTensor(value as TensorBase);
      case "OptionalType":
        return value === null || value === undefined ? IValue.None : IValue.from(value, type.containedType());
      case "ListType": {
        const element = type.containedType();
        return IValue.fromList(
          new List(
            element,
            symbols_of(value as readonly number[]).map((item: unknown) => IValue.from(item, element)),
          ),
        );
      }
      case "TupleType":
        return IValue.fromTuple(
          (value as readonly unknown[]).map((item, i) => IValue.from(item, type.containedType(i))),
        );
      case "NumberType":
        return IValue.fromScalar(value as Scalar);
      case "IntType":
      case "SymIntType":
      case "ScalarTypeType":
      case "LayoutType":
      case "MemoryFormatType":
      case "QSchemeType":
        return IValue.fromInt(value as number);
      case "FloatType":
        return IValue.fromDouble(value as number);
      case "BoolType":
      case "SymBoolType":
        return IValue.fromBool(value as boolean);
      case "StringType":
        return IValue.fromString(value as string);
      case "ComplexType":
        return IValue.fromComplexDouble(value as ComplexDouble);
      case "DeviceObjType":
        return new IValue("Device", value);
      case "GeneratorType":
        return new IValue("Generator", value);
      case "StorageType":
        return new IValue("Storage", value);
      case "StreamObjType":
        return new IValue("Stream", value);
      case "NoneType":
        return IValue.None;
      case "DictType":
        return new IValue("GenericDict", value);
      default:
        return value === null || value === undefined ? IValue.None : new IValue("PyObject", value);
    }
  }

  /** Unboxes to the form that an unboxed kernel expects for schema type `type`. */
  toJS(type: Type): Unboxed {
    switch (type.kind()) {
      case "OptionalType":
        return this.isNone() ? null : this.toJS(type.containedType());
      case "ListType": {
        const element = type.containedType();
        const elements = this.toList()
          .vec()
          .map((item) => element_of_list(item.toJS(element)));
        const of_ints = element.kind() === "IntType" || element.kind() === "SymIntType";
        return of_ints && elements.some(is_symbolic) ? guarding_list(elements as number[]) : elements;
      }
      case "TupleType":
        return this.toTuple().map((item, i) => item.toJS(type.containedType(i)));
      case "NumberType":
        return this.toScalar();
      case "FloatType":
        return this.tag === "Int" ? Number(this.payload) : this.payload;
      default:
        return this.payload;
    }
  }

  isNone(): boolean {
    return this.tag === "None";
  }
  isTensor(): boolean {
    return this.tag === "Tensor";
  }
  isInt(): boolean {
    return this.tag === "Int";
  }
  isDouble(): boolean {
    return this.tag === "Double";
  }
  isBool(): boolean {
    return this.tag === "Bool";
  }
  isString(): boolean {
    return this.tag === "String";
  }
  isList(): boolean {
    return this.tag === "GenericList";
  }
  isTuple(): boolean {
    return this.tag === "Tuple";
  }
  isComplexDouble(): boolean {
    return this.tag === "ComplexDouble";
  }
  isGenericDict(): boolean {
    return this.tag === "GenericDict";
  }
  isObject(): boolean {
    return this.tag === "Object";
  }
  isFuture(): boolean {
    return this.tag === "Future";
  }
  isEnum(): boolean {
    return this.tag === "Enum";
  }
  isDevice(): boolean {
    return this.tag === "Device";
  }
  isScalar(): boolean {
    return this.tag === "Int" || this.tag === "Double" || this.tag === "Bool" || this.tag === "ComplexDouble";
  }
  /** Whether it is a list whose elements were declared to be tensors (`Tensor[]`). */
  isTensorList(): boolean {
    return this.isList() && this.toList().elementType().kind() === "TensorType";
  }
  isOptionalTensorList(): boolean {
    return this.isList() && this.toList().elementType().equals(OptionalType.ofTensor());
  }

  toTensor(): Tensor {
    TORCH_CHECK(this.tag === "Tensor", `Expected Tensor but got ${this.tag}`);
    return this.payload as Tensor;
  }
  toInt(): number {
    this.expect("Int");
    return this.payload as number;
  }
  toDouble(): number {
    this.expect("Double");
    return this.payload as number;
  }
  toBool(): boolean {
    this.expect("Bool");
    return this.payload as boolean;
  }
  toStringRef(): string {
    this.expect("String");
    return this.payload as string;
  }
  toList(): List {
    this.expect("GenericList");
    return this.payload as List;
  }
  toTuple(): TupleElements {
    this.expect("Tuple");
    return this.payload as TupleElements;
  }
  toComplexDouble(): ComplexDouble {
    this.expect("ComplexDouble");
    return this.payload as ComplexDouble;
  }
  toGenericDict(): Dict {
    this.expect("GenericDict");
    return this.payload as Dict;
  }
  toObject(): Object_ {
    this.expect("Object");
    return this.payload as Object_;
  }
  toFuture(): Future {
    this.expect("Future");
    return this.payload as Future;
  }
  toEnumHolder(): EnumHolder {
    this.expect("Enum");
    return this.payload as EnumHolder;
  }
  toTensorList(): Tensor[] {
    return this.toList()
      .vec()
      .map((item) => item.payload as Tensor);
  }
  toIntList(): number[] {
    TORCH_INTERNAL_ASSERT(this.isList(), `Expected IntList but got ${this.tag}`);
    return this.toList()
      .vec()
      .map((item) => item.toInt());
  }
  toScalar(): Scalar {
    switch (this.tag) {
      case "Int":
        return Scalar.fromInt(this.payload as number);
      case "Double":
        return is_symbolic(this.payload)
          ? Scalar.fromSymbol(this.payload, "float")
          : Scalar.fromDouble(this.payload as number);
      case "Bool":
        return is_symbolic(this.payload)
          ? Scalar.fromSymbol(this.payload, "bool")
          : Scalar.fromBool(this.payload as boolean);
      case "ComplexDouble":
        return Scalar.fromComplex((this.payload as ComplexDouble).real, (this.payload as ComplexDouble).imag);
      default:
        TORCH_CHECK(false, "IValue is not a Scalar");
    }
  }

  tagKind(): Tag {
    return this.tag;
  }

  /** Whether tag and content are equal; tensors compare by identity. */
  equals(other: IValue): boolean {
    if (this.tag !== other.tag) return false;
    if (this.tag === "GenericList") return sameElements(this.toList().vec(), other.toList().vec());
    if (this.tag === "Tuple") return sameElements(this.toTuple(), other.toTuple());
    if (this.tag === "ComplexDouble" || this.tag === "Device") return this.toString() === other.toString();
    return this.payload === other.payload;
  }

  /** The text that `operator<<` prints: `1.`, `[1, 2]`, `None`, `True`. */
  toString(): string {
    switch (this.tag) {
      case "None":
        return "None";
      case "Tensor":
        return "<Tensor>";
      case "Bool":
        return this.payload === true ? "True" : "False";
      case "Double":
        return formatDouble(this.payload as number);
      case "ComplexDouble": {
        const { real, imag } = this.payload as ComplexDouble;
        return `${formatDouble(real)}${imag < 0 ? "-" : "+"}${formatDouble(Math.abs(imag))}j`;
      }
      case "GenericList":
        return `[${this.toList().vec().join(", ")}]`;
      case "Tuple":
        return `(${this.toTuple().join(", ")}${this.toTuple().length === 1 ? "," : ""})`;
      default:
        return String(this.payload);
    }
  }

  private expect(tag: Tag): void {
    TORCH_INTERNAL_ASSERT(this.tag === tag, `Expected ${tag} but got ${this.tag}`);
  }
}

function sameElements(a: readonly IValue[], b: readonly IValue[]): boolean {
  return a.length === b.length && a.every((item, i) => item.equals(b[i]));
}

/** Prints an integral value with a final point (`1.`), any other with 17 digits, which give the same double again. */
export function formatDouble(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return `${Object.is(value, -0) ? "0" : BigInt(value)}.`;
  return format_general(value, 17);
}

/** Prints a double like `operator<<` in messages: six significant digits. */
export function printDouble(value: number): string {
  return format_general(value);
}
