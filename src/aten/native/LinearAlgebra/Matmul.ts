/**
 * @file `matmul`: one operator for every pair of shapes, composed of the other products.
 * @mirrors aten/src/ATen/native/LinearAlgebra.cpp
 */
import { infer_size_dimvector } from "#aten/ExpandUtils";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { resize_output } from "#aten/native/Resize";
import { isTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { GradMode } from "#c10/core/GradMode";
import { multiply_integers } from "#c10/util/accumulate";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

// Note [When matmul folds]
// ~~~~~~~~~~~~~~~~~~~~~~~~
// (b..., n, k) @ (k, p) could be a bmm with the matrix repeated, or one mm of (b... * n, k) with it. Folding is faster
// if the larger tensor can be viewed with two dims without a copy. If the smaller one requires grad, folding is always
// used: otherwise the backward of expand would compute a gradient for every repetition and sum them.
function should_fold(tensor1: Tensor, tensor2: Tensor, has_out: boolean): boolean {
  const tensor1_larger = tensor1.dim() >= tensor2.dim();
  const t1 = tensor1_larger ? tensor1 : tensor2.mT();
  const t2 = tensor1_larger ? tensor2 : tensor1;
  const dim_t1 = t1.dim();
  if (!(dim_t1 >= 3 && t2.dim() <= 2)) return false;
  if (t2.requires_grad() && !has_out) return true;
  // A matrix on the left would fold the transposed batch, and the result would have to be transposed by a copy.
  if (tensor1.dim() === 2) return false;
  if (t1.numel() === 0) return true;
  const shape = t1.sizes();
  const stride = t1.strides();
  for (let i = 0; i < dim_t1 - 2; i++) {
    if (shape[i] !== 1 && stride[i] !== stride[i + 1] * shape[i + 1]) return false;
  }
  return true;
}

function matmul_folded(out: Tensor, tensor1: Tensor, tensor2: Tensor): Tensor {
  const has_out = out.defined();
  const transpose = tensor2.dim() > tensor1.dim();
  const t1 = transpose ? tensor2.mT() : tensor1;
  const t2 = !transpose ? tensor2 : tensor1.dim() === 2 ? tensor1.t() : tensor1;
  const last = t1.sizes()[t1.dim() - 1];
  const output_shape = t1.sizes().slice(0, -1);
  const folded_dim1 = multiply_integers(output_shape);
  const t2_is_matrix = t2.dim() === 2;
  if (t2_is_matrix) output_shape.push(t2.size(1));
  const t1_folded = t1.reshape([folded_dim1, last]);
  if (!has_out) {
    if (!t2_is_matrix) return at._unsafe_view(t1_folded.mv(t2), output_shape);
    const output = at._unsafe_view(t1_folded.mm(t2), output_shape);
    return transpose ? output.mT().contiguous() : output;
  }
  TORCH_INTERNAL_ASSERT(!(transpose && t2_is_matrix));
  resize_output(out, output_shape);
  const reshaped_out = out.reshape(t2_is_matrix ? [folded_dim1, t2.size(1)] : [folded_dim1]);
  if (t2_is_matrix) at.mm_out(t1_folded, t2, reshaped_out);
  else at.mv_out(t1_folded, t2, reshaped_out);
  if (!reshaped_out.is_alias_of(out)) out.copy_(reshaped_out);
  return out;
}

function matmul_batched(out: Tensor, tensor1: Tensor, tensor2: Tensor): Tensor {
  const dim1 = tensor1.dim();
  const dim2 = tensor2.dim();
  const sizes1 = tensor1.sizes();
  const sizes2 = tensor2.sizes();
  const vector_rhs = dim2 === 1;
  // (batch1..., n, m1) @ (batch2..., m2, p); a vector on the left is one row, on the right one column.
  const n = dim1 > 1 ? sizes1[dim1 - 2] : 1;
  const m1 = sizes1[dim1 - 1];
  const m2 = vector_rhs ? sizes2[0] : sizes2[dim2 - 2];
  const p = vector_rhs ? 1 : sizes2[dim2 - 1];
  const batch1 = sizes1.slice(0, Math.max(dim1 - 2, 0));
  const batch2 = sizes2.slice(0, Math.max(dim2 - 2, 0));

  // It is better to fold a batch of one that requires grad: see the Note.
  if (dim1 === 3 && dim2 === 3 && batch1[0] !== batch2[0]) {
    if (batch1[0] === 1 && (tensor1.requires_grad() || isTensorSubclassLike(tensor1)))
      return _matmul_impl(out, tensor1.squeeze_dim(0), tensor2);
    if (batch2[0] === 1 && (tensor2.requires_grad() || isTensorSubclassLike(tensor2)))
      return _matmul_impl(out, tensor1, tensor2.squeeze_dim(0));
  }

  const output_shape = infer_size_dimvector(batch1, batch2);
  const batches = multiply_integers(output_shape);
  const tensor1_expanded = tensor1.expand([...output_shape, n, m1]).reshape([batches, n, m1]);
  const tensor2_expanded = vector_rhs
    ? tensor2
        .expand([...output_shape, m2])
        .reshape([batches, m2])
        .unsqueeze(2)
    : tensor2.expand([...output_shape, m2, p]).reshape([batches, m2, p]);
  if (dim1 > 1) output_shape.push(n);
  if (dim2 > 1) output_shape.push(p);

  if (!out.defined()) {
    const output = tensor1_expanded.bmm(tensor2_expanded);
    return at._unsafe_view(vector_rhs ? output.squeeze_dim(-1) : output, output_shape);
  }
  resize_output(out, output_shape);
  let reshaped_out = out.reshape([batches, n, p]);
  at.bmm_out(tensor1_expanded, tensor2_expanded, reshaped_out);
  if (vector_rhs) reshaped_out = reshaped_out.squeeze_dim(-1);
  if (!reshaped_out.is_alias_of(out)) out.copy_(reshaped_out.view_as(out));
  return out;
}

/** If `out` is undefined, a new tensor is returned. */
export function _matmul_impl(out: Tensor, tensor1: Tensor, tensor2: Tensor): Tensor {
  const dim1 = tensor1.dim();
  const dim2 = tensor2.dim();
  TORCH_CHECK(
    dim1 !== 0 && dim2 !== 0,
    "both arguments to matmul need to be at least 1D, but they are ",
    dim1,
    "D and ",
    dim2,
    "D",
  );
  const has_out = out.defined();
  if (has_out) {
    TORCH_CHECK(
      !(tensor1.requires_grad() || tensor2.requires_grad() || out.requires_grad()) || !GradMode.is_enabled(),
      "matmul(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad.",
    );
  }
  if (dim1 === 1 && dim2 === 1) return has_out ? at.dot_out(tensor1, tensor2, out) : tensor1.dot(tensor2);
  if (dim1 === 2 && dim2 === 1) return has_out ? at.mv_out(tensor1, tensor2, out) : tensor1.mv(tensor2);
  if (dim1 === 1 && dim2 === 2) {
    const row = tensor1.unsqueeze(0);
    return (has_out ? at.mm_out(row, tensor2, out) : row.mm(tensor2)).squeeze__dim(0);
  }
  if (dim1 === 2 && dim2 === 2) return has_out ? at.mm_out(tensor1, tensor2, out) : tensor1.mm(tensor2);
  if (should_fold(tensor1, tensor2, has_out)) return matmul_folded(out, tensor1, tensor2);
  return matmul_batched(out, tensor1, tensor2);
}

// matmul(Tensor self, Tensor other) -> Tensor                                       CompositeImplicitAutograd
export function matmul(self: Tensor, other: Tensor): Tensor {
  return _matmul_impl(new Tensor(), self, other);
}

// matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)            CompositeImplicitAutograd
export function matmul_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  return _matmul_impl(out, self, other);
}

// linalg_matmul(Tensor self, Tensor other) -> Tensor                                CompositeImplicitAutograd
export function linalg_matmul(self: Tensor, other: Tensor): Tensor {
  return at.matmul(self, other);
}

export function linalg_matmul_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  return at.matmul_out(self, other, out);
}
