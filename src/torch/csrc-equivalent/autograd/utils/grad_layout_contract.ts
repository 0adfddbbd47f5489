/**
 * @file The layout of a stored gradient: its parameter's strides if the parameter is dense, else row-major. Optimizers
 * then walk both in the same order.
 * @mirrors torch/csrc/autograd/utils/grad_layout_contract.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { TensorOptions } from "#c10/core/TensorOptions";

export function obeys_layout_contract(grad: Tensor, variable: Tensor): boolean {
  const grad_impl = grad.impl_;
  const variable_impl = variable.impl_;
  if (!variable_impl.is_non_overlapping_and_dense()) return grad_impl.is_contiguous(MemoryFormat.Contiguous);
  const sizes = grad_impl.sizes();
  const grad_strides = grad_impl.strides();
  const variable_strides = variable_impl.strides();
  for (let i = 0; i < sizes.length; i++) {
    if (sizes[i] !== 1) {
      if (grad_strides[i] !== variable_strides[i]) return false;
    } else if (grad_strides[i] === 0) {
      // The stride of a dimension of size 1 is arbitrary, but 0 marks an expanded tensor, which others must not write into.
      return false;
    }
  }
  return true;
}

/** A copy of `new_grad` in that layout. */
export function clone_obey_contract(new_grad: Tensor, variable: Tensor): Tensor {
  if (!variable.impl_.is_non_overlapping_and_dense()) return new_grad.clone(MemoryFormat.Contiguous);
  return new_grad
    .new_empty_strided(
      [...variable.sizes()],
      [...variable.strides()],
      new TensorOptions(new_grad.scalar_type(), variable.layout(), variable.device(), false),
    )
    .copy_(new_grad);
}
