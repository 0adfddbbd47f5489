/**
 * @file Operators of forward-mode differentiation: dual tensors, and zeros in the layout of another tensor.
 * @mirrors aten/src/ATen/native/AutogradComposite.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { InferenceMode } from "#c10/core/InferenceMode";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

// _make_dual(Tensor(a) primal, Tensor tangent, int level) -> Tensor(a)           CompositeExplicitAutograd
/** Only inference tensors arrive here: autograd's kernel of any other tensor ends before. */
export function _make_dual(primal: Tensor, tangent: Tensor, _level: number): Tensor {
  TORCH_INTERNAL_ASSERT(
    InferenceMode.is_enabled() && primal.impl_.is_inference() && tangent.impl_.is_inference(),
    "Expected this function to only be reached in inference mode and when all the inputs are inference tensors. " +
      "You should NOT call this function directly as native::_make_dual. Please use the dispatcher, i.e., at::_make_dual. " +
      "Please file an issue if you come across this error otherwise.",
  );
  return at.alias(primal);
}

// _unpack_dual(Tensor(a) dual, int level) -> (Tensor(a) primal, Tensor tangent)  CompositeImplicitAutograd
export function _unpack_dual(tensor: Tensor, level: number): [Tensor, Tensor] {
  const tangent = tensor._fw_grad(level);
  return [tensor._fw_primal(level), tangent];
}

function storage_numel(t: Tensor): number {
  return t.storage().nbytes() / t.itemsize();
}

// _new_zeros_with_same_feature_meta(Tensor self, Tensor other, *, int self_num_batch_dims=0) -> Tensor
//                                                                                CompositeExplicitAutograd
export function _new_zeros_with_same_feature_meta(self: Tensor, other: Tensor, self_num_batch_dims: number): Tensor {
  const batch_sizes = self.sizes().slice(0, self_num_batch_dims);
  const batch_strides: number[] = [];
  // Each element of the batch has a whole copy of other's storage.
  let numel = storage_numel(other);
  for (let d = self_num_batch_dims - 1; d >= 0; d--) {
    batch_strides[d] = numel;
    numel *= batch_sizes[d];
  }
  const sizes = [...batch_sizes, ...other.sizes()];
  const strides = [...batch_strides, ...other.strides()];
  return at.zeros([numel], other.options()).as_strided(sizes, strides, other.storage_offset());
}

// _has_same_storage_numel(Tensor self, Tensor other) -> bool                     CompositeExplicitAutograd
export function _has_same_storage_numel(base: Tensor, other: Tensor): boolean {
  return storage_numel(base) === storage_numel(other);
}
