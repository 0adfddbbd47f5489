/**
 * @file How a reduction walks its iterator: tile by tile into an output that already holds something, or output by output.
 * @mirrors aten/src/ATen/native/cpu/Reduce.h
 */
import type { InstanceOf, row, TypedArray } from "#aten/Dispatch";
import { TensorIterator, type TensorIteratorBase } from "#aten/TensorIterator";

/**
 * out[...] = combine(out[...], x[...]) over n1 rows of n0 elements. Strides of 0 in `out` mark what is reduced.
 * An `Instantiations` holds one for each dtype.
 */
export type ReduceTile = (out: row<row<number>>, x: row<row<number>>, n0: number, n1: number) => void;

function tile_loop(
  data: readonly TypedArray[],
  offsets: readonly number[],
  strides: readonly number[],
  n0: number,
  n1: number,
  tile: InstanceOf<ReduceTile>,
): void {
  const [out, x] = data as unknown as [TypedArray, TypedArray];
  const [oo, xo] = offsets as unknown as [number, number];
  const [os0, xs0, os1, xs1] = strides as unknown as [number, number, number, number];
  tile(out, oo, os1, os0, x, xo, xs1, xs0, n0, n1);
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

function row_loop(
  data: readonly TypedArray[],
  offsets: readonly number[],
  strides: readonly number[],
  n0: number,
  n1: number,
  row: Row,
): void {
  const [out, x] = data as unknown as [TypedArray, TypedArray];
  const [os0, is0, os1, is1] = strides as unknown as [number, number, number, number];
  for (let j = 0; j < n1; j++) {
    for (let i = 0; i < n0; i++) {
      const oo = offsets[0] + i * os0 + j * os1;
      row.reduce(out, oo, 0, x, offsets[1] + i * is0 + j * is1, row.stride, row.n);
    }
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
