/**
 * @file Drivers of reductions: tile by tile into an output that already holds a value, or output by output.
 * @mirrors aten/src/ATen/native/cpu/Reduce.h
 */
import type { data, InstanceOf, Instantiations, row, TypedArray } from "#aten/Dispatch";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { TensorIterator, type TensorIteratorBase } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import type { ScalarType } from "#c10/core/ScalarType";

/**
 * out[...] = combine(out[...], x[...]) over n1 rows of n0 elements. The reduced dims have stride 0 in `out`. An
 * `Instantiations` holds one such function per dtype.
 */
export type ReduceTile = (out: row<row<number>>, x: row<row<number>>, n0: number, n1: number) => void;

/** A reduction that starts from the neutral element. */
export interface Reduction {
  readonly name: string;
  readonly instances: Instantiations<ReduceTile>;
  readonly identity: (dtype: ScalarType) => Scalar;
  /** The function of `instances`, and its file. */
  readonly symbol: string;
  readonly file: string;
}

export function tile_loop(
  operands: readonly OperandInfo[],
  n0: number,
  n1: number,
  tile: InstanceOf<ReduceTile>,
): void {
  const [out, x] = operands as readonly [OperandInfo, OperandInfo];
  const [os0, os1] = [out.inner_stride(), out.outer_stride()];
  const [xs0, xs1] = [x.inner_stride(), x.outer_stride()];
  tile(out.view(), out.offset, os1, os0, x.view(), x.offset, xs1, xs0, n0, n1);
}

/** Precondition: the output holds the neutral element. */
export function binary_kernel_reduce_vec(iter: TensorIteratorBase, tile: InstanceOf<ReduceTile>): void {
  iter.for_each(tile_loop, tile);
}

/** Reads `n` elements of x and writes the result as the one element of `out`. */
export type ReduceRow = (out: row<number>, x: row<number>, n: number) => void;

export interface Row {
  readonly reduce: InstanceOf<ReduceRow>;
  readonly stride: number;
  readonly n: number;
}

export function row_loop(operands: readonly OperandInfo[], n0: number, n1: number, row: Row): void {
  const [out, x] = operands as readonly [OperandInfo, OperandInfo];
  for (let j = 0; j < n1; j++) {
    for (let i = 0; i < n0; i++) row.reduce(out.view(), out.at(i, j), 0, x.view(), x.at(i, j), row.stride, row.n);
  }
}

/** Iterator over the outputs of a reduction of one dim, and the row of each output. */
export function lastdim_of(
  iter: TensorIteratorBase,
  reduce: InstanceOf<ReduceRow>,
): { readonly outputs: TensorIteratorBase; readonly row: Row } {
  let reduced = -1;
  for (let dim = 0; dim < iter.ndim(); dim++) if (iter.is_dim_reduced(dim)) reduced = dim;
  if (reduced < 0) return { outputs: iter, row: { reduce, stride: 0, n: 1 } };
  const outputs = TensorIterator.copyOf(iter);
  const n = iter.shape()[reduced];
  const stride = iter.strides(1)[reduced];
  outputs.narrow(reduced, 0, 1);
  return { outputs, row: { reduce, stride, n } };
}

/**
 * Reduction of one dim whose result depends on the position of an element. Iterates over the outputs, and for each over
 * the dim.
 * @differs Ours handles every dim like this; PyTorch does so for the last dim only, and otherwise counts positions in a
 * general loop.
 */
export function binary_kernel_reduce_lastdim(iter: TensorIteratorBase, reduce: InstanceOf<ReduceRow>): void {
  const { outputs, row } = lastdim_of(iter, reduce);
  outputs.for_each(row_loop, row);
}

/** A reduction with a state: its initial state, how it takes elements, and how it gives the result. */
export interface ReduceOps {
  /** The state, shared by all outputs. */
  readonly acc: TypedArray;
  readonly begin: (acc: TypedArray) => void;
  /** Takes `n` elements of x into the state. */
  readonly step: InstanceOf<(acc: data<number>, x: row<number>, n: number) => void>;
  /** Writes element (i, j) of the outputs. The operand after the outputs is the input. */
  readonly project: (acc: TypedArray, operands: readonly OperandInfo[], i: number, j: number) => void;
}

/** The elements reduced into one output: sizes and strides of the input, the innermost dim first. */
interface Reduced {
  readonly ops: ReduceOps;
  readonly sizes: readonly number[];
  readonly strides: readonly number[];
  /** Number of lines along the innermost dim. */
  readonly lines: number;
  readonly position: number[];
}

function reduced_loop(operands: readonly OperandInfo[], n0: number, n1: number, reduced: Reduced): void {
  const { ops, sizes, strides, lines, position } = reduced;
  const { acc, begin, step, project } = ops;
  const x = operands[operands.length - 1];
  const [n, stride] = sizes.length === 0 ? [1, 0] : [sizes[0], strides[0]];
  for (let j = 0; j < n1; j++) {
    for (let i = 0; i < n0; i++) {
      begin(acc);
      let from = x.at(i, j);
      for (let line = 0; line < lines; line++) {
        step(acc, x.view(), from, stride, n);
        for (let d = 1; d < sizes.length; d++) {
          from += strides[d];
          if (++position[d] < sizes[d]) break;
          from -= sizes[d] * strides[d];
          position[d] = 0;
        }
      }
      project(acc, operands, i, j);
    }
  }
}

/**
 * Iterates over the outputs, and for each over all elements that are reduced into it.
 * @differs Ours uses one thread here; PyTorch splits a long reduction among threads and combines their states.
 */
export function binary_kernel_reduce(iter: TensorIteratorBase, ops: ReduceOps): void {
  const outputs = TensorIterator.copyOf(iter);
  const sizes: number[] = [];
  const strides: number[] = [];
  for (let dim = 0; dim < iter.ndim(); dim++) {
    if (!iter.is_dim_reduced(dim)) continue;
    sizes.push(iter.shape()[dim]);
    strides.push(iter.strides(iter.ntensors() - 1)[dim]);
    outputs.narrow(dim, 0, 1);
  }
  const lines = sizes.slice(1).reduce((product, size) => product * size, 1);
  outputs.for_each(reduced_loop, { ops, sizes, strides, lines, position: new Array<number>(sizes.length).fill(0) });
}

/** Whether only the innermost dim is reduced, and its elements are contiguous. */
export function is_reduce_lastdim(iter: TensorIteratorBase): boolean {
  return iter.num_reduce_dims() === 1 && iter.is_dim_reduced(0) && iter.strides(iter.ntensors() - 1)[0] === 1;
}
