/**
 * @file Kernel of linear combinations of matrices.
 * @mirrors aten/src/ATen/native/cpu/FunctionOfAMatrixUtilsKernel.cpp
 */
import { AT_DISPATCH, cast, type InstanceOf, load, round_to, type row, type scalar_t, store } from "#aten/Dispatch";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { _compute_linear_combination_stub } from "#aten/native/FunctionOfAMatrixUtils";
import type { TensorIterator } from "#aten/TensorIterator";
import { linear_combination_instances } from "./generated/FunctionOfAMatrixUtilsKernel.ts";

/** @template _compute_linear_combination_cpu: Bool, all types and halves */
export function linear_combination(
  out: row<scalar_t>,
  input: row<scalar_t>,
  weight: row<scalar_t>,
  n: number,
  step: number,
  next_weight: number,
  num_summations: number,
): void {
  for (let i = 0; i < n; i++) {
    const from = input.offset + i * input.stride;
    const by = weight.offset + i * weight.stride;
    for (let k = 0; k < num_summations; k++) {
      const term = round_to<scalar_t>(load(input.view, from + k * step) * load(weight.view, by + k * next_weight));
      store(out, i, cast<scalar_t>(load(out, i) + term));
    }
  }
}

interface Context {
  readonly fn: InstanceOf<typeof linear_combination>;
  readonly in_stride: number;
  readonly coeff_stride: number;
  readonly num_summations: number;
}

function tile(operands: readonly OperandInfo[], n: number, m: number, context: Context): void {
  const [out, input, coeff] = operands as readonly [OperandInfo, OperandInfo, OperandInfo];
  const { fn, in_stride, coeff_stride, num_summations } = context;
  const [s0, s1, s2] = [out.inner_stride(), input.inner_stride(), coeff.inner_stride()];
  for (let j = 0; j < m; j++)
    fn(
      ...[out.view(), out.at(0, j), s0],
      ...[input.view(), input.at(0, j), s1],
      ...[coeff.view(), coeff.at(0, j), s2],
      n,
      in_stride,
      coeff_stride,
      num_summations,
    );
}

function _compute_linear_combination_cpu_kernel(
  iter: TensorIterator,
  in_stride: number,
  coeff_stride: number,
  num_summations: number,
): void {
  const fn = AT_DISPATCH(linear_combination_instances, iter.dtype(0));
  iter.for_each(tile, { fn, in_stride, coeff_stride, num_summations });
}

REGISTER_DEFAULT_DISPATCH(
  _compute_linear_combination_stub,
  _compute_linear_combination_cpu_kernel,
  "_compute_linear_combination_cpu_kernel",
);
