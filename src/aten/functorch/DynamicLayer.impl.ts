/**
 * @file The two dispatch keys that guide a call through the stack of transforms.
 * @mirrors aten/src/ATen/functorch/DynamicLayer.cpp
 *
 * Note [A call through the layers]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 *     grad(vmap(f))(x): f calls x.sin(). The stack is [1:Grad, 2:Vmap]; x is Batched(lvl 2, Wrapper(lvl 1, value)).
 *
 *     sin   FrontMode       notes the thread's sets, asks the top layer (Vmap) to process: only FuncTorchBatched and BackMode may act
 *     sin     FuncTorchBatched   the batching rule calls sin on Wrapper(lvl 1, value)
 *     sin       BackMode         restores the noted sets, takes Vmap off the stack, and calls sin again
 *     sin         FrontMode        the top layer is Grad now: only autograd's keys and BackMode may act
 *     sin           AutogradCPU      records a node for Wrapper(lvl 1, ...)
 *     sin             BackMode         takes Grad off: the stack is empty
 *     sin               CPU              computes on the value
 *
 * While the stack is not empty both keys are included in every call; a call without transforms does not meet them.
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Stack } from "#aten/core/stack";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import {
  _force_tls_local_dispatch_key_set,
  ForceDispatchKeyGuard,
  tls_local_dispatch_key_set,
} from "#c10/core/impl/LocalDispatchKeySet";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { traceCall, tracer } from "#c10/util/Trace";
import { foreachTensorInplace, getDynamicLayerStack, maybeCurrentDynamicLayer, without_top } from "./DynamicLayer.ts";
import type { Interpreter } from "./Interpreter.ts";
import { unwrapIfDead } from "./TensorWrapper.ts";

function current(): Interpreter {
  const layer = maybeCurrentDynamicLayer();
  TORCH_INTERNAL_ASSERT(layer !== null, "dynamicLayerStack.size() > 0");
  return layer as Interpreter;
}

function dynamicLayerFrontFallback(op: OperatorHandle, _ks: DispatchKeySet, stack: Stack): void {
  const layer = current();
  const saved = tls_local_dispatch_key_set();
  layer.saveLocalDispatchKeySet(saved);
  try {
    // Tensors that outlived their level are what they wrap.
    foreachTensorInplace(stack, stack.length - op.schema().arguments().length, stack.length, unwrapIfDead);
    if (tracer === null) layer.process(op, stack);
    else traced(layer, "process", () => layer.process(op, stack));
  } finally {
    layer.clearSavedLocalDispatchKeySet();
    _force_tls_local_dispatch_key_set(saved);
  }
}

function back(op: OperatorHandle, stack: Stack, grad_special_case: boolean): void {
  const layer = current();
  const { included_, excluded_ } = layer.getSavedLocalDispatchKeySet();
  const guard = new ForceDispatchKeyGuard(included_, excluded_);
  try {
    without_top(() => {
      const send = (): void => layer.sendToNextInterpreter(op, stack, grad_special_case);
      if (tracer === null) send();
      else traced(layer, "sendToNextInterpreter", send);
    });
  } finally {
    guard.restore();
  }
}

function traced(layer: Interpreter, step: string, run: () => void): void {
  const { included_, excluded_ } = tls_local_dispatch_key_set();
  traceCall("function", `at::functorch::Interpreter::${step}`, run, [], {
    level: layer.level(),
    transform: String(layer).split(":")[1],
    layers: getDynamicLayerStack().map(String),
    tls: { included: included_.names(), excluded: excluded_.names() },
  });
}

TORCH_LIBRARY_IMPL("_", "FuncTorchDynamicLayerFrontMode", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(dynamicLayerFrontFallback, "dynamicLayerFrontFallback"));
});

TORCH_LIBRARY_IMPL("_", "FuncTorchDynamicLayerBackMode", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction((op, _ks, stack) => back(op, stack, false), "dynamicLayerBackFallback"));
});

/** A tensor that is lifted into a transform, or aliased there, belongs to it, even if its source does not. */
const dynamicLayerBackGradSpecialCase = CppFunction.makeFromBoxedFunction(
  (op, _ks, stack) => back(op, stack, true),
  "dynamicLayerBackGradSpecialCase",
);

TORCH_LIBRARY_IMPL("aten", "FuncTorchDynamicLayerBackMode", {
  alias: (m) => m.impl("alias", dynamicLayerBackGradSpecialCase),
  lift_fresh: (m) => m.impl("lift_fresh", dynamicLayerBackGradSpecialCase),
});
