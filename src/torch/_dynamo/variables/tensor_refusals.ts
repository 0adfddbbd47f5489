/**
 * @file Methods of tensors that cannot stand in a graph, with the reason that each gives.
 * @mirrors torch/_dynamo/variables/tensor.py
 */
import type { GraphBreak } from "../graph_break.ts";
import * as graph_break_hints from "../graph_break_hints.ts";

/** The parts of a message; `self` is the variable as messages name it. */
type Reason = (self: string) => Omit<GraphBreak, "from_exc">;

const delayed =
  (name: string): Reason =>
  (self) => ({
    gb_type: "Unsupported function call (delayed)",
    context: `source: ${self}.${name}`,
    explanation: `Dynamo determined that a graph break should occur when calling \`${name}\`. Reason: ${name} changes the metadata of a tensor.`,
    hints: [],
  });

const REASONS: Readonly<Record<string, Reason>> = {
  tolist: (self) => ({
    gb_type: "Tensor.tolist() with non-integer tensor",
    context: `call_method ${self} to_list`,
    explanation: "Dynamo currently does not support tracing `tolist()` on non-integer tensors.",
    hints: ["Ensure the input tensor to `tolist()` is an integer type (e.g., int8, int16, int32, int64)."],
  }),
  backward: (self) => ({
    gb_type: "Unsupported Tensor.backward() call",
    context: `call_method ${self} backward None None None None`,
    explanation: "Dynamo currently does not support tracing `Tensor.backward()` when trace_autograd_ops is off.",
    hints: ["Set torch._dynamo.trace_autograd_ops=True"],
  }),
  requires_grad_: (self) => ({
    gb_type: "Unsupported Tensor.requires_grad_() call",
    context: `call_method ${self} requires_grad_`,
    explanation: "Dynamo does not support changes to a Tensor's `requires_grad` through calling `requires_grad_()`.",
    hints: [],
  }),
  retain_grad: (self) => ({
    gb_type: "Tensor.retain_grad() with AOTDispatcher",
    context: `var_getattr ${self} retain_grad`,
    explanation: "`Tensor.retain_grad()` does not work with AOTDispatcher.",
    hints: [],
  }),
  share_memory_: (self) => ({
    gb_type: "Unhandled args for method",
    context: `call_method ${self} share_memory_ [] {}`,
    explanation: "Dynamo encountered an error while calling the method `share_memory_`.",
    hints: [],
  }),
  detach_: delayed("detach_"),
  resize_: delayed("resize_"),
  set_: delayed("set_"),
};

/** A change of `requires_grad` of a tensor that the graph computes. */
export const LEAKED_REQUIRES_GRAD: Reason = (self) => ({
  gb_type: "requires_grad_() intermediate leaked as output",
  context: `call_method ${self} requires_grad_`,
  explanation:
    "An intermediate tensor with requires_grad_() called on it (or a tensor derived from it) is returned from the compiled region. Graph breaking here to preserve partial acceleration.",
  hints: [
    "Call .detach() before returning if you only need values.",
    "Consume the gradient inside the compiled function (call backward() and use .grad), or move requires_grad_() outside torch.compile.",
  ],
});

export const NO_REPR: Reason = (self) => ({
  gb_type: "repr() on tensor",
  context: `repr() on ${self}`,
  explanation: "Tensor repr requires actual runtime values which are not available during tracing.",
  hints: [...graph_break_hints.SUPPORTABLE],
});

/** The reason of a method; undefined: it has none of its own. */
export const refusal_of = (method: string): Reason | undefined =>
  Object.hasOwn(REASONS, method) ? REASONS[method] : undefined;
