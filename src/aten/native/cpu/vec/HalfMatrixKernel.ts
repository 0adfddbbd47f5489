/**
 * @file Matrices of halves as matrices of floats, for products, and back: what is between is computed in float and rounded once.
 * @original PyTorch gives products of halves to oneDNN.
 * @see gemm_driver.ts
 * @vec HalfMatrixKernel: float16, bfloat16
 */
import {
  type float,
  type int,
  load,
  load_one,
  load_one_opmath,
  load_opmath,
  load_splat,
  type ptr,
  type scalar_t,
  sizeof,
  splat,
  store,
  store_one,
  store_opmath,
  type Vec,
  vec_bytes,
} from "#aten/cpu/vec/Vec";

/** Behind floats that `widen` writes, bytes that it may write to as well. */
export const SPARE = 12;

/** The halves at `x`, whose rows are `rs` bytes apart and columns `cs`, as floats without gaps. */
export function widen(to: ptr, x: ptr, rows: int, columns: int, rs: int, cs: int): void {
  for (; rows > 0; rows--, x += rs) {
    let left = columns;
    let p = x;
    if (cs === sizeof<scalar_t>())
      for (; left >= 4; left -= 4, p += vec_bytes<scalar_t>(), to += 16) store_opmath(to, load(p));
    for (; left > 0; left--, p += cs, to += 4) store_opmath(to, load_splat(p));
  }
}

/** c = floats + beta * c, where rows of c are `crs` bytes apart and its columns neighbours. With beta 0 c is not read. */
export function narrow(c: ptr, from: ptr, rows: int, columns: int, crs: int, beta: float): void {
  const b: Vec = splat(beta);
  for (; rows > 0; rows--, c += crs) {
    let left = columns;
    let p = c;
    for (; left >= 4; left -= 4, p += vec_bytes<scalar_t>(), from += 16) {
      if (beta === 0) store(p, load_opmath(from));
      else store(p, load_opmath(from) + b * load(p));
    }
    for (; left > 0; left--, p += sizeof<scalar_t>(), from += 4) {
      if (beta === 0) store_one(p, load_one_opmath(from));
      else store_one(p, load_one_opmath(from) + beta * load_one(p));
    }
  }
}
