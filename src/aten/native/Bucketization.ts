/**
 * @file `searchsorted` and `bucketize`: the position of a value in a sorted line.
 * @mirrors aten/src/ATen/native/Bucketization.cpp
 */
import { AT_DISPATCH, cast, type int32, type int64, load, type pointer, type scalar_t, store } from "#aten/Dispatch";
import { empty_cpu_options } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { wrapped_scalar_tensor } from "#aten/ScalarOps";
import type { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { searchsorted_maybe_trim_input_tensors, searchsorted_pre_check } from "./BucketizationUtils.ts";
import { copy_ } from "./Copy.ts";
import { searchsorted_contiguous_instances } from "./generated/Bucketization.ts";
import { resize_output } from "./Resize.ts";

/**
 * Binary search: for each of `count` values, the first position in its line whose element is not less (`right`: is
 * greater). NaN belongs after all elements. A line has n elements; `per_line` values share one line, or all values if
 * it is 0. `sort` holds the sorted order of a line that is not sorted.
 * @template searchsorted_out_cpu: all types and halves
 */
export function searchsorted_contiguous(
  out: pointer<int64>,
  x: pointer<scalar_t>,
  count: number,
  line: pointer<scalar_t>,
  n: number,
  per_line: number,
  sort: pointer<int64>,
  sorted: boolean,
  right: boolean,
): void {
  for (let i = 0; i < count; i++) {
    const v: scalar_t = load(x, i);
    const begin = per_line === 0 ? 0 : Math.floor(i / per_line) * n;
    let start = begin;
    // The loop does not branch on a comparison, which the processor could not predict. `left` positions from `start`
    // remain; each step keeps those before or after the middle.
    for (let left = n; left > 0; ) {
      const half = left >> 1;
      const place = sorted ? start + half : begin + cast<number>(load(sort, start + half));
      const m: scalar_t = load(line, place);
      const behind = cast<int32>(right ? !(m > v) : !(m >= v));
      start += behind * (half + 1);
      left = half - (behind & ~left & 1);
    }
    store(out, i, cast<int64>(start - begin));
  }
}

function search(
  sorted_sequence: Tensor,
  self: Tensor,
  out_int32: boolean,
  right: boolean,
  side: string | null,
  sorter: Tensor | null,
  result: Tensor,
): Tensor {
  searchsorted_pre_check(sorted_sequence, self, result, out_int32, right, side, sorter);
  resize_output(result, self.sizes());
  if (self.numel() === 0) return result;
  TORCH_CHECK(sorted_sequence.dim() > 0, "ArrayRef: attempted to access back() of empty list"); // it may be `result`
  const { input, boundaries, order } = searchsorted_maybe_trim_input_tensors(self, sorted_sequence, sorter);
  const run = AT_DISPATCH(searchsorted_contiguous_instances, input.scalar_type());
  // Positions are written as int64 into a tensor of their own, then copied to the result.
  const places = empty_cpu_options(self.sizes(), self.options().dtype(ScalarType.Long));
  const per_line = boundaries.dim() === 1 ? 0 : (input.sizes().at(-1) ?? 1);
  const lines = order ?? places;
  run(
    places.data_view(),
    places.data_offset(),
    input.data_view(),
    input.data_offset(),
    input.numel(),
    boundaries.data_view(),
    boundaries.data_offset(),
    boundaries.sizes().at(-1) ?? 0,
    per_line,
    lines.data_view(),
    lines.data_offset(),
    order === null,
    side === null ? right : side === "right",
  );
  // If the result is contiguous, PyTorch writes into it directly, without the dispatcher.
  return result.is_contiguous() ? copy_(result, places, false) : result.copy_(places);
}

function empty_result(self: Tensor, out_int32: boolean): Tensor {
  return at.empty_memory_format([0], self.options().dtype(out_int32 ? ScalarType.Int : ScalarType.Long));
}

// searchsorted.Tensor_out                                                           CPU
export function searchsorted_out_cpu(
  sorted_sequence: Tensor,
  self: Tensor,
  out_int32: boolean,
  right: boolean,
  side: string | null,
  sorter: Tensor | null,
  result: Tensor,
): Tensor {
  return search(sorted_sequence, self, out_int32, right, side, sorter, result);
}

export function searchsorted_out_cpu_Scalar_out(
  sorted_sequence: Tensor,
  self: Scalar,
  out_int32: boolean,
  right: boolean,
  side: string | null,
  sorter: Tensor | null,
  result: Tensor,
): Tensor {
  return search(
    sorted_sequence,
    wrapped_scalar_tensor(self, sorted_sequence.device()),
    out_int32,
    right,
    side,
    sorter,
    result,
  );
}

// searchsorted.Tensor                                                               CPU
export function searchsorted_cpu(
  sorted_sequence: Tensor,
  self: Tensor,
  out_int32: boolean,
  right: boolean,
  side: string | null,
  sorter: Tensor | null,
): Tensor {
  return search(sorted_sequence, self, out_int32, right, side, sorter, empty_result(self, out_int32));
}

export function searchsorted_cpu_Scalar(
  sorted_sequence: Tensor,
  self: Scalar,
  out_int32: boolean,
  right: boolean,
  side: string | null,
  sorter: Tensor | null,
): Tensor {
  return searchsorted_cpu(
    sorted_sequence,
    wrapped_scalar_tensor(self, sorted_sequence.device()),
    out_int32,
    right,
    side,
    sorter,
  );
}

// bucketize.Tensor_out                                                              CPU
export function bucketize_out_cpu(
  self: Tensor,
  boundaries: Tensor,
  out_int32: boolean,
  right: boolean,
  result: Tensor,
): Tensor {
  TORCH_CHECK(boundaries.dim() === 1, "boundaries tensor must be 1 dimension, but got dim(", boundaries.dim(), ")");
  return search(boundaries, self, out_int32, right, null, null, result);
}

// bucketize.Tensor                                                                  CPU
export function bucketize_cpu(self: Tensor, boundaries: Tensor, out_int32: boolean, right: boolean): Tensor {
  return bucketize_out_cpu(self, boundaries, out_int32, right, empty_result(self, out_int32));
}

export function bucketize_cpu_Scalar(self: Scalar, boundaries: Tensor, out_int32: boolean, right: boolean): Tensor {
  return bucketize_cpu(wrapped_scalar_tensor(self, boundaries.device()), boundaries, out_int32, right);
}
