/**
 * @file Kernels of layer_norm and its gradients with SIMD: rows of contiguous floats.
 * @mirrors aten/src/ATen/native/cpu/layer_norm_kernel.cpp
 * @see ../../layer_norm_kernel.ts (the version without SIMD)
 * @see driver.ts (the caller)
 * @vec layer_norm_kernel: float32, float64
 */
import {
  type float,
  fmadd,
  type int,
  load,
  load_one,
  type ptr,
  type scalar_t,
  sizeof,
  splat,
  store,
  store_one,
  to_float,
  type Vec,
} from "#aten/cpu/vec/Vec";
import { sum_of_lanes } from "#aten/native/cpu/vec/functions";
import { row_moments } from "#aten/native/cpu/vec/moments_utils";

/** y = (x - mean) * rstd * gamma + beta. `gamma` and `beta` may be 0: none. */
function normalize_row(y: ptr, x: ptr, n: int, gamma: ptr, beta: ptr, mean: float, rstd: float): void {
  const bytes = n * sizeof<scalar_t>();
  const m: Vec = splat(mean);
  const r: Vec = splat(rstd);
  let k = 0;
  const vectors = bytes & -16;
  if (gamma !== 0 && beta !== 0) {
    for (; k < (bytes & -64); k += 64) {
      const from = x + k;
      const to = y + k;
      const by = gamma + k;
      const plus = beta + k;
      store(to, fmadd((load(from) - m) * r, load(by), load(plus)));
      store(to + 16, fmadd((load(from + 16) - m) * r, load(by + 16), load(plus + 16)));
      store(to + 32, fmadd((load(from + 32) - m) * r, load(by + 32), load(plus + 32)));
      store(to + 48, fmadd((load(from + 48) - m) * r, load(by + 48), load(plus + 48)));
    }
    for (; k < vectors; k += 16) store(y + k, fmadd((load(x + k) - m) * r, load(gamma + k), load(beta + k)));
  } else if (gamma !== 0) for (; k < vectors; k += 16) store(y + k, (load(x + k) - m) * r * load(gamma + k));
  else if (beta === 0) for (; k < vectors; k += 16) store(y + k, (load(x + k) - m) * r);
  for (; k < bytes; k += sizeof<scalar_t>()) {
    let v: float = (load_one(x + k) - mean) * rstd;
    if (gamma !== 0) v *= load_one(gamma + k);
    if (beta !== 0) v += load_one(beta + k);
    store_one(y + k, v);
  }
}

/** Normalizes `rows` rows of `n` elements. */
export function layer_norm(
  y: ptr,
  mean: ptr,
  rstd: ptr,
  x: ptr,
  gamma: ptr,
  beta: ptr,
  rows: int,
  n: int,
  eps: float,
): void {
  const bytes = n * sizeof<scalar_t>();
  for (let i = 0; i < rows; i++) {
    const at = i * sizeof<scalar_t>();
    row_moments(mean + at, rstd + at, x + i * bytes, n, eps);
    normalize_row(y + i * bytes, x + i * bytes, n, gamma, beta, load_one(mean + at), load_one(rstd + at));
  }
}

/** Gradients of `rows` rows with respect to the input. */
export function layer_norm_backward(
  dx: ptr,
  dy: ptr,
  x: ptr,
  gamma: ptr,
  means: ptr,
  rstds: ptr,
  rows: int,
  n: int,
): void {
  const bytes = n * sizeof<scalar_t>();
  const count: float = to_float(n);
  for (let i = 0; i < rows; i++) {
    const at = i * bytes;
    const mean: float = load_one(means + i * sizeof<scalar_t>());
    const rstd: float = load_one(rstds + i * sizeof<scalar_t>());
    // Sum of dy * gamma, and sum of dy * gamma * x.
    let b0: Vec = 0;
    let b1: Vec = 0;
    let s0: Vec = 0;
    let s1: Vec = 0;
    let k = 0;
    for (; k < (bytes & -32); k += 32) {
      const from = dy + at + k;
      const by = gamma + k;
      const of = x + at + k;
      const g0: Vec = load(from) * load(by);
      const g1: Vec = load(from + 16) * load(by + 16);
      b0 += g0;
      b1 += g1;
      s0 = fmadd(g0, load(of), s0);
      s1 = fmadd(g1, load(of + 16), s1);
    }
    let db: float = sum_of_lanes(b0 + b1);
    let ds: float = sum_of_lanes(s0 + s1);
    for (; k < bytes; k += sizeof<scalar_t>()) {
      const g: float = load_one(dy + at + k) * load_one(gamma + k);
      db += g;
      ds += g * load_one(x + at + k);
    }
    const b: float = ((db * mean - ds) * rstd * rstd * rstd) / count;
    const c: float = 0 - b * mean - (db * rstd) / count;
    const vr: Vec = splat(rstd);
    const vb: Vec = splat(b);
    const vc: Vec = splat(c);
    k = 0;
    for (; k < (bytes & -32); k += 32) {
      const from = dy + at + k;
      const by = gamma + k;
      const of = x + at + k;
      const to = dx + at + k;
      store(to, vr * load(from) * load(by) + fmadd(vb, load(of), vc));
      store(to + 16, vr * load(from + 16) * load(by + 16) + fmadd(vb, load(of + 16), vc));
    }
    for (; k < bytes; k += sizeof<scalar_t>()) {
      const g: float = rstd * load_one(dy + at + k) * load_one(gamma + k);
      store_one(dx + at + k, g + (b * load_one(x + at + k) + c));
    }
  }
}

/** Adds one row's contribution to columns [from, to) of the parameters' gradients. */
function row_of_parameters(
  dgamma: ptr,
  dbeta: ptr,
  dy: ptr,
  x: ptr,
  mean: float,
  rstd: float,
  from: int,
  to: int,
): void {
  const vr: Vec = splat(rstd);
  const shift: float = 0 - rstd * mean;
  const vs: Vec = splat(shift);
  let k = from;
  for (; k < from + ((to - from) & -16); k += 16) {
    const g: Vec = load(dy + k);
    store(dgamma + k, fmadd(g, fmadd(vr, load(x + k), vs), load(dgamma + k)));
    store(dbeta + k, load(dbeta + k) + g);
  }
  for (; k < to; k += sizeof<scalar_t>()) {
    const g: float = load_one(dy + k);
    store_one(dgamma + k, load_one(dgamma + k) + g * (rstd * load_one(x + k) + shift));
    store_one(dbeta + k, load_one(dbeta + k) + g);
  }
}

/** Adds the contributions of all rows to columns [from, to), in bytes, of the parameters' gradients. */
export function layer_norm_parameters(
  dgamma: ptr,
  dbeta: ptr,
  dy: ptr,
  x: ptr,
  means: ptr,
  rstds: ptr,
  rows: int,
  n: int,
  from: int,
  to: int,
): void {
  const bytes = n * sizeof<scalar_t>();
  for (let i = 0; i < rows; i++) {
    const at = i * sizeof<scalar_t>();
    const mean: float = load_one(means + at);
    row_of_parameters(dgamma, dbeta, dy + i * bytes, x + i * bytes, mean, load_one(rstds + at), from, to);
  }
}
