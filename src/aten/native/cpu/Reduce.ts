/**
 * @file How a reduction walks its iterator: tile by tile into an output that already holds something, or output by output.
 * @mirrors aten/src/ATen/native/cpu/Reduce.h
 */
import type { TypedArray } from "#aten/Dispatch";
import { TensorIterator, type TensorIteratorBase } from "#aten/TensorIterator";

/**
 * out[...] = combine(out[...], x[...]) over a 2-d tile. Strides of 0 in `out` mark what is reduced.
 * An `Instantiations` holds one for each dtype.
 */
export type ReduceTile = (
  out: TypedArray,
  oo: number,
  os0: number,
  os1: number,
  x: TypedArray,
  xo: number,
  is0: number,
  is1: number,
  n0: number,
  n1: number,
) => void;

function tile_loop(
  data: readonly TypedArray[],
  offsets: readonly number[],
  strides: readonly number[],
  n0: number,
  n1: number,
  tile: ReduceTile,
): void {
  tile(data[0], offsets[0], strides[0], strides[2], data[1], offsets[1], strides[1], strides[3], n0, n1);
}

/** Precondition: the output holds the neutral element. */
export function binary_kernel_reduce_vec(iter: TensorIteratorBase, tile: ReduceTile): void {
  iter.for_each(tile_loop, tile);
}

/** Reads `n` elements of x from `xo`, `stride` apart, and writes what they give at `oo`. */
export type ReduceRow = (out: TypedArray, oo: number, x: TypedArray, xo: number, stride: number, n: number) => void;

interface Row {
  readonly reduce: ReduceRow;
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
      row.reduce(out, oo, x, offsets[1] + i * is0 + j * is1, row.stride, row.n);
    }
  }
}

/**
 * For reductions of one dim whose result depends on the position of an element. Walks the outputs, and for each the dim.
 * @differs PyTorch has this for the last dim only, and a general walk that counts positions for the rest.
 */
export function binary_kernel_reduce_lastdim(iter: TensorIteratorBase, reduce: ReduceRow): void {
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
