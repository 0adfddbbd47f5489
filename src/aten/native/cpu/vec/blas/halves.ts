/**
 * @file Conversion of matrices of halves to floats and back, for products: the product is computed in float and rounded
 * once.
 * @original PyTorch leaves products of halves to oneDNN.
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
  type ptr,
  type scalar_t,
  sizeof,
  splat,
  store,
  store_one,
  type Vec,
  vec_bytes,
} from "#aten/cpu/vec/Vec";
import { narrow, widen } from "#aten/native/cpu/vec/functions";

/** Writes the halves at `x` as floats without gaps. Rows of `x` are `rs` bytes apart, columns `cs` bytes. */
export function widen_rows(to: ptr, x: ptr, rows: int, columns: int, rs: int, cs: int): void {
  for (; rows > 0; rows--, x += rs, to += 4 * columns) widen(to, x, columns, cs);
}

/** c = from + beta * c. Rows of c are `crs` bytes apart; a row is contiguous. If beta is 0, c is not read. */
export function narrow_rows(c: ptr, from: ptr, rows: int, columns: int, crs: int, beta: float): void {
  for (; rows > 0; rows--, c += crs, from += 4 * columns) {
    if (beta === 0) narrow(c, from, columns);
    else narrow_onto(c, from, columns, beta);
  }
}

function narrow_onto(c: ptr, from: ptr, n: int, beta: float): void {
  const b: Vec = splat(beta);
  for (; n >= 4; n -= 4, from += 16, c += vec_bytes<scalar_t>()) store(c, load_opmath(from) + b * load(c));
  for (; n > 0; n--, from += 4, c += sizeof<scalar_t>()) store_one(c, load_one_opmath(from) + beta * load_one(c));
}
