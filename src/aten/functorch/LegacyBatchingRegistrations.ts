/**
 * @file vmap's key: a batched tensor would run an operator's batching rule here.
 * @mirrors aten/src/ATen/functorch/LegacyBatchingRegistrations.cpp
 * @differs No batching rules and no BatchedTensorImpl are built: an operator that meets the keys says so.
 */
import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import { batchedTensorForLoopFallback } from "#aten/LegacyBatchingRegistrations";

TORCH_LIBRARY_IMPL("_", "FuncTorchBatched", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(batchedTensorForLoopFallback, "batchedTensorForLoopFallback"));
});

TORCH_LIBRARY_IMPL("_", "BatchedNestedTensor", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(batchedTensorForLoopFallback, "batchedNestedTensorForLoopFallback"));
});
