/**
 * @file The stack of function transforms (`torch.func.grad`, `vmap`) and the two keys that guide a call through it.
 * @mirrors aten/src/ATen/functorch/DynamicLayer.cpp
 * @differs No transform is built, so the stack is always empty, and its keys are in no thread's set unless forced in;
 * PyTorch has all transforms.
 */
import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

const dynamicLayerStack: readonly unknown[] = [];

function dynamicLayerFront(): void {
  TORCH_INTERNAL_ASSERT(dynamicLayerStack.length > 0, "dynamicLayerStack.size() > 0");
}

function dynamicLayerBack(): void {
  TORCH_INTERNAL_ASSERT(dynamicLayerStack.length > 0, "dynamicLayerStack.size() > 0");
}

TORCH_LIBRARY_IMPL("_", "FuncTorchDynamicLayerFrontMode", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(dynamicLayerFront, "dynamicLayerFront"));
});

TORCH_LIBRARY_IMPL("_", "FuncTorchDynamicLayerBackMode", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(dynamicLayerBack, "dynamicLayerBack"));
});
