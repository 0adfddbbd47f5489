/**
 * @file Kernels of softmax and log_softmax along one dim of contiguous tensors, and of their gradients.
 * @mirrors aten/src/ATen/native/cpu/SoftMaxKernel.cpp
 * @differs Ours has one loop for all dims; PyTorch has vectorized versions for the last dim and for the others.
 */
import {
  AT_DISPATCH,
  cast,
  type Instantiations,
  load,
  type opmath_t,
  round_to,
  type row,
  row_at,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import * as stubs from "#aten/native/SoftMax/index";
import { check_type } from "#aten/TensorMethods";
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

// With respect to the dim, a contiguous tensor is outer x n x inner: it has outer x inner rows, and the stride of their
// n elements is `inner`. The maximum of a row is subtracted before exp, so that nothing overflows; the quotient stays
// the same. `row_at(row_at(x, o), i)` is row (o, i).

/** @template softmax_kernel_impl: floating types and halves */
export function row_max(x: row<scalar_t>, n: number): opmath_t {
  let max: opmath_t = cast<opmath_t>(load(x, 0));
  for (let i = 1; i < n; i++) {
    const v: opmath_t = cast<opmath_t>(load(x, i));
    if (v > max || v !== v) max = v;
  }
  return max;
}

/** @template softmax_kernel_impl: floating types and halves */
export function softmax_row(out: row<scalar_t>, x: row<scalar_t>, n: number): void {
  const max: opmath_t = row_max(x, n);
  let sum: opmath_t = 0;
  for (let i = 0; i < n; i++) {
    const e: opmath_t = Math.exp(cast<opmath_t>(load(x, i)) - max);
    store(out, i, cast<scalar_t>(e));
    sum += e;
  }
  for (let i = 0; i < n; i++) store(out, i, cast<scalar_t>(cast<opmath_t>(load(out, i)) / sum));
}
/** If the exponentials of halves were kept in the output, they would be rounded twice. */
export function softmax_row$reduced(out: row<scalar_t>, x: row<scalar_t>, n: number): void {
  const max: opmath_t = row_max(x, n);
  let sum: opmath_t = 0;
  for (let i = 0; i < n; i++) sum += Math.exp(cast<opmath_t>(load(x, i)) - max);
  for (let i = 0; i < n; i++) {
    store(out, i, cast<scalar_t>(Math.exp(cast<opmath_t>(load(x, i)) - max) / sum));
  }
}

/** @template softmax_kernel_impl: floating types and halves */
export function softmax_rows(
  out: row<row<row<scalar_t>>>,
  x: row<row<row<scalar_t>>>,
  outer: number,
  inner: number,
  n: number,
): void {
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < inner; i++) softmax_row(row_at(row_at(out, o), i), row_at(row_at(x, o), i), n);
  }
}

/** @template softmax_lastdim_kernel_impl: floating types and halves */
export function softmax_lastdim(
  out: row<row<row<scalar_t>>>,
  x: row<row<row<scalar_t>>>,
  outer: number,
  _inner: number,
  n: number,
): void {
  for (let o = 0; o < outer; o++) softmax_row(row_at(out, o).inner, row_at(x, o).inner, n);
}

/** @template log_softmax_kernel_impl: floating types and halves */
export function log_softmax_row(out: row<scalar_t>, x: row<scalar_t>, n: number): void {
  const max: opmath_t = row_max(x, n);
  let sum: opmath_t = 0;
  for (let i = 0; i < n; i++) sum += Math.exp(cast<opmath_t>(load(x, i)) - max);
  const log_sum: opmath_t = Math.log(sum);
  for (let i = 0; i < n; i++) store(out, i, cast<scalar_t>(cast<opmath_t>(load(x, i)) - max - log_sum));
}

/** @template log_softmax_kernel_impl: floating types and halves */
export function log_softmax_rows(
  out: row<row<row<scalar_t>>>,
  x: row<row<row<scalar_t>>>,
  outer: number,
  inner: number,
  n: number,
): void {
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < inner; i++) log_softmax_row(row_at(row_at(out, o), i), row_at(row_at(x, o), i), n);
  }
}

/** @template log_softmax_lastdim_kernel_impl: floating types and halves */
export function log_softmax_lastdim(
  out: row<row<row<scalar_t>>>,
  x: row<row<row<scalar_t>>>,
  outer: number,
  _inner: number,
  n: number,
): void {
  for (let o = 0; o < outer; o++) {
    const from = row_at(x, o).inner;
    const to = row_at(out, o).inner;
    const max: opmath_t = row_max(from, n);
    let sum: opmath_t = 0;
    for (let i = 0; i < n; i++) sum += Math.exp(cast<opmath_t>(load(from, i)) - max);
    // PyTorch keeps the sums of several rows, and then their logarithms, in the tensor's dtype: halves are rounded both
    // times.
    const log_sum: opmath_t = round_to<scalar_t>(Math.log(round_to<scalar_t>(sum)));
    for (let i = 0; i < n; i++) store(to, i, cast<scalar_t>(cast<opmath_t>(load(from, i)) - max - log_sum));
  }
}

/** grad_input = output * (grad - sum(grad * output)). @template softmax_backward_kernel_impl: floating types and halves */
export function softmax_backward_row(gi: row<scalar_t>, g: row<scalar_t>, y: row<scalar_t>, n: number): void {
  let sum: opmath_t = 0;
  for (let i = 0; i < n; i++) sum += cast<opmath_t>(load(g, i)) * cast<opmath_t>(load(y, i));
  for (let i = 0; i < n; i++) {
    const v: opmath_t = cast<opmath_t>(load(y, i));
    store(gi, i, cast<scalar_t>(v * (cast<opmath_t>(load(g, i)) - sum)));
  }
}

/** @template softmax_backward_kernel_impl: floating types and halves */
export function softmax_backward_rows(
  gi: row<row<row<scalar_t>>>,
  g: row<row<row<scalar_t>>>,
  y: row<row<row<scalar_t>>>,
  outer: number,
  inner: number,
  n: number,
): void {
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < inner; i++) {
      softmax_backward_row(row_at(row_at(gi, o), i), row_at(row_at(g, o), i), row_at(row_at(y, o), i), n);
    }
  }
}

/** @template softmax_backward_lastdim_kernel_impl: floating types and halves */
export function softmax_backward_lastdim(
  gi: row<row<row<scalar_t>>>,
  g: row<row<row<scalar_t>>>,
  y: row<row<row<scalar_t>>>,
  outer: number,
  _inner: number,
  n: number,
): void {
  for (let o = 0; o < outer; o++) softmax_backward_row(row_at(gi, o).inner, row_at(g, o).inner, row_at(y, o).inner, n);
}

/** grad_input = grad - exp(output) * sum(grad). @template log_softmax_backward_kernel_impl: floating types and halves */
export function log_softmax_backward_row(gi: row<scalar_t>, g: row<scalar_t>, y: row<scalar_t>, n: number): void {
  let sum: opmath_t = 0;
  for (let i = 0; i < n; i++) sum += cast<opmath_t>(load(g, i));
  for (let i = 0; i < n; i++) {
    const e: opmath_t = Math.exp(cast<opmath_t>(load(y, i)));
    store(gi, i, cast<scalar_t>(cast<opmath_t>(load(g, i)) - e * sum));
  }
}

/** @template log_softmax_backward_kernel_impl: floating types and halves */
export function log_softmax_backward_rows(
  gi: row<row<row<scalar_t>>>,
  g: row<row<row<scalar_t>>>,
  y: row<row<row<scalar_t>>>,
  outer: number,
  inner: number,
  n: number,
): void {
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < inner; i++) {
      log_softmax_backward_row(row_at(row_at(gi, o), i), row_at(row_at(g, o), i), row_at(row_at(y, o), i), n);
    }
  }
}

/** @template log_softmax_backward_lastdim_kernel_impl: floating types and halves */
export function log_softmax_backward_lastdim(
  gi: row<row<row<scalar_t>>>,
  g: row<row<row<scalar_t>>>,
  y: row<row<row<scalar_t>>>,
  outer: number,
  _inner: number,
  n: number,
): void {
  for (let o = 0; o < outer; o++)
    log_softmax_backward_row(row_at(gi, o).inner, row_at(g, o).inner, row_at(y, o).inner, n);
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
  const o = n * inner;
  // biome-ignore format: one operand group per line
  rows(
    result.data_view(), result.data_offset(), o, 1, inner,
    self.data_view(), self.data_offset(), o, 1, inner,
    outer, inner, n,
  );
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
  check_type(grad_input, grad.scalar_type());
  check_type(output, grad.scalar_type());
  const o = n * inner;
  // biome-ignore format: one operand group per line
  rows(
    grad_input.data_view(), grad_input.data_offset(), o, 1, inner,
    grad.data_view(), grad.data_offset(), o, 1, inner,
    output.data_view(), output.data_offset(), o, 1, inner,
    outer, inner, n,
  );
}

export function softmax_lastdim_kernel_impl(result: Tensor, self: Tensor, dim: number): void {
  forward(softmax_lastdim_instances, result, self, dim);
}

export function softmax_kernel_impl(result: Tensor, self: Tensor, dim: number): void {
  forward(softmax_rows_instances, result, self, dim);
}

export function log_softmax_lastdim_kernel_impl(result: Tensor, self: Tensor, dim: number): void {
  forward(log_softmax_lastdim_instances, result, self, dim);
}

export function log_softmax_kernel_impl(result: Tensor, self: Tensor, dim: number): void {
  forward(log_softmax_rows_instances, result, self, dim);
}

export function softmax_backward_lastdim_kernel_impl(
  grad_input: Tensor,
  grad: Tensor,
  output: Tensor,
  dim: number,
): void {
  backward(softmax_backward_lastdim_instances, grad_input, grad, output, dim);
}

export function softmax_backward_kernel_impl(grad_input: Tensor, grad: Tensor, output: Tensor, dim: number): void {
  backward(softmax_backward_rows_instances, grad_input, grad, output, dim);
}

export function log_softmax_backward_lastdim_kernel_impl(
  grad_input: Tensor,
  grad: Tensor,
  output: Tensor,
  dim: number,
): void {
  backward(log_softmax_backward_lastdim_instances, grad_input, grad, output, dim);
}

export function log_softmax_backward_kernel_impl(grad_input: Tensor, grad: Tensor, output: Tensor, dim: number): void {
  backward(log_softmax_backward_rows_instances, grad_input, grad, output, dim);
}

REGISTER_DEFAULT_DISPATCH(stubs.softmax_lastdim_kernel, softmax_lastdim_kernel_impl, "softmax_lastdim_kernel_impl");
REGISTER_DEFAULT_DISPATCH(stubs.softmax_kernel, softmax_kernel_impl, "softmax_kernel_impl");
REGISTER_DEFAULT_DISPATCH(
  stubs.log_softmax_lastdim_kernel,
  log_softmax_lastdim_kernel_impl,
  "log_softmax_lastdim_kernel_impl",
);
REGISTER_DEFAULT_DISPATCH(stubs.log_softmax_kernel, log_softmax_kernel_impl, "log_softmax_kernel_impl");
REGISTER_DEFAULT_DISPATCH(
  stubs.softmax_backward_lastdim_kernel,
  softmax_backward_lastdim_kernel_impl,
  "softmax_backward_lastdim_kernel_impl",
);
REGISTER_DEFAULT_DISPATCH(stubs.softmax_backward_kernel, softmax_backward_kernel_impl, "softmax_backward_kernel_impl");
REGISTER_DEFAULT_DISPATCH(
  stubs.log_softmax_backward_lastdim_kernel,
  log_softmax_backward_lastdim_kernel_impl,
  "log_softmax_backward_lastdim_kernel_impl",
);
REGISTER_DEFAULT_DISPATCH(
  stubs.log_softmax_backward_kernel,
  log_softmax_backward_kernel_impl,
  "log_softmax_backward_kernel_impl",
);
