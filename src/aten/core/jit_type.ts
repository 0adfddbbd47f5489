/**
 * @file The types a schema can name: `Tensor`, `int[]`, `Scalar?`, `(Tensor, int)`.
 * @mirrors aten/src/ATen/core/jit_type.h
 * @differs A tensor type carries no shape, dtype or device here; PyTorch refines `TensorType` while tracing and profiling.
 */

export type TypeKind =
  | "AnyType"
  | "AnyClassType"
  | "AnyEnumType"
  | "AwaitType"
  | "BoolType"
  | "CapsuleType"
  | "ComplexType"
  | "DeviceObjType"
  | "DictType"
  | "FloatType"
  | "FutureType"
  | "GeneratorType"
  | "IntType"
  | "LayoutType"
  | "ListType"
  | "MemoryFormatType"
  | "NoneType"
  | "NumberType"
  | "OptionalType"
  | "QSchemeType"
  | "QuantizerType"
  | "RRefType"
  | "ScalarTypeType"
  | "StorageType"
  | "StreamObjType"
  | "StringType"
  | "SymBoolType"
  | "SymIntType"
  | "TensorType"
  | "TupleType"
  | "UnionType"
  | "VarType";

export class Type {
  private readonly kind_: TypeKind;
  private readonly str_: string;
  private readonly annotation_: string;
  private readonly contained_: readonly Type[];

  constructor(kind: TypeKind, str: string, annotation: string = str, contained: readonly Type[] = []) {
    this.kind_ = kind;
    this.str_ = str;
    this.annotation_ = annotation;
    this.contained_ = contained;
  }

  kind(): TypeKind {
    return this.kind_;
  }
  /** The spelling of schemas: `int[]?`. */
  str(): string {
    return this.str_;
  }
  /** The spelling of Python: `Optional[List[int]]`. */
  annotation_str(): string {
    return this.annotation_;
  }
  containedTypes(): readonly Type[] {
    return this.contained_;
  }
  /** Precondition: the type contains another (a list's, optional's or future's element). */
  containedType(i = 0): Type {
    return this.contained_[i];
  }
  equals(other: Type): boolean {
    return this === other || (this.kind_ === other.kind_ && this.annotation_ === other.annotation_);
  }

  /** Whether a value of this type is accepted where `other` is required. */
  isSubtypeOf(other: Type): boolean {
    if (this.equals(other) || other.kind_ === "AnyType") return true;
    if (other.kind_ === "OptionalType") {
      if (this.kind_ === "NoneType") return true;
      const element = other.containedType();
      return this.kind_ === "OptionalType" ? this.containedType().isSubtypeOf(element) : this.isSubtypeOf(element);
    }
    if (other.kind_ === "UnionType") return other.contained_.some((member) => this.isSubtypeOf(member));
    if (other.kind_ === "NumberType")
      return this.kind_ === "IntType" || this.kind_ === "FloatType" || this.kind_ === "ComplexType";
    if (other.kind_ === "TupleType" && this.kind_ === "TupleType") {
      return (
        this.contained_.length === other.contained_.length &&
        this.contained_.every((t, i) => t.isSubtypeOf(other.containedType(i)))
      );
    }
    return false;
  }

  toString(): string {
    return this.annotation_;
  }
}

// Types without parameters exist once, so they are compared by reference.
export const AnyType = new Type("AnyType", "Any");
export const AnyClassType = new Type("AnyClassType", "AnyClassType");
export const AnyEnumType = new Type("AnyEnumType", "AnyEnumType");
export const BoolType = new Type("BoolType", "bool");
export const CapsuleType = new Type("CapsuleType", "Capsule");
export const ComplexType = new Type("ComplexType", "complex");
export const DeviceObjType = new Type("DeviceObjType", "Device");
export const FloatType = new Type("FloatType", "float");
export const GeneratorType = new Type("GeneratorType", "Generator");
export const IntType = new Type("IntType", "int");
export const NoneType = new Type("NoneType", "NoneType");
export const NumberType = new Type("NumberType", "Scalar", "number");
export const QSchemeType = new Type("QSchemeType", "QScheme");
export const QuantizerType = new Type("QuantizerType", "Quantizer");
export const StorageType = new Type("StorageType", "Storage");
export const StreamObjType = new Type("StreamObjType", "Stream");
export const StringType = new Type("StringType", "str");
export const SymBoolType = new Type("SymBoolType", "SymBool");
export const TensorType = new Type("TensorType", "Tensor");
// Note [Fake and real types]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~
// A few schema types are plain ints at run time. An argument keeps both types: the *real* type is what the schema line
// says and prints (`ScalarType`), the *fake* type is that of the value (`int`). SymInt is one of them: an int, or a
// symbol for one.
export const LayoutType = new Type("LayoutType", "Layout");
export const MemoryFormatType = new Type("MemoryFormatType", "MemoryFormat");
export const ScalarTypeType = new Type("ScalarTypeType", "ScalarType");
export const SymIntType = new Type("SymIntType", "SymInt", "int");

/** Types that contain others exist once per content, so that they too are compared by reference. */
const created = new Map<string, Type>();

function createOnce(kind: TypeKind, str: string, annotation: string, contained: readonly Type[]): Type {
  const key = `${kind} ${str}`;
  let type = created.get(key);
  if (type === undefined) {
    type = new Type(kind, str, annotation, contained);
    created.set(key, type);
  }
  return type;
}

export const ListType = {
  create: (element: Type): Type =>
    createOnce("ListType", `${element.str()}[]`, `List[${element.annotation_str()}]`, [element]),
  ofTensors: (): Type => ListType.create(TensorType),
  ofInts: (): Type => ListType.create(IntType),
};

export const OptionalType = {
  /** An optional of an optional is the inner optional. */
  create: (element: Type): Type =>
    element.kind() === "OptionalType"
      ? element
      : createOnce("OptionalType", `${element.str()}?`, `Optional[${element.annotation_str()}]`, [element]),
  ofTensor: (): Type => OptionalType.create(TensorType),
};

export const TupleType = {
  create: (elements: readonly Type[]): Type =>
    createOnce(
      "TupleType",
      `(${elements.map((t) => t.str()).join(", ")})`,
      `Tuple[${elements.map((t) => t.annotation_str()).join(", ") || "()"}]`,
      elements,
    ),
};

export const UnionType = {
  create: (members: readonly Type[]): Type =>
    createOnce(
      "UnionType",
      `Union(${members.map((t) => t.str()).join(", ")})`,
      `Union[${members.map((t) => t.annotation_str()).join(", ")}]`,
      members,
    ),
};

export const DictType = {
  create: (key: Type, value: Type): Type =>
    createOnce(
      "DictType",
      `Dict(${key.str()}, ${value.str()})`,
      `Dict[${key.annotation_str()}, ${value.annotation_str()}]`,
      [key, value],
    ),
};

export const FutureType = {
  create: (element: Type): Type =>
    createOnce("FutureType", `Future(${element.str()})`, `Future[${element.annotation_str()}]`, [element]),
};
export const AwaitType = {
  create: (element: Type): Type =>
    createOnce("AwaitType", `Await(${element.str()})`, `Await[${element.annotation_str()}]`, [element]),
};
export const RRefType = {
  create: (element: Type): Type =>
    createOnce("RRefType", `RRef(${element.str()})`, `RRef[${element.annotation_str()}]`, [element]),
};

/** A type variable: any lower-case name in a schema that is not a type (`t`). */
export const VarType = {
  create: (name: string): Type => createOnce("VarType", name, name, []),
};

/** The run-time type of a value of the written type; see Note [Fake and real types]. */
export function fakeTypeOf(real: Type): Type {
  switch (real.kind()) {
    case "LayoutType":
    case "MemoryFormatType":
    case "ScalarTypeType":
    case "SymIntType":
      return IntType;
    case "OptionalType":
      return OptionalType.create(fakeTypeOf(real.containedType()));
    case "ListType":
      return ListType.create(fakeTypeOf(real.containedType()));
    default:
      return real;
  }
}
