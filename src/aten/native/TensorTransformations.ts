/**
 * @file `flip`, `roll` and `rot90`, which reorder elements; and `atleast_*`, which adds dims of size 1.
 * @mirrors aten/src/ATen/native/TensorTransformations.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { type TensorIterator, TensorIteratorConfig } from "#aten/TensorIterator";
import { dim_list_to_bitset } from "#aten/WrapDimUtilsMulti";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { int64_of } from "#c10/core/SymInt";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

export const flip_stub = DEFINE_DISPATCH<(iter: TensorIterator) => void>("flip_stub");

// flip -------------------------------------------------------------------------------------------------------------------

// Note [Writing backwards]
// ~~~~~~~~~~~~~~~~~~~~~~~~
// An iterator takes no negative strides: it would sort dims by the size of their strides. So it is built with the
// output as it is. A third operand, which is never read, has stride 0 in the flipped dims and keeps them from being
// merged with others. Afterwards the output is reversed in exactly these dims: it starts at their ends and has negative
// strides there.

function turn_around(iter: TensorIterator): void {
  const shape = iter.shape();
  const still = iter.strides(2);
  const out = iter.iter_.operand(0);
  const strides = iter.strides(0);
  still.forEach((stride, d) => {
    if (stride === 0) out.offset += strides[d] * (shape[d] - 1);
  });
  out.strides = strides.map((stride, d) => (still[d] === 0 ? -stride : stride));
}

// flip(Tensor self, int[] dims) -> Tensor                                        CPU
export function flip(self: Tensor, dims: number[]): Tensor {
  const flipped = dim_list_to_bitset(dims, self.dim());
  const out_tensor = at.empty_like(self, TensorOptions.EMPTY, MemoryFormat.Preserve);
  const [sizes, strides] = [self.sizes(), self.strides()];
  const turns = (d: number) => flipped[d] && sizes[d] > 1 && strides[d] !== 0;
  if (self.numel() <= 1 || !sizes.some((_, d) => turns(d))) return out_tensor.copy_(self);
  const restrided_self = self.as_strided(
    sizes,
    strides.map((stride, d) => (turns(d) ? 0 : stride)),
  );
  const iter = new TensorIteratorConfig()
    .set_check_mem_overlap(false)
    .check_all_same_dtype(false)
    .add_output(out_tensor)
    .add_const_input(self)
    .add_const_input(restrided_self)
    .build();
  turn_around(iter);
  flip_stub.call(iter.device_type(), iter);
  return out_tensor;
}

// fliplr(Tensor self) -> Tensor                                                  CompositeImplicitAutograd
export function fliplr(self: Tensor): Tensor {
  TORCH_CHECK(self.dim() >= 2, "Input must be >= 2-d.");
  return self.flip([1]);
}

// flipud(Tensor self) -> Tensor                                                  CompositeImplicitAutograd
export function flipud(self: Tensor): Tensor {
  TORCH_CHECK(self.dim() >= 1, "Input must be >= 1-d.");
  return self.flip([0]);
}

// roll -------------------------------------------------------------------------------------------------------------------

/** Rolls one dim after the other. Without dims, all elements are treated as one row. */
function roll_common(self: Tensor, shifts: number[], dims: number[]): Tensor {
  TORCH_CHECK(shifts.length > 0, "`shifts` required");
  if (dims.length === 0 && shifts.length === 1) {
    const flattened = self.contiguous().view([self.numel()]);
    return flattened.roll(shifts, [0]).view(self.sizes());
  }
  TORCH_CHECK(
    shifts.length === dims.length,
    "shifts and dimensions must align. shifts: ",
    shifts.length,
    ", dims:",
    dims.length,
  );
  const first_dim_rolled = at.roll(self, shifts.slice(0, 1), dims.slice(0, 1));
  return at.roll(first_dim_rolled, shifts.slice(1), dims.slice(1));
}

// roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor                  CPU
export function roll(self: Tensor, shifts: number[], dims: number[]): Tensor {
  if (dims.length !== 1 || shifts.length !== 1) return roll_common(self, shifts, dims);
  if (self.numel() === 0) return self.clone(MemoryFormat.Preserve);
  const [dim] = dims;
  const size = self.size(dim);
  const shift = Number(int64_of(shifts[0]) % BigInt(size)); // a double would lose the remainder of a large number
  const start = (size - shift) % size;
  const t0 = self.narrow(dim, start, size - start);
  const t1 = self.narrow(dim, 0, start);
  return at.cat([t0, t1], dim);
}

// rot90 ------------------------------------------------------------------------------------------------------------------

// rot90(Tensor self, int k=1, int[] dims=[0,1]) -> Tensor                        CompositeExplicitAutograd
export function rot90(self: Tensor, k: number, dims: number[]): Tensor {
  const total_dims = self.dim();
  TORCH_CHECK(dims.length === 2, "expected total rotation dims == 2, but got dims = ", dims.length);
  TORCH_CHECK(total_dims >= 2, "expected total dims >= 2, but got total dims = ", total_dims);
  const [dim0, dim1] = dims;
  TORCH_CHECK(
    dim0 !== dim1 && Math.abs(dim0 - dim1) !== total_dims,
    "expected rotation dims to be different, but got dim0 = ",
    dim0,
    " and dim1 = ",
    dim1,
  );
  const turns = Number(BigInt.asUintN(2, int64_of(k)));
  if (turns === 1) return self.flip([dim1]).transpose_(dim0, dim1);
  if (turns === 2) return self.flip(dims);
  if (turns === 3) return self.flip([dim0]).transpose_(dim0, dim1);
  return self.clone(MemoryFormat.Contiguous);
}

// atleast ----------------------------------------------------------------------------------------------------------------

// atleast_1d(Tensor self) -> Tensor                                              CompositeImplicitAutograd
export function atleast_1d(self: Tensor): Tensor {
  return self.dim() === 0 ? self.reshape([1]) : self;
}
export function atleast_1d_Sequence(tensors: Tensor[]): Tensor[] {
  return tensors.map(atleast_1d);
}

// atleast_2d(Tensor self) -> Tensor                                              CompositeImplicitAutograd
export function atleast_2d(self: Tensor): Tensor {
  if (self.dim() === 0) return self.reshape([1, 1]);
  return self.dim() === 1 ? self.unsqueeze(0) : self;
}
export function atleast_2d_Sequence(tensors: Tensor[]): Tensor[] {
  return tensors.map(atleast_2d);
}

// atleast_3d(Tensor self) -> Tensor                                              CompositeImplicitAutograd
export function atleast_3d(self: Tensor): Tensor {
  if (self.dim() === 0) return self.reshape([1, 1, 1]);
  if (self.dim() === 1) return self.unsqueeze(0).unsqueeze(-1);
  return self.dim() === 2 ? self.unsqueeze(-1) : self;
}
export function atleast_3d_Sequence(tensors: Tensor[]): Tensor[] {
  return tensors.map(atleast_3d);
}
