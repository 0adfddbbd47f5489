/**
 * @file `cummax` and `cummin`: the extreme of all elements up to each one, and its index.
 * @mirrors aten/src/ATen/native/ReduceOps.cpp
 */
import {
  AT_DISPATCH,
  cast,
  type InstanceOf,
  type Instantiations,
  type int64,
  load,
  type row,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { lines_over } from "#aten/native/cpu/ReduceOpsKernel/Cumulative";
import type { Rows } from "#aten/native/cpu/vec/row_driver";
import { type Extreme, extreme_line_of, told_of_extremes } from "#aten/native/cpu/vec/scan/driver";
import { cummax_line_instances, cummin_line_instances } from "#aten/native/generated/ReduceOps/Cummax";
import { check_scalar_type_device_layout_equal, zero_numel_check_dims } from "#aten/native/ReduceOpsUtils";
import { resize_output } from "#aten/native/Resize";
import type { TensorIterator } from "#aten/TensorIterator";
import { check_type } from "#aten/TensorMethods";
import { areAnyTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { type TraceData, traceCall, tracer } from "#c10/util/Trace";

/** Last maximum up to each element; NaN from the first NaN on. @template cummax_cpu: Bool, all types and halves */
export function cummax_line(values: row<scalar_t>, indices: row<int64>, x: row<scalar_t>, n: number): void {
  let best: scalar_t = load(x, 0);
  let at = 0;
  for (let i = 0; i < n; i++) {
    const v: scalar_t = load(x, i);
    if (v !== v || (best === best && v >= best)) {
      best = v;
      at = i;
    }
    store(values, i, best);
    store(indices, i, cast<int64>(at));
  }
}

/** Last minimum up to each element; NaN from the first NaN on. @template cummin_cpu: Bool, all types and halves */
export function cummin_line(values: row<scalar_t>, indices: row<int64>, x: row<scalar_t>, n: number): void {
  let best: scalar_t = load(x, 0);
  let at = 0;
  for (let i = 0; i < n; i++) {
    const v: scalar_t = load(x, i);
    if (v !== v || (best === best && v <= best)) {
      best = v;
      at = i;
    }
    store(values, i, best);
    store(indices, i, cast<int64>(at));
  }
}

interface Scan {
  readonly line: InstanceOf<typeof cummax_line>;
  readonly strides: readonly number[];
  readonly n: number;
}

function extreme_loop(operands: readonly OperandInfo[], n0: number, n1: number, scan: Scan): void {
  const { line, strides, n } = scan;
  const [values, indices, x] = operands as readonly [OperandInfo, OperandInfo, OperandInfo];
  const [v_stride, i_stride, x_stride] = strides;
  const [v, i64, from] = [values.view(), indices.view(), x.view()];
  for (let j = 0; j < n1; j++)
    for (let i = 0; i < n0; i++)
      line(v, values.at(i, j), v_stride, i64, indices.at(i, j), i_stride, from, x.at(i, j), x_stride, n);
}

/** Precondition: there are elements, and at least one dim. */
function cummaxmin_helper(
  instances: Instantiations<typeof cummax_line>,
  kind: Extreme,
  self: Tensor,
  values: Tensor,
  indices: Tensor,
  dim_: number,
): void {
  const scanned = AT_DISPATCH(instances, self.scalar_type());
  check_type(values, self.scalar_type());
  check_type(indices, ScalarType.Long);
  for (const t of [self, values, indices]) t.stride(dim_);
  const dim = maybe_wrap_dim(dim_, self.dim());
  const strides = [values.stride(dim), indices.stride(dim), self.stride(dim)];
  const n = self.size(dim);
  const rows: Rows = { n, tensors: [self.impl_, values.impl_] };
  const line = extreme_line_of(kind, rows, indices.impl_) ?? scanned;
  const lines = lines_over(dim, [values, indices], self);
  const scan = { line, strides, n };
  if (tracer === null) lines.for_each(extreme_loop, scan);
  else callSlow(lines, scan, told_of_extremes(kind, rows, indices.impl_, self.sizes()));
}

function callSlow(lines: TensorIterator, scan: Scan, told: TraceData): void {
  const for_each = lines.for_each.bind(lines) as (loop: typeof extreme_loop, scan: Scan) => void;
  traceCall("loop", told["scalar"] as string, for_each, [extreme_loop, scan], told);
}

// _cummax_helper(Tensor self, Tensor(a!) values, Tensor(b!) indices, int dim) -> ()   CPU
export function cummax_helper_cpu(self: Tensor, values: Tensor, indices: Tensor, dim: number): void {
  cummaxmin_helper(cummax_line_instances, "cummax", self, values, indices, dim);
}

export function cummin_helper_cpu(self: Tensor, values: Tensor, indices: Tensor, dim: number): void {
  cummaxmin_helper(cummin_line_instances, "cummin", self, values, indices, dim);
}

type Helper = typeof at._cummax_helper;

function cummaxmin_out(
  name: string,
  self: Tensor,
  dim: number,
  values: Tensor,
  indices: Tensor,
  helper: Helper,
): [Tensor, Tensor] {
  check_scalar_type_device_layout_equal(values, self);
  check_scalar_type_device_layout_equal(indices, at.empty_memory_format([0], self.options().dtype(ScalarType.Long)));
  resize_output(values, self.sizes());
  resize_output(indices, self.sizes());
  if (self.dim() === 0) {
    zero_numel_check_dims(self, dim, name);
    values.fill__Tensor(self);
    indices.fill__Scalar(Scalar.ZERO);
  } else if (self.numel() !== 0) helper(self, values, indices, maybe_wrap_dim(dim, self.dim()));
  return [values, indices];
}

function outputs_of(self: Tensor): [values: Tensor, indices: Tensor] {
  const values = at.empty_memory_format(self.sizes() as number[], self.options());
  return [values, at.empty_memory_format(self.sizes() as number[], self.options().dtype(ScalarType.Long))];
}

// cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)                   CompositeExplicitAutograd
export function cummax(self: Tensor, dim: number): [Tensor, Tensor] {
  return at.cummax_out(self, dim, ...outputs_of(self));
}

export function cummax_out(self: Tensor, dim: number, values: Tensor, indices: Tensor): [Tensor, Tensor] {
  return cummaxmin_out("cummax()", self, dim, values, indices, at._cummax_helper);
}

// cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)                   CompositeExplicitAutograd
export function cummin(self: Tensor, dim: number): [Tensor, Tensor] {
  return at.cummin_out(self, dim, ...outputs_of(self));
}

export function cummin_out(self: Tensor, dim: number, values: Tensor, indices: Tensor): [Tensor, Tensor] {
  return cummaxmin_out("cummin()", self, dim, values, indices, at._cummin_helper);
}

// cummaxmin_backward(Tensor grad, Tensor input, Tensor indices, int dim) -> Tensor  CompositeImplicitAutograd
export function cummaxmin_backward(grad: Tensor, input: Tensor, indices: Tensor, dim: number): Tensor {
  if (input.numel() === 0) return input;
  const result = at.zeros(input.sizes() as number[], input.options());
  if (areAnyTensorSubclassLike([indices, grad])) return result.scatter_add(dim, indices, grad);
  return result.scatter_add_(dim, indices, grad);
}
