/**
 * @file One element of each line: the k-th, the one in the middle, the most frequent.
 * @mirrors aten/src/ATen/native/Sorting.cpp
 * @see SortingKernel.ts (how lines are read and written)
 */
import { check_all_types_and2, check_all_types_and3, type TypedArray } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { kthvalue_stub, median_stub, mode_stub, nanmedian_stub } from "#aten/native/SortingSelect";
import { type Less, nth_element, sort } from "#c10/util/std_algorithm";
import { ascending, for_each_line } from "./SortingKernel.ts";

/** Hoare's selection: what stands at k in the end is in its place. */
function quick_select(at: Int32Array, k: number, n: number, greater: Less): void {
  let [left, right] = [0, n - 1];
  const swap = (i: number, j: number): void => {
    const held = at[i];
    at[i] = at[j];
    at[j] = held;
  };
  const swap_if_greater = (i: number, j: number): void => {
    if (greater(at[i], at[j])) swap(i, j);
  };
  while (right > left + 1) {
    // The pivot, the middle one of three, comes to `left`.
    swap(left + ((right - left) >> 1), left + 1);
    swap_if_greater(left + 1, right);
    swap_if_greater(left, right);
    swap_if_greater(left + 1, left);
    const pivot = at[left];
    let [i, j] = [left + 1, right];
    for (;;) {
      do i++;
      while (greater(pivot, at[i]));
      do j--;
      while (greater(at[j], pivot));
      if (j < i) break;
      swap(i, j);
    }
    swap(left, j);
    if (j <= k) left = i;
    if (j >= k) right = j - 1;
  }
  if (right === left + 1) swap_if_greater(left, right);
}

function kthvalue_kernel(values: Tensor, indices: Tensor, self: Tensor, dim: number, k: number): void {
  check_all_types_and2(self.scalar_type(), "kthvalue_cpu");
  for_each_line(values, indices, self, dim, 1, ({ keys, n }) => {
    const less = ascending(keys);
    const greater: Less = (a, b) => less(b, a);
    return (at) => {
      quick_select(at, k - 1, n, greater);
      at[0] = at[k - 1];
    };
  });
}

/** Of equal ones the one in front comes first. */
function ascending_in_place(keys: TypedArray): Less {
  const less = ascending(keys);
  return (a, b) => less(a, b) || (a < b && !less(b, a));
}

function is_nan(keys: TypedArray, i: number): boolean {
  return keys[i] !== keys[i];
}

function median_kernel(values: Tensor, indices: Tensor, self: Tensor, dim: number): void {
  check_all_types_and2(self.scalar_type(), "median_out");
  for_each_line(values, indices, self, dim, 1, ({ keys, n }) => {
    const less = ascending_in_place(keys);
    return (at) => {
      const nan = at.findIndex((i) => is_nan(keys, i));
      if (nan >= 0) {
        at[0] = nan;
        return;
      }
      const middle = (n - 1) >> 1;
      nth_element(at, 0, middle, n, less);
      at[0] = at[middle];
    };
  });
}

/** NaNs are not counted; they stand behind the others. */
function nanmedian_kernel(values: Tensor, indices: Tensor, self: Tensor, dim: number): void {
  check_all_types_and2(self.scalar_type(), "median_out");
  for_each_line(values, indices, self, dim, 1, ({ keys, n }) => {
    const less = ascending_in_place(keys);
    return (at) => {
      let numbers = 0;
      for (let i = 0; i < n; i++) if (!is_nan(keys, i)) numbers++;
      const middle = Math.max(0, (numbers - 1) >> 1);
      nth_element(at, 0, middle, n, less);
      at[0] = at[middle];
    };
  });
}

/** Of equally frequent ones the least; where it stands last in the line, as sorted: by a `<` that knows no NaN. */
function mode_kernel(values: Tensor, indices: Tensor, self: Tensor, dim: number): void {
  check_all_types_and3(self.scalar_type(), "mode_cpu");
  for_each_line(values, indices, self, dim, 1, ({ keys, n }) => {
    const less: Less = (a, b) => keys[a] < keys[b];
    return (at) => {
      sort(at, 0, n, less);
      let mode = at[0];
      let [frequency, greatest] = [0, 0];
      for (let i = 0; i < n; i++) {
        frequency++;
        if (i < n - 1 && keys[at[i]] === keys[at[i + 1]]) continue;
        if (frequency > greatest) {
          mode = at[i];
          greatest = frequency;
        }
        frequency = 0;
      }
      at[0] = mode;
    };
  });
}

REGISTER_DEFAULT_DISPATCH(kthvalue_stub, kthvalue_kernel, "kthvalue_kernel");
REGISTER_DEFAULT_DISPATCH(median_stub, median_kernel, "median_kernel");
REGISTER_DEFAULT_DISPATCH(nanmedian_stub, nanmedian_kernel, "nanmedian_kernel");
REGISTER_DEFAULT_DISPATCH(mode_stub, mode_kernel, "mode_kernel_impl");
