/**
 * @file The dispatch key of the first vmap: a batched tensor would run an operator's batching rule here.
 * @mirrors aten/src/ATen/LegacyBatchingRegistrations.cpp
 * @differs An operator that meets the key throws: batching rules and BatchedTensorImpl are not built; PyTorch has them.
 */
import { TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import type { OperatorHandle } from "./core/dispatch/Dispatcher.ts";
import { CppFunction, TORCH_LIBRARY_IMPL } from "./core/library.ts";

export function batchedTensorForLoopFallback(op: OperatorHandle): void {
  TORCH_CHECK_NOT_IMPLEMENTED(
    false,
    "Batching rule not implemented for ",
    op.operator_name(),
    ". We could not generate a fallback.",
  );
}

TORCH_LIBRARY_IMPL("_", "Batched", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(batchedTensorForLoopFallback, "batchedTensorForLoopFallback"));
});
