/**
 * @file Reordering of dims, splitting of one dim into several, and aliases of these operators.
 * @mirrors aten/src/ATen/native/TensorShape.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { infer_size } from "#aten/InferSize";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_CHECK } from "#c10/util/Exception";

function all_unique(dims: readonly number[]): boolean {
  return new Set(dims).size === dims.length;
}

// movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)  CompositeImplicitAutograd
export function movedim_intlist(self: Tensor, src: number[], dst: number[]): Tensor {
  TORCH_CHECK(
    src.length === dst.length,
    "movedim: Invalid source or destination dims: source (",
    src,
    " dims) should contain the same number of dims as destination (",
    dst,
    " dims)",
  );
  const ndim = self.dim();
  const from = src.map((d) => maybe_wrap_dim(d, ndim));
  const to = dst.map((d) => maybe_wrap_dim(d, ndim));
  TORCH_CHECK(all_unique(from), "movedim: repeated dim in `source` (", src, ")");
  TORCH_CHECK(all_unique(to), "movedim: repeated dim in `destination` (", dst, ")");
  if (ndim === 0) return self.alias();
  // Dims that were not named keep their order in the remaining positions.
  const order = new Array<number>(ndim).fill(-1);
  from.forEach((d, i) => {
    order[to[i]] = d;
  });
  const others = order.map((_, d) => d).filter((d) => !from.includes(d));
  return self.permute(order.map((d) => (d === -1 ? (others.shift() as number) : d))); // there are as many left as positions
}

// movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)          CompositeImplicitAutograd
export function movedim_int(self: Tensor, src: number, dst: number): Tensor {
  return at.movedim_intlist(self, [src], [dst]);
}

// moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)     CompositeImplicitAutograd
export function moveaxis_intlist(self: Tensor, src: number[], dst: number[]): Tensor {
  return at.movedim_intlist(self, src, dst);
}

// moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)         CompositeImplicitAutograd
export function moveaxis_int(self: Tensor, src: number, dst: number): Tensor {
  return at.movedim_intlist(self, [src], [dst]);
}

// swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)                    CompositeImplicitAutograd
export function swapaxes(self: Tensor, axis0: number, axis1: number): Tensor {
  return self.transpose_int(axis0, axis1);
}
export function swapaxes_(self: Tensor, axis0: number, axis1: number): Tensor {
  return self.transpose_(axis0, axis1);
}

// swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)                      CompositeImplicitAutograd
export function swapdims(self: Tensor, dim0: number, dim1: number): Tensor {
  return self.transpose_int(dim0, dim1);
}
export function swapdims_(self: Tensor, dim0: number, dim1: number): Tensor {
  return self.transpose_(dim0, dim1);
}

// ravel(Tensor(a) self) -> Tensor(a)                                             CompositeImplicitAutograd
export function ravel(self: Tensor): Tensor {
  return self.contiguous().view([-1]);
}

/** `infer_size` with the error text of `unflatten`. */
function inferred_sizes(self: Tensor, dim: number, sizes: number[]): number[] {
  try {
    return infer_size(sizes, self.size(dim));
  } catch (error) {
    const { message } = error as Error;
    TORCH_CHECK(message.includes("is invalid for input of size"), "unflatten got an unexpected error:\n", message);
    TORCH_CHECK(
      false,
      "unflatten: Provided sizes ",
      sizes,
      " don't multiply up to the size of dim ",
      dim,
      " (",
      self.size(dim),
      ") in the input tensor",
    );
    throw error;
  }
}

// unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)            CompositeImplicitAutograd
export function unflatten_symint(self: Tensor, dim_: number, sizes: number[]): Tensor {
  const dim = maybe_wrap_dim(dim_, self.dim());
  TORCH_CHECK(sizes.length > 0, "unflatten: sizes must be non-empty");
  const shape = self.sizes().slice();
  shape.splice(dim, 1, ...inferred_sizes(self, dim, sizes));
  return self.view(shape);
}

// tile(Tensor self, SymInt[] dims) -> Tensor                                     CompositeImplicitAutograd
export function tile_symint(self: Tensor, reps: number[]): Tensor {
  const missing = Math.max(self.dim() - reps.length, 0);
  return self.repeat([...new Array<number>(missing).fill(1), ...reps]);
}
