/**
 * @file Sums. Floating sums are cascaded: partial sums of bounded length are added pairwise, so that rounding errors grow with the
 * logarithm of the length; and in the order PyTorch's vectorized code adds, so that the results are the same bits.
 * @mirrors aten/src/ATen/native/cpu/SumKernel.cpp
 */
import {
  AT_DISPATCH,
  cast,
  type data,
  load,
  type opmath_t,
  round_to,
  type scalar_t,
  scratch,
  store,
  type TypedArray,
} from "#aten/Dispatch";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { sum_stub } from "#aten/native/ReduceOps";
import type { TensorIterator } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { isIntegralType, ScalarType } from "#c10/core/ScalarType";
import { bool_sum_instances, integer_sum_instances, sum_cascade_instances } from "./generated/SumKernel.ts";

// Note [Cascade sum]
// ~~~~~~~~~~~~~~~~~~
// A column of n numbers is added into level 0; after every `step` of them level 0 is emptied into level 1, after step^2 level 1
// into level 2, and so on, four levels in all. What the machine makes of it:
//
//   inner reduction (elements side by side)    a vector of LANES elements is one number of a column; four vectors in a row are four
//                                              columns; then columns are added, then lanes, then the elements left over
//   outer reduction (columns side by side)     each column alone; those of whole blocks of 4 * LANES columns in one cascade, the rest as
//                                              four interleaved cascades
//
// LANES is 8 for float, 4 for double: the width of AVX2, whatever the machine here. Halves are added as floats, an inner vector being
// sixteen of them, folded to eight by one addition.

/**
 * `columns` cascades of `n` rows at once into acc[0 ... columns): element (i, k) is x[xo + i * rowStride + k * columnStride].
 * `acc` has room for 4 levels. @template sum_cpu: floating types, Half, BFloat16
 */
export function multi_row_sum(
  acc: data<opmath_t>,
  x: data<scalar_t>,
  xo: number,
  rowStride: number,
  columnStride: number,
  n: number,
  columns: number,
): void {
  const levelPower = Math.max(4, Math.floor((n <= 1 ? 0 : 32 - Math.clz32(n - 1)) / 4));
  const step = 1 << levelPower;
  const mask = step - 1;
  for (let k = 0; k < 4 * columns; k++) store(acc, k, 0);
  let i = 0;
  while (i + step <= n) {
    for (let j = 0; j < step; j++) {
      const row = xo + i * rowStride;
      for (let k = 0; k < columns; k++) {
        store(acc, k, round_to<opmath_t>(load(acc, k) + cast<opmath_t>(load(x, row + k * columnStride))));
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
    const row = xo + i * rowStride;
    for (let k = 0; k < columns; k++) {
      store(acc, k, round_to<opmath_t>(load(acc, k) + cast<opmath_t>(load(x, row + k * columnStride))));
    }
  }
  for (let level = 1; level < 4; level++) {
    for (let k = 0; k < columns; k++) store(acc, k, round_to<opmath_t>(load(acc, k) + load(acc, level * columns + k)));
  }
}

/**
 * `lanes` neighbouring columns, each as four interleaved cascades, into acc[0 ... lanes). `part` is scratch like `acc`.
 * @template sum_cpu: floating types, Half, BFloat16
 */
export function row_sum(
  acc: data<opmath_t>,
  part: data<opmath_t>,
  x: data<scalar_t>,
  xo: number,
  rowStride: number,
  columnStride: number,
  n: number,
  lanes: number,
): void {
  const quarter = Math.floor(n / 4);
  multi_row_sum(acc, x, xo, 4 * rowStride, columnStride, quarter, lanes);
  for (let i = quarter * 4; i < n; i++) {
    for (let k = 0; k < lanes; k++) {
      store(acc, k, round_to<opmath_t>(load(acc, k) + cast<opmath_t>(load(x, xo + i * rowStride + k * columnStride))));
    }
  }
  for (let q = 1; q < 4; q++) {
    multi_row_sum(part, x, xo + q * rowStride, 4 * rowStride, columnStride, quarter, lanes);
    for (let k = 0; k < lanes; k++) store(acc, k, round_to<opmath_t>(load(acc, k) + load(part, k)));
  }
}

/** @template sum_cpu: floating types, Half, BFloat16 */
export function add_to(out: data<scalar_t>, at: number, value: opmath_t): void {
  store(out, at, cast<scalar_t>(cast<opmath_t>(load(out, at)) + value));
}

/** The sum of one row of `n` neighbours. @template sum_cpu: floating types, Half, BFloat16 */
export function inner_row(acc: data<opmath_t>, x: data<scalar_t>, xo: number, n: number, lanes: number): opmath_t {
  const vectors = Math.floor(n / lanes);
  const quarter = Math.floor(vectors / 4);
  const columns = 4 * lanes;
  multi_row_sum(acc, x, xo, columns, 1, quarter, columns);
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

/** `multi_row_sum` over rows of `columns` floats that stand one behind the other. @template sum_cpu: floating types, Half, BFloat16 */
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

/**
 * One 2-d tile of a reduction: out[...] += x[...]. A stride of 0 in `out` marks what is reduced.
 * `lanes` accumulators a vector, `width` elements a vector; `acc` and `part` have room for 16 and 4 vectors. @template sum_cpu: floating types, Half, BFloat16
 */
export function sum_cascade(
  out: data<scalar_t>,
  oo: number,
  os0: number,
  os1: number,
  x: data<scalar_t>,
  xo: number,
  is0: number,
  is1: number,
  n0: number,
  n1: number,
  lanes: number,
  width: number,
  acc: data<opmath_t>,
  part: data<opmath_t>,
): void {
  if (os0 !== 0 && os1 !== 0) {
    for (let j = 0; j < n1; j++) {
      for (let i = 0; i < n0; i++) add_to(out, oo + i * os0 + j * os1, cast<opmath_t>(load(x, xo + i * is0 + j * is1)));
    }
    return;
  }
  // Along `row` the output stands still; `column` counts the outputs.
  const reducesFirst = os0 === 0;
  const row = reducesFirst ? is0 : is1;
  const column = reducesFirst ? is1 : is0;
  const step = reducesFirst ? os1 : os0;
  const rows = reducesFirst ? n0 : n1;
  const columns = reducesFirst ? n1 : n0;
  let j = 0;
  if (row === 1 && rows >= width) {
    for (; j < columns; j++) add_to(out, oo + j * step, inner_row(acc, x, xo + j * column, rows, lanes));
    return;
  }
  if (column === 1 && columns >= width) {
    for (; j + 4 * lanes <= columns; j += 4 * lanes) {
      multi_row_sum(acc, x, xo + j, row, 1, rows, 4 * lanes);
      for (let k = 0; k < 4 * lanes; k++) add_to(out, oo + (j + k) * step, load(acc, k));
    }
    for (; j + lanes <= columns; j += lanes) {
      row_sum(acc, part, x, xo + j, row, 1, rows, lanes);
      for (let k = 0; k < lanes; k++) add_to(out, oo + (j + k) * step, load(acc, k));
    }
  } else if (row >= column) {
    for (; j + 4 <= columns; j += 4) {
      multi_row_sum(acc, x, xo + j * column, row, column, rows, 4);
      for (let k = 0; k < 4; k++) add_to(out, oo + (j + k) * step, load(acc, k));
    }
  }
  for (; j < columns; j++) {
    row_sum(acc, part, x, xo + j * column, row, 0, rows, 1);
    add_to(out, oo + j * step, load(acc, 0));
  }
}

/** Integers have no rounding to fear. @template sum_cpu: integral types */
export function integer_sum(
  out: data<scalar_t>,
  oo: number,
  os0: number,
  os1: number,
  x: data<scalar_t>,
  xo: number,
  is0: number,
  is1: number,
  n0: number,
  n1: number,
  _lanes: number,
  _width: number,
  _acc: data<opmath_t>,
  _part: data<opmath_t>,
): void {
  for (let j = 0; j < n1; j++) {
    const o = oo + j * os1;
    const from = xo + j * is1;
    if (os0 === 0) {
      let sum: scalar_t = load(out, o);
      for (let i = 0; i < n0; i++) sum += load(x, from + i * is0);
      store(out, o, sum);
    } else {
      for (let i = 0; i < n0; i++) store(out, o + i * os0, load(out, o + i * os0) + load(x, from + i * is0));
    }
  }
}

/** The sum of truth values as a truth value: is any of them true? @template sum_cpu: Bool */
export function bool_sum(
  out: data<scalar_t>,
  oo: number,
  os0: number,
  os1: number,
  x: data<scalar_t>,
  xo: number,
  is0: number,
  is1: number,
  n0: number,
  n1: number,
  _lanes: number,
  _width: number,
  _acc: data<opmath_t>,
  _part: data<opmath_t>,
): void {
  for (let j = 0; j < n1; j++) {
    for (let i = 0; i < n0; i++) {
      const o = oo + i * os0 + j * os1;
      if (load(x, xo + i * is0 + j * is1) !== 0) store(out, o, 1);
    }
  }
}

type SumTile = typeof sum_cascade;

interface Tile {
  readonly run: SumTile;
  readonly lanes: number;
  readonly width: number;
  readonly acc: Scratch;
  readonly part: Scratch;
}

type Scratch = Parameters<SumTile>[12];

/** Sums of parts, used again by every call: making an array costs more than a small sum. */
const SCRATCH = {
  float: { acc: new Float32Array(16 * 8), part: new Float32Array(4 * 8) },
  double: { acc: new Float64Array(16 * 4), part: new Float64Array(4 * 4) },
} as const;

function tile_loop(
  data: readonly TypedArray[],
  offsets: readonly number[],
  strides: readonly number[],
  n0: number,
  n1: number,
  tile: Tile,
): void {
  const [out, x] = data as unknown as [TypedArray, TypedArray];
  const [oo, xo] = offsets as unknown as [number, number];
  const [os0, is0, os1, is1] = strides as unknown as [number, number, number, number];
  tile.run(out, oo, os0, os1, x, xo, is0, is1, n0, n1, tile.lanes, tile.width, tile.acc, tile.part);
}

const ZERO = Scalar.fromDouble(0);

function sum_kernel_impl(iter: TensorIterator): void {
  const dtype = iter.dtype(0);
  iter.output().fill__Scalar(ZERO); // a double 0, whatever the dtype: the call is on record
  const isReduced = dtype === ScalarType.Half || dtype === ScalarType.BFloat16;
  const lanes = dtype === ScalarType.Double ? 4 : 8;
  const run =
    dtype === ScalarType.Bool
      ? AT_DISPATCH(bool_sum_instances, dtype)
      : isIntegralType(dtype, false)
        ? AT_DISPATCH(integer_sum_instances, dtype)
        : AT_DISPATCH(sum_cascade_instances, dtype);
  const { acc, part } = dtype === ScalarType.Double ? SCRATCH.double : SCRATCH.float;
  iter.for_each(tile_loop, { run, lanes, width: isReduced ? 2 * lanes : lanes, acc, part });
}
REGISTER_DISPATCH(sum_stub, sum_kernel_impl, "sum_kernel_impl");
