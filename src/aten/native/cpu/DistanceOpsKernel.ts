/**
 * @file Kernels of the p-norm of differences of rows, for many rows, and of its gradient.
 * @mirrors aten/src/ATen/native/Distance.h
 */
import {
  AT_DISPATCH,
  check_floating_types,
  type data,
  type InstanceOf,
  load,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DEFAULT_DISPATCH, REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { cdist_backward_stub, cdist_stub, pdist_backward_stub, pdist_forward_stub } from "#aten/native/Distance/Pairs";
import { check_type } from "#aten/TensorMethods";
import { Scalar } from "#c10/core/Scalar";
import { abs, max_propagate_nan, pow, sqrt } from "#c10/util/math";
import { row_distance_backward_instances, row_distance_instances } from "./generated/DistanceOpsKernel.ts";
import { distance_loop, type RowDistances } from "./vec/distance/driver.ts";

/**
 * Distance of two rows of `m` elements. For p = 0 it is the number of positions at which they differ, for infinity the
 * largest difference.
 * @template cdist: floating types
 */
export function row_distance(
  out: data<scalar_t>,
  at: number,
  a: data<scalar_t>,
  ao: number,
  b: data<scalar_t>,
  bo: number,
  m: number,
  p: scalar_t,
): void {
  let agg: scalar_t = 0;
  for (let i = 0; i < m; i++) {
    const diff: scalar_t = abs(load(a, ao + i) - load(b, bo + i));
    if (p === 0) {
      agg = agg + (diff > 0 ? 1 : diff); // NaN is kept
    } else if (p === 1) agg = agg + diff;
    else if (p === 2) agg = agg + diff * diff;
    else if (p === Infinity) agg = max_propagate_nan(agg, diff);
    else agg = agg + pow(diff, p);
  }
  if (p === 2) agg = sqrt(agg);
  else if (p !== 0 && p !== 1 && p !== Infinity) agg = pow(agg, 1 / p);
  store(out, at, agg);
}

/**
 * Adds `sign` times the gradient of row `a` to `out`, for the distance `dist` with the gradient `grad`.
 * @template cdist_backward: floating types
 */
export function row_distance_backward(
  out: data<scalar_t>,
  oo: number,
  a: data<scalar_t>,
  ao: number,
  b: data<scalar_t>,
  bo: number,
  m: number,
  p: scalar_t,
  grad: scalar_t,
  dist: scalar_t,
  sign: scalar_t,
): void {
  for (let i = 0; i < m; i++) {
    const diff: scalar_t = load(a, ao + i) - load(b, bo + i);
    const size: scalar_t = abs(diff);
    let direction: scalar_t = 0;
    if (diff > 0) direction = 1;
    else if (diff < 0) direction = -1;
    let g: scalar_t = 0;
    if (p === 1) g = grad * direction;
    else if (p === Infinity) {
      if (size === dist) g = grad * direction;
    } else if (dist !== 0) {
      if (p === 2) g = (grad * diff) / dist;
      else if (size !== 0 || p > 1) g = (direction * pow(size, p - 1) * grad) / pow(dist, p - 1);
    }
    store(out, oo + i, load(out, oo + i) + sign * g);
  }
}

/** Distances of `count` pairs of rows, one pair after the other. */
function row_distances(result: Tensor, x1: Tensor, x2: Tensor, p: number): RowDistances {
  const run = AT_DISPATCH(row_distance_instances, x1.scalar_type());
  const [out, a, b] = [result.data_view(), x1.data_view(), x2.data_view()];
  return (to, x, from, count, m) => {
    for (let j = 0; j < count; j++) run(out, to + j, a, x, b, from + j * m, m, p);
  };
}

function cdist_kernel_impl(result: Tensor, x1: Tensor, x2: Tensor, p: number): void {
  const plain = row_distances(result, x1, x2, p);
  check_type(x2, x1.scalar_type());
  const [batches, r1, m] = x1.sizes() as [number, number, number];
  const r2 = x2.size(1);
  const [to, a, b] = [result.data_offset(), x1.data_offset(), x2.data_offset()];
  distance_loop(result, x1, x2, p, plain, (distances) => {
    for (let l = 0; l < batches; l++)
      for (let i = l * r1; i < (l + 1) * r1; i++) distances(to + i * r2, a + i * m, b + l * r2 * m, r2, m);
  });
}

type Backward = InstanceOf<typeof row_distance_backward>;

function cdist_backward_kernel_impl(
  result: Tensor,
  grad: Tensor,
  x1: Tensor,
  x2: Tensor,
  p: number,
  dist: Tensor,
): void {
  result.fill__Scalar(Scalar.ZERO);
  const run: Backward = AT_DISPATCH(row_distance_backward_instances, x1.scalar_type());
  if (p === 0) return; // the number of different positions is a step function: its gradient is 0
  for (const t of [grad, dist, x2]) check_type(t, x1.scalar_type());
  const [batches, r1, m] = result.sizes() as [number, number, number];
  const r2 = x2.size(-2);
  const [out, a, b, g, d] = [result.data_view(), x1.data_view(), x2.data_view(), grad.data_view(), dist.data_view()];
  let pair = 0;
  for (let l = 0; l < batches; l++)
    for (let i = 0; i < r1; i++)
      for (let j = 0; j < r2; j++, pair++) {
        const row = (l * r1 + i) * m;
        const [gradient, distance] = [g[grad.data_offset() + pair], d[dist.data_offset() + pair]];
        const [from, other] = [x1.data_offset() + row, x2.data_offset() + (l * r2 + j) * m];
        run(out, result.data_offset() + row, a, from, b, other, m, p, Number(gradient), Number(distance), 1);
      }
}

function pdist_forward_kernel_impl(result: Tensor, self: Tensor, p: number): void {
  check_floating_types(self.scalar_type(), "pdist");
  const [n, m] = [self.size(0), self.size(1)];
  const begin = self.data_offset();
  distance_loop(result, self, self, p, row_distances(result, self, self, p), (distances) => {
    let to = result.data_offset();
    for (let i = 0; i < n - 1; i++) {
      distances(to, begin + i * m, begin + (i + 1) * m, n - 1 - i, m);
      to += n - 1 - i;
    }
  });
}

function pdist_backward_kernel_impl(result: Tensor, grad: Tensor, self: Tensor, p: number, dist: Tensor): void {
  result.fill__Scalar(Scalar.ZERO);
  check_floating_types(self.scalar_type(), "pdist_backward");
  const run: Backward = AT_DISPATCH(row_distance_backward_instances, self.scalar_type());
  if (p === 0) return;
  const [n, m] = [self.size(0), self.size(1)];
  const gs = grad.stride(0); // PyTorch ignores the shape: one element of the first dim for each pair
  for (const t of [grad, dist]) check_type(t, self.scalar_type());
  const [out, x, g, d] = [result.data_view(), self.data_view(), grad.data_view(), dist.data_view()];
  const [to, from] = [result.data_offset(), self.data_offset()];
  let pair = 0;
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++, pair++) {
      const gradient = Number(g[grad.data_offset() + pair * gs]);
      const distance = Number(d[dist.data_offset() + pair]);
      const [a, b] = [from + i * m, from + j * m];
      run(out, to + i * m, x, a, x, b, m, p, gradient, distance, 1);
      run(out, to + j * m, x, a, x, b, m, p, gradient, distance, -1);
    }
}

REGISTER_DISPATCH(cdist_stub, cdist_kernel_impl, "cdist_kernel_impl");
REGISTER_DEFAULT_DISPATCH(cdist_backward_stub, cdist_backward_kernel_impl, "cdist_backward_kernel_impl");
REGISTER_DISPATCH(pdist_forward_stub, pdist_forward_kernel_impl, "pdist_forward_kernel_impl");
REGISTER_DEFAULT_DISPATCH(pdist_backward_stub, pdist_backward_kernel_impl, "pdist_backward_kernel_impl");
