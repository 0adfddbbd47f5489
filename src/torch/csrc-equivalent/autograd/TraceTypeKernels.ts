/**
 * @file Kernels of the Tracer key that are written by hand.
 * @mirrors torch/csrc/autograd/TraceTypeManual.cpp
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { IValue } from "#aten/core/ivalue";
import { CppFunction, for_each_operator, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Stack } from "#aten/core/stack";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import {
  begin_node,
  ensureUniqueIfOutOfPlaced,
  setOutput,
} from "#torch/csrc-equivalent/jit/frontend/tracer/add_inputs";
import { redispatch_below_tracer } from "#torch/csrc-equivalent/jit/frontend/tracer/general_trace_function";
import {
  getTracingState,
  setTracingState,
  type TracingState,
  warn,
} from "#torch/csrc-equivalent/jit/frontend/tracer/state";
import type { Node, Value } from "#torch/csrc-equivalent/jit/ir/ir";
import { storage_use_count } from "./use_count.ts";

const WARN_RESIZE =
  " can't be represented in the JIT at the moment, so we won't connect any uses of this value with its current trace. If you happen to use it again, it will show up as a constant in the graph.";

/** Records a call by `before`, makes it, and gives its result to `after`. */
type Before<T> = (state: TracingState, given: readonly IValue[]) => T;

function kernel<T>(before: Before<T>, after: (state: TracingState, recorded: T, result: IValue) => void) {
  return (op: OperatorHandle, ks: DispatchKeySet, stack: Stack): void => {
    const state = getTracingState();
    if (state === null) {
      redispatch_below_tracer(op, ks, stack);
      return;
    }
    const recorded = before(state, stack.slice(stack.length - op.schema().arguments().length));
    setTracingState(null);
    try {
      redispatch_below_tracer(op, ks, stack);
    } finally {
      setTracingState(state);
    }
    after(state, recorded, stack[stack.length - 1]);
  };
}

/** The node gets an output for the result. */
function add_output(state: TracingState, node: Node, result: IValue): void {
  setOutput(state, node.addOutput(), result.toTensor());
}

/** `copy_`; as a functional operator it only expands the source. */
const copy_ = kernel(
  (state, [self, src]): Value => {
    const { graph } = state;
    let output: Value;
    if (state.force_outplace && storage_use_count(self.toTensor()) <= 1) {
      const node = begin_node(state, "aten::expand_as");
      node.addInput(state.getValue(src));
      node.addInput(state.getValue(self));
      output = graph.insertNode(node).addOutput();
    } else {
      const inputs = [state.getValue(self), state.getValue(src), graph.insertConstant(IValue.False)];
      const node = begin_node(state, "aten::copy_");
      for (const input of inputs) node.addInput(input);
      output = graph.insertNode(node).addOutput();
    }
    ensureUniqueIfOutOfPlaced(state, "copy_ (possibly due to an assignment)", self.toTensor());
    return output;
  },
  (state, output, result) => setOutput(state, output, result.toTensor()),
);

/** A graph has no resize: the tensor is forgotten. */
function forgetting(name: string) {
  return kernel(
    (state, [self]) => {
      warn(name, WARN_RESIZE);
      state.delValue(self);
    },
    () => {},
  );
}

const resize_ = forgetting("resize_");
const resize_as_ = forgetting("resize_as_");

const detach = kernel((state, [self]): Node => {
  const node = begin_node(state, "aten::detach");
  node.addInput(state.getValue(self));
  state.insertNode(node);
  return node;
}, add_output);

/** `detach_` is recorded as `detach`. */
const detach_ = kernel((state, [self]): Node => {
  const node = begin_node(state, "aten::detach");
  node.addInput(state.getValue(self));
  state.insertNode(node);
  ensureUniqueIfOutOfPlaced(state, "detach_", self.toTensor());
  return node;
}, add_output);

const kernels = { copy_, resize_, resize_as_, detach, detach_ };

TORCH_LIBRARY_IMPL(
  "aten",
  "Tracer",
  for_each_operator(Object.keys(kernels), (m, name) => {
    const f = kernels[name as keyof typeof kernels];
    m.impl(name, CppFunction.makeFromBoxedFunction(f, `TraceType::${name}`));
  }),
);
