/**
 * @file `cartesian_prod` and `combinations`: all tuples of elements of several vectors, and all subsets of one.
 * @mirrors aten/src/ATen/native/Itertools.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import type { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";

/** Mask over (n, n, ...) of the positions whose coordinates increase; with `diagonal`, coordinates may be equal. */
function _triu_mask(n: number, dims: number, diagonal: boolean, opt: TensorOptions): Tensor {
  const range = at.arange(Scalar.fromInt(n), opt.dtype(ScalarType.Long));
  const index_grids = at.meshgrid_indexing(new Array<Tensor>(dims).fill(range), "ij");
  const mask = at.full(index_grids[0].sizes(), Scalar.TRUE, opt.dtype(ScalarType.Bool));
  for (let i = 0; i + 1 < dims; i++) {
    const [a, b] = [index_grids[i], index_grids[i + 1]];
    mask.mul__Tensor(diagonal ? a.le_Tensor(b) : a.lt_Tensor(b));
  }
  return mask;
}

// cartesian_prod(Tensor[] tensors) -> Tensor                                     CompositeImplicitAutograd
export function cartesian_prod(tensors: Tensor[]): Tensor {
  for (const t of tensors) TORCH_CHECK(t.dim() === 1, "Expect a 1D vector, but got shape ", t.sizes());
  if (tensors.length === 1) return tensors[0];
  const grids = at.meshgrid_indexing(tensors, "ij");
  return at.stack(
    grids.map((t) => t.flatten_using_ints()),
    1,
  );
}

// combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor      CompositeImplicitAutograd
export function combinations(self: Tensor, r: number, with_replacement: boolean): Tensor {
  TORCH_CHECK(self.dim() === 1, "Expect a 1D vector, but got shape ", self.sizes());
  TORCH_CHECK(r >= 0, "Expect a non-negative number, but got ", r);
  if (r === 0) return at.empty_memory_format([0], self.options());
  const grids = at.meshgrid_indexing(new Array<Tensor>(r).fill(self), "ij");
  const mask = _triu_mask(self.numel(), r, with_replacement, self.options());
  return at.stack(
    grids.map((t) => t.masked_select(mask)),
    1,
  );
}
