/**
 * @file The dispatch keys of vmap: a batched tensor would run an operator's batching rule here.
 * @mirrors aten/src/ATen/functorch/LegacyBatchingRegistrations.cpp
 * @differs An operator that meets the keys throws: batching rules and BatchedTensorImpl are not built; PyTorch has them.
 */
import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import { batchedTensorForLoopFallback } from "#aten/LegacyBatchingRegistrations";

TORCH_LIBRARY_IMPL("_", "FuncTorchBatched", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(batchedTensorForLoopFallback, "batchedTensorForLoopFallback"));
});

TORCH_LIBRARY_IMPL("_", "BatchedNestedTensor", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(batchedTensorForLoopFallback, "batchedNestedTensorForLoopFallback"));
});
