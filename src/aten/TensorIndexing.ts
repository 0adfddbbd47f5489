/**
 * @file Indexing `x[...]` in the engine: each index becomes `select`, `slice` or `unsqueeze`; what remains are index tensors.
 * @mirrors aten/src/ATen/TensorIndexing.h
 */

import type { Device } from "#c10/core/Device";
import { functorch_batched_ks } from "#c10/core/DispatchKeySet";
import { Scalar } from "#c10/core/Scalar";
import { isIntegralType, ScalarType } from "#c10/core/ScalarType";
import { has_symbols, is_symbolic, known_same_ints, type SymNodeImpl, symbols_of } from "#c10/core/SymInt";
import type { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK_INDEX, TORCH_CHECK_VALUE } from "#c10/util/Exception";
import { expand_inplace } from "./ExpandUtils.ts";
import { Tensor } from "./generated/core/TensorBody.ts";
import * as at from "./generated/Functions.ts";
import { scalar_tensor_static } from "./ScalarOps.ts";
import { is_dispatch_enabled } from "./TracerMode.ts";

/**
 * The end of a slice without end; the largest int64 in PyTorch.
 * @differs It is the largest integer that a number holds exactly, and no dimension is longer; PyTorch's is the largest int64.
 */
export const INDEX_MAX = Number.MAX_SAFE_INTEGER;
export const INDEX_MIN = Number.MIN_SAFE_INTEGER;

export class Slice {
  readonly start: number;
  readonly stop: number;
  readonly step: number;

  constructor(start: number | null = null, stop: number | null = null, step: number | null = null) {
    this.step = step ?? 1;
    TORCH_CHECK_VALUE(this.step !== 0, "slice step cannot be zero");
    this.start = start ?? (this.step < 0 ? INDEX_MAX : 0);
    this.stop = stop ?? (this.step < 0 ? INDEX_MIN : INDEX_MAX);
  }
}

export const Ellipsis: unique symbol = Symbol("Ellipsis");

/** An index: None, `...`, an int (a bigint if no number is exact), a bool, a slice, or a tensor of indices or a mask. */
export type TensorIndex = null | typeof Ellipsis | number | bigint | boolean | Slice | Tensor;

/** Whether a slice with this end takes all of a dimension. */
function ends_after(length: number | SymNodeImpl | undefined, stop: number): boolean {
  if (length === undefined) return false;
  return is_symbolic(length) ? length.known_at_most(stop) : length <= stop;
}

/** Applies a slice. A slice of everything returns the tensor itself, unless the caller demands a view. */
function applySlice(self: Tensor, dim: number, slice: Slice, disable_slice_optimization = false): Tensor {
  const { start, stop, step } = slice;
  TORCH_CHECK_VALUE(step > 0, "step must be greater than zero");
  const may_be_whole = start === 0 && step === 1 && !disable_slice_optimization;
  // A trace records every slice, because the next tensor may be longer.
  if (may_be_whole && !is_dispatch_enabled() && ends_after(symbols_of(self.sizes())[dim], stop)) return self;
  return self.slice_Tensor(dim, start, stop, step);
}

function applySelect(self: Tensor, dim: number, index: number | bigint, real_dim: number): Tensor {
  const sizes = self.sizes();
  TORCH_CHECK_INDEX(
    !(index === 0 && dim === 0 && sizes.length === 0),
    "invalid index of a 0-dim tensor. ",
    "Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number",
  );
  const size = symbols_of(sizes)[dim] ?? 0;
  TORCH_CHECK_INDEX(
    is_symbolic(size)
      ? size.guard_greater(-1 - Number(index)) && size.guard_greater(Number(index))
      : index >= -size && index < size,
    "index ",
    index,
    " is out of bounds for dimension ",
    real_dim,
    " with size ",
    size,
  );
  return self.select_int(dim, index as number); // it is within bounds, so it is not a bigint
}

/** An index tensor for a bool: `x[True]` keeps everything, `x[False]` nothing, along a new dimension. */
function boolToIndexingTensor(self: Tensor, value: boolean): Tensor {
  const options = self.options().dtype(ScalarType.Long);
  if (!value) return at.empty_memory_format([0], options);
  return at.empty_memory_format([1], options).fill__Scalar(Scalar.fromDouble(0));
}

/** Stores an index tensor at its dimension; skipped dimensions hold undefined tensors. */
function recordTensorIndex(tensor: Tensor, outIndices: Tensor[], at_dim: IndexedDims): void {
  const place = at_dim.dim++ - at_dim.taken_by_masks;
  while (outIndices.length < place) outIndices.push(new Tensor());
  outIndices[place] = tensor;
}

/** Progress of the indices applied so far. */
export interface IndexedDims {
  /** The dimension of the view at which the next index stands. */
  dim: number;
  /** Dimensions that masks consumed beyond one each: a mask of n dims takes one place in the list of index tensors. */
  taken_by_masks: number;
  /** Number of dimensions consumed by all indices; `...` stands for the others. */
  readonly specified_dims: number;
}

/**
 * Applies one of several indices to the view left by the previous ones. An index tensor is only stored in `outIndices`.
 * @returns the view that remains to be indexed.
 */
export function handleDimInMultiDimIndexing(
  prev_dim_result: Tensor,
  original_tensor: Tensor,
  index: TensorIndex,
  at_dim: IndexedDims,
  real_dim: number,
  outIndices: Tensor[],
): Tensor {
  if (typeof index === "number" || typeof index === "bigint")
    return applySelect(prev_dim_result, at_dim.dim, index, real_dim);
  if (index instanceof Slice) return applySlice(prev_dim_result, at_dim.dim++, index);
  if (index === Ellipsis) {
    at_dim.dim += original_tensor.dim() - at_dim.specified_dims;
    return prev_dim_result;
  }
  if (index === null) return prev_dim_result.unsqueeze(at_dim.dim++);
  if (typeof index === "boolean") {
    const result = prev_dim_result.unsqueeze(at_dim.dim);
    recordTensorIndex(boolToIndexingTensor(result, index), outIndices, at_dim);
    return result;
  }
  const scalar_type = index.scalar_type();
  // A batched index has a number for each sample, so that it stays a tensor.
  if (index.dim() === 0 && isIntegralType(scalar_type, true) && !index.key_set().has_any(functorch_batched_ks)) {
    if (scalar_type !== ScalarType.Byte && scalar_type !== ScalarType.Bool) {
      return applySelect(prev_dim_result, at_dim.dim, index.item().toLong(), real_dim);
    }
    const result = prev_dim_result.unsqueeze(at_dim.dim);
    recordTensorIndex(boolToIndexingTensor(result, index.item().toBool()), outIndices, at_dim);
    return result;
  }
  recordTensorIndex(index, outIndices, at_dim);
  if (scalar_type === ScalarType.Byte || scalar_type === ScalarType.Bool) {
    at_dim.dim += index.dim() - 1;
    at_dim.taken_by_masks += index.dim() - 1;
  }
  return prev_dim_result;
}

export function dispatch_index(self: Tensor, indices: Tensor[]): Tensor {
  return self.index_Tensor(indices);
}

export function dispatch_index_put_(self: Tensor, indices: Tensor[], value: Tensor): Tensor {
  return self.index_put_(indices, value);
}

/** Removes leading 1s: a value with more leading 1s than the destination still fits. */
export function slicePrefix1sSize(sizes: readonly number[]): number[] {
  const first_non1 = has_symbols(sizes)
    ? symbols_of(sizes).findIndex((size) => (is_symbolic(size) ? !size.known_equal(1) : size !== 1))
    : sizes.findIndex((size) => size !== 1);
  return first_non1 === -1 ? [] : sizes.slice(first_non1);
}

export function same_sizes(a: readonly number[], b: readonly number[]): boolean {
  if (has_symbols(a) || has_symbols(b)) return known_same_ints(a, b);
  return a.length === b.length && a.every((size, i) => size === b[i]);
}

export function copy_to(dst: Tensor, src: Tensor): void {
  if (same_sizes(dst.sizes(), src.sizes())) {
    dst.copy_(src);
    return;
  }
  if (src.dim() === 0 && src.device().is_cpu()) {
    dst.fill__Tensor(src);
    return;
  }
  dst.copy_(expand_inplace(dst, src.view(slicePrefix1sSize(src.sizes()))));
}

export function scalarToTensor(v: Scalar, options: TensorOptions, self_device: Device): Tensor {
  if (self_device.is_cpu()) return scalar_tensor_static(v, options.dtype(), self_device);
  return at.scalar_tensor(v, options);
}

/** `x[index]` for an index that is not a tensor. */
export function get_item(self: Tensor, index: Exclude<TensorIndex, Tensor>): Tensor {
  if (typeof index === "number" || typeof index === "bigint") return applySelect(self, 0, index, 0);
  if (index instanceof Slice) return applySlice(self, 0, index, true);
  if (index === null) return self.unsqueeze(0);
  if (index === Ellipsis) return at.alias(self);
  const result = self.unsqueeze(0);
  return dispatch_index(result, [boolToIndexingTensor(result, index)]);
}

/** `x[index] = value` for an index that is not a tensor. */
export function set_item(self: Tensor, index: Exclude<TensorIndex, Tensor>, value: Tensor): void {
  if (index === false) return;
  if (index === Ellipsis) copy_to(self, value);
  else if (index === null || index === true) copy_to(self.unsqueeze(0), value);
  else if (typeof index === "number" || typeof index === "bigint") copy_to(applySelect(self, 0, index, 0), value);
  else copy_to(applySlice(self, 0, index), value);
}
