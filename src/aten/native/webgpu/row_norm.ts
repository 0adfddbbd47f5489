/**
 * @file Kernels shared by layer_norm and group_norm: normalization of rows by mean and standard deviation, and the
 * gradients. The two differ in which element of the parameters belongs to element i of a row.
 * @mirrors aten/src/ATen/native/cuda/block_reduce.cuh
 */
import { isFloatingType } from "#c10/core/ScalarType";
import { GpuKernel, type KernelContext } from "./KernelText.ts";
import { WELFORD_TEXT } from "./ReduceOps.ts";
import { fold_row, folded_declaration, row_index, shape_of, size_of } from "./rows.ts";

export function row_norm_size({ variant }: KernelContext): [number, number, number] {
  return [size_of(shape_of(variant)), 1, 1];
}

/**
 * Operands x, gamma, beta; y, mean, rstd. `parameter` is WGSL for the element of gamma and beta that belongs to `i` of
 * `row`; `fields` are the parameters it needs.
 */
export function row_norm(name: string, parameter: string, fields: readonly string[]): GpuKernel {
  return new GpuKernel(name, {
    reads: ["x", "gamma", "beta"],
    writes: ["y", "mean", "rstd"],
    fields: ["rows: u32", "elements: u32", ...fields, "eps: f32"],
    workgroup_size: row_norm_size,
    takes: isFloatingType,
    code: (context) => {
      const shape = shape_of(context.variant);
      const scaled = context.has("gamma") ? `normalized * load_gamma(${parameter})` : "normalized";
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
      store_y(base + i, ${scaled}${context.has("beta") ? ` + load_beta(${parameter})` : ""});
    }
    if (rx == 0u) {
      store_mean(row, acc.mean);
      store_rstd(row, rstd);
    }
  }`;
      return { declarations: `${WELFORD_TEXT}\n${folded_declaration(shape, "acc_t")}`, main };
    },
  });
}

/**
 * rstd * (g - mean(g) - n * mean(g n)), where n is the normalized row and g its gradient. Operands dy, x, mean, rstd,
 * gamma; dx.
 */
export function row_norm_grad_input(name: string, parameter: string, fields: readonly string[]): GpuKernel {
  return new GpuKernel(name, {
    reads: ["dy", "x", "mean", "rstd", "gamma"],
    writes: ["dx"],
    fields: ["rows: u32", "elements: u32", ...fields],
    workgroup_size: row_norm_size,
    takes: isFloatingType,
    code: (context) => {
      const shape = shape_of(context.variant);
      const terms = `let n = (load_x(base + i) - mean) * rstd;
      let g = load_dy(base + i)${context.has("gamma") ? ` * load_gamma(${parameter})` : ""};`;
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
}

/**
 * Sums over the `elements` of each of `rows` parameters. Operands dy, x, mean, rstd; dgamma, dbeta. `place` is WGSL for
 * the position of element `i` of parameter `row`; `of_row` gives the row of its statistics.
 */
export function row_norm_grad_parameters(
  name: string,
  place: string,
  of_row: string,
  fields: readonly string[],
): GpuKernel {
  return new GpuKernel(name, {
    reads: ["dy", "x", "mean", "rstd"],
    writes: ["dgamma", "dbeta"],
    fields: ["rows: u32", "elements: u32", ...fields],
    workgroup_size: row_norm_size,
    takes: isFloatingType,
    code: (context) => {
      const shape = shape_of(context.variant);
      const stores = ["dgamma", "dbeta"].map((to, k) =>
        context.has(to) ? `    store_${to}(row, acc.${"xy"[k]});\n` : "",
      );
      const main = `${row_index(shape)}
  var acc = vec2<f32>(0.0f, 0.0f);
  if (row < p.rows) {
    for (var i = rx; i < p.elements; i += lanes) {
      let e = ${place};
      let s = ${of_row};
      let g = load_dy(e);
      acc += vec2<f32>(g * (load_x(e) - load_mean(s)) * load_rstd(s), g);
    }
  }
${fold_row(shape, "acc", (a, b) => `${a} + ${b}`)}
  if ((row < p.rows) && (rx == 0u)) {
${stores.join("")}  }`;
      return { declarations: folded_declaration(shape, "vec2<f32>"), main };
    },
  });
}
