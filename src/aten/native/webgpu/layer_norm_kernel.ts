/**
 * @file layer_norm: each row by its mean and its standard deviation, and the gradients of the row and of both parameters.
 * @mirrors aten/src/ATen/native/layer_norm.h
 * @differs Statistics are float32, as CUDA's; the CPU's have the input's dtype.
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { _check_layer_norm_inputs, contiguous_like, stat_shape_of } from "#aten/native/layer_norm";
import { defined } from "#aten/TensorMethods";
import { ScalarType } from "#c10/core/ScalarType";
import { folded, GpuKernel, type KernelContext, view_of } from "./KernelText.ts";
import { WELFORD_TEXT } from "./ReduceOps.ts";
import {
  fold_row,
  folded_declaration,
  groups_of,
  row_index,
  row_shape,
  shape_of,
  size_of,
  variant_of,
} from "./rows.ts";

type MaybeTensor = Tensor | null;

function size_for({ variant }: KernelContext): [number, number, number] {
  return [size_of(shape_of(variant)), 1, 1];
}

const forward = new GpuKernel("layer_norm", {
  reads: ["x", "gamma", "beta"],
  writes: ["y", "mean", "rstd"],
  fields: ["rows: u32", "elements: u32", "eps: f32"],
  workgroup_size: size_for,
  code: (context) => {
    const shape = shape_of(context.variant);
    const scaled = context.has("gamma") ? "normalized * load_gamma(i)" : "normalized";
    const main = `${row_index(shape)}
  let base = row * p.elements;
  var acc = identity();
  if (row < p.rows) {
    for (var i = rx; i < p.elements; i += lanes) {
      acc = reduce(acc, load_x(base + i), i);
    }
  }
${fold_row(shape, "acc", (a, b) => `combine(${a}, ${b})`)}
  let rstd = 1.0f / sqrt(max(acc.m2 / acc.n, 0.0f) + p.eps);
  if (row < p.rows) {
    for (var i = rx; i < p.elements; i += lanes) {
      let normalized = (load_x(base + i) - acc.mean) * rstd;
      store_y(base + i, ${scaled}${context.has("beta") ? " + load_beta(i)" : ""});
    }
    if (rx == 0u) {
      store_mean(row, acc.mean);
      store_rstd(row, rstd);
    }
  }`;
    return { declarations: `${WELFORD_TEXT}\n${folded_declaration(shape, "acc_t")}`, main };
  },
});

/** With n the normalized row and g the gradient that reaches it: rstd * (g - mean(g) - n * mean(g n)). */
const backward_input = new GpuKernel("layer_norm_grad_input", {
  reads: ["dy", "x", "mean", "rstd", "gamma"],
  writes: ["dx"],
  fields: ["rows: u32", "elements: u32"],
  workgroup_size: size_for,
  code: (context) => {
    const shape = shape_of(context.variant);
    const terms = `let n = (load_x(base + i) - mean) * rstd;
      let g = load_dy(base + i)${context.has("gamma") ? " * load_gamma(i)" : ""};`;
    const main = `${row_index(shape)}
  let base = row * p.elements;
  let of_row = min(row, p.rows - 1u);
  let mean = load_mean(of_row);
  let rstd = load_rstd(of_row);
  var acc = vec2<f32>(0.0f, 0.0f);
  if (row < p.rows) {
    for (var i = rx; i < p.elements; i += lanes) {
      ${terms}
      acc += vec2<f32>(g, g * n);
    }
  }
${fold_row(shape, "acc", (a, b) => `${a} + ${b}`)}
  if (row < p.rows) {
    let means = acc / f32(p.elements);
    for (var i = rx; i < p.elements; i += lanes) {
      ${terms}
      store_dx(base + i, rstd * (g - means.x - n * means.y));
    }
  }`;
    return { declarations: folded_declaration(shape, "vec2<f32>"), main };
  },
});

/** Of each column, over all rows. */
const backward_parameters = new GpuKernel("layer_norm_grad_parameters", {
  reads: ["dy", "x", "mean", "rstd"],
  writes: ["dgamma", "dbeta"],
  fields: ["columns: u32", "elements: u32"],
  workgroup_size: size_for,
  code: (context) => {
    const shape = shape_of(context.variant);
    const main = `${row_index(shape)}
  var acc = vec2<f32>(0.0f, 0.0f);
  if (row < p.columns) {
    for (var i = rx; i < p.elements; i += lanes) {
      let e = i * p.columns + row;
      let g = load_dy(e);
      acc += vec2<f32>(g * (load_x(e) - load_mean(i)) * load_rstd(i), g);
    }
  }
${fold_row(shape, "acc", (a, b) => `${a} + ${b}`)}
  if ((row < p.columns) && (rx == 0u)) {
${context.has("dgamma") ? "    store_dgamma(row, acc.x);\n" : ""}${context.has("dbeta") ? "    store_dbeta(row, acc.y);\n" : ""}  }`;
    return { declarations: folded_declaration(shape, "vec2<f32>"), main };
  },
});

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
