/**
 * @file `randperm`: a shuffle from the front.
 * @mirrors aten/src/ATen/native/TensorFactories.cpp#randperm_cpu
 * @differs A file of its own, so that codegen can make one text per dtype.
 */
import type { CPUGeneratorImpl } from "#aten/CPUGeneratorImpl";
import { AT_DISPATCH, type captured, cast, type data, load, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { randperm_instances } from "./generated/RandpermKernel.ts";

/**
 * Fisher and Yates: position i gets one of those not yet placed. One draw per position but the last.
 * @template randperm: all types, Half, BFloat16
 */
export function randperm(
  r: data<scalar_t>,
  offset: number,
  stride: number,
  n: number,
  generator: captured<CPUGeneratorImpl>,
): void {
  for (let i = 0; i < n; i++) store(r, offset + i * stride, cast<scalar_t>(i));
  for (let i = 0; i < n - 1; i++) {
    const z = cast<number>(generator.random()) % (n - i);
    const here = offset + i * stride;
    const there = offset + (z + i) * stride;
    const saved = load(r, here);
    store(r, here, load(r, there));
    store(r, there, saved);
  }
}

export function randperm_kernel(result: Tensor, n: number, generator: CPUGeneratorImpl): void {
  const impl = result.impl_;
  const fn = AT_DISPATCH(randperm_instances, impl.dtype());
  fn(impl.data_view(), impl.data_offset(), n > 0 ? impl.strides()[0] : 1, n, generator);
}
