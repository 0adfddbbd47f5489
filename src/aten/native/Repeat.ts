/**
 * @file `repeat_interleave`: each slice is repeated several times in a row.
 * @mirrors aten/src/ATen/native/Repeat.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { int32_pairs, load_int64, store_int64 } from "#c10/util/math";

/** Values of an int32 or int64 vector. */
function numbers_of(t: Tensor): Float64Array {
  const [view, begin, n] = [t.impl_.data_view(), t.impl_.data_offset(), t.numel()];
  if (t.scalar_type() === ScalarType.Int) return Float64Array.from((view as Int32Array).subarray(begin, begin + n));
  const pairs = int32_pairs(view as BigInt64Array);
  const numbers = new Float64Array(n);
  for (let i = 0; i < n; i++) numbers[i] = load_int64(pairs, begin + i);
  return numbers;
}

/** Writes 0 times[0] times, 1 times[1] times, ...; refuses negative numbers. */
function fill_interleaved(out: Tensor, times: Float64Array): void {
  const view = out.impl_.data_view();
  const int32 = view instanceof BigInt64Array ? null : (view as Int32Array);
  const pairs = view instanceof BigInt64Array ? int32_pairs(view) : new Int32Array(0);
  for (let i = 0, to = out.impl_.data_offset(); i < times.length; i++) {
    TORCH_CHECK(times[i] >= 0, "repeats can not be negative");
    for (const end = to + times[i]; to < end; to++) {
      if (int32 !== null) int32[to] = i;
      else store_int64(pairs, to, i);
    }
  }
}

/** @param name function name in the error for other dtypes */
export function check_repeats(repeats: Tensor, name: string): void {
  const dtype = repeats.scalar_type();
  TORCH_CHECK_NOT_IMPLEMENTED(
    dtype === ScalarType.Long || dtype === ScalarType.Int,
    `"${name}" not implemented for '`,
    toString(dtype),
    "'",
  );
  TORCH_CHECK(repeats.dim() === 1, "repeat_interleave only accept 1D vector as repeat");
}

// repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor     CPU
export function repeat_interleave_cpu(repeats: Tensor, output_size: number | null): Tensor {
  check_repeats(repeats, "repeat_interleave_cpu");
  const n = repeats.size(0);
  if (n === 0) return at.empty_like(repeats, TensorOptions.EMPTY, MemoryFormat.Contiguous);
  const times = numbers_of(repeats.contiguous());
  const cumsum = at.cumsum(repeats, 0, null);
  let total = output_size;
  if (total === null) {
    total = cumsum.select_int(0, -1).item().toLong();
    TORCH_CHECK(repeats.ge_Scalar(Scalar.ZERO).all().item().toBool(), "repeats can not be negative");
  }
  const result = at.empty_memory_format([total], repeats.options());
  const needed = numbers_of(cumsum).at(-1);
  TORCH_CHECK(total === needed, "allocated size does not match required size");
  fill_interleaved(result, times);
  return result;
}

/** Calls `fn` with the values in memory; if `self` has the neg bit, the result gets it. */
function with_neg_bit(self: Tensor, fn: (input: Tensor) => Tensor): Tensor {
  return self.is_neg() ? fn(self._neg_view())._neg_view() : fn(self);
}

// repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor
export function repeat_interleave_symint_self_Tensor(
  self: Tensor,
  repeats: Tensor,
  dim_opt: number | null,
  output_size: number | null,
): Tensor {
  const input = dim_opt === null ? self.flatten_using_ints() : self;
  const dim = maybe_wrap_dim(dim_opt ?? 0, self.dim());
  let repeats_ = repeats;
  if (repeats.dim() === 0 || (repeats.dim() === 1 && repeats.size(0) === 1)) {
    repeats_ = repeats.reshape([1]).expand([input.size(dim)]);
  } else {
    TORCH_CHECK(repeats.dim() === 1, "repeats must be 0-dim or 1-dim tensor");
    TORCH_CHECK(
      repeats.size(0) === input.size(dim),
      "repeats must have the same size as input along dim, but got repeats.size(0) = ",
      repeats.size(0),
      " and input.size(",
      dim_opt ?? 0,
      ") = ",
      input.size(dim),
    );
  }
  return with_neg_bit(input, (t) => t.index_select(dim, at.repeat_interleave_Tensor(repeats_, output_size)));
}

// repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor
export function repeat_interleave_symint_self_int(
  self: Tensor,
  repeats: number,
  dim_opt: number | null,
  output_size: number | null,
): Tensor {
  const input = dim_opt === null ? self.flatten_using_ints() : self;
  const dim = maybe_wrap_dim(dim_opt ?? 0, self.dim());
  TORCH_CHECK(repeats >= 0, "Repeats must be non-negative");
  if (output_size !== null) {
    const calculated_size = repeats * (input.sizes()[dim] ?? 1);
    TORCH_CHECK(
      output_size === calculated_size,
      "repeat_interleave: Invalid output_size, expected ",
      calculated_size,
      " but got ",
      output_size,
    );
  }
  return with_neg_bit(input, (t) => {
    const unsqueezed = t.unsqueeze(dim + 1);
    const expanded = unsqueezed.expand(unsqueezed.sizes().with(dim + 1, repeats));
    return expanded.clone(MemoryFormat.Contiguous).flatten_using_ints(dim, dim + 1);
  });
}
