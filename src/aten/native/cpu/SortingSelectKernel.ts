/**
 * @file Kernels that select one element of each line: `kthvalue`, `median`, `mode`.
 * @mirrors aten/src/ATen/native/Sorting.cpp
 * @differs Ours reads each line into an array; PyTorch's `kthvalue` works on a copy of the input and a tensor of indices.
 * @see SortingKernel/Line.ts (reading and writing lines)
 */
import { check_all_types_and2, check_all_types_and3 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { kthvalue_stub, median_stub, mode_stub, nanmedian_stub } from "#aten/native/Sorting/Select";
import { type Keyed, sort, stable_nth_element, swap } from "#c10/util/std_algorithm";
import { for_each_line } from "./SortingKernel/index.ts";
import { Order } from "./SortingKernel/Line.ts";

/** Hoare's quickselect: at the end, the element at k is the one of the sorted line. */
function quick_select(pairs: Keyed, k: number, n: number): void {
  const { keys } = pairs;
  let [left, right] = [0, n - 1];
  const swap_if_greater = (i: number, j: number): void => {
    if (keys[j] < keys[i]) swap(pairs, i, j);
  };
  while (right > left + 1) {
    // The pivot, the median of three, is moved to `left`.
    swap(pairs, left + ((right - left) >> 1), left + 1);
    swap_if_greater(left + 1, right);
    swap_if_greater(left, right);
    swap_if_greater(left + 1, left);
    const pivot = keys[left];
    let [i, j] = [left + 1, right];
    for (;;) {
      do i++;
      while (keys[i] < pivot);
      do j--;
      while (pivot < keys[j]);
      if (j < i) break;
      swap(pairs, i, j);
    }
    swap(pairs, left, j);
    if (j <= k) left = i;
    if (j >= k) right = j - 1;
  }
  if (right === left + 1) swap_if_greater(left, right);
}

function kthvalue_kernel(values: Tensor, indices: Tensor, self: Tensor, dim: number, k: number): void {
  check_all_types_and2(self.scalar_type(), "kthvalue_cpu");
  for_each_line(values, indices, self, dim, 1, Order.ASCENDING, (line) => {
    quick_select(line, k - 1, line.n);
    line.at[0] = line.at[k - 1];
  });
}

/** Number of elements whose key is not NaN. */
function count_numbers({ keys }: Keyed): number {
  let numbers = 0;
  for (let i = 0; i < keys.length; i++) if (keys[i] !== Infinity) numbers++;
  return numbers;
}

/** If there is a NaN, the first one is the median. Of equal elements, the one with the lower index comes first. */
function median_kernel(values: Tensor, indices: Tensor, self: Tensor, dim: number): void {
  check_all_types_and2(self.scalar_type(), "median_out");
  for_each_line(values, indices, self, dim, 1, Order.ASCENDING, (line) => {
    const { keys, at, n } = line;
    const numbers = count_numbers(line);
    at[0] = numbers < n ? keys.indexOf(Infinity) : stable_nth_element(line, (n - 1) >> 1);
  });
}

/** NaNs are not counted; they come after the others. */
function nanmedian_kernel(values: Tensor, indices: Tensor, self: Tensor, dim: number): void {
  check_all_types_and2(self.scalar_type(), "median_out");
  for_each_line(values, indices, self, dim, 1, Order.ASCENDING, (line) => {
    line.at[0] = stable_nth_element(line, Math.max(0, (count_numbers(line) - 1) >> 1));
  });
}

/**
 * The smallest of equally frequent elements. The index is its last position in the line as sorted by a `<` that does
 * not handle NaN.
 */
function mode_kernel(values: Tensor, indices: Tensor, self: Tensor, dim: number): void {
  check_all_types_and3(self.scalar_type(), "mode_cpu");
  for_each_line(values, indices, self, dim, 1, Order.NAN_APART, (line) => {
    const { keys, at, n } = line;
    sort(line, 0, n);
    let mode = at[0];
    let [frequency, greatest] = [0, 0];
    for (let i = 0; i < n; i++) {
      frequency++;
      if (i < n - 1 && keys[i] === keys[i + 1]) continue;
      if (frequency > greatest) {
        mode = at[i];
        greatest = frequency;
      }
      frequency = 0;
    }
    at[0] = mode;
  });
}

REGISTER_DEFAULT_DISPATCH(kthvalue_stub, kthvalue_kernel, "kthvalue_kernel");
REGISTER_DEFAULT_DISPATCH(median_stub, median_kernel, "median_kernel");
REGISTER_DEFAULT_DISPATCH(nanmedian_stub, nanmedian_kernel, "nanmedian_kernel");
REGISTER_DEFAULT_DISPATCH(mode_stub, mode_kernel, "mode_kernel_impl");
