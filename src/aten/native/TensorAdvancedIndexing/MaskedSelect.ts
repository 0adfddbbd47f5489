/**
 * @file Elements where a mask is true: packed (`masked_select`), or filled from a packed source (`masked_scatter_`);
 * and the gradients.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexing.cpp
 */

import { expand_inplace, expand_outplace, infer_size_dimvector } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { assert_no_internal_overlap, assert_no_overlap } from "#aten/MemoryOverlap";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { resize_output } from "#aten/native/Resize";
import { areAnyTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";

export const masked_select_stub =
  DEFINE_DISPATCH<(result: Tensor, self: Tensor, mask: Tensor) => void>("masked_select_stub");
export const masked_scatter_stub =
  DEFINE_DISPATCH<(self: Tensor, mask: Tensor, source: Tensor) => void>("masked_scatter_stub");

/** Checks on every device. */
export function check_masked_select(self: Tensor, mask: Tensor, result: Tensor): void {
  TORCH_CHECK(mask.scalar_type() === ScalarType.Bool, "masked_select: expected BoolTensor for mask");
  TORCH_CHECK(
    self.scalar_type() === result.scalar_type(),
    "masked_select(): self and result must have the same scalar type",
  );
  assert_no_internal_overlap(result);
  assert_no_overlap(result, self);
  assert_no_overlap(result, mask);
}

function masked_select_out_impl_cpu(result: Tensor, self: Tensor, mask: Tensor): Tensor {
  check_masked_select(self, mask, result);

  const [_mask, _self] = expand_outplace(mask, self);
  const shape = _self.sizes();
  const numel = _mask.sum().item().toLong();
  resize_output(result, [numel]);
  if (numel === 0) return result;

  // PyTorch gives the result stride 0 in the iterator's shape.
  result.as_strided(shape, new Array<number>(shape.length).fill(0));
  if (!_self.is_contiguous() || !_mask.is_contiguous()) {
    // PyTorch sometimes numbers the true elements beforehand. Ours visits elements in row-major order and needs no
    // numbers, but makes the same calls, because a trace shows them.
    at.empty_memory_format(shape, self.options().dtype(ScalarType.Long)).copy_(_mask);
    at.empty_memory_format(shape, self.options().dtype(ScalarType.Long));
  }
  masked_select_stub.call(result.device().type(), result, _self, _mask);
  return result;
}

// masked_select.out(Tensor self, Tensor mask, *, Tensor(a!) out) -> Tensor(a!)   CPU
export function masked_select_out_cpu(self: Tensor, mask: Tensor, result: Tensor): Tensor {
  return masked_select_out_impl_cpu(result, self, mask);
}

// masked_select(Tensor self, Tensor mask) -> Tensor                              CPU
export function masked_select_cpu(self: Tensor, mask: Tensor): Tensor {
  return masked_select_out_impl_cpu(at.empty_memory_format([0], self.options()), self, mask);
}

// masked_select_backward(Tensor grad, Tensor input, Tensor mask) -> Tensor       CompositeImplicitAutograd
export function masked_select_backward(grad: Tensor, input: Tensor, mask: Tensor): Tensor {
  // `masked_scatter` would broadcast by itself, but it copies; in place, the left side must have the full shape.
  const shape = infer_size_dimvector(input.sizes(), mask.sizes());
  const result = at.zeros_like(input.expand(shape), TensorOptions.EMPTY, MemoryFormat.Preserve);
  if (areAnyTensorSubclassLike([grad, mask])) return result.masked_scatter(mask, grad);
  result.masked_scatter_(mask, grad);
  return result;
}

// masked_scatter_(Tensor(a!) self, Tensor mask, Tensor source) -> Tensor(a!)     CPU
export function masked_scatter__cpu(self: Tensor, mask: Tensor, source: Tensor): Tensor {
  assert_no_internal_overlap(self);
  TORCH_CHECK(
    self.scalar_type() === source.scalar_type(),
    "masked_scatter: expected self and source to have same dtypes but got",
    toString(self.scalar_type()),
    " and ",
    toString(source.scalar_type()),
  );
  const b_mask = expand_inplace(self, mask);
  if (b_mask.scalar_type() === ScalarType.Byte) {
    TORCH_WARN(
      "masked_scatter_ received a mask with dtype torch.uint8, this behavior is now deprecated," +
        "please use a mask with dtype torch.bool instead.",
    );
  }
  TORCH_CHECK(
    b_mask.scalar_type() === ScalarType.Bool,
    "masked_scatter_ only supports boolean masks, but got mask with dtype ",
    toString(b_mask.scalar_type()),
  );
  masked_scatter_stub.call(self.device().type(), self, b_mask, source.contiguous());
  return self;
}

// masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor              CompositeExplicitAutograd
export function masked_scatter(self: Tensor, mask: Tensor, source: Tensor): Tensor {
  const [_mask, _self] = expand_outplace(mask, self);
  return _self.clone(MemoryFormat.Contiguous).masked_scatter_(_mask, source);
}

// masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor     CompositeExplicitAutograd
export function masked_scatter_backward_symint(grad: Tensor, mask: Tensor, sizes: number[]): Tensor {
  const numel = sizes.reduce((product, size) => product * size, 1);
  let mask_selected = grad.masked_select(mask);
  const unused = numel - mask_selected.numel();
  // Elements of the source that were not used have gradient 0.
  if (unused > 0) mask_selected = at.cat([mask_selected, at.zeros([unused], grad.options())], 0);
  return mask_selected.view(sizes);
}
