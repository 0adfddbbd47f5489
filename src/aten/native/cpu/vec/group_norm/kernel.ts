/**
 * @file Kernels of group_norm and its gradient with SIMD: a group has D channels, one after the other, each with HxW
 * contiguous floats.
 * @mirrors aten/src/ATen/native/cpu/group_norm_kernel.cpp
 * @see ../../group_norm_kernel.ts (the version without SIMD)
 * @see driver.ts (the caller)
 * @vec group_norm_kernel: float32
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

// `c` is the first channel of the group, out of C. After the last group of an instance comes the first group of the
// next.

/** y = scale * x + bias. */
function scale_row(y: ptr, x: ptr, n: int, scale: float, bias: float): void {
  const bytes = n * sizeof<scalar_t>();
  const s: Vec = splat(scale);
  const b: Vec = splat(bias);
  let k = 0;
  for (; k < (bytes & -32); k += 32) {
    store(y + k, fmadd(s, load(x + k), b));
    store(y + k + 16, fmadd(s, load(x + k + 16), b));
  }
  for (; k < bytes; k += sizeof<scalar_t>()) store_one(y + k, scale * load_one(x + k) + bias);
}

/** Normalizes groups. `gamma` and `beta` may be 0: none. */
export function group_norm_rows(
  y: ptr,
  means: ptr,
  rstds: ptr,
  x: ptr,
  gamma: ptr,
  beta: ptr,
  groups: int,
  first: int,
  C: int,
  D: int,
  HxW: int,
  eps: float,
): void {
  let c = first;
  for (let g = 0; g < groups; g++) {
    const at = g * sizeof<scalar_t>();
    row_moments(means + at, rstds + at, x, D * HxW, eps);
    const mean: float = load_one(means + at);
    const rstd: float = load_one(rstds + at);
    for (let d = c; d < c + D; d++) {
      let scale: float = rstd;
      let bias: float = 0;
      if (gamma !== 0) scale *= load_one(gamma + d * sizeof<scalar_t>());
      if (beta !== 0) bias = load_one(beta + d * sizeof<scalar_t>());
      scale_row(y, x, HxW, scale, bias - scale * mean);
      y += HxW * sizeof<scalar_t>();
      x += HxW * sizeof<scalar_t>();
    }
    c += D;
    if (c === C) c = 0;
  }
}

/** Sums of dY * X and of dY for each of `channels` channels (those of all instances). */
export function group_sums(ds: ptr, db: ptr, dy: ptr, x: ptr, channels: int, HxW: int): void {
  const bytes = HxW * sizeof<scalar_t>();
  for (let i = 0; i < channels; i++) {
    let s0: Vec = 0;
    let s1: Vec = 0;
    let b0: Vec = 0;
    let b1: Vec = 0;
    let k = 0;
    for (; k < (bytes & -32); k += 32) {
      const g0: Vec = load(dy + k);
      const g1: Vec = load(dy + k + 16);
      s0 = fmadd(g0, load(x + k), s0);
      s1 = fmadd(g1, load(x + k + 16), s1);
      b0 += g0;
      b1 += g1;
    }
    let s: float = sum_of_lanes(s0 + s1);
    let b: float = sum_of_lanes(b0 + b1);
    for (; k < bytes; k += sizeof<scalar_t>()) {
      const g: float = load_one(dy + k);
      s += g * load_one(x + k);
      b += g;
    }
    store_one(ds + i * sizeof<scalar_t>(), s);
    store_one(db + i * sizeof<scalar_t>(), b);
    dy += bytes;
    x += bytes;
  }
}

/** dx = c1 * dy + (c2 * x + c3). */
function gradient_row(dx: ptr, dy: ptr, x: ptr, n: int, c1: float, c2: float, c3: float): void {
  const bytes = n * sizeof<scalar_t>();
  const v1: Vec = splat(c1);
  const v2: Vec = splat(c2);
  const v3: Vec = splat(c3);
  let k = 0;
  for (; k < (bytes & -32); k += 32) {
    store(dx + k, fmadd(v1, load(dy + k), fmadd(v2, load(x + k), v3)));
    store(dx + k + 16, fmadd(v1, load(dy + k + 16), fmadd(v2, load(x + k + 16), v3)));
  }
  for (; k < bytes; k += sizeof<scalar_t>()) store_one(dx + k, c1 * load_one(dy + k) + (c2 * load_one(x + k) + c3));
}

/**
 * Gradients of groups with respect to the input. `ds` and `db` hold the sums of the groups' channels.
 * @parameters Note [Parameters of a vector kernel] in Vec.ts.
 */
export function group_input_backward(
  dx: ptr,
  dy: ptr,
  x: ptr,
  gamma: ptr,
  means: ptr,
  rstds: ptr,
  ds: ptr,
  db: ptr,
  groups: int,
  first: int,
  C: int,
  D: int,
  HxW: int,
): void {
  const count: float = to_float(D * HxW);
  const bytes = HxW * sizeof<scalar_t>();
  let c = first;
  for (let g = 0; g < groups; g++) {
    const mean: float = load_one(means + g * sizeof<scalar_t>());
    const rstd: float = load_one(rstds + g * sizeof<scalar_t>());
    let s_sum: float = 0;
    let b_sum: float = 0;
    for (let d = 0; d < D; d++) {
      let weight: float = 1;
      if (gamma !== 0) weight = load_one(gamma + (c + d) * sizeof<scalar_t>());
      s_sum += weight * load_one(ds + d * sizeof<scalar_t>());
      b_sum += weight * load_one(db + d * sizeof<scalar_t>());
    }
    const c2: float = ((b_sum * mean - s_sum) * rstd * rstd * rstd) / count;
    const c3: float = 0 - c2 * mean - (b_sum * rstd) / count;
    for (let d = c; d < c + D; d++) {
      let c1: float = rstd;
      if (gamma !== 0) c1 *= load_one(gamma + d * sizeof<scalar_t>());
      gradient_row(dx, dy, x, HxW, c1, c2, c3);
      dx += bytes;
      dy += bytes;
      x += bytes;
    }
    ds += D * sizeof<scalar_t>();
    db += D * sizeof<scalar_t>();
    c += D;
    if (c === C) c = 0;
  }
}
