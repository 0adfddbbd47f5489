/**
 * @file Arguments that are numbers for the operator and tensors for the trace: `x.view(y.shape[0], -1)`.
 * @mirrors torch/csrc/jit/frontend/tracer.h#ArgumentStash
 *
 * The argument parser takes numbers out of tensors before it calls the operator. It puts their values here, under the argument's name;
 * the operator's kernel for the Tracer key takes them out.
 */
import { IValue } from "#aten/core/ivalue";
import { FloatType, IntType, NumberType } from "#aten/core/jit_type";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { type Value, withInsertPoint } from "../../ir/ir.ts";
import type { StashedType } from "../tracing.ts";
import { getTracingState } from "./state.ts";

const intlists = new Map<string, (Value | null)[]>();
const values = new Map<string, Value>();

const conversions = {
  int: { kind: "aten::Int", type: IntType },
  float: { kind: "aten::Float", type: FloatType },
  number: { kind: "aten::ScalarImplicit", type: NumberType },
} as const;

/** The number in a tensor, computed directly behind the tensor. */
function number_of(tensor: Tensor, as: StashedType): Value | null {
  const state = getTracingState();
  if (state === null) return null;
  const value = state.getValue(IValue.fromTensor(tensor));
  const { kind, type } = conversions[as];
  const { graph } = state;
  return withInsertPoint(value.node().next(), () =>
    graph
      .insertNode(graph.create(kind, [value]))
      .output()
      .setType(type),
  );
}

export function stashIntArrayRefElem(name: string, size: number, index: number, tensor: Tensor): void {
  const value = number_of(tensor, "int");
  if (value === null) return;
  let list = intlists.get(name);
  if (list === undefined) {
    list = new Array<Value | null>(size).fill(null);
    intlists.set(name, list);
  }
  TORCH_INTERNAL_ASSERT(size === list.length && index < size && list[index] === null);
  list[index] = value;
}

export function stashValue(name: string, tensor: Tensor, type: StashedType): void {
  const value = number_of(tensor, type);
  if (value !== null) values.set(name, value);
}

/** The values of a list argument; an element is null if it is a plain number. */
export function popIntArrayRef(name: string): readonly (Value | null)[] | null {
  const list = intlists.get(name) ?? null;
  intlists.delete(name);
  return list;
}

export function popValue(name: string): Value | null {
  const value = values.get(name) ?? null;
  values.delete(name);
  return value;
}

/** Forgets what a call that failed has left. */
export function clearStash(): void {
  intlists.clear();
  values.clear();
}
