/**
 * @file Batching rules for many operators at once: each reads from the schema which arguments are tensors or dimensions.
 * @mirrors aten/src/ATen/functorch/BatchRulesHelper.h#boxed_tensor_inputs_batch_rule
 *
 * | rule | what it does | for |
 * |---|---|---|
 * | `unary` | calls the operator on the value; the batch dimension stays where it is | operators on one tensor, element by element |
 * | `pointwise` | moves batch dimensions to the front, and lines up the ranks of the samples | operators on several tensors, element by element |
 * | `batch_in_front` | moves batch dimensions to the front | operators that accept further dimensions in front |
 * | `batch_folded` | merges the batch dimension into dimension 0 of the samples | operators on (N, C, ...) |
 * | `reduction` | shifts the dimension that is reduced | sums, sorts |
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { IValue } from "#aten/core/ivalue";
import { IntType, ListType } from "#aten/core/jit_type";
import { CppFunction } from "#aten/core/library";
import { popn, type Stack } from "#aten/core/stack";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { makeBatched } from "./BatchedTensorImpl.ts";
import {
  type BDim,
  call_on,
  currentVmap,
  ensure_has_bdim,
  getPhysicalDim,
  if_batched,
  maybePadToLogicalRank,
  moveBatchDimToFront,
  participatesInCurrentLevel,
  rankWithoutBatchDim,
  reshape_dim_into,
  reshape_dim_outof,
  unwrapTensorAtCurrentLevel,
  vmapIncompatibleInplaceError,
} from "./BatchRulesHelper.ts";
import { foreachTensorInplace, isInplaceOp } from "./DynamicLayer.ts";

const INT_LIST = ListType.create(IntType);

type Boxed = (op: OperatorHandle, values: IValue[], stack: Stack) => void;

/** A registration of a rule that gets the values of a call. */
export function boxed(rule: Boxed, name = rule.name): CppFunction {
  return CppFunction.makeFromBoxedFunction(
    if_batched((op, _ks, stack) => rule(op, popn(stack, op.schema().arguments().length), stack)),
    name,
  );
}

/** Pushes results, batched at `bdim`; an operator in place returns its argument. */
export function push_batched(
  op: OperatorHandle,
  values: readonly IValue[],
  results: readonly IValue[],
  stack: Stack,
  bdim: number,
): void {
  if (isInplaceOp(op.schema())) {
    stack.push(values[0]);
    return;
  }
  const level = currentVmap().level();
  const wrapped = [...results];
  foreachTensorInplace(wrapped, 0, wrapped.length, (t) => (t.defined() ? makeBatched(t, bdim, level) : t));
  stack.push(...wrapped);
}

/** The values with each tensor that is defined replaced, also in lists. */
function with_tensors(values: readonly IValue[], fn: (t: Tensor, bdim: BDim) => Tensor): IValue[] {
  const mapped = [...values];
  foreachTensorInplace(mapped, 0, mapped.length, (t) => (t.defined() ? fn(...unwrapTensorAtCurrentLevel(t)) : t));
  return mapped;
}

/** All tensors of a call. */
function tensors_of(values: readonly IValue[]): (readonly [Tensor, BDim])[] {
  const found: (readonly [Tensor, BDim])[] = [];
  with_tensors(values, (t, bdim) => {
    found.push([t, bdim]);
    return t;
  });
  return found;
}

function batch_size(): number {
  return currentVmap().batchSize();
}

// Element by element -----------------------------------------------------------------------------------------------------

const unary_rule: Boxed = (op, values, stack) => {
  const [value, bdim] = unwrapTensorAtCurrentLevel(values[0].toTensor());
  const results = call_on(op, [IValue.fromTensor(value), ...values.slice(1)]);
  push_batched(op, values, results, stack, bdim as number);
};

/** Gives a batch of scalars, and the other tensor, the dtype that a scalar and the other tensor have together. */
function handleScalarTypePromotion(scalars: Tensor, second: Tensor): [scalars: Tensor, second: Tensor] {
  const result_type = at.result_type_Tensor(at.select_int(scalars, 0, 0), second);
  const to = (t: Tensor): Tensor => (t.scalar_type() === result_type ? t : t.to_dtype(result_type));
  return [to(scalars), to(second)];
}

function check_inplace(op: OperatorHandle, values: readonly IValue[], name = "inplace arithmetic"): void {
  if (isInplaceOp(op.schema()) && !participatesInCurrentLevel(values[0])) vmapIncompatibleInplaceError(name);
}

function pointwise_rule(promotes: boolean, checks = true): Boxed {
  return (op, values, stack) => {
    if (checks) check_inplace(op, values);
    const given = tensors_of(values);
    const rank = Math.max(...given.map(([t, bdim]) => rankWithoutBatchDim(t, bdim)));
    let physical = given.map(([t, bdim]) => moveBatchDimToFront(t, bdim));
    if (promotes && given.length === 2 && !isInplaceOp(op.schema())) {
      const [a, b] = given.map(([t, bdim]) => bdim !== null && rankWithoutBatchDim(t, bdim) === 0);
      if (a && !b) physical = handleScalarTypePromotion(physical[0], physical[1]);
      else if (b && !a) physical = handleScalarTypePromotion(physical[1], physical[0]).reverse();
    }
    let next = 0;
    const results = call_on(
      op,
      with_tensors(values, (_, bdim) => maybePadToLogicalRank(physical[next++], bdim, rank)),
    );
    push_batched(op, values, results, stack, 0);
  };
}

export const unary: CppFunction = boxed(unary_rule, "unary_batch_rule");
export const pointwise: CppFunction = boxed(pointwise_rule(true), "binary_pointwise_batch_rule");
/** Without the rule for batches of scalars. */
export const pointwise_boxed: CppFunction = boxed(pointwise_rule(false), "boxed_tensor_inputs_batch_rule");

/** The operator itself refuses what does not fit. */
export const pointwise_boxed_unchecked: CppFunction = boxed(
  pointwise_rule(false, false),
  "boxed_tensor_inputs_batch_rule",
);

// Whole batches ----------------------------------------------------------------------------------------------------------

/** @param all whether tensors that are not batched are repeated */
function in_front(all: boolean): Boxed {
  return (op, values, stack) => {
    check_inplace(op, values, String(op.operator_name()));
    const mapped = with_tensors(values, (t, bdim) => {
      const front = moveBatchDimToFront(t, bdim);
      return all ? ensure_has_bdim(front, bdim !== null, batch_size()) : front;
    });
    push_batched(op, values, call_on(op, mapped), stack, 0);
  };
}
export const batch_in_front: CppFunction = boxed(in_front(true), "batch_in_front");
export const batch_in_front_if_batched: CppFunction = boxed(in_front(false), "batch_in_front_if_batched");

/** @param rank the rank of a sample that has a dimension of its own for batches; one without it gets the batch dimension there */
function folded(rank: number): Boxed {
  return (op, values, stack) => {
    const given = tensors_of(values);
    const has_own = given.some(([t, bdim]) => rankWithoutBatchDim(t, bdim) >= rank);
    const mapped = with_tensors(values, (t, bdim) => {
      const front = ensure_has_bdim(moveBatchDimToFront(t, bdim), bdim !== null, batch_size());
      return has_own ? reshape_dim_into(0, 0, front) : front;
    });
    const results = call_on(op, mapped);
    if (has_own) foreachTensorInplace(results, 0, results.length, (t) => reshape_dim_outof(0, batch_size(), t));
    push_batched(op, values, results, stack, 0);
  };
}
export const batch_folded = (rank: number): CppFunction => boxed(folded(rank), "existing_bdim_all_batch_rule");

// Reductions -------------------------------------------------------------------------------------------------------------

/** The dimensions of a sample that the call reduces. */
function dims_of(value: IValue, rank: number): { dims: number[]; as: (dims: number[]) => IValue } {
  if (value.isInt()) return { dims: [value.toInt() as number], as: ([dim]) => IValue.fromInt(dim) };
  const given = value.isList() ? value.toIntList() : [];
  const dims = given.length > 0 ? [...given] : Array.from({ length: Math.max(rank, 1) }, (_, d) => d);
  return { dims, as: (physical) => IValue.from(physical, INT_LIST) };
}

const reduction_rule: Boxed = (op, values, stack) => {
  const parameters = op.schema().arguments();
  const at_dim = parameters.findIndex((arg) => arg.name() === "dim");
  const [given, bdim] = unwrapTensorAtCurrentLevel(values[0].toTensor());
  let self = moveBatchDimToFront(given, bdim);
  const rank = self.dim() - 1;
  const { dims, as } = dims_of(values[at_dim], rank);
  const is_scalar = rank === 0 && dims.every((dim) => dim === 0 || dim === -1);
  if (is_scalar) self = self.unsqueeze(-1);
  const physical = dims.map((dim) => getPhysicalDim(self, true, dim));
  const others = with_tensors(values, (t, b) => {
    const front = ensure_has_bdim(moveBatchDimToFront(t, b), b !== null, batch_size());
    return is_scalar ? front.unsqueeze(-1) : front;
  });
  others[0] = IValue.fromTensor(self);
  others[at_dim] = as(physical);
  const results = call_on(op, others);
  if (is_scalar)
    foreachTensorInplace(results, 0, results.length, (t) => (t.dim() === self.dim() ? t.squeeze_dim(-1) : t));
  push_batched(op, values, results, stack, 0);
};
export const reduction: CppFunction = boxed(reduction_rule, "boxed_reduction_batch_rule");
