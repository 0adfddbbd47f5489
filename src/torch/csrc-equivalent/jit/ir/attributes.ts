/**
 * @file The kinds of values that a node's attribute can have, and the errors of asking for the wrong one.
 * @mirrors torch/csrc/jit/ir/attributes.h
 * @differs A name is written without its namespace: `value` is PyTorch's `attr::value`.
 */

import type { ComplexDouble, IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { RuntimeError } from "#c10/util/Exception";
import type { Graph } from "./ir/graph.ts";

/** A list of tensors longer than this is not printed: an attribute shows `<Tensor>`. */
export const max_tensor_display_size = 10;

/** The value of each kind. An `i` is an int of 64 bits, beyond 2^53 as a bigint. */
export interface AttributeTypes {
  f: number;
  fs: readonly number[];
  c: ComplexDouble;
  cs: readonly ComplexDouble[];
  i: number | bigint;
  is: readonly (number | bigint)[];
  s: string;
  ss: readonly string[];
  t: Tensor;
  ts: readonly Tensor[];
  g: Graph;
  gs: readonly Graph[];
  ty: Type;
  tys: readonly Type[];
  ival: IValue;
}

export type AttributeKind = keyof AttributeTypes;

export type AttributeValue = {
  [K in AttributeKind]: { readonly kind: K; readonly value: AttributeTypes[K] };
}[AttributeKind];

/** A copy that another node may own; graphs are copied, everything else is immutable or shared. */
export function cloneAttribute(attribute: AttributeValue): AttributeValue {
  if (attribute.kind === "g") return { kind: "g", value: attribute.value.copy() };
  if (attribute.kind === "gs") return { kind: "gs", value: attribute.value.map((graph) => graph.copy()) };
  return attribute;
}

/** The attribute is not set, or it is of another kind. */
export class IRAttributeError extends RuntimeError {
  constructor(name: string, defined: boolean) {
    super(`required keyword attribute '${name}' ${defined ? "has the wrong type" : "is undefined"}`);
  }
}
