/**
 * @file Sorting lists of tuples, and of objects whose class has a method `__lt__`.
 * @mirrors aten/src/ATen/core/ivalue.cpp
 */
import type { IValue } from "#aten/core/ivalue";
import { type_of } from "#aten/core/ivalue.impl";
import type { Type } from "#aten/core/jit_type";
import type { Stack } from "#aten/core/stack";
import { RuntimeError } from "#c10/util/Exception";
import { to_bytes } from "./byte_string.ts";

/** A method of a scripted class, as much of it as a call needs. */
interface Method {
  run(stack: Stack): void;
  getSchema(): { arguments(): readonly { type(): Type }[]; returns(): readonly { type(): Type }[] };
}
type ClassWithMethods = Type & { findMethod?(name: string): Method | null };

/** The class's `__lt__`, which must compare two objects of the class and return a bool. */
function sort_method(type: Type): Method | string {
  const method = (type as ClassWithMethods).findMethod?.("__lt__") ?? null;
  const schema = method?.getSchema();
  const fits =
    schema !== undefined &&
    schema.arguments().length === 2 &&
    schema.arguments().every((argument) => argument.type().equals(type)) &&
    schema.returns().length === 1 &&
    schema.returns()[0].type().kind() === "BoolType";
  if (method !== null && fits) return method;
  const name = type.annotation_str();
  return `To sort a list of ${name} it must define a __lt__ method with two inputs of type ${name} that returns a bool`;
}

const SORTABLE: ReadonlySet<string> = new Set(["IntType", "BoolType", "FloatType", "StringType", "TensorType"]);

/** Why values of this tuple type cannot be sorted; null if they can. */
function why_tuple_is_not_sortable(tuple: Type): string | null {
  for (const element of tuple.containedTypes()) {
    const kind: string = element.kind();
    if (SORTABLE.has(kind)) continue;
    let why: string | null;
    if (kind === "TupleType") why = why_tuple_is_not_sortable(element);
    else if (kind === "ClassType") {
      const method = sort_method(element);
      why = typeof method === "string" ? method : null;
    } else
      why = `Contained elements in ${tuple.str()} are not sortable. Only Int, Bool, Float, String, Tensor, a User Defined Class with __lt__ method defined or Tuples of aforementionted types can be sorted.`;
    if (why !== null) return why;
  }
  return null;
}

/** Why a list of tuples or objects cannot be sorted; null if it can. Lists of numbers, strings and tensors have overloads of their own. */
function why_not_sortable(items: readonly IValue[]): string | null {
  const type = type_of(items[0]);
  for (const item of items) {
    const other = type_of(item);
    if (!other.equals(type))
      return `Only values of same type can be compared. Found ${type.annotation_str()} and ${other.annotation_str()}`;
  }
  if (type.kind() === "TupleType") return why_tuple_is_not_sortable(type);
  if ((type.kind() as string) === "ClassType") {
    const method = sort_method(type);
    return typeof method === "string" ? method : null;
  }
  return `Only list of Tensors, ints, floats, bools, strs, a User Defined Class that defines the __lt__ compare method or Tuples of aforementioned types can be sorted, got list of ${type.annotation_str()}\n`;
}

/** `a < b`, tuples element by element. */
function simple_less(a: IValue, b: IValue): boolean {
  switch (a.tag) {
    case "Tensor":
      return a.toTensor().lt_Tensor(b.toTensor()).is_nonzero();
    case "String":
      return to_bytes(a.toStringRef()) < to_bytes(b.toStringRef());
    case "Object": {
      const method = sort_method(a.toObject().type()) as Method;
      const stack: Stack = [a, b];
      method.run(stack);
      return (stack.pop() as IValue).toBool();
    }
    case "Tuple": {
      const [left, right] = [a.toTuple(), b.toTuple()];
      for (let i = 0; i < Math.min(left.length, right.length); i++) {
        if (simple_less(left[i], right[i])) return true;
        if (simple_less(right[i], left[i])) return false;
      }
      return left.length < right.length;
    }
    default:
      return (a.payload as number) < (b.payload as number);
  }
}

/** Sorts in place. @throws {RuntimeError} if elements of this type have no order */
export function sort_any(items: IValue[], reverse: boolean): void {
  if (items.length === 0) return;
  const why = why_not_sortable(items);
  if (why !== null) throw new RuntimeError(why);
  items.sort((a, b) => (simple_less(a, b) ? -1 : simple_less(b, a) ? 1 : 0) * (reverse ? -1 : 1));
}
