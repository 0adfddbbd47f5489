/**
 * @file Writes one value wherever the mask is true; other elements are not touched.
 * @mirrors aten/src/ATen/native/cpu/IndexKernel.cpp
 */
import { AT_DISPATCH, type bool, type data, load, type scalar_t, store, type TypedArray } from "#aten/Dispatch";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { masked_fill_stub } from "#aten/native/MaskedFill";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { masked_fill_tile_instances } from "./generated/MaskedFillKernel.ts";

/** One row. @template masked_fill: Bool, all types, Half, BFloat16 */
export function masked_fill_tile(
  self: data<scalar_t>,
  offset: number,
  stride: number,
  mask: data<bool>,
  mask_offset: number,
  mask_stride: number,
  n: number,
  value: scalar_t,
): void {
  for (let i = 0; i < n; i++) {
    if (load(mask, mask_offset + i * mask_stride) !== 0) store(self, offset + i * stride, value);
  }
}

interface Fill {
  readonly fn: typeof masked_fill_tile;
  readonly value: number;
}

function masked_fill_loop(
  data: readonly TypedArray[],
  offsets: number[],
  strides: readonly number[],
  size0: number,
  size1: number,
  fill: Fill,
): void {
  const [self, mask] = data as [TypedArray, TypedArray];
  const [s0, s1, t0, t1] = strides as [number, number, number, number];
  for (let j = 0; j < size1; j++) {
    fill.fn(self, offsets[0] + j * t0, s0, mask, offsets[1] + j * t1, s1, size0, fill.value);
  }
}

function masked_fill_kernel(iter: TensorIteratorBase, value: Scalar): void {
  const fn = AT_DISPATCH(masked_fill_tile_instances, iter.dtype());
  iter.for_each(masked_fill_loop, { fn, value: value.to(iter.dtype()) as number });
}

REGISTER_DISPATCH(masked_fill_stub, masked_fill_kernel, "masked_fill_kernel");
