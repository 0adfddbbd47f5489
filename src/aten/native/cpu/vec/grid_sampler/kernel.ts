/**
 * @file Kernel of the sums over neighbours in `grid_sample`, in WebAssembly. It uses scalars, because neighbours are
 * not contiguous. It is faster than JavaScript because float32 sums need not be rounded from double after each step.
 * @mirrors aten/src/ATen/native/cpu/GridSamplerKernel.cpp
 * @see ../../GridSamplerKernel.ts (the JavaScript version, and the caller)
 * @vec GridSamplerKernel: float32, float64
 */
import {
  type float,
  type int,
  load_int,
  load_one,
  type ptr,
  type scalar_t,
  sizeof,
  store_one,
} from "#aten/cpu/vec/Vec";

/**
 * Computes, for each channel, out[p] = sum of `shares` times the elements at `from`; the terms of p end at `ends[p]` in both
 * lists. Channels are `between` bytes apart in the result and `plane` bytes apart in the input.
 */
export function sum_neighbours(
  out: ptr,
  between: int,
  input: ptr,
  plane: int,
  channels: int,
  ends: ptr,
  from: ptr,
  shares: ptr,
  places: int,
): void {
  const last = ends + 4 * places;
  for (let c = 0; c < channels; c++) {
    let to = out + c * between;
    const x = input + c * plane;
    let f = from;
    let s = shares;
    for (let e = ends; e < last; e += 4) {
      const end = from + 4 * load_int(e);
      let sum: float = 0;
      if (end - f === 16) {
        // The most frequent case, four neighbours, is unrolled.
        sum += load_one(s) * load_one(x + load_int(f) * sizeof<scalar_t>());
        sum += load_one(s + sizeof<scalar_t>()) * load_one(x + load_int(f + 4) * sizeof<scalar_t>());
        sum += load_one(s + 2 * sizeof<scalar_t>()) * load_one(x + load_int(f + 8) * sizeof<scalar_t>());
        sum += load_one(s + 3 * sizeof<scalar_t>()) * load_one(x + load_int(f + 12) * sizeof<scalar_t>());
        s += 4 * sizeof<scalar_t>();
        f = end;
      }
      for (; f < end; f += 4) {
        sum += load_one(s) * load_one(x + load_int(f) * sizeof<scalar_t>());
        s += sizeof<scalar_t>();
      }
      store_one(to, sum);
      to += sizeof<scalar_t>();
    }
  }
}
