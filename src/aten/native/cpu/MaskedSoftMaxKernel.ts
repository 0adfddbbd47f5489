/**
 * @file Kernels of softmax over the elements that a mask leaves.
 * @mirrors aten/src/ATen/native/SoftMax.cpp
 * @differs Ours are in the folder of kernel text; in PyTorch these loops are next to the operators.
 */
import { AT_DISPATCH, type acc_t, type bool, cast, type data, load, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { check_type } from "#aten/TensorMethods";
import { ScalarType } from "#c10/core/ScalarType";
import { multiply_integers } from "#c10/util/accumulate";
import { TORCH_CHECK } from "#c10/util/Exception";
import {
  masked_softmax_backward_row_instances,
  masked_softmax_row_instances,
} from "./generated/MaskedSoftMaxKernel.ts";

/** Kinds of masks: L x L for all scores; B x L for keys; one element per score. */
export const [SRC_MASK, PADDING_MASK, DEFAULT_MASK] = [0, 1, 2];

/**
 * softmax of a row of `n` elements with stride `step`. The result is 0 where the mask (stride `mask_step`) is true. If
 * all elements are masked, it is NaN.
 * @template masked_softmax: floating types and halves
 */
export function masked_softmax_row(
  out: data<scalar_t>,
  out_at: number,
  x: data<scalar_t>,
  x_at: number,
  step: number,
  mask: data<bool>,
  mask_at: number,
  mask_step: number,
  n: number,
): void {
  let max: scalar_t = 0;
  let any = false;
  for (let d = 0; d < n; d++) {
    if (!load(mask, mask_at + d * mask_step)) {
      const v: scalar_t = load(x, x_at + d * step);
      if (!any || v > max) max = v;
      any = true;
    }
  }
  let sum: acc_t = 0;
  for (let d = 0; d < n; d++) {
    let z: scalar_t = 0;
    if (!load(mask, mask_at + d * mask_step)) z = Math.exp(load(x, x_at + d * step) - max);
    store(out, out_at + d * step, z);
    sum += cast<acc_t>(z);
  }
  for (let d = 0; d < n; d++) {
    const i = out_at + d * step;
    store(out, i, cast<scalar_t>(cast<acc_t>(load(out, i)) / sum));
  }
}

/**
 * grad_input = output * (grad - sum(grad * output)), and 0 where the mask is true.
 * @template masked_softmax_backward: floating types and halves
 */
export function masked_softmax_backward_row(
  grad_input: data<scalar_t>,
  to: number,
  grad: data<scalar_t>,
  g: number,
  output: data<scalar_t>,
  o: number,
  step: number,
  mask: data<bool>,
  mask_at: number,
  n: number,
): void {
  let sum: acc_t = 0;
  for (let d = 0; d < n; d++) {
    if (!load(mask, mask_at + d * step))
      sum += cast<acc_t>(load(grad, g + d * step)) * cast<acc_t>(load(output, o + d * step));
  }
  for (let d = 0; d < n; d++) {
    const i = to + d * step;
    if (load(mask, mask_at + d * step)) store(grad_input, i, 0);
    else {
      const y: acc_t = cast<acc_t>(load(output, o + d * step));
      store(grad_input, i, cast<scalar_t>(y * (cast<acc_t>(load(grad, g + d * step)) - sum)));
    }
  }
}

/** Sizes around `dim`: there are `outer` x `inner` rows, and the stride of their elements is `inner`. */
function extents(t: Tensor, dim: number): { readonly outer: number; readonly n: number; readonly inner: number } {
  return {
    outer: multiply_integers(t.sizes().slice(0, dim)),
    n: t.size(dim),
    inner: multiply_integers(t.sizes().slice(dim + 1)),
  };
}

/**
 * Softmax with a contiguous mask. Kind 0: one mask element per row and column; kind 1: one per batch and column; kind
 * 2: one per score.
 */
export function masked_softmax(
  output: Tensor,
  input: Tensor,
  dim: number,
  mask: Tensor,
  mask_type: number | null,
): void {
  const row = AT_DISPATCH(masked_softmax_row_instances, input.scalar_type());
  TORCH_CHECK(mask_type !== null, "Mask Type should be defined");
  TORCH_CHECK(
    [SRC_MASK, PADDING_MASK, DEFAULT_MASK].includes(mask_type),
    "Mask Type should be 0 (src_mask) or 1 (src_key_padding_mask), or 2 (default_mask)",
  );
  check_type(mask, ScalarType.Bool);
  const { outer, n, inner } = extents(input, dim);
  const [from, to, at] = [input.data_offset(), output.data_offset(), mask.data_offset()];
  const rows_of_batch = mask_type === PADDING_MASK ? outer / input.size(0) : 1;
  for (let o = 0; o < outer; o++)
    for (let i = 0; i < inner; i++) {
      const begin = o * n * inner + i;
      const mask_begin =
        mask_type === DEFAULT_MASK ? begin : (mask_type === PADDING_MASK ? Math.floor(o / rows_of_batch) : o % n) * n;
      // biome-ignore format: one operand group per line
      row(
        output.data_view(), to + begin,
        input.data_view(), from + begin, inner,
        mask.data_view(), at + mask_begin, inner, n,
      );
    }
}

/** Precondition: all tensors are contiguous and have one shape. */
export function masked_softmax_backward(
  grad_input: Tensor,
  grad: Tensor,
  output: Tensor,
  dim: number,
  mask: Tensor,
): void {
  const row = AT_DISPATCH(masked_softmax_backward_row_instances, grad.scalar_type());
  check_type(output, grad.scalar_type());
  const { outer, n, inner } = extents(grad, dim);
  for (let o = 0; o < outer; o++)
    for (let i = 0; i < inner; i++) {
      const begin = o * n * inner + i;
      // biome-ignore format: one operand group per line
      row(
        grad_input.data_view(), grad_input.data_offset() + begin,
        grad.data_view(), grad.data_offset() + begin,
        output.data_view(), output.data_offset() + begin, inner,
        mask.data_view(), mask.data_offset() + begin, n,
      );
    }
}
