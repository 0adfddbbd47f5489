/**
 * @file Kernels of group_norm: a group of an instance has D channels of HxW positions.
 * @mirrors aten/src/ATen/native/cpu/group_norm_kernel.cpp
 * @differs Ours sums channels-last groups in two passes in the wider type; PyTorch sums them column by column in float.
 */
import {
  AT_DISPATCH,
  type acc_t,
  cast,
  type data,
  type float64,
  load,
  type opmath_t,
  round_to,
  type row,
  row_at,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import {
  GroupNormBackwardKernel,
  type GroupNormGradients,
  GroupNormKernel,
  type Groups,
} from "#aten/native/group_norm";
import { toOpMathType } from "#aten/OpMathType";
import { check_type } from "#aten/TensorMethods";
import type { ScalarType } from "#c10/core/ScalarType";
import {
  group_input_backward_instances,
  group_moments_instances,
  group_rows_instances,
  group_sums_instances,
} from "./generated/group_norm_kernel.ts";
import { rowwise_moments_instances } from "./generated/moments_utils.ts";
import { accessor_flat, inverse_std, opmath_array, parameters, write } from "./layer_norm_kernel.ts";

/**
 * Mean and variance of D channels that are not contiguous, into out[0] and out[1].
 * @template GroupNormKernelImpl: floating types and halves
 */
export function group_moments(out: data<opmath_t>, x: row<row<scalar_t>>, D: number, HxW: number): void {
  const n: acc_t = cast<acc_t>(D * HxW);
  let sum: acc_t = 0;
  for (let d = 0; d < D; d++) {
    const channel = row_at(x, d);
    for (let i = 0; i < HxW; i++) sum += cast<acc_t>(load(channel, i));
  }
  const mean: acc_t = sum / n;
  let squares: acc_t = 0;
  for (let d = 0; d < D; d++) {
    const channel = row_at(x, d);
    for (let i = 0; i < HxW; i++) {
      const v: acc_t = cast<acc_t>(load(channel, i)) - mean;
      squares += v * v;
    }
  }
  store(out, 0, cast<opmath_t>(mean));
  store(out, 1, cast<opmath_t>(squares / n));
}

/** `a * b + c`, rounded once if opmath_t is float. @template GroupNormKernelImpl: floating types and halves */
export function fused(a: opmath_t, b: opmath_t, c: opmath_t): opmath_t {
  return round_to<opmath_t>(cast<float64>(a) * cast<float64>(b) + cast<float64>(c));
}

/** `from` is the group's first channel. @template GroupNormKernelImpl: floating types and halves */
export function group_rows(
  y: row<row<scalar_t>>,
  x: row<row<scalar_t>>,
  gamma: data<opmath_t>,
  beta: data<opmath_t>,
  from: number,
  D: number,
  HxW: number,
  mean: opmath_t,
  rstd: opmath_t,
): void {
  for (let d = 0; d < D; d++) {
    const scale: opmath_t = rstd * load(gamma, from + d);
    const bias: opmath_t = fused(-scale, mean, load(beta, from + d));
    const of = row_at(x, d);
    const to = row_at(y, d);
    for (let i = 0; i < HxW; i++) store(to, i, cast<scalar_t>(fused(scale, cast<opmath_t>(load(of, i)), bias)));
  }
}

/** Sums of dY * X and of dY for each channel. @template GroupNormBackwardKernelImpl: floating types and halves */
export function group_sums(
  ds: data<opmath_t>,
  db: data<opmath_t>,
  dy: row<row<scalar_t>>,
  x: row<row<scalar_t>>,
  C: number,
  HxW: number,
  at_row: number,
): void {
  for (let c = 0; c < C; c++) {
    const g = row_at(dy, c);
    const from = row_at(x, c);
    let s: acc_t = 0;
    let b: acc_t = 0;
    for (let i = 0; i < HxW; i++) {
      const v: acc_t = cast<acc_t>(load(g, i));
      s += v * cast<acc_t>(load(from, i));
      b += v;
    }
    store(ds, at_row + c, cast<opmath_t>(s));
    store(db, at_row + c, cast<opmath_t>(b));
  }
}

/** Gradient of one group: c1 * dY + c2 * X + c3. @template GroupNormBackwardKernelImpl: floating types and halves */
export function group_input_backward(
  dx: row<row<scalar_t>>,
  dy: row<row<scalar_t>>,
  x: row<row<scalar_t>>,
  gamma: data<opmath_t>,
  ds: data<opmath_t>,
  db: data<opmath_t>,
  from: number,
  at_row: number,
  D: number,
  HxW: number,
  mean: opmath_t,
  rstd: opmath_t,
): void {
  let s_sum: acc_t = 0;
  let b_sum: acc_t = 0;
  for (let d = 0; d < D; d++) {
    const w: acc_t = cast<acc_t>(load(gamma, from + d));
    s_sum += w * cast<acc_t>(load(ds, at_row + d));
    b_sum += w * cast<acc_t>(load(db, at_row + d));
  }
  const n: acc_t = cast<acc_t>(D * HxW);
  const r: acc_t = cast<acc_t>(rstd);
  const c2: opmath_t = cast<opmath_t>(((b_sum * cast<acc_t>(mean) - s_sum) * r * r * r) / n);
  const c3: opmath_t = -c2 * mean - cast<opmath_t>((b_sum * r) / n);
  for (let d = 0; d < D; d++) {
    const c1: opmath_t = rstd * load(gamma, from + d);
    const to = row_at(dx, d);
    const g = row_at(dy, d);
    const of = row_at(x, d);
    for (let i = 0; i < HxW; i++) {
      const v: opmath_t = c1 * cast<opmath_t>(load(g, i)) + c2 * cast<opmath_t>(load(of, i)) + c3;
      store(to, i, cast<scalar_t>(v));
    }
  }
}

/** Strides of an instance, a channel and a position, for contiguous or channels-last memory. */
function strides_of(t: Tensor, { C, HxW }: Groups): [instance: number, channel: number, position: number] {
  return t.is_contiguous() ? [C * HxW, HxW, 1] : [C * HxW, 1, C];
}

export function GroupNormKernelImpl(
  X: Tensor,
  gamma: Tensor | null,
  beta: Tensor | null,
  groups: Groups,
  eps: number,
  Y: Tensor,
  [mean, rstd]: readonly [Tensor, Tensor],
): void {
  const dtype = X.scalar_type();
  const moments = AT_DISPATCH(group_moments_instances, dtype);
  const rowwise_moments = AT_DISPATCH(rowwise_moments_instances, dtype);
  const rows = AT_DISPATCH(group_rows_instances, dtype);
  const { N, C, HxW, group } = groups;
  const D = C / group;
  const [instance, channel, position] = strides_of(X, groups);
  const weights = parameters(gamma, dtype, C, 1);
  const biases = parameters(beta, dtype, C, 0);
  const mean_a = accessor_flat(mean);
  const rstd_a = accessor_flat(rstd);
  const of_group = opmath_array(dtype, 2);
  for (let n = 0; n < N; n++) {
    for (let g = 0; g < group; g++) {
      const begin = n * instance + g * D * channel;
      if (X.is_contiguous()) rowwise_moments(of_group, X.data_view(), X.data_offset() + begin, D * HxW);
      else moments(of_group, X.data_view(), X.data_offset() + begin, channel, position, D, HxW);
      const [m, variance] = of_group;
      const inverse = inverse_std(dtype, variance, eps);
      // biome-ignore format: one operand group per line
      rows(
        Y.data_view(), Y.data_offset() + begin, channel, position,
        X.data_view(), X.data_offset() + begin, channel, position,
        weights, biases, g * D, D, HxW, m, inverse,
      );
      mean_a.set(n * group + g, m);
      rstd_a.set(n * group + g, inverse);
    }
  }
}

export function GroupNormBackwardKernelImpl(
  dY: Tensor,
  X: Tensor,
  mean: Tensor,
  rstd: Tensor,
  gamma: Tensor | null,
  groups: Groups,
  { dX, dgamma, dbeta }: GroupNormGradients,
): void {
  const dtype = X.scalar_type();
  const sums = AT_DISPATCH(group_sums_instances, dtype);
  const input_backward = AT_DISPATCH(group_input_backward_instances, dtype);
  check_type(dY, dtype);
  const { N, C, HxW, group } = groups;
  const D = C / group;
  const [instance, channel, position] = strides_of(X, groups);
  const options = X.options().dtype(toOpMathType(dtype));
  const ds = at.empty_memory_format([N, C], options);
  const db = at.empty_memory_format([N, C], options);
  const ds_a = ds.data_view().subarray(ds.data_offset(), ds.data_offset() + N * C) as Float32Array | Float64Array;
  const db_a = db.data_view().subarray(db.data_offset(), db.data_offset() + N * C) as Float32Array | Float64Array;
  for (let n = 0; n < N; n++) {
    // biome-ignore format: one operand group per line
    sums(
      ds_a, db_a,
      dY.data_view(), dY.data_offset() + n * instance, channel, position,
      X.data_view(), X.data_offset() + n * instance, channel, position,
      C, HxW, n * C,
    );
  }
  const means = parameters(mean, dtype, N * group, 0);
  const rstds = parameters(rstd, dtype, N * group, 0);
  if (dX !== null) {
    const weights = parameters(gamma, dtype, C, 1);
    for (let n = 0; n < N; n++) {
      for (let g = 0; g < group; g++) {
        const begin = n * instance + g * D * channel;
        // biome-ignore format: one operand group per line
        input_backward(
          dX.data_view(), dX.data_offset() + begin, channel, position,
          dY.data_view(), dY.data_offset() + begin, channel, position,
          X.data_view(), X.data_offset() + begin, channel, position,
          weights, ds_a, db_a, g * D, n * C + g * D, D, HxW, means[n * group + g], rstds[n * group + g],
        );
      }
    }
  }
  write_parameters(dtype, [ds_a, db_a], [means, rstds], groups, { dX, dgamma, dbeta });
}

type Numbers = ReturnType<typeof opmath_array>;

/** Gradients of the parameters, from the sums of each channel. */
export function write_parameters(
  dtype: ScalarType,
  [ds, db]: readonly [Numbers, Numbers],
  [means, rstds]: readonly [Numbers, Numbers],
  { N, C, group }: Groups,
  { dgamma, dbeta }: GroupNormGradients,
): void {
  const D = C / group;
  const [of_weight, of_bias] = [opmath_array(dtype, C), opmath_array(dtype, C)];
  for (let n = 0; n < N; n++) {
    for (let c = 0; c < C; c++) {
      const i = n * C + c;
      const g = n * group + Math.floor(c / D);
      of_weight[c] += (ds[i] - db[i] * means[g]) * rstds[g];
      of_bias[c] += db[i];
    }
  }
  write(dgamma, of_weight);
  write(dbeta, of_bias);
}

REGISTER_DEFAULT_DISPATCH(GroupNormKernel, GroupNormKernelImpl, "GroupNormKernelImpl");
REGISTER_DEFAULT_DISPATCH(GroupNormBackwardKernel, GroupNormBackwardKernelImpl, "GroupNormBackwardKernelImpl");
