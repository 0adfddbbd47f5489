/**
 * @file Plain loop for batches of small matrices: bmm and baddbmm use it below 400 multiply-adds per item.
 * @mirrors aten/src/ATen/native/LinearAlgebra.cpp
 */
import {
  AT_DISPATCH,
  cast,
  load,
  type opmath_t,
  round_to,
  type row,
  row_at,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { check_batches, items } from "#aten/native/CPUBlas";
import { baddbmm_loop_instances } from "#aten/native/generated/LinearAlgebra/Baddbmm";
import { toOpMathType } from "#aten/OpMathType";
import type { Scalar } from "#c10/core/Scalar";
import { toString } from "#c10/core/ScalarType";
import { nothing, traceCall, tracer } from "#c10/util/Trace";

const FILE = "src/aten/native/LinearAlgebra/Baddbmm.ts";

/** C = alpha * A B + beta * C for every item, rounded after every step. @template bmm: all types and halves */
export function baddbmm_loop(
  bs: number,
  m: number,
  n: number,
  k: number,
  alpha: opmath_t,
  batch1: row<row<row<scalar_t>>>,
  batch2: row<row<row<scalar_t>>>,
  beta: opmath_t,
  result: row<row<row<scalar_t>>>,
): void {
  for (let item = 0; item < bs; item++) {
    const a = row_at(batch1, item);
    const b = row_at(batch2, item);
    const c = row_at(result, item);
    for (let i = 0; i < m; i++) {
      const s = row_at(a, i);
      const r = row_at(c, i);
      for (let j = 0; j < n; j++) {
        let acc_value: opmath_t = 0;
        for (let p = 0; p < k; p++) {
          const product = cast<opmath_t>(load(s, p)) * cast<opmath_t>(load(row_at(b, p), j));
          acc_value = round_to<opmath_t>(acc_value + round_to<opmath_t>(product));
        }
        const scaled = round_to<opmath_t>(alpha * acc_value);
        if (beta === 0) store(r, j, cast<scalar_t>(scaled));
        else {
          const kept = round_to<opmath_t>(cast<opmath_t>(load(r, j)) * beta);
          store(r, j, cast<scalar_t>(round_to<opmath_t>(kept + scaled)));
        }
      }
    }
  }
}

/**
 * result[i] = alpha * batch1[i] @ batch2[i] + beta * result[i], for any strides. `name` is the operator's name for
 * errors.
 */
export function baddbmm_cpu_kernel(
  name: string,
  result: Tensor,
  batch1: Tensor,
  batch2: Tensor,
  beta: Scalar,
  alpha: Scalar,
): void {
  const dtype = check_batches(name, result, batch1, batch2);
  const opmath = toOpMathType(dtype);
  const [bs, m, k] = batch1.sizes() as [number, number, number];
  const n = batch2.size(2);
  const [a, b, c] = [items(batch1), items(batch2), items(result)];
  const fn = AT_DISPATCH(baddbmm_loop_instances, dtype);
  // biome-ignore format: one operand group per line
  const args: Parameters<typeof fn> = [
    bs, m, n, k, alpha.to(opmath) as number,
    a.data, a.offset, a.batchStride, a.rowStride, a.columnStride,
    b.data, b.offset, b.batchStride, b.rowStride, b.columnStride,
    beta.to(opmath) as number,
    c.data, c.offset, c.batchStride, c.rowStride, c.columnStride,
  ];
  if (tracer === null) {
    fn(...args);
    return;
  }
  const data = { dtype: toString(dtype), shape: [bs, m, k, n], scalar: "at::native::baddbmm_loop", file: FILE };
  traceCall("loop", "at::native::baddbmm_loop", fn, args, data, nothing);
}
