/**
 * @file `tril_indices` and `triu_indices`: row and column of every element on one side of a diagonal.
 * @mirrors aten/src/ATen/native/TensorFactories.cpp
 */
import { empty_cpu_options } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { Device } from "#c10/core/Device";
import { Layout } from "#c10/core/Layout";
import { ScalarType, toString } from "#c10/core/ScalarType";
import type { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { optionsOf } from "./index.ts";

function check_args(row: number, col: number, layout: Layout | null): void {
  TORCH_CHECK(row >= 0, "row must be non-negative, got", row);
  TORCH_CHECK(col >= 0, "col must be non-negative, got", col);
  TORCH_CHECK(layout === null || layout === Layout.Strided, "only support layout=torch.strided, got", layout);
}

/** Columns of a row: `begin` <= column < `end`. */
interface Columns {
  readonly begin: number;
  readonly end: number;
}

function lower(col: number, offset: number): (i: number) => Columns {
  return (i) => ({ begin: 0, end: Math.min(Math.max(i + offset + 1, 0), col) });
}
function upper(col: number, offset: number): (i: number) => Columns {
  return (i) => ({ begin: Math.min(Math.max(i + offset, 0), col), end: col });
}

/** Number of elements in the first `offset + 1` columns of row 0, one column more in row 1, and so on. */
function get_tril_size(row: number, col: number, offset: number): number {
  const full = Math.min(Math.max(row + offset - col + 1, 0), row); // number of last rows that have all columns
  const first = Math.max(-offset, 0); // first row with any element
  const part = Math.max(row - full - first, 0);
  return (part * (2 * (first + offset + 1) + part - 1)) / 2 + full * col;
}

/** 0, 1, 2, ... as elements of the dtype. */
function counted(n: number, dtype: ScalarType): Int32Array | BigInt64Array {
  const numbers = Int32Array.from({ length: n }, (_, j) => j);
  return dtype === ScalarType.Int ? numbers : BigInt64Array.from(numbers, BigInt);
}

/** (2, n): the rows, then the columns. */
function indices_of(
  name: string,
  [row, col, n]: readonly [row: number, col: number, n: number],
  columns_of: (i: number) => Columns,
  options: TensorOptions,
): Tensor {
  const result = empty_cpu_options([2, n], options);
  const dtype = result.scalar_type();
  TORCH_CHECK_NOT_IMPLEMENTED(
    dtype === ScalarType.Long || dtype === ScalarType.Int,
    `"${name}" not implemented for '${toString(dtype)}'`,
  );
  if (n === 0) return result;
  const view = result.impl_.data_view() as Int32Array; // or BigInt64Array, which has the same methods
  const numbers = counted(Math.max(row, col), dtype) as Int32Array;
  let at = result.impl_.data_offset();
  for (let i = 0; i < row; i++) {
    const { begin, end } = columns_of(i);
    view.fill(numbers[i], at, at + end - begin);
    view.set(numbers.subarray(begin, end), at + n);
    at += end - begin;
  }
  return result;
}

// tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=long, ...) -> Tensor     CPU
export function tril_indices_cpu(
  row: number,
  col: number,
  offset: number,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  check_args(row, col, layout);
  const options = optionsOf(dtype ?? ScalarType.Long, layout, device, pin_memory);
  const n = get_tril_size(row, col, Number(offset));
  return indices_of("tril_indices", [row, col, n], lower(col, Number(offset)), options);
}

// triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=long, ...) -> Tensor     CPU
export function triu_indices_cpu(
  row: number,
  col: number,
  offset: number,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  check_args(row, col, layout);
  const options = optionsOf(dtype ?? ScalarType.Long, layout, device, pin_memory);
  const n = row * col - get_tril_size(row, col, Number(offset) - 1);
  return indices_of("triu_indices", [row, col, n], upper(col, Number(offset)), options);
}
