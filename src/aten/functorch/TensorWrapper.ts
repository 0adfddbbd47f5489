/**
 * @file The key of tensors wrapped by a `grad` level; a wrapper that outlives its level is unwrapped here.
 * @mirrors aten/src/ATen/functorch/TensorWrapper.cpp
 * @differs No transform is built, so no wrapper exists; PyTorch wraps a tensor at each level.
 */
import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

function dead_tensor_wrapper_fallback(): void {
  TORCH_INTERNAL_ASSERT(false, "Should have at least one dead wrapper");
}

TORCH_LIBRARY_IMPL("_", "FuncTorchGradWrapper", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(dead_tensor_wrapper_fallback, "dead_tensor_wrapper_fallback"));
});
