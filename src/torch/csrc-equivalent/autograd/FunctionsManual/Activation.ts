/**
 * @file Formulas of derivatives.yaml for activations: second derivatives that are more than one expression.
 * @mirrors torch/csrc/autograd/FunctionsManual.cpp
 * @see index.ts, for the order in which the parts of an expression run
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { minus } from "#aten/TensorOperators";
import { Scalar } from "#c10/core/Scalar";

export function elu_double_backward(
  grad: Tensor,
  grad_output: Tensor,
  alpha: Scalar,
  scale: Scalar,
  input_scale: Scalar,
  is_result: boolean,
  self_or_result: Tensor,
): Tensor {
  const negative = self_or_result.lt_Scalar(Scalar.ZERO).type_as(grad);
  const both = grad.mul_Tensor(grad_output).mul_Scalar(input_scale);
  if (is_result) return both.mul_Tensor(negative);
  return at.elu_backward(both, alpha, scale, input_scale, is_result, self_or_result).mul_Tensor(negative);
}

export function softplus_double_backward(grad: Tensor, input: Tensor, beta: Scalar, threshold: Scalar): Tensor {
  const x = input.mul_Scalar(beta);
  const below = x.lt_Scalar(threshold).type_as(grad);
  return at.sigmoid_backward(grad, x.sigmoid()).mul_Tensor(below).mul_Scalar(beta);
}

export function infinitely_differentiable_mish_backward(grad_output: Tensor, input: Tensor): Tensor {
  const sigmoid = input.sigmoid();
  const tanh_softplus = input.exp().log1p().tanh();
  const bend = minus(Scalar.fromDouble(1), tanh_softplus.mul_Tensor(tanh_softplus));
  return grad_output.mul_Tensor(tanh_softplus.add_Tensor(input.mul_Tensor(sigmoid).mul_Tensor(bend)));
}

export function log_sigmoid_double_backward(grad: Tensor, input: Tensor): Tensor {
  const z = input.sigmoid();
  return grad.mul_Tensor(z.sub_Scalar(Scalar.ONE)).mul_Tensor(z);
}

/** glu is a * s, s = sigmoid(b): s' = s (1 - s), and s'' = s' (1 - s) - s s'. */
export function glu_double_backward(grad: Tensor, grad_output: Tensor, input: Tensor, dim: number): Tensor {
  const size = input.size(dim) / 2;
  const a = input.narrow(dim, 0, size);
  const b = input.narrow(dim, size, size);
  const s = b.sigmoid();
  const one_sub_s = minus(Scalar.ONE, s);
  const s1 = s.mul_Tensor(one_sub_s);

  const gg_a = grad.narrow(dim, 0, size);
  const gg_b = grad.narrow(dim, size, size);
  const gg_b_times_a = gg_b.mul_Tensor(a);

  const g_a = gg_b.mul_Tensor(grad_output).mul_Tensor(s1);
  const lost = s.mul_Tensor(s1);
  const s2 = s1.mul_Tensor(one_sub_s).sub_Tensor(lost);
  const by_a = gg_a.mul_Tensor(grad_output).mul_Tensor(s1);
  const g_b = gg_b_times_a.mul_Tensor(grad_output).mul_Tensor(s2).add_Tensor(by_a);
  return at.cat([g_a, g_b], dim);
}

export function glu_double_backward_grad_output(grad: Tensor, input: Tensor, dim: number): Tensor {
  const wrap_dim = dim < 0 ? dim + input.dim() : dim;
  const sizes = [...input.sizes()];
  sizes[wrap_dim] = Math.trunc(sizes[wrap_dim] / 2);
  const slopes = at.glu_backward(at.ones(sizes, input.options()), input, wrap_dim);
  const both = grad.mul_Tensor(slopes);
  const second = both.narrow(wrap_dim, sizes[wrap_dim], sizes[wrap_dim]);
  return both.narrow(wrap_dim, 0, sizes[wrap_dim]).add_Tensor(second);
}
