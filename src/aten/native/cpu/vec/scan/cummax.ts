/**
 * @file Kernels of `cummax` and `cummin` for one line. A new extreme is rare, so a whole vector is compared at once;
 * its elements are read one by one only if one of them is a new extreme.
 * @mirrors aten/src/ATen/native/ReduceOps.cpp
 * @see driver.ts (the caller); native/ReduceOps/Cummax.ts (the JavaScript version)
 * @vec CummaxKernel: float32, float64, int32, int64, float16, bfloat16
 */
import {
  any,
  type float,
  type int,
  interleave_low,
  lanes,
  load,
  load_one,
  load_one_opmath,
  load_splat,
  type Mask,
  type ptr,
  type scalar_t,
  sizeof,
  splat,
  store,
  store_int,
  store_one,
  store_opmath,
  type Vec,
  vec_bytes,
} from "#aten/cpu/vec/Vec";

// The operation is a literal argument, so each function gets a specialized loop.
const GREATEST = 0;
const SMALLEST = 1;

/** A vector that repeats the int64 index at `at`. @inline */
function index_in_all(at: ptr): Vec {
  return sizeof<scalar_t>() === 8 ? load_splat(at) : interleave_low(splat(load_one_opmath(at)), splat(0));
}

/** Stores the index once for each element of a vector. @inline */
function store_indices(at: ptr, index: Vec): void {
  if (sizeof<scalar_t>() === 8) store(at, index);
  else {
    store_opmath(at, index);
    store_opmath(at + 16, index);
  }
}

/** Scans one line. Strides are in bytes. @inline */
function line(
  values: ptr,
  values_step: int,
  indices: ptr,
  indices_step: int,
  x: ptr,
  x_step: int,
  n: int,
  what: int,
): void {
  const size = sizeof<scalar_t>();
  const neighbours = values_step === size && indices_step === 8 && x_step === size ? n & -lanes<scalar_t>() : 0;
  let best: float = load_one(x);
  let at = 0;
  let i = 0;
  while (i < n) {
    let until = n;
    if (i < neighbours) {
      const all_best: Vec = splat(best);
      if (i > 0) {
        const index: Vec = index_in_all(indices - 8);
        while (i < neighbours) {
          const v: Vec = load(x);
          const is_new: Mask = (what === GREATEST ? v >= all_best : v <= all_best) || v !== v;
          if (any(is_new)) break;
          store(values, all_best);
          store_indices(indices, index);
          values += vec_bytes<scalar_t>();
          indices += 8 * lanes<scalar_t>();
          x += vec_bytes<scalar_t>();
          i += lanes<scalar_t>();
        }
      }
      until = i + lanes<scalar_t>();
      if (until > n) until = n;
    }
    for (; i < until; i++) {
      const v: float = load_one(x);
      if ((what === GREATEST ? v >= best : v <= best) || v !== v) {
        best = v;
        at = i;
      }
      store_one(values, best);
      store_int(indices, at);
      store_int(indices + 4, 0);
      values += values_step;
      indices += indices_step;
      x += x_step;
    }
  }
}

export function cummax_line(
  values: ptr,
  values_step: int,
  indices: ptr,
  indices_step: int,
  x: ptr,
  x_step: int,
  n: int,
): void {
  line(values, values_step, indices, indices_step, x, x_step, n, GREATEST);
}

export function cummin_line(
  values: ptr,
  values_step: int,
  indices: ptr,
  indices_step: int,
  x: ptr,
  x_step: int,
  n: int,
): void {
  line(values, values_step, indices, indices_step, x, x_step, n, SMALLEST);
}
