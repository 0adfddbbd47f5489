/**
 * @file Views of parts, split at given positions or into a number of parts: `tensor_split`, `hsplit`, `vsplit`,
 * `dsplit`.
 * @mirrors aten/src/ATen/native/TensorShape.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { length_error, TORCH_CHECK } from "#c10/util/Exception";

function check_dims(self: Tensor): void {
  TORCH_CHECK(
    self.dim() > 0,
    "tensor_split expected at least a 1-dimensional tensor, but got a tensor with ",
    self.dim(),
    " dims",
  );
}

/** C++'s error for a list of tensors that is too long for memory. */
function check_vector_size(length: number): void {
  if (length >= 2 ** 60) throw new length_error("cannot create std::vector larger than max_size()");
  TORCH_CHECK(length < 2 ** 32, "std::bad_alloc");
}

// tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]     CompositeImplicitAutograd
// If the size is not a multiple, the first parts are longer by one.
export function tensor_split_sections_symint(self: Tensor, sections: number, dim_: number): Tensor[] {
  check_dims(self);
  const dim = maybe_wrap_dim(dim_, self.dim());
  TORCH_CHECK(sections > 0, "number of sections must be larger than 0, got ", sections);
  const size = self.size(dim);
  const min_split_size = Math.floor(size / sections);
  const num_splits_one_extra = size % sections;
  check_vector_size(sections);
  let start = 0;
  return Array.from({ length: sections }, (_, i) => {
    const begin = start;
    start += min_split_size + (i < num_splits_one_extra ? 1 : 0);
    return at.slice_Tensor(self, dim, begin, start);
  });
}

// tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]     CompositeImplicitAutograd
export function tensor_split_indices_symint(self: Tensor, indices: number[], dim_: number): Tensor[] {
  check_dims(self);
  const dim = maybe_wrap_dim(dim_, self.dim());
  return [...indices, self.size(dim)].map((end, i) => at.slice_Tensor(self, dim, i === 0 ? 0 : indices[i - 1], end));
}

// tensor_split.tensor_indices_or_sections(Tensor(a -> *) self, Tensor tensor_indices_or_sections, int dim=0) -> Tensor(a)[]
export function tensor_split_tensor_indices_or_sections(self: Tensor, given: Tensor, dim: number): Tensor[] {
  check_dims(self);
  TORCH_CHECK(
    given.device().is_cpu(),
    "tensor_split expected tensor_indices_or_sections to be on cpu, but it's on ",
    given.device(),
  );
  TORCH_CHECK(
    given.scalar_type() === ScalarType.Long,
    "tensor_split expected tensor_indices_or_sections to have dtype of long, but got ",
    toString(given.scalar_type()),
  );
  TORCH_CHECK(
    given.dim() <= 1,
    "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but got a tensor with ",
    given.dim(),
    " dims",
  );
  if (given.dim() === 0) return self.tensor_split_sections(given.item().toLong(), dim);
  const view = given.impl_.data_view();
  const begin = given.impl_.data_offset();
  const indices = Array.from({ length: given.numel() }, (_, i) => Number(view[begin + i * given.strides()[0]]));
  return self.tensor_split_indices(indices, dim);
}

function check_split(name: string, self: Tensor, least: number): void {
  TORCH_CHECK(
    self.dim() >= least,
    "torch.",
    name,
    " requires a tensor with at least ",
    least,
    " dimension, but got a tensor with ",
    self.dim(),
    " dimensions!",
  );
}

function check_divisible(name: string, self: Tensor, dim: number, split_size: number): void {
  const size = self.sizes()[dim];
  TORCH_CHECK(
    split_size !== 0 && size % split_size === 0,
    "torch.",
    name,
    " attempted to split along dimension ",
    dim,
    ", but the size of the dimension ",
    size,
    " is not divisible by the split_size ",
    split_size,
    "!",
  );
}

/** Dim of the columns of a matrix; a vector has only one dim. */
function hsplit_dim(self: Tensor): number {
  check_split("hsplit", self, 1);
  return self.dim() === 1 ? 0 : 1;
}

// hsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]                   CompositeImplicitAutograd
export function hsplit_int(self: Tensor, split_size: number): Tensor[] {
  const dim = hsplit_dim(self);
  check_divisible("hsplit", self, dim, split_size);
  return at.tensor_split_sections(self, split_size, dim);
}
export function hsplit_array(self: Tensor, split_sizes: number[]): Tensor[] {
  return at.tensor_split_indices(self, split_sizes, hsplit_dim(self));
}

// vsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]                   CompositeImplicitAutograd
export function vsplit_int(self: Tensor, split_size: number): Tensor[] {
  check_split("vsplit", self, 2);
  check_divisible("vsplit", self, 0, split_size);
  return at.tensor_split_sections(self, split_size, 0);
}
export function vsplit_array(self: Tensor, split_sizes: number[]): Tensor[] {
  check_split("vsplit", self, 2);
  return at.tensor_split_indices(self, split_sizes, 0);
}

// dsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]                   CompositeImplicitAutograd
export function dsplit_int(self: Tensor, split_size: number): Tensor[] {
  check_split("dsplit", self, 3);
  check_divisible("dsplit", self, 2, split_size);
  return at.tensor_split_sections(self, split_size, 2);
}
export function dsplit_array(self: Tensor, split_sizes: number[]): Tensor[] {
  check_split("dsplit", self, 3);
  return at.tensor_split_indices(self, split_sizes, 2);
}
