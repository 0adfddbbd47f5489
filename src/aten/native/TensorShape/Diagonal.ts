/**
 * @file Diagonals: the view of a diagonal, matrices with a given diagonal, and the gradient.
 * @mirrors aten/src/ATen/native/TensorShape.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { canCast, toString } from "#c10/core/ScalarType";
import { guard_int } from "#c10/core/SymInt";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_CHECK } from "#c10/util/Exception";

function wrapped_pair(dim1: number, dim2: number, ndim: number): [number, number] {
  const pair: [number, number] = [maybe_wrap_dim(dim1, ndim), maybe_wrap_dim(dim2, ndim)];
  TORCH_CHECK(pair[0] !== pair[1], "diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  return pair;
}

// diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)    CompositeExplicitAutograd
// One step along the diagonal is one step along both dims, so the strides are added.
export function diagonal(self: Tensor, offset_: number, dim1_: number, dim2_: number): Tensor {
  const offset = Number(offset_); // beyond 2^53 it is a bigint; only its size matters
  const [dim1, dim2] = wrapped_pair(dim1_, dim2_, self.dim());
  const [sizes, strides] = [self.sizes(), self.strides()];
  const diag_size = Math.max(
    offset >= 0 ? Math.min(sizes[dim1], sizes[dim2] - offset) : Math.min(sizes[dim1] + offset, sizes[dim2]),
    0,
  );
  let storage_offset = self.storage_offset();
  if (diag_size > 0) storage_offset += offset >= 0 ? offset * strides[dim2] : -offset * strides[dim1];
  const others = (_: number, d: number) => d !== dim1 && d !== dim2;
  return self.as_strided(
    [...sizes.filter(others), diag_size],
    [...strides.filter(others), strides[dim1] + strides[dim2]],
    storage_offset,
  );
}

// diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int dim2) -> Tensor     CompositeExplicitAutograd
export function diagonal_backward_symint(
  grad: Tensor,
  input_sizes: number[],
  offset: number,
  dim1: number,
  dim2: number,
): Tensor {
  const grad_input = at.zeros(input_sizes, grad.options());
  grad_input.diagonal(offset, dim1, dim2).copy_(grad);
  return grad_input;
}

// diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor      CompositeExplicitAutogradNonFunctional
export function diag_embed(self: Tensor, offset: number, dim1_: number, dim2_: number): Tensor {
  const [dim1, dim2] = wrapped_pair(dim1_, dim2_, self.dim() + 1);
  const new_dim_len = Math.abs(guard_int(offset)) + self.size(-1);
  const sizes = self.sizes().slice(0, -1);
  sizes.splice(Math.min(dim1, dim2), 0, new_dim_len);
  sizes.splice(Math.max(dim1, dim2), 0, new_dim_len);
  const result = at.zeros(sizes, self.options());
  result.diagonal(offset, dim1, dim2).copy_(self);
  return result;
}

function check_diag(self: Tensor, prefix: string): void {
  const ndim = self.dim();
  TORCH_CHECK(ndim === 1 || ndim === 2, prefix, "Supports 1D or 2D tensors. Got ", ndim, "D");
}

// diag(Tensor self, int diagonal=0) -> Tensor                                    CompositeImplicitAutograd
export function diag(self: Tensor, offset: number): Tensor {
  check_diag(self, "diag(): ");
  return self.dim() === 1 ? at.diag_embed(self, offset) : at.diagonal_copy(self, offset);
}

// diag.out(Tensor self, int diagonal=0, *, Tensor(a!) out) -> Tensor(a!)         CompositeImplicitAutograd
export function diag_out(self: Tensor, offset: number, out: Tensor): Tensor {
  check_diag(self, "");
  if (self.dim() === 2) return at.diagonal_copy_out(self, offset, 0, 1, out);
  TORCH_CHECK(
    canCast(self.scalar_type(), out.scalar_type()),
    "diag: result type ",
    toString(self.scalar_type()),
    " can't be cast to the desired out= type ",
    toString(out.scalar_type()),
  );
  return at.diag_embed_out(self, offset, -2, -1, out);
}

// diagflat(Tensor self, int offset=0) -> Tensor                                  CompositeImplicitAutograd
export function diagflat(self: Tensor, offset: number): Tensor {
  return self.contiguous().view([-1]).diag(offset);
}
