/**
 * @file A kernel that takes the arguments of any operator from a stack of boxed values: fallbacks, Python kernels.
 * @mirrors aten/src/ATen/core/boxing/BoxedKernel.h
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { Stack } from "#aten/core/stack";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

/** Takes the operator's arguments off the end of `stack` and pushes its results. `ks` is the key set of the call. */
export type BoxedKernelFunction = (op: OperatorHandle, ks: DispatchKeySet, stack: Stack) => void;

/**
 * Marks a key that an operator (or, as a backend fallback, every operator) skips. It never runs: the extractor removes
 * such keys from every call's key set. See Note [Fallthrough] in DispatchKeyExtractor.ts.
 */
export function fallthrough_kernel(): void {
  TORCH_INTERNAL_ASSERT(
    false,
    "fallthrough_kernel was executed but it should have been short-circuited by the dispatcher. ",
    "This could occur if you registered a fallthrough kernel as a override for a specific operator ",
    "(as opposed to a backend fallback); this is NOT currently supported, and we do not intend to ",
    "add support for it in the near future.  If you do find yourself in need of this, ",
    "let us know in the bug tracker.",
  );
}

// Note [Ambiguity in AutogradOther kernel]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Backends without an autograd key of their own share AutogradOther. If an operator has a CompositeImplicitAutograd kernel
// *and* a kernel for one of them, the shared slot would need the composite for some backends and the autograd kernel for
// others. There is one slot, so it gets this function, which refuses.
export function ambiguous_autogradother_kernel(op: OperatorHandle): void {
  TORCH_INTERNAL_ASSERT(
    false,
    op.operator_name(),
    " has kernels registered to both CompositeImplicitAutograd and a backend mapped to AutogradOther. ",
    "This makes the backend kernel unreachable; the dispatcher will always prefer the CompositeImplicitAutograd lowering ",
    "(see Note [Ambiguity in AutogradOther kernel]). ",
    "If you want to override CompositeImplicitAutograd, please open an issue to request a dedicated ",
    "Autograd dispatch key for the backend.\n",
    "If you only want to run inference instead of training, in C++, add `c10::InferenceMode mode;` ",
    "before model.forward(); in Python, use `torch.inference_mode()` as a context manager (see ",
    "https://pytorch.org/docs/stable/generated/torch.autograd.grad_mode.inference_mode.html).",
    "\nCanonical state\n~~~~~~~~~~~\n",
    op.dumpState(),
    "\n\n",
  );
}
