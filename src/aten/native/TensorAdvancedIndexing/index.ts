/**
 * @file `index` and `index_put_`: reading and writing at the positions of index tensors.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexing.cpp
 * @see AdvancedIndex.ts (the geometry); Nonzero.ts, MaskedSelect.ts, MaskedFill.ts (from the same PyTorch file)
 */
import { is_expandable_to } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { assert_no_internal_overlap, assert_no_overlap, has_internal_overlap, MemOverlap } from "#aten/MemoryOverlap";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { canDispatchToMaskedFill } from "#aten/native/TensorAdvancedIndexingUtils";
import { type TensorIterator, TensorIteratorBase, TensorIteratorConfig } from "#aten/TensorIterator";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_INDEX, TORCH_WARN } from "#c10/util/Exception";
import { type AdvancedIndex, make_info } from "./AdvancedIndex.ts";

type Indices = (Tensor | null)[];

export const index_stub =
  DEFINE_DISPATCH<
    (iter: TensorIteratorBase, indexed_sizes: readonly number[], indexed_strides: readonly number[]) => void
  >("index_stub");

export const index_put_stub =
  DEFINE_DISPATCH<
    (
      iter: TensorIterator,
      indexed_sizes: readonly number[],
      indexed_strides: readonly number[],
      accumulate: boolean,
    ) => void
  >("index_put_stub");

function check_number_of_indices(self: Tensor, indices: Indices): void {
  TORCH_CHECK_INDEX(
    indices.length <= self.dim(),
    "too many indices for tensor of dimension ",
    self.dim(),
    " (got ",
    indices.length,
    ")",
  );
}

/** The index tensors that are not `None`. */
function defined(indices: Indices): Tensor[] {
  return indices.filter((index): index is Tensor => index?.defined() ?? false);
}

// index.Tensor(Tensor self, Tensor?[] indices) -> Tensor
export abstract class structured_index_Tensor extends TensorIteratorBase {
  meta(self: Tensor, indices: Indices): { sizes: number[]; strides: number[] } {
    TORCH_CHECK_INDEX(indices.length > 0, "at least one index must be provided");
    check_number_of_indices(self, indices);
    const result = this.maybe_get_output(0);
    if (result.defined()) {
      TORCH_CHECK(
        self.scalar_type() === result.scalar_type(),
        "index_out: self (",
        toString(self.scalar_type()),
        ") and result (",
        toString(result.scalar_type()),
        ") must have the same scalar type",
      );
      assert_no_internal_overlap(result);
      assert_no_overlap(result, self);
      for (const index of defined(indices)) assert_no_overlap(result, index);
    }
    const info = make_info(self, indices);
    this.build_index_op(info, result);
    return { sizes: info.indexed_sizes, strides: info.indexed_strides };
  }

  private build_index_op(info: AdvancedIndex, result: Tensor): void {
    const config = new TensorIteratorConfig();
    config
      .set_check_mem_overlap(false) // meta has checked
      .check_all_same_dtype(false)
      .add_output(result)
      .add_owned_const_input(info.src);
    for (const index of info.indices) config.add_owned_const_input(index);
    if (!result.defined()) config.declare_static_dtype_and_device(info.src.scalar_type(), info.src.device());
    super.build(config);
  }
}

// index.Tensor_out(Tensor self, Tensor?[] indices, *, Tensor(a!) out) -> Tensor(a!)     CPU
export abstract class structured_index_out extends structured_index_Tensor {
  impl(_self: Tensor, sizes: number[], strides: number[], _result: Tensor): void {
    index_stub.call(this.device_type(0), this, sizes, strides);
  }
}

// _unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor                 CompositeExplicitAutograd
// "Unsafe" because a compiler may drop the bounds checks. Masks are refused, since the shape of their result depends on
// values.
export function _unsafe_index(self: Tensor, indices: Indices): Tensor {
  for (const index of defined(indices)) {
    const dtype = index.scalar_type();
    TORCH_CHECK(
      dtype === ScalarType.Long || dtype === ScalarType.Int,
      "_unsafe_index found unexpected index type ",
      toString(dtype),
    );
  }
  return at.index_Tensor(self, indices);
}

function make_index_put_iterator(info: AdvancedIndex, value: Tensor): TensorIterator {
  TORCH_CHECK(
    is_expandable_to(value.sizes(), info.src.sizes()),
    "shape mismatch: value tensor of shape ",
    value.sizes(),
    " cannot be broadcast to indexing result of shape ",
    info.src.sizes(),
  );
  TORCH_CHECK(
    value.scalar_type() === info.src.scalar_type(),
    "Index put requires the source and destination dtypes match, got ",
    toString(info.src.scalar_type()),
    " for the destination and ",
    toString(value.scalar_type()),
    " for the source.",
  );
  const config = new TensorIteratorConfig();
  config
    .set_check_mem_overlap(false) // the destination overlaps itself, because it has stride 0 in the indexed dimensions
    .resize_outputs(false)
    .check_all_same_dtype(false)
    .add_output(info.src)
    .add_const_input(value);
  for (const index of info.indices) config.add_const_input(index);
  return config.build();
}

// _index_put_impl_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False, bool unsafe=False) -> Tensor(a!)     CPU
export function _index_put_impl_(
  self: Tensor,
  indices: Indices,
  value: Tensor,
  accumulate: boolean,
  _unsafe: boolean,
): Tensor {
  check_number_of_indices(self, indices);
  if (has_internal_overlap(self) === MemOverlap.Yes) {
    TORCH_WARN(
      "Use of index_put_ on expanded tensors is deprecated. Please clone() the tensor before performing this operation. " +
        "This also applies to advanced indexing e.g. tensor[indices] = tensor",
    );
  }
  if (!accumulate) {
    const mask = canDispatchToMaskedFill(self, indices, value);
    if (mask !== null) return self.masked_fill__Scalar(mask, value.item());
  }
  let value_ = value;
  if (!value.device().eq(self.device()) && value.numel() === 1 && value.dim() === 0) {
    value_ = value.to_device(self.device(), value.scalar_type());
  }
  assert_no_overlap(self, value);
  for (const index of defined(indices)) assert_no_overlap(self, index);
  const info = make_info(self, indices);
  const iter = make_index_put_iterator(info, value_);
  index_put_stub.call(iter.device_type(0), iter, info.indexed_sizes, info.indexed_strides, accumulate);
  return self;
}

// index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)     CompositeExplicitAutograd
export function index_put_(self: Tensor, indices: Indices, value: Tensor, accumulate: boolean): Tensor {
  return at._index_put_impl_(self, indices, value, accumulate, false);
}

// index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor     CompositeExplicitAutograd
export function index_put(self: Tensor, indices: Indices, value: Tensor, accumulate: boolean): Tensor {
  return self.clone(MemoryFormat.Preserve).index_put_(indices, value, accumulate);
}

// _unsafe_index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor     CompositeExplicitAutograd
export function _unsafe_index_put(self: Tensor, indices: Indices, value: Tensor, accumulate: boolean): Tensor {
  return at.index_put(self, indices, value, accumulate);
}
