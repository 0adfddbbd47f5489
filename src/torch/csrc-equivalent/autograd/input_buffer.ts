/**
 * @file The gradients that have arrived at a node so far, one sum per input.
 * @mirrors torch/csrc/autograd/input_buffer.h
 * @differs No streams, so no events and no waiting: `add` is `accumulate` alone.
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import { GradMode } from "#c10/core/GradMode";
import { decref, incref, is_tensor_stealable, storage_use_count } from "./use_count.ts";
import type { AutogradMeta } from "./variable.ts";

// Note [Accumulating in place]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The second gradient for one input is added into the first when nobody could notice: grad mode is off (with create_graph the
// sum must have history), the buffer holds the only reference to the first and to its bytes, and its elements fill those bytes.
// Otherwise the sum is a new tensor. A view is never changed: it keeps its base alive, so its bytes have two holders.

function can_accumulate_inplace(v: Tensor): boolean {
  const impl = v.impl_;
  const meta = impl.autograd_meta_ as AutogradMeta | null;
  return (
    impl.is_non_overlapping_and_dense() &&
    is_tensor_stealable(v, 1) &&
    (meta === null || !meta.is_view_) &&
    storage_use_count(v) === 1
  );
}

const UNDEFINED = new Tensor();

export class InputBuffer {
  /** Null: no gradient yet. Each filled slot holds one reference. */
  readonly buffer: (Tensor | null)[];

  constructor(size: number) {
    const buffer: (Tensor | null)[] = [null]; // most nodes have one input
    for (let i = 1; i < size; i++) buffer.push(null);
    if (size === 0) buffer.length = 0;
    this.buffer = buffer;
  }

  /** Adds `var_` to input `pos`. True if the buffer took over the caller's reference. */
  add(pos: number, var_: Tensor): boolean {
    const buffer = this.buffer;
    const old_var = buffer[pos];
    if (old_var === null) {
      buffer[pos] = var_;
      return true;
    }
    if (!GradMode.is_enabled() && can_accumulate_inplace(old_var)) {
      old_var.add__Tensor(var_);
      return false;
    }
    const sum = old_var.add_Tensor(var_);
    incref(sum);
    decref(old_var);
    buffer[pos] = sum;
    return false;
  }

  /** Hands over the sums; what never came is an undefined tensor. The buffer is not used again. */
  variables(): Tensor[] {
    const buffer = this.buffer;
    for (let i = 0; i < buffer.length; i++) buffer[i] ??= UNDEFINED;
    return buffer as Tensor[];
  }
}
