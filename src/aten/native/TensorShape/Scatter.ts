/**
 * @file Copies of a tensor with another one written over a view of it: `slice_scatter`, `select_scatter`,
 * `diagonal_scatter`, `as_strided_scatter`.
 * @mirrors aten/src/ATen/native/TensorShape.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { has_internal_overlap, MemOverlap } from "#aten/MemoryOverlap";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

// Note [A copy with the same strides]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// If the writes through views in a program are replaced by these functions, the program should see the same strides and
// offset as before. So the whole storage is copied, and the copy gets `self`'s geometry.
function clone_preserve_strides(self: Tensor): Tensor {
  if (has_internal_overlap(self) === MemOverlap.Yes) return self.clone(); // one cannot write into such a tensor
  const nbytes = self.storage().nbytes();
  TORCH_INTERNAL_ASSERT(nbytes % self.itemsize() === 0);
  const self_full_size = self.as_strided([nbytes / self.itemsize()], [1], 0);
  return self_full_size.clone().as_strided(self.sizes(), self.strides(), self.storage_offset());
}

function written(self: Tensor, view_of: (t: Tensor) => Tensor, src: Tensor): Tensor {
  const output = clone_preserve_strides(self);
  const slice = view_of(output);
  const [size, wanted] = [src.sizes(), slice.sizes()];
  TORCH_CHECK(
    size.length === wanted.length && size.every((n, d) => n === wanted[d]),
    "expected src to have a size equal to the slice of self. src size = ",
    size,
    ", slice size = ",
    wanted,
  );
  slice.copy_(src);
  return output;
}

// slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor
export function slice_scatter(
  self: Tensor,
  src: Tensor,
  dim: number,
  start: number | null,
  end: number | null,
  step: number,
): Tensor {
  return written(self, (t) => t.slice_Tensor(dim, start, end, step), src);
}

// select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor       CompositeExplicitAutogradNonFunctional
export function select_scatter_symint(self: Tensor, src: Tensor, dim: number, index: number): Tensor {
  return written(self, (t) => t.select_int(dim, index), src);
}

// diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor     CompositeExplicitAutogradNonFunctional
export function diagonal_scatter(self: Tensor, src: Tensor, offset: number, dim1: number, dim2: number): Tensor {
  return written(self, (t) => t.diagonal(offset, dim1, dim2), src);
}

// as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor
//                                                                                CompositeExplicitAutogradNonFunctional
export function as_strided_scatter_symint(
  self: Tensor,
  src: Tensor,
  size: number[],
  stride: number[],
  storage_offset: number | null,
): Tensor {
  TORCH_INTERNAL_ASSERT(
    !self.requires_grad() || self.is_contiguous(),
    "as_strided_scatter is currently only supported for contiguous inputs",
  );
  return written(self, (t) => t.as_strided(size, stride, storage_offset), src);
}
