/**
 * @file Kernels of `aminmax`: minimum and maximum of each line, or of all elements.
 * @mirrors aten/src/ATen/native/cpu/TensorCompareKernel.cpp
 * @see Reduce.ts (max and min along a dim, with the same iteration)
 */
import { AT_DISPATCH, type InstanceOf, load, type row, type scalar_t, store } from "#aten/Dispatch";
import { empty_cpu_options } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { default_loop } from "#aten/native/cpu/default_loop";
import { aminmax_row_instances } from "#aten/native/cpu/generated/TensorCompareKernel/Aminmax";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { aminmax_allreduce_stub, aminmax_stub } from "#aten/native/ReduceOps/Aminmax";
import { resize_output } from "#aten/native/Resize";
import { _local_scalar_dense_cpu } from "#aten/native/Scalar";
import { TensorIteratorConfig } from "#aten/TensorIterator";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { nothing, traceCall, tracer } from "#c10/util/Trace";

/** Both results are NaN if any element is NaN. @template aminmax_cpu: Bool, all types and halves */
export function aminmax_row(min: row<scalar_t>, max: row<scalar_t>, x: row<scalar_t>, n: number): void {
  let least: scalar_t = load(x, 0);
  let greatest: scalar_t = least;
  for (let i = 0; i < n; i++) {
    const v: scalar_t = load(x, i);
    if (v !== v) {
      least = v;
      greatest = v;
      break;
    }
    if (v < least) least = v;
    else if (v > greatest) greatest = v;
  }
  store(min, 0, least);
  store(max, 0, greatest);
}

interface AminmaxRow {
  readonly run: InstanceOf<typeof aminmax_row>;
  readonly stride: number;
  readonly n: number;
}

function aminmax_loop(operands: readonly OperandInfo[], n0: number, n1: number, row: AminmaxRow): void {
  const { run, stride, n } = row;
  const [min, max, x] = operands as readonly [OperandInfo, OperandInfo, OperandInfo];
  for (let j = 0; j < n1; j++)
    for (let i = 0; i < n0; i++)
      run(min.view(), min.at(i, j), 0, max.view(), max.at(i, j), 0, x.view(), x.at(i, j), stride, n);
}

function aminmax_kernel(self: Tensor, wrap_dim: number, keepdim: boolean, min: Tensor, max: Tensor): void {
  const dtype = self.scalar_type();
  TORCH_CHECK(
    min.scalar_type() === dtype && max.scalar_type() === dtype,
    "Expect min and max dtype ",
    toString(dtype),
    " but got ",
    toString(min.scalar_type()),
    " and ",
    toString(max.scalar_type()),
  );
  if (self.dim() === 0) {
    for (const result of [min, max]) result.resize_([]);
    for (const result of [min, max]) result.fill__Tensor(self);
    return;
  }
  const run = AT_DISPATCH(aminmax_row_instances, dtype);
  const dim = maybe_wrap_dim(wrap_dim, self.dim());
  const row: AminmaxRow = { run, stride: self.stride(dim), n: self.size(dim) };
  if (!keepdim) {
    // The outputs get the reduced dim back, with size 1, so that they can be iterated together with `self`.
    min.unsqueeze_(dim);
    max.unsqueeze_(dim);
  }
  const sizes = (self.sizes() as number[]).with(dim, 1);
  resize_output(min, sizes);
  resize_output(max, sizes);
  new TensorIteratorConfig()
    .check_all_same_dtype(false)
    .resize_outputs(false)
    .declare_static_shape(self.sizes(), [dim])
    .add_output(min)
    .add_output(max)
    .add_const_input(self)
    .build()
    .for_each(aminmax_loop, row);
  if (!keepdim) {
    min.squeeze__dim(dim);
    max.squeeze__dim(dim);
  }
}

/** `why` is the reason, for a trace, why SIMD did not run. */
export function aminmax_allreduce_kernel(self: Tensor, min: Tensor, max: Tensor, why: string | null = null): void {
  const dtype = self.scalar_type();
  const [least, greatest] = [min, max].map((t) => empty_cpu_options([], t.options().dtype(dtype)));
  const run = AT_DISPATCH(aminmax_row_instances, dtype);
  // biome-ignore format: one row per line
  const args: Parameters<typeof run> = [
    least.data_view(), least.data_offset(), 0,
    greatest.data_view(), greatest.data_offset(), 0,
    self.data_view(), self.data_offset(), 1, self.numel(),
  ];
  if (tracer === null) run(...args);
  else {
    const data = default_loop("aminmax_row", "TensorCompareKernel/Aminmax", dtype, self.sizes(), why);
    traceCall("loop", "at::native::aminmax_row", run, args, data, nothing);
  }
  min.fill__Scalar(_local_scalar_dense_cpu(least));
  max.fill__Scalar(_local_scalar_dense_cpu(greatest));
}

REGISTER_DEFAULT_DISPATCH(aminmax_stub, aminmax_kernel, "aminmax_kernel");
REGISTER_DEFAULT_DISPATCH(aminmax_allreduce_stub, aminmax_allreduce_kernel, "aminmax_allreduce_kernel");
