/**
 * @file Kernel of `randperm`: a shuffle from the front.
 * @mirrors aten/src/ATen/native/TensorFactories.cpp#randperm_cpu
 * @differs Ours is in a file of its own, so that codegen can make one loop per dtype; in PyTorch it is in
 * TensorFactories.cpp.
 */
import type { CPUGeneratorImpl } from "#aten/CPUGeneratorImpl";
import { AT_DISPATCH, type captured, cast, load, type row, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { randperm_instances } from "./generated/RandpermKernel.ts";

/**
 * Fisher-Yates shuffle: position i gets one of the numbers that are not placed yet. One number is drawn per position,
 * except the last.
 * @template randperm: all types and halves
 */
export function randperm(r: row<scalar_t>, n: number, generator: captured<CPUGeneratorImpl>): void {
  for (let i = 0; i < n; i++) store(r, i, cast<scalar_t>(i));
  for (let i = 0; i < n - 1; i++) {
    const left = n - i;
    const drawn = cast<number>(generator.random());
    const z = drawn - Math.floor(drawn / left) * left; // drawn % left, as in TransformationHelper.ts
    const saved = load(r, i);
    store(r, i, load(r, z + i));
    store(r, z + i, saved);
  }
}

export function randperm_kernel(result: Tensor, n: number, generator: CPUGeneratorImpl): void {
  const impl = result.impl_;
  const fn = AT_DISPATCH(randperm_instances, impl.dtype());
  fn(impl.data_view(), impl.data_offset(), n > 0 ? impl.strides()[0] : 1, n, generator);
}
