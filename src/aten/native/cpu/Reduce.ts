/**
 * @file How a reduction walks its iterator: tile by tile into an output that already holds something, or output by output.
 * @mirrors aten/src/ATen/native/cpu/Reduce.h
 */
import type { InstanceOf, row } from "#aten/Dispatch";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { TensorIterator, type TensorIteratorBase } from "#aten/TensorIterator";

/**
 * out[...] = combine(out[...], x[...]) over n1 rows of n0 elements. Strides of 0 in `out` mark what is reduced.
 * An `Instantiations` holds one for each dtype.
 */
export type ReduceTile = (out: row<row<number>>, x: row<row<number>>, n0: number, n1: number) => void;

function tile_loop(operands: readonly OperandInfo[], n0: number, n1: number, tile: InstanceOf<ReduceTile>): void {
  const [out, x] = operands as readonly [OperandInfo, OperandInfo];
  const [os0, os1] = [out.inner_stride(), out.outer_stride()];
  const [xs0, xs1] = [x.inner_stride(), x.outer_stride()];
  tile(out.view(), out.offset, os1, os0, x.view(), x.offset, xs1, xs0, n0, n1);
}

/** Precondition: the output holds the neutral element. */
export function binary_kernel_reduce_vec(iter: TensorIteratorBase, tile: InstanceOf<ReduceTile>): void {
  iter.for_each(tile_loop, tile);
}

/** Reads `n` elements of x and writes what they give as the one element of `out`. */
export type ReduceRow = (out: row<number>, x: row<number>, n: number) => void;

interface Row {
  readonly reduce: InstanceOf<ReduceRow>;
  readonly stride: number;
  readonly n: number;
}

function row_loop(operands: readonly OperandInfo[], n0: number, n1: number, row: Row): void {
  const [out, x] = operands as readonly [OperandInfo, OperandInfo];
  for (let j = 0; j < n1; j++) {
    for (let i = 0; i < n0; i++) row.reduce(out.view(), out.at(i, j), 0, x.view(), x.at(i, j), row.stride, row.n);
  }
}

/**
 * For reductions of one dim whose result depends on the position of an element. Walks the outputs, and for each the dim.
 * @differs PyTorch has this for the last dim only, and a general walk that counts positions for the rest.
 */
export function binary_kernel_reduce_lastdim(iter: TensorIteratorBase, reduce: InstanceOf<ReduceRow>): void {
  let reduced = -1;
  for (let dim = 0; dim < iter.ndim(); dim++) if (iter.is_dim_reduced(dim)) reduced = dim;
  if (reduced < 0) {
    iter.for_each(row_loop, { reduce, stride: 0, n: 1 });
    return;
  }
  const outputs = TensorIterator.copyOf(iter);
  const n = iter.shape()[reduced];
  const stride = iter.strides(1)[reduced];
  outputs.narrow(reduced, 0, 1);
  outputs.for_each(row_loop, { reduce, stride, n });
}
