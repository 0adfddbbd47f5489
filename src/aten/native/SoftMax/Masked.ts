/**
 * @file Softmax over the elements that a mask leaves, for attention as one operator.
 * @mirrors aten/src/ATen/native/SoftMax.cpp
 */
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import {
  DEFAULT_MASK,
  masked_softmax,
  masked_softmax_backward,
  PADDING_MASK,
  SRC_MASK,
} from "#aten/native/cpu/MaskedSoftMaxKernel";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

/** If the dim is not the last one, a mask with fewer elements is expanded and copied. */
function written_out(mask: Tensor, input: Tensor, shape: number[]): Tensor {
  return mask.view(shape).expand(input.sizes()).contiguous();
}

function prepared(
  input: Tensor,
  mask: Tensor,
  dim: number | null,
  mask_type: number | null,
): readonly [mask: Tensor, mask_type: number | null] {
  const [B, , L] = input.sizes();
  const last = dim === input.dim() - 1;
  if (mask_type === DEFAULT_MASK)
    TORCH_CHECK(sizes_equal(input.sizes(), mask.sizes()), "For mask_type == 2 mask shape should match input shape");
  else if (mask_type === PADDING_MASK) {
    TORCH_CHECK(B === mask.size(0) && L === mask.size(1), "For mask_type == 1 mask shape should be (B, L)");
    if (!last) return [written_out(mask, input, [B, 1, 1, L]), DEFAULT_MASK];
  } else if (mask_type === SRC_MASK) {
    TORCH_CHECK(L === mask.size(0) && L === mask.size(1), "For mask_type == 0 mask shape should be (L, L)");
    if (!last) return [written_out(mask, input, [1, 1, L, L]), DEFAULT_MASK];
  }
  return [mask, mask_type];
}

// _masked_softmax                                                                                    CPU
export function masked_softmax_cpu(
  input_: Tensor,
  mask_: Tensor,
  dim_: number | null,
  mask_type_: number | null,
): Tensor {
  TORCH_CHECK(mask_.scalar_type() === ScalarType.Bool, "Mask should be a boolean tensor");
  const generic = mask_.dim() !== 2 || input_.dim() !== 4;
  const [mask, mask_type] = prepared(input_, mask_.contiguous(), dim_, generic ? DEFAULT_MASK : mask_type_);
  const output = at.empty_like(input_, input_.options());
  let input = input_.contiguous();
  const dim = maybe_wrap_dim(dim_ ?? input.dim() - 1, input_.dim());
  if (input.dim() === 0) input = input.view([1]);
  masked_softmax(output, input, dim, mask, mask_type);
  return output;
}

// _masked_softmax_backward                                                                           CPU
export function masked_softmax_backward_cpu(
  grad_: Tensor,
  output_: Tensor,
  mask_: Tensor,
  dim_: number | null,
): Tensor {
  TORCH_CHECK(sizes_equal(grad_.sizes(), mask_.sizes()), "Mask shape should match grad shape");
  TORCH_CHECK(mask_.scalar_type() === ScalarType.Bool, "Mask should be a boolean tensor");
  const [grad_c, output_c, mask_c] = [grad_.contiguous(), output_.contiguous(), mask_.contiguous()];
  const dim = maybe_wrap_dim(dim_ ?? output_c.dim() - 1, grad_c.dim());
  const flat = (t: Tensor): Tensor => (t.dim() === 0 ? t.view([1]) : t);
  const [grad, output, mask] = [flat(grad_c), flat(output_c), flat(mask_c)];
  const grad_input = at.empty_like(grad, grad.options());
  masked_softmax_backward(grad_input, grad, output, dim, mask);
  return grad_input; // 1-D even if the input was 0-dim
}
