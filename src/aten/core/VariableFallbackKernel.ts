/**
 * @file The fallback of the autograd keys, for an operator that has no derivative: it redispatches below autograd and
 * maintains the graph.
 * @mirrors aten/src/ATen/core/VariableFallbackKernel.cpp
 * @see src/torch/csrc-equivalent/autograd/autograd_not_implemented_fallback.ts
 */
import { after_autograd_keyset, type DispatchKeySet } from "#c10/core/DispatchKeySet";
import type { OperatorHandle } from "./dispatch/Dispatcher.ts";
import { CppFunction, TORCH_LIBRARY_IMPL } from "./library.ts";
import type { Stack } from "./stack.ts";
import { GetVariableHooks, HasVariableHooks } from "./VariableHooksInterface.ts";

function autograd_fallback(op: OperatorHandle, dispatch_keys: DispatchKeySet, stack: Stack): void {
  if (!HasVariableHooks()) {
    // only aten is loaded, without autograd
    op.redispatchBoxed(dispatch_keys.and(after_autograd_keyset), stack);
    return;
  }
  GetVariableHooks().basic_autograd_not_implemented_fallback(op, dispatch_keys, stack);
}

// One block per key, as in PyTorch. AutogradNestedTensor and the absent backends (HIP, IPU, VE, PrivateUse2, ...) have
// no fallback: an operator without an autograd kernel throws there.
const keys = [
  "AutogradOther",
  "AutogradCPU",
  "AutogradXPU",
  "AutogradCUDA",
  "AutogradMTIA",
  "AutogradMAIA",
  "AutogradXLA",
  "AutogradLazy",
  "AutogradMPS",
  "AutogradMeta",
] as const;

for (const key of keys)
  TORCH_LIBRARY_IMPL("_", key, (m) =>
    m.fallback(CppFunction.makeFromBoxedFunction(autograd_fallback, "autograd_fallback")),
  );

TORCH_LIBRARY_IMPL("_", "ADInplaceOrView", (m) => {
  m.fallback(CppFunction.makeFallthrough());
});

for (const key of ["AutogradHPU", "AutogradPrivateUse1"] as const) {
  TORCH_LIBRARY_IMPL("_", key, (m) =>
    m.fallback(CppFunction.makeFromBoxedFunction(autograd_fallback, "autograd_fallback")),
  );
}
