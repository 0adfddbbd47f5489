/**
 * @file The gradients that have arrived at a node so far, one sum per input.
 * @mirrors torch/csrc/autograd/input_buffer.h
 * @differs The buffer is itself the list with which the node is called; PyTorch's contains a list and gives it away
 * (`variables`). Data about streams is in one object per gradient, made only for gradients of an accelerator; PyTorch
 * has several vectors.
 * @see streams.ts
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { isTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { GradMode } from "#c10/core/GradMode";
import type { Node } from "#torch/csrc-equivalent/autograd/node";
import { OwningList, undefined_variables } from "#torch/csrc-equivalent/autograd/owning_list";
import { is_tensor_stealable, storage_use_count } from "#torch/csrc-equivalent/autograd/use_count";
import type { AutogradMeta } from "#torch/csrc-equivalent/autograd/variable/index";
import { type Arrived, add_with_streams } from "./streams.ts";

// Note [Accumulating in place]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The second gradient for one input is added into the first if nobody can notice. The conditions: grad mode is off
// (with create_graph the sum must have history), the buffer holds the only reference to the first and to its bytes, and
// its elements fill those bytes. Zero tensors without memory and meta tensors have no bytes, and subclasses may store
// anything, so they do not qualify. Otherwise the sum is a new tensor. A view is never changed: it keeps its base
// alive, so its bytes have two holders.

function can_accumulate_inplace(v: Tensor): boolean {
  const impl = v.impl_;
  const meta = impl.autograd_meta_ as AutogradMeta | null;
  return (
    !impl._is_zerotensor() &&
    impl.is_non_overlapping_and_dense() &&
    is_tensor_stealable(v, 1) &&
    (meta === null || !meta.is_view_) &&
    storage_use_count(v) === 1 &&
    !isTensorSubclassLike(v)
  );
}

export class InputBuffer extends OwningList {
  /** Stream data by input; null if no accelerator is used. */
  arrived_: (Arrived | undefined)[] | null = null;

  constructor(size: number) {
    super(undefined_variables(size));
  }

  /**
   * `add(pos, std::move(from[index]))`: the first gradient for an input moves in, later ones are added to the sum.
   * `parent` is the node that produced it.
   */
  add(pos: number, from: OwningList, index: number, parent: Node | null, fn: Node): void {
    const var_ = from.tensors[index];
    if (!var_.defined()) return;
    if (var_.impl_.device().is_cpu()) this.accumulate(pos, from, index);
    else add_with_streams(this, pos, from, index, parent, fn);
  }

  accumulate(pos: number, from: OwningList, index: number): void {
    const var_ = from.tensors[index];
    const old_var = this.tensors[pos];
    if (!old_var.defined()) this.take(pos, from, index);
    else if (!GradMode.is_enabled() && can_accumulate_inplace(old_var)) old_var.add__Tensor(var_);
    else this.set(pos, old_var.add_Tensor(var_));
  }
}
