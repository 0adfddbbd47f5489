/**
 * @file Formulas of forward mode for linear algebra: `dA` is the tangent of the matrix A.
 * @mirrors torch/csrc/autograd/FunctionsManual.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { _parse_qr_mode, linalg_solve_is_vector_rhs } from "#aten/native/LinearAlgebraUtils";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

const HALF = Scalar.fromDouble(0.5);

function diagonal(t: Tensor): Tensor {
  return t.diagonal(0, -2, -1);
}

function triangle_of(t: Tensor, upper: boolean, unitriangular: boolean): Tensor {
  return upper ? t.triu(unitriangular ? 1 : 0) : t.tril(unitriangular ? -1 : 0);
}

/** X + X^H. */
function sym(X: Tensor): Tensor {
  return X.add_Tensor(X.mH());
}

// Positive definite matrices

/** dL = L phi(L^-1 dA L^-H), where phi takes the lower triangle with half of the diagonal. */
export function cholesky_jvp(input_tangent: Tensor, L: Tensor, upper: boolean): Tensor {
  const dA = upper ? input_tangent.mH() : input_tangent;
  const L_ = upper ? L.mH() : L;
  let dL = at.linalg_solve_triangular(L_, dA, false, true);
  dL = at.linalg_solve_triangular(L_.mH(), dL, true, false);
  diagonal(dL.tril_()).mul__Scalar(HALF);
  dL = L_.matmul(dL);
  return upper ? dL.mH() : dL;
}

/** X = (F F^H)^-1: dX = -X dF F^H X, plus the conjugate transpose of that. */
export function cholesky_inverse_jvp(F: Tensor, dF: Tensor, X: Tensor, upper: boolean): Tensor {
  const CF = upper ? F : F.mH();
  const dCF = upper ? dF.mH() : dF;
  return sym(X.neg().matmul(dCF).matmul(CF).matmul(X));
}

export function cholesky_solve_jvp(X: Tensor, U: Tensor, dU: Tensor, dB: Tensor, upper: boolean): Tensor {
  const dA = sym(upper ? dU.mH().matmul(U) : dU.matmul(U.mH()));
  return at.cholesky_solve(dB.sub_Tensor(dA.matmul(X)), U, upper);
}

// Equations

export function triangular_solve_jvp(
  X: Tensor,
  A: Tensor,
  dA: Tensor,
  dB: Tensor,
  upper: boolean,
  transpose: boolean,
  unitriangular: boolean,
): Tensor {
  const projected = triangle_of(dA, upper, unitriangular);
  const change = (transpose ? projected.mT() : projected).matmul(X);
  return at.triangular_solve(dB.sub_Tensor(change), A, upper, transpose, unitriangular)[0];
}

export function linalg_solve_triangular_forward_AD(
  A_t: Tensor,
  B_t: Tensor,
  A: Tensor,
  X: Tensor,
  upper: boolean,
  left: boolean,
  unitriangular: boolean,
): Tensor {
  const proj_A_t = triangle_of(A_t, upper, unitriangular);
  const X_t = B_t.sub_Tensor(left ? at.matmul(proj_A_t, X) : at.matmul(X, proj_A_t));
  return at.linalg_solve_triangular(A, X_t, upper, left, unitriangular);
}

/** A X = B: dX = A^-1 (dB - dA X). */
export function linalg_solve_jvp(dA: Tensor, dB: Tensor, X: Tensor, LU: Tensor, pivots: Tensor, left: boolean): Tensor {
  const vector_case = linalg_solve_is_vector_rhs(LU, X);
  TORCH_INTERNAL_ASSERT(left || !vector_case);
  const X_ = vector_case ? X.unsqueeze(-1) : X;
  const dB_ = vector_case ? dB.unsqueeze(-1) : dB;
  const change = left ? dA.matmul(X_) : X_.matmul(dA);
  const dX = at.linalg_lu_solve(LU, pivots, dB_.sub_Tensor(change), left);
  return vector_case ? dX.squeeze_dim(-1) : dX;
}

// Elimination

/** P^T dA = dL U + L dU, so L^-1 P^T dA U^-1 has L^-1 dL below the diagonal and dU U^-1 in the rest. */
export function linalg_lu_jvp(dA: Tensor, P: Tensor, L: Tensor, U: Tensor, pivot: boolean): [Tensor, Tensor] {
  const [m, n] = [dA.size(-2), dA.size(-1)];
  const k = Math.min(m, n);
  const PdA = pivot ? P.mT().matmul(dA) : dA;
  const L1 = L.narrow(-2, 0, k);
  const U1 = U.narrow(-1, 0, k);
  let dK = at.linalg_solve_triangular(L1, PdA.narrow(-2, 0, k).narrow(-1, 0, k), false, true, true);
  dK = at.linalg_solve_triangular(U1, dK, true, false);
  const dL1 = L1.matmul(dK.tril(-1));
  const dU1 = dK.triu().matmul(U1);
  if (m > n) {
    const rest = PdA.narrow(-2, k, m - k).sub_Tensor(L.narrow(-2, k, m - k).matmul(dU1));
    return [at.cat([dL1, at.linalg_solve_triangular(U1, rest, true, false)], -2), dU1];
  }
  if (m < n) {
    const rest = PdA.narrow(-1, k, n - k).sub_Tensor(dL1.matmul(U.narrow(-1, k, n - k)));
    return [dL1, at.cat([dU1, at.linalg_solve_triangular(L1, rest, false, true, true)], -1)];
  }
  return [dL1, dU1];
}

/** Both triangles in one matrix. */
export function lu_factor_ex_jvp(dX: Tensor, LU: Tensor, pivs: Tensor, pivot: boolean): Tensor {
  const [P, L, U] = at.lu_unpack(LU, pivs, true, pivot);
  const [dL, dU] = linalg_lu_jvp(dX, P, L, U, pivot);
  const [m, n] = [dX.size(-2), dX.size(-1)];
  if (m >= n) {
    dL.narrow(-2, 0, n).add__Tensor(dU);
    return dL;
  }
  dU.narrow(-1, 0, m).add__Tensor(dL);
  return dU;
}

/** With A = P L U: A^-1 dA = U^-1 (L^-1 dL U + dU). */
export function linalg_lu_solve_jvp(
  X: Tensor,
  LU: Tensor,
  pivots: Tensor,
  dLU: Tensor,
  dB: Tensor,
  left: boolean,
  adjoint: boolean,
): Tensor {
  const S = at.linalg_lu_solve(LU, pivots, dB, left, adjoint);
  const [P, L, U] = at.lu_unpack(LU, pivots, true, left === adjoint);
  const dL = dLU.tril(-1);
  const dU = dLU.triu();
  const X_ = left ? X : X.mH();
  let change: Tensor;
  if (left !== adjoint) {
    const of_L = at.linalg_solve_triangular(L, dL.matmul(U.matmul(X_)), false, true, true);
    change = at.linalg_solve_triangular(U, of_L.add_Tensor(dU.matmul(X_)), true, true);
  } else {
    // A^-H dA^H = P L^-H (dL^H + U^-H dU^H L^H) P^T
    const R = P.mT().matmul(X_);
    const of_U = at.linalg_solve_triangular(U.mH(), dU.mH().matmul(L.mH().matmul(R)), false, true);
    const sum = dL.mH().matmul(R).add_Tensor(of_U);
    change = P.matmul(at.linalg_solve_triangular(L.mH(), sum, true, true, true));
  }
  return S.sub_Tensor(left ? change : change.mH());
}

// Determinants

/** d det = tr(A^-1 dA) det. A pivot that is zero is changed slightly, which is allowed because the determinant is smooth. */
export function linalg_det_jvp(dA: Tensor, det: Tensor, LU: Tensor, pivots: Tensor, use_A_T: boolean): Tensor {
  const eps = LU.scalar_type() === ScalarType.Double ? 2 ** -52 : 2 ** -23;
  const is_zero = diagonal(LU).eq_Scalar(Scalar.ZERO);
  const moved = at.where_Scalar(is_zero, Scalar.fromDouble(eps), Scalar.fromDouble(0)).to_dtype(LU.scalar_type());
  const AinvE = at.linalg_lu_solve(LU.add_Tensor(at.diag_embed(moved)), pivots, dA, true, use_A_T);
  return diagonal(AinvE).sum_dim_IntList([-1]).mul_Tensor(det);
}

/** d log|det| = tr(A^-1 dA); the sign is constant. */
export function slogdet_jvp(LU: Tensor, pivots: Tensor, dA: Tensor, sign: Tensor, use_A_T: boolean): [Tensor, Tensor] {
  const trAinvdA = diagonal(at.linalg_lu_solve(LU, pivots, dA, true, use_A_T)).sum_dim_IntList([-1]);
  return [at._efficientzerotensor(sign.sizes(), sign.options()), trAinvdA];
}

// Singular values, eigenvalues, QR, pseudoinverses

/** S_k^2 - S_j^2 (or L_k - L_j), with ones on the diagonal, where it divides zeros. */
function differences(values: Tensor): Tensor {
  const E = values.unsqueeze(-2).sub_Tensor(values.unsqueeze(-1));
  diagonal(E).fill__Scalar(Scalar.ONE);
  return E;
}

function zeros_of(t: Tensor, rows: number, columns: number): Tensor {
  return t.new_zeros([...t.sizes().slice(0, -2), rows, columns]);
}

/**
 * With dP = U^H dA V: dS is its diagonal. The rest X gives dU = U sym(X S) / E and dV = V sym(S X) / E, where E holds the
 * differences of squared singular values; in a matrix that is not square, the longer of U and V has a part outside its span.
 */
export function linalg_svd_jvp(
  dA: Tensor,
  U_: Tensor,
  S: Tensor,
  Vh_: Tensor,
  full_matrices: boolean,
): [Tensor, Tensor, Tensor] {
  const [m, n] = [dA.size(-2), dA.size(-1)];
  const k = Math.min(m, n);
  const U = full_matrices ? U_.narrow(-1, 0, k) : U_;
  const Vh = full_matrices ? Vh_.narrow(-2, 0, k) : Vh_;
  const V = Vh.mH();
  const dP = m >= n ? at.matmul(U.mH(), at.matmul(dA, V)) : at.matmul(at.matmul(U.mH(), dA), V);
  const dS = diagonal(dP);
  const dX = dP.sub_Tensor(dS.diag_embed());
  const E = differences(S.mul_Tensor(S));
  let dU = at.matmul(U, sym(dX.mul_Tensor(S.unsqueeze(-2))).div_Tensor(E));
  let dVh = at.matmul(
    sym(dX.mul_Tensor(S.unsqueeze(-1)))
      .div_Tensor(E)
      .neg(),
    Vh,
  );
  if (m > n) {
    const dAVSinv = at.matmul(dA, V.div_Tensor(S.unsqueeze(-2)));
    dU = dU.add_Tensor(dAVSinv).sub_Tensor(at.matmul(U, at.matmul(U.mH(), dAVSinv)));
    if (full_matrices) dU = at.cat([dU, zeros_of(dU, m, m - k)], -1);
  }
  if (m < n) {
    const SinvUhdA = at.matmul(U.mH().div_Tensor(S.unsqueeze(-1)), dA);
    dVh = dVh.add_Tensor(SinvUhdA).sub_Tensor(at.matmul(at.matmul(SinvUhdA, V), Vh));
    if (full_matrices) dVh = at.cat([dVh, zeros_of(dVh, n - k, n)], -2);
  }
  return [dU, dS, dVh];
}

/** A symmetric matrix (`is_hermitian`), with dP = V^H dA V: dL is its diagonal, and dV = V (rest / (L_k - L_j)). */
export function linalg_eig_jvp(dA: Tensor, L: Tensor, V: Tensor, is_hermitian: boolean): [Tensor, Tensor] {
  TORCH_INTERNAL_ASSERT(is_hermitian);
  const dP = at.matmul(V.mH(), at.matmul(dA, V));
  const dL = diagonal(dP);
  const dX = dP.sub_Tensor(dL.diag_embed());
  return [dL, at.matmul(V, dX.div_Tensor(differences(L)))];
}

export function linalg_qr_jvp(dA: Tensor, Q: Tensor, R: Tensor, mode: string): [Tensor, Tensor] {
  const [compute_q, reduced] = _parse_qr_mode(mode);
  TORCH_CHECK(
    compute_q,
    "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. ",
    "Please use linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr.",
  );
  const [m, n] = [dA.size(-2), dA.size(-1)];
  TORCH_CHECK(reduced || m <= n, "The QR decomposition is not differentiable when mode='complete' and nrows > ncols.");
  const QhdA = Q.mH().matmul(dA);
  if (m >= n) {
    // dR = triu(sym(Q^H dA R^-1)), with half of the diagonal, times R
    const upper = sym(at.linalg_solve_triangular(R, QhdA, true, false)).triu();
    diagonal(upper).mul__Scalar(HALF);
    const dR = upper.matmul(R);
    return [at.linalg_solve_triangular(R, dA.sub_Tensor(Q.matmul(dR)), true, false), dR];
  }
  // Q^H dQ is antisymmetric, and its lower triangle that of Q^H dA1 R1^-1.
  const lower = at.linalg_solve_triangular(R.narrow(-1, 0, m), QhdA.narrow(-1, 0, m), true, false).tril(-1);
  const dX = lower.sub_Tensor(lower.mH());
  return [Q.matmul(dX), QhdA.sub_Tensor(dX.matmul(R))];
}

/** The tangent is computed with the smaller of the two products, by rows or by columns. */
export function pinv_jvp(A: Tensor, pinvA: Tensor, dA: Tensor): Tensor {
  const [dAh, pinvAh] = [dA.mH(), pinvA.mH()];
  if (A.size(-2) <= A.size(-1)) {
    const K = pinvAh.matmul(dAh);
    const inside = K.sub_Tensor(K.mH()).sub_Tensor(K.matmul(A.matmul(pinvA)));
    const beyond = dAh.sub_Tensor(pinvA.matmul(A.matmul(dAh)));
    return pinvA.matmul(inside).add_Tensor(beyond.matmul(pinvAh.matmul(pinvA)));
  }
  const K = pinvA.matmul(dA);
  const Kh = K.mH();
  const inside = Kh.sub_Tensor(K).sub_Tensor(pinvA.matmul(A).matmul(Kh));
  const beyond = dAh.sub_Tensor(dAh.matmul(A).matmul(pinvA));
  return inside.matmul(pinvA).add_Tensor(pinvA.matmul(pinvAh).matmul(beyond));
}
