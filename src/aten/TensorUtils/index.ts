/**
 * @file Stride arithmetic without tensors: contiguous strides of a shape, and the strides under which the same memory
 * has another shape. Also the shape check that the loops of network layers share.
 * @mirrors aten/src/ATen/TensorUtils.cpp
 */

import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { TORCH_CHECK } from "#c10/util/Exception";

/** Row-major strides. A dimension of size 0 counts as 1, so that no stride is 0. */
export function defaultStrides(sizes: readonly number[]): number[] {
  const strides = new Array<number>(sizes.length);
  let stride = 1;
  for (let dim = sizes.length - 1; dim >= 0; dim--) {
    strides[dim] = stride;
    stride *= Math.max(sizes[dim], 1);
  }
  return strides;
}

// Note [When a view is possible]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Read from the right, the old dimensions form chunks: neighbours belong together if the outer one steps exactly over
// the inner ones (stride[d] === stride[d + 1] * size[d + 1]), so a chunk is one evenly spaced run of elements. Any
// split of a chunk into new dimensions is a view; a new dimension that would cross two chunks is not.
//
//     sizes (2, 3, 4), strides (24, 4, 1)     chunks: {2} step 24, {3, 4} step 1
//     -> (2, 12): yes, strides (24, 1)        -> (6, 4): no, 6 would join {2} with part of {3, 4}

/** Strides under which memory of shape `oldshape` and strides `oldstride` has shape `newshape`; null if that needs a copy. */
export function computeStride(
  oldshape: readonly number[],
  oldstride: readonly number[],
  newshape: readonly number[],
): number[] | null {
  if (oldshape.length === 0) return new Array<number>(newshape.length).fill(1);
  let numel = 1;
  for (const size of oldshape) numel *= size;
  // Without elements all strides are correct. PyTorch keeps the old ones for the same shape and returns row-major ones otherwise.
  if (numel === 0) return sizes_equal(oldshape, newshape) ? oldstride.slice() : defaultStrides(newshape);

  const newstride = new Array<number>(newshape.length);
  let view_d = newshape.length - 1;
  let chunk_base_stride = oldstride[oldstride.length - 1];
  let tensor_numel = 1;
  let view_numel = 1;
  for (let tensor_d = oldshape.length - 1; tensor_d >= 0; tensor_d--) {
    tensor_numel *= oldshape[tensor_d];
    const endsChunk =
      tensor_d === 0 || (oldshape[tensor_d - 1] !== 1 && oldstride[tensor_d - 1] !== tensor_numel * chunk_base_stride);
    if (!endsChunk) continue;
    while (view_d >= 0 && (view_numel < tensor_numel || newshape[view_d] === 1)) {
      newstride[view_d] = view_numel * chunk_base_stride;
      view_numel *= newshape[view_d];
      view_d--;
    }
    if (view_numel !== tensor_numel) return null;
    if (tensor_d > 0) {
      chunk_base_stride = oldstride[tensor_d - 1];
      tensor_numel = 1;
      view_numel = 1;
    }
  }
  return view_d === -1 ? newstride : null;
}

/** @throws {RuntimeError} unless `tensor` has `dim` dims, and `size` elements along `dim_size` of them. */
export function check_dim_size(tensor: Tensor, dim: number, dim_size: number, size: number): void {
  TORCH_CHECK(
    tensor.dim() === dim && tensor.size(dim_size) === size,
    `Expected a tensor of dimension ${dim} and tensor.size[${dim_size}] == ${size} but got: dimension ${tensor.dim()} `,
    `and tensor.size[${dim_size}] = ${tensor.size(dim_size)}`,
  );
}
