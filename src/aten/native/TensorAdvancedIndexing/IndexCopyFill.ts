/**
 * @file `index_copy` and `index_fill`: slices along a dim are written to positions given by a vector of indices.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexing.cpp
 * @differs Ours checks all indices first and then runs the loop of `x[index] = value`; PyTorch has a loop for each
 * operator, and stops at an index out of range after it has written the earlier ones.
 */
import { check_all_types_and3 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { assert_no_internal_overlap, assert_no_overlap, has_internal_overlap, MemOverlap } from "#aten/MemoryOverlap";
import { as_strided_tensorimpl } from "#aten/native/TensorShape/index";
import { scalar_tensor_static } from "#aten/ScalarOps";
import { TensorIteratorConfig } from "#aten/TensorIterator";
import { MetaBase } from "#aten/TensorMeta";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import type { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_INDEX, TORCH_WARN } from "#c10/util/Exception";
import { first_outside, layout_along } from "./IndexSelect.ts";
import { index_put_stub } from "./index.ts";

/** Writes `source`, whose positions along `dim` belong to the indices. `self` stays at one position along `dim`. */
function put_along(self: Tensor, dim: number, index: Tensor, source: Tensor): void {
  const [sizes, strides] = layout_along(index, dim, self.dim());
  const to = self.as_strided(self.sizes().with(dim, index.numel()), self.strides().with(dim, 0));
  const iter = new TensorIteratorConfig()
    .set_check_mem_overlap(false)
    .check_all_same_dtype(false)
    .resize_outputs(false)
    .add_output(to)
    .add_owned_const_input(source)
    .add_owned_const_input(index.as_strided(sizes, strides))
    .build();
  if (iter.numel() === 0) return;
  index_put_stub.call(iter.device_type(0), iter, [self.sizes()[dim]], [self.strides()[dim]], false);
}

/** Indices are checked only if something is written. */
function writes_nothing(self: Tensor, dim: number, index: Tensor): boolean {
  return index.numel() === 0 || self.sizes().some((size, d) => d !== dim && size === 0);
}

// index_copy -------------------------------------------------------------------------------------------------------------

function check_index_copy_shapes(self: Tensor, index: Tensor, source: Tensor): void {
  TORCH_CHECK_INDEX(index.dim() < 2, "index_copy_(): Index should have dimension 1 or 0 (got ", index.dim(), ")");
  TORCH_CHECK_INDEX(
    source.dim() !== 0 || index.numel() === 1,
    "index_copy_(): When source is scalar, index should have one element (got ",
    index.numel(),
    ")",
  );
  TORCH_CHECK_INDEX(
    source.dim() === self.dim() || source.dim() === 0 || self.dim() === 0,
    "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source dimensionality (",
    source.dim(),
    "), destination dimensionality (",
    self.dim(),
    ")",
  );
}

function check_index_copy_dtypes(self: Tensor, index: Tensor, source: Tensor): void {
  TORCH_CHECK(
    index.scalar_type() === ScalarType.Long,
    "index_copy_(): Expected a long tensor for index, but got ",
    toString(index.scalar_type()),
  );
  TORCH_CHECK(
    self.scalar_type() === source.scalar_type(),
    "index_copy_(): self and source expected to have the same dtype, but got (self) ",
    toString(self.scalar_type()),
    " and (source) ",
    toString(source.scalar_type()),
  );
  TORCH_CHECK(
    self.device().eq(source.device()) && self.device().eq(index.device()),
    "index_copy_(): self, index and source expected to be in the same device, but got (self) ",
    self.device(),
    ", (index) ",
    index.device(),
    ", and (source) ",
    source.device(),
  );
}

/** Sizes except that of `dim`, as C++ prints a vector. */
function slice_shape(t: Tensor, dim: number): number[] {
  return t.sizes().filter((_, d) => d !== dim);
}

function check_index_copy_slices(self: Tensor, dim: number, index: Tensor, source: Tensor): void {
  const [to, from] = [slice_shape(self, dim), slice_shape(source, dim)];
  TORCH_CHECK(
    to.length === from.length && to.every((size, d) => size === from[d]),
    "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: ",
    to.join(" "),
    " at dimension ",
    dim,
    " and source slice shape: ",
    from.join(" "),
    " at dimension 0.",
  );
  TORCH_CHECK_INDEX(
    source.dim() === 0 || index.numel() === source.sizes()[dim],
    "index_copy_(): Number of indices (",
    index.numel(),
    ") should be equal to source.size(dim) (",
    source.dim() === 0 ? 0 : source.sizes()[dim],
    ")",
  );
}

// index_copy.out(Tensor self, int dim, Tensor index, Tensor source, *, Tensor(a!) out) -> Tensor(a!)     CPU
export abstract class structured_index_copy extends MetaBase {
  meta(self: Tensor, dim: number, index: Tensor, source: Tensor): { dim: number } {
    const wrapped = maybe_wrap_dim(dim, self.dim());
    const given = this.maybe_get_output(0);
    const check_result = given?.defined() === true;
    this.set_output_raw_strided(0, self.sizes(), [], self.options());
    if (check_result) {
      assert_no_internal_overlap(given);
      assert_no_overlap(given, index);
      assert_no_overlap(given, source);
    }
    check_index_copy_shapes(self, index, source);
    check_index_copy_dtypes(self, index, source);
    check_index_copy_slices(self, wrapped, index, source);
    return { dim: wrapped };
  }
}
export abstract class structured_index_copy_out extends structured_index_copy {
  impl(self: Tensor, dim: number, index: Tensor, source: Tensor, result: Tensor): void {
    if (!result.is_same(self)) result.copy_(self);
    const to = result.dim() === 0 ? result.unsqueeze(0) : result;
    const from = source.dim() === 0 ? source.unsqueeze(0) : source;
    if (writes_nothing(to, dim, index)) return;
    check_all_types_and3(self.scalar_type(), "index_copy_cpu");
    const size = to.sizes()[dim];
    const wrong = first_outside(index, size);
    TORCH_CHECK_INDEX(
      wrong === null,
      "index_copy_(): index ",
      wrong,
      " is out of bounds for dimension ",
      dim,
      " with size ",
      size,
    );
    put_along(to, dim, index, from);
  }
}

// index_fill -------------------------------------------------------------------------------------------------------------

/** The tensor to fill (not 0-dim) and its dim; null if there is nothing to fill. */
export function prepare_index_fill(
  self: Tensor,
  dim_: number,
  index: Tensor,
  value: Scalar,
): { readonly to: Tensor; readonly dim: number } | null {
  TORCH_CHECK_INDEX(index.scalar_type() === ScalarType.Long, "index_fill_(): Expected dtype int64 for index.");
  assert_no_overlap(self, index);
  if (has_internal_overlap(self) === MemOverlap.Yes) {
    TORCH_WARN(
      "Use of index_fill_ on expanded tensors is deprecated. Please clone() the tensor before performing this operation. " +
        "This also applies to advanced indexing e.g. tensor[mask] = scalar",
    );
  }
  const to = self.dim() === 0 ? self.unsqueeze(-1) : self;
  const dim = maybe_wrap_dim(dim_, to.dim());
  TORCH_CHECK(index.dim() <= 1, "Index has to be a vector/scalar");
  value.to(self.scalar_type()); // refuses a value that does not fit
  return writes_nothing(to, dim, index) ? null : { to, dim };
}

/** `value` expanded to the slices selected by `n` indices. */
export function as_slices(value: Scalar, to: Tensor, dim: number, n: number): Tensor {
  const one = scalar_tensor_static(value, to.scalar_type(), to.device());
  const everywhere = new Array<number>(to.dim()).fill(0);
  return as_strided_tensorimpl(one, to.sizes().with(dim, n), everywhere, null);
}

// index_fill_.int_Scalar(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)     CPU
export function index_fill__int_Scalar(self: Tensor, dim_: number, index: Tensor, value: Scalar): Tensor {
  const prepared = prepare_index_fill(self, dim_, index, value);
  if (prepared === null) return self;
  const { to, dim } = prepared;
  check_all_types_and3(self.scalar_type(), "index_fill_cpu");
  const size = to.sizes()[dim];
  const wrong = first_outside(index, size, -size);
  TORCH_CHECK_INDEX(wrong === null, "index ", wrong, " is out of bounds for dimension ", dim, " with size ", size);
  put_along(to, dim, index, as_slices(value, to, dim, index.numel()));
  return self;
}

// index_fill_.int_Tensor(Tensor(a!) self, int dim, Tensor index, Tensor value) -> Tensor(a!)     CPU
export function index_fill__int_Tensor(self: Tensor, dim: number, index: Tensor, value: Tensor): Tensor {
  TORCH_CHECK(
    value.dim() === 0,
    "index_fill_ only supports a 0-dimensional value tensor, but got tensor with ",
    value.dim(),
    " dimension(s).",
  );
  return self.index_fill__int_Scalar(dim, index, value.item());
}

// index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor     CompositeExplicitAutograd
export function index_fill_int_Scalar(self: Tensor, dim: number, index: Tensor, value: Scalar): Tensor {
  return self.clone(MemoryFormat.Preserve).index_fill__int_Scalar(dim, index, value);
}

// index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor     CompositeExplicitAutograd
export function index_fill_int_Tensor(self: Tensor, dim: number, index: Tensor, value: Tensor): Tensor {
  return self.clone(MemoryFormat.Preserve).index_fill__int_Tensor(dim, index, value);
}
