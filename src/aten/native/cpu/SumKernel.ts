/**
 * @file Kernels of sums. Floating-point sums are cascaded: partial sums of bounded length are added pairwise, so that
 * rounding errors grow with the logarithm of the length. The order of additions is that of PyTorch's vectorized code,
 * so results have the same bits.
 * @mirrors aten/src/ATen/native/cpu/SumKernel.cpp
 */
import {
  AT_DISPATCH,
  cast,
  check_floating_types_and2,
  type data,
  type InstanceOf,
  load,
  type opmath_t,
  round_to,
  type row,
  row_at,
  row_from,
  type scalar_t,
  scratch,
  sizeof,
  store,
  type TypedArray,
} from "#aten/Dispatch";
import { empty_cpu_options } from "#aten/EmptyTensor";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { sum_stub } from "#aten/native/ReduceOps/index";
import { nansum_stub } from "#aten/native/ReduceOps/Nan";
import { nan_to_num_stub } from "#aten/native/UnaryOps/Math";
import { TensorIterator } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { isIntegralType, ScalarType } from "#c10/core/ScalarType";
import { bool_sum_instances, integer_sum_instances, sum_cascade_instances } from "./generated/SumKernel.ts";
import type { Reduction } from "./Reduce.ts";

// Note [Cascade sum]
// ~~~~~~~~~~~~~~~~~~
// A column of n numbers is added into level 0. After every `step` numbers, level 0 is added to level 1 and cleared;
// after step^2 numbers, level 1 is added to level 2, and so on, with four levels in total. The vectorized code applies
// this as follows:
//
//   inner reduction (contiguous elements)   a vector of LANES elements is one number of a column; four consecutive vectors are
//                                           four columns; then columns are added, then lanes, then the remaining elements
//   outer reduction (contiguous columns)    each column by itself: columns in whole blocks of 4 * LANES as one cascade, the
//                                           others as four interleaved cascades
//
// LANES is 8 for float and 4 for double: the width of AVX2, on every machine. Halves are added as floats: an inner
// vector has sixteen of them, which one addition folds to eight.

const VECTOR_NBYTES = 32;

/**
 * Sums the first `columns` columns of `n` rows, one cascade each, into acc[0 ... columns). `acc` has space for 4
 * levels.
 * @template sum_cpu: floating types and halves
 */
export function multi_row_sum(acc: data<opmath_t>, x: row<row<scalar_t>>, n: number, columns: number): void {
  const levelPower = Math.max(4, Math.floor((n <= 1 ? 0 : 32 - Math.clz32(n - 1)) / 4));
  const step = 1 << levelPower;
  const mask = step - 1;
  for (let k = 0; k < 4 * columns; k++) store(acc, k, 0);
  let i = 0;
  while (i + step <= n) {
    for (let j = 0; j < step; j++) {
      const from = row_at(x, i);
      for (let k = 0; k < columns; k++) {
        store(acc, k, round_to<opmath_t>(load(acc, k) + cast<opmath_t>(load(from, k))));
      }
      i++;
    }
    for (let level = 1; level < 4; level++) {
      const to = level * columns;
      for (let k = 0; k < columns; k++) {
        store(acc, to + k, round_to<opmath_t>(load(acc, to + k) + load(acc, to - columns + k)));
        store(acc, to - columns + k, 0);
      }
      if ((i & (mask << (level * levelPower))) !== 0) break;
    }
  }
  for (; i < n; i++) {
    const from = row_at(x, i);
    for (let k = 0; k < columns; k++) store(acc, k, round_to<opmath_t>(load(acc, k) + cast<opmath_t>(load(from, k))));
  }
  for (let level = 1; level < 4; level++) {
    for (let k = 0; k < columns; k++) store(acc, k, round_to<opmath_t>(load(acc, k) + load(acc, level * columns + k)));
  }
}

/**
 * Sums `lanes` neighbouring columns, each as four interleaved cascades, into acc[0 ... lanes). `part` is scratch memory
 * like `acc`.
 * @template sum_cpu: floating types and halves
 */
export function row_sum(
  acc: data<opmath_t>,
  part: data<opmath_t>,
  x: row<row<scalar_t>>,
  n: number,
  lanes: number,
): void {
  const quarter = Math.floor(n / 4);
  multi_row_sum(acc, { view: x.view, offset: x.offset, stride: 4 * x.stride, inner: x.inner }, quarter, lanes);
  for (let i = quarter * 4; i < n; i++) {
    const from = row_at(x, i);
    for (let k = 0; k < lanes; k++) store(acc, k, round_to<opmath_t>(load(acc, k) + cast<opmath_t>(load(from, k))));
  }
  for (let q = 1; q < 4; q++) {
    const from = row_at(x, q);
    multi_row_sum(part, { view: x.view, offset: from.offset, stride: 4 * x.stride, inner: from }, quarter, lanes);
    for (let k = 0; k < lanes; k++) store(acc, k, round_to<opmath_t>(load(acc, k) + load(part, k)));
  }
}

/** @template sum_cpu: floating types and halves */
export function add_to(out: row<scalar_t>, i: number, value: opmath_t): void {
  store(out, i, cast<scalar_t>(cast<opmath_t>(load(out, i)) + value));
}

/** Sum of one row of `n` contiguous elements. @template sum_cpu: floating types and halves */
export function inner_row(acc: data<opmath_t>, x: data<scalar_t>, xo: number, n: number, lanes: number): opmath_t {
  const vectors = Math.floor(n / lanes);
  const quarter = Math.floor(vectors / 4);
  const columns = 4 * lanes;
  const side_by_side: row<scalar_t> = { view: x, offset: xo, stride: 1 };
  multi_row_sum(acc, { view: x, offset: xo, stride: columns, inner: side_by_side }, quarter, columns);
  for (let v = quarter * 4; v < vectors; v++) {
    for (let k = 0; k < lanes; k++)
      store(acc, k, round_to<opmath_t>(load(acc, k) + cast<opmath_t>(load(x, xo + v * lanes + k))));
  }
  for (let q = 1; q < 4; q++) {
    for (let k = 0; k < lanes; k++) store(acc, k, round_to<opmath_t>(load(acc, k) + load(acc, q * lanes + k)));
  }
  let sum: opmath_t = 0;
  for (let i = vectors * lanes; i < n; i++) sum = round_to<opmath_t>(sum + cast<opmath_t>(load(x, xo + i)));
  for (let k = 0; k < lanes; k++) sum = round_to<opmath_t>(sum + load(acc, k));
  return sum;
}
/** A vector of halves is folded to half its length before it is added. */
export function inner_row$reduced(
  acc: data<opmath_t>,
  x: data<scalar_t>,
  xo: number,
  n: number,
  lanes: number,
): opmath_t {
  const vectors = Math.floor(n / (2 * lanes));
  const folded = scratch<opmath_t>(vectors * lanes);
  for (let v = 0; v < vectors; v++) {
    for (let k = 0; k < lanes; k++) {
      const at = xo + v * 2 * lanes + k;
      store(
        folded,
        v * lanes + k,
        round_to<opmath_t>(cast<opmath_t>(load(x, at)) + cast<opmath_t>(load(x, at + lanes))),
      );
    }
  }
  const quarter = Math.floor(vectors / 4);
  const columns = 4 * lanes;
  multi_row_sum_folded(acc, folded, columns, quarter);
  for (let v = quarter * 4; v < vectors; v++) {
    for (let k = 0; k < lanes; k++) store(acc, k, round_to<opmath_t>(load(acc, k) + load(folded, v * lanes + k)));
  }
  for (let q = 1; q < 4; q++) {
    for (let k = 0; k < lanes; k++) store(acc, k, round_to<opmath_t>(load(acc, k) + load(acc, q * lanes + k)));
  }
  let sum: opmath_t = 0;
  for (let i = vectors * 2 * lanes; i < n; i++) sum = round_to<opmath_t>(sum + cast<opmath_t>(load(x, xo + i)));
  for (let k = 0; k < lanes; k++) sum = round_to<opmath_t>(sum + load(acc, k));
  return sum;
}

/** `multi_row_sum` over contiguous rows of `columns` floats. @template sum_cpu: floating types and halves */
export function multi_row_sum_folded(acc: data<opmath_t>, x: data<opmath_t>, columns: number, n: number): void {
  const levelPower = Math.max(4, Math.floor((n <= 1 ? 0 : 32 - Math.clz32(n - 1)) / 4));
  const step = 1 << levelPower;
  const mask = step - 1;
  for (let k = 0; k < 4 * columns; k++) store(acc, k, 0);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < columns; k++) store(acc, k, round_to<opmath_t>(load(acc, k) + load(x, i * columns + k)));
    if (((i + 1) & mask) !== 0) continue;
    for (let level = 1; level < 4; level++) {
      const to = level * columns;
      for (let k = 0; k < columns; k++) {
        store(acc, to + k, round_to<opmath_t>(load(acc, to + k) + load(acc, to - columns + k)));
        store(acc, to - columns + k, 0);
      }
      if (((i + 1) & (mask << (level * levelPower))) !== 0) break;
    }
  }
  for (let level = 1; level < 4; level++) {
    for (let k = 0; k < columns; k++) store(acc, k, round_to<opmath_t>(load(acc, k) + load(acc, level * columns + k)));
  }
}

// ATen's Vectorized<T>::size(): the elements in AVX2's 32 bytes. `acc` and `part` have space for 16 and 4 such vectors.

/**
 * out[...] += x[...] over n1 rows of n0 elements. The reduced dims have stride 0 in `out`.
 * @template sum_cpu: floating types and halves
 */
export function sum_cascade(
  out: row<row<scalar_t>>,
  x: row<row<scalar_t>>,
  n0: number,
  n1: number,
  acc: data<opmath_t>,
  part: data<opmath_t>,
): void {
  if (out.inner.stride !== 0 && out.stride !== 0) {
    for (let j = 0; j < n1; j++) {
      for (let i = 0; i < n0; i++) add_to(row_at(out, j), i, cast<opmath_t>(load(row_at(x, j), i)));
    }
    return;
  }
  // The output is the same along a row; there is one sum per column.
  const reducesFirst = out.inner.stride === 0;
  const row = reducesFirst ? x.inner.stride : x.stride;
  const column = reducesFirst ? x.stride : x.inner.stride;
  const rows = reducesFirst ? n0 : n1;
  const columns = reducesFirst ? n1 : n0;
  const sums: row<scalar_t> = {
    view: out.view,
    offset: out.offset,
    stride: reducesFirst ? out.stride : out.inner.stride,
  };
  const columns_of_x: row<scalar_t> = { view: x.view, offset: x.offset, stride: column };
  const lanes = VECTOR_NBYTES / sizeof<opmath_t>();
  const width = VECTOR_NBYTES / sizeof<scalar_t>();
  let j = 0;
  if (row === 1 && rows >= width) {
    for (; j < columns; j++) add_to(sums, j, inner_row(acc, x.view, x.offset + j * column, rows, lanes));
    return;
  }
  if (column === 1 && columns >= width) {
    for (; j + 4 * lanes <= columns; j += 4 * lanes) {
      const from = row_from(columns_of_x, j);
      multi_row_sum(acc, { view: x.view, offset: from.offset, stride: row, inner: from }, rows, 4 * lanes);
      for (let k = 0; k < 4 * lanes; k++) add_to(sums, j + k, load(acc, k));
    }
    for (; j + lanes <= columns; j += lanes) {
      const from = row_from(columns_of_x, j);
      row_sum(acc, part, { view: x.view, offset: from.offset, stride: row, inner: from }, rows, lanes);
      for (let k = 0; k < lanes; k++) add_to(sums, j + k, load(acc, k));
    }
  } else if (row >= column) {
    for (; j + 4 <= columns; j += 4) {
      const from = row_from(columns_of_x, j);
      multi_row_sum(acc, { view: x.view, offset: from.offset, stride: row, inner: from }, rows, 4);
      for (let k = 0; k < 4; k++) add_to(sums, j + k, load(acc, k));
    }
  }
  for (; j < columns; j++) {
    const from = row_from(columns_of_x, j);
    row_sum(acc, part, { view: x.view, offset: from.offset, stride: row, inner: from }, rows, 1);
    add_to(sums, j, load(acc, 0));
  }
}

/** Integers need no cascade, because their sums are not rounded. @template sum_cpu: integral types */
export function integer_sum(out: row<row<scalar_t>>, x: row<row<scalar_t>>, n0: number, n1: number): void {
  for (let j = 0; j < n1; j++) {
    const to = row_at(out, j);
    const from = row_at(x, j);
    if (to.stride === 0) {
      let sum: scalar_t = load(to, 0);
      for (let i = 0; i < n0; i++) sum += load(from, i);
      store(to, 0, sum);
    } else {
      for (let i = 0; i < n0; i++) store(to, i, load(to, i) + load(from, i));
    }
  }
}

/** Sum of bools as a bool: whether any of them is true. @template sum_cpu: Bool */
export function bool_sum(out: row<row<scalar_t>>, x: row<row<scalar_t>>, n0: number, n1: number): void {
  for (let j = 0; j < n1; j++) {
    for (let i = 0; i < n0; i++) {
      if (load(row_at(x, j), i) !== 0) store(row_at(out, j), i, 1);
    }
  }
}

type SumTile = InstanceOf<typeof sum_cascade>;

/** The loop for a tile, and its scratch memory. */
export interface Tile {
  readonly run: SumTile;
  readonly acc: TypedArray;
  readonly part: TypedArray;
}

/** Partial sums, reused by every call: allocating an array costs more than a small sum. */
const SCRATCH = {
  float: { acc: new Float32Array(16 * 8), part: new Float32Array(4 * 8) },
  double: { acc: new Float64Array(16 * 4), part: new Float64Array(4 * 4) },
} as const;

export function tile_loop(operands: readonly OperandInfo[], n0: number, n1: number, tile: Tile): void {
  const [out, x] = operands as readonly [OperandInfo, OperandInfo];
  const [os0, os1] = [out.inner_stride(), out.outer_stride()];
  const [xs0, xs1] = [x.inner_stride(), x.outer_stride()];
  tile.run(out.view(), out.offset, os1, os0, x.view(), x.offset, xs1, xs0, n0, n1, tile.acc, tile.part);
}

const ZERO = Scalar.fromDouble(0);

export const integer_sum_values: Reduction = {
  name: "sum",
  instances: integer_sum_instances,
  identity: () => ZERO,
  symbol: "integer_sum",
  file: "SumKernel",
};

/** The loop for a dtype. */
export function tile_of(dtype: ScalarType): Tile {
  const run: SumTile =
    dtype === ScalarType.Bool
      ? AT_DISPATCH(bool_sum_instances, dtype)
      : isIntegralType(dtype, false)
        ? AT_DISPATCH(integer_sum_instances, dtype)
        : AT_DISPATCH(sum_cascade_instances, dtype);
  const { acc, part } = dtype === ScalarType.Double ? SCRATCH.double : SCRATCH.float;
  return { run, acc, part };
}

/** Sets sums to a double 0, whatever the dtype; PyTorch makes the same call, and a trace shows it. */
export function clear_sum(iter: TensorIterator): void {
  iter.output().fill__Scalar(ZERO);
}

export function sum_kernel_impl(iter: TensorIterator): void {
  clear_sum(iter);
  iter.for_each(tile_loop, tile_of(iter.dtype(0)));
}
REGISTER_DEFAULT_DISPATCH(sum_stub, sum_kernel_impl, "sum_kernel_impl");

/**
 * @differs Ours copies the input with zeros for NaN and sums the copy, which gives the same additions; PyTorch reads a
 * NaN as 0 inside the cascade. The kernel copies without the dispatcher, so a profile is PyTorch's.
 */
function nansum_kernel_impl(iter: TensorIterator): void {
  check_floating_types_and2(iter.dtype(0), "nansum_cpu");
  clear_sum(iter); // before the elements are read, because they may be the output's
  const x = iter.tensor(1);
  const zeroed = empty_cpu_options(x.sizes(), x.options());
  const copy = TensorIterator.unary_op(zeroed, x);
  nan_to_num_stub.call(copy.device_type(), copy, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
  const again = TensorIterator.reduce_op(iter.tensor(0), zeroed);
  again.for_each(tile_loop, tile_of(again.dtype(0)));
}
REGISTER_DEFAULT_DISPATCH(nansum_stub, nansum_kernel_impl, "nansum_kernel_impl");
