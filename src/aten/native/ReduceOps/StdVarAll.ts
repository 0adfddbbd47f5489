/**
 * @file Variance and standard deviation of all elements: first the mean, then the squared distances from it, in double.
 * @mirrors aten/src/ATen/native/ReduceOps.cpp#std_var_all_cpu
 * @see cpu/ReduceOpsKernel/StdVar.ts (along dims)
 */
import {
  AT_DISPATCH,
  cast,
  type float64,
  type InstanceOf,
  load,
  type row,
  row_at,
  type scalar_t,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { squared_distances_instances } from "#aten/native/generated/ReduceOps/StdVarAll";
import { TensorIteratorConfig } from "#aten/TensorIterator";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

/** Sum over n1 rows of n0 elements. @template std_var_all_cpu: floating types */
export function squared_distances(x: row<row<scalar_t>>, n0: number, n1: number, mean: float64): float64 {
  let sum: float64 = 0;
  for (let j = 0; j < n1; j++) {
    const from = row_at(x, j);
    for (let i = 0; i < n0; i++) {
      const dx: float64 = cast<float64>(load(from, i)) - mean;
      sum = sum + dx * dx;
    }
  }
  return sum;
}

interface Distances {
  readonly run: InstanceOf<typeof squared_distances>;
  readonly mean: number;
  sum: number;
}

function distances_loop(operands: readonly OperandInfo[], n0: number, n1: number, distances: Distances): void {
  const [x] = operands;
  const { run, mean } = distances;
  distances.sum += run(x.view(), x.offset, x.outer_stride(), x.inner_stride(), n0, n1, mean);
}

export function std_var_all_cpu(self: Tensor, correction: number, take_sqrt: boolean): number {
  const dtype = self.scalar_type();
  TORCH_CHECK(
    dtype === ScalarType.Double || dtype === ScalarType.Float,
    "std_var_all: Unsupported dtype ",
    toString(dtype),
  );
  const mean = self.mean().item().toDouble();
  const distances: Distances = { run: AT_DISPATCH(squared_distances_instances, dtype), mean, sum: 0 };
  new TensorIteratorConfig().add_const_input(self).build().for_each(distances_loop, distances);
  const variance = distances.sum / Math.max(0, self.numel() - correction);
  const result = take_sqrt ? Math.sqrt(variance) : variance;
  return dtype === ScalarType.Float ? Math.fround(result) : result; // infinite if a float would overflow
}
