/**
 * @file Helpers of the batching rules: taking batched tensors apart, moving batch dimensions, and calling a rule for an operator.
 * @mirrors aten/src/ATen/functorch/BatchRulesHelper.h
 * @differs The schema drives the conversion at run time; PyTorch generates the plumbing of each operator (VmapGeneratedPlumbing.h).
 *
 * Note [A batching rule]
 * ~~~~~~~~~~~~~~~~~~~~~~
 *     m.impl("t", VMAP_SUPPORT((self, bdim) => ...))
 *
 *     t(Batched(value (5, 2, 3), bdim 0))        a sample is (2, 3)
 *       plumbing     takes it apart: the rule gets the tensor (5, 2, 3) and 0; below, FuncTorchBatched does nothing
 *       rule         transposes the dimensions behind the batch dimension, and returns [(5, 3, 2), 0]
 *       plumbing     wraps the result: Batched(value (5, 3, 2), bdim 0)
 *
 * A rule gets each tensor argument as two arguments, the value and its batch dimension, which is null for a tensor without one. A list
 * arrives as a list of such pairs. It returns such a pair for each result. If no argument is batched at the level, it is not called.
 */
import type { BoxedKernelFunction } from "#aten/core/boxing/BoxedKernel";
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { FunctionSchema } from "#aten/core/function_schema";
import { IValue } from "#aten/core/ivalue";
import { TensorType, type Type } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import { CppFunction, for_each_operator, type Library, type OperatorInits } from "#aten/core/library";
import { last, popn, type Stack } from "#aten/core/stack";
import { Tensor } from "#aten/generated/core/TensorBody";
import { DispatchKey } from "#c10/core/DispatchKey";
import { ExcludeDispatchKeyGuard } from "#c10/core/impl/LocalDispatchKeySet";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { makeBatched, maybeGetBatchedImpl } from "./BatchedTensorImpl.ts";
import { maybeCurrentDynamicLayer } from "./DynamicLayer.ts";
import type { VmapInterpreter } from "./VmapInterpreter.ts";

/** A batch dimension; null for a tensor without one. */
export type BDim = number | null;
export type TensorAndBdim = readonly [Tensor, BDim];

/** The layer of vmap that runs. */
export function currentVmap(): VmapInterpreter {
  const layer = maybeCurrentDynamicLayer();
  TORCH_INTERNAL_ASSERT(layer !== null, "maybe_layer.has_value()");
  return layer as VmapInterpreter;
}

// Taking apart -----------------------------------------------------------------------------------------------------------

export function unwrapTensorAtLevel(tensor: Tensor, level: number): TensorAndBdim {
  const batched = maybeGetBatchedImpl(tensor);
  return batched !== null && batched.level() === level ? [batched.value(), batched.bdim()] : [tensor, null];
}

export function unwrapTensorAtCurrentLevel(tensor: Tensor): TensorAndBdim {
  return unwrapTensorAtLevel(tensor, currentVmap().level());
}

/** Whether the value is a tensor that is batched at the current level, or a list with one. */
export function participatesInCurrentLevel(value: IValue): boolean {
  if (value.isTensor()) return maybeGetBatchedImpl(value.toTensor())?.level() === currentVmap().level();
  return value.isList() && value.toList().vec().some(participatesInCurrentLevel);
}

// Dimensions -------------------------------------------------------------------------------------------------------------

export function rankWithoutBatchDim(tensor: Tensor, maybe_batch_dim: BDim): number {
  return maybe_batch_dim === null ? tensor.dim() : tensor.dim() - 1;
}

/** The number of elements of one sample. */
export function numelWithoutBatchDim(tensor: Tensor, maybe_batch_dim: BDim): number {
  return maybe_batch_dim === null ? tensor.numel() : tensor.numel() / tensor.size(maybe_batch_dim);
}

/** The tensor with dimension `from` at `to`; the order of the others stays. */
export function movedim(tensor: Tensor, from: number, to: number): Tensor {
  const src = maybe_wrap_dim(from, tensor.dim());
  const dst = maybe_wrap_dim(to, tensor.dim());
  if (src === dst) return tensor;
  const permutation = tensor.sizes().map((_, d) => d);
  permutation.splice(src, 1);
  permutation.splice(dst, 0, src);
  return tensor.permute(permutation);
}

export function moveBatchDimToFront(tensor: Tensor, maybe_batch_dim: BDim): Tensor {
  return maybe_batch_dim === null || maybe_batch_dim === 0 ? tensor : movedim(tensor, maybe_batch_dim, 0);
}

/** Dimension `dim` of a sample, as a dimension of a tensor whose batch dimension is in front. */
export function getPhysicalDim(tensor: Tensor, has_batch_dim: boolean, dim: number): number {
  const wrapped = maybe_wrap_dim(dim, tensor.dim() - (has_batch_dim ? 1 : 0));
  return has_batch_dim ? wrapped + 1 : wrapped;
}

export function getPhysicalDims(tensor: Tensor, has_batch_dim: boolean, dims: readonly number[]): number[] {
  return dims.map((dim) => getPhysicalDim(tensor, has_batch_dim, dim));
}

/** Gives each sample `logical_rank` dimensions by dimensions of size 1. Precondition: the batch dimension is in front. */
export function maybePadToLogicalRank(tensor: Tensor, has_bdim: BDim, logical_rank: number): Tensor {
  if (has_bdim === null) return tensor;
  const missing = logical_rank - (tensor.dim() - 1);
  if (missing <= 0) return tensor;
  const [batch, ...sizes] = tensor.sizes();
  return tensor.view([batch, ...new Array<number>(missing).fill(1), ...sizes]);
}

/** The tensor with a batch dimension in front; if it has none, it is repeated. */
export function ensure_has_bdim(tensor: Tensor, has_bdim: boolean, batch_size: number): Tensor {
  return has_bdim ? tensor : tensor.expand([batch_size, ...tensor.sizes()]);
}

/** Merges dimension `src` into dimension `dst`, which is counted without `src`: (B, N, C) -> (B * N, C) by (0, 0). */
export function reshape_dim_into(src: number, dst: number, x: Tensor): Tensor {
  const from = maybe_wrap_dim(src, x.dim());
  const to = maybe_wrap_dim(dst, x.dim() - 1); // of the tensor without `src`
  const sizes = x.sizes().filter((_, d) => d !== from);
  sizes[to] *= x.size(from);
  return movedim(x, from, to).reshape(sizes);
}

/** Splits dimension `src` into (size1, the rest). */
export function reshape_dim_outof(src: number, size1: number, x: Tensor): Tensor {
  const at = maybe_wrap_dim(src, x.dim());
  const sizes = [...x.sizes()];
  if (size1 !== 0) TORCH_INTERNAL_ASSERT(sizes[at] % size1 === 0);
  sizes.splice(at, 1, size1, size1 === 0 ? sizes[at] : sizes[at] / size1);
  return x.reshape(sizes);
}

export const ISSUES = "Please file an issue at https://github.com/pytorch/pytorch/issues if you need this feature.";

export function vmapIncompatibleInplaceError(schema_name: string): never {
  TORCH_CHECK(
    false,
    "vmap: ",
    schema_name,
    "(self, *extra_args) is not possible because ",
    "there exists a Tensor `other` in extra_args that has more elements ",
    "than `self`. This happened due to `other` being vmapped over but ",
    "`self` not being vmapped over in a vmap. ",
    "Please try to use out-of-place operators instead of ",
    schema_name,
    ". ",
    "If said operator is being called inside the PyTorch framework, ",
    "please file a bug report instead.",
  );
}

// Plumbing -----------------------------------------------------------------------------------------------------------------

// biome-ignore lint/suspicious/noExplicitAny: the schema decides the types of the arguments
type Any = any;
type Pair = readonly [Tensor | readonly Tensor[], BDim];
/** The result of a rule: one pair, several, or nothing for an operator that changes its argument. */
export type RuleResult = Pair | readonly Pair[] | undefined;
export type BatchRule = (...args: Any[]) => RuleResult;

/** Runs `fn` while batched tensors count as ordinary ones. */
export function below_batched<R>(fn: () => R): R {
  const guard = new ExcludeDispatchKeyGuard(DispatchKey.FuncTorchBatched);
  try {
    return fn();
  } finally {
    guard.restore();
  }
}

/** A kernel that calls `kernel` if an argument is batched at the current level; else the call goes to the layer below. */
export function if_batched(kernel: BoxedKernelFunction): BoxedKernelFunction {
  return (op, ks, stack) =>
    below_batched(() => {
      if (last(stack, op.schema().arguments().length).some(participatesInCurrentLevel)) kernel(op, ks, stack);
      else op.callBoxed(stack);
    });
}

const is_tensor = (type: Type): boolean => type.kind() === "TensorType";
const is_optional_tensor = (type: Type): boolean => type.kind() === "OptionalType" && is_tensor(type.containedType());

/** Whether a type is `Tensor[]` or `Tensor?[]`. */
export function is_tensor_list(type: Type): boolean {
  if (type.kind() !== "ListType") return false;
  const element = type.containedType();
  return is_tensor(element) || is_optional_tensor(element);
}

/** The arguments for a rule: two for a tensor. */
function arguments_of_rule(schema: FunctionSchema, values: readonly IValue[]): unknown[] {
  const given: unknown[] = [];
  for (const [i, arg] of schema.arguments().entries()) {
    const value = values[i];
    if (is_optional_tensor(arg.type()) && !(value.isTensor() && value.toTensor().defined())) given.push(null, null);
    else if (value.isTensor()) given.push(...unwrapTensorAtCurrentLevel(value.toTensor()));
    else if (is_tensor_list(arg.type()) && value.isList())
      given.push(
        value
          .toList()
          .vec()
          .map((item) =>
            item.isTensor() && item.toTensor().defined() ? unwrapTensorAtCurrentLevel(item.toTensor()) : [null, null],
          ),
      );
    else given.push(value.toJS(arg.type()));
  }
  return given;
}

const is_pair = (result: readonly unknown[]): boolean =>
  result.length === 2 && (typeof result[1] === "number" || result[1] === null);

function boxed_pair([value, bdim]: Pair, level: number): IValue {
  const wrapped = (t: Tensor): IValue =>
    IValue.fromTensor(bdim === null || !t.defined() ? t : makeBatched(t, bdim, level));
  if (!Array.isArray(value)) return wrapped(value as Tensor);
  return IValue.fromList(new List(TensorType, value.map(wrapped)));
}

/** A kernel from a rule. */
export function plumbing(rule: BatchRule): BoxedKernelFunction {
  return if_batched((op, _ks, stack) => {
    const schema = op.schema();
    const values = popn(stack, schema.arguments().length);
    const result = rule(...arguments_of_rule(schema, values));
    if (schema.returns().length === 0) return;
    if (result === undefined) {
      stack.push(values[0]); // it was changed in place
      return;
    }
    const pairs = (is_pair(result) ? [result] : result) as readonly Pair[];
    for (const pair of pairs) stack.push(boxed_pair(pair, currentVmap().level()));
  });
}

export function VMAP_SUPPORT(rule: BatchRule): CppFunction {
  return CppFunction.makeFromBoxedFunction(plumbing(rule), rule.name);
}

export type Rules = Readonly<Record<string, BatchRule | CppFunction>>;

/** One rule for all these operators. */
export function rules_for(operators: readonly string[], rule: BatchRule | CppFunction): Rules {
  return Object.fromEntries(operators.map((name) => [name, rule]));
}

function null_if_undefined(arg: unknown): unknown {
  return arg instanceof Tensor && !arg.defined() ? null : arg;
}

/** A kernel that replaces the operator by others, which meet their own batching rules. */
// biome-ignore lint/suspicious/noExplicitAny: the schema decides the types of the arguments
export function decomposed(body: (...args: any[]) => unknown): CppFunction {
  return CppFunction.makeFromUnboxedFunction((_ks, ...args) => body(...args.map(null_if_undefined)), body.name);
}

/** A block of registrations: an operator's name, without `aten::`, and its rule or kernel. */
export function batch_rules(rules: Rules): OperatorInits<Library> {
  return for_each_operator(Object.keys(rules), (m, name) => {
    const rule = rules[name];
    m.impl(name, rule instanceof CppFunction ? rule : VMAP_SUPPORT(rule));
  });
}

/** The names in a text, separated by spaces. */
export function names(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** The values of a boxed call, which a rule for many operators changes before it calls the operator itself. */
export function call_on(op: OperatorHandle, values: readonly IValue[]): IValue[] {
  const stack: Stack = [...values];
  op.callBoxed(stack);
  return stack;
}
