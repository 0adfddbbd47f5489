/**
 * @file Kernels of softmax and log_softmax along any dim, and their backward: one pass finds the maximum and the sum of
 * exponentials; a second pass writes.
 * @mirrors aten/src/ATen/native/cuda/PersistentSoftmax.cuh
 * @differs Ours needs one pass for both, because it rescales the sum whenever a larger element comes; CUDA needs two.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import * as stubs from "#aten/native/SoftMax/index";
import { isFloatingType } from "#c10/core/ScalarType";
import { folded, GpuKernel, type KernelContext, view_of } from "./KernelText.ts";
import {
  fold_row,
  folded_declaration,
  groups_of,
  type RowShape,
  row_index,
  row_shape,
  shape_of,
  size_of,
  variant_of,
} from "./rows.ts";

/** A contiguous tensor as rows along `dim`. The stride between elements of a row is `inner`. */
interface Rows {
  readonly rows: number;
  readonly elements: number;
  readonly inner: number;
}

function rows_along(self: Tensor, dim: number): Rows {
  const sizes = self.sizes();
  let inner = 1;
  for (let d = dim + 1; d < sizes.length; d++) inner *= sizes[d];
  return { rows: self.numel() / sizes[dim], elements: sizes[dim], inner };
}

/** Position of element `i` of the row. */
const AT = "base + i * p.inner";
const BASE = "  let base = (row / p.inner) * p.elements * p.inner + row % p.inner;";

function size_for({ variant }: KernelContext): [number, number, number] {
  return [size_of(shape_of(variant)), 1, 1];
}

/** WGSL for the maximum and the sum of e^(x - maximum), as two floats. */
const MAX_AND_SUM = `fn with_element(acc: vec2<f32>, x: f32) -> vec2<f32> {
  let e = exp_below(-abs(x - acc.x)); // exponential of the smaller minus the larger value: one exponential for both cases
  let is_greater = x > acc.x;
  return vec2<f32>(select(acc.x, x, is_greater), select(acc.y + e, acc.y * e + 1.0f, is_greater));
}
fn combine(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
  let greatest = pmax_f32(a.x, b.x);
  return vec2<f32>(greatest, a.y * exp_below(a.x - greatest) + b.y * exp_below(b.x - greatest));
}`;

/**
 * WGSL: `exp_f32` for arguments that are not above 0. It is exact down to e^-87; smaller results are 0. Exponentials
 * make up half the text of a softmax kernel.
 */
const EXP_BELOW = `fn exp_below(x: f32) -> f32 {
  let v0 = select(x, -87.0f, x < -87.0f);
  let n = round(v0 * 1.442695f);
  let e = exp_of_part_f32(v0, n) * bitcast<f32>((i32(n) + 127i) << 23u);
  return select(e, 0.0f, x < -87.0f);
}`;

function forward(is_log: boolean): GpuKernel {
  // If an element is infinite, its distance to the others is not a number.
  const result = is_log ? "x - acc.x - log_of_sum" : "exp_below(x - acc.x) / sum";
  return new GpuKernel(is_log ? "log_softmax_forward" : "softmax_forward", {
    reads: ["input"],
    writes: ["output"],
    fields: ["rows: u32", "elements: u32", "inner: u32"],
    workgroup_size: size_for,
    takes: isFloatingType,
    code: ({ variant }) => {
      const shape = shape_of(variant);
      const main = `${row_index(shape)}
${BASE}
  var acc = vec2<f32>(-3.4028234663852886e+38f, 0.0f);
  if (row < p.rows) {
    for (var i = rx; i < p.elements; i += lanes) {
      acc = with_element(acc, load_input(${AT}));
    }
  }
${fold_row(shape, "acc", (a, b) => `combine(${a}, ${b})`)}
  let sum = select(acc.y, nan(), isinf_f32(acc.x));
${is_log ? "  let log_of_sum = log_f32(sum);" : ""}
  if (row < p.rows) {
    for (var i = rx; i < p.elements; i += lanes) {
      let x = load_input(${AT});
      store_output(${AT}, ${result});
    }
  }`;
      return { declarations: `${EXP_BELOW}\n${MAX_AND_SUM}\n${folded_declaration(shape, "vec2<f32>")}`, main };
    },
  });
}

function backward(is_log: boolean): GpuKernel {
  const term = is_log ? "load_grad(e)" : "load_grad(e) * load_output(e)";
  const result = is_log ? "load_grad(e) - exp_f32(load_output(e)) * acc" : "load_output(e) * (load_grad(e) - acc)";
  return new GpuKernel(is_log ? "log_softmax_backward" : "softmax_backward", {
    reads: ["grad", "output"],
    writes: ["grad_input"],
    fields: ["rows: u32", "elements: u32", "inner: u32"],
    workgroup_size: size_for,
    takes: isFloatingType,
    code: ({ variant }) => {
      const shape = shape_of(variant);
      const main = `${row_index(shape)}
${BASE}
  var acc = 0.0f;
  if (row < p.rows) {
    for (var i = rx; i < p.elements; i += lanes) {
      let e = ${AT};
      acc += ${term};
    }
  }
${fold_row(shape, "acc", (a, b) => `${a} + ${b}`)}
  if (row < p.rows) {
    for (var i = rx; i < p.elements; i += lanes) {
      let e = ${AT};
      store_grad_input(e, ${result});
    }
  }`;
      return { declarations: folded_declaration(shape, "f32"), main };
    },
  });
}

function shape_for({ rows, elements, inner }: Rows): RowShape {
  return row_shape(rows, elements, inner === 1);
}

function host_softmax(kernel: GpuKernel): (result: Tensor, self: Tensor, dim: number) => void {
  return (result, self, dim) => {
    const along = rows_along(self, dim);
    const shape = shape_for(along);
    const values = [along.rows, along.elements, along.inner];
    kernel.launch(
      variant_of(shape),
      [view_of(self), view_of(result)],
      values,
      ...folded(groups_of(shape, along.rows)),
      1,
    );
  };
}

function host_softmax_backward(
  kernel: GpuKernel,
): (grad_input: Tensor, grad: Tensor, output: Tensor, dim: number) => void {
  return (grad_input, grad, output, dim) => {
    const along = rows_along(grad, dim);
    const shape = shape_for(along);
    const views = [grad, output, grad_input].map(view_of);
    const values = [along.rows, along.elements, along.inner];
    kernel.launch(variant_of(shape), views, values, ...folded(groups_of(shape, along.rows)), 1);
  };
}

const softmax = host_softmax(forward(false));
const log_softmax = host_softmax(forward(true));
const softmax_backward = host_softmax_backward(backward(false));
const log_softmax_backward = host_softmax_backward(backward(true));

REGISTER_PRIVATEUSE1_DISPATCH(stubs.softmax_kernel, softmax, "softmax_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(stubs.softmax_lastdim_kernel, softmax, "softmax_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(stubs.log_softmax_kernel, log_softmax, "log_softmax_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(stubs.log_softmax_lastdim_kernel, log_softmax, "log_softmax_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(stubs.softmax_backward_kernel, softmax_backward, "softmax_backward_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(
  stubs.softmax_backward_lastdim_kernel,
  softmax_backward,
  "softmax_backward_kernel_webgpu",
);
REGISTER_PRIVATEUSE1_DISPATCH(
  stubs.log_softmax_backward_kernel,
  log_softmax_backward,
  "log_softmax_backward_kernel_webgpu",
);
REGISTER_PRIVATEUSE1_DISPATCH(
  stubs.log_softmax_backward_lastdim_kernel,
  log_softmax_backward,
  "log_softmax_backward_kernel_webgpu",
);
