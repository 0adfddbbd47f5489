/**
 * @file Kernels of mean and variance of a row in one pass, in the order in which PyTorch's vectors add.
 * @mirrors aten/src/ATen/native/cpu/moments_utils.h
 */
import {
  cast,
  type data,
  type float64,
  load,
  type opmath_t,
  round_to,
  type scalar_t,
  scratch,
  sizeof,
  store,
} from "#aten/Dispatch";

// Note [Rowwise moments]
// ~~~~~~~~~~~~~~~~~~~~~~
// Welford's algorithm keeps the count, the mean and the sum of squared distances; two such triples can be combined. A
// row of vectors is split into chunks of 16. Each lane has the moments of its elements of a chunk, and chunks are
// combined pairwise like sums (Note [Cascade sum]): level 0 takes chunk after chunk; after every second one it is
// combined into level 1 and cleared. At the end, the levels are combined, then the lanes, then the elements after the
// last whole vector. Vectors have 32 bytes, as in AVX2, on every machine.

/** `a * b + c`, rounded once if opmath_t is float. @template moments: floating types and halves */
export function fmadd(a: opmath_t, b: opmath_t, c: opmath_t): opmath_t {
  return round_to<opmath_t>(cast<float64>(a) * cast<float64>(b) + cast<float64>(c));
}

/**
 * Combines (m0_add, m1_add, m2_add) into the triple at `i`. The caller keeps that triple's count, `m0`.
 * @template moments: floating types and halves
 */
export function add_moments(
  m1: data<opmath_t>,
  m2: data<opmath_t>,
  i: number,
  m0: number,
  m0_add: number,
  m1_add: opmath_t,
  m2_add: opmath_t,
): void {
  const n = m0 + m0_add;
  const c: opmath_t = n === 0 ? 0 : cast<opmath_t>(m0_add) / cast<opmath_t>(n);
  const delta: opmath_t = m1_add - load(m1, i);
  const c_delta: opmath_t = c * delta;
  const m0_delta: opmath_t = delta * cast<opmath_t>(m0);
  const m2_sum: opmath_t = load(m2, i) + m2_add;
  store(m1, i, load(m1, i) + c_delta);
  store(m2, i, fmadd(m0_delta, c_delta, m2_sum));
}

/**
 * Mean and (biased) variance of `N` contiguous elements, into out[0] and out[1].
 * @template moments: floating types and halves
 */
export function rowwise_moments(out: data<opmath_t>, x: data<scalar_t>, xo: number, N: number): void {
  const width = 32 / sizeof<scalar_t>();
  const lanes = 32 / sizeof<opmath_t>();
  const n = Math.floor(N / width);
  const m = Math.ceil(n / 16);
  const depth = Math.max(1, m <= 1 ? 0 : 32 - Math.clz32(m - 1));
  const m0 = scratch<float64>(depth);
  const m1 = scratch<opmath_t>(depth * lanes);
  const m2 = scratch<opmath_t>(depth * lanes);
  for (let i = 0; i < m; i++) {
    const vectors = Math.min(16, n - i * 16);
    // A vector of halves is two vectors of floats, which are combined one after the other.
    for (let part = 0; part < width; part += lanes) {
      for (let l = 0; l < lanes; l++) {
        let mean: opmath_t = 0;
        let squares: opmath_t = 0;
        for (let j = 0; j < vectors; j++) {
          const v: opmath_t = cast<opmath_t>(load(x, xo + (i * 16 + j) * width + part + l));
          const c: opmath_t = 1 / cast<opmath_t>(j + 1);
          const delta: opmath_t = v - mean;
          mean = fmadd(c, delta, mean);
          squares = fmadd(delta, v - mean, squares);
        }
        add_moments(m1, m2, l, cast<number>(load(m0, 0)), vectors, mean, squares);
      }
      store(m0, 0, load(m0, 0) + vectors);
    }
    let mask = i + 1;
    for (let j = 1; j < depth && (mask & 1) === 0; j++) {
      const to = j * lanes;
      const from = to - lanes;
      const count = cast<number>(load(m0, j));
      const add = cast<number>(load(m0, j - 1));
      for (let l = 0; l < lanes; l++) {
        add_moments(m1, m2, to + l, count, add, load(m1, from + l), load(m2, from + l));
        store(m1, from + l, 0);
        store(m2, from + l, 0);
      }
      store(m0, j, load(m0, j) + load(m0, j - 1));
      store(m0, j - 1, 0);
      mask = mask >> 1;
    }
  }
  for (let j = 1; j < depth; j++) {
    const of_first = cast<number>(load(m0, 0));
    const of_other = cast<number>(load(m0, j));
    for (let l = 0; l < lanes; l++) {
      add_moments(m1, m2, l, of_first, of_other, load(m1, j * lanes + l), load(m2, j * lanes + l));
    }
    store(m0, 0, load(m0, 0) + load(m0, j));
  }
  // The remaining elements one by one, then the lanes are combined with them.
  store(out, 0, 0);
  store(out, 1, 0);
  let count = 0;
  for (let i = n * width; i < N; i++) {
    const v: opmath_t = cast<opmath_t>(load(x, xo + i));
    const delta: opmath_t = v - load(out, 0);
    count++;
    const mean: opmath_t = load(out, 0) + delta / cast<opmath_t>(count);
    store(out, 0, mean);
    store(out, 1, load(out, 1) + delta * (v - mean));
  }
  const add = (n * width) / lanes;
  for (let l = 0; l < lanes; l++) {
    const total = count + add;
    const c: opmath_t = total === 0 ? 0 : cast<opmath_t>(add) / cast<opmath_t>(total);
    const delta: opmath_t = load(m1, l) - load(out, 0);
    store(out, 0, load(out, 0) + c * delta);
    store(out, 1, load(out, 1) + load(m2, l) + delta * delta * c * cast<opmath_t>(count));
    count = total;
  }
  store(out, 1, load(out, 1) / cast<opmath_t>(N));
}
