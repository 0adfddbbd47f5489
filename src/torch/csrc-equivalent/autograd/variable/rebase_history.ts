/**
 * @file The new history of a tensor after an in-place change; see Note [View + Inplace update]. It has a file of its
 * own because it makes CopySlices, which is above saved_variable.ts in the import order, and that is above impl.ts.
 * @mirrors torch/csrc/autograd/variable.cpp#rebase_history
 */
import { TensorGeometry } from "#aten/TensorGeometry";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { Edge } from "#torch/csrc-equivalent/autograd/edge";
import { CopySlices } from "#torch/csrc-equivalent/autograd/functions/tensor";
import type { Node } from "#torch/csrc-equivalent/autograd/node";
import {
  CreationMeta,
  gradient_edge as edge_of,
  get_view_autograd_meta,
  set_gradient_edge,
  update_tensor_hooks_on_new_gradfn,
  type Variable,
} from "./impl.ts";

/**
 * Called after an in-place change: `gradient_edge` leads to the node that made `self`. For a view, that node made a
 * part of its base.
 */
export function rebase_history(self: Variable, gradient_edge: Edge): void {
  const fn = gradient_edge.function;
  TORCH_INTERNAL_ASSERT(fn !== null);
  const diff_view_meta = get_view_autograd_meta(self);
  if (diff_view_meta?.has_bw_view()) {
    // check_inplace has already thrown for every other kind of view.
    TORCH_INTERNAL_ASSERT(diff_view_meta.get_creation_meta() === CreationMeta.DEFAULT);
    TORCH_INTERNAL_ASSERT(gradient_edge.input_nr === 0);
    TORCH_CHECK(fn.num_inputs() === 1, "Functions which modify views in-place must return a single Variable");
    const view_info = diff_view_meta.get_backward_view();
    const base = view_info.base_;
    diff_view_meta.output_nr_ = gradient_edge.input_nr;
    const base_edge = edge_of(base);
    const copy_slices = new CopySlices(
      base,
      TensorGeometry.of(self),
      view_info.has_view_fn() ? view_info.view_fn().clone_and_set() : null,
      fn,
      base_edge,
    );
    if (base.requires_grad()) update_tensor_hooks_on_new_gradfn(base, base.grad_fn() as Node | null, copy_slices);
    set_gradient_edge(base, new Edge(copy_slices, 0));
    self.grad_fn(); // regenerates the view's own node
    return;
  }
  if (self.requires_grad()) update_tensor_hooks_on_new_gradfn(self, self.grad_fn() as Node | null, fn);
  set_gradient_edge(self, gradient_edge);
}
