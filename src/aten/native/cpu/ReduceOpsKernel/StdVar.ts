/**
 * @file Kernel of mean and variance in one pass, by Welford's algorithm.
 * @mirrors aten/src/ATen/native/cpu/ReduceOpsKernel.cpp
 * @see moments_utils.ts (the vectorized order, for layer_norm); ../../ReduceOps/StdVarAll.ts (two passes)
 */
import { AT_DISPATCH, cast, type data, type float64, load, type row, type scalar_t, store } from "#aten/Dispatch";
import { welford_instances, write_double_instances } from "#aten/native/cpu/generated/ReduceOpsKernel/StdVar";
import { binary_kernel_reduce } from "#aten/native/cpu/Reduce";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { std_var_stub } from "#aten/native/ReduceOps/StdVar";
import type { TensorIterator } from "#aten/TensorIterator";

/**
 * Takes n elements into (mean, sum of squared distances from it, count).
 * @template std_cpu: floating types and halves
 */
export function welford(acc: data<float64>, x: row<scalar_t>, n: number): void {
  let mean: float64 = load(acc, 0);
  let m2: float64 = load(acc, 1);
  let count: float64 = load(acc, 2);
  for (let i = 0; i < n; i++) {
    const v: float64 = cast<float64>(load(x, i));
    count = count + 1;
    const delta: float64 = v - mean;
    mean = mean + delta / count;
    m2 = m2 + delta * (v - mean);
  }
  store(acc, 0, mean);
  store(acc, 1, m2);
  store(acc, 2, count);
}

/** @template std_cpu: floating types and halves */
export function write_double(out: row<scalar_t>, v: float64): void {
  store(out, 0, cast<scalar_t>(v));
}

function std_var_kernel_impl(iter: TensorIterator, correction: number, take_sqrt: boolean): void {
  const dtype = iter.dtype(0);
  const write = AT_DISPATCH(write_double_instances, dtype);
  binary_kernel_reduce(iter, {
    acc: new Float64Array(3),
    begin: (acc) => acc.fill(0 as never),
    step: AT_DISPATCH(welford_instances, dtype),
    project(acc, outputs, i, j) {
      const [mean, m2, count] = acc as Float64Array;
      const variance = m2 / (count > correction ? count - correction : 0);
      const [spread, average] = outputs;
      write(spread.view(), spread.at(i, j), 0, take_sqrt ? Math.sqrt(variance) : variance);
      if (outputs.length === 3) write(average.view(), average.at(i, j), 0, mean);
    },
  });
}

REGISTER_DEFAULT_DISPATCH(std_var_stub, std_var_kernel_impl, "std_var_kernel_impl");
