/**
 * @file `tril_indices` and `triu_indices`: row and column of every element on one side of a diagonal.
 * @mirrors aten/src/ATen/native/TensorFactories.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { Device } from "#c10/core/Device";
import { Layout } from "#c10/core/Layout";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { optionsOf } from "./TensorFactories.ts";

function check_args(row: number, col: number, layout: Layout | null): void {
  TORCH_CHECK(row >= 0, "row must be non-negative, got", row);
  TORCH_CHECK(col >= 0, "col must be non-negative, got", col);
  TORCH_CHECK(layout === null || layout === Layout.Strided, "only support layout=torch.strided, got", layout);
}

/** Of each row the columns from `begin(i)` to before `end(i)`. */
interface Columns {
  readonly begin: (i: number) => number;
  readonly end: (i: number) => number;
}

function lower(col: number, offset: number): Columns {
  return { begin: () => 0, end: (i) => Math.min(Math.max(i + offset + 1, 0), col) };
}
function upper(col: number, offset: number): Columns {
  return { begin: (i) => Math.min(Math.max(i + offset, 0), col), end: () => col };
}

/** (2, n): the rows, then the columns. */
function indices_of(name: string, row: number, columns: Columns, empty: (size: number[]) => Tensor): Tensor {
  const pairs: [row: number, column: number][] = [];
  for (let i = 0; i < row; i++) for (let j = columns.begin(i); j < columns.end(i); j++) pairs.push([i, j]);
  const result = empty([2, pairs.length]);
  const dtype = result.scalar_type();
  TORCH_CHECK_NOT_IMPLEMENTED(
    dtype === ScalarType.Long || dtype === ScalarType.Int,
    `"${name}" not implemented for '${toString(dtype)}'`,
  );
  const view = result.impl_.data_view() as BigInt64Array | Int32Array;
  const number = dtype === ScalarType.Long ? BigInt : Number;
  const begin = result.impl_.data_offset();
  for (const [k, [i, j]] of pairs.entries()) {
    view[begin + k] = number(i);
    view[begin + pairs.length + k] = number(j);
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
  return indices_of("tril_indices", row, lower(col, offset), (size) => at.empty_memory_format(size, options));
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
  return indices_of("triu_indices", row, upper(col, offset), (size) => at.empty_memory_format(size, options));
}
