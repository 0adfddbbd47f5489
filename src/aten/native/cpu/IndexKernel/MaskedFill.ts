/**
 * @file Kernel of `masked_fill_`: it writes one value at each place where the mask is true.
 * @mirrors aten/src/ATen/native/cpu/IndexKernel.cpp
 * @differs Ours, with SIMD, writes whole vectors, so elements outside the mask are rewritten with their old value;
 * PyTorch tests each element.
 */
import type { bool, captured, scalar_t } from "#aten/Dispatch";
import { has_internal_overlap, MemOverlap } from "#aten/MemoryOverlap";
import { masked_fill_loops } from "#aten/native/cpu/generated/IndexKernel/MaskedFill";
import { cpu_kernel } from "#aten/native/cpu/Loops/index";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { masked_fill_stub } from "#aten/native/TensorAdvancedIndexing/MaskedFill";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";

/** @loop masked_fill: all types and halves */
export function masked_fill(self: scalar_t, mask: bool, value: captured): scalar_t {
  return mask ? value : self;
}

/** Bools are selected as bytes: a byte that is neither 0 nor 1 is kept. */
const masked_fill_bool_loops = masked_fill_loops.taking(ScalarType.Bool, ScalarType.Byte);

/** Operands of `iter`: self, mask. */
function masked_fill_kernel(iter: TensorIteratorBase, value: Scalar): void {
  const loops = iter.dtype() === ScalarType.Bool ? masked_fill_bool_loops : masked_fill_loops;
  // If elements share memory, rewriting an element outside the mask could undo a fill.
  const alone = has_internal_overlap(iter.tensor(0)) === MemOverlap.No;
  iter.read_output();
  cpu_kernel(iter, alone ? loops : loops.without_vectors("elements that may share memory"), value);
}
REGISTER_DISPATCH(masked_fill_stub, masked_fill_kernel, "masked_fill_kernel");
