/**
 * @file Geometry of `x[i, :, j]` with index tensors, for an iterator over the result.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexing.h
 */
import { infer_size_dimvector, sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import {
  checkIndexTensorTypes,
  expandTensors,
  hasContiguousSubspace,
  transposeToFront,
} from "#aten/native/IndexingUtils";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK_INDEX } from "#c10/util/Exception";

// Note [Advanced indexing as one iteration]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The indexed dimensions are removed from the source's shape. In their place comes the common shape of the index
// tensors, with stride 0: while the iterator visits the result, the source pointer stays at index 0 of these
// dimensions, and the kernel adds `index * stride` for each. The index tensors get additional dimensions of size 1, so
// that they broadcast along the rest.
//
//     x (5, 6, 7)[:, i (3, 2)]        src   (5, 3, 2, 7)   strides (42, 0, 0, 1)
//                                     index (1, 3, 2, 1)   indexed_sizes [6], indexed_strides [7]

export class AdvancedIndex {
  readonly src: Tensor;
  readonly indices: Tensor[] = [];
  /** Sizes and strides (in elements) of the indexed dimensions. */
  readonly indexed_sizes: number[] = [];
  readonly indexed_strides: number[] = [];
  readonly dims_before: number;
  readonly dims_after: number;

  /**
   * Precondition: there are as many `indices` as dimensions; the tensors among them are adjacent and have one shape.
   */
  constructor(src: Tensor, indices: readonly (Tensor | null)[]) {
    let dims_before = 0;
    let dims_after = 0;
    let replacement_shape: readonly number[] = [];
    for (let dim = 0; dim < indices.length; dim++) {
      const index = indices[dim] ?? null;
      if (index !== null) {
        replacement_shape = index.sizes();
        this.indexed_sizes.push(src.sizes()[dim]);
        this.indexed_strides.push(src.strides()[dim]);
      } else if (this.indexed_sizes.length === 0) {
        dims_before++;
      } else {
        dims_after++;
      }
    }
    TORCH_CHECK_INDEX(
      !this.indexed_sizes.includes(0) || replacement_shape.includes(0),
      "index is out of bounds for dimension with size 0",
    );
    this.dims_before = dims_before;
    this.dims_after = dims_after;
    this.src = restride_src(src, dims_before, this.indexed_sizes.length, replacement_shape);
    for (const index of indices) {
      if (index !== null) this.indices.push(restride_index(index, dims_before, dims_after));
    }
  }
}

function restride_src(
  src: Tensor,
  dims_before: number,
  dims_indexed: number,
  replacement_shape: readonly number[],
): Tensor {
  const shape = src.sizes().slice();
  const strides = src.strides().slice();
  shape.splice(dims_before, dims_indexed, ...replacement_shape);
  strides.splice(dims_before, dims_indexed, ...replacement_shape.map(() => 0));
  return src.as_strided(shape, strides);
}

function restride_index(index: Tensor, dims_before: number, dims_after: number): Tensor {
  const ones = (n: number): number[] => new Array<number>(n).fill(1);
  return index.reshape([...ones(dims_before), ...index.sizes(), ...ones(dims_after)]);
}

/** Broadcasts the tensors among `indices` to one shape. */
function expand_indices(indices: readonly (Tensor | null)[]): (Tensor | null)[] {
  let sizes: readonly number[] | null = null;
  try {
    for (const index of indices) {
      if (index !== null) sizes = sizes === null ? index.sizes() : infer_size_dimvector(sizes, index.sizes());
    }
  } catch {
    const shapes = indices.filter((index) => index !== null).map((index) => `[${index.sizes().join(", ")}]`);
    TORCH_CHECK_INDEX(
      false,
      "shape mismatch: indexing tensors could not be broadcast together with shapes ",
      shapes.join(", "),
    );
  }
  return indices.map((index) =>
    index === null || sizes_equal(index.sizes(), sizes as readonly number[]) ? index : index.expand(sizes as number[]),
  );
}

/** Makes an AdvancedIndex from the indices that the caller gave. */
export function make_info(self_: Tensor, orig: readonly (Tensor | null)[]): AdvancedIndex {
  checkIndexTensorTypes(orig);
  let self = self_;
  let indices = expand_indices(expandTensors(self, orig));
  while (indices.length < self.dim()) indices.push(null);
  if (!hasContiguousSubspace(indices)) [self, indices] = transposeToFront(self, indices);
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i] ?? null;
    if (index === null) continue;
    if (!index.device().eq(self.device())) indices[i] = index.to_device(self.device(), index.scalar_type());
    else if (index.scalar_type() === ScalarType.Int) indices[i] = index.to_dtype(ScalarType.Long);
  }
  return new AdvancedIndex(self, indices);
}
