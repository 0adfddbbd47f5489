/**
 * @file `index_add`: slices of a source are added to positions given by a vector of indices.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexing.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { assert_no_internal_overlap, assert_no_overlap } from "#aten/MemoryOverlap";
import { add_stub } from "#aten/native/BinaryOps/index";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { TensorIterator } from "#aten/TensorIterator";
import { MetaBase } from "#aten/TensorMeta";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import type { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_INDEX } from "#c10/util/Exception";

/** Kernel for vectors. PyTorch has no stub: its loop is next to the operator. */
export const index_add_stub =
  DEFINE_DISPATCH<(result: Tensor, index: Tensor, source: Tensor, alpha: Scalar) => void>("index_add_stub");

/** Sizes without the one at `dim`; a scalar has none. */
function sliced(sizes: readonly number[], dim: number): readonly number[] {
  return sizes.length === 0 ? sizes : sizes.filter((_, d) => d !== dim);
}

function check_slices(self: Tensor, dim: number, source: Tensor): void {
  const [a, b] = [sliced(self.sizes(), dim), sliced(source.sizes(), dim)];
  TORCH_CHECK(
    self.dim() === source.dim() && a.every((size, d) => size === b[d]),
    "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = ",
    self.sizes(),
    " source.shape = ",
    source.sizes(),
  );
}

export function check_index_func(func: string, self: Tensor, dim: number, index: Tensor, source: Tensor): void {
  const [dtype, numel] = [index.scalar_type(), index.numel()];
  TORCH_CHECK_INDEX(
    index.dim() <= 1,
    func,
    "_(): Index is supposed to be a vector, but got dim: ",
    index.dim(),
    " with type: ",
    toString(dtype),
    " and size: ",
    index.sizes(),
  );
  TORCH_CHECK(
    dtype === ScalarType.Long || dtype === ScalarType.Int,
    func,
    "_(): Expected dtype int32/int64 for index but got: ",
    toString(dtype),
  );
  TORCH_CHECK(
    self.scalar_type() === source.scalar_type(),
    func,
    "_(): self (",
    toString(self.scalar_type()),
    ") and source (",
    toString(source.scalar_type()),
    ") must have the same scalar type",
  );
  TORCH_CHECK(
    dim === 0 || dim < source.dim(),
    func,
    "_(): Indexing dim ",
    dim,
    " is out of bounds of the source tensor with dim ",
    source.dim(),
  );
  const places = source.dim() === 0 ? 1 : source.sizes()[dim];
  TORCH_CHECK(
    numel === places,
    func,
    "_(): Number of indices (",
    numel,
    ") should be equal to source.size(dim): (",
    places,
    "), for dim: ",
    dim,
  );
  check_slices(self, dim, source);
}

// index_add.out(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)     CPU
export abstract class structured_index_add extends MetaBase {
  meta(self: Tensor, dim: number, index: Tensor, source: Tensor, _alpha: Scalar): { dim: number } {
    const wrapped = maybe_wrap_dim(dim, self.dim());
    check_index_func("index_add", self, wrapped, index, source);
    const given = this.maybe_get_output(0);
    const check_result = given?.defined() === true;
    this.set_output_raw_strided(0, self.sizes(), [], self.options());
    if (check_result) {
      assert_no_internal_overlap(given);
      assert_no_overlap(given, index);
      assert_no_overlap(given, source);
    }
    return { dim: wrapped };
  }
}
export abstract class structured_index_add_cpu_out extends structured_index_add {
  impl(self: Tensor, dim: number, index: Tensor, source: Tensor, alpha: Scalar, result: Tensor): void {
    if (!result.is_same(self)) result.copy_(self);
    if (result.dim() <= 1) {
      const index_long = index.scalar_type() === ScalarType.Long ? index : index.to_dtype(ScalarType.Long);
      index_add_stub.call(result.device_type(), result, index_long, source, alpha);
      return;
    }
    if (index.numel() === 0 || self.numel() === 0) return;
    const index_contig = index.contiguous();
    const last_or_first = dim === 0 || dim === self.dim() - 1;
    if (last_or_first && alpha.equal(1) && index.scalar_type() === ScalarType.Long)
      scatter_slices(result, dim, index_contig, source);
    else add_slices(result, dim, index_contig, source, alpha);
  }
}

/**
 * The index in the form that `scatter_add_` needs, without a copy: every element of a slice goes to the same position.
 */
function scatter_slices(result: Tensor, dim: number, index: Tensor, source: Tensor): void {
  const strides = new Array<number>(source.dim()).fill(0);
  strides[dim] = 1;
  const ep_index = index.as_strided(source.sizes(), strides);
  result.scatter_add_(dim, ep_index, source);
}

/** One iterator for all slices, which is moved from one slice to the next. */
function add_slices(result: Tensor, dim: number, index: Tensor, source: Tensor, alpha: Scalar): void {
  const self_slice = result.select_int(dim, 0);
  const source_slice = source.select_int(dim, 0);
  const iter = TensorIterator.borrowing_binary_op(self_slice, self_slice, source_slice);
  const size = result.sizes()[dim];
  const [to_stride, from_stride] = [result.strides()[dim], source.strides()[dim]];
  const places = index.impl_.data_view();
  const begin = index.impl_.data_offset();
  const [first, from] = [result.impl_.data_offset(), source.impl_.data_offset()];
  for (let i = 0; i < index.numel(); i++) {
    const place = Number(places[begin + i]);
    TORCH_CHECK_INDEX(place >= 0 && place < size, "index out of range in self");
    const to = first + place * to_stride;
    iter.unsafe_replace_operand(0, to);
    iter.unsafe_replace_operand(1, to);
    iter.unsafe_replace_operand(2, from + i * from_stride);
    add_stub.call(iter.device_type(0), iter, alpha);
  }
}
