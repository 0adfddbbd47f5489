/**
 * @file Kernels of `bincount` in WebAssembly: counts of small int64 values, or sums of their weights. JavaScript can
 * only count int64 as BigInt.
 * @mirrors aten/src/ATen/native/SummaryOps.cpp
 * @see driver.ts (the caller)
 * @vec SummaryOpsKernel: int64, float32, float64
 */
import { type int, load_int, load_one, type ptr, type scalar_t, sizeof, store_one } from "#aten/cpu/vec/Vec";

/** out[x[i]] += 1. Tensors are contiguous, and 0 <= x < 2^31. */
export function count(out: ptr, x: ptr, n: int): void {
  const end = x + 8 * n;
  for (; x < end; x += 8) {
    const to = out + load_int(x) * sizeof<scalar_t>();
    store_one(to, load_one(to) + 1);
  }
}

/** out[x[i]] += w[i]. */
export function add_weights(out: ptr, x: ptr, w: ptr, n: int): void {
  const end = x + 8 * n;
  for (; x < end; x += 8) {
    const to = out + load_int(x) * sizeof<scalar_t>();
    store_one(to, load_one(to) + load_one(w));
    w += sizeof<scalar_t>();
  }
}
