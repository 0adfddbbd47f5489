/**
 * @file Checks of the arguments of `searchsorted`, and their conversion to one dtype and layout.
 * @mirrors aten/src/ATen/native/BucketizationUtils.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_WARN_ONCE } from "#c10/util/Exception";
import { result_type } from "./TypeProperties.ts";

function contiguous(t: Tensor, what: string, shorter: string): Tensor {
  if (t.is_contiguous()) return t;
  TORCH_WARN_ONCE(
    `torch.searchsorted(): ${what} tensor is non-contiguous, this will lower the performance due to extra data copy when converting ` +
      `non-contiguous tensor to contiguous, please use contiguous ${shorter} tensor if possible. This message will only appear once per program.`,
  );
  return t.contiguous();
}

/** Afterwards all are contiguous, and input and boundaries have one dtype. */
export function searchsorted_maybe_trim_input_tensors(
  raw_input: Tensor,
  raw_boundaries: Tensor,
  raw_sorter: Tensor | null,
): { readonly input: Tensor; readonly boundaries: Tensor; readonly order: Tensor | null } {
  const input = contiguous(raw_input, "input value", "input value");
  const boundaries = contiguous(raw_boundaries, "boundary", "boundary");
  const order = raw_sorter === null ? null : contiguous(raw_sorter, "sorter", "sorter");
  if (raw_input.scalar_type() === raw_boundaries.scalar_type()) return { input, boundaries, order };
  const common = result_type(raw_boundaries, raw_input);
  return { input: input.toType(common), boundaries: boundaries.toType(common), order };
}

function dims_matched_before_last_dim(boundaries: Tensor, input: Tensor): boolean {
  const [bd, inp] = [boundaries.sizes(), input.sizes()];
  return bd.length === inp.length && bd.every((size, d) => d === bd.length - 1 || size === inp[d]);
}

function check_side(side: string, right: boolean): void {
  TORCH_CHECK(
    side === "left" || side === "right",
    "torch.searchsorted(): side can only be 'left' or 'right' but got ",
    side,
  );
  TORCH_CHECK(
    !right || side === "right",
    "torch.searchsorted(): side and right can't be set to opposites, got side of ",
    side,
    " while right was True",
  );
}

function check_sorter(boundaries: Tensor, sorter: Tensor): void {
  TORCH_CHECK(
    sorter.dim() === boundaries.dim() && sorter.sizes().every((size, d) => size === boundaries.size(d)),
    "torch.searchsorted(): boundary and sorter must have the same size, but got boundary tensor ",
    boundaries.sizes(),
    "and got sorter tensor ",
    sorter.sizes(),
  );
  TORCH_CHECK(
    sorter.scalar_type() === ScalarType.Long,
    "torch.searchsorted(): sorter must be a tensor of long dtype but got dtype ",
    toString(sorter.scalar_type()),
  );
  if (sorter.numel() === 0) return;
  const [min, max] = sorter.aminmax();
  TORCH_CHECK(sorter.dim() > 0 || min.item().toLong() < 0, "ArrayRef: attempted to access back() of empty list");
  TORCH_CHECK(
    min.item().toLong() >= 0 && max.item().toLong() < (sorter.sizes().at(-1) ?? 0),
    "torch.searchsorted(): sorter index out of range",
  );
}

export function searchsorted_pre_check(
  boundaries: Tensor,
  input: Tensor,
  output: Tensor,
  out_int32: boolean,
  right: boolean,
  side: string | null,
  sorter: Tensor | null,
): void {
  if (side !== null) check_side(side, right);
  if (sorter !== null) check_sorter(boundaries, sorter);
  TORCH_CHECK(
    input.dim() > 0 || (input.numel() === 1 && boundaries.dim() === 1),
    "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but we got boundaries tensor dim(",
    boundaries.dim(),
    ") and input value's dim(",
    input.dim(),
    ") numel(",
    input.numel(),
    ")",
  );
  TORCH_CHECK(
    boundaries.dim() !== 0,
    "torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 dimension",
  );
  TORCH_CHECK(
    boundaries.dim() === 1 || dims_matched_before_last_dim(boundaries, input),
    "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value tensor must match, but we got boundaries tensor ",
    boundaries.sizes(),
    " and input value tensor ",
    input.sizes(),
  );
  const dtype = output.scalar_type();
  TORCH_CHECK(
    dtype === (out_int32 ? ScalarType.Int : ScalarType.Long),
    "torch.searchsorted(): output tensor's dtype is wrong, it can only be Int(int32) or Long(int64) depending on whether out_int32 flag is True, but we got output tensor's dtype ",
    toString(dtype),
    " and out_int32 flag is ",
    out_int32 ? "True" : "False",
  );
}
