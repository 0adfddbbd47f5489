/**
 * @file Kernel of resampling along one dim. It uses SIMD if the dims after that dim are large enough, and scalars
 * otherwise. Sums of float32 are computed in float32, as in PyTorch; ../../UpSampleKernel/index.ts rounds them only at
 * the end.
 * @mirrors aten/src/ATen/native/cpu/UpSampleKernel.cpp
 * @see ../../UpSampleKernel/index.ts (the JavaScript version); driver.ts (the caller)
 * @vec UpSampleKernel: float32, float64
 */
import {
  type float,
  type int,
  load,
  load_int,
  load_one,
  load_splat,
  type ptr,
  type scalar_t,
  sizeof,
  store,
  store_one,
  type Vec,
} from "#aten/cpu/vec/Vec";

/** Resamples one line of contiguous scalars. */
function resample_line(out: ptr, line: ptr, counts: ptr, indices: ptr, weights: ptr, to: int, taps: int): void {
  const last = counts + 4 * to;
  for (let c = counts; c < last; c += 4) {
    let sum: float = 0;
    const n = load_int(c);
    let t = 0;
    if (n === 2) {
      sum += load_one(weights) * load_one(line + load_int(indices) * sizeof<scalar_t>());
      sum += load_one(weights + sizeof<scalar_t>()) * load_one(line + load_int(indices + 4) * sizeof<scalar_t>());
      t = 2;
    }
    for (; t < n; t++)
      sum +=
        load_one(weights + t * sizeof<scalar_t>()) * load_one(line + load_int(indices + 4 * t) * sizeof<scalar_t>());
    store_one(out, sum);
    out += sizeof<scalar_t>();
    indices += 4 * taps;
    weights += taps * sizeof<scalar_t>();
  }
}

/** One output row of `nbytes` bytes: the weighted sum of `n` input rows. */
function resample_row(out: ptr, line: ptr, indices: ptr, weights: ptr, n: int, nbytes: int): void {
  const whole = nbytes & -16;
  let b = 0;
  if (n === 2) {
    const x = line + load_int(indices) * nbytes;
    const y = line + load_int(indices + 4) * nbytes;
    const u: Vec = load_splat(weights);
    const v: Vec = load_splat(weights + sizeof<scalar_t>());
    const zero: Vec = 0;
    for (; b < whole; b += 16) store(out + b, zero + load(x + b) * u + load(y + b) * v);
  }
  for (; b < whole; b += 16) {
    let sum: Vec = 0;
    for (let t = 0; t < n; t++) {
      const w: Vec = load_splat(weights + t * sizeof<scalar_t>());
      sum += load(line + load_int(indices + 4 * t) * nbytes + b) * w;
    }
    store(out + b, sum);
  }
  for (; b < nbytes; b += sizeof<scalar_t>()) {
    let sum: float = 0;
    for (let t = 0; t < n; t++)
      sum += load_one(line + load_int(indices + 4 * t) * nbytes + b) * load_one(weights + t * sizeof<scalar_t>());
    store_one(out + b, sum);
  }
}

/**
 * Resamples `outer` lines of `from` elements to `to` elements; each element is `inner` contiguous numbers. Tables hold
 * int32, weights scalar_t.
 */
export function resample(
  out: ptr,
  input: ptr,
  counts: ptr,
  indices: ptr,
  weights: ptr,
  outer: int,
  from: int,
  to: int,
  inner: int,
  taps: int,
): void {
  const nbytes = inner * sizeof<scalar_t>();
  for (let o = 0; o < outer; o++) {
    if (inner === 1) {
      resample_line(out, input, counts, indices, weights, to, taps);
      out += to * nbytes;
    } else {
      for (let i = 0; i < to; i++) {
        const first = i * taps;
        const n = load_int(counts + 4 * i);
        resample_row(out, input, indices + 4 * first, weights + first * sizeof<scalar_t>(), n, nbytes);
        out += nbytes;
      }
    }
    input += from * nbytes;
  }
}
