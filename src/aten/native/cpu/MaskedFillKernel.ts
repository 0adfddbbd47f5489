/**
 * @file Writes one value wherever the mask is true; other elements are not touched.
 * @mirrors aten/src/ATen/native/cpu/IndexKernel.cpp
 * @differs Large tensors are filled by `where`, which has vectors; PyTorch has a loop of vectors for it here.
 */
import { AT_DISPATCH, type bool, type InstanceOf, load, type row, type scalar_t, store } from "#aten/Dispatch";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { has_internal_overlap, MemOverlap } from "#aten/MemoryOverlap";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { masked_fill_stub } from "#aten/native/MaskedFill";
import { where_kernel } from "#aten/native/TensorCompare";
import { scalar_tensor_static } from "#aten/ScalarOps";
import { type TensorIteratorBase, TensorIteratorConfig } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { masked_fill_tile_instances } from "./generated/MaskedFillKernel.ts";

/** One row. @template masked_fill: Bool, all types and halves */
export function masked_fill_tile(self: row<scalar_t>, mask: row<bool>, n: number, value: scalar_t): void {
  for (let i = 0; i < n; i++) {
    if (load(mask, i) !== 0) store(self, i, value);
  }
}

interface Fill {
  readonly fn: InstanceOf<typeof masked_fill_tile>;
  readonly value: number;
}

function masked_fill_loop(operands: readonly OperandInfo[], size0: number, size1: number, fill: Fill): void {
  const [self, mask] = operands as readonly [OperandInfo, OperandInfo];
  const [s0, s1] = [self.inner_stride(), mask.inner_stride()];
  for (let j = 0; j < size1; j++)
    fill.fn(self.view(), self.at(0, j), s0, mask.view(), mask.at(0, j), s1, size0, fill.value);
}

/** Elements from which on `where`, which has vectors, is quicker than a loop that asks for each. */
const LEAST_FOR_WHERE = 1024;

/** The same by writing every element: what it holds, where the mask is false. Precondition: no element stands for several. */
function fill_by_where(iter: TensorIteratorBase, value: Scalar): void {
  const self = iter.tensor(0);
  const where = new TensorIteratorConfig()
    .set_check_mem_overlap(false)
    .check_all_same_dtype(false)
    .resize_outputs(false)
    .add_output(self)
    .add_const_input(iter.tensor(1))
    .add_owned_const_input(scalar_tensor_static(value, self.scalar_type(), null))
    .add_const_input(self)
    .build();
  where_kernel.call(where.device_type(), where);
}

function masked_fill_kernel(iter: TensorIteratorBase, value: Scalar): void {
  const fn = AT_DISPATCH(masked_fill_tile_instances, iter.dtype());
  const fill = { fn, value: value.to(iter.dtype()) as number };
  if (iter.numel() < LEAST_FOR_WHERE || has_internal_overlap(iter.tensor(0)) !== MemOverlap.No)
    iter.for_each(masked_fill_loop, fill);
  else fill_by_where(iter, value);
}

REGISTER_DISPATCH(masked_fill_stub, masked_fill_kernel, "masked_fill_kernel");
