/**
 * @file Kernels of `kthvalue`, `median` and `mode`: one element of each line. The whole line is sorted in every case.
 * @mirrors aten/src/ATen/native/cuda/Sorting.cpp
 * @differs Ours returns the first of several equal elements; CUDA finds the k-th by its digits and may return any of
 * them.
 * @see SortUtils.ts
 */
import { check_all_types_and2, check_all_types_and3 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { kthvalue_stub, median_stub, mode_stub, nanmedian_stub } from "#aten/native/Sorting/Select";
import { isFloatingType, ScalarType } from "#c10/core/ScalarType";
import { GpuKernel, view_of } from "./KernelText.ts";
import { sort_lines } from "./Sort.ts";
import { STRIDED_WORKGROUP, strided_groups, strided_indices } from "./strided.ts";

/** The first `k` values of every sorted line and their indices. Lines are moved to the last dim and are contiguous. */
function in_order(self: Tensor, dim: number, k: number): [values: Tensor, places: Tensor] {
  const lines = at.transpose_int(self, dim, -1);
  const values = at.empty_memory_format(lines.sizes().with(-1, k), self.options());
  const places = at.empty_memory_format([...values.sizes()], self.options().dtype(ScalarType.Int));
  sort_lines(lines, lines.dim() - 1, k, false, values, places);
  return [values, places];
}

/** Takes one element per line, at the positions `at_` (..., 1), and writes results with size 1 in `dim`. */
function take(values: Tensor, indices: Tensor, dim: number, [sorted, places]: readonly Tensor[], at_: Tensor): void {
  values.copy_(at.transpose_int(at.gather(sorted, -1, at_), dim, -1));
  indices.copy_(at.transpose_int(at.gather(places, -1, at_), dim, -1));
}

function kthvalue_kernel(values: Tensor, indices: Tensor, self: Tensor, dim: number, k: number): void {
  check_all_types_and2(self.scalar_type(), "kthvalue_webgpu");
  if (values.numel() === 0) return;
  const last = in_order(self, dim, k).map((t) => at.transpose_int(t.narrow(-1, k - 1, 1), dim, -1));
  values.copy_(last[0]);
  indices.copy_(last[1]);
}

/** The two variants. */
const MEDIAN = 0;
const NANMEDIAN = 1;

/**
 * Position of the median in each sorted line. NaNs are at the end: the result is the first NaN, or the middle of the
 * numbers before it.
 */
const find_middle = new GpuKernel("gatherMedian", {
  reads: ["sorted"],
  writes: ["middle"],
  fields: ["n: u32", "size: u32"],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: ({ variant }) => ({
    main: `${strided_indices(1)}
  var low = 0u;
  var high = p.size;
  while (low < high) {
    let there = (low + high) / 2u;
    if (isnan_f32(load_sorted(i * p.size + there))) {
      high = there;
    } else {
      low = there + 1u;
    }
  }
  let middle = (max(low, 1u) - 1u) / 2u;
  store_middle(i, vec2<u32>(${variant === NANMEDIAN ? "middle" : "select(middle, low, low < p.size)"}, 0u));`,
  }),
});

function median_kernel(variant: number): (values: Tensor, indices: Tensor, self: Tensor, dim: number) => void {
  return (values, indices, self, dim) => {
    if (values.numel() === 0) return;
    const size = self.size(dim);
    if (!isFloatingType(self.scalar_type())) {
      kthvalue_kernel(values, indices, self, dim, (size + 1) >> 1);
      return;
    }
    const sorted = in_order(self, dim, size);
    const lines = self.numel() / size;
    const middle = at.empty_memory_format(sorted[0].sizes().with(-1, 1), indices.options());
    find_middle.launch(variant, [sorted[0], middle].map(view_of), [lines, size], ...strided_groups(lines), 1);
    take(values, indices, dim, sorted, middle);
  };
}

/**
 * Length of each run of equal elements in a sorted line, stored at the run's last position; 0 elsewhere. NaN equals no
 * other NaN.
 */
const run_lengths = new GpuKernel("mode_run_lengths", {
  reads: ["sorted"],
  writes: ["lengths"],
  fields: ["n: u32", "size: u32"],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: (context) => {
    const less = context.type("sorted") === "vec2<u32>" ? "i64_lt(there, own)" : "there < own";
    return {
      main: `${strided_indices(1)}
  let line = i - i % p.size;
  let own = load_sorted(i);
  if ((i % p.size + 1u < p.size) && all(own == load_sorted(min(i + 1u, p.n - 1u)))) {
    store_lengths(i, 0i);
    return;
  }
  var low = line;
  var high = i;
  while (low < high) {
    let middle = (low + high) / 2u;
    let there = load_sorted(middle);
    if ((${less})${context.type("sorted") === "f32" ? " || isnan_f32(own)" : ""}) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  store_lengths(i, i32(i - low) + 1i);`,
    };
  },
});

/** If several elements are equally frequent, the smallest is returned. */
function mode_kernel(values: Tensor, indices: Tensor, self: Tensor, dim: number): void {
  check_all_types_and3(self.scalar_type(), "mode_webgpu");
  const size = self.size(dim);
  const sorted = in_order(self, dim, size);
  const n = self.numel();
  const lengths = at.empty_like(sorted[1]);
  run_lengths.launch(0, [sorted[0], lengths].map(view_of), [n, size], ...strided_groups(n), 1);
  take(values, indices, dim, sorted, at.argmax(lengths, -1, true));
}

REGISTER_PRIVATEUSE1_DISPATCH(kthvalue_stub, kthvalue_kernel, "kthvalue_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(median_stub, median_kernel(MEDIAN), "median_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(nanmedian_stub, median_kernel(NANMEDIAN), "nanmedian_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(mode_stub, mode_kernel, "mode_kernel_webgpu");
