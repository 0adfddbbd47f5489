/**
 * @file The types a schema can name: `Tensor`, `int[]`, `Scalar?`, `(Tensor, int)`.
 * @mirrors aten/src/ATen/core/jit_type.h
 * @see tensor_type.ts (tensor types with shape, dtype and device), union_type.ts, class_type.ts, type.ts (unification, printing):
 * TorchScript's part, which schemas do not need
 */
import { TORCH_CHECK } from "#c10/util/Exception";

/** All kinds of types in PyTorch's order, by which the members of a union are sorted. */
const typeKinds = [
  "AnyType",
  "EnumType",
  "AnyEnumType",
  "TensorType",
  "StorageType",
  "TupleType",
  "ListType",
  "DictType",
  "NumberType",
  "FloatType",
  "ComplexType",
  "FutureType",
  "AwaitType",
  "RRefType",
  "IntType",
  "NoneType",
  "StringType",
  "GeneratorType",
  "QuantizerType",
  "BoolType",
  "OptionalType",
  "VarType",
  "DeviceObjType",
  "StreamObjType",
  "FunctionType",
  "ClassType",
  "PyObjectType",
  "CapsuleType",
  "InterfaceType",
  "QSchemeType",
  "ScalarTypeType",
  "LayoutType",
  "MemoryFormatType",
  "AnyListType",
  "AnyTupleType",
  "AnyClassType",
  "SymIntType",
  "SymFloatType",
  "SymBoolType",
  "UnionType",
] as const;

export type TypeKind = (typeof typeKinds)[number];

/** The place of a kind in PyTorch's enumeration. */
export function typeKindOrder(kind: TypeKind): number {
  return typeKinds.indexOf(kind);
}

/** Collects the reasons why a type is no subtype of another. */
export type WhyNot = string[] | null;

/** Gives the name under which a type is printed, or null to print it as usual. */
export type TypePrinter = (type: Type) => string | null;

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
  /** The spelling in messages; for a few types it says more than the annotation. */
  repr_str(): string {
    return this.annotation_str();
  }
  containedTypes(): readonly Type[] {
    return this.contained_;
  }
  /** Precondition: the type contains another (a list's, optional's or future's element). */
  containedType(i = 0): Type {
    return this.contained_[i];
  }
  /** Text that differs for every two types of one kind that are not equal. */
  key(): string {
    return this.str_;
  }
  equals(other: Type): boolean {
    return this === other || (this.kind_ === other.kind_ && this.key() === other.key());
  }

  /** Whether a value of this type is accepted where `other` is required. */
  isSubtypeOf(other: Type): boolean {
    return this.isSubtypeOfExt(other, null);
  }

  isSubtypeOfExt(rhs: Type, why_not: WhyNot): boolean {
    if (this === rhs) return true;
    switch (this.kind_) {
      case "OptionalType":
        if (rhs.kind_ === "OptionalType") return this.containedType().isSubtypeOfExt(rhs.containedType(), why_not);
        if (rhs.kind_ === "UnionType")
          return NoneType.isSubtypeOfExt(rhs, why_not) && this.containedType().isSubtypeOfExt(rhs, why_not);
        break;
      case "UnionType":
        return this.everyMemberIsSubtypeOf(rhs, why_not);
      case "NoneType":
        if (rhs.kind_ === "OptionalType") return true;
        break;
      case "NumberType":
        if (rhs.kind_ === "UnionType")
          return [IntType, FloatType, ComplexType].every((number) => number.isSubtypeOfExt(rhs, why_not));
        break;
      case "IntType":
      case "FloatType":
      case "ComplexType":
        if (rhs.kind_ === "NumberType") return true;
        break;
      case "ListType":
        if (rhs.kind_ === "AnyListType") return true;
        break;
      case "TupleType":
        if (rhs.kind_ === "AnyTupleType") return true;
        if (rhs.kind_ === "TupleType" && this.namesMatch(rhs)) {
          return (
            this.contained_.length === rhs.contained_.length &&
            this.contained_.every((type, i) => type.isSubtypeOfExt(rhs.containedType(i), why_not))
          );
        }
        break;
      case "FutureType":
      case "AwaitType":
        if (rhs.kind_ === this.kind_) return this.containedType().isSubtypeOfExt(rhs.containedType(), why_not);
        break;
    }
    return this.isSubtypeOfAnyKind(rhs, why_not);
  }

  /** The rules that hold for every kind. */
  protected isSubtypeOfAnyKind(rhs: Type, why_not: WhyNot): boolean {
    if (rhs.kind_ === "AnyType" || this.equals(rhs)) return true;
    if (rhs.kind_ === "OptionalType") return this.isSubtypeOfExt(rhs.containedType(), why_not);
    if (rhs.kind_ === "UnionType") return rhs.contained_.some((member) => this.isSubtypeOfExt(member, why_not));
    return false;
  }

  /** Whether this tuple's names fit another's; a tuple without names fits only those without. */
  protected namesMatch(rhs: Type): boolean {
    return rhs.fieldNames() === null;
  }
  /** Names of a NamedTuple's fields. */
  fieldNames(): readonly string[] | null {
    return null;
  }
  /** The text of a NamedTuple field's default value. */
  fieldDefault(_i: number): string | null {
    return null;
  }

  private everyMemberIsSubtypeOf(rhs: Type, why_not: WhyNot): boolean {
    let accepted: readonly Type[] = [rhs];
    if (rhs.kind_ === "UnionType") accepted = rhs.contained_;
    else if (rhs.kind_ === "OptionalType") accepted = [NoneType, ...numberMembers(rhs.containedType())];
    else accepted = numberMembers(rhs);
    return this.contained_.every((member) => accepted.some((type) => member.isSubtypeOfExt(type, why_not)));
  }

  toString(): string {
    return this.annotation_;
  }
}

/** A number stands for its three types. */
function numberMembers(type: Type): readonly Type[] {
  return type.kind() === "NumberType" ? [IntType, FloatType, ComplexType] : [type];
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
export const SymFloatType = new Type("SymFloatType", "SymFloat");
export const TensorType = new Type("TensorType", "Tensor");
export const PyObjectType = new Type("PyObjectType", "PyObject");
export const AnyListType = new Type("AnyListType", "list");
export const AnyTupleType = new Type("AnyTupleType", "tuple");
// Note [Fake and real types]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~
// A few schema types are plain ints at run time. An argument keeps both types: the *real* type is what the schema line
// says and prints (`ScalarType`), the *fake* type is that of the value (`int`). SymInt is one of them: an int, or a
// symbol for one.
export const LayoutType = new Type("LayoutType", "Layout");
export const MemoryFormatType = new Type("MemoryFormatType", "MemoryFormat");
export const ScalarTypeType = new Type("ScalarTypeType", "ScalarType");
export const SymIntType = new Type("SymIntType", "SymInt", "int");

/** A type whose contents are not told by its text: a list of tensors of known shape, or of a class. */
class ContainerType extends Type {
  override key(): string {
    return `${this.str()}<${this.containedTypes()
      .map((type) => type.key())
      .join(", ")}>`;
  }
}

/** Types that contain others exist once per content, so that they too are compared by reference. */
const created = new Map<string, Type>();

function createOnce(kind: TypeKind, str: string, annotation: string, contained: readonly Type[]): Type {
  const key = contained.every((inner) => inner.key() === inner.str()) ? `${kind} ${str}` : null;
  if (key === null) return new ContainerType(kind, str, annotation, contained);
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

/** Kinds of the keys of dicts, and of type variables that stand for them. */
const KEYS: ReadonlySet<TypeKind> = new Set<TypeKind>([
  ...(["AnyType", "IntType", "BoolType", "FloatType", "ComplexType"] as const),
  ...(["StringType", "TensorType", "DeviceObjType", "VarType"] as const),
]);

export const DictType = {
  create: (key: Type, value: Type): Type => {
    TORCH_CHECK(
      KEYS.has(key.kind()),
      `Cannot create dict for key type '${key.str()}', only int, float, complex, Tensor, device and string keys are supported`,
    );
    return createOnce(
      "DictType",
      `Dict(${key.str()}, ${value.str()})`,
      `Dict[${key.annotation_str()}, ${value.annotation_str()}]`,
      [key, value],
    );
  },
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
