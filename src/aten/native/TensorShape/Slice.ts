/**
 * @file Views of a part: one index (`select`), a range (`slice`, `narrow`), all parts at once (`split`, `chunk`,
 * `unbind`); and the two backward functions that write a part's gradient into zeros.
 * @mirrors aten/src/ATen/native/TensorShape.cpp
 */

import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { isIntegralType } from "#c10/core/ScalarType";
import { VariableVersion } from "#c10/core/TensorImpl/index";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_CHECK, TORCH_CHECK_INDEX } from "#c10/util/Exception";

// select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)                 CompositeExplicitAutograd
export function select_symint(self: Tensor, dim: number, index: number): Tensor {
  const ndim = self.dim();
  TORCH_CHECK_INDEX(ndim !== 0, "select() cannot be applied to a 0-dim tensor.");
  const d = maybe_wrap_dim(dim, ndim);
  const size = self.sizes()[d];
  if (index < -size || index >= size) {
    TORCH_CHECK_INDEX(
      false,
      "select(): index ",
      index,
      " out of range for tensor of size ",
      self.sizes(),
      " at dimension ",
      d,
    );
  }
  const i = index < 0 ? index + size : index;
  const sizes = self.sizes().slice();
  const strides = self.strides().slice();
  const storage_offset = self.storage_offset() + i * strides[d];
  sizes.splice(d, 1);
  strides.splice(d, 1);
  return self.as_strided(sizes, strides, storage_offset);
}

// select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor     CompositeExplicitAutogradNonFunctional
export function select_backward_symint(grad: Tensor, input_sizes: number[], dim: number, index: number): Tensor {
  const grad_input = at.zeros(input_sizes, grad.options());
  grad_input.select_int(dim, index).copy_(grad);
  return grad_input;
}

// slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)   CompositeExplicitAutograd
export function slice(self: Tensor, dim: number, start: number | null, end: number | null, step: number): Tensor {
  const ndim = self.dim();
  TORCH_CHECK_INDEX(ndim !== 0, "slice() cannot be applied to a 0-dim tensor.");
  const d = maybe_wrap_dim(dim, ndim);
  TORCH_CHECK(step > 0, "slice step must be positive");
  const sizes = self.sizes().slice();
  const strides = self.strides().slice();
  const size = sizes[d];
  const every = Number(step); // a bigint if no number is exact
  // As in Python: negative indices count from the end, and both ends are limited to the dimension.
  let first = Number(start ?? 0);
  let last = Number(end ?? size);
  if (first < 0) first += size;
  if (last < 0) last += size;
  first = Math.min(Math.max(first, 0), size);
  last = Math.min(Math.max(last, first), size);
  const storage_offset = self.storage_offset() + first * strides[d];
  sizes[d] = Math.ceil((last - first) / every);
  strides[d] = strides[d] * every;
  return self.as_strided(sizes, strides, storage_offset);
}

// slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, SymInt step) -> Tensor     CompositeExplicitAutograd
export function slice_backward(
  grad: Tensor,
  input_sizes: number[],
  dim: number,
  start: number,
  end: number,
  step: number,
): Tensor {
  const grad_input = at.zeros(input_sizes, grad.options());
  grad_input.slice_Tensor(dim, start, end, step).copy_(grad);
  return grad_input;
}

// narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)      CompositeImplicitAutograd
export function narrow_symint(self: Tensor, dim: number, start: number, length: number): Tensor {
  TORCH_CHECK(self.dim() > 0, "narrow() cannot be applied to a 0-dim tensor.");
  TORCH_CHECK(length >= 0, "narrow(): length must be non-negative.");
  const size = self.size(dim);
  TORCH_CHECK_INDEX(
    -size <= start && start <= size,
    "start out of range (expected to be in range of [",
    -size,
    ", ",
    size,
    "], but got ",
    start,
    ")",
  );
  const first = start < 0 ? start + size : start;
  TORCH_CHECK(
    first <= size - length,
    "start (",
    first,
    ") + length (",
    length,
    ") exceeds dimension size (",
    size,
    ").",
  );
  return at.slice_Tensor(self, dim, first, first + length, 1);
}

// narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)     CompositeImplicitAutograd
export function narrow_tensor_symint(self: Tensor, dim: number, start: Tensor, length: number): Tensor {
  TORCH_CHECK(
    start.dim() === 0 && isIntegralType(start.scalar_type(), false),
    "start must be an 0-dim integral Tensor.",
  );
  return at.narrow(self, dim, start.item().toLong(), length);
}

/** Number of pieces of `split_size` in a dimension; the last one may be smaller. */
function get_num_splits(self: Tensor, split_size: number, dim: number): number {
  TORCH_CHECK(self.dim() !== 0, "split expects at least a 1-dimensional tensor");
  TORCH_CHECK(split_size >= 0, "split expects split_size be non-negative, but got split_size=", split_size);
  const size = self.size(dim);
  TORCH_CHECK(
    split_size > 0 || size === 0,
    "split_size can only be 0 if dimension size is 0, but got dimension size of ",
    size,
  );
  // An empty dimension still gives one (empty) piece.
  return split_size === 0 ? 1 : Math.max(Math.ceil(size / split_size), 1);
}

/** Gives each piece its own version counter, so that autograd does not treat a change of one as a change of all. */
function own_versions(pieces: Tensor[]): Tensor[] {
  for (const piece of pieces)
    if (!piece.is_inference()) piece.unsafeGetTensorImpl().set_version_counter(new VariableVersion());
  return pieces;
}

// split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]      CompositeExplicitAutograd
export function split(self: Tensor, split_size_: number, dim: number): Tensor[] {
  const split_size = Number(split_size_); // beyond 2^53 it is a bigint
  const num_splits = get_num_splits(self, split_size, dim);
  const last_size = self.size(dim) - split_size * (num_splits - 1);
  const splits: Tensor[] = [];
  for (let i = 0; i < num_splits; i++) {
    splits.push(self.narrow(dim, i * split_size, i < num_splits - 1 ? split_size : last_size));
  }
  return splits;
}

// unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]          CompositeExplicitAutograd
export function unsafe_split(self: Tensor, split_size: number, dim: number): Tensor[] {
  return own_versions(split(self, split_size, dim));
}

// split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]     CompositeImplicitAutograd
export function split_symint(self: Tensor, sizes: number[], dim: number): Tensor[] {
  return at.split_with_sizes(self, sizes, dim);
}

// split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]     CompositeExplicitAutograd
export function split_with_sizes(self: Tensor, split_sizes: number[], dim: number): Tensor[] {
  TORCH_CHECK(self.dim() !== 0, "split expects at least a 1-dimensional tensor");
  const dim_size = self.size(dim);
  const d = maybe_wrap_dim(dim, self.dim());
  const stride = self.strides()[d];
  let total = 0;
  for (const length of split_sizes) {
    TORCH_CHECK(
      length >= 0,
      "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=",
      split_sizes,
    );
    total += length;
  }
  TORCH_CHECK(
    total === dim_size,
    "split_with_sizes expects split_sizes to sum exactly to ",
    dim_size,
    " (input tensor's size at dimension ",
    dim,
    "), but got split_sizes=",
    split_sizes,
  );
  const splits: Tensor[] = [];
  let start = 0;
  for (const length of split_sizes) {
    const sizes = self.sizes().slice();
    sizes[d] = length;
    splits.push(at.as_strided(self, sizes, self.strides(), self.storage_offset() + start * stride));
    start += length;
  }
  return splits;
}

// unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]         CompositeExplicitAutograd
export function unsafe_split_with_sizes(self: Tensor, split_sizes: number[], dim: number): Tensor[] {
  return own_versions(split_with_sizes(self, split_sizes, dim));
}

// chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]               CompositeImplicitAutograd
export function chunk(self: Tensor, chunks: number, dim: number): Tensor[] {
  TORCH_CHECK(self.dim() > 0, "chunk expects at least a 1-dimensional tensor");
  TORCH_CHECK(chunks > 0, "chunk expects `chunks` to be greater than 0, got: ", chunks);
  const dim_size = self.size(dim);
  const split_size = Math.ceil(dim_size / Number(chunks)); // beyond 2^53 it is a bigint
  // For an empty dimension, `split` would lose the number of chunks, so the sizes are given explicitly.
  if (split_size === 0 && dim_size === 0) return self.split_with_sizes(new Array<number>(chunks).fill(0), dim);
  return self.split_Tensor(split_size, dim);
}

// unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]                   CompositeImplicitAutograd
export function unsafe_chunk(self: Tensor, chunks: number, dim: number): Tensor[] {
  TORCH_CHECK(self.dim() > 0, "chunk expects at least a 1-dimensional tensor");
  TORCH_CHECK(chunks > 0, "chunk expects `chunks` to be greater than 0, got: ", chunks);
  const dim_size = self.size(dim);
  const split_size = Math.ceil(dim_size / Number(chunks));
  if (split_size === 0 && dim_size === 0) return self.unsafe_split_with_sizes(new Array<number>(chunks).fill(0), dim);
  return self.unsafe_split_Tensor(split_size, dim);
}

// unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]                      CompositeExplicitAutograd
export function unbind(self: Tensor, dim: number): Tensor[] {
  const d = maybe_wrap_dim(dim, self.dim());
  const size = self.size(d);
  const tensors: Tensor[] = [];
  for (let i = 0; i < size; i++) tensors.push(self.select_int(d, i));
  return tensors;
}
