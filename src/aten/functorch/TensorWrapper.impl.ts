/**
 * @file The key of tensors wrapped by a `grad` level; a wrapper that outlives its level is unwrapped here.
 * @mirrors aten/src/ATen/functorch/TensorWrapper.cpp
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Stack } from "#aten/core/stack";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { foreachTensorInplace } from "./DynamicLayer.ts";
import { unwrapIfDead } from "./TensorWrapper.ts";

function dead_tensor_wrapper_fallback(op: OperatorHandle, _ks: DispatchKeySet, stack: Stack): void {
  let unwrapped_count = 0;
  const begin = stack.length - op.schema().arguments().length;
  foreachTensorInplace(stack, begin, stack.length, (tensor) => {
    const value = unwrapIfDead(tensor);
    if (value !== tensor) unwrapped_count++;
    return value;
  });
  TORCH_INTERNAL_ASSERT(unwrapped_count > 0, "Should have at least one dead wrapper");
  op.callBoxed(stack);
}

TORCH_LIBRARY_IMPL("_", "FuncTorchGradWrapper", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(dead_tensor_wrapper_fallback, "dead_tensor_wrapper_fallback"));
});
