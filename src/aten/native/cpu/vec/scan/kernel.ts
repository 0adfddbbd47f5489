/**
 * @file Kernels of running sums and products of one line, in WebAssembly: for int64, which JavaScript can only add as
 * BigInt, and for halves, which are slow to round in JavaScript.
 * @mirrors aten/src/ATen/native/cpu/ReduceOpsKernel.cpp
 * @see driver.ts (the caller); ../../ReduceOpsKernel/Cumulative.ts (the JavaScript version)
 * @vec ScanKernel: int64, float16, bfloat16
 */
import { type float, type int, load_one, type ptr, store_one } from "#aten/cpu/vec/Vec";

/** out[i] = x[0] + ... + x[i]. Strides are in bytes. */
export function cumsum_line(out: ptr, out_step: int, x: ptr, x_step: int, n: int): void {
  let sum: float = 0;
  for (let i = 0; i < n; i++) {
    sum += load_one(x);
    store_one(out, sum);
    x += x_step;
    out += out_step;
  }
}

export function cumprod_line(out: ptr, out_step: int, x: ptr, x_step: int, n: int): void {
  let product: float = 1;
  for (let i = 0; i < n; i++) {
    product *= load_one(x);
    store_one(out, product);
    x += x_step;
    out += out_step;
  }
}
