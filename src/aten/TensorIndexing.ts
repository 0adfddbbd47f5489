/**
 * @file `x[...]` in the engine: one index after the other turns into `select`, `slice`, `unsqueeze`; what remains are index tensors.
 * @mirrors aten/src/ATen/TensorIndexing.h
 */
import type { Device } from "../c10/core/Device.ts";
import { Scalar } from "../c10/core/Scalar.ts";
import { isIntegralType, ScalarType } from "../c10/core/ScalarType.ts";
import { TensorOptions } from "../c10/core/TensorOptions.ts";
import { TORCH_CHECK_INDEX, TORCH_CHECK_VALUE } from "../c10/util/Exception.ts";
import { expand_inplace } from "./ExpandUtils.ts";
import { Tensor } from "./generated/core/TensorBody.ts";
import * as at from "./generated/Functions.ts";
import { scalar_tensor_static } from "./ScalarOps.ts";

/**
 * A slice without end runs to the largest int64.
 * @differs The largest integer a number holds exactly; no dimension is longer.
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

/** None, `...`, an int, a bool, a slice, or a tensor of indices or of a mask. */
export type TensorIndex = null | typeof Ellipsis | number | boolean | Slice | Tensor;

/** A slice of everything gives the tensor itself, unless a view is wanted all the same. */
function applySlice(self: Tensor, dim: number, slice: Slice, disable_slice_optimization = false): Tensor {
  const { start, stop, step } = slice;
  TORCH_CHECK_VALUE(step > 0, "step must be greater than zero");
  const length = self.sizes()[dim];
  if (!disable_slice_optimization && length !== undefined && start === 0 && length <= stop && step === 1) return self;
  return self.slice_Tensor(dim, start, stop, step);
}

function applySelect(self: Tensor, dim: number, index: number, real_dim: number): Tensor {
  const sizes = self.sizes();
  TORCH_CHECK_INDEX(
    !(index === 0 && dim === 0 && sizes.length === 0),
    "invalid index of a 0-dim tensor. ",
    "Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number",
  );
  const size = sizes[dim] ?? 0;
  TORCH_CHECK_INDEX(
    size > -1 - index && size > index,
    "index ",
    index,
    " is out of bounds for dimension ",
    real_dim,
    " with size ",
    size,
  );
  return self.select_int(dim, index);
}

/** `x[True]` keeps everything, `x[False]` nothing, along a new dimension. */
function boolToIndexingTensor(self: Tensor, value: boolean): Tensor {
  const options = self.options().dtype(ScalarType.Long);
  if (!value) return at.empty_memory_format([0], options);
  return at.empty_memory_format([1], options).fill__Scalar(Scalar.fromDouble(0));
}

/** Puts an index tensor at its dimension; dimensions passed over hold undefined tensors. */
function recordTensorIndex(tensor: Tensor, outIndices: Tensor[], dim: number): void {
  while (outIndices.length < dim) outIndices.push(new Tensor());
  outIndices[dim] = tensor;
}

export function count_specified_dimensions(indices: readonly TensorIndex[]): number {
  let count = 0;
  for (const index of indices) {
    if (index instanceof Tensor) {
      const dtype = index.scalar_type();
      count += dtype === ScalarType.Byte || dtype === ScalarType.Bool ? index.dim() : 1;
    } else if (typeof index === "number" || index instanceof Slice) {
      count++;
    }
  }
  return count;
}

/**
 * Applies what needs no index tensor and collects the tensors in `outIndices`.
 * @returns the view that remains to be indexed by them.
 */
export function applySlicing(self: Tensor, indices: readonly TensorIndex[], outIndices: Tensor[]): Tensor {
  const specified_dims = count_specified_dimensions(indices);
  TORCH_CHECK_INDEX(specified_dims <= self.dim(), "too many indices for tensor of dimension ", self.dim());
  let dim = 0;
  let result = self;
  indices.forEach((index, real_dim) => {
    if (typeof index === "number") {
      result = applySelect(result, dim, index, real_dim);
    } else if (index instanceof Slice) {
      result = applySlice(result, dim, index);
      dim++;
    } else if (index === Ellipsis) {
      dim += self.dim() - specified_dims;
    } else if (index === null) {
      result = result.unsqueeze(dim);
      dim++;
    } else if (typeof index === "boolean") {
      result = result.unsqueeze(dim);
      recordTensorIndex(boolToIndexingTensor(result, index), outIndices, dim++);
    } else {
      const scalar_type = index.scalar_type();
      if (index.dim() !== 0 || !isIntegralType(scalar_type, true)) {
        recordTensorIndex(index, outIndices, dim++);
      } else if (scalar_type !== ScalarType.Byte && scalar_type !== ScalarType.Bool) {
        result = applySelect(result, dim, index.item().toLong(), real_dim);
      } else {
        result = result.unsqueeze(dim);
        recordTensorIndex(boolToIndexingTensor(result, index.item().toBool()), outIndices, dim++);
      }
    }
  });
  return result;
}

/** Index tensors move to where the indexed one lives. */
function typeConvertIndices(self: Tensor, indices: readonly Tensor[]): Tensor[] {
  const device = self.device();
  return indices.map((index) =>
    index.defined() && !index.device().eq(device) ? index.to_dtype_layout(TensorOptions.EMPTY.device(device)) : index,
  );
}

export function dispatch_index(self: Tensor, indices: readonly Tensor[]): Tensor {
  return self.index_Tensor(typeConvertIndices(self, indices));
}

export function dispatch_index_put_(self: Tensor, indices: readonly Tensor[], value: Tensor): Tensor {
  return self.index_put_(typeConvertIndices(self, indices), value);
}

/** A value of leading 1s more than the destination has fits all the same. */
export function slicePrefix1sSize(sizes: readonly number[]): number[] {
  const first_non1 = sizes.findIndex((size) => size !== 1);
  return first_non1 === -1 ? [] : sizes.slice(first_non1);
}

function same_sizes(a: readonly number[], b: readonly number[]): boolean {
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

export function get_item(self: Tensor, indices: readonly TensorIndex[]): Tensor {
  const [index] = indices;
  if (indices.length === 1) {
    if (typeof index === "number") return applySelect(self, 0, index, 0);
    if (index instanceof Slice) return applySlice(self, 0, index, true);
    if (index === null) return self.unsqueeze(0);
    if (index === Ellipsis) return at.alias(self);
    if (typeof index === "boolean") {
      const result = self.unsqueeze(0);
      return dispatch_index(result, [boolToIndexingTensor(result, index)]);
    }
  }
  const tensorIndices: Tensor[] = [];
  const sliced = applySlicing(self, indices, tensorIndices);
  // A new tensor even for `x[()]`, which names every element of x.
  if (tensorIndices.length === 0) return sliced.is_same(self) ? at.alias(sliced) : sliced;
  return dispatch_index(sliced, tensorIndices);
}

/** What a single index other than a tensor names; null for a tensor. */
function simple_target(self: Tensor, index: TensorIndex | undefined): Tensor | null {
  if (index === Ellipsis) return self;
  if (index === null || index === true) return self.unsqueeze(0);
  if (typeof index === "number") return applySelect(self, 0, index, 0);
  return index instanceof Slice ? applySlice(self, 0, index) : null;
}

export function set_item(self: Tensor, indices: readonly TensorIndex[], value: Tensor): void {
  const [index] = indices;
  if (indices.length === 1) {
    if (index === false) return;
    const target = simple_target(self, index);
    if (target !== null) {
      copy_to(target, value);
      return;
    }
  }
  const tensorIndices: Tensor[] = [];
  const sliced = applySlicing(self, indices, tensorIndices);
  if (tensorIndices.length === 0) {
    copy_to(sliced, value);
    return;
  }
  const slicedValueSizes = slicePrefix1sSize(value.sizes());
  const valuesSliced = same_sizes(value.sizes(), slicedValueSizes) ? value : value.view(slicedValueSizes);
  dispatch_index_put_(sliced, tensorIndices, valuesSliced);
}
