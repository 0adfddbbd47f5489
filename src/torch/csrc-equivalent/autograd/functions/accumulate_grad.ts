/**
 * @file The node of every leaf: it adds arriving gradients to the leaf's `.grad`.
 * @mirrors torch/csrc/autograd/functions/accumulate_grad.h
 * @differs Only dense strided gradients exist here, so there are no branches for sparse and mkldnn ones, as PyTorch has.
 */
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { AutogradState } from "#c10/core/AutogradState";
import { GradMode } from "#c10/core/GradMode";
import { RuntimeError, TORCH_WARN_ONCE } from "#c10/util/Exception";
import type { FunctionPreHook, PostAccumulateGradHook } from "#torch/csrc-equivalent/autograd/function_hook";
import { Node, UINT64_MAX, type variable_list } from "#torch/csrc-equivalent/autograd/node";
import { is_tensor_stealable } from "#torch/csrc-equivalent/autograd/use_count";
import { clone_obey_contract, obeys_layout_contract } from "#torch/csrc-equivalent/autograd/utils/grad_layout_contract";
import {
  type AutogradMeta,
  hooks,
  materialize_autograd_meta,
  post_acc_grad_hooks,
} from "#torch/csrc-equivalent/autograd/variable/index";
import { check_input_variables } from "./check_input_variables.ts";

// Note [What becomes of a gradient that reaches a leaf]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//   .grad | grad mode | done
//   none  | off       | nobody else holds the gradient and its layout is right: keep it (`detach`, so that the engine's own
//         |           | object and `.grad` have separate metadata)
//   none  | otherwise | a copy in the right layout: `new_empty_strided` + `copy_`
//   there | off       | `.grad += new_grad`: the object stays, other holders see the sum
//   there | on        | `.grad = .grad + new_grad`: create_graph, so the sum itself has history

export class AccumulateGrad extends Node {
  readonly variable: Tensor;
  private outlived_shape_ = false;

  constructor(variable: Tensor) {
    super([], UINT64_MAX);
    this.variable = variable;
    this.add_input_metadata(variable);
  }

  name(): string {
    return "torch::autograd::AccumulateGrad";
  }

  override trace_name(): string {
    return "torch::autograd::AccumulateGrad::apply";
  }

  /**
   * A view that is regenerated has a graph that ends here. In PyTorch too this node still exists then, whatever the
   * leaf has become.
   */
  is_held_by_view(): void {
    if (!this.input_metadata(0).is_same_shape(this.variable)) this.outlived_shape_ = true;
  }

  /**
   * Whether `grad` fits the leaf's present shape, if not the shape at the time this node was made; see
   * `AutogradMeta.grad_accumulator_`.
   */
  fits_present_shape(grad: Tensor): boolean {
    return !this.outlived_shape_ && sizes_equal(grad.sizes(), this.variable.sizes());
  }

  /** A leaf's hooks stay on the tensor: it can get them before there is an accumulator. */
  override tensor_pre_hooks(): FunctionPreHook[] {
    return hooks(this.variable);
  }

  override tensor_post_acc_grad_hooks(): PostAccumulateGradHook | null {
    return post_acc_grad_hooks(this.variable);
  }

  apply(grads: variable_list): variable_list {
    check_input_variables("AccumulateGrad", grads, 1, 0);
    const new_grad = grads[0];
    if (!new_grad.defined()) return [];
    const variable = this.variable;
    const meta = materialize_autograd_meta(variable);
    if (meta.grad_fn_ !== null) throw new RuntimeError("leaf variable has been moved into the graph interior");
    if (!meta.requires_grad_) return [];
    // A post-hook receives the inputs too, so then the engine holds the gradient once more.
    const num_expected_refs = this.post_hooks().length === 0 ? 1 : 2;
    accumulateGrad(variable, meta, new_grad, num_expected_refs);
    const hook = meta.post_acc_grad_hooks_;
    if (hook !== null) hook.call(variable);
    return [];
  }
}

/** @symbol torch::autograd::AccumulateGrad::accumulateGrad */
export function accumulateGrad(
  variable: Tensor,
  meta: AutogradMeta,
  new_grad: Tensor,
  num_expected_refs: number,
): void {
  const variable_grad = meta.grad_;
  const grad_mode = GradMode.is_enabled();
  if (variable_grad === null) {
    const steal =
      !grad_mode &&
      is_tensor_stealable(new_grad, num_expected_refs) &&
      (!AutogradState.get_tls_state().get_grad_layout_enforcement_enabled() ||
        obeys_layout_contract(new_grad, variable));
    meta.set_grad(steal ? new_grad.detach() : clone_obey_contract(new_grad, variable));
  } else if (!grad_mode) {
    variable_grad.add__Tensor(new_grad);
    check_result(variable_grad, variable);
  } else {
    const result = variable_grad.add_Tensor(new_grad);
    check_result(result, variable);
    meta.set_grad(result);
  }
}

function check_result(result: Tensor, variable: Tensor): void {
  if (!AutogradState.get_tls_state().get_grad_layout_enforcement_enabled() || obeys_layout_contract(result, variable))
    return;
  const list = (values: readonly number[]): string => `[${values.join(", ")}]`;
  TORCH_WARN_ONCE(
    "grad and param do not obey the gradient layout contract. This is not an error, but may impair performance.\n" +
      `grad.sizes() = ${list(result.sizes())}, strides() = ${list(result.strides())}\n` +
      `param.sizes() = ${list(variable.sizes())}, strides() = ${list(variable.strides())}`,
  );
}
