/**
 * @file Checks and helpers shared by hand-written nodes and VariableType.
 * @mirrors torch/csrc/autograd/functions/utils.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { GradMode } from "#c10/core/GradMode";
import { toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { Edge } from "#torch/csrc-equivalent/autograd/edge";
import {
  any_variable_requires_grad,
  collect_next_edges,
  create_gradient_edge,
} from "#torch/csrc-equivalent/autograd/function";
import type { edge_list, Node, variable_list } from "#torch/csrc-equivalent/autograd/node";
import { set_gradient_edge } from "#torch/csrc-equivalent/autograd/variable/impl";
import { isDifferentiableType } from "#torch/csrc-equivalent/autograd/variable/index";

export { check_input_variables } from "./check_input_variables.ts";

/**
 * Wraps outputs of a function that autograd did not see run; if an input requires grad, their history is the node that
 * `ctr` makes.
 */
export function wrap_outputs(inputs: variable_list, outputs: Tensor[], ctr: (edges: edge_list) => Node): variable_list {
  if (!any_variable_requires_grad(inputs)) return outputs;
  const grad_fn = ctr(GradMode.is_enabled() ? collect_next_edges(inputs) : []);
  for (const output of outputs) {
    if (output.defined()) create_gradient_edge(output, grad_fn);
    else grad_fn.add_undefined_input();
  }
  return outputs;
}

type TensorArgument = Tensor | null | readonly (Tensor | null)[];

/** Whether the call needs a node: grad mode is on, and some tensor argument requires grad. */
export function compute_requires_grad(...args: TensorArgument[]): boolean {
  if (!GradMode.is_enabled()) return false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (arg === null) continue;
    if (Array.isArray(arg)) {
      for (const tensor of arg as readonly (Tensor | null)[]) {
        if (tensor?.defined() && tensor.requires_grad()) return true;
      }
    } else if ((arg as Tensor).defined() && (arg as Tensor).requires_grad()) {
      return true;
    }
  }
  return false;
}

/** Makes a call's result (or results) the outputs of `grad_fn`. */
export function set_history(variable: Tensor | readonly Tensor[], grad_fn: Node | null): void {
  TORCH_CHECK(grad_fn !== null);
  if (Array.isArray(variable)) {
    for (const one of variable as readonly Tensor[]) set_history(one, grad_fn);
    return;
  }
  const one = variable as Tensor;
  if (!one.defined()) {
    grad_fn.add_undefined_input();
    return;
  }
  if (!isDifferentiableType(one.scalar_type()))
    TORCH_CHECK(false, "Autograd not support dtype: ", toString(one.scalar_type()));
  const output_nr = grad_fn.add_input_metadata(one);
  set_gradient_edge(one, new Edge(grad_fn, output_nr));
}
