/**
 * @file Questions about types: how a graph prints them, and the values of type variables.
 * @mirrors aten/src/ATen/core/jit_type.h
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import { NoneType, type Type, type TypePrinter } from "./jit_type.ts";
import { print_tensor_type } from "./tensor_type.ts";
import { NamedTupleType } from "./tuple_type.ts";
import { hasFreeVariables, unifyTypeList, unifyTypes, withContained } from "./union_type.ts";

export { hasFreeVariables, unifyTypeList, unifyTypes, unshapedType, withContained } from "./union_type.ts";

/** The spelling in graphs: `int[]?`, `Future[Tensor]`, `NamedTuple(x : int)`, `Float(2, 3)`. */
export function print_type(t: Type): string {
  switch (t.kind()) {
    case "TensorType":
      return print_tensor_type(t);
    case "ListType":
      return `${print_type(t.containedType())}[]`;
    case "OptionalType":
      return `${print_type(t.containedType())}?`;
    case "FutureType":
      return `Future[${print_type(t.containedType())}]`;
    case "AwaitType":
      return `Await[${print_type(t.containedType())}]`;
    case "RRefType":
      return `RRef[${print_type(t.containedType())}]`;
    case "TupleType": {
      const names = t.fieldNames();
      const elements = t.containedTypes().map((element, i) => {
        if (names === null) return print_type(element);
        const value = t.fieldDefault(i);
        return `${names[i]} : ${print_type(element)}${value === null ? "" : ` = ${value}`}`;
      });
      return `${names === null ? "" : "NamedTuple"}(${elements.join(", ")})`;
    }
    case "FunctionType":
      return "Function";
    default:
      return t.str();
  }
}

/** The annotation with names that `printer` gives to some types, also inside others. */
export function annotation_str(t: Type, printer: TypePrinter): string {
  const renamed = printer(t);
  if (renamed !== null) return renamed;
  const inner = (): string =>
    t
      .containedTypes()
      .map((contained) => annotation_str(contained, printer))
      .join(", ");
  switch (t.kind()) {
    case "ListType":
      return `List[${inner()}]`;
    case "OptionalType":
      return `Optional[${inner()}]`;
    case "DictType":
      return `Dict[${inner()}]`;
    case "FutureType":
      return `Future[${inner()}]`;
    case "AwaitType":
      return `Await[${inner()}]`;
    case "RRefType":
      return `RRef[${inner()}]`;
    case "UnionType":
      return `Union[${inner()}]`;
    case "TupleType":
      return t instanceof NamedTupleType ? t.annotation_str() : `Tuple[${inner() || "()"}]`;
    default:
      return t.annotation_str();
  }
}

/** Values of type variables by name. */
export type TypeEnv = Map<string, Type>;

/** Binds the type variables of `formal` so that it fits `actual`. Returns null, or the reason why it does not. */
export function matchTypeVariables(formal: Type, actual: Type, type_env: TypeEnv): string | null {
  if (!hasFreeVariables(formal)) return null;
  switch (formal.kind()) {
    case "VarType": {
      const name = formal.str();
      const bound = type_env.get(name);
      if (bound === undefined) {
        type_env.set(name, actual);
        return null;
      }
      if (unifyTypes(bound, actual) !== null) return null;
      return `Type variable '${name}' previously matched to type ${bound.repr_str()} is matched to type ${actual.repr_str()}`;
    }
    case "ListType": {
      if (actual.kind() === "ListType")
        return matchTypeVariables(formal.containedType(), actual.containedType(), type_env);
      if (actual.kind() === "TupleType") {
        const unified = unifyTypeList(actual.containedTypes(), []);
        if (unified !== null) return matchTypeVariables(formal.containedType(), unified, type_env);
      }
      return `Cannot match ${formal.repr_str()} to ${actual.repr_str()}`;
    }
    case "TupleType": {
      if (actual.kind() !== "TupleType") return `Cannot match a tuple to ${actual.repr_str()}`;
      if (formal.containedTypes().length !== actual.containedTypes().length)
        return "Cannot match tuples of mismatched size";
      return matchAll(formal, actual, type_env);
    }
    case "FutureType":
      if (actual.kind() !== "FutureType") return `Cannot match a future to ${actual.repr_str()}`;
      return matchAll(formal, actual, type_env);
    case "AwaitType":
      if (actual.kind() !== "AwaitType") return `Cannot match an await to ${actual.repr_str()}`;
      return matchAll(formal, actual, type_env);
    case "RRefType":
      if (actual.kind() !== "RRefType") return `Cannot match a rref to ${actual.repr_str()}`;
      return matchAll(formal, actual, type_env);
    case "OptionalType":
      if (actual.kind() === "OptionalType") return matchAll(formal, actual, type_env);
      // None fits any Optional, but says nothing about the variable.
      return actual.isSubtypeOf(NoneType) ? null : matchTypeVariables(formal.containedType(), actual, type_env);
    case "DictType":
      if (actual.kind() !== "DictType") return `Cannot match a dict to ${actual.repr_str()}`;
      return matchAll(formal, actual, type_env);
    default:
      TORCH_CHECK(false, "Unhandled free variable container: ", formal.repr_str());
  }
}

function matchAll(formal: Type, actual: Type, type_env: TypeEnv): string | null {
  for (const [i, element] of formal.containedTypes().entries()) {
    const why = matchTypeVariables(element, actual.containedType(i), type_env);
    if (why !== null) return why;
  }
  return null;
}

/** The type with its variables replaced; null if one has no value. */
export function tryEvalTypeVariables(type: Type, type_env: TypeEnv): Type | null {
  if (!hasFreeVariables(type)) return type;
  if (type.kind() === "VarType") return type_env.get(type.str()) ?? null;
  const contained = type.containedTypes().map((inner) => tryEvalTypeVariables(inner, type_env));
  return contained.includes(null) ? null : withContained(type, contained as Type[]);
}

/** Whether the type of a container can be read off its elements: not if they may differ. */
export function elementTypeCanBeInferredFromMembers(type: Type): boolean {
  if (["UnionType", "OptionalType", "NumberType"].includes(type.kind())) return false;
  return !["InterfaceType", "AnyType", "AnyClassType", "ClassType"].includes(type.kind());
}
