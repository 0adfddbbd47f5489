/**
 * @file Norms of matrices, and condition numbers.
 * @mirrors aten/src/ATen/native/LinearAlgebra.cpp
 */

import { printDouble } from "#aten/core/ivalue";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import {
  checkFloatingOrComplex,
  checkIsMatrix,
  checkLinalgCompatibleDtype,
  checkSameDevice,
  squareCheckInputs,
} from "#aten/native/LinearAlgebraUtils";
import { resize_output } from "#aten/native/Resize";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { Scalar } from "#c10/core/Scalar";
import { type ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_WARN_ONCE } from "#c10/util/Exception";
import { check_linalg_norm_dtype } from "./VectorNorm.ts";

type Dtype = ScalarType | null;
/** A number, or "fro" or "nuc". */
type Ord = Scalar | string;

function check_matrix_norm(A: Tensor, dim: number[], dtype: Dtype, low_precision: boolean): [number, number] {
  const name = "linalg.matrix_norm";
  checkIsMatrix(A, name);
  checkFloatingOrComplex(A, name, low_precision);
  TORCH_CHECK(dim.length === 2, name, ": dim must be a 2-tuple. Got ", dim.join(" "));
  const [first, second] = dim.map((d) => maybe_wrap_dim(d, A.dim())) as [number, number];
  TORCH_CHECK(first !== second, name, `: dims must be different. Got (${first}, ${second})`);
  check_linalg_norm_dtype(dtype, A.scalar_type(), name);
  return [first, second];
}

/** Without elements, the maximum is 0; there is no minimum. */
function max_min(A: Tensor, dim: number, ord: number, keepdim: boolean): Tensor {
  if (ord > 0 && A.size(dim) === 0) {
    const at_dim = maybe_wrap_dim(dim, A.dim());
    return at.zeros(keepdim ? A.sizes().with(at_dim, 1) : A.sizes().toSpliced(at_dim, 1), A.options());
  }
  return ord > 0 ? A.amax([dim], keepdim) : A.amin([dim], keepdim);
}

/** Applies `reduce` to the singular values of the matrices in two dims. */
function of_singular_values(
  A: Tensor,
  [first, second]: readonly [number, number],
  keepdim: boolean,
  dtype: Dtype,
  reduce: (values: Tensor) => Tensor,
): Tensor {
  const A_ = dtype === null ? A : A.to_dtype(dtype);
  const rest = [...A.sizes().keys()].filter((d) => d !== first && d !== second);
  const permutation = [...rest, first, second];
  const result = reduce(at.linalg_svdvals(A_.permute(permutation)));
  if (!keepdim) return result;
  const back = permutation.map((_, d) => permutation.indexOf(d));
  return result.unsqueeze(-1).permute(back);
}

function numeric_norm(A: Tensor, scalar_ord: Scalar, dim: number[], keepdim: boolean, dtype: Dtype): Tensor {
  const ord = scalar_ord.toDouble();
  const abs_ord = Math.abs(ord);
  TORCH_CHECK(
    abs_ord === 2 || abs_ord === 1 || abs_ord === Infinity,
    "linalg.matrix_norm: Order ",
    printDouble(ord),
    " not supported.",
  );
  const dims = check_matrix_norm(A, dim, dtype, abs_ord !== 2);
  if (abs_ord === 2) return of_singular_values(A, dims, keepdim, dtype, (values) => max_min(values, -1, ord, keepdim));
  // The maximum of the column sums; for Infinity, of the row sums.
  const [summed, kept] = abs_ord === Infinity ? [dims[1], dims[0]] : dims;
  const sums = at.linalg_vector_norm(A, Scalar.ONE, [summed], keepdim, dtype);
  return max_min(sums, !keepdim && summed < kept ? kept - 1 : kept, ord, keepdim);
}

function named_norm(A: Tensor, ord: string, dim: number[], keepdim: boolean, dtype: Dtype): Tensor {
  TORCH_CHECK(ord === "fro" || ord === "nuc", "linalg.matrix_norm: Order ", ord, " not supported.");
  const dims = check_matrix_norm(A, dim, dtype, ord !== "nuc");
  if (ord === "fro") return at.linalg_vector_norm(A, Scalar.fromInt(2), dims, keepdim, dtype);
  return of_singular_values(A, dims, keepdim, dtype, (values) => values.sum_dim_IntList([-1], keepdim));
}

/** Copies the norm `name` into a result of its dtype. */
function copy_out(name: string, value: Tensor, result: Tensor): Tensor {
  TORCH_CHECK(
    value.scalar_type() === result.scalar_type(),
    name,
    " expected out tensor dtype ",
    toString(value.scalar_type()),
    " but got: ",
    toString(result.scalar_type()),
  );
  resize_output(result, value.sizes());
  return result.copy_(value);
}

// linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2,-1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
//                                                                                    CompositeImplicitAutograd
export function linalg_matrix_norm(A: Tensor, ord: Ord, dim: number[], keepdim: boolean, dtype: Dtype): Tensor {
  return (typeof ord === "string" ? named_norm : numeric_norm)(A, ord as never, dim, keepdim, dtype);
}

export function linalg_matrix_norm_out(
  A: Tensor,
  ord: Ord,
  dim: number[],
  keepdim: boolean,
  dtype: Dtype,
  result: Tensor,
): Tensor {
  checkSameDevice("linalg.matrix_norm", A, result);
  const value =
    typeof ord === "string"
      ? at.linalg_matrix_norm_str_ord(A, ord, dim, keepdim, dtype)
      : at.linalg_matrix_norm(A, ord, dim, keepdim, dtype);
  return copy_out("linalg.matrix_norm", value, result);
}

// linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
//                                                                                    CompositeImplicitAutograd
/** Norm of a matrix or of a vector, depending on the number of dims. Without `ord`, the 2-norm of all elements. */
export function linalg_norm(X: Tensor, ord: Ord | null, dim: number[] | null, keepdim: boolean, dtype: Dtype): Tensor {
  TORCH_CHECK(
    dim === null || dim.length === 1 || dim.length === 2,
    "linalg.norm: If dim is specified, it must be of length 1 or 2. Got ",
    dim,
  );
  TORCH_CHECK(
    dim !== null || ord === null || X.dim() === 1 || X.dim() === 2,
    "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got ",
    X.dim(),
    "D.",
  );
  if (typeof ord === "string") return at.linalg_matrix_norm_str_ord(X, ord, dim ?? [0, 1], keepdim, dtype);
  if (ord !== null && (dim === null ? X.dim() === 2 : dim.length === 2))
    return at.linalg_matrix_norm(X, ord, dim ?? [0, 1], keepdim, dtype);
  return at.linalg_vector_norm(X, ord ?? Scalar.fromDouble(2), dim, keepdim, dtype);
}

export function linalg_norm_out(
  X: Tensor,
  ord: Ord | null,
  dim: number[] | null,
  keepdim: boolean,
  dtype: Dtype,
  result: Tensor,
): Tensor {
  checkSameDevice("linalg.norm", X, result);
  const value =
    typeof ord === "string"
      ? at.linalg_norm_ord_str(X, ord, dim, keepdim, dtype)
      : at.linalg_norm(X, ord, dim, keepdim, dtype);
  return copy_out("linalg.norm", value, result);
}

// Older names
// ---------------------------------------------------------------------------------------------------------------

function warn_older(self: Tensor, name: string, instead: string): void {
  self.device(); // throws for an undefined tensor, which has no device
  TORCH_WARN_ONCE(
    `at::${name} is deprecated and it is just left for JIT compatibility. `,
    "It will be removed in a future PyTorch release. Please use ",
    `\`${instead}\` instead`,
  );
}

function check_frobenius(self: Tensor, dim: readonly number[]): void {
  warn_older(self, "frobenius_norm", "linalg.vector_norm(A, 2., dim, keepdim)");
  TORCH_CHECK(dim.length <= 2, "Expected at most 2 dimensions, but got ", dim.length, " dimensions instead.");
}

export function frobenius_norm(self: Tensor, dim: number[], keepdim: boolean): Tensor {
  check_frobenius(self, dim);
  return at.norm_ScalarOpt_dim(self, Scalar.fromDouble(2), dim, keepdim);
}

export function frobenius_norm_out(self: Tensor, dim: number[], keepdim: boolean, result: Tensor): Tensor {
  check_frobenius(self, dim);
  return at.norm_out(self, Scalar.fromDouble(2), dim, keepdim, result);
}

/** Arguments are `(self, keepdim)` or `(self, dim, keepdim)`. */
export function nuclear_norm(self: Tensor, ...rest: [boolean] | [number[], boolean]): Tensor {
  const [dim, keepdim] = rest.length === 1 ? [[-2, -1], rest[0]] : rest;
  warn_older(self, "nuclear_norm", "linalg.matrix_norm(A, 'nuc', dim, keepdim)");
  return at.linalg_matrix_norm_str_ord(self, "nuc", dim, keepdim);
}

export function nuclear_norm_out(self: Tensor, ...rest: [boolean, Tensor] | [number[], boolean, Tensor]): Tensor {
  const [dim, keepdim, result] = rest.length === 2 ? [[-2, -1], ...rest] : rest;
  warn_older(self, "nuclear_norm", "linalg.matrix_norm(A, 'nuc', dim, keepdim)");
  return at.linalg_matrix_norm_str_ord_out(self, "nuc", dim as number[], keepdim as boolean, null, result as Tensor);
}

// cond ----------------------------------------------------------------------------------------------------------------------

function check_cond_ord(ord: Ord): void {
  const fine =
    typeof ord === "string" ? ord === "fro" || ord === "nuc" : [1, 2, Infinity].includes(Math.abs(ord.toDouble()));
  TORCH_CHECK(
    fine,
    "linalg.cond got an invalid norm type: ",
    typeof ord === "string" ? ord : printDouble(ord.toDouble()),
  );
}

/** |A| |A^-1|; infinity for a singular matrix, even if a norm is 0. */
function norm_times_norm_of_inverse(self: Tensor, ord: Ord): Tensor {
  const [inverse, info] = at.linalg_inv_ex(self);
  inverse.masked_fill__Scalar(info.unsqueeze(-1).unsqueeze(-1).gt_Scalar(Scalar.ZERO), Scalar.fromDouble(Infinity));
  const norm = (t: Tensor): Tensor =>
    typeof ord === "string" ? at.linalg_matrix_norm_str_ord(t, ord) : at.linalg_matrix_norm(t, ord);
  return norm(self).mul_Tensor(norm(inverse)).nan_to_num_(Infinity, Infinity, -Infinity);
}

// linalg_cond(Tensor self, Scalar? p=None) -> Tensor                                CompositeImplicitAutograd
export function linalg_cond(self: Tensor, opt_ord: Ord | null): Tensor {
  const ord = opt_ord ?? Scalar.fromInt(2);
  const zeros = (): Tensor => at.zeros(self.sizes().slice(0, -2), self.options());
  if (typeof ord === "string") {
    squareCheckInputs(self, `linalg.cond(ord=${ord})`);
    check_cond_ord(ord);
    if (self.numel() === 0) return zeros();
    if (ord !== "nuc") return norm_times_norm_of_inverse(self, ord);
    const values = at.linalg_svdvals(self); // a norm of infinities would be refused
    return values.sum_dim_IntList([-1]).mul_Tensor(values.reciprocal().sum_dim_IntList([-1]));
  }
  TORCH_CHECK(self.dim() >= 2, "linalg.cond: The input tensor must have at least 2 dimensions.");
  check_cond_ord(ord);
  if (self.numel() === 0) return zeros();
  const p = ord.toDouble();
  if (Math.abs(p) === 2) {
    const values = at.linalg_svdvals(self);
    const [s_max, s_min] = [values.narrow(-1, 0, 1), values.narrow(-1, -1, 1)];
    return (p < 0 ? s_min.div_Tensor(s_max) : s_max.div_Tensor(s_min)).squeeze_dim(-1);
  }
  const shown = ord.isFloatingPoint() ? (Number.isFinite(p) ? p.toFixed(6) : p < 0 ? "-inf" : "inf") : String(p);
  squareCheckInputs(self, `linalg.cond(ord=${shown})`);
  return norm_times_norm_of_inverse(self, ord);
}

export function linalg_cond_out(self: Tensor, ord: Ord | null, result: Tensor): Tensor {
  checkSameDevice("linalg.cond", result, self);
  checkLinalgCompatibleDtype("linalg.cond", result.scalar_type(), self.scalar_type());
  const value = typeof ord === "string" ? at.linalg_cond_p_str(self, ord) : at.linalg_cond(self, ord);
  resize_output(result, value.sizes());
  return result.copy_(value);
}
