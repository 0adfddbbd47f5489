/**
 * @file Hooks on a node or a tensor: the three interfaces through which the engine calls them.
 * @mirrors torch/csrc/autograd/function_hook.h
 * @differs The method is `call`; C++ has `operator()`.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";

// Note [Hooks ordering]
// ~~~~~~~~~~~~~~~~~~~~~
// When a node runs, the order is:
//   1. tensor pre-hooks      Tensor.register_hook on an output of the node's forward; they see (and may replace) its gradient
//   2. retains_grad hooks    store the gradient that is final after 1 in `.grad` of a tensor that is not a leaf
//   3. node pre-hooks        grad_fn.register_prehook
//   4. apply
//   5. node post-hooks       grad_fn.register_hook; a leaf's post-accumulate hook runs at the end of its accumulator's apply
// With `inputs=` given, a node that is only captured and never run still goes through 1 and 2.

export interface FunctionPreHook {
  call(grads: Tensor[]): Tensor[];
}

export interface FunctionPostHook {
  /** `outputs` are the gradients that leave the node, `inputs` those that came in. */
  call(outputs: Tensor[], inputs: Tensor[]): Tensor[];
}

export interface PostAccumulateGradHook {
  call(tensor: Tensor): void;
}
