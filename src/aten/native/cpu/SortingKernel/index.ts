/**
 * @file Kernels of `sort` and `topk`: whole lines are sorted, or the largest or smallest k elements.
 * @mirrors aten/src/ATen/native/cpu/SortingKernel.cpp
 * @see Line.ts (reading and writing lines); c10/util/std_algorithm.ts (the order of equal elements)
 */
import { AT_DISPATCH, check_all_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { write_in_order_instances } from "#aten/native/cpu/generated/SortingKernel/Line";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { sort_stub, topk_stub } from "#aten/native/Sorting/index";
import { TensorIteratorConfig } from "#aten/TensorIterator";
import { nth_element, partial_sort, sort, stable_sort } from "#c10/util/std_algorithm";
import { Line, Order } from "./Line.ts";

/** The function for each line, and the strides of a line in each operand. */
interface Lines {
  readonly line: Line;
  readonly strides: readonly number[];
  /** Number of elements of a line that are written. */
  readonly k: number;
  readonly put_in_order: (line: Line) => void;
  readonly write: ReturnType<typeof write_in_order_instances.get>;
}

/** Operands: the values, their indices, and the input. */
function lines_loop(operands: readonly OperandInfo[], n0: number, n1: number, lines: Lines): void {
  const { line, strides, k, put_in_order, write } = lines;
  const [values, indices, x] = operands as readonly [OperandInfo, OperandInfo, OperandInfo];
  const [v, i64, from] = [values.view(), indices.view(), x.view()];
  for (let j = 0; j < n1; j++) {
    for (let i = 0; i < n0; i++) {
      line.read(from, x.at(i, j), strides[2]);
      put_in_order(line);
      write(v, values.at(i, j), strides[0], i64, indices.at(i, j), strides[1], line.elements, line.at, k);
    }
  }
}

/** Sorts every line of `self` along `dim`, as far as its first k elements are needed. */
export function for_each_line(
  values: Tensor,
  indices: Tensor,
  self: Tensor,
  dim: number,
  k: number,
  order: Order,
  put_in_order: (line: Line) => void,
): void {
  const dtype = self.scalar_type();
  const write = AT_DISPATCH(write_in_order_instances, dtype);
  if (self.numel() === 0 || k === 0) return;
  const lines: Lines = {
    line: new Line(dtype, self.data_view(), self.size(dim), order),
    strides: [values.stride(dim), indices.stride(dim), self.stride(dim)],
    k,
    put_in_order,
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
  const order = descending ? Order.DESCENDING : Order.ASCENDING;
  const put_in_order = stable ? stable_sort : (line: Line): void => sort(line, 0, line.n);
  for_each_line(values, indices, self, dim, self.size(dim), order, put_in_order);
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
  for_each_line(values, indices, self, dim, k, largest ? Order.DESCENDING : Order.ASCENDING, (line) => {
    if (k * 64 <= line.n) partial_sort(line, 0, k, line.n);
    else {
      nth_element(line, 0, k - 1, line.n);
      if (sorted) sort(line, 0, k - 1);
    }
  });
}

REGISTER_DEFAULT_DISPATCH(sort_stub, sort_stable_kernel, "sort_stable_kernel");
REGISTER_DEFAULT_DISPATCH(topk_stub, topk_kernel, "topk_kernel");
