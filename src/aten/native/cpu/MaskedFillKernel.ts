/**
 * @file Writes one value wherever the mask is true; other elements are not touched.
 * @mirrors aten/src/ATen/native/cpu/IndexKernel.cpp
 */
import { AT_DISPATCH, type bool, type InstanceOf, load, type row, type scalar_t, store } from "#aten/Dispatch";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { masked_fill_stub } from "#aten/native/MaskedFill";
import type { TensorIteratorBase } from "#aten/TensorIterator";
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

function masked_fill_kernel(iter: TensorIteratorBase, value: Scalar): void {
  const fn = AT_DISPATCH(masked_fill_tile_instances, iter.dtype());
  iter.for_each(masked_fill_loop, { fn, value: value.to(iter.dtype()) as number });
}

REGISTER_DISPATCH(masked_fill_stub, masked_fill_kernel, "masked_fill_kernel");
