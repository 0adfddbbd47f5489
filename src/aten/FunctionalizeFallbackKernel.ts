/**
 * @file The fallback of the Functionalize key, which turns mutation into pure operations; operators without a rule pass
 * through it.
 * @mirrors aten/src/ATen/FunctionalizeFallbackKernel.cpp
 * @differs The kernel that wraps and unwraps is loaded with the graph systems (RegisterFunctionalization.ts); before, no tensor is functional.
 */

import { DispatchKey } from "#c10/core/DispatchKey";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { ExcludeDispatchKeyGuard } from "#c10/core/impl/LocalDispatchKeySet";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { OperatorHandle } from "./core/dispatch/Dispatcher.ts";
import { CppFunction, TORCH_LIBRARY_IMPL } from "./core/library.ts";
import type { Stack } from "./core/stack.ts";

let functionalize: ((op: OperatorHandle, stack: Stack) => void) | null = null;

/** Called by the file that knows functional tensors. */
export function set_functionalize(kernel: typeof functionalize): void {
  functionalize = kernel;
}

function functionalizeFallback(op: OperatorHandle, _dispatch_keys: DispatchKeySet, stack: Stack): void {
  const is_native = op.schema().name().startsWith("aten::");
  if (functionalize !== null && is_native) {
    functionalize(op, stack);
    return;
  }
  TORCH_CHECK(
    op
      .schema()
      .returns()
      .every((ret) => ret.alias_info() === null),
    "Found a custom (non-ATen) operator whose output has alias annotations: ",
    op.schema(),
    ". We only support functionalizing operators whose outputs do not have alias ",
    "annotations (e.g. 'Tensor(a)' is a Tensor with an alias annotation whereas ",
    "'Tensor' is a Tensor without. The '(a)' is the alias annotation). ",
    "The alias annotation specifies that the output ",
    "Tensor shares storage with an input that has the same annotation. ",
    "Please check if ",
    "(1) the output needs to be an output (if not, don't return it), ",
    "(2) if the output doesn't share storage with any inputs, then ",
    "delete the alias annotation. ",
    "(3) if the output indeed shares storage with an input, then add a ",
    ".clone() before returning it to prevent storage sharing and then delete ",
    "the alias annotation. ",
    "Otherwise, please file an issue on GitHub.",
  );
  if (functionalize !== null) {
    functionalize(op, stack);
    return;
  }
  const guard = new ExcludeDispatchKeyGuard(DispatchKey.Functionalize);
  try {
    op.callBoxed(stack);
  } finally {
    guard.restore();
  }
}

TORCH_LIBRARY_IMPL("_", "Functionalize", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(functionalizeFallback, "functionalizeFallback"));
});
