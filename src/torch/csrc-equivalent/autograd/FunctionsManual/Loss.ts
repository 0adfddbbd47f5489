/**
 * @file Formulas of derivatives.yaml for losses: gradients of targets, and second derivatives.
 * @mirrors torch/csrc/autograd/FunctionsManual.cpp
 * @see index.ts, for the order in which the parts of an expression run
 */
import { Reduction } from "#aten/core/Reduction";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { defined } from "#aten/TensorMethods";
import { minus } from "#aten/TensorOperators";
import { areAnyTensorSubclassLike, isTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { GradMode, NoGradGuard } from "#c10/core/GradMode";
import { Scalar } from "#c10/core/Scalar";

/** `t /= n` if the loss is a mean, with n the number of elements of `of`. */
function mean_(t: Tensor, of: Tensor, reduction: number): Tensor {
  return reduction === Reduction.Mean ? t.div__Scalar(Scalar.fromInt(of.numel())) : t;
}

/** `t *= factor`, in place unless it may be a tensor subclass. */
function times_(t: Tensor, factor: Tensor): Tensor {
  return areAnyTensorSubclassLike([t, factor]) ? t.mul_Tensor(factor) : t.mul__Tensor(factor);
}

// binary_cross_entropy

/** A product of probabilities below this counts as zero; PyTorch uses it for all dtypes. */
const EPS = Scalar.fromDouble(1e-12);

export function binary_cross_entropy_target_backward(
  grad: Tensor,
  self: Tensor,
  target: Tensor,
  weight_opt: Tensor | null,
  reduction: number,
): Tensor {
  let grad_target = at.logit(self).neg_();
  grad_target = isTensorSubclassLike(grad) ? grad_target.mul_Tensor(grad) : grad_target.mul__Tensor(grad);
  const weight = defined(weight_opt);
  if (weight !== null)
    grad_target = isTensorSubclassLike(weight) ? grad_target.mul_Tensor(weight) : grad_target.mul__Tensor(weight);
  return mean_(grad_target, target, reduction);
}

export function binary_cross_entropy_double_backward_target(
  grad: Tensor,
  grad_output: Tensor,
  self: Tensor,
  target: Tensor,
  weight_opt: Tensor | null,
  reduction: number,
): Tensor {
  let res = grad.neg().mul_Tensor(grad_output);
  const weight = defined(weight_opt);
  if (weight !== null) res = isTensorSubclassLike(weight) ? res.mul_Tensor(weight) : res.mul__Tensor(weight);
  const neg_self = minus(Scalar.ONE, self);
  const denom = isTensorSubclassLike(self) ? neg_self.mul_Tensor(self) : neg_self.mul__Tensor(self);
  const guard = new NoGradGuard();
  try {
    denom.clamp_min_(EPS);
  } finally {
    guard.restore();
  }
  res = isTensorSubclassLike(denom) ? res.div_Tensor(denom) : res.div__Tensor(denom);
  return mean_(res, target, reduction);
}

export function binary_cross_entropy_double_backward(
  grad_output: Tensor,
  grad: Tensor,
  input: Tensor,
  target: Tensor,
  weight_opt: Tensor | null,
  reduction: number,
): Tensor {
  const inp_pl_eps = input.add_Scalar(EPS);
  const one_m_inp_pl_eps = minus(Scalar.ONE, input).add_Scalar(EPS);
  const one_m_square = one_m_inp_pl_eps.pow_Tensor_Scalar(Scalar.fromInt(2));
  const denominator = inp_pl_eps.pow_Tensor_Scalar(Scalar.fromInt(2)).mul_Tensor(one_m_square);
  const twice = input.mul_Scalar(Scalar.fromInt(2)).mul_Tensor(target);
  const numerator = input.mul_Tensor(input).sub_Tensor(twice).add_Tensor(target);
  let gI = numerator.div_Tensor(denominator);
  gI = areAnyTensorSubclassLike([gI, grad])
    ? gI.mul_Tensor(grad.mul_Tensor(grad_output))
    : gI.mul__Tensor(grad.mul_Tensor(grad_output));
  return weighted_mean(gI, input, defined(weight_opt), reduction);
}

export function binary_cross_entropy_double_backward_grad_output(
  grad: Tensor,
  input: Tensor,
  target: Tensor,
  weight: Tensor | null,
  reduction: number,
): Tensor {
  const one_m_inp_pl_eps = minus(Scalar.ONE, input).add_Scalar(EPS);
  const denominator = input.add_Scalar(EPS).mul_Tensor(one_m_inp_pl_eps);
  const ggO = times_(input.sub_Tensor(target).div_Tensor(denominator), grad);
  return weighted_mean(ggO, input, defined(weight), reduction);
}

function weighted_mean(t: Tensor, of: Tensor, weight: Tensor | null, reduction: number): Tensor {
  let g = t;
  if (weight !== null) g = isTensorSubclassLike(weight) ? g.mul_Tensor(weight) : g.mul__Tensor(weight);
  return reduction === Reduction.Mean ? g.div_Scalar(Scalar.fromInt(of.numel())) : g;
}

// binary_cross_entropy_with_logits

export function binary_cross_entropy_with_logits_backward(
  grad: Tensor,
  input: Tensor,
  target: Tensor,
  weight_opt: Tensor | null,
  pos_weight_opt: Tensor | null,
  reduction: number,
): Tensor {
  if (grad._is_zerotensor()) return at._efficientzerotensor(input.sizes(), input.options());
  const pos_weight = defined(pos_weight_opt);
  const recorded = GradMode.is_enabled();
  const apart = recorded || areAnyTensorSubclassLike([input, target]);
  let grad_input: Tensor;
  if (pos_weight !== null) {
    const t = pos_weight.mul_Tensor(target);
    const rest = t.add_Scalar(Scalar.ONE);
    grad_input = apart
      ? rest.sub_Tensor(target).mul_Tensor(input.sigmoid()).sub_Tensor(t)
      : rest.sub__Tensor(target).mul__Tensor(input.sigmoid()).sub__Tensor(t);
  } else {
    grad_input = apart ? input.sigmoid().sub_Tensor(target) : input.sigmoid().sub__Tensor(target);
  }
  const by = (factor: Tensor): Tensor =>
    recorded || isTensorSubclassLike(factor) ? grad_input.mul_Tensor(factor) : grad_input.mul__Tensor(factor);
  grad_input = by(grad);
  const weight = defined(weight_opt);
  if (weight !== null) grad_input = by(weight);
  return mean_(grad_input, input, reduction);
}

export function binary_cross_entropy_with_logits_target_backward(
  grad_output: Tensor,
  self: Tensor,
  target: Tensor,
  weight_opt: Tensor | null,
  pos_weight_opt: Tensor | null,
  reduction: number,
): Tensor {
  if (grad_output._is_zerotensor()) return at._efficientzerotensor(target.sizes(), target.options());
  const pos_weight = defined(pos_weight_opt);
  let grad_target: Tensor;
  if (pos_weight !== null) {
    const negative = at.log_sigmoid(self.neg());
    const positive = at.log_sigmoid(self);
    grad_target = areAnyTensorSubclassLike([pos_weight, grad_output])
      ? negative.sub_Tensor(positive.mul_Tensor(pos_weight)).mul_Tensor(grad_output)
      : negative.sub__Tensor(positive.mul__Tensor(pos_weight)).mul__Tensor(grad_output);
  } else {
    grad_target = self.neg().mul_Tensor(grad_output);
  }
  const weight = defined(weight_opt);
  if (weight !== null)
    grad_target = isTensorSubclassLike(weight) ? grad_target.mul_Tensor(weight) : grad_target.mul__Tensor(weight);
  return mean_(grad_target, target, reduction);
}

// Elementwise losses

export function mse_loss_double_backward(grad: Tensor, input: Tensor, reduction: number): Tensor {
  return mean_(grad.mul_Scalar(Scalar.fromInt(2)), input, reduction);
}

export function smooth_l1_loss_double_backward(
  grad: Tensor,
  input: Tensor,
  target: Tensor,
  reduction: number,
  beta: number,
): Tensor {
  if (beta === 0) return at.zeros(grad.sizes(), grad.options()); // avoids 0 * infinity
  const d = input.sub_Tensor(target).abs();
  const within = d.lt_Scalar(Scalar.fromDouble(beta)).type_as(grad);
  return mean_(grad.mul_Tensor(within).div_Scalar(Scalar.fromDouble(beta)), input, reduction);
}

export function huber_loss_double_backward(
  grad: Tensor,
  input: Tensor,
  target: Tensor,
  reduction: number,
  delta: number,
): Tensor {
  const d = input.sub_Tensor(target).abs();
  return mean_(grad.mul_Tensor(d.lt_Scalar(Scalar.fromDouble(delta))), input, reduction);
}

export function huber_loss_double_backward_grad_output(
  grad: Tensor,
  grad_output: Tensor,
  input: Tensor,
  target: Tensor,
  reduction: number,
  delta: number,
): Tensor {
  if (reduction === Reduction.None) return at.huber_loss_backward(grad, input, target, reduction, delta);
  const r = at.huber_loss_backward(at.ones_like(grad_output), input, target, reduction, delta);
  return r.mul_Tensor(grad).sum();
}

export function soft_margin_loss_double_backward(
  grad: Tensor,
  input: Tensor,
  target: Tensor,
  reduction: number,
): Tensor {
  const z = input.mul_Tensor(target.neg()).exp();
  const zplus1 = z.add_Scalar(Scalar.ONE);
  const square = zplus1.mul_Tensor(zplus1);
  const grad_input = grad.mul_Tensor(target.mul_Tensor(target)).mul_Tensor(z).div_Tensor(square);
  return mean_(grad_input, input, reduction);
}

export function soft_margin_loss_double_backward_grad_output(
  grad: Tensor,
  grad_output: Tensor,
  input: Tensor,
  target: Tensor,
  reduction: number,
): Tensor {
  if (reduction === Reduction.None) return at.soft_margin_loss_backward(grad, input, target, reduction);
  const r = at.soft_margin_loss_backward(at.ones_like(grad_output), input, target, reduction);
  return r.mul_Tensor(grad).sum();
}
