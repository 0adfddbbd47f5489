/**
 * @file Formulas of derivatives.yaml for linear algebra and distances.
 * @mirrors torch/csrc/autograd/FunctionsManual.cpp
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { _parse_qr_mode, linalg_solve_is_vector_rhs } from "#aten/native/LinearAlgebraUtils";
import { areAnyTensorSubclassLike, isTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { GradMode } from "#c10/core/GradMode";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { prod_safe_zeros_backward } from "./index.ts";

// Distances

/** d|a - b| / da = (a - b) / |a - b|; 0 where the two rows are equal. */
export function _euclidean_dist_backward(grad: Tensor, x1: Tensor, x2: Tensor, res: Tensor): [Tensor, Tensor] {
  if (!grad.defined()) return [new Tensor(), new Tensor()];
  const ratio = grad.div_Tensor(res).masked_fill__Scalar(res.eq_Scalar(Scalar.ZERO), Scalar.ZERO);
  return [
    x1.mul_Tensor(ratio.sum_dim_IntList([-1], true)).sub_Tensor(ratio.matmul(x2)),
    x2.mul_Tensor(ratio.sum_dim_IntList([-2], false).unsqueeze(-1)).sub_Tensor(ratio.mT().matmul(x1)),
  ];
}

const HALF = Scalar.fromDouble(0.5);

/** One triangle of the gradient, for a matrix of which only that triangle is used; without the diagonal if it is fixed to ones. */
function triangle_of(t: Tensor, upper: boolean, unitriangular: boolean): Tensor {
  return upper ? t.triu(unitriangular ? 1 : 0) : t.tril(unitriangular ? -1 : 0);
}

// Positive definite matrices

/** gA = L^-T phi(L^T gL) L^-1, where phi makes the lower half symmetric, at half its weight. */
export function cholesky_backward(gL: Tensor, upper: boolean, L: Tensor): Tensor {
  const L_ = upper ? L.mH() : L;
  const gL_ = upper ? gL.mH() : gL;
  const phi = at.matmul(L_.mH(), gL_).tril();
  let gA = phi.add_Tensor(phi.tril(-1).mH()).mul_Scalar(HALF);
  gA = at.linalg_solve_triangular(L_.mH(), gA, true, true);
  gA = at.linalg_solve_triangular(L_, gA, false, false);
  return gA;
}

export function cholesky_inverse_backward(grad: Tensor, L: Tensor, upper: boolean, inverse: Tensor): Tensor {
  if (!grad.defined()) return new Tensor();
  const common_term = at.matmul(inverse, at.matmul(grad.add_Tensor(grad.mH()), inverse));
  return (upper ? at.matmul(L, common_term) : at.matmul(common_term, L)).neg();
}

export function cholesky_solve_backward(
  grad_x: Tensor,
  _self: Tensor,
  input2: Tensor,
  result: Tensor,
  upper: boolean,
  output_mask: readonly boolean[],
): [Tensor, Tensor] {
  if (!grad_x.defined()) return [new Tensor(), new Tensor()];
  const grad_self = grad_x.cholesky_solve(input2, upper);
  if (!output_mask[1]) return [grad_self, new Tensor()];
  let common_term = at.matmul(grad_self, result.mH());
  common_term = common_term.add_Tensor(common_term.mH());
  return [grad_self, (upper ? at.matmul(input2, common_term) : at.matmul(common_term, input2)).neg()];
}

// Triangular equations

/** X = A^-1 B: gB = A^-T gX, and gA is the triangle of -gB X^T that A has. */
export function linalg_solve_triangular_backward(
  grad: Tensor,
  A: Tensor,
  X: Tensor,
  upper: boolean,
  left: boolean,
  unitriangular: boolean,
  output_mask: readonly boolean[],
): [Tensor, Tensor] {
  const [A_requires_grad, B_requires_grad] = output_mask;
  if (!grad.defined() || (!A_requires_grad && !B_requires_grad)) return [new Tensor(), new Tensor()];
  const G_B = at.linalg_solve_triangular(A.mH(), grad, !upper, left, unitriangular);
  if (!A_requires_grad) return [new Tensor(), G_B];
  const X_H = X.mH();
  const G_A = (left ? at.matmul(G_B, X_H) : at.matmul(X_H, G_B)).neg();
  return [triangle_of(G_A, upper, unitriangular), B_requires_grad ? G_B : new Tensor()];
}

export function triangular_solve_backward(
  grad_x: Tensor,
  grad_m: Tensor,
  b: Tensor,
  a: Tensor,
  x: Tensor,
  upper: boolean,
  transpose: boolean,
  unitriangular: boolean,
  output_mask: readonly boolean[],
): [Tensor, Tensor] {
  if (!grad_x.defined() && !grad_m.defined()) return [new Tensor(), new Tensor()];
  let [grad_b, grad_a] = [new Tensor(), new Tensor()];
  if (grad_x.defined()) {
    grad_b = grad_x.triangular_solve(a.conj(), upper, !transpose, unitriangular)[0];
    if (output_mask[1]) {
      const product = transpose ? x.conj().matmul(grad_b.mT()) : grad_b.matmul(x.mH());
      grad_a = triangle_of(product.neg(), upper, unitriangular);
    }
  }
  if (!grad_a.defined()) grad_a = at.zeros([1], a.options()).expand_as(a);
  if (!grad_b.defined()) grad_b = at.zeros([1], b.options()).expand_as(b);
  if (output_mask[1] && grad_m.defined()) grad_a = grad_a.add_Tensor(grad_m);
  return [grad_b, grad_a];
}

// Elimination

/** With A = P L U square: gA = P L^-T [tril(L^T gL, -1) + triu(gU U^T)] U^-T. */
export function linalg_lu_backward(
  L_grad: Tensor,
  U_grad: Tensor,
  P: Tensor,
  L: Tensor,
  U: Tensor,
  pivot: boolean,
): Tensor {
  if (!L_grad.defined() && !U_grad.defined()) return new Tensor();
  const [m, n] = [L.size(-2), U.size(-1)];
  const with_P = (t: Tensor): Tensor => (pivot ? at.matmul(P, t) : t);
  if (m === n) {
    let phi = L_grad.defined() ? L.mH().matmul(L_grad).tril(-1) : new Tensor();
    if (U_grad.defined()) {
      const upper = U_grad.matmul(U.mH()).triu();
      phi = phi.defined() ? phi.add_Tensor(upper) : upper;
    }
    phi = at.linalg_solve_triangular(U.mH(), phi, false, false);
    return with_P(at.linalg_solve_triangular(L.mH(), phi, true, true, true));
  }

  if (m < n) return with_P(wide_lu_backward(L_grad, U_grad, L, U, m));
  return with_P(tall_lu_backward(L_grad, U_grad, L, U, n));
}

/** With A = [A1 A2] wide: gA1 = L^-T [triu(gU1) + tril(L^T gL - triu(gU) U^T, -1) U1^-T] and gA2 = L^-T gU2. */
function wide_lu_backward(L_grad: Tensor, U_grad: Tensor, L: Tensor, U: Tensor, m: number): Tensor {
  const n = U.size(-1);
  const beyond = (t: Tensor): Tensor => t.narrow(-1, m, n - m);
  let A_grad = L_grad.defined() ? L.mH().matmul(L_grad) : new Tensor();
  if (U_grad.defined()) {
    const product = U_grad.triu().matmul(U.mH());
    A_grad = A_grad.defined() ? A_grad.sub_Tensor(product) : product.neg();
  }
  A_grad = A_grad.tril(-1);
  A_grad = at.linalg_solve_triangular(U.narrow(-1, 0, m).mH(), A_grad, false, false);
  if (U_grad.defined()) {
    A_grad = U_grad.narrow(-1, 0, m).triu().add_Tensor(A_grad);
    A_grad = at.cat([A_grad, beyond(U_grad)], -1);
  } else {
    A_grad = at.cat([A_grad, at.zeros_like(beyond(U))], -1);
  }
  return at.linalg_solve_triangular(L.mH(), A_grad, true, true, true);
}

/** With A1 above A2 tall: gA1 = [tril(gL1, -1) + L1^-T triu(gU U^T - L^T tril(gL, -1))] U^-T and gA2 = gL2 U^-T. */
function tall_lu_backward(L_grad: Tensor, U_grad: Tensor, L: Tensor, U: Tensor, n: number): Tensor {
  const m = L.size(-2);
  const beyond = (t: Tensor): Tensor => t.narrow(-2, n, m - n);
  let A_grad = U_grad.defined() ? U_grad.matmul(U.mH()) : new Tensor();
  if (L_grad.defined()) {
    const product = L.mH().matmul(L_grad.tril(-1));
    A_grad = A_grad.defined() ? A_grad.sub_Tensor(product) : product.neg();
  }
  A_grad = A_grad.triu();
  A_grad = at.linalg_solve_triangular(L.narrow(-2, 0, n).mH(), A_grad, true, true, true);
  if (L_grad.defined()) {
    A_grad = L_grad.narrow(-2, 0, n).tril(-1).add_Tensor(A_grad);
    A_grad = at.cat([A_grad, beyond(L_grad)], -2);
  } else {
    A_grad = at.cat([A_grad, at.zeros_like(beyond(L))], -2);
  }
  return at.linalg_solve_triangular(U.mH(), A_grad, false, false);
}

export function lu_factor_ex_backward(grad: Tensor, LU: Tensor, pivots: Tensor, pivot: boolean): Tensor {
  const [P, L, U] = at.lu_unpack(LU, pivots, true, pivot);
  const k = Math.min(LU.size(-2), LU.size(-1));
  return linalg_lu_backward(grad.narrow(-1, 0, k), grad.narrow(-2, 0, k), P, L, U, pivot);
}

/** L and U share the matrix LU; in a matrix that is not square, elements outside both triangles get zero. */
export function lu_unpack_backward(L_grad: Tensor, U_grad: Tensor, m: number, n: number): Tensor {
  if (!L_grad.defined() && !U_grad.defined()) return new Tensor();
  const k = Math.min(m, n);
  if (!L_grad.defined() || !U_grad.defined()) {
    const half = L_grad.defined() ? L_grad.tril(-1) : U_grad.triu();
    return half.size(-2) === m && half.size(-1) === n
      ? half
      : at.constant_pad_nd(half, [0, n - half.size(-1), 0, m - half.size(-2)]);
  }
  const upper = (m < n ? U_grad.narrow(-1, 0, k) : U_grad).triu();
  const lower = (m > n ? L_grad.narrow(-2, 0, k) : L_grad).tril(-1);
  const square = lower.add_Tensor(upper);
  if (m === n) return square;
  return m < n ? at.cat([square, U_grad.narrow(-1, k, n - k)], -1) : at.cat([square, L_grad.narrow(-2, k, m - k)], -2);
}

/** The gradient of LU itself: the gradients of L and U in op(P L U) X = B, each in its triangle. */
export function linalg_lu_solve_LU(
  gX: Tensor,
  LU: Tensor,
  pivots: Tensor,
  X: Tensor,
  left: boolean,
  adjoint: boolean,
): Tensor {
  const [P, L, U] = at.lu_unpack(LU, pivots, true, left === adjoint);
  if (left !== adjoint) {
    const [gX_, X_] = left ? [gX, X.mH()] : [gX.mH(), X]; // as columns, and as rows
    // gR = U^-T op(-gX) op(X)^T;  gL = (L^-T gR U^T).tril(-1);  gU = gR.triu()
    const minus = gX_.matmul(X_).neg();
    const gR = at.linalg_solve_triangular(U.mH(), minus, false);
    const gRUh = gR.matmul(U.mH());
    const gL = at.linalg_solve_triangular(L.mH(), gRUh, true, true, true).tril(-1);
    return gL.add_Tensor(gR.triu());
  }
  // gR = -P^T op(X) op(gX)^T P L^-T;  gL = gR.tril(-1);  gU = (L^T gR U^-T).triu()
  const product = P.mT()
    .matmul(left ? X : X.mH())
    .matmul(left ? gX.mH() : gX)
    .matmul(P)
    .neg();
  const gR = at.linalg_solve_triangular(L.mH(), product, true, false, true);
  const LhgR = L.mH().matmul(gR);
  const gU = at.linalg_solve_triangular(U.mH(), LhgR, false, false).triu();
  return gR.tril(-1).add_Tensor(gU);
}

/** Whether the determinant's forward decomposed the transpose of A: it did if that was column-major already. */
function use_A_T(A: Tensor): boolean {
  return A.is_contiguous() && !A.is_complex();
}

/** X = A^-1 B: gB = A^-T gX, gA = -gB X^T. For higher derivatives the decomposition is computed again, as a function of A. */
export function linalg_solve_backward(
  gX: Tensor,
  X: Tensor,
  A: Tensor,
  LU: Tensor,
  pivots: Tensor,
  left: boolean,
  B_requires_grad: boolean,
): [Tensor, Tensor] {
  const A_requires_grad = A.requires_grad();
  if (!gX.defined() || (!A_requires_grad && !B_requires_grad)) return [new Tensor(), new Tensor()];
  const vector_case = linalg_solve_is_vector_rhs(LU, X);
  const gX_ = vector_case ? gX.unsqueeze(-1) : gX;
  const gB_ = GradMode.is_enabled()
    ? at.linalg_solve(A.mH(), gX_, left)
    : at.linalg_lu_solve(LU, pivots, gX_, left, true);
  let gA = new Tensor();
  if (A_requires_grad) {
    const X_ = vector_case ? X.unsqueeze(-1) : X;
    gA = (left ? gB_.matmul(X_.mH()) : X_.mH().matmul(gB_)).neg();
  }
  return [gA, B_requires_grad ? (vector_case ? gB_.squeeze_dim(-1) : gB_) : new Tensor()];
}

/** The gradient of log|det A| is A^-T times the incoming gradient. */
export function slogdet_backward(
  _grad_sign: Tensor,
  grad_logabsdet: Tensor,
  A: Tensor,
  _signdet: Tensor,
  LU: Tensor,
  pivots: Tensor,
): Tensor {
  if (!grad_logabsdet.defined()) return new Tensor(); // the sign is constant
  const d = at.diag_embed(grad_logabsdet.unsqueeze(-1).expand_as(pivots)).mT();
  if (GradMode.is_enabled()) return at.linalg_solve(A.mH(), d);
  return at.linalg_lu_solve(LU, pivots, d, true, !use_A_T(A));
}

/** gA = det A * A^-T, the adjugate, which exists for singular matrices too; see below for these. */
export function linalg_det_backward(grad: Tensor, det: Tensor, A: Tensor, LU: Tensor, pivots: Tensor): Tensor {
  if (!grad.defined()) return new Tensor();
  if (A.numel() === 0) return at.zeros_like(A);
  if (A.size(-1) === 1) return grad.unsqueeze(-1).unsqueeze(-1).expand_as(A);
  const d = at.diag_embed(grad.mul_Tensor(det.conj()).unsqueeze(-1).expand_as(pivots)).mT();
  const eps = A.scalar_type() === ScalarType.Double ? 2 ** -52 : 2 ** -23;
  if (GradMode.is_enabled()) return det_differentiable_backward(A, d, grad, det, eps);
  // A pivot that is zero is changed slightly, which is allowed because the adjugate is continuous.
  const is_zero = LU.diagonal(0, -2, -1).eq_Scalar(Scalar.ZERO);
  const moved = at.where_Scalar(is_zero, Scalar.fromDouble(eps), Scalar.fromDouble(0)).to_dtype(LU.scalar_type());
  return at.linalg_lu_solve(LU.add_Tensor(at.diag_embed(moved)), pivots, d, true, !use_A_T(A));
}

/**
 * The gradient in operators that are differentiable again. For a singular matrix no linear system can be solved; its
 * adjugate is det(U) det(V^T) U D V^T, where D holds the products of all other singular values.
 */
function det_differentiable_backward(A: Tensor, d: Tensor, grad: Tensor, det: Tensor, eps: number): Tensor {
  const adjugate = (a: Tensor, g: Tensor): Tensor => {
    const [U, S, Vh] = at.linalg_svd(a);
    const alpha = at.linalg_det(U).mul_Tensor(at.linalg_det(Vh)).conj().mul_Tensor(g);
    const D = prod_safe_zeros_backward(alpha.unsqueeze(-1), S, S.dim() - 1);
    return U.mul_Tensor(D.unsqueeze(-2)).matmul(Vh);
  };
  const solved = (a: Tensor, of: Tensor): Tensor => at.linalg_solve(a.mH(), of);
  if (areAnyTensorSubclassLike([A, d, grad])) return adjugate(A, grad);
  const singular = det.abs().lt_Scalar(Scalar.fromDouble(100 * eps));
  if (singular.all().item().toBool()) return adjugate(A, grad);
  if (!singular.any().item().toBool()) return solved(A, d);
  const regular = singular.logical_not();
  const of = (t: Tensor, mask: Tensor): Tensor => at.index_Tensor(t, [mask]);
  return at
    .empty_like(A)
    .index_put_([singular], adjugate(of(A, singular), of(grad, singular)))
    .index_put_([regular], solved(of(A, regular), of(d, regular)));
}

// Singular values, eigenvalues, QR, pseudoinverses

/** If m > n, A's columns, if m < n, its rows: the part of U or V beyond the square part is orthogonal to it. */
export function svd_backward(gU: Tensor, gS: Tensor, gVh: Tensor, U: Tensor, S: Tensor, Vh: Tensor): Tensor {
  if (!gS.defined() && !gU.defined() && !gVh.defined()) return new Tensor();
  const [m, n] = [U.size(-2), Vh.size(-1)];
  const row = (): Tensor => S.unsqueeze(-2);
  const column = (): Tensor => S.unsqueeze(-1);
  if (!gU.defined() && !gVh.defined())
    return m >= n ? at.matmul(U, gS.unsqueeze(-1).mul_Tensor(Vh)) : at.matmul(U.mul_Tensor(gS.unsqueeze(-2)), Vh);

  const skew = (t: Tensor): Tensor => t.sub_Tensor(t.mH());
  const UhgU = gU.defined() ? skew(at.matmul(U.mH(), gU)) : null;
  const VhgV = gVh.defined() ? skew(at.matmul(Vh, gVh.mH())) : null;
  const S2 = S.mul_Tensor(S);
  const E = S2.unsqueeze(-2).sub_Tensor(S2.unsqueeze(-1));
  E.diagonal(0, -2, -1).fill__Scalar(Scalar.ONE); // the diagonal is a divisor of 0

  let gA: Tensor;
  if (UhgU !== null && VhgV !== null) {
    const of_V = column().mul_Tensor(VhgV);
    gA = UhgU.mul_Tensor(row()).add_Tensor(of_V).div_Tensor(E);
  } else if (UhgU !== null) {
    const S_row = row();
    gA = UhgU.div_Tensor(E).mul_Tensor(S_row);
  } else {
    const of_V = (VhgV as Tensor).div_Tensor(E);
    gA = column().mul_Tensor(of_V);
  }
  if (gS.defined()) gA = gA.add_Tensor(gS.diag_embed());

  if (m > n && gU.defined()) {
    gA = at.matmul(U, gA);
    const gUSinv = gU.div_Tensor(row());
    gA = gA.add_Tensor(gUSinv).sub_Tensor(at.matmul(U, at.matmul(U.mH(), gUSinv)));
    return at.matmul(gA, Vh);
  }
  if (m < n && gVh.defined()) {
    gA = at.matmul(gA, Vh);
    const SinvgVh = gVh.div_Tensor(column());
    gA = gA.add_Tensor(SinvgVh).sub_Tensor(at.matmul(at.matmul(SinvgVh, Vh.mH()), Vh));
    return at.matmul(U, gA);
  }
  return m >= n ? at.matmul(U, at.matmul(gA, Vh)) : at.matmul(at.matmul(U, gA), Vh);
}

/**
 * A symmetric matrix (`is_hermitian`) has gA = V M V^T, where M has gL on the diagonal and skew(V^T gV) / (L_j - L_i) elsewhere.
 */
export function linalg_eig_backward(gL: Tensor, gV: Tensor, L: Tensor, V: Tensor, is_hermitian: boolean): Tensor {
  TORCH_INTERNAL_ASSERT(is_hermitian);
  if (!gL.defined() && !gV.defined()) return new Tensor();
  if (!gV.defined()) {
    const Vh = V.mH();
    return at.matmul(V.mul_Tensor(gL.unsqueeze(-2)), Vh);
  }
  const VhgV = at.matmul(V.mH(), gV);
  const projected = VhgV.sub_Tensor(VhgV.mH()).mul_Scalar(HALF);
  const E = L.unsqueeze(-2).sub_Tensor(L.unsqueeze(-1));
  E.diagonal(0, -2, -1).fill__Scalar(Scalar.ONE);
  let gA = projected.div__Tensor(E);
  if (gL.defined()) {
    if (isTensorSubclassLike(gL)) gA = gA.diagonal_scatter(gL, 0, -2, -1);
    else gA.diagonal(0, -2, -1).copy_(gL);
  }
  return at.matmul(V, at.matmul(gA, V.mH()));
}

export function linalg_qr_backward(gQ: Tensor, gR: Tensor, Q: Tensor, R: Tensor, mode: string): Tensor {
  const [compute_q, reduced] = _parse_qr_mode(mode);
  TORCH_CHECK(
    compute_q,
    "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. ",
    "Please use linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr.",
  );
  const [m, n] = [Q.size(-2), R.size(-1)];
  TORCH_CHECK(reduced || m <= n, "The QR decomposition is not differentiable when mode='complete' and nrows > ncols.");
  if (!gQ.defined() && !gR.defined()) return new Tensor();
  let gA = gR.defined() ? gR.matmul(R.mH()) : new Tensor();
  if (gQ.defined()) {
    const QhgQ = Q.mH().matmul(gQ);
    gA = gA.defined() ? gA.sub_Tensor(QhgQ) : QhgQ.neg();
  }
  if (m >= n) {
    // gA = (gQ + Q syminvadj(triu(gR R^T - Q^T gQ))) R^-T
    const upper = gA.triu();
    const symmetric = upper.add_Tensor(upper.mH());
    at.real(symmetric.diagonal(0, -2, -1)).mul__Scalar(HALF);
    gA = Q.matmul(symmetric);
    if (gQ.defined()) gA = gA.add_Tensor(gQ);
    return at.linalg_solve_triangular(R.mH(), gA, false, false);
  }
  // Q depends only on the square part of R; the columns beyond it follow from Q.
  const minus = gA.neg();
  gA = Q.matmul(minus.sub_Tensor(minus.mH()).tril());
  gA = at.linalg_solve_triangular(R.narrow(-1, 0, m).mH(), gA, false, false);
  gA = at.cat([gA, gA.new_zeros([...R.sizes().slice(0, -1), n - m])], -1);
  return gR.defined() ? gA.add_Tensor(Q.matmul(gR)) : gA;
}

/** The gradient is computed with the smaller of the two products, by rows or by columns. */
export function pinv_backward(grad: Tensor, pinvA: Tensor, A: Tensor): Tensor {
  const [pinvAh, gradh] = [pinvA.mH(), grad.mH()];
  if (A.size(-2) <= A.size(-1)) {
    const K = gradh.matmul(pinvA);
    const KpinvAh = K.matmul(pinvAh);
    const last = pinvAh.matmul(pinvA).matmul(gradh.sub_Tensor(K.matmul(A)));
    const third = A.matmul(pinvA).matmul(KpinvAh);
    return pinvA.matmul(K).mH().neg().add_Tensor(KpinvAh).sub_Tensor(third).add_Tensor(last);
  }
  const K = pinvA.matmul(gradh);
  const pinvAhK = pinvAh.matmul(K);
  const last = pinvAhK.matmul(pinvA).matmul(A);
  const second = gradh.sub_Tensor(A.matmul(K)).matmul(pinvA).matmul(pinvAh);
  return K.matmul(pinvA).mH().neg().add_Tensor(second).add_Tensor(pinvAhK).sub_Tensor(last);
}
