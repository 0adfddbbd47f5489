/**
 * @file The Tracer key: `torch.jit.trace` records the call in its graph here.
 * @mirrors torch/csrc/autograd/TraceTypeManual.cpp
 * @differs The kernels that record are loaded with `glasstorch/jit` (TraceTypeKernels.ts and generated/TraceType.ts).
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { CppFunction, fallthroughs, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Stack } from "#aten/core/stack";
import { DispatchKey } from "#c10/core/DispatchKey";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { ExcludeDispatchKeyGuard } from "#c10/core/impl/LocalDispatchKeySet";
import { recorder } from "#torch/csrc-equivalent/jit/frontend/tracing";

function general_trace_function(op: OperatorHandle, ks: DispatchKeySet, stack: Stack): void {
  if (recorder !== null) {
    recorder.general_trace_function(op, ks, stack);
    return;
  }
  const guard = new ExcludeDispatchKeyGuard(DispatchKey.Tracer);
  try {
    op.callBoxed(stack);
  } finally {
    guard.restore();
  }
}

/** Attributes of a variable: a trace does not contain them. */
const untraced = ["set_data", "data", "is_leaf", "output_nr", "_version", "requires_grad_", "retain_grad"];

TORCH_LIBRARY_IMPL("aten", "Tracer", fallthroughs(untraced));

TORCH_LIBRARY_IMPL("_", "Tracer", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(general_trace_function, "general_trace_function"));
});
