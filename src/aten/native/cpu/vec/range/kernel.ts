/**
 * @file Kernel of `arange` for integers with SIMD.
 * @mirrors aten/src/ATen/native/cpu/RangeFactoriesKernel.cpp
 * @see ../../RangeFactoriesKernel/index.ts (the caller, and the version without SIMD)
 * @vec RangeFactoriesKernel: int32, int64
 */
import {
  type float,
  type int,
  lanes,
  load,
  type ptr,
  type scalar_t,
  sizeof,
  splat,
  store,
  store_one,
  type Vec,
} from "#aten/cpu/vec/Vec";

/** Writes start, start + step, ...: `n` contiguous integers, modulo the range of the dtype. */
export function arange_of_integers(out: ptr, n: int, start: float, step: float): void {
  const bytes = n * sizeof<scalar_t>();
  const end = out + bytes;
  const whole = out + (bytes & -16);
  let next: float = start;
  let p = out;
  if (p < whole) {
    for (let k = 0; k < lanes<scalar_t>(); k++) {
      store_one(p + k * sizeof<scalar_t>(), next);
      next += step;
    }
    let v: Vec = load(p);
    const distance: Vec = splat(next - start);
    for (p += 16; p < whole; p += 16) {
      v += distance;
      store(p, v);
      next += lanes<scalar_t>() === 4 ? 4 * step : 2 * step;
    }
  }
  for (; p < end; p += sizeof<scalar_t>()) {
    store_one(p, next);
    next += step;
  }
}
