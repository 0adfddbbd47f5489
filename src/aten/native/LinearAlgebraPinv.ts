/**
 * @file Pseudoinverses and ranks, by singular values that count as zero; powers of matrices.
 * @mirrors aten/src/ATen/native/LinearAlgebra.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import type { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { checkIsMatrix, checkLinalgCompatibleDtype, squareCheckInputs } from "./LinearAlgebraUtils.ts";
import { resize_output } from "./Resize.ts";

/** A tolerance as C++'s overloads take it. */
type Tol = Tensor | number | null;

function double_options(input: Tensor): TensorOptions {
  return input.options().dtype(ScalarType.Double);
}

function as_tensor(tol: Tensor | number, input: Tensor): Tensor {
  return typeof tol === "number" ? at.full([], Scalar.fromDouble(tol), double_options(input)) : tol;
}

function get_epsilon(dtype: ScalarType): number {
  TORCH_CHECK(
    dtype === ScalarType.Float || dtype === ScalarType.Double,
    "This function doesn't handle types other than float and double",
  );
  return dtype === ScalarType.Float ? 2 ** -23 : 2 ** -52;
}

/** The relative one is eps * max(rows, columns), unless there is an absolute one. */
function get_atol_rtol(input: Tensor, atol_opt: Tol, rtol_opt: Tol): [atol: Tensor, rtol: Tensor] {
  const atol = as_tensor(atol_opt ?? 0, input);
  if (rtol_opt !== null) return [atol, as_tensor(rtol_opt, input)];
  const usual = get_epsilon(input.scalar_type()) * Math.max(input.size(-1), input.size(-2));
  const default_rtol = as_tensor(usual, input);
  if (atol_opt === null) return [atol, default_rtol];
  return [atol, at.where_self(atol.gt_Scalar(Scalar.ZERO), as_tensor(0, input), default_rtol)];
}

/** What is not above max(atol, rtol * greatest) counts as zero. */
function tolerance(atol: Tensor, rtol: Tensor, greatest: Tensor): Tensor {
  return at.maximum(atol.unsqueeze(-1), rtol.unsqueeze(-1).mul_Tensor(greatest));
}

// pinv ----------------------------------------------------------------------------------------------------------------------

function pinv(input: Tensor, atol_opt: Tol, rtol_opt: Tol, hermitian: boolean): Tensor {
  const t = input.scalar_type();
  TORCH_CHECK(
    (t === ScalarType.Double || t === ScalarType.Float) && input.dim() >= 2,
    `linalg.pinv(${toString(t)}{`,
    input.sizes(),
    "}): expected a tensor with 2 or more dimensions of float, double, cfloat or cdouble types",
  );
  const [atol, rtol] = get_atol_rtol(input, atol_opt, rtol_opt);
  if (input.numel() === 0) {
    const [U, S, V] = input.svd();
    return at.matmul(V.mul_Tensor(S.reciprocal().unsqueeze(-2)), U.mH());
  }
  const inverted = (S: Tensor, sizes: Tensor, greatest: Tensor): Tensor => {
    const above = sizes.gt_Tensor(tolerance(atol, rtol, greatest));
    return at.where_self(above, S.reciprocal(), at.zeros([], S.options())).to_dtype(t).unsqueeze(-2);
  };
  if (!hermitian) {
    const [U, S, V] = input.svd();
    return at.matmul(V.mul_Tensor(inverted(S, S, S.narrow(-1, 0, 1))), U.mH());
  }
  const [S, U] = at.linalg_eigh(input);
  const S_abs = S.abs();
  return at.matmul(U.mul_Tensor(inverted(S, S_abs, S_abs.amax([-1], true))), U.mH());
}

// linalg_pinv.atol_rtol_tensor                                                      CompositeExplicitAutogradNonFunctional
// linalg_pinv.atol_rtol_float, linalg_pinv, linalg_pinv.rcond_tensor                CompositeImplicitAutograd
export function linalg_pinv(input: Tensor, ...rest: [Tol, Tol, boolean] | [Tensor | number, boolean]): Tensor {
  if (rest.length === 2) {
    const [rcond, hermitian] = rest; // as NumPy's: relative
    return at.linalg_pinv_atol_rtol_tensor(input, as_tensor(0, input), as_tensor(rcond, input), hermitian);
  }
  const [atol, rtol, hermitian] = rest;
  if (typeof atol !== "number" && typeof rtol !== "number" && (atol !== null || rtol !== null))
    return pinv(input, atol, rtol, hermitian);
  if (atol === null && rtol === null) return pinv(input, null, null, hermitian);
  return at.linalg_pinv_atol_rtol_tensor(input, ...get_atol_rtol(input, atol, rtol), hermitian);
}

function copy_out(value: Tensor, result: Tensor): Tensor {
  checkLinalgCompatibleDtype("linalg.pinv", result, value);
  resize_output(result, value.sizes());
  return result.copy_(value);
}

export function linalg_pinv_out(
  input: Tensor,
  ...rest: [Tol, Tol, boolean, Tensor] | [Tensor | number, boolean, Tensor]
): Tensor {
  if (rest.length === 3) return copy_out(linalg_pinv(input, rest[0], rest[1]), rest[2]);
  const [atol, rtol, hermitian, result] = rest;
  return copy_out(at.linalg_pinv_atol_rtol_tensor(input, ...get_atol_rtol(input, atol, rtol), hermitian), result);
}

/** The older name. */
export function pinverse(self: Tensor, rcond: number): Tensor {
  return at.linalg_pinv(self, rcond, false);
}

// matrix_rank ---------------------------------------------------------------------------------------------------------------

function matrix_rank(input: Tensor, atol_opt: Tol, rtol_opt: Tol, hermitian: boolean): Tensor {
  checkIsMatrix(input, "torch.linalg.matrix_rank", "input");
  const [atol, rtol] = get_atol_rtol(input, atol_opt, rtol_opt);
  if (input.numel() === 0) return at.zeros(input.sizes().slice(0, -2), input.options().dtype(ScalarType.Long));
  const S = hermitian ? at.linalg_eigvalsh(input).abs() : at.linalg_svdvals(input);
  const greatest = hermitian ? S.amax([-1], true) : S.narrow(-1, 0, 1);
  return S.gt_Tensor(tolerance(atol, rtol, greatest)).sum_dim_IntList([-1]);
}

// linalg_matrix_rank.atol_rtol_tensor, linalg_matrix_rank.atol_rtol_float, linalg_matrix_rank, linalg_matrix_rank.tol_tensor
//                                                                                    CompositeImplicitAutograd
export function linalg_matrix_rank(input: Tensor, ...rest: [Tol, Tol, boolean] | [Tensor | number, boolean]): Tensor {
  return rest.length === 3 ? matrix_rank(input, ...rest) : matrix_rank(input, rest[0], 0, rest[1]); // as NumPy's: absolute
}

function rank_out(value: Tensor, result: Tensor): Tensor {
  const dtype = result.scalar_type();
  TORCH_CHECK(
    dtype !== ScalarType.Bool,
    "torch.linalg.matrix_rank: Expected result to be safely castable from Long dtype, but got result with dtype ",
    toString(dtype),
  );
  return copy_out(value, result);
}

export function linalg_matrix_rank_out(
  input: Tensor,
  ...rest: [Tol, Tol, boolean, Tensor] | [Tensor | number, boolean, Tensor]
): Tensor {
  if (rest.length === 4) return rank_out(matrix_rank(input, rest[0], rest[1], rest[2]), rest[3]);
  return rank_out(matrix_rank(input, rest[0], 0, rest[1]), rest[2]);
}

// matrix_power --------------------------------------------------------------------------------------------------------------

// linalg_matrix_power(Tensor self, int n) -> Tensor                                 CompositeImplicitAutograd
/** By squares: as many products as n has binary digits, and as ones among them. */
export function linalg_matrix_power(self: Tensor, n: number): Tensor {
  squareCheckInputs(self, "linalg.matrix_power");
  if (n === 0) return self.clone(MemoryFormat.Contiguous).copy_(at.eye(self.size(-2), self.options())); // a clone: in the graph
  if (n === 1) return self.clone(MemoryFormat.Contiguous);
  if (n === -1) return at.linalg_inv(self);
  const a = n < 0 ? at.linalg_inv(self) : self;
  if (n === 3 || n === -3) return at.matmul(at.matmul(a, a), a);
  let z = a;
  let result: Tensor | null = null;
  for (let left = Math.abs(n); ; z = at.matmul(z, z)) {
    if (left % 2 === 1) result = result === null ? z : at.matmul(result, z);
    left = Math.floor(left / 2);
    if (left === 0) return result as Tensor;
  }
}

export function linalg_matrix_power_out(self: Tensor, n: number, result: Tensor): Tensor {
  return copy_out(linalg_matrix_power(self, n), result);
}

/** The older name. */
export function matrix_power(self: Tensor, n: number): Tensor {
  return linalg_matrix_power(self, n);
}

export function matrix_power_out(self: Tensor, n: number, result: Tensor): Tensor {
  return linalg_matrix_power_out(self, n, result);
}
