/**
 * @file Views: the same storage with other sizes and strides. Nearly all of them call `as_strided`, which can express
 * every other view; only `view` builds its result directly.
 * @mirrors aten/src/ATen/native/TensorShape.cpp
 * @see Slice.ts (select, slice, split), Join.ts (cat, stack): other parts of the same PyTorch file
 */
import { expand_outplace_TensorList, inferExpandGeometry } from "#aten/ExpandUtils";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { infer_size } from "#aten/InferSize";
import { type BoundsCheck, setStrided } from "#aten/native/Resize";
import { isTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { computeStride } from "#aten/TensorUtils/index";
import { dim_list_to_bitset } from "#aten/WrapDimUtilsMulti";
import { Layout, toString as layoutToString } from "#c10/core/Layout";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { TensorImpl } from "#c10/core/TensorImpl/index";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_CHECK, TORCH_WARN_ONCE } from "#c10/util/Exception";

/**
 * A second tensor over `self`'s storage and offset. Precondition: the new geometry stays within the range of `self`.
 */
function alias_with_sizes_and_strides(self: Tensor, sizes: number[], strides: number[]): Tensor {
  const impl = self.impl_;
  const result = TensorImpl.view(impl.storage(), impl.key_set_, impl.dtype());
  result.set_sizes_and_strides(sizes, strides, impl.storage_offset());
  return new Tensor(result);
}

// alias(Tensor(a) self) -> Tensor(a)                                             CompositeExplicitAutograd
export function alias(self: Tensor): Tensor {
  return alias_with_sizes_and_strides(self, self.sizes(), self.strides());
}

function view_impl(self: Tensor, size: number[]): Tensor {
  const shape = infer_size(size, self.numel());
  const stride = computeStride(self.sizes(), self.strides(), shape);
  TORCH_CHECK(
    stride !== null,
    "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous " +
      "subspaces). Use .reshape(...) instead.",
  );
  return alias_with_sizes_and_strides(self, shape, stride);
}

// view(Tensor(a) self, SymInt[] size) -> Tensor(a)                               CPU, Meta
export function view(self: Tensor, size: number[]): Tensor {
  return view_impl(self, size);
}

// _unsafe_view(Tensor self, SymInt[] size) -> Tensor                             CompositeExplicitAutograd
// "Unsafe" because autograd does not know that the result is a view: only for a temporary that nothing else refers to.
export function _unsafe_view(self: Tensor, size: number[]): Tensor {
  return view_impl(self, size);
}

// _reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)    CPU, Meta
// `reshape` calls this after it has found the strides, so that they are not computed twice.
export function _reshape_alias(self: Tensor, sizes: number[], strides: number[]): Tensor {
  return alias_with_sizes_and_strides(self, sizes, strides);
}

// reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)                           CompositeImplicitAutograd
export function reshape_symint(self: Tensor, proposed_shape: number[]): Tensor {
  if (self.is_contiguous()) return self.view(proposed_shape);
  const shape = infer_size(proposed_shape, self.numel());
  const stride = computeStride(self.sizes(), self.strides(), shape);
  // A mode or a subclass should see the public operator: it need not know `_reshape_alias`.
  if (stride !== null) return isTensorSubclassLike(self) ? self.view(shape) : self._reshape_alias(shape, stride);
  return at._unsafe_view(self.clone(MemoryFormat.Contiguous), shape);
}

// reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)                          CompositeImplicitAutograd
export function reshape_as(self: Tensor, other: Tensor): Tensor {
  return self.reshape(other.sizes());
}

// view_as(Tensor(a) self, Tensor other) -> Tensor(a)                             CompositeImplicitAutograd
export function view_as(self: Tensor, other: Tensor): Tensor {
  return self.view(other.sizes());
}

// flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)     CompositeImplicitAutograd
export function flatten(self: Tensor, start_dim: number, end_dim: number): Tensor {
  const start = maybe_wrap_dim(start_dim, self.dim());
  const end = maybe_wrap_dim(end_dim, self.dim());
  TORCH_CHECK(start <= end, "flatten() has invalid args: start_dim cannot come after end_dim");
  if (self.dim() === 0) return self.reshape([1]);
  if (start === end) return self;
  const sizes = self.sizes();
  // The flattened size is computed, not left as -1: with an empty dimension -1 would be ambiguous.
  const flattened = sizes.slice(start, end + 1).reduce((product, size) => product * size, 1);
  return reshape_symint(self, [...sizes.slice(0, start), flattened, ...sizes.slice(end + 1)]);
}

// as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)      CPU
export function as_strided_tensorimpl(
  self: Tensor,
  size: number[],
  stride: number[],
  storage_offset: number | null,
): Tensor {
  return strided_view(self, size, stride, storage_offset, "int");
}

function strided_view(
  self: Tensor,
  size: number[],
  stride: number[],
  storage_offset: number | null,
  bounds: BoundsCheck,
): Tensor {
  const impl = self.impl_;
  const result = TensorImpl.view(impl.storage(), impl.key_set_, impl.dtype());
  setStrided(result, size, stride, storage_offset ?? impl.storage_offset(), bounds);
  return new Tensor(result);
}

// Same schema; it may reach past the end of a storage, which does not exist here    Meta
export function as_strided_tensorimpl_meta_symint(
  self: Tensor,
  size: number[],
  stride: number[],
  storage_offset: number | null,
): Tensor {
  return strided_view(self, size, stride, storage_offset, "none");
}

// as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None)     CompositeExplicitAutogradNonFunctional
export function as_strided__symint(
  self: Tensor,
  size: number[],
  stride: number[],
  storage_offset: number | null,
): Tensor {
  setStrided(self.impl_, size, stride, storage_offset ?? self.storage_offset(), "symint");
  return self;
}

// expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)     CompositeExplicitAutograd
// `implicit` is only for the tracer: it says that the call came from broadcasting and not from the user.
export function expand(self: Tensor, size: number[], _implicit: boolean): Tensor {
  TORCH_CHECK(
    size.length >= self.dim(),
    `expand(${self.toString()}{[${self.sizes().join(", ")}]}, size=`,
    size,
    "): the number of sizes provided (",
    size.length,
    ") must be greater or equal to the number of dimensions in the tensor (",
    self.dim(),
    ")",
  );
  const geometry = inferExpandGeometry(self.sizes(), self.strides(), size);
  return self.as_strided(geometry.sizes, geometry.strides);
}

// expand_as(Tensor(a) self, Tensor other) -> Tensor(a)                           CompositeImplicitAutograd
export function expand_as(self: Tensor, other: Tensor): Tensor {
  return self.expand(other.sizes());
}

// broadcast_tensors(Tensor[] tensors) -> Tensor[]                                CompositeImplicitAutograd
export function broadcast_tensors(tensors: Tensor[]): Tensor[] {
  return expand_outplace_TensorList(tensors);
}

// broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)                       CompositeImplicitAutograd
export function broadcast_to_symint(self: Tensor, size: number[]): Tensor {
  return self.expand(size);
}

// permute(Tensor(a) self, int[] dims) -> Tensor(a)                               CompositeExplicitAutograd
export function permute(self: Tensor, dims: number[]): Tensor {
  const ndim = self.dim();
  TORCH_CHECK(
    ndim === dims.length,
    "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of " +
      "dimensions i.e. input.dim() = ",
    ndim,
    " is not equal to len(dims) = ",
    dims.length,
  );
  const sizes = new Array<number>(ndim);
  const strides = new Array<number>(ndim);
  const seen = new Array<boolean>(ndim).fill(false);
  for (let i = 0; i < ndim; i++) {
    const dim = maybe_wrap_dim(dims[i], ndim);
    TORCH_CHECK(!seen[dim], "permute(): duplicate dims are not allowed.");
    seen[dim] = true;
    sizes[i] = self.sizes()[dim];
    strides[i] = self.strides()[dim];
  }
  return self.as_strided(sizes, strides);
}

function swapped(values: readonly number[], dim0: number, dim1: number): number[] {
  const result = values.slice();
  result[dim0] = values[dim1];
  result[dim1] = values[dim0];
  return result;
}

// transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)                 CompositeExplicitAutograd
export function transpose(self: Tensor, dim0: number, dim1: number): Tensor {
  const ndim = self.dim();
  const first = maybe_wrap_dim(dim0, ndim);
  const second = maybe_wrap_dim(dim1, ndim);
  if (first === second) return self.alias();
  return self.as_strided(swapped(self.sizes(), first, second), swapped(self.strides(), first, second));
}

// transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)                  CompositeExplicitAutograd
export function transpose_(self: Tensor, dim0: number, dim1: number): Tensor {
  const ndim = self.dim();
  const first = maybe_wrap_dim(dim0, ndim);
  const second = maybe_wrap_dim(dim1, ndim);
  if (first === second) return self;
  return self.as_strided_(swapped(self.sizes(), first, second), swapped(self.strides(), first, second));
}

function check_t(self: Tensor, fn: string): void {
  TORCH_CHECK(self.dim() <= 2, fn, " expects a tensor with <= 2 dimensions, but self is ", self.dim(), "D");
}

// t(Tensor(a) self) -> Tensor(a)                                                 CompositeExplicitAutograd
export function t(self: Tensor): Tensor {
  check_t(self, "t()");
  return self.transpose_int(0, self.dim() < 2 ? 0 : 1);
}

// t_(Tensor(a!) self) -> Tensor(a!)                                              CompositeExplicitAutograd
export function t_(self: Tensor): Tensor {
  check_t(self, "t_()");
  return self.transpose_(0, self.dim() < 2 ? 0 : 1);
}

// numpy_T(Tensor(a) self) -> Tensor(a)                                           CompositeImplicitAutograd
export function numpy_T(self: Tensor): Tensor {
  const n = self.dim();
  if (n === 0) {
    TORCH_WARN_ONCE("Tensor.T is deprecated on 0-D tensors. This function is the identity in these cases.");
  } else if (n !== 2) {
    TORCH_WARN_ONCE(
      "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw an error in " +
        "a future release. Consider `x.mT` to transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` " +
        "to reverse the dimensions of a tensor.",
    );
  }
  return self.permute(Array.from({ length: n }, (_, i) => n - 1 - i));
}

// matrix_H(Tensor(a) self) -> Tensor(a)                                          CompositeImplicitAutograd
export function matrix_H(self: Tensor): Tensor {
  const ndim = self.dim();
  if (ndim === 0) {
    TORCH_WARN_ONCE("Tensor.H is deprecated on 0-D tensors. Consider using x.conj().");
    return self.is_complex() ? self.conj() : self;
  }
  TORCH_CHECK(
    ndim === 2,
    "tensor.H is only supported on matrices (2-D tensors). Got ",
    ndim,
    "-D tensor.",
    ndim > 2 ? " For batches of matrices, consider using tensor.mH" : "",
  );
  const transposed = self.transpose_int(0, 1);
  return self.is_complex() ? transposed.conj() : transposed;
}

// mT(Tensor(a) self) -> Tensor(a)                                                CompositeImplicitAutograd
export function mT(self: Tensor): Tensor {
  if (self.dim() === 0) {
    TORCH_WARN_ONCE("Tensor.mT is deprecated on 0-D tensors. This function is the identity in these cases.");
    return self;
  }
  TORCH_CHECK(
    self.dim() >= 2,
    "tensor.mT is only supported on matrices or batches of matrices. Got ",
    self.dim(),
    "-D tensor.",
  );
  return self.transpose_int(-2, -1);
}

// mH(Tensor(a) self) -> Tensor(a)                                                CompositeImplicitAutograd
export function mH(self: Tensor): Tensor {
  if (self.dim() === 0) {
    TORCH_WARN_ONCE("Tensor.mH is deprecated on 0-D tensors. Consider using x.conj().");
    return self.is_complex() ? self.conj() : self;
  }
  TORCH_CHECK(
    self.dim() >= 2,
    "tensor.mH is only supported on matrices or batches of matrices. Got ",
    self.dim(),
    "-D tensor.",
  );
  const transposed = self.transpose_int(-2, -1);
  return self.is_complex() ? transposed.conj() : transposed;
}

// adjoint(Tensor(a) self) -> Tensor(a)                                           CompositeImplicitAutograd
export function adjoint(self: Tensor): Tensor {
  if (self.dim() === 0) {
    TORCH_WARN_ONCE("adjoint() is deprecated on 0-D tensors. Consider using x.conj().");
    return self.is_complex() ? self.conj() : self;
  }
  TORCH_CHECK(
    self.dim() >= 2,
    "tensor.adjoint() is only supported on matrices or batches of matrices. Got ",
    self.dim(),
    "-D tensor.",
  );
  const transposed = self.transpose_int(-2, -1);
  return self.is_complex() ? transposed.conj() : transposed;
}

interface Geometry {
  readonly sizes: number[];
  readonly strides: number[];
}

/** `self`'s geometry without the dimensions that `drop` selects and that have size 1. */
function inferSqueezeGeometry(self: Tensor, drop: (dim: number) => boolean): Geometry {
  const sizes: number[] = [];
  const strides: number[] = [];
  for (let dim = 0; dim < self.dim(); dim++) {
    if (self.sizes()[dim] === 1 && drop(dim)) continue;
    sizes.push(self.sizes()[dim]);
    strides.push(self.strides()[dim]);
  }
  return { sizes, strides };
}

function squeezeGeometry_dims(self: Tensor, dims: number[]): Geometry {
  const mask = dim_list_to_bitset(dims, self.dim());
  return inferSqueezeGeometry(self, (dim) => mask[dim]);
}

// squeeze(Tensor(a) self) -> Tensor(a)                                           CompositeExplicitAutograd
export function squeeze(self: Tensor): Tensor {
  const g = inferSqueezeGeometry(self, () => true);
  return self.as_strided(g.sizes, g.strides);
}

// squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)                              CompositeExplicitAutograd
export function squeeze_dim(self: Tensor, dim: number): Tensor {
  const wrapped = maybe_wrap_dim(dim, self.dim());
  const g = inferSqueezeGeometry(self, (d) => d === wrapped);
  return self.as_strided(g.sizes, g.strides);
}

// squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)                           CompositeExplicitAutograd
export function squeeze_dims(self: Tensor, dims: number[]): Tensor {
  const g = squeezeGeometry_dims(self, dims);
  return self.as_strided(g.sizes, g.strides);
}

// squeeze_(Tensor(a!) self) -> Tensor(a!)                                        CompositeExplicitAutograd
export function squeeze_(self: Tensor): Tensor {
  const g = inferSqueezeGeometry(self, () => true);
  return self.as_strided_(g.sizes, g.strides);
}

// squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)                           CompositeExplicitAutograd
export function squeeze__dim(self: Tensor, dim: number): Tensor {
  const wrapped = maybe_wrap_dim(dim, self.dim());
  const g = inferSqueezeGeometry(self, (d) => d === wrapped);
  return self.as_strided_(g.sizes, g.strides);
}

// squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)                        CompositeExplicitAutograd
export function squeeze__dims(self: Tensor, dims: number[]): Tensor {
  const g = squeezeGeometry_dims(self, dims);
  return self.as_strided_(g.sizes, g.strides);
}

/** A new dimension of size 1 at `dim`, with the stride that a contiguous tensor would have there. */
function inferUnsqueezeGeometry(self: Tensor, dim: number): Geometry {
  const sizes = self.sizes().slice();
  const strides = self.strides().slice();
  const stride = dim >= self.dim() ? 1 : sizes[dim] * strides[dim];
  sizes.splice(dim, 0, 1);
  strides.splice(dim, 0, stride);
  return { sizes, strides };
}

// unsqueeze(Tensor(a) self, int dim) -> Tensor(a)                                CompositeExplicitAutograd
export function unsqueeze(self: Tensor, dim: number): Tensor {
  const g = inferUnsqueezeGeometry(self, maybe_wrap_dim(dim, self.dim() + 1));
  return self.as_strided(g.sizes, g.strides);
}

// unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)                             CompositeExplicitAutograd
export function unsqueeze_(self: Tensor, dim: number): Tensor {
  const g = inferUnsqueezeGeometry(self, maybe_wrap_dim(dim, self.dim() + 1));
  return self.as_strided_(g.sizes, g.strides);
}

// detach(Tensor(a) self) -> Tensor(a)                                            CompositeExplicitAutograd
// The autograd kernel above this one cuts the graph; this one makes a shallow copy with its own version counter.
export function detach(self: Tensor): Tensor {
  return new Tensor(self.impl_.shallow_copy_and_detach(0, false));
}

// detach_(Tensor(a!) self) -> Tensor(a!)                                         CompositeExplicitAutograd
export function detach_(self: Tensor): Tensor {
  return self;
}

// lift(Tensor self) -> Tensor                                                    CompositeExplicitAutograd
export function lift(self: Tensor): Tensor {
  return self;
}

// lift_fresh(Tensor(a) self) -> Tensor(a)                                        CompositeExplicitAutograd
// `torch.tensor` passes its new tensor through this operator, so that a mode (functionalization, fake tensors) can see
// it; otherwise nothing happens.
export function lift_fresh(self: Tensor): Tensor {
  return self;
}

// sparse_dim(Tensor self) -> int                                                 CompositeExplicitAutograd
export function sparse_dim_default(self: Tensor): number {
  TORCH_CHECK(
    self.layout() === Layout.Strided,
    "sparse_dim expected sparse or strided tensor layout but got ",
    layoutToString(self.layout()),
  );
  return 0;
}

// dense_dim(Tensor self) -> int                                                  CompositeExplicitAutograd
export function dense_dim_default(self: Tensor): number {
  TORCH_CHECK(
    self.layout() === Layout.Strided,
    "dense_dim expected sparse or strided tensor layout but got ",
    layoutToString(self.layout()),
  );
  return self.dim();
}
