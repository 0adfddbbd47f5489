/**
 * @file The nodes of copies: between tensors (`copy_`), and into a part of a tensor (an in-place change of a view).
 * @mirrors torch/csrc/autograd/functions/tensor.h
 */

import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { hasStepCallbacks } from "#aten/record_function";
import { TensorGeometry } from "#aten/TensorGeometry";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { isComplexType } from "#c10/core/ScalarType";
import type { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { tracer } from "#c10/util/Trace";
import type { Edge } from "#torch/csrc-equivalent/autograd/edge";
import { current_graph_task } from "#torch/csrc-equivalent/autograd/graph_task";
import { callSlow, Node, type variable_list } from "#torch/csrc-equivalent/autograd/node";
import { undefined_variables } from "#torch/csrc-equivalent/autograd/owning_list";
import { ERR_BACKWARD_TWICE } from "#torch/csrc-equivalent/autograd/saved_variable";
import type { ViewFunc } from "#torch/csrc-equivalent/autograd/variable/index";
import { check_input_variables } from "./check_input_variables.ts";

/** The node of `self.copy_(src)`: the old `self` gets zero gradient, `src` gets the gradient. */
export class CopyBackwards extends Node {
  src_options!: TensorOptions;

  name(): string {
    return "torch::autograd::CopyBackwards";
  }

  apply(grads: variable_list): variable_list {
    check_input_variables("CopyBackwards", grads, 1, -1, true);
    const grad = grads[0];
    const grad_inputs = undefined_variables(2);
    if (!grad.defined()) return grad_inputs;
    if (this.task_should_compute_output(0)) {
      grad_inputs[0] = at.zeros_like(grad, undefined, MemoryFormat.Contiguous);
    }
    if (this.task_should_compute_output(1)) {
      const src_is_complex = isComplexType(this.src_options.dtype());
      TORCH_INTERNAL_ASSERT(!src_is_complex && !isComplexType(grad.scalar_type()));
      grad_inputs[1] = grad.to_dtype_layout(this.src_options);
    }
    return grad_inputs;
  }
}

// Note [View + Inplace update for base tensor]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The new history of `base` after `base.view(...).op_()` in a picture, `fn` being op's own node:
//
//   grad of base (after)  --as_strided-->  its slice  --fn-->  the slice's gradient before op
//         |                                                        |
//         +----------- copy; the slice replaced by ----------------+---> grad of base (before)
//                                                                  +---> op's other inputs
//
// So output 0 of CopySlices goes to base's old node, where fn's output 0 would go to the view's; the others are the same.

export class CopySlices extends Node {
  readonly base: TensorGeometry;
  readonly view: TensorGeometry;
  /** Replays the view; null if `as_strided` on the base is enough. */
  view_fn: ViewFunc | null;
  /** The node of the in-place operation; null once released. */
  fn: Node | null;

  constructor(base_var: Tensor, view: TensorGeometry, view_fn: ViewFunc | null, fn: Node, base_edge: Edge) {
    super();
    this.base = TensorGeometry.of(base_var);
    this.view = view;
    this.view_fn = view_fn;
    this.fn = fn;
    this.add_input_metadata(base_var);
    const num_outputs = fn.num_outputs();
    this.add_next_edge(base_edge);
    for (let i = 1; i < num_outputs; i++) this.add_next_edge(fn.next_edge(i));
  }

  name(): string {
    return "torch::autograd::CopySlices";
  }

  override trace_name(): string {
    return "torch::autograd::CopySlices::apply";
  }

  /** Registers fn as if its output 0 were ours: with `inputs=`, fn asks whether its own next node is needed. */
  private update_exec_info(fn: Node): void {
    const graph_task = current_graph_task;
    if (graph_task === null || !graph_task.has_exec_info()) return;
    const fn_edge = fn.next_edge(0);
    TORCH_INTERNAL_ASSERT(fn_edge.is_valid() === this.next_edge(0).is_valid());
    const fn_next_node = fn_edge.function;
    if (fn_next_node === null) return;
    const should_compute = this.task_should_compute_output(0);
    if (graph_task.exec_info(fn_next_node) === null) {
      // The run has no entry for fn's next node, so nobody else reads the one that is added here.
      if (should_compute) graph_task.add_node_to_exec_info(fn_next_node);
    } else {
      TORCH_INTERNAL_ASSERT(graph_task.should_execute(fn_next_node) === should_compute);
    }
  }

  apply(inputs: variable_list): variable_list {
    check_input_variables("CopySlices", inputs, 1, -1, true);
    const grad = inputs[0];
    const num_outputs = this.num_outputs();
    const grad_inputs = undefined_variables(num_outputs);
    if (!grad.defined()) return grad_inputs;
    const fn = this.fn;
    TORCH_CHECK(fn !== null, ERR_BACKWARD_TWICE);
    this.update_exec_info(fn);
    // The graph is read-only once built.
    TORCH_INTERNAL_ASSERT(num_outputs === fn.num_outputs());

    const result = grad.new_empty_strided([...this.base.sizes()], [...this.base.strides()]);
    result.copy_(grad);
    const grad_slice =
      this.view_fn !== null
        ? this.view_fn.call(result)
        : result.as_strided(
            [...this.view.sizes()],
            [...this.view.strides()],
            this.view.storage_offset() - this.base.storage_offset(),
          );
    // A clone, because the slice is written below and fn may have saved its input for a double backward.
    const grads = [grad_slice.clone(MemoryFormat.Contiguous)];
    const res = tracer === null && !hasStepCallbacks ? fn.apply(grads) : callSlow(fn, grads);
    for (let i = 0; i < res.length; i++) {
      if (!this.task_should_compute_output(i)) continue;
      const grad_input = res[i];
      // A custom Function may return nothing for a part that is thrown away; that counts as zeros.
      if (!grad_input.defined()) continue;
      if (i === 0) {
        grad_slice.copy_(grad_input);
        grad_inputs[0] = result;
      } else {
        grad_inputs[i] = grad_input;
      }
    }
    return grad_inputs;
  }

  override release_variables(): void {
    this.fn = null;
  }
}
