/**
 * @file An operator without a batching rule: it runs once for each sample, and the results are stacked.
 * @mirrors aten/src/ATen/functorch/BatchedFallback.cpp
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { FunctionSchema } from "#aten/core/function_schema";
import { IValue } from "#aten/core/ivalue";
import { popn, type Stack } from "#aten/core/stack";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DispatchKey } from "#c10/core/DispatchKey";
import { ExcludeDispatchKeyGuard } from "#c10/core/impl/LocalDispatchKeySet";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT, TORCH_WARN } from "#c10/util/Exception";
import { makeBatched } from "./BatchedTensorImpl.ts";
import {
  is_tensor_list,
  moveBatchDimToFront,
  participatesInCurrentLevel,
  unwrapTensorAtCurrentLevel,
} from "./BatchRulesHelper.ts";
import { isInplaceOp, maybeCurrentDynamicLayer } from "./DynamicLayer.ts";
import { set_batched_fallbacks } from "./LegacyBatchingRegistrations.ts";

let kVmapFallbackWarningEnabled = true;
let kVmapFallbackEnabled = true;

export function isVmapFallbackWarningEnabled(): boolean {
  return kVmapFallbackWarningEnabled;
}
export function setVmapFallbackWarningEnabled(enabled: boolean): void {
  kVmapFallbackWarningEnabled = enabled;
}
export function isVmapFallbackEnabled(): boolean {
  return kVmapFallbackEnabled;
}
export function setVmapFallbackEnabled(enabled: boolean): void {
  kVmapFallbackEnabled = enabled;
}

/** @param kind `nested `, or nothing */
function warnFallback(schema: FunctionSchema, kind = ""): void {
  TORCH_CHECK(kVmapFallbackEnabled, schema.operator_name(), " hit the vmap fallback which is currently disabled");
  if (!kVmapFallbackWarningEnabled) return;
  TORCH_WARN(
    "There is a performance drop because we have not yet implemented ",
    `the ${kind}batching rule for `,
    schema.operator_name(),
    ". Please file us an issue on GitHub so that ",
    "we can prioritize its implementation.",
  );
}

interface Batched {
  readonly position: number;
  readonly physical: Tensor;
}

/** The batched arguments, with their batch dimension in front, and the size of the batch. */
function batched_arguments(schema: FunctionSchema, args: readonly IValue[]): [Batched[], number] {
  const found: Batched[] = [];
  let batch_size = 0;
  for (const [position, arg] of args.entries()) {
    if (!arg.isTensor() || !arg.toTensor().defined()) continue;
    const [value, bdim] = unwrapTensorAtCurrentLevel(arg.toTensor());
    if (bdim === null) continue;
    batch_size = value.size(bdim);
    found.push({ position, physical: moveBatchDimToFront(value, bdim) });
  }
  TORCH_INTERNAL_ASSERT(found.length > 0);
  TORCH_CHECK(
    batch_size > 0,
    "Batching rule not implemented for ",
    schema.operator_name(),
    ". ",
    "The fallback path does not support vmap over dims of size 0.",
  );
  return [found, batch_size];
}

/** The arguments of one sample. */
function arguments_of(args: readonly IValue[], batched: readonly Batched[], sample: number): IValue[] {
  const own = [...args];
  for (const { position, physical } of batched) own[position] = IValue.fromTensor(at.select_int(physical, 0, sample));
  return own;
}

function batchedTensorInplaceForLoopFallback(op: OperatorHandle, stack: Stack): void {
  const schema = op.schema();
  warnFallback(schema);
  const args = popn(stack, schema.arguments().length);
  const [self] = args;
  if (unwrapTensorAtCurrentLevel(self.toTensor())[1] === null)
    TORCH_CHECK(
      false,
      "vmap: ",
      schema.name(),
      "(self, *extra_args) is not possible because ",
      "there exists a Tensor `other` in extra_args that has more elements ",
      "than `self`. This happened due to `other` being vmapped over but ",
      "`self` not being vmapped over at level ",
      maybeCurrentDynamicLayer()?.level(),
      ". ",
      "Please try to use out-of-place operators instead of ",
      schema.name(),
      ". ",
      "If said operator is being called inside the PyTorch framework, ",
      "please file a bug report instead.",
    );
  const [batched, batch_size] = batched_arguments(schema, args);
  for (let i = 0; i < batch_size; i++) op.callBoxed(arguments_of(args, batched, i));
  stack.push(self);
}

/** One tensor of those of all samples. A backward function may return none for each of them. */
function safeStack(tensors: readonly Tensor[]): Tensor {
  if (tensors.every((t) => t.defined())) return at.stack([...tensors]);
  TORCH_CHECK(
    tensors.every((t) => !t.defined()),
    "vmap: slow fallback received a mix of undefined and defined tensors ",
    "as the result of an operation. This is not supported, please file us ",
    "an issue on github.",
  );
  return new Tensor();
}

function loop(op: OperatorHandle, stack: Stack, kind: string): void {
  const schema = op.schema();
  const parameters = schema.arguments();
  const returns = schema.returns();
  TORCH_CHECK(
    returns.every((ret) => ret.type().kind() === "TensorType") && !parameters.some((arg) => is_tensor_list(arg.type())),
    "Batching rule not implemented for ",
    schema.operator_name(),
    ". ",
    "We could not generate a fallback.",
  );
  if (!stack.slice(stack.length - parameters.length).some(participatesInCurrentLevel)) {
    op.callBoxed(stack);
    return;
  }
  if (isInplaceOp(schema)) {
    batchedTensorInplaceForLoopFallback(op, stack);
    return;
  }
  const has_alias = [...parameters, ...returns].some((arg) => arg.alias_info() !== null);
  TORCH_CHECK(
    !schema.is_mutable() && !has_alias,
    "Batching rule not implemented for ",
    schema.operator_name(),
    "; ",
    "the fallback path doesn't work on out= or view ops.",
  );
  TORCH_CHECK(
    returns.length >= 1,
    "Batching rule not implemented for ",
    schema.operator_name(),
    ". ",
    "The fallback path does not support operations with no returns.",
  );
  warnFallback(schema, kind);
  const args = popn(stack, parameters.length);
  const [batched, batch_size] = batched_arguments(schema, args);
  const shards: Tensor[][] = returns.map(() => []);
  for (let i = 0; i < batch_size; i++) {
    const results = arguments_of(args, batched, i);
    op.callBoxed(results);
    for (const [r, result] of results.entries()) shards[r].push(result.toTensor());
  }
  const level = maybeCurrentDynamicLayer()?.level() as number;
  for (const tensors of shards) {
    const result = safeStack(tensors);
    stack.push(IValue.fromTensor(result.defined() ? makeBatched(result, 0, level) : result));
  }
}

/** Runs `fn` below the key of batched tensors. */
function below_batched(fn: () => void): void {
  const guard = new ExcludeDispatchKeyGuard(DispatchKey.FuncTorchBatched);
  try {
    fn();
  } finally {
    guard.restore();
  }
}

export function batchedTensorForLoopFallback(op: OperatorHandle, _ks: unknown, stack: Stack): void {
  below_batched(() => loop(op, stack, ""));
}

export function batchedNestedTensorForLoopFallback(op: OperatorHandle, _ks: unknown, stack: Stack): void {
  below_batched(() => loop(op, stack, "nested "));
}

set_batched_fallbacks(batchedTensorForLoopFallback, batchedNestedTensorForLoopFallback);
