/**
 * @file `masked_fill`: one value at each position where a mask is true.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexing.cpp
 */
import { expand_outplace } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { assert_no_partial_overlap, has_internal_overlap, MemOverlap } from "#aten/MemoryOverlap";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { type TensorIteratorBase, TensorIteratorConfig } from "#aten/TensorIterator";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import type { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";

export const masked_fill_stub = DEFINE_DISPATCH<(iter: TensorIteratorBase, value: Scalar) => void>("masked_fill_stub");

function masked_fill_impl_cpu(self: Tensor, mask: Tensor, value: Scalar): Tensor {
  TORCH_CHECK(
    mask.scalar_type() === ScalarType.Bool,
    "masked_fill_ only supports boolean masks, but got mask with dtype ",
    typeMetaName(mask.scalar_type()),
  );
  if (has_internal_overlap(self) === MemOverlap.Yes) {
    TORCH_WARN(
      "Use of masked_fill_ on expanded tensors is deprecated. Please clone() the tensor before performing this operation. " +
        "This also applies to advanced indexing e.g. tensor[mask] = scalar",
    );
  }
  assert_no_partial_overlap(self, mask);
  const iter = new TensorIteratorConfig()
    .set_check_mem_overlap(false)
    .check_all_same_dtype(false)
    .resize_outputs(false)
    .add_output(self)
    .add_const_input(mask)
    .build();
  masked_fill_stub.call(iter.device_type(), iter, value);
  return self;
}

export function masked_fill__cpu_Scalar(self: Tensor, mask: Tensor, value: Scalar): Tensor {
  return masked_fill_impl_cpu(self, mask, value);
}

export function masked_fill__cpu_Tensor(self: Tensor, mask: Tensor, value: Tensor): Tensor {
  TORCH_CHECK(
    value.dim() === 0,
    "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with ",
    value.dim(),
    " dimension(s).",
  );
  return masked_fill_impl_cpu(self, mask, value.item());
}

export function masked_fill_Scalar(self: Tensor, mask: Tensor, source: Scalar): Tensor {
  const [_mask, _self] = expand_outplace(mask, self);
  return _self.clone(MemoryFormat.Contiguous).masked_fill__Scalar(_mask, source);
}

export function masked_fill_Tensor(self: Tensor, mask: Tensor, source: Tensor): Tensor {
  const [_mask, _self] = expand_outplace(mask, self);
  return _self.clone(MemoryFormat.Contiguous).masked_fill__Tensor(_mask, source);
}
