/**
 * @file Kernel of `embedding_bag` in mode "sum" with SIMD: sums of rows, bag by bag.
 * @mirrors aten/src/ATen/native/EmbeddingBag.cpp
 * @see ../../EmbeddingBagKernel.ts (the JavaScript version, which also handles weights and padding)
 * @vec EmbeddingBagKernel: float32, float64, float16, bfloat16
 */
import {
  type float,
  type int,
  load,
  load_int,
  load_one,
  type ptr,
  type scalar_t,
  sizeof,
  store,
  store_one,
  type Vec,
  vec_bytes,
} from "#aten/cpu/vec/Vec";

/** out = sum of `n` rows of `nbytes` bytes. `indices` (int64) are the row numbers; rows are `between` bytes apart. */
function sum_rows(out: ptr, nbytes: int, table: ptr, between: int, indices: ptr, n: int): void {
  const end = indices + 8 * n;
  let b = 0;
  const step = vec_bytes<scalar_t>();
  for (; b + 4 * step <= nbytes; b += 4 * step) {
    let s0: Vec = 0;
    let s1: Vec = 0;
    let s2: Vec = 0;
    let s3: Vec = 0;
    for (let i = indices; i < end; i += 8) {
      const row = table + load_int(i) * between + b;
      s0 += load(row);
      s1 += load(row + step);
      s2 += load(row + 2 * step);
      s3 += load(row + 3 * step);
    }
    store(out + b, s0);
    store(out + b + step, s1);
    store(out + b + 2 * step, s2);
    store(out + b + 3 * step, s3);
  }
  for (; b + step <= nbytes; b += step) {
    let s: Vec = 0;
    for (let i = indices; i < end; i += 8) s += load(table + load_int(i) * between + b);
    store(out + b, s);
  }
  for (; b < nbytes; b += sizeof<scalar_t>()) {
    let s: float = 0;
    for (let i = indices; i < end; i += 8) s += load_one(table + load_int(i) * between + b);
    store_one(out + b, s);
  }
}

/**
 * Sums the rows of each bag. `indices` and `bags` have `numel` int64 elements. The rows of a bag are consecutive, and
 * bags come in ascending order.
 */
export function embedding_bag_sum(
  out: ptr,
  nbytes: int,
  table: ptr,
  between: int,
  indices: ptr,
  bags: ptr,
  numel: int,
  num_bags: int,
): void {
  let i = 0;
  for (let bag = 0; bag < num_bags; bag++) {
    const first = i;
    while (i < numel) {
      if (load_int(bags + 8 * i) !== bag) break;
      i++;
    }
    sum_rows(out, nbytes, table, between, indices + 8 * first, i - first);
    out += nbytes;
  }
}
