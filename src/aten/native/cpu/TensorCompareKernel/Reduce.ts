/**
 * @file Kernels of `max` and `min` along one dim.
 * @mirrors aten/src/ATen/native/cpu/TensorCompareKernel.cpp
 * @see index.ts (where and clamp, from the same PyTorch file)
 */
import {
  AT_DISPATCH,
  cast,
  type InstanceOf,
  type Instantiations,
  type int64,
  is_floating,
  load,
  type row,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { max_row_instances, min_row_instances } from "#aten/native/cpu/generated/TensorCompareKernel/Reduce";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { resize_output } from "#aten/native/Resize";
import { max_stub, min_stub } from "#aten/native/TensorCompare/Reduce";
import { type TensorIteratorBase, TensorIteratorConfig } from "#aten/TensorIterator";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";

/** The first maximum, or the first NaN. @template max_cpu: Bool, all types and halves */
export function max_row(values: row<scalar_t>, indices: row<int64>, x: row<scalar_t>, n: number): void {
  let max: scalar_t = load(x, 0);
  let at = 0;
  for (let i = 1; i < n; i++) {
    if (is_floating<scalar_t>() && max !== max) break;
    const v: scalar_t = load(x, i);
    if (v > max || v !== v) {
      max = v;
      at = i;
    }
  }
  store(values, 0, max);
  store(indices, 0, cast<int64>(at));
}

/** The first minimum, or the first NaN. @template min_cpu: Bool, all types and halves */
export function min_row(values: row<scalar_t>, indices: row<int64>, x: row<scalar_t>, n: number): void {
  let min: scalar_t = load(x, 0);
  let at = 0;
  for (let i = 1; i < n; i++) {
    if (is_floating<scalar_t>() && min !== min) break;
    const v: scalar_t = load(x, i);
    if (v < min || v !== v) {
      min = v;
      at = i;
    }
  }
  store(values, 0, min);
  store(indices, 0, cast<int64>(at));
}

/** The row that is read for each output. */
export interface CompareRow {
  readonly run: InstanceOf<typeof max_row>;
  readonly stride: number;
  readonly n: number;
}

export function compare_row_loop(
  operands: readonly OperandInfo[],
  n0: number,
  n1: number,
  { run, stride, n }: CompareRow,
): void {
  const [values, indices, x] = operands as readonly [OperandInfo, OperandInfo, OperandInfo];
  const [v, i64, from] = [values.view(), indices.view(), x.view()];
  for (let j = 0; j < n1; j++) {
    for (let i = 0; i < n0; i++) run(v, values.at(i, j), 0, i64, indices.at(i, j), 0, from, x.at(i, j), stride, n);
  }
}

type RunRows = (iter: TensorIteratorBase, row: CompareRow) => void;

function run_rows(iter: TensorIteratorBase, row: CompareRow): void {
  iter.for_each(compare_row_loop, row);
}

/** Iterates over the outputs with `run_all`; each row has its own stride. */
function compare_base_kernel(
  instances: Instantiations<typeof max_row>,
  values: Tensor,
  indices: Tensor,
  self: Tensor,
  wrap_dim: number,
  keepdim: boolean,
  run_all: RunRows,
): void {
  const run = AT_DISPATCH(instances, self.scalar_type());
  const dim = maybe_wrap_dim(wrap_dim, self.dim());
  // This is read before the outputs are reshaped, because one of them may be `self`.
  const row: CompareRow = { run, stride: self.stride(dim), n: self.size(dim) };
  const sizes = self.dim() === 0 ? [1] : [...self.sizes()];
  sizes[dim] = 1;
  if (!keepdim) {
    // The outputs get the reduced dim back, with size 1, so that they can be iterated together with `self`.
    if (values.dim() >= dim) values.unsqueeze_(dim);
    if (indices.dim() >= dim) indices.unsqueeze_(dim);
  }
  resize_output(values, sizes);
  resize_output(indices, sizes);
  const iter = new TensorIteratorConfig()
    .check_all_same_dtype(false)
    .resize_outputs(false)
    .declare_static_shape(self.sizes(), [dim])
    .add_output(values)
    .add_output(indices)
    .add_const_input(self)
    .build();
  run_all(iter, row);
  if (!keepdim) {
    values.squeeze__dim(dim);
    indices.squeeze__dim(dim);
  }
}

export function max_kernel_impl(
  values: Tensor,
  indices: Tensor,
  self: Tensor,
  dim: number,
  keepdim: boolean,
  run_all: RunRows = run_rows,
): void {
  compare_base_kernel(max_row_instances, values, indices, self, dim, keepdim, run_all);
}

export function min_kernel_impl(
  values: Tensor,
  indices: Tensor,
  self: Tensor,
  dim: number,
  keepdim: boolean,
  run_all: RunRows = run_rows,
): void {
  compare_base_kernel(min_row_instances, values, indices, self, dim, keepdim, run_all);
}

REGISTER_DEFAULT_DISPATCH(max_stub, max_kernel_impl, "max_kernel_impl");
REGISTER_DEFAULT_DISPATCH(min_stub, min_kernel_impl, "min_kernel_impl");
