/**
 * @file Lines of elements in order: all of them, or the greatest or least k.
 * @mirrors aten/src/ATen/native/cpu/SortingKernel.cpp
 * @see c10/util/std_algorithm.ts (who comes first among equals)
 */
import {
  AT_DISPATCH,
  cast,
  check_all_types_and2,
  type data,
  type int32,
  type int64,
  load,
  type opmath_t,
  type row,
  type scalar_t,
  scratch,
  store,
  type TypedArray,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { sort_stub, topk_stub } from "#aten/native/Sorting";
import { TensorIteratorConfig } from "#aten/TensorIterator";
import type { ScalarType } from "#c10/core/ScalarType";
import { type Less, nth_element, partial_sort, sort, stable_sort } from "#c10/util/std_algorithm";
import { new_line_instances, read_line_instances, write_in_order_instances } from "./generated/SortingKernel.ts";

// Numbers of elements are put in order, not the elements: `keys` is a line of them, halves as floats.

/** Room for a line. @template sort_cpu: Bool, all types and halves, barebones unsigned types */
export function new_line(_like: data<scalar_t>, n: number): data<opmath_t> {
  return scratch<opmath_t>(n);
}

/** @template sort_cpu: Bool, all types and halves, barebones unsigned types */
export function read_line(keys: data<opmath_t>, x: row<scalar_t>, n: number): void {
  for (let i = 0; i < n; i++) store(keys, i, cast<opmath_t>(load(x, i)));
}

/** The first n elements in the order of `at`, and their numbers. @template sort_cpu: Bool, all types and halves, barebones unsigned types */
export function write_in_order(
  values: row<scalar_t>,
  indices: row<int64>,
  keys: data<opmath_t>,
  at: data<int32>,
  n: number,
): void {
  for (let i = 0; i < n; i++) {
    const from = cast<number>(load(at, i));
    store(values, i, cast<scalar_t>(load(keys, from)));
    store(indices, i, cast<int64>(from));
  }
}

/** NaN is greater than everything. */
export function ascending(keys: TypedArray): Less {
  return (a, b) => {
    const [x, y] = [keys[a], keys[b]];
    return x < y || (y !== y && x === x);
  };
}

export function descending_order(keys: TypedArray): Less {
  return (a, b) => {
    const [x, y] = [keys[a], keys[b]];
    return x > y || (x !== x && y === y);
  };
}

/** A line's elements, for any dtype: read into `keys`, with their numbers in `at`. */
class Line {
  readonly keys: TypedArray;
  readonly at: Int32Array;
  readonly n: number;
  private readonly read_: (keys: TypedArray, x: TypedArray, offset: number, stride: number, n: number) => void;

  constructor(dtype: ScalarType, like: TypedArray, n: number) {
    this.keys = AT_DISPATCH(new_line_instances, dtype)(like, n);
    this.at = new Int32Array(n);
    this.n = n;
    this.read_ = AT_DISPATCH(read_line_instances, dtype);
  }

  read(x: TypedArray, offset: number, stride: number): void {
    const { at, n } = this;
    this.read_(this.keys, x, offset, stride, n);
    for (let i = 0; i < n; i++) at[i] = i;
  }
}

/** What is done with each line, and how far the elements of a line stand apart in each operand. */
interface Lines {
  readonly line: Line;
  readonly strides: readonly number[];
  /** How many of a line are written. */
  readonly k: number;
  readonly order: (at: Int32Array) => void;
  readonly write: ReturnType<typeof write_in_order_instances.get>;
}

/** Operands: the values, their numbers, and what is read. */
function lines_loop(operands: readonly OperandInfo[], n0: number, n1: number, lines: Lines): void {
  const { line, strides, k, order, write } = lines;
  const [values, indices, x] = operands as readonly [OperandInfo, OperandInfo, OperandInfo];
  const [v, i64, from] = [values.view(), indices.view(), x.view()];
  for (let j = 0; j < n1; j++) {
    for (let i = 0; i < n0; i++) {
      line.read(from, x.at(i, j), strides[2]);
      order(line.at);
      write(v, values.at(i, j), strides[0], i64, indices.at(i, j), strides[1], line.keys, line.at, k);
    }
  }
}

/** Every line of `self` along `dim`; `order_of` makes what puts it in order, as far as its first k. */
export function for_each_line(
  values: Tensor,
  indices: Tensor,
  self: Tensor,
  dim: number,
  k: number,
  order_of: (line: { readonly keys: TypedArray; readonly n: number }) => (at: Int32Array) => void,
): void {
  const dtype = self.scalar_type();
  const write = AT_DISPATCH(write_in_order_instances, dtype);
  if (self.numel() === 0 || k === 0) return;
  const line = new Line(dtype, self.data_view(), self.size(dim));
  const lines: Lines = {
    line,
    strides: [values.stride(dim), indices.stride(dim), self.stride(dim)],
    k,
    order: order_of(line),
    write,
  };
  new TensorIteratorConfig()
    .check_all_same_dtype(false)
    .resize_outputs(false)
    .declare_static_shape(self.sizes(), [dim])
    .add_output(values)
    .add_output(indices)
    .add_const_input(self)
    .build()
    .for_each(lines_loop, lines);
}

function sort_stable_kernel(
  self: Tensor,
  values: Tensor,
  indices: Tensor,
  dim: number,
  descending: boolean,
  stable: boolean,
): void {
  for_each_line(values, indices, self, dim, self.size(dim), ({ keys, n }) => {
    const less = descending ? descending_order(keys) : ascending(keys);
    if (!stable) return (at) => sort(at, 0, n, less);
    const spare = new Int32Array(n);
    return (at) => stable_sort(at, spare, n, less);
  });
}

function topk_kernel(
  values: Tensor,
  indices: Tensor,
  self: Tensor,
  k: number,
  dim: number,
  largest: boolean,
  sorted: boolean,
): void {
  check_all_types_and2(self.scalar_type(), "topk_cpu");
  for_each_line(values, indices, self, dim, k, ({ keys, n }) => {
    const less = largest ? descending_order(keys) : ascending(keys);
    if (k * 64 <= n) return (at) => partial_sort(at, 0, k, n, less);
    return (at) => {
      nth_element(at, 0, k - 1, n, less);
      if (sorted) sort(at, 0, k - 1, less);
    };
  });
}

REGISTER_DEFAULT_DISPATCH(sort_stub, sort_stable_kernel, "sort_stable_kernel");
REGISTER_DEFAULT_DISPATCH(topk_stub, topk_kernel, "topk_kernel");
