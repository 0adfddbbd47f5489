/**
 * @file Kernel of `equal`. It stops at the first difference.
 * @mirrors aten/src/ATen/native/ReduceOps.cpp#cpu_equal
 * @differs Ours is in a file of its own, so that codegen can make one loop per dtype; in PyTorch it is in
 * ReduceOps.cpp.
 */
import { AT_DISPATCH, type captured, cast, type data, load, type scalar_t } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { equal_instances } from "./generated/EqualKernel.ts";
import { equal_with_vectors } from "./vec/equal/driver.ts";

/** NaN equals nothing, not even itself. @template equal_cpu: Bool, all types and halves, barebones unsigned types */
export function equal(
  a: data<scalar_t>,
  a_impl: captured<TensorImpl>,
  b: data<scalar_t>,
  b_impl: captured<TensorImpl>,
): boolean {
  const sizes = a_impl.sizes();
  const a_strides = a_impl.strides();
  const b_strides = b_impl.strides();
  const numel = cast<number>(a_impl.numel());
  const last = sizes.length - 1;
  const n = last >= 0 ? sizes[last] : 1;
  const a_step = last >= 0 ? a_strides[last] : 0;
  const b_step = last >= 0 ? b_strides[last] : 0;
  const counter = new Array<number>(sizes.length).fill(0);
  let i0 = cast<number>(a_impl.data_offset());
  let i1 = cast<number>(b_impl.data_offset());
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
  const run = AT_DISPATCH(equal_instances, a.dtype());
  return equal_with_vectors(a, b) ?? run(a.data_view(), a, b.data_view(), b);
}
