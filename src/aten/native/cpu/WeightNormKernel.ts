/**
 * @file Kernels of weight normalization: `w = v * (g / norm(v))`, slice by slice.
 * @mirrors aten/src/ATen/native/cpu/WeightNormKernel.cpp
 * @differs Ours treats a slice as a row with a stride, so one loop serves the first and the last dim; PyTorch sums with
 * vector lanes along the first dim, and with one sum per thread along the last.
 */
import {
  AT_DISPATCH,
  cast,
  type data,
  load,
  type opmath_t,
  type row,
  row_at,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { weight_norm_backward_stub, weight_norm_stub } from "#aten/native/WeightNorm";
import { toOpMathType } from "#aten/OpMathType";
import { check_type } from "#aten/TensorMethods";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { weight_norm_backward_slices_instances, weight_norm_slices_instances } from "./generated/WeightNormKernel.ts";

/** Normalizes `n` slices of `size` elements. @template weight_norm_kernel: floating types and halves */
export function weight_norm_slices(
  w: row<row<scalar_t>>,
  norm: data<opmath_t>,
  norm_at: number,
  v: row<row<scalar_t>>,
  g: data<scalar_t>,
  g_at: number,
  n: number,
  size: number,
): void {
  for (let j = 0; j < n; j++) {
    const from = row_at(v, j);
    const to = row_at(w, j);
    let squares: opmath_t = 0;
    for (let i = 0; i < size; i++) {
      const x: opmath_t = cast<opmath_t>(load(from, i));
      squares += x * x;
    }
    const length: opmath_t = Math.sqrt(squares);
    store(norm, norm_at + j, length);
    const a: opmath_t = cast<opmath_t>(load(g, g_at + j)) / length;
    for (let i = 0; i < size; i++) store(to, i, cast<scalar_t>(cast<opmath_t>(load(from, i)) * a));
  }
}

/**
 * `grad_g = sum(grad_w * v) / norm`, and `grad_v = a * grad_w - b * v` with `a = g / norm`, `b = a * grad_g / norm`.
 * @template weight_norm_backward_kernel: floating types and halves
 */
export function weight_norm_backward_slices(
  grad_v: row<row<scalar_t>>,
  grad_g: data<scalar_t>,
  grad_g_at: number,
  grad_w: row<row<scalar_t>>,
  v: row<row<scalar_t>>,
  g: data<scalar_t>,
  g_at: number,
  norm: data<opmath_t>,
  norm_at: number,
  n: number,
  size: number,
): void {
  for (let j = 0; j < n; j++) {
    const grad = row_at(grad_w, j);
    const from = row_at(v, j);
    const to = row_at(grad_v, j);
    let sum: opmath_t = 0;
    for (let i = 0; i < size; i++) sum += cast<opmath_t>(load(grad, i)) * cast<opmath_t>(load(from, i));
    const length: opmath_t = load(norm, norm_at + j);
    const of_g: opmath_t = sum / length;
    store(grad_g, grad_g_at + j, cast<scalar_t>(of_g));
    const a: opmath_t = cast<opmath_t>(load(g, g_at + j)) / length;
    const b: opmath_t = (a * of_g) / length;
    for (let i = 0; i < size; i++) {
      const value: opmath_t = a * cast<opmath_t>(load(grad, i)) - b * cast<opmath_t>(load(from, i));
      store(to, i, cast<scalar_t>(value));
    }
  }
}

/** The slices of a contiguous tensor: their number, their size, and the strides between slices and between elements. */
function slices(v: Tensor, dim: number): { n: number; size: number; slice: number; element: number } {
  const n = v.size(dim);
  const size = n === 0 ? 0 : v.numel() / n;
  return dim === 0 ? { n, size, slice: size, element: 1 } : { n, size, slice: 1, element: n };
}

function check_fused_dim(v: Tensor, dim: number): void {
  TORCH_INTERNAL_ASSERT(dim === 0 || dim === v.dim() - 1, "fused kernels can only be applied for first or last dim");
}

/**
 * Checks that `g` has one number per slice.
 * @differs Ours refuses a shorter `g`; PyTorch does not check, and its loops read past the end.
 */
function check_lengths(name: string, g: Tensor, n: number): void {
  TORCH_CHECK(g.numel() >= n, `weight_norm: expected ${name} to have `, n, " elements, but got ", g.numel());
}

function weight_norm_kernel(w: Tensor, norm: Tensor, v: Tensor, g: Tensor, dim: number): void {
  check_fused_dim(v, dim);
  const dtype = v.scalar_type();
  const run = AT_DISPATCH(weight_norm_slices_instances, dtype);
  const { n, size, slice, element } = slices(v, dim);
  check_type(g, dtype);
  check_type(norm, toOpMathType(dtype));
  check_lengths("g", g, n);
  // biome-ignore format: one operand group per line
  run(
    w.data_view(), w.data_offset(), slice, element,
    norm.data_view(), norm.data_offset(),
    v.data_view(), v.data_offset(), slice, element,
    g.data_view(), g.data_offset(),
    n, size,
  );
}

function weight_norm_backward_kernel(
  [grad_v, grad_g]: readonly [Tensor, Tensor],
  grad_w: Tensor,
  [v, g, norm]: readonly [Tensor, Tensor, Tensor],
  dim: number,
): void {
  check_fused_dim(v, dim);
  const dtype = v.scalar_type();
  const run = AT_DISPATCH(weight_norm_backward_slices_instances, dtype);
  const { n, size, slice, element } = slices(v, dim);
  check_type(grad_w, dtype);
  check_type(g, dtype);
  check_type(norm, toOpMathType(dtype));
  check_lengths("saved_g", g, n);
  check_lengths("saved_norms", norm, n);
  TORCH_CHECK(sizes_equal(grad_w.sizes(), v.sizes()), "weight_norm: expected grad_w to have the sizes of saved_v");
  // biome-ignore format: one operand group per line
  run(
    grad_v.data_view(), grad_v.data_offset(), slice, element,
    grad_g.data_view(), grad_g.data_offset(),
    grad_w.data_view(), grad_w.data_offset(), slice, element,
    v.data_view(), v.data_offset(), slice, element,
    g.data_view(), g.data_offset(),
    norm.data_view(), norm.data_offset(),
    n, size,
  );
}

REGISTER_DEFAULT_DISPATCH(weight_norm_stub, weight_norm_kernel, "weight_norm_kernel");
REGISTER_DEFAULT_DISPATCH(weight_norm_backward_stub, weight_norm_backward_kernel, "weight_norm_backward_kernel");
