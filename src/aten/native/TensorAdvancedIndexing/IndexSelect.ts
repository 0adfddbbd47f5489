/**
 * @file `index_select`: slices along a dim, selected by a vector of indices.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexing.cpp
 * @differs Ours runs the loop of `x[index]` over an iterator in which the dim has stride 0, so the layouts of the two
 * tensors make no difference; PyTorch copies slice by slice, or as bytes if they are contiguous.
 */
import { check_all_types_and3 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { assert_no_internal_overlap, assert_no_overlap } from "#aten/MemoryOverlap";
import { copy_ } from "#aten/native/Copy";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { resize_output } from "#aten/native/Resize";
import { as_strided_tensorimpl } from "#aten/native/TensorShape/index";
import { TensorIteratorConfig } from "#aten/TensorIterator";
import { areAnyTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_INDEX } from "#c10/util/Exception";
import { index_stub } from "./index.ts";

/** Number of entries of an int64 vector before the first one outside `least` <= entry < `size`. */
export const indices_inside_stub =
  DEFINE_DISPATCH<(index: Tensor, size: number, least: number) => number>("indices_inside_stub");

/** First entry of an int64 vector that is out of range for `size` elements; null if there is none. */
export function first_outside(index: Tensor, size: number, least = 0): bigint | null {
  const inside = indices_inside_stub.call(index.device().type(), index, size, least);
  if (inside === index.numel()) return null;
  const step = index.dim() === 0 ? 1 : index.strides()[0];
  return (index.impl_.data_view() as BigInt64Array)[index.impl_.data_offset() + inside * step];
}

// Note [The indexed dim has stride 0]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Reading or writing by indices along one dim is an iteration over three operands of one shape. In that shape, the dim
// has one position per index:
//
//   the side that is not indexed   its own strides
//   the indexed side               stride 0 along the dim: the loop adds index * stride itself
//   the indices                    stride 0 in all other dims

/** View of `t` with `n` positions along `dim`, all of them the first. */
export function standing_still(t: Tensor, dim: number, n: number): Tensor {
  return as_strided_tensorimpl(t, t.sizes().with(dim, n), t.strides().with(dim, 0), null);
}

/** Sizes and strides with which a vector (or a scalar) of indices is a tensor with `ndim` dims that runs along `dim`. */
export function layout_along(index: Tensor, dim: number, ndim: number): [sizes: number[], strides: number[]] {
  const sizes = new Array<number>(ndim).fill(1);
  const strides = new Array<number>(ndim).fill(0);
  sizes[dim] = index.numel();
  strides[dim] = index.dim() > 0 ? index.strides()[0] : 1;
  return [sizes, strides];
}

export function along(index: Tensor, dim: number, ndim: number): Tensor {
  return as_strided_tensorimpl(index, ...layout_along(index, dim, ndim), null);
}

function check_index(index: Tensor): void {
  TORCH_CHECK_INDEX(index.dim() <= 1, "index_select(): Index is supposed to be a vector");
  const dtype = index.scalar_type();
  TORCH_CHECK(
    dtype === ScalarType.Long || dtype === ScalarType.Int,
    "index_select(): Expected dtype int32 or int64 for index",
  );
}

function check_bounds(self: Tensor, dim: number, index: Tensor, at_once: boolean): void {
  const size = self.dim() === 0 ? 1 : self.sizes()[dim];
  if (self.numel() === 0 && self.dim() > 1)
    TORCH_CHECK(size > 0, "index_select(): self indexing axis dim should be positive");
  const wrong = first_outside(index, size);
  if (wrong === null) return;
  // If PyTorch checks all indices beforehand, it reports which one is wrong.
  TORCH_CHECK(!at_once, "INDICES element is out of DATA bounds, id=", wrong, " axis_dim=", size);
  TORCH_CHECK_INDEX(false, "index out of range in self");
}

/** Checks and preparation on every device; afterwards `result` has its shape. */
export function prepare_index_select(self: Tensor, dim: number, index: Tensor, result: Tensor): void {
  const numel = index.numel();
  check_index(index);
  TORCH_CHECK(
    self.dim() !== 0 || numel === 1,
    "index_select(): Index to scalar can have only 1 value, got ",
    numel,
    " value(s)",
  );
  TORCH_CHECK(
    self.scalar_type() === result.scalar_type(),
    "index_select(): self and result must have the same scalar type",
  );
  assert_no_internal_overlap(result);
  assert_no_overlap(result, self);
  assert_no_overlap(result, index);
  resize_output(result, self.dim() > 0 ? self.sizes().with(dim, numel) : []);
}

// index_select.out(Tensor self, int dim, Tensor index, *, Tensor(a!) out) -> Tensor(a!)     CPU
export function index_select_out_cpu_(self: Tensor, dim_: number, index: Tensor, result: Tensor): Tensor {
  const dim = maybe_wrap_dim(dim_, self.dim());
  prepare_index_select(self, dim, index, result);
  if (self.dim() <= 1) check_all_types_and3(self.scalar_type(), "index_select");
  if (index.numel() === 0) return result;

  const index_long = index.scalar_type() === ScalarType.Long ? index : index.to_dtype(ScalarType.Long);
  const dim1 = self.dim() > 1 && dim === 1 && result.is_contiguous();
  check_bounds(self, dim, index_long, dim1 || self.numel() === 0);
  if (self.numel() === 0) return result;
  if (self.dim() > 1 && !dim1) {
    self.select_int(dim, 0); // PyTorch copies between such slices: a trace shows them
    result.select_int(dim, 0);
  }
  if (self.dim() === 0) return copy_(result, self, false);
  const iter = new TensorIteratorConfig()
    .set_check_mem_overlap(false)
    .check_all_same_dtype(false)
    .resize_outputs(false)
    .add_output(result)
    .add_owned_const_input(standing_still(self, dim, index.numel()))
    .add_owned_const_input(along(index_long, dim, self.dim()))
    .build();
  index_stub.call(iter.device_type(0), iter, [self.sizes()[dim]], [self.strides()[dim]]);
  return result;
}

// index_select(Tensor self, int dim, Tensor index) -> Tensor                     CPU
export function index_select_cpu_(self: Tensor, dim: number, index: Tensor): Tensor {
  return index_select_out_cpu_(self, dim, index, at.empty_memory_format([0], self.options()));
}

// index_select_backward(Tensor grad, SymInt[] self_sizes, int dim, Tensor index) -> Tensor     CompositeImplicitAutograd
export function index_select_backward_symint(grad: Tensor, self_sizes: number[], dim: number, index: Tensor): Tensor {
  const result = grad.new_zeros(self_sizes, grad.options());
  if (areAnyTensorSubclassLike([grad, index])) return result.index_add(dim, index, grad);
  return result.index_add_(dim, index, grad);
}
