/**
 * @file softmax and log_softmax along one dim of contiguous tensors, and their gradients.
 * @mirrors aten/src/ATen/native/cpu/SoftMaxKernel.cpp
 * @differs PyTorch has vectorized variants for the last dim and for the others; here both walk the same rows.
 */
import {
  AT_DISPATCH,
  cast,
  type data,
  type Instantiations,
  load,
  type opmath_t,
  round_to,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import * as stubs from "#aten/native/SoftMax";
import {
  log_softmax_backward_lastdim_instances,
  log_softmax_backward_rows_instances,
  log_softmax_lastdim_instances,
  log_softmax_rows_instances,
  softmax_backward_lastdim_instances,
  softmax_backward_rows_instances,
  softmax_lastdim_instances,
  softmax_rows_instances,
} from "./generated/SoftMaxKernel.ts";

// Around the dim a contiguous tensor is outer x n x inner: the n elements of a row stand `inner` apart. The greatest is
// subtracted before exp, so that nothing overflows; the quotient stays the same.

/** @template softmax_kernel_impl: floating types, Half, BFloat16 */
export function row_max(x: data<scalar_t>, xo: number, n: number, inner: number): opmath_t {
  let max: opmath_t = cast<opmath_t>(load(x, xo));
  for (let i = 1; i < n; i++) {
    const v: opmath_t = cast<opmath_t>(load(x, xo + i * inner));
    if (v > max || v !== v) max = v;
  }
  return max;
}

/** @template softmax_kernel_impl: floating types, Half, BFloat16 */
export function softmax_row(
  out: data<scalar_t>,
  oo: number,
  x: data<scalar_t>,
  xo: number,
  n: number,
  inner: number,
): void {
  const max: opmath_t = row_max(x, xo, n, inner);
  let sum: opmath_t = 0;
  for (let i = 0; i < n; i++) {
    const e: opmath_t = Math.exp(cast<opmath_t>(load(x, xo + i * inner)) - max);
    store(out, oo + i * inner, cast<scalar_t>(e));
    sum += e;
  }
  for (let i = 0; i < n; i++)
    store(out, oo + i * inner, cast<scalar_t>(cast<opmath_t>(load(out, oo + i * inner)) / sum));
}
/** A half would be rounded twice if the exponentials waited in the output. */
export function softmax_row$reduced(
  out: data<scalar_t>,
  oo: number,
  x: data<scalar_t>,
  xo: number,
  n: number,
  inner: number,
): void {
  const max: opmath_t = row_max(x, xo, n, inner);
  let sum: opmath_t = 0;
  for (let i = 0; i < n; i++) sum += Math.exp(cast<opmath_t>(load(x, xo + i * inner)) - max);
  for (let i = 0; i < n; i++) {
    store(out, oo + i * inner, cast<scalar_t>(Math.exp(cast<opmath_t>(load(x, xo + i * inner)) - max) / sum));
  }
}

/** @template softmax_kernel_impl: floating types, Half, BFloat16 */
export function softmax_rows(
  out: data<scalar_t>,
  oo: number,
  x: data<scalar_t>,
  xo: number,
  outer: number,
  n: number,
  inner: number,
): void {
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < inner; i++) softmax_row(out, oo + o * n * inner + i, x, xo + o * n * inner + i, n, inner);
  }
}

/** @template softmax_lastdim_kernel_impl: floating types, Half, BFloat16 */
export function softmax_lastdim(
  out: data<scalar_t>,
  oo: number,
  x: data<scalar_t>,
  xo: number,
  outer: number,
  n: number,
  _inner: number,
): void {
  for (let o = 0; o < outer; o++) softmax_row(out, oo + o * n, x, xo + o * n, n, 1);
}

/** @template log_softmax_kernel_impl: floating types, Half, BFloat16 */
export function log_softmax_row(
  out: data<scalar_t>,
  oo: number,
  x: data<scalar_t>,
  xo: number,
  n: number,
  inner: number,
): void {
  const max: opmath_t = row_max(x, xo, n, inner);
  let sum: opmath_t = 0;
  for (let i = 0; i < n; i++) sum += Math.exp(cast<opmath_t>(load(x, xo + i * inner)) - max);
  const log_sum: opmath_t = Math.log(sum);
  for (let i = 0; i < n; i++)
    store(out, oo + i * inner, cast<scalar_t>(cast<opmath_t>(load(x, xo + i * inner)) - max - log_sum));
}

/** @template log_softmax_kernel_impl: floating types, Half, BFloat16 */
export function log_softmax_rows(
  out: data<scalar_t>,
  oo: number,
  x: data<scalar_t>,
  xo: number,
  outer: number,
  n: number,
  inner: number,
): void {
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < inner; i++) log_softmax_row(out, oo + o * n * inner + i, x, xo + o * n * inner + i, n, inner);
  }
}

/** @template log_softmax_lastdim_kernel_impl: floating types, Half, BFloat16 */
export function log_softmax_lastdim(
  out: data<scalar_t>,
  oo: number,
  x: data<scalar_t>,
  xo: number,
  outer: number,
  n: number,
  _inner: number,
): void {
  for (let o = 0; o < outer; o++) {
    const from = xo + o * n;
    const to = oo + o * n;
    const max: opmath_t = row_max(x, from, n, 1);
    let sum: opmath_t = 0;
    for (let i = 0; i < n; i++) sum += Math.exp(cast<opmath_t>(load(x, from + i)) - max);
    // PyTorch keeps the sums of several rows, and then their logarithms, in the tensor's dtype: a half is rounded both times.
    const log_sum: opmath_t = round_to<scalar_t>(Math.log(round_to<scalar_t>(sum)));
    for (let i = 0; i < n; i++) store(out, to + i, cast<scalar_t>(cast<opmath_t>(load(x, from + i)) - max - log_sum));
  }
}

/** grad_input = output * (grad - sum(grad * output)). @template softmax_backward_kernel_impl: floating types, Half, BFloat16 */
export function softmax_backward_row(
  gi: data<scalar_t>,
  g: data<scalar_t>,
  go: number,
  y: data<scalar_t>,
  yo: number,
  gio: number,
  n: number,
  inner: number,
): void {
  let sum: opmath_t = 0;
  for (let i = 0; i < n; i++) sum += cast<opmath_t>(load(g, go + i * inner)) * cast<opmath_t>(load(y, yo + i * inner));
  for (let i = 0; i < n; i++) {
    const v: opmath_t = cast<opmath_t>(load(y, yo + i * inner));
    store(gi, gio + i * inner, cast<scalar_t>(v * (cast<opmath_t>(load(g, go + i * inner)) - sum)));
  }
}

/** @template softmax_backward_kernel_impl: floating types, Half, BFloat16 */
export function softmax_backward_rows(
  gi: data<scalar_t>,
  gio: number,
  g: data<scalar_t>,
  go: number,
  y: data<scalar_t>,
  yo: number,
  outer: number,
  n: number,
  inner: number,
): void {
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < inner; i++) {
      const at = o * n * inner + i;
      softmax_backward_row(gi, g, go + at, y, yo + at, gio + at, n, inner);
    }
  }
}

/** @template softmax_backward_lastdim_kernel_impl: floating types, Half, BFloat16 */
export function softmax_backward_lastdim(
  gi: data<scalar_t>,
  gio: number,
  g: data<scalar_t>,
  go: number,
  y: data<scalar_t>,
  yo: number,
  outer: number,
  n: number,
  _inner: number,
): void {
  for (let o = 0; o < outer; o++) softmax_backward_row(gi, g, go + o * n, y, yo + o * n, gio + o * n, n, 1);
}

/** grad_input = grad - exp(output) * sum(grad). @template log_softmax_backward_kernel_impl: floating types, Half, BFloat16 */
export function log_softmax_backward_row(
  gi: data<scalar_t>,
  g: data<scalar_t>,
  go: number,
  y: data<scalar_t>,
  yo: number,
  gio: number,
  n: number,
  inner: number,
): void {
  let sum: opmath_t = 0;
  for (let i = 0; i < n; i++) sum += cast<opmath_t>(load(g, go + i * inner));
  for (let i = 0; i < n; i++) {
    const e: opmath_t = Math.exp(cast<opmath_t>(load(y, yo + i * inner)));
    store(gi, gio + i * inner, cast<scalar_t>(cast<opmath_t>(load(g, go + i * inner)) - e * sum));
  }
}

/** @template log_softmax_backward_kernel_impl: floating types, Half, BFloat16 */
export function log_softmax_backward_rows(
  gi: data<scalar_t>,
  gio: number,
  g: data<scalar_t>,
  go: number,
  y: data<scalar_t>,
  yo: number,
  outer: number,
  n: number,
  inner: number,
): void {
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < inner; i++) {
      const at = o * n * inner + i;
      log_softmax_backward_row(gi, g, go + at, y, yo + at, gio + at, n, inner);
    }
  }
}

/** @template log_softmax_backward_lastdim_kernel_impl: floating types, Half, BFloat16 */
export function log_softmax_backward_lastdim(
  gi: data<scalar_t>,
  gio: number,
  g: data<scalar_t>,
  go: number,
  y: data<scalar_t>,
  yo: number,
  outer: number,
  n: number,
  _inner: number,
): void {
  for (let o = 0; o < outer; o++) log_softmax_backward_row(gi, g, go + o * n, y, yo + o * n, gio + o * n, n, 1);
}

function extents(t: Tensor, dim: number): [outer: number, n: number, inner: number] {
  let outer = 1;
  let inner = 1;
  for (const [d, size] of t.sizes().entries()) {
    if (d < dim) outer *= size;
    else if (d > dim) inner *= size;
  }
  return [outer, t.size(dim), inner];
}

function forward(instances: Instantiations<typeof softmax_rows>, result: Tensor, self: Tensor, dim: number): void {
  const [outer, n, inner] = extents(self, dim);
  const rows = AT_DISPATCH(instances, self.scalar_type());
  rows(result.data_view(), result.data_offset(), self.data_view(), self.data_offset(), outer, n, inner);
}

function backward(
  instances: Instantiations<typeof softmax_backward_rows>,
  grad_input: Tensor,
  grad: Tensor,
  output: Tensor,
  dim: number,
): void {
  const [outer, n, inner] = extents(grad, dim);
  const rows = AT_DISPATCH(instances, grad.scalar_type());
  rows(
    grad_input.data_view(),
    grad_input.data_offset(),
    grad.data_view(),
    grad.data_offset(),
    output.data_view(),
    output.data_offset(),
    outer,
    n,
    inner,
  );
}

function softmax_lastdim_kernel_impl(result: Tensor, self: Tensor, dim: number): void {
  forward(softmax_lastdim_instances, result, self, dim);
}

function softmax_kernel_impl(result: Tensor, self: Tensor, dim: number): void {
  forward(softmax_rows_instances, result, self, dim);
}

function log_softmax_lastdim_kernel_impl(result: Tensor, self: Tensor, dim: number): void {
  forward(log_softmax_lastdim_instances, result, self, dim);
}

function log_softmax_kernel_impl(result: Tensor, self: Tensor, dim: number): void {
  forward(log_softmax_rows_instances, result, self, dim);
}

function softmax_backward_lastdim_kernel_impl(grad_input: Tensor, grad: Tensor, output: Tensor, dim: number): void {
  backward(softmax_backward_lastdim_instances, grad_input, grad, output, dim);
}

function softmax_backward_kernel_impl(grad_input: Tensor, grad: Tensor, output: Tensor, dim: number): void {
  backward(softmax_backward_rows_instances, grad_input, grad, output, dim);
}

function log_softmax_backward_lastdim_kernel_impl(grad_input: Tensor, grad: Tensor, output: Tensor, dim: number): void {
  backward(log_softmax_backward_lastdim_instances, grad_input, grad, output, dim);
}

function log_softmax_backward_kernel_impl(grad_input: Tensor, grad: Tensor, output: Tensor, dim: number): void {
  backward(log_softmax_backward_rows_instances, grad_input, grad, output, dim);
}

REGISTER_DISPATCH(stubs.softmax_lastdim_kernel, softmax_lastdim_kernel_impl, "softmax_lastdim_kernel_impl");
REGISTER_DISPATCH(stubs.softmax_kernel, softmax_kernel_impl, "softmax_kernel_impl");
REGISTER_DISPATCH(stubs.log_softmax_lastdim_kernel, log_softmax_lastdim_kernel_impl, "log_softmax_lastdim_kernel_impl");
REGISTER_DISPATCH(stubs.log_softmax_kernel, log_softmax_kernel_impl, "log_softmax_kernel_impl");
REGISTER_DISPATCH(
  stubs.softmax_backward_lastdim_kernel,
  softmax_backward_lastdim_kernel_impl,
  "softmax_backward_lastdim_kernel_impl",
);
REGISTER_DISPATCH(stubs.softmax_backward_kernel, softmax_backward_kernel_impl, "softmax_backward_kernel_impl");
REGISTER_DISPATCH(
  stubs.log_softmax_backward_lastdim_kernel,
  log_softmax_backward_lastdim_kernel_impl,
  "log_softmax_backward_lastdim_kernel_impl",
);
REGISTER_DISPATCH(
  stubs.log_softmax_backward_kernel,
  log_softmax_backward_kernel_impl,
  "log_softmax_backward_kernel_impl",
);
