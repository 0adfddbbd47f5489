/**
 * @file Formulas of derivatives.yaml for products of Householder reflections.
 * @mirrors torch/csrc/autograd/FunctionsManual.cpp
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { areAnyTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { GradMode } from "#c10/core/GradMode";
import { Scalar } from "#c10/core/Scalar";

/** H K or K H for H = I - t v v^T, where v is zero above row i. K itself is overwritten if it is not needed afterwards. */
function reflect(i: number, v: Tensor, t: Tensor, K: Tensor, left: boolean, in_place: boolean): Tensor {
  const scale = t.unsqueeze(-1);
  const first = in_place ? i : 0;
  const count = v.size(-2) - first;
  const [v_, K_] = in_place ? [v.narrow(-2, first, count), K.narrow(left ? -2 : -1, first, count)] : [v, K];
  const change = left
    ? v_.mul_Tensor(scale).matmul(v_.mH().matmul(K_))
    : K_.matmul(v_).matmul(v_.mul_Tensor(scale).mH());
  if (!in_place) return K.sub_Tensor(change);
  K_.sub__Tensor(change);
  return K;
}

// Note [The gradient of a product of reflections]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// With Q = H_0 ... H_{k-1} E, a change of H_i changes tr(G^T Q) by tr(K_i dH_i), where K_i = H_{i+1} ... H_{k-1} E G^T H_0 ... H_{i-1}
// is the product of the factors around H_i. So v_i gets -t (K_i + K_i^T) v_i and t_i gets -v_i^T K_i v_i. All K_i
// follow from one product:
// K_0 = H_0^-1 Q G^T, and K_{i+1} = H_{i+1}^-1 K_i H_i. The inverse of a reflection I - t v v^T is also one, I - s v v^T, with s = t / (t |v|^2 - 1). From the other side, the same recurrence goes from the last reflection to the first (`flip_order`).

export function householder_product_backward(
  grad: Tensor,
  result: Tensor,
  input_: Tensor,
  tau: Tensor,
  flip_order = false,
): [Tensor, Tensor] {
  if (!grad.defined() || input_.numel() === 0 || tau.numel() === 0) return [new Tensor(), new Tensor()];
  const [m, n, k] = [input_.size(-2), input_.size(-1), tau.size(-1)];
  const input = input_.tril(-1); // the part above the diagonal is R, and the ones on the diagonal are not stored
  input.diagonal(0, -2, -1).fill__Scalar(Scalar.ONE);
  const vectors = input.narrow(-1, 0, k);
  const lengths = vectors.mul_Tensor(vectors.conj()).sum_dim_IntList([-2]);
  const sigma = tau.div_Tensor(tau.mul_Tensor(lengths).sub_Scalar(Scalar.ONE));

  const in_place = !GradMode.is_enabled();
  const order = Array.from({ length: k }, (_, i) => (flip_order ? k - 1 - i : i));
  const v = (i: number): Tensor => input.narrow(-1, i, 1);
  const left = !flip_order;
  let K = result.matmul(grad.mH());
  K = reflect(order[0], v(order[0]), sigma.narrow(-1, order[0], 1), K, left, in_place);

  const input_grads: Tensor[] = new Array(k);
  const tau_grads: Tensor[] = new Array(k);
  for (const [step, i] of order.entries()) {
    const below = v(i).narrow(-2, i, m - i);
    const t = tau.narrow(-1, i, 1);
    const vHK = below.mH().matmul(K.narrow(-2, i, m - i));
    const Kv = K.narrow(-1, i, m - i).matmul(below);
    const scale = t.unsqueeze(-1);
    input_grads[i] = scale.neg().mul_Tensor(vHK).conj().mT().sub_Tensor(scale.mul_Tensor(Kv));
    tau_grads[i] = vHK
      .narrow(-1, i, m - i)
      .matmul(below)
      .neg()
      .conj()
      .squeeze_dim(-1);
    if (step === k - 1) break;
    const next = order[step + 1];
    K = reflect(next, v(next), sigma.narrow(-1, next, 1), K, left, in_place);
    K = reflect(i, v(i), t, K, !left, in_place);
  }
  if (areAnyTensorSubclassLike([input, tau, K])) {
    const unused = k < n ? [at.zeros([...input_.sizes().slice(0, -1), n - k], input_.options())] : [];
    return [at.cat([...input_grads, ...unused], -1).tril(-1), at.cat(tau_grads, -1)];
  }
  const [input_grad, tau_grad] = [at.zeros_like(input_), at.zeros_like(tau)];
  for (let i = 0; i < k; i++) {
    input_grad.narrow(-1, i, 1).copy_(input_grads[i]);
    tau_grad.narrow(-1, i, 1).copy_(tau_grads[i]);
  }
  return [input_grad.tril_(-1), tau_grad];
}

/**
 * The gradients for Q C, Q^T C, C Q and C Q^T. In the two that begin with the last reflection, C is the first factor
 * around each one.
 */
export function ormqr_backward(
  grad: Tensor,
  result: Tensor,
  self: Tensor,
  tau: Tensor,
  _other: Tensor,
  left: boolean,
  transpose: boolean,
  grad_output_mask: readonly boolean[],
): [Tensor, Tensor, Tensor] {
  if (!grad.defined()) return [new Tensor(), new Tensor(), new Tensor()];
  const [self_requires_grad, tau_requires_grad, other_requires_grad] = grad_output_mask;
  const other_grad = other_requires_grad ? at.ormqr(self, tau, grad, left, !transpose) : new Tensor();
  if (!self_requires_grad && !tau_requires_grad) return [new Tensor(), new Tensor(), other_grad];
  const flip_order = left === transpose;
  const turned = (t: Tensor): Tensor => (flip_order === transpose ? t : t.mH());
  const [g, r] = flip_order ? [result, grad] : [grad, result];
  const [self_grad, tau_grad] = householder_product_backward(turned(g), turned(r), self, tau, flip_order);
  return [self_grad, tau_grad, other_grad];
}

/**
 * With Q = H_0 ... H_{k-1} E: dQ is the sum of H_0 ... H_{i-1} dH_i H_{i+1} ... H_{k-1} E, and dH_i = -dt v v^T - t dv v^T - t v dv^T.
 * The factors right of H_i are H_i^-1 ... H_0^-1 Q, those left of it are applied to the result.
 */
export function householder_product_jvp(dV_: Tensor, dtau: Tensor, prod: Tensor, V_: Tensor, tau: Tensor): Tensor {
  const k = tau.size(-1);
  const V = V_.tril(-1);
  V.diagonal(0, -2, -1).fill__Scalar(Scalar.ONE);
  const dV = dV_.tril(-1);
  const lengths = V.narrow(-1, 0, k)
    .mul_Tensor(V.narrow(-1, 0, k).conj())
    .sum_dim_IntList([-2]);
  const sigma = tau.div_Tensor(tau.mul_Tensor(lengths).sub_Scalar(Scalar.ONE));
  const column = (t: Tensor, i: number): Tensor => t.narrow(-1, i, 1);
  let right = prod;
  let dprod = at.zeros_like(prod);
  for (let i = 0; i < k; i++) {
    const [v, dv] = [column(V, i), column(dV, i)];
    const [t, dt] = [column(tau, i).unsqueeze(-1), column(dtau, i).unsqueeze(-1)];
    right = reflect(i, v, column(sigma, i), right, true, false);
    const [vR, dvR] = [v.mH().matmul(right), dv.mH().matmul(right)];
    let change = v
      .matmul(vR)
      .mul_Tensor(dt)
      .add_Tensor(dv.matmul(vR).mul_Tensor(t))
      .add_Tensor(v.matmul(dvR).mul_Tensor(t));
    for (let j = i - 1; j >= 0; j--) change = reflect(j, column(V, j), column(tau, j), change, true, false);
    dprod = dprod.sub_Tensor(change);
  }
  return dprod;
}
