/**
 * @file The dispatch keys of vmap: an operator without a batching rule for them meets a fallback, which runs it once for each sample.
 * @mirrors aten/src/ATen/functorch/LegacyBatchingRegistrations.cpp
 * @differs The fallback and the batching rules are loaded with the transforms (`glasstorch/func`); before, no tensor is batched. PyTorch
 * has them from the start.
 */
import type { BoxedKernelFunction } from "#aten/core/boxing/BoxedKernel";
import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import { batchedTensorForLoopFallback } from "#aten/LegacyBatchingRegistrations";

let fallback: BoxedKernelFunction = batchedTensorForLoopFallback;
let nested_fallback: BoxedKernelFunction = batchedTensorForLoopFallback;

/** Called by the file that knows batched tensors. */
export function set_batched_fallbacks(kernel: BoxedKernelFunction, nested_kernel: BoxedKernelFunction): void {
  fallback = kernel;
  nested_fallback = nested_kernel;
}

TORCH_LIBRARY_IMPL("_", "FuncTorchBatched", (m) => {
  m.fallback(
    CppFunction.makeFromBoxedFunction((op, ks, stack) => fallback(op, ks, stack), "batchedTensorForLoopFallback"),
  );
});

TORCH_LIBRARY_IMPL("_", "BatchedNestedTensor", (m) => {
  m.fallback(
    CppFunction.makeFromBoxedFunction(
      (op, ks, stack) => nested_fallback(op, ks, stack),
      "batchedNestedTensorForLoopFallback",
    ),
  );
});
