/**
 * @file Unions of types, and the common type of several. A union is flattened, without members that others cover, and in a fixed order, so
 * that equal unions print alike.
 * @mirrors aten/src/ATen/core/jit_type.h#UnionType
 */
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import {
  AwaitType,
  ComplexType,
  DictType,
  UnionType as FlatUnionType,
  FloatType,
  FutureType,
  IntType,
  ListType,
  NoneType,
  NumberType,
  OptionalType,
  RRefType,
  TensorType,
  TupleType,
  type Type,
  typeKindOrder,
} from "./jit_type.ts";
import { merge } from "./tensor_type.ts";
import { NamedTupleType } from "./tuple_type.ts";

const numbers = [IntType, FloatType, ComplexType];

/** The members of all unions, optionals and numbers among `types`. */
function flattenUnion(types: readonly Type[]): Type[] {
  return types.flatMap((type) => {
    if (type.kind() === "UnionType") return flattenUnion(type.containedTypes());
    if (type.kind() === "OptionalType") return [...flattenUnion([type.containedType()]), NoneType];
    return type.kind() === "NumberType" ? numbers : [type];
  });
}

/** The type that can stand for both, if there is one that is no Optional. */
function get_supertype(a: Type, b: Type): Type | null {
  return (a === NoneType) === (b === NoneType) ? unifyTypes(a, b) : null;
}

/** Merges members that have a common type, from the last to the first; the last of the list fills the gap. */
function filterDuplicateSubtypes(members: Type[]): Type[] {
  const types = [...members];
  let end = types.length - 1;
  for (let i = types.length - 1; i > 0; i--) {
    for (let j = Math.min(i - 1, end); j >= 0; j--) {
      const unified = get_supertype(types[i], types[j]);
      if (unified === null) continue;
      types[j] = unified;
      types[i] = types[end--];
      break;
    }
  }
  return types.slice(0, end + 1);
}

/** The members that a union of `types` has. */
export function standardizeUnion(types: readonly Type[]): Type[] {
  return filterDuplicateSubtypes(flattenUnion(types)).sort((a, b) => {
    if (a.kind() !== b.kind()) return typeKindOrder(a.kind()) - typeKindOrder(b.kind());
    return a.str() < b.str() ? -1 : a.str() > b.str() ? 1 : 0;
  });
}

export const UnionType = {
  /**
   * The union of `types`, or the Optional that it amounts to.
   * @throws {Error} if all of them amount to one type
   */
  create(types: readonly Type[]): Type {
    const members = standardizeUnion(types);
    TORCH_INTERNAL_ASSERT(
      members.length > 1,
      `After type unification was performed, the Union with the original types {${types
        .map((type) => type.repr_str())
        .join(
          ", ",
        )}} has the single type ${members[0]?.repr_str()}. Use the common supertype instead of creating a Union type`,
    );
    if (members.includes(NoneType)) {
      const others = members.filter((member) => member !== NoneType);
      if (others.length === 1) return OptionalType.create(others[0]);
      if (others.length === 3 && numbers.every((number) => others.includes(number)))
        return OptionalType.create(NumberType);
    }
    return FlatUnionType.create(members);
  },
};

/** Whether a union or Optional has room for a value of this type. */
export function canHoldType(union: Type, type: Type): boolean {
  if (type === NumberType) return numbers.every((number) => canHoldType(union, number));
  if (union.kind() === "OptionalType") return type === NoneType || type.isSubtypeOf(union.containedType());
  return union.containedTypes().some((member) => type.isSubtypeOf(member));
}

/** The union without the members that are subtypes of one of `to_subtract`; null if none is left. */
export function subtractTypeSet(union: Type, to_subtract: readonly Type[]): Type | null {
  const members =
    union.kind() === "OptionalType" ? [union.containedType(), NoneType] : flattenUnion(union.containedTypes());
  const left = members.filter((member) => !to_subtract.some((type) => member.isSubtypeOf(type)));
  if (left.length === 0) return null;
  return left.length === 1 ? left[0] : UnionType.create(left);
}

/** The member other than None; null if the type is no Optional. */
export function toOptional(union: Type): Type | null {
  if (union.kind() === "OptionalType") return union;
  return canHoldType(union, NoneType) && union.containedTypes().length === 2 ? UnionType.create([union]) : null;
}

/** The type of the same form that contains other types. Precondition: as many as before. */
export function withContained(t: Type, contained: readonly Type[]): Type {
  switch (t.kind()) {
    case "ListType":
      return ListType.create(contained[0]);
    case "OptionalType":
      return OptionalType.create(contained[0]);
    case "FutureType":
      return FutureType.create(contained[0]);
    case "AwaitType":
      return AwaitType.create(contained[0]);
    case "RRefType":
      return RRefType.create(contained[0]);
    case "DictType":
      return DictType.create(contained[0], contained[1]);
    case "UnionType":
      return UnionType.create(contained);
    case "TupleType":
      return t instanceof NamedTupleType ? t.withElements(contained) : TupleType.create(contained);
    default:
      return t;
  }
}

/** Whether a type variable occurs in it. A class or enum is never looked into. */
export function hasFreeVariables(t: Type): boolean {
  if (t.kind() === "VarType") return true;
  return containsOthers(t) && t.containedTypes().some(hasFreeVariables);
}

function containsOthers(t: Type): boolean {
  return t.containedTypes().length > 0 && t.kind() !== "ClassType" && t.kind() !== "EnumType";
}

/** The type in which each tensor type is plain `Tensor`. */
export function unshapedType(t: Type): Type {
  if (t.kind() === "TensorType") return TensorType;
  if (!containsOthers(t)) return t;
  return withContained(t, t.containedTypes().map(unshapedType));
}

/**
 * The type of a value that is one or the other, or null.
 * @param default_to_union Whether types that do not unify give a Union.
 * @param type_hint The type that the program asks for.
 */
export function unifyTypes(t1: Type, t2: Type, default_to_union = false, type_hint: Type | null = null): Type | null {
  const unified = unifyTypesImpl(t1, t2, default_to_union, type_hint);
  if (default_to_union && unified === null) return UnionType.create([t1, t2]);
  return unified;
}

function unifyTypesImpl(t1: Type, t2: Type, default_to_union: boolean, type_hint: Type | null): Type | null {
  if (t1.isSubtypeOf(t2)) return t2;
  if (t2.isSubtypeOf(t1)) return t1;

  // Tensor types of which none is a subtype of the other have some facts in common.
  if (t1.kind() === "TensorType" && t2.kind() === "TensorType") return merge(t1, t2);
  if (t1 === NoneType) return OptionalType.create(t2);
  if (t2 === NoneType) return OptionalType.create(t1);

  // unify(Optional[t1], t2) = Optional[unify(t1, t2)]
  if (t1.kind() === "OptionalType") {
    const element = unifyTypes(t1.containedType(), t2);
    return element === null ? null : OptionalType.create(element);
  }
  if (t2.kind() === "OptionalType") {
    const element = unifyTypes(t2.containedType(), t1);
    return element === null ? null : OptionalType.create(element);
  }

  if (t1.kind() === "TupleType" && t2.kind() === "TupleType") {
    if (t1.containedTypes().length !== t2.containedTypes().length) return null;
    const elements = t1
      .containedTypes()
      .map((element, i) => unifyTypes(element, t2.containedType(i), default_to_union));
    return elements.includes(null) ? null : TupleType.create(elements as Type[]);
  }
  if (t1.kind() === "FutureType" && t2.kind() === "FutureType") {
    const element = unifyTypes(t1.containedType(), t2.containedType());
    return element === null ? null : FutureType.create(element);
  }

  // Lists and dicts do not vary with their elements, but those of tensors hold any tensor.
  const t1_unshaped = unshapedType(t1);
  const t2_unshaped = unshapedType(t2);
  if (t1_unshaped.isSubtypeOf(t2_unshaped)) return t2_unshaped;
  if (t2_unshaped.isSubtypeOf(t1_unshaped)) return t1_unshaped;

  if (type_hint !== null && t1.isSubtypeOf(type_hint) && t2.isSubtypeOf(type_hint)) return type_hint;
  return null;
}

/** The common type of a list of types, or null and the reason in `why_not`. */
export function unifyTypeList(
  elements: readonly Type[],
  why_not: string[],
  default_to_union = false,
  type_hint: Type | null = null,
): Type | null {
  if (elements.length === 0) {
    why_not.push("Cannot get unified type from empty list");
    return null;
  }
  let ret_type = elements[0];
  for (let i = 1; i < elements.length; i++) {
    const unified = unifyTypes(ret_type, elements[i], default_to_union, type_hint);
    if (unified === null) {
      why_not.push(
        `Could not unify type list since element ${i} of type ${elements[i].repr_str()} did not match the types before it (${ret_type.repr_str()})`,
      );
      return null;
    }
    ret_type = unified;
  }
  return ret_type;
}
