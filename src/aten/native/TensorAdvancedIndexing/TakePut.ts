/**
 * @file `take` and `put_`, which treat a tensor as one row of elements, and `take_along_dim`.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexing.cpp
 */
import { alertNotDeterministic } from "#aten/Context/index";
import { infer_size_dimvector } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { assert_no_internal_overlap, assert_no_overlap } from "#aten/MemoryOverlap";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { type TensorIterator, TensorIteratorConfig } from "#aten/TensorIterator";
import { checkDevice } from "#aten/TensorUtils/TensorArg";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_INDEX } from "#c10/util/Exception";

export const take_stub = DEFINE_DISPATCH<(iter: TensorIterator, self: Tensor) => void>("take_stub");
export const put_stub = DEFINE_DISPATCH<(iter: TensorIterator, self: Tensor, accumulate: boolean) => void>("put_stub");

// take -------------------------------------------------------------------------------------------------------------------

function check_take(self: Tensor, index: Tensor, out: Tensor): void {
  TORCH_CHECK(
    index.scalar_type() === ScalarType.Long,
    "take(): Expected a long tensor for index, but got ",
    toString(index.scalar_type()),
  );
  TORCH_CHECK(
    self.scalar_type() === out.scalar_type(),
    "take(): self and out expected to have the same dtype, but got self.dtype = ",
    toString(self.scalar_type()),
    " and out.dtype = ",
    toString(out.scalar_type()),
  );
  TORCH_CHECK(
    self.device().eq(out.device()) && self.device().eq(index.device()),
    "take(): self, index and out expected to be in the same device, but got self.device = ",
    self.device(),
    ", index.device = ",
    index.device(),
    ", and out.device = ",
    out.device(),
  );
  TORCH_CHECK_INDEX(self.numel() !== 0 || index.numel() === 0, "take(): tried to take from an empty tensor");
}

// take.out(Tensor self, Tensor index, *, Tensor(a!) out) -> Tensor(a!)           CPU
export function take_out(self: Tensor, index: Tensor, out: Tensor): Tensor {
  check_take(self, index, out);
  assert_no_internal_overlap(out);
  assert_no_overlap(out, index);
  assert_no_overlap(out, self);
  const iter = new TensorIteratorConfig()
    .set_check_mem_overlap(false)
    .check_all_same_dtype(false)
    .add_output(out)
    .add_const_input(index)
    .build();
  if (index.numel() === 0) return out; // the iterator has given it the index's shape
  take_stub.call(iter.device_type(), iter, self);
  return out;
}

// take(Tensor self, Tensor index) -> Tensor                                      CPU
export function take(self: Tensor, index: Tensor): Tensor {
  return take_out(self, index, at.empty_memory_format(index.sizes(), self.options()));
}

// put --------------------------------------------------------------------------------------------------------------------

function check_put(self: Tensor, index: Tensor, source: Tensor): void {
  TORCH_CHECK(
    index.scalar_type() === ScalarType.Long,
    "put_(): Expected a long tensor for index, but got ",
    toString(index.scalar_type()),
  );
  TORCH_CHECK(
    self.scalar_type() === source.scalar_type(),
    "put_(): self and source expected to have the same dtype, but got self.dtype = ",
    toString(self.scalar_type()),
    " and source.dtype = ",
    toString(source.scalar_type()),
  );
  TORCH_CHECK(
    self.device().eq(source.device()) && self.device().eq(index.device()),
    "put_(): self, index and source expected to be in the same device, but got self.device = ",
    self.device(),
    ", index.device = ",
    index.device(),
    ", and source.device = ",
    source.device(),
  );
  TORCH_CHECK_INDEX(
    source.numel() === index.numel(),
    "put_(): Expected source and index to have the same number of elements, but got source.numel() = ",
    source.numel(),
    ", index.numel() = ",
    index.numel(),
  );
  TORCH_CHECK_INDEX(self.numel() !== 0 || index.numel() === 0, "put_(): Tried to put elements into an empty tensor");
}

// put_(Tensor(a!) self, Tensor index, Tensor source, bool accumulate=False) -> Tensor(a!)     CPU
export function put_(self: Tensor, index: Tensor, source: Tensor, accumulate: boolean): Tensor {
  // An index that occurs twice receives one of two values.
  if (!accumulate) alertNotDeterministic("put_");
  check_put(self, index, source);
  assert_no_internal_overlap(self);
  assert_no_overlap(self, index);
  assert_no_overlap(self, source);
  if (index.numel() === 0) return self;
  const index_reshaped = index.reshape(source.sizes());
  // `self` is not an operand of the iterator: its positions are computed from the indices.
  const iter = new TensorIteratorConfig()
    .set_check_mem_overlap(false)
    .check_all_same_dtype(false)
    .add_const_input(source)
    .add_const_input(index_reshaped)
    .build();
  put_stub.call(iter.device_type(), iter, self, accumulate);
  return self;
}

// put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor     CompositeExplicitAutograd
export function put(self: Tensor, index: Tensor, source: Tensor, accumulate: boolean): Tensor {
  return self.clone(MemoryFormat.Preserve).put_(index, source, accumulate);
}

// take_along_dim -----------------------------------------------------------------------------------------------------------

/** Both tensors, broadcast to each other in all dims except `dim`. */
function _take_along_dim_helper(self: Tensor, indices: Tensor, dim_: number): [Tensor, Tensor, number] {
  TORCH_CHECK(
    self.dim() === indices.dim(),
    "torch.take_along_dim(): input and indices should have the same number of dimensions, but got ",
    self.dim(),
    " dimensions for input, and ",
    indices.dim(),
    " dimensions for indices",
  );
  TORCH_CHECK(
    indices.scalar_type() === ScalarType.Long,
    "torch.take_along_dim(): dtype of indices should be Long but got ",
    toString(indices.scalar_type()),
  );
  const dim = maybe_wrap_dim(dim_, self.dim());
  const self_sizes = self.sizes().with(dim, indices.size(dim));
  const indices_broadcasted = at.broadcast_to(indices, infer_size_dimvector(self_sizes, indices.sizes()));
  const indices_sizes = indices.sizes().with(dim, self.size(dim));
  const self_broadcasted = at.broadcast_to(self, infer_size_dimvector(indices_sizes, self.sizes()));
  // Indices wrap around, from the end and beyond it.
  return [self_broadcasted, indices_broadcasted.remainder_Scalar(Scalar.fromInt(self.size(dim))), dim];
}

// take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor           CompositeImplicitAutograd
export function take_along_dim(self: Tensor, indices: Tensor, opt_dim: number | null): Tensor {
  checkDevice("torch.take_along_dim():", [self, indices], self.device());
  if (opt_dim === null) return self.view([-1]).gather(0, indices.view([-1]));
  const [self_broadcasted, indices_broadcasted, dim] = _take_along_dim_helper(self, indices, opt_dim);
  return self_broadcasted.gather(dim, indices_broadcasted);
}

// take_along_dim.out(Tensor self, Tensor indices, int? dim=None, *, Tensor(a!) out) -> Tensor(a!)     CompositeImplicitAutograd
export function take_along_dim_out(self: Tensor, indices: Tensor, opt_dim: number | null, result: Tensor): Tensor {
  checkDevice("torch.take_along_dim():", [self, indices, result], self.device());
  if (opt_dim === null) return at.gather_out(self.view([-1]), 0, indices.view([-1]), false, result);
  const [self_broadcasted, indices_broadcasted, dim] = _take_along_dim_helper(self, indices, opt_dim);
  return at.gather_out(self_broadcasted, dim, indices_broadcasted, false, result);
}
