/**
 * @file Pseudoinverses and ranks, by treating small singular values as zero; matrix powers.
 * @mirrors aten/src/ATen/native/LinearAlgebra.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import {
  _get_epsilon,
  checkIsMatrix,
  checkLinalgCompatibleDtype,
  checkSameDevice,
  squareCheckInputs,
} from "#aten/native/LinearAlgebraUtils";
import { resize_output } from "#aten/native/Resize";
import { isTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { DeviceType } from "#c10/core/DeviceType";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import type { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";

/** @differs Ours uses float for any backend that may lack double; PyTorch does so for MPS only. */
function double_options(input: Tensor): TensorOptions {
  const has_double = input.device().type() !== DeviceType.PrivateUse1;
  return input.options().dtype(has_double ? ScalarType.Double : ScalarType.Float);
}

/** eps * max(rows, columns) */
function default_rtol(input: Tensor): number {
  const rows = input.size(-2);
  const most = Math.max(rows, input.size(-1));
  return _get_epsilon(input.scalar_type()) * most;
}

/** The relative tolerance is `default_rtol`, unless an absolute one is given. */
function get_atol_rtol(input: Tensor, atol_opt: Tensor | null, rtol_opt: Tensor | null): [Tensor, Tensor] {
  const options = double_options(input);
  const atol = atol_opt ?? at.zeros([], options);
  if (rtol_opt !== null) return [atol, rtol_opt];
  const usual = at.full([], Scalar.fromDouble(default_rtol(input)), options);
  if (atol_opt === null) return [atol, usual];
  return [atol, at.where_self(atol_opt.gt_Scalar(Scalar.ZERO), at.zeros([], options), usual)];
}

function tensors_of(input: Tensor, atol_opt: number | null, rtol_opt: number | null): [Tensor, Tensor] {
  const atol = atol_opt ?? 0;
  let rtol = rtol_opt;
  if (rtol === null) {
    const usual = default_rtol(input);
    rtol = atol_opt !== null && atol_opt > 0 ? 0 : usual;
  }
  const full = (n: number): Tensor => at.full([], Scalar.fromDouble(n), double_options(input));
  return [full(atol), full(rtol)];
}

/** Values not above max(atol, rtol * greatest) count as zero. */
function tolerance(atol: Tensor, rtol: Tensor, greatest: Tensor): Tensor {
  const relative = rtol.unsqueeze(-1).mul_Tensor(greatest);
  return at.max_other(atol.unsqueeze(-1), relative);
}

// pinv ----------------------------------------------------------------------------------------------------------------------

// linalg_pinv.atol_rtol_tensor                                                      CompositeExplicitAutogradNonFunctional
export function linalg_pinv_atol_rtol_tensor(
  input: Tensor,
  atol_opt: Tensor | null,
  rtol_opt: Tensor | null,
  hermitian: boolean,
): Tensor {
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
    const adjoint = U.mH();
    return at.matmul(V.mul_Tensor(S.reciprocal().unsqueeze(-2)), adjoint);
  }
  // The order of calls is that of PyTorch's compiler, which evaluates arguments from the last to the first.
  const pseudoinverse = (V: Tensor, S: Tensor, U: Tensor, sizes: Tensor, greatest: Tensor): Tensor => {
    const least = tolerance(atol, rtol, greatest);
    const zero = at.zeros([], S.options());
    const inverse = S.reciprocal();
    const inverted = at.where_self(sizes.gt_Tensor(least), inverse, zero).to_dtype(t);
    const adjoint = U.mH();
    return at.matmul(V.mul_Tensor(inverted.unsqueeze(-2)), adjoint);
  };
  if (!hermitian) {
    const [U, S, V] = input.svd();
    return pseudoinverse(V, S, U, S, S.narrow(-1, 0, 1));
  }
  const [S, U] = at.linalg_eigh(input);
  const S_abs = S.abs();
  return pseudoinverse(U, S, U, S_abs, S_abs.amax([-1], true));
}

// linalg_pinv.atol_rtol_float                                                       CompositeImplicitAutograd
export function linalg_pinv_atol_rtol_float(
  input: Tensor,
  atol: number | null,
  rtol: number | null,
  hermitian: boolean,
): Tensor {
  return at.linalg_pinv_atol_rtol_tensor(input, ...tensors_of(input, atol, rtol), hermitian);
}

// linalg_pinv.rcond_tensor                                                          CompositeImplicitAutograd
/** The tolerance is relative, as in NumPy. */
export function linalg_pinv_rcond_tensor(input: Tensor, rcond: Tensor, hermitian: boolean): Tensor {
  return at.linalg_pinv_atol_rtol_tensor(input, at.zeros([], double_options(input)), rcond, hermitian);
}

// linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor             CompositeImplicitAutograd
export function linalg_pinv(input: Tensor, rcond: number, hermitian: boolean): Tensor {
  return at.linalg_pinv_atol_rtol_float(input, 0, rcond, hermitian);
}

function check_pinv_out(result: Tensor, input: Tensor): void {
  checkSameDevice("linalg.pinv", result, input);
  checkLinalgCompatibleDtype("linalg.pinv", result.scalar_type(), input.scalar_type());
}

function copy_out(value: Tensor, result: Tensor): Tensor {
  resize_output(result, value.sizes());
  return result.copy_(value);
}

export function linalg_pinv_out_atol_rtol_tensor_out(
  input: Tensor,
  atol: Tensor | null,
  rtol: Tensor | null,
  hermitian: boolean,
  result: Tensor,
): Tensor {
  check_pinv_out(result, input);
  return copy_out(at.linalg_pinv_atol_rtol_tensor(input, atol, rtol, hermitian), result);
}

export function linalg_pinv_out_atol_rtol_float_out(
  input: Tensor,
  atol: number | null,
  rtol: number | null,
  hermitian: boolean,
  result: Tensor,
): Tensor {
  check_pinv_out(result, input);
  return copy_out(at.linalg_pinv_atol_rtol_float(input, atol, rtol, hermitian), result);
}

export function linalg_pinv_out_out_rcond_tensor(
  input: Tensor,
  rcond: Tensor,
  hermitian: boolean,
  result: Tensor,
): Tensor {
  check_pinv_out(result, input);
  return copy_out(at.linalg_pinv_rcond_tensor(input, rcond, hermitian), result);
}

export function linalg_pinv_out(input: Tensor, rcond: number, hermitian: boolean, result: Tensor): Tensor {
  const rcond_tensor = at.full([], Scalar.fromDouble(rcond), double_options(input));
  return at.linalg_pinv_out_rcond_tensor(input, rcond_tensor, hermitian, result);
}

/** Alias under the older name. */
export function pinverse(self: Tensor, rcond: number): Tensor {
  return at.linalg_pinv(self, rcond, false);
}

// matrix_rank ---------------------------------------------------------------------------------------------------------------

function matrix_rank_impl(
  input: Tensor,
  atol_opt: Tensor | null,
  rtol_opt: Tensor | null,
  hermitian: boolean,
  result: Tensor,
): Tensor {
  const name = "torch.linalg.matrix_rank";
  const [atol, rtol] = get_atol_rtol(input, atol_opt, rtol_opt);
  checkSameDevice(name, result, input);
  checkSameDevice(name, atol, input, "atol");
  checkSameDevice(name, rtol, input, "rtol");
  checkLinalgCompatibleDtype(name, result.scalar_type(), ScalarType.Long);
  if (input.numel() === 0) return result.fill__Scalar(Scalar.ZERO);
  const S = hermitian ? at.linalg_eigvalsh(input).abs() : at.linalg_svdvals(input);
  const greatest = hermitian ? S.amax([-1], true) : S.narrow(-1, 0, 1);
  const above = S.gt_Tensor(tolerance(atol, rtol, greatest));
  return isTensorSubclassLike(input)
    ? at.sum_dim_IntList(above, [-1])
    : at.sum_IntList_out(above, [-1], false, null, result);
}

function get_matrix_rank_result_tensor(input: Tensor): Tensor {
  checkIsMatrix(input, "torch.linalg.matrix_rank", "input");
  return at.empty_memory_format(input.sizes().slice(0, -2), input.options().dtype(ScalarType.Long));
}

// linalg_matrix_rank.atol_rtol_tensor                                               CompositeImplicitAutograd
export function linalg_matrix_rank_atol_rtol_tensor(
  input: Tensor,
  atol: Tensor | null,
  rtol: Tensor | null,
  hermitian: boolean,
): Tensor {
  return matrix_rank_impl(input, atol, rtol, hermitian, get_matrix_rank_result_tensor(input));
}

// linalg_matrix_rank.atol_rtol_float                                                CompositeImplicitAutograd
export function linalg_matrix_rank_atol_rtol_float(
  input: Tensor,
  atol: number | null,
  rtol: number | null,
  hermitian: boolean,
): Tensor {
  const result = get_matrix_rank_result_tensor(input);
  return matrix_rank_impl(input, ...tensors_of(input, atol, rtol), hermitian, result);
}

// linalg_matrix_rank.tol_tensor                                                     CompositeImplicitAutograd
/** The tolerance is absolute, as in NumPy. */
export function linalg_matrix_rank_tol_tensor(input: Tensor, tol: Tensor, hermitian: boolean): Tensor {
  const result = get_matrix_rank_result_tensor(input);
  return matrix_rank_impl(input, tol, at.zeros([], tol.options()), hermitian, result);
}

// linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor        CompositeImplicitAutograd
export function linalg_matrix_rank(input: Tensor, tol: number, hermitian: boolean): Tensor {
  const result = get_matrix_rank_result_tensor(input);
  return matrix_rank_impl(input, ...tensors_of(input, tol, 0), hermitian, result);
}

/** The result is resized before anything is read: if it is also the input, only a vector remains. */
export function linalg_matrix_rank_out_atol_rtol_tensor_out(
  input: Tensor,
  atol: Tensor | null,
  rtol: Tensor | null,
  hermitian: boolean,
  result: Tensor,
): Tensor {
  checkIsMatrix(input, "torch.linalg.matrix_rank", "input");
  resize_output(result, input.sizes().slice(0, -2));
  return matrix_rank_impl(input, atol, rtol, hermitian, result);
}

export function linalg_matrix_rank_out_atol_rtol_float_out(
  input: Tensor,
  atol: number | null,
  rtol: number | null,
  hermitian: boolean,
  result: Tensor,
): Tensor {
  const [atol_tensor, rtol_tensor] = tensors_of(input, atol, rtol);
  return linalg_matrix_rank_out_atol_rtol_tensor_out(input, atol_tensor, rtol_tensor, hermitian, result);
}

export function linalg_matrix_rank_out_out_tol_tensor(
  input: Tensor,
  tol: Tensor,
  hermitian: boolean,
  result: Tensor,
): Tensor {
  const rtol = at.zeros([], tol.options());
  return at.linalg_matrix_rank_atol_rtol_tensor_out(input, tol, rtol, hermitian, result);
}

export function linalg_matrix_rank_out(input: Tensor, tol: number, hermitian: boolean, result: Tensor): Tensor {
  return at.linalg_matrix_rank_atol_rtol_float_out(input, tol, 0, hermitian, result);
}

// matrix_power --------------------------------------------------------------------------------------------------------------

/**
 * Repeated squaring: the number of products is that of n's binary digits plus that of its ones. The last product is
 * written to `out`, if there is one.
 */
function linalg_matrix_power_impl(self: Tensor, n: number, out: Tensor | null): Tensor {
  squareCheckInputs(self, "linalg.matrix_power");
  if (out !== null) {
    checkSameDevice("matrix_power", out, self);
    checkLinalgCompatibleDtype("matrix_power", out.scalar_type(), self.scalar_type());
    resize_output(out, self.sizes());
  }
  if (n === 0) return (out ?? self.clone(MemoryFormat.Contiguous)).copy_(at.eye(self.size(-2), self.options())); // a clone, so that it is in the graph
  if (n === 1) return out !== null ? out.copy_(self) : self.clone(MemoryFormat.Contiguous);
  if (n === -1) return out !== null ? at.linalg_inv_out(self, out) : at.linalg_inv(self);
  const product = (a: Tensor, b: Tensor): Tensor => (out !== null ? at.matmul_out(a, b, out) : at.matmul(a, b));
  const a = n < 0 ? at.linalg_inv(self) : self;
  if (Math.abs(n) === 2) return product(a, a);
  if (Math.abs(n) === 3) return product(at.matmul(a, a), a);
  let z = a;
  let result: Tensor | null = null;
  for (let left = Math.abs(n); ; z = at.matmul(z, z)) {
    const odd = left % 2 === 1;
    left = Math.floor(left / 2);
    if (left === 0) return result !== null ? product(result, z) : out !== null ? out.copy_(z) : z; // the last digit is a one
    if (odd) result = result === null ? z : at.matmul(result, z);
  }
}

// linalg_matrix_power(Tensor self, int n) -> Tensor                                 CompositeImplicitAutograd
export function linalg_matrix_power(self: Tensor, n: number): Tensor {
  return linalg_matrix_power_impl(self, n, null);
}

export function linalg_matrix_power_out(self: Tensor, n: number, result: Tensor): Tensor {
  linalg_matrix_power_impl(self, n, result);
  return result;
}

/** Alias under the older name. */
export function matrix_power(self: Tensor, n: number): Tensor {
  return linalg_matrix_power(self, n);
}

export function matrix_power_out(self: Tensor, n: number, result: Tensor): Tensor {
  return linalg_matrix_power_out(self, n, result);
}
