/**
 * @file Kernels of batch_norm and its gradient with SIMD: images of C channels, one after the other, each with n
 * contiguous floats.
 * @mirrors aten/src/ATen/native/cpu/batch_norm_kernel.cpp
 * @differs Ours sums a block of a row in float and adds the blocks in double; PyTorch sums the elements of a channel in
 * double.
 * @see ../../batch_norm_kernel.ts (the version without SIMD)
 * @see driver.ts (the caller)
 * @vec batch_norm_kernel: float32
 */
import {
  type float,
  fmadd,
  type int,
  load,
  load_one,
  min,
  type ptr,
  type scalar_t,
  sizeof,
  splat,
  store,
  store_one,
  type Vec,
} from "#aten/cpu/vec/Vec";
import { sum_of_lanes } from "#aten/native/cpu/vec/functions";
import { squares_about, sum_of } from "#aten/native/cpu/vec/moments_utils";

// A row is one channel of one instance. A call handles `rows` rows; the first is channel `c` of C. After the last
// channel of an instance comes channel 0 of the next. Arrays with one number per channel (`mean`, `alpha` and so on)
// start at channel 0. Results are one sum per row: the driver adds up the rows of a channel.

/** Number of elements that are summed at once. */
const BLOCK = 1024;

export function row_sums(to: ptr, x: ptr, rows: int, n: int): void {
  for (let i = 0; i < rows; i++) {
    let sum: float = 0;
    for (let k = 0; k < n; k += BLOCK) {
      const more = min(BLOCK, n - k);
      sum += sum_of(x, more);
      x += more * sizeof<scalar_t>();
    }
    store_one(to + i * sizeof<scalar_t>(), sum);
  }
}

/** Sum of (x - mean)^2 for each row. */
export function row_squares(to: ptr, x: ptr, mean: ptr, rows: int, c: int, C: int, n: int): void {
  for (let i = 0; i < rows; i++) {
    const m: float = load_one(mean + c * sizeof<scalar_t>());
    let sum: float = 0;
    for (let k = 0; k < n; k += BLOCK) {
      const more = min(BLOCK, n - k);
      sum += squares_about(m, x, more);
      x += more * sizeof<scalar_t>();
    }
    store_one(to + i * sizeof<scalar_t>(), sum);
    c++;
    if (c === C) c = 0;
  }
}

/** y = x * alpha + beta. */
export function transform_rows(y: ptr, x: ptr, alpha: ptr, beta: ptr, rows: int, c: int, C: int, n: int): void {
  const bytes = n * sizeof<scalar_t>();
  for (let i = 0; i < rows; i++) {
    const a: float = load_one(alpha + c * sizeof<scalar_t>());
    const b: float = load_one(beta + c * sizeof<scalar_t>());
    const va: Vec = splat(a);
    const vb: Vec = splat(b);
    let k = 0;
    for (; k < (bytes & -32); k += 32) {
      store(y + k, load(x + k) * va + vb);
      store(y + k + 16, load(x + k + 16) * va + vb);
    }
    for (; k < bytes; k += sizeof<scalar_t>()) store_one(y + k, load_one(x + k) * a + b);
    y += bytes;
    x += bytes;
    c++;
    if (c === C) c = 0;
  }
}

/** Sum of dy and sum of (x - mean) * dy for each row. */
export function gradient_sums(
  sums: ptr,
  dots: ptr,
  dy: ptr,
  x: ptr,
  mean: ptr,
  rows: int,
  c: int,
  C: int,
  n: int,
): void {
  for (let i = 0; i < rows; i++) {
    const m: float = load_one(mean + c * sizeof<scalar_t>());
    const vm: Vec = splat(m);
    let sum: float = 0;
    let dot: float = 0;
    for (let done = 0; done < n; done += BLOCK) {
      const bytes = min(BLOCK, n - done) * sizeof<scalar_t>();
      let s0: Vec = 0;
      let s1: Vec = 0;
      let d0: Vec = 0;
      let d1: Vec = 0;
      let k = 0;
      for (; k < (bytes & -32); k += 32) {
        const g0: Vec = load(dy + k);
        const g1: Vec = load(dy + k + 16);
        s0 += g0;
        s1 += g1;
        d0 = fmadd(load(x + k) - vm, g0, d0);
        d1 = fmadd(load(x + k + 16) - vm, g1, d1);
      }
      let s: float = sum_of_lanes(s0 + s1);
      let d: float = sum_of_lanes(d0 + d1);
      for (; k < bytes; k += sizeof<scalar_t>()) {
        const g: float = load_one(dy + k);
        s += g;
        d += (load_one(x + k) - m) * g;
      }
      sum += s;
      dot += d;
      dy += bytes;
      x += bytes;
    }
    store_one(sums + i * sizeof<scalar_t>(), sum);
    store_one(dots + i * sizeof<scalar_t>(), dot);
    c++;
    if (c === C) c = 0;
  }
}

/** dx = (dy - grad_mean - (x - mean) * k) * scale. */
export function gradient_rows(
  dx: ptr,
  dy: ptr,
  x: ptr,
  mean: ptr,
  grad_mean: ptr,
  k: ptr,
  scale: ptr,
  rows: int,
  c: int,
  C: int,
  n: int,
): void {
  const bytes = n * sizeof<scalar_t>();
  for (let i = 0; i < rows; i++) {
    const at = c * sizeof<scalar_t>();
    const m: float = load_one(mean + at);
    const g: float = load_one(grad_mean + at);
    const f: float = load_one(k + at);
    const s: float = load_one(scale + at);
    const vm: Vec = splat(m);
    const vg: Vec = splat(g);
    const vf: Vec = splat(f);
    const vs: Vec = splat(s);
    let j = 0;
    for (; j < (bytes & -32); j += 32) {
      store(dx + j, (load(dy + j) - vg - (load(x + j) - vm) * vf) * vs);
      store(dx + j + 16, (load(dy + j + 16) - vg - (load(x + j + 16) - vm) * vf) * vs);
    }
    for (; j < bytes; j += sizeof<scalar_t>())
      store_one(dx + j, (load_one(dy + j) - g - (load_one(x + j) - m) * f) * s);
    dx += bytes;
    dy += bytes;
    x += bytes;
    c++;
    if (c === C) c = 0;
  }
}
