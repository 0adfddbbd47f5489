/**
 * @file How often each small int64 occurs, or the weights where it does, in WebAssembly: JavaScript has but BigInt for the counts.
 * @mirrors aten/src/ATen/native/SummaryOps.cpp
 * @see driver.ts (who calls)
 * @vec SummaryOpsKernel: int64, float32, float64
 */
import { type int, load_int, load_one, type ptr, type scalar_t, sizeof, store_one } from "#aten/cpu/vec/Vec";

/** out[x[i]] += 1. Neighbours; all of x are from 0 to before 2^31. */
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
