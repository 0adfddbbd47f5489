/**
 * @file Broadcasting: the common shape of two shapes, and views of tensors in a larger shape.
 * @mirrors aten/src/ATen/ExpandUtils.cpp
 */
import { same_int, symbols_of } from "#c10/core/SymInt";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { Tensor } from "./generated/core/TensorBody.ts";

export function sizes_equal(a: readonly number[], b: readonly number[]): boolean {
  if (a === b) return true;
  const n = a.length;
  if (n !== b.length) return false;
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return false;
  return true;
}

/**
 * The common shape. Shapes are right-aligned; a dimension of size 1 stretches: (3, 1, 4) and (2, 4) give (3, 2, 4).
 * Always a new array.
 */
export function infer_size_dimvector(a: readonly number[], b: readonly number[]): number[] {
  const ndim = Math.max(a.length, b.length);
  const expanded = new Array<number>(ndim);
  for (let i = ndim - 1, ia = a.length - 1, ib = b.length - 1; i >= 0; i--, ia--, ib--) {
    const sizeA = ia >= 0 ? a[ia] : 1;
    const sizeB = ib >= 0 ? b[ib] : 1;
    TORCH_CHECK(
      sizeA === sizeB || sizeA === 1 || sizeB === 1,
      "The size of tensor a (",
      sizeA,
      ") must match the size of tensor b (",
      sizeB,
      ") at non-singleton dimension ",
      i,
    );
    expanded[i] = sizeA === 1 ? sizeB : sizeA;
  }
  return expanded;
}

/** Both tensors expanded to their common shape; if the shapes are equal, the tensors themselves. */
export function expand_outplace(a: Tensor, b: Tensor): [Tensor, Tensor] {
  if (sizes_equal(a.sizes(), b.sizes())) return [a, b];
  const size = infer_size_dimvector(a.sizes(), b.sizes());
  return [a.expand(size), b.expand(size)];
}

/** All tensors expanded to their common shape; undefined tensors, and tensors that have it, are returned themselves. */
export function expand_outplace_TensorList(to_expand: readonly Tensor[]): Tensor[] {
  let sizes: readonly number[] | null = null;
  for (const tensor of to_expand) {
    if (tensor.defined()) sizes = sizes === null ? tensor.sizes() : infer_size_dimvector(sizes, tensor.sizes());
  }
  return to_expand.map((tensor) =>
    sizes === null || !tensor.defined() || sizes_equal(tensor.sizes(), sizes)
      ? tensor
      : tensor.expand(sizes as number[]),
  );
}

/** Expands `to_expand` to the shape of `tensor`, for an in-place operation whose result must keep its shape. */
export function expand_inplace(tensor: Tensor, to_expand: Tensor): Tensor {
  return sizes_equal(tensor.sizes(), to_expand.sizes()) ? to_expand : to_expand.expand(tensor.sizes());
}

/** Whether a tensor of `shape` can be expanded to `desired`. */
export function is_expandable_to(shape: readonly number[], desired: readonly number[]): boolean {
  const shift = desired.length - shape.length;
  if (shift < 0) return false;
  const [from, to] = [symbols_of(shape), symbols_of(desired)];
  for (let i = 0; i < from.length; i++)
    if (!same_int(from[i] as number, to[i + shift] as number) && !same_int(from[i] as number, 1)) return false;
  return true;
}

/** Sums over the dimensions that broadcasting added or stretched: it brings a gradient back to `shape`. */
export function sum_to(tensor: Tensor, shape: readonly number[], always_return_non_view = false): Tensor {
  if (shape.length === 0) return tensor.sum();
  const [sizes, wanted] = [symbols_of(tensor.sizes()), symbols_of(shape)];
  const leading = sizes.length - wanted.length;
  const dims: number[] = [];
  for (let i = 0; i < leading; i++) dims.push(i);
  for (let i = leading; i < sizes.length; i++)
    if (same_int(wanted[i - leading] as number, 1) && !same_int(sizes[i] as number, 1)) dims.push(i);
  if (dims.length > 0) tensor = tensor.sum_dim_IntList(dims, true);
  if (always_return_non_view) tensor = tensor.clone();
  return leading > 0 ? tensor.view(shape as number[]) : tensor;
}

/** Sizes and strides of a tensor expanded to `sizes`: stretched dimensions get stride 0. `-1` keeps a dimension's size. */
export function inferExpandGeometry(
  tensor_sizes: readonly number[],
  tensor_strides: readonly number[],
  sizes: readonly number[],
): { sizes: number[]; strides: number[] } {
  const ndim = sizes.length;
  const tensor_dim = tensor_sizes.length;
  if (tensor_dim === 0) return { sizes: sizes.slice(), strides: new Array<number>(ndim).fill(0) };
  const expandedSizes = new Array<number>(ndim);
  const expandedStrides = new Array<number>(ndim);
  for (let i = ndim - 1; i >= 0; i--) {
    const dim = i - (ndim - tensor_dim); // the tensor's own dimension, negative if it is new
    let size = dim >= 0 ? tensor_sizes[dim] : 1;
    let stride = dim >= 0 ? tensor_strides[dim] : expandedSizes[i + 1] * expandedStrides[i + 1];
    let target = sizes[i];
    if (target === -1) {
      if (dim < 0) {
        TORCH_CHECK(
          false,
          "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension ",
          i,
        );
      }
      target = size;
    }
    if (size !== target) {
      if (size !== 1) {
        TORCH_CHECK(
          false,
          "The expanded size of the tensor (",
          target,
          ") must match the existing size (",
          size,
          ") at non-singleton dimension ",
          i,
          ".  Target sizes: ",
          sizes,
          ".  Tensor sizes: ",
          tensor_sizes,
        );
      }
      size = target;
      stride = 0;
    }
    expandedSizes[i] = size;
    expandedStrides[i] = stride;
  }
  return { sizes: expandedSizes, strides: expandedStrides };
}

/**
 * Positive if dimension `dim0` belongs inside `dim1` in memory, negative if outside, 0 if their strides do not decide:
 * a stride of 0 says nothing, equal strides are decided by the sizes.
 */
function innerness(sizes: readonly number[], strides: readonly number[], dim0: number, dim1: number): number {
  const stride0 = strides[dim0];
  const stride1 = strides[dim1];
  if (stride0 === 0 || stride1 === 0) return 0;
  if (stride0 !== stride1) return stride0 < stride1 ? -1 : 1;
  return sizes[dim0] > sizes[dim1] ? 1 : 0;
}

/** Strides without gaps or overlaps that keep the memory order of (`sizes`, `strides`). */
export function infer_dense_strides(sizes: readonly number[], strides: readonly number[]): number[] {
  const ndim = sizes.length;
  if (ndim === 0) return [];
  if (ndim === 1) return [1];
  // Innermost first; an insertion sort, since dimensions that cannot be compared must keep their row-major order.
  const perm = Array.from({ length: ndim }, (_, i) => ndim - 1 - i);
  for (let i = 1; i < ndim; i++) {
    let dim1 = i;
    for (let dim0 = i - 1; dim0 >= 0; dim0--) {
      const order = innerness(sizes, strides, perm[dim0], perm[dim1]);
      if (order < 0) break;
      if (order === 0) continue;
      const moved = perm[dim0];
      perm[dim0] = perm[dim1];
      perm[dim1] = moved;
      dim1 = dim0;
    }
  }
  const result = new Array<number>(ndim);
  let stride = 1;
  for (const dim of perm) {
    result[dim] = stride;
    if (sizes[dim] > 1) stride *= sizes[dim];
  }
  return result;
}
