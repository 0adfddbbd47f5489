/**
 * @file `repeat_interleave`: each slice several times in a row.
 * @mirrors aten/src/ATen/native/Repeat.cpp
 */
import type { TypedArray } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";

/** The sum of the repeats, none of which may be negative. */
function total_of(repeats: TypedArray, begin: number, n: number): number {
  let total = 0;
  for (let i = 0; i < n; i++) {
    const times = Number(repeats[begin + i]);
    TORCH_CHECK(times >= 0, "repeats can not be negative");
    total += times;
  }
  return total;
}

// repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor     CPU
/** @differs Sums up as it goes; PyTorch calls `cumsum`, and looks for negative repeats only where no size is given. */
export function repeat_interleave_cpu(repeats: Tensor, output_size: number | null): Tensor {
  const dtype = repeats.scalar_type();
  TORCH_CHECK_NOT_IMPLEMENTED(
    dtype === ScalarType.Long || dtype === ScalarType.Int,
    '"repeat_interleave_cpu" not implemented for \'',
    toString(dtype),
    "'",
  );
  TORCH_CHECK(repeats.dim() === 1, "repeat_interleave only accept 1D vector as repeat");
  const n = repeats.size(0);
  if (n === 0) return at.empty_like(repeats, TensorOptions.EMPTY, MemoryFormat.Contiguous);
  const repeats_ = repeats.contiguous();
  const begin = repeats_.impl_.data_offset();
  const total = total_of(repeats_.impl_.data_view(), begin, n);
  TORCH_CHECK(output_size === null || output_size === total, "allocated size does not match required size");
  const result = at.empty_memory_format([total], repeats.options());
  const times = repeats_.impl_.data_view();
  const out = result.impl_.data_view();
  for (let i = 0, to = result.impl_.data_offset(); i < n; i++) {
    const end = to + Number(times[begin + i]);
    if (dtype === ScalarType.Long) (out as BigInt64Array).fill(BigInt(i), to, end);
    else (out as Int32Array).fill(i, to, end);
    to = end;
  }
  return result;
}

/** `fn` of the values in memory, seen negated if `self` is: the result has the bit instead. */
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
