/**
 * @file Formulas of derivatives.yaml for least squares and for functions of matrices.
 * @mirrors torch/csrc/autograd/FunctionsManual.cpp
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { linalg_solve_is_vector_rhs } from "#aten/native/LinearAlgebraUtils";
import { areAnyTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { Scalar } from "#c10/core/Scalar";
import { pinv_backward } from "./Linalg.ts";

/**
 * X = A^+ B, and L = the column sums of (A X - B)^2. A change of X does not change L, since X minimizes L: so L changes
 * only directly with A and B.
 */
export function linalg_lstsq_backward(
  gX_: Tensor,
  gL: Tensor,
  A: Tensor,
  B_: Tensor,
  X_: Tensor,
  grad_input_mask: readonly boolean[],
): [Tensor, Tensor] {
  const [A_requires_grad, B_requires_grad] = grad_input_mask;
  if ((!A_requires_grad && !B_requires_grad) || (!gX_.defined() && !gL.defined())) return [new Tensor(), new Tensor()];
  const vector_case = linalg_solve_is_vector_rhs(A, B_);
  const matrix = (t: Tensor): Tensor => (vector_case ? t.unsqueeze(-1) : t);
  const B = matrix(B_);
  let [A_grad, B_grad] = [new Tensor(), new Tensor()];
  if (gX_.defined()) {
    const gX = matrix(gX_);
    const pinvA = at.linalg_pinv_atol_rtol_tensor(A);
    if (A_requires_grad) A_grad = pinv_backward(gX.matmul(B.mH()), pinvA, A);
    if (B_requires_grad) B_grad = pinvA.mH().matmul(gX);
  }
  if (gL.defined() && gL.numel() !== 0) {
    const X = matrix(X_);
    const r = A.matmul(X).sub_Tensor(B);
    const gL_ = gL.unsqueeze(-2);
    const plus = (sum: Tensor, t: Tensor): Tensor => (sum.defined() ? sum.add_Tensor(t) : t);
    if (A_requires_grad) {
      const of_A = gL_.mul_Tensor(r).matmul(X.mH()).mul_Scalar(Scalar.fromInt(2));
      A_grad = plus(A_grad, of_A);
    }
    if (B_requires_grad) B_grad = plus(B_grad, gL_.mul_Scalar(Scalar.fromInt(-2)).mul_Tensor(r));
  }
  return [A_grad, vector_case && B_grad.defined() ? B_grad.squeeze_dim(-1) : B_grad];
}

/**
 * f of ((A, G), (0, A)) is ((f(A), f'(A; G)), (0, f(A))): this gives the derivative of f along G, for every f that is a
 * power series.
 */
function differential_analytic_matrix_function(
  self: Tensor,
  grad: Tensor,
  matrix_function: (A: Tensor) => Tensor,
  adjoint: boolean,
): Tensor {
  const A = adjoint ? self.transpose_int(-2, -1).conj() : self;
  const n = A.size(-1);
  let meta_grad: Tensor;
  if (areAnyTensorSubclassLike([A, grad])) {
    meta_grad = at.cat([at.cat([A, grad], -1), at.cat([at.zeros_like(A), A], -1)], -2);
  } else {
    meta_grad = at.zeros([...A.sizes().slice(0, -2), 2 * n, 2 * n], grad.options());
    meta_grad.narrow(-2, 0, n).narrow(-1, 0, n).copy_(A);
    meta_grad.narrow(-2, n, n).narrow(-1, n, n).copy_(A);
    meta_grad.narrow(-2, 0, n).narrow(-1, n, n).copy_(grad);
  }
  return matrix_function(meta_grad).narrow(-2, 0, n).narrow(-1, n, n);
}

export function linalg_matrix_exp_differential(self: Tensor, grad: Tensor, adjoint: boolean): Tensor {
  return differential_analytic_matrix_function(self, grad, at.linalg_matrix_exp, adjoint);
}
