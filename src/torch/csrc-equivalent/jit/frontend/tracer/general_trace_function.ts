/**
 * @file The kernel of the Tracer key for an operator that codegen does not know: one of a library of the program.
 * @mirrors torch/csrc/autograd/TraceTypeManual.cpp#general_trace_function
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { Stack } from "#aten/core/stack";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { addOutput, begin_node, value_of_argument } from "./add_inputs.ts";
import { getTracingState, setTracingState } from "./state.ts";

export const after_tracer_keyset = DispatchKeySet.FULL_AFTER(DispatchKey.Tracer);

/** Calls the kernel below the Tracer key. */
export function redispatch_below_tracer(op: OperatorHandle, ks: DispatchKeySet, stack: Stack): void {
  op.redispatchBoxed(ks.and(after_tracer_keyset), stack);
}

export function general_trace_function(op: OperatorHandle, ks: DispatchKeySet, stack: Stack): void {
  const state = getTracingState();
  if (state === null) {
    redispatch_below_tracer(op, ks, stack);
    return;
  }
  const schema = op.schema();
  const node = begin_node(state, schema.name());
  const first = stack.length - schema.arguments().length;
  for (const [i, argument] of schema.arguments().entries()) {
    node.addInput(value_of_argument(state, argument, stack[first + i]));
  }
  state.insertNode(node);
  setTracingState(null);
  try {
    redispatch_below_tracer(op, ks, stack);
  } finally {
    setTracingState(state);
  }
  const results = stack.length - schema.returns().length;
  for (const [i, returned] of schema.returns().entries()) {
    addOutput(state, node, stack[results + i], returned.type());
  }
}
