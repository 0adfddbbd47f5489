/**
 * @file `randperm`: a shuffle from the front.
 * @mirrors aten/src/ATen/native/TensorFactories.cpp#randperm_cpu
 * @differs A file of its own, so that codegen can make one text per dtype.
 */
import type { CPUGeneratorImpl } from "#aten/CPUGeneratorImpl";
import { AT_DISPATCH, type captured, cast, load, type row, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { randperm_instances } from "./generated/RandpermKernel.ts";

/**
 * Fisher and Yates: position i gets one of those not yet placed. One draw per position but the last.
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
