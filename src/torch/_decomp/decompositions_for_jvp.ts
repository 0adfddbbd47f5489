/**
 * @file Operators without a formula of forward mode, as functions of operators that have one. The gradient of a
 * normalization must compute mean and variance again here, because the saved ones have no tangent.
 * @mirrors torch/_decomp/decompositions_for_jvp.py
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import { register_decomposition_for_jvp } from "#torch/csrc-equivalent/autograd/jit_decomp_interface";

let registered = false;

/** Makes them known to the kernels of forward mode; a second call does nothing. */
export function register_decompositions_for_jvp(): void {
  if (registered) return;
  registered = true;
  register_decomposition_for_jvp("aten::trace", trace);
  register_decomposition_for_jvp("aten::nll_loss_backward", nll_loss_backward);
  register_decomposition_for_jvp("aten::nll_loss2d_backward", nll_loss_backward);
  register_decomposition_for_jvp("aten::_log_softmax_backward_data", _log_softmax_backward_data);
  register_decomposition_for_jvp("aten::_softmax_backward_data", _softmax_backward_data);
  register_decomposition_for_jvp("aten::log_sigmoid_forward", log_sigmoid_forward);
  register_decomposition_for_jvp("aten::native_layer_norm_backward", native_layer_norm_backward);
  register_decomposition_for_jvp("aten::native_batch_norm_backward", native_batch_norm_backward);
  register_decomposition_for_jvp("aten::batch_norm_backward", batch_norm_backward);
}

function trace(self: Tensor): Tensor {
  return at.sum(at.diag(self));
}

function log_sigmoid_forward(self: Tensor): [Tensor, Tensor] {
  const z = at.exp(at.neg(at.abs(self)));
  return [at.minimum(self.new_zeros([]), self).sub_Tensor(at.log1p(z)), z];
}

function _softmax_backward_data(grad_output: Tensor, output: Tensor, dim: number): Tensor {
  const product = grad_output.mul_Tensor(output);
  return product.sub_Tensor(output.mul_Tensor(at.sum_dim_IntList(product, [dim], true)));
}

function _log_softmax_backward_data(grad_output: Tensor, output: Tensor, dim: number): Tensor {
  return grad_output.sub_Tensor(at.exp(output).mul_Tensor(at.sum_dim_IntList(grad_output, [dim], true)));
}

/** Minus the weight of the target at the target's place, times the gradient; divided by the total weight for a mean. */
function nll_loss_backward(
  given: Tensor,
  self: Tensor,
  target: Tensor,
  weight: Tensor | null,
  reduction: number,
  ignore_index: number,
  total_weight: Tensor,
): Tensor {
  const channel_dim = self.dim() < 2 ? 0 : 1;
  const ignored = Scalar.fromInt(ignore_index);
  let grad_output = reduction === 1 ? given.div_Tensor(total_weight) : given;
  const places = target.unsqueeze(channel_dim);
  const is_counted = places.ne_Scalar(ignored);
  const safe = at.where_ScalarOther(is_counted, places, Scalar.fromInt(0));
  const grad_input = at.scatter_value(at.zeros_like(self), channel_dim, safe, Scalar.fromDouble(-1));
  if (grad_output.dim() > 0 && grad_input.dim() > grad_output.dim()) grad_output = grad_output.unsqueeze(channel_dim);
  if (weight?.defined()) {
    const shape = self.sizes().map((_, d) => (d === channel_dim ? weight.size(0) : 1));
    grad_output = grad_output.mul_Tensor(weight.reshape(shape));
  }
  grad_output = at.where_ScalarOther(is_counted, grad_output, Scalar.fromDouble(0));
  return grad_input.mul_Tensor(grad_output);
}

/** Mean and 1 / std of `input`, with tangents. What `rstd` holds beside the variance counts as a constant. */
function recompute_mean_var(input: Tensor, rstd: Tensor, dims: number[], keepdim: boolean): [Tensor, Tensor] {
  const [variance, mean] = at.var_mean_correction(input, dims, Scalar.fromInt(0), keepdim);
  const eps = rstd.reciprocal().pow_Tensor_Scalar(Scalar.fromInt(2)).sub_Tensor(variance).detach();
  return [mean, at.rsqrt(variance.add_Tensor(eps))];
}

function native_layer_norm_backward(
  grad_out: Tensor,
  input: Tensor,
  normalized_shape: readonly number[],
  _mean: Tensor,
  rstd: Tensor,
  weight: Tensor | null,
  bias: Tensor | null,
  output_mask: readonly boolean[],
): [Tensor, Tensor, Tensor] {
  const sizes = [...input.sizes()];
  const axis = sizes.length - normalized_shape.length;
  const all = [...sizes.keys()];
  const [outer, inner] = [all.slice(0, axis), all.slice(axis)];
  const count = (dims: readonly number[]): number => dims.reduce((n, d) => n * sizes[d], 1);
  const [M, N] = [count(outer), count(inner)];
  if (M <= 0 || N <= 0) {
    const shape = sizes.slice(axis);
    return [input.new_zeros(sizes), input.new_zeros(shape), input.new_zeros(shape)];
  }
  const given = weight?.defined() ? weight : null;
  const over_outer = (t: Tensor): Tensor => (outer.length > 0 ? at.sum_dim_IntList(t, outer, false) : t);
  const [mean_, rstd_] = recompute_mean_var(input, rstd, inner, true);
  const x_hat = input.sub_Tensor(mean_).mul_Tensor(rstd_);
  const grad_x_hat = given === null ? grad_out : grad_out.mul_Tensor(given);
  const n = Scalar.fromInt(N);
  const b = at.sum_dim_IntList(grad_x_hat, inner, true);
  const c = at.sum_dim_IntList(grad_x_hat.mul_Tensor(x_hat), inner, true);
  const projected = grad_x_hat.mul_Scalar(n).sub_Tensor(b).sub_Tensor(x_hat.mul_Tensor(c));
  const d_input = output_mask[0] ? rstd_.div_Scalar(n).mul_Tensor(projected) : at.zeros_like(input);
  let d_weight = given === null ? at.zeros([], input.options()) : at.zeros_like(given);
  if (output_mask[1] && given !== null) d_weight = over_outer(grad_out.mul_Tensor(x_hat));
  let d_bias = bias?.defined() ? at.zeros_like(bias) : at.zeros([], input.options());
  if (output_mask[2] && bias?.defined()) d_bias = outer.length > 0 ? over_outer(grad_out) : grad_out.clone();
  return [d_input, d_weight, d_bias];
}

function native_batch_norm_backward(
  grad_out: Tensor,
  input: Tensor,
  weight: Tensor | null,
  running_mean: Tensor | null,
  running_var: Tensor | null,
  _save_mean: Tensor | null,
  save_invstd: Tensor | null,
  train: boolean,
  eps: number,
  output_mask: readonly boolean[],
): [Tensor, Tensor, Tensor] {
  TORCH_CHECK(input.dim() >= 2, "rank of the input must be at least 2, got ", input.dim());
  const dims = [...input.sizes().keys()].filter((d) => d !== 1);
  const shape = input.sizes().map((n, d) => (d === 1 ? n : 1));
  const norm = Scalar.fromDouble(input.size(1) / input.numel());
  let mean: Tensor;
  let invstd: Tensor;
  if (train) {
    TORCH_CHECK(save_invstd !== null, "when train=True, save_mean and save_invstd are required");
    [mean, invstd] = recompute_mean_var(input, save_invstd, dims, false);
  } else {
    TORCH_CHECK(
      running_mean !== null && running_var !== null,
      "running_mean and running_var must not be None when train=False",
    );
    mean = running_mean;
    invstd = at.rsqrt(running_var.add_Scalar(Scalar.fromDouble(eps)));
  }
  const broadcast = (t: Tensor): Tensor => at.reshape(t, shape);
  const given = weight?.defined() ? weight : null;
  const centered = input.sub_Tensor(broadcast(mean));
  const grad_output_sum = at.sum_dim_IntList(grad_out, dims);
  const dot_p = at.sum_dim_IntList(grad_out.mul_Tensor(centered), dims);
  const grad_mean = broadcast(grad_output_sum.mul_Scalar(norm));
  const proj_scale = broadcast(dot_p.mul_Scalar(norm).mul_Tensor(invstd.mul_Tensor(invstd)));
  const grad_scale = broadcast(given === null ? invstd : invstd.mul_Tensor(given));
  const projected = train ? grad_out.sub_Tensor(centered.mul_Tensor(proj_scale)).sub_Tensor(grad_mean) : grad_out;
  const grad_input = projected.mul_Tensor(grad_scale);
  let grad_weight = given === null ? at.zeros([], input.options()) : at.zeros_like(given);
  if (output_mask[1]) grad_weight = dot_p.mul_Tensor(invstd);
  const grad_bias = output_mask[2] ? grad_output_sum : at.zeros_like(grad_output_sum);
  return [grad_input, grad_weight, grad_bias];
}

function batch_norm_backward(
  grad_out: Tensor,
  input: Tensor,
  weight: Tensor,
  running_mean: Tensor | null,
  running_var: Tensor | null,
  save_mean: Tensor | null,
  save_var: Tensor | null,
  update: boolean,
  eps: number,
  output_mask: readonly boolean[],
  _reserve: Tensor,
): [Tensor, Tensor, Tensor] {
  return native_batch_norm_backward(
    grad_out,
    input,
    weight,
    running_mean,
    running_var,
    save_mean,
    save_var,
    update,
    eps,
    output_mask,
  );
}
