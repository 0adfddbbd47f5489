/**
 * @file Kernels of layer_norm and its gradients: each row is normalized by its mean and standard deviation.
 * @mirrors aten/src/ATen/native/layer_norm.h
 * @differs Ours computes statistics in float32, as CUDA does; on the CPU they have the input's dtype.
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { _check_layer_norm_inputs, contiguous_like, stat_shape_of } from "#aten/native/layer_norm";
import { defined } from "#aten/TensorMethods";
import { ScalarType } from "#c10/core/ScalarType";
import { folded, view_of } from "./KernelText.ts";
import { row_norm, row_norm_grad_input, row_norm_grad_parameters } from "./row_norm.ts";
import { groups_of, row_shape, variant_of } from "./rows.ts";

type MaybeTensor = Tensor | null;

const forward = row_norm("layer_norm", "i", []);
const backward_input = row_norm_grad_input("layer_norm_grad_input", "i", []);
/** One parameter per column. */
const backward_parameters = row_norm_grad_parameters("layer_norm_grad_parameters", "i * p.rows + row", "i", []);

function maybe_view(t: MaybeTensor): ReturnType<typeof view_of> | null {
  return t === null ? null : view_of(t);
}

// native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)
export function native_layer_norm(
  input: Tensor,
  normalized_shape: number[],
  weight: MaybeTensor,
  bias: MaybeTensor,
  eps: number,
): [Tensor, Tensor, Tensor] {
  const [M, N] = _check_layer_norm_inputs(input, normalized_shape, weight, bias);
  const X = input.contiguous();
  const Y = contiguous_like(X);
  const options = X.options().dtype(ScalarType.Float);
  const mean = at.empty_memory_format([M], options);
  const rstd = at.empty_memory_format([M], options);
  if (M > 0 && N > 0) {
    const shape = row_shape(M, N, true);
    const parameters = [weight?.contiguous() ?? null, bias?.contiguous() ?? null];
    const views = [view_of(X), ...parameters.map(maybe_view), view_of(Y), view_of(mean), view_of(rstd)];
    forward.launch(variant_of(shape), views, [M, N, eps], ...folded(groups_of(shape, M)), 1);
  }
  const stat_shape = stat_shape_of(input, normalized_shape);
  return [Y, mean.view(stat_shape), rstd.view(stat_shape)];
}

// native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask)
//   -> (Tensor, Tensor, Tensor)
export function native_layer_norm_backward(
  grad_out: Tensor,
  input: Tensor,
  normalized_shape: number[],
  mean: Tensor,
  rstd: Tensor,
  weight_opt: MaybeTensor,
  bias_opt: MaybeTensor,
  output_mask: boolean[],
): [Tensor, Tensor, Tensor] {
  const weight = defined(weight_opt);
  const bias = defined(bias_opt);
  const [M, N] = _check_layer_norm_inputs(input, normalized_shape, weight, bias);
  const X = input.contiguous();
  const dY = grad_out.contiguous();
  const gamma = weight?.contiguous() ?? null;
  const none = X.numel() === 0;
  const of_parameter = (t: Tensor): Tensor => (none ? at.zeros_like(t) : contiguous_like(t.contiguous()));
  const dX = output_mask[0] ? contiguous_like(X) : null;
  const dgamma = output_mask[1] && weight !== null ? of_parameter(weight) : null;
  const dbeta = output_mask[2] && bias !== null ? of_parameter(bias) : null;
  const views = [dY, X, mean.contiguous(), rstd.contiguous()];
  if (!none && dX !== null) {
    const shape = row_shape(M, N, true);
    const operands = [...views.map(view_of), maybe_view(gamma), view_of(dX)];
    backward_input.launch(variant_of(shape), operands, [M, N], ...folded(groups_of(shape, M)), 1);
  }
  if (!none && (dgamma !== null || dbeta !== null)) {
    const shape = row_shape(N, M, false);
    const operands = [...views.map(view_of), maybe_view(dgamma), maybe_view(dbeta)];
    backward_parameters.launch(variant_of(shape), operands, [N, M], ...folded(groups_of(shape, N)), 1);
  }
  return [dX ?? new Tensor(), dgamma ?? new Tensor(), dbeta ?? new Tensor()];
}
