/**
 * @file The loop of `equal`; it stops at the first difference.
 * @mirrors aten/src/ATen/native/ReduceOps.cpp#cpu_equal
 * @differs A file of its own, so that codegen can make one text per dtype.
 */
import { AT_DISPATCH, type captured, type data, load, type scalar_t } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { equal_instances } from "./generated/EqualKernel.ts";

/** A NaN equals nothing, itself included. @template equal_cpu: all types, Bool, Half, BFloat16 */
export function equal(
  a: data<scalar_t>,
  a_offset: number,
  a_strides: captured<readonly number[]>,
  b: data<scalar_t>,
  b_offset: number,
  b_strides: captured<readonly number[]>,
  sizes: captured<readonly number[]>,
  numel: number,
): boolean {
  const last = sizes.length - 1;
  const n = sizes[last];
  const a_step = a_strides[last];
  const b_step = b_strides[last];
  const counter = new Array<number>(sizes.length).fill(0);
  let i0 = a_offset;
  let i1 = b_offset;
  for (let done = 0; done < numel; done += n) {
    for (let i = 0; i < n; i++) {
      if (load(a, i0 + i * a_step) !== load(b, i1 + i * b_step)) return false;
    }
    for (let d = last - 1; d >= 0; d--) {
      counter[d] = counter[d] + 1;
      i0 += a_strides[d];
      i1 += b_strides[d];
      if (counter[d] !== sizes[d]) break;
      i0 -= a_strides[d] * sizes[d];
      i1 -= b_strides[d] * sizes[d];
      counter[d] = 0;
    }
  }
  return true;
}

export function equal_kernel(self: Tensor, other: Tensor): boolean {
  const [a, b] = [self.impl_, other.impl_];
  const fn = AT_DISPATCH(equal_instances, a.dtype());
  const scalar = self.dim() === 0; // walked as if it had one dimension
  return fn(
    a.data_view(),
    a.data_offset(),
    scalar ? [0] : a.strides(),
    b.data_view(),
    b.data_offset(),
    scalar ? [0] : b.strides(),
    scalar ? [1] : a.sizes(),
    a.numel(),
  );
}
