/**
 * @file Kernels of attention in blocks. For a block of queries and a block of keys, they compute the scores, their
 * softmax, and the weighted sum of the values. Only one block of scores is in memory at a time: the maximum and sum of
 * each row are carried from block to block, and earlier sums are rescaled.
 * @mirrors aten/src/ATen/native/cpu/FlashAttentionKernel.cpp
 * @differs Ours converts halves to float32 before the computation; PyTorch converts them in the matrix products.
 */
import {
  AT_DISPATCH,
  cast,
  load,
  type pointer,
  type row,
  row_at,
  row_from,
  type scalar_t,
  store,
  type TypedArray,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { gemm_stub, type Matrix, matrix_in_rows, transposed } from "#aten/native/CPUBlas";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import {
  type FlashOptions,
  flash_attention_backward_kernel,
  flash_attention_kernel,
} from "#aten/native/transformers/attention";
import { calculate_scale } from "#aten/native/transformers/sdp_utils_cpp";
import { toOpMathType } from "#aten/OpMathType";
import { DeviceType } from "#c10/core/DeviceType";
import type { ScalarType } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { exp, log } from "#c10/util/math";
import {
  flash_block_instances,
  flash_restore_loops,
  flash_restore_masked_loops,
  flash_row_sums_instances,
  flash_rows_instances,
  flash_through_softmax_loops,
} from "./generated/FlashAttentionKernel.ts";
import { for_rows } from "./rows.ts";

/**
 * Replaces the scores (rows x columns) of a block by exponentials. Updates `max` and `sum` of each row, and rescales
 * the previous sums in `dst`. In the causal case, keys from `row + diagonal` on are ignored.
 * @template flash_attention: floating types
 */
export function flash_block(
  qk: pointer<scalar_t>,
  rows: number,
  columns: number,
  max: pointer<scalar_t>,
  sum: pointer<scalar_t>,
  dst: pointer<scalar_t>,
  headSize: number,
  mask: row<row<scalar_t>>,
  has_mask: boolean,
  scale: scalar_t,
  is_causal: boolean,
  diagonal: number,
): void {
  for (let row = 0; row < rows; row++) {
    const scores = row_from(qk, row * columns);
    const behind = is_causal ? row + diagonal : columns;
    let top: scalar_t = cast<scalar_t>(Number.NEGATIVE_INFINITY);
    for (let j = 0; j < columns; j++) {
      let v: scalar_t = (j > behind ? cast<scalar_t>(Number.NEGATIVE_INFINITY) : load(scores, j)) * scale;
      if (has_mask) v = v + load(row_at(mask, row), j);
      store(scores, j, v);
      if (v > top || v !== v) top = v;
    }
    const before: scalar_t = load(max, row);
    if (before > top) top = before;
    if (top === Number.NEGATIVE_INFINITY) {
      for (let j = 0; j < columns; j++) store(scores, j, 0);
    } else {
      let total: scalar_t = 0;
      for (let j = 0; j < columns; j++) {
        const e: scalar_t = exp(load(scores, j) - top);
        store(scores, j, e);
        total += e;
      }
      const factor: scalar_t = exp(before - top);
      store(sum, row, total + factor * load(sum, row));
      store(max, row, top);
      const summed = row_from(dst, row * headSize);
      for (let d = 0; d < headSize; d++) store(summed, d, load(summed, d) * factor);
    }
  }
}

/**
 * Divides the results of each row by the row's sum, and stores the logarithm of the sum of exponentials.
 * @template flash_attention: floating types
 */
export function flash_rows(
  out: row<pointer<scalar_t>>,
  lse: row<scalar_t>,
  dst: pointer<scalar_t>,
  max: pointer<scalar_t>,
  sum: pointer<scalar_t>,
  rows: number,
  headSize: number,
): void {
  for (let row = 0; row < rows; row++) {
    let top: scalar_t = load(max, row);
    let total: scalar_t = load(sum, row);
    // A row without any key gives zeros.
    if (top === Number.NEGATIVE_INFINITY) top = 0;
    if (total === 0) total = 1;
    const reciprocal: scalar_t = 1 / total;
    const summed = row_from(dst, row * headSize);
    for (let d = 0; d < headSize; d++) store(row_at(out, row), d, load(summed, d) * reciprocal);
    store(lse, row, top + log(total));
  }
}

/** Sum of `a * b` along each row. @template flash_attention_backward: floating types */
export function flash_row_sums(
  out: pointer<scalar_t>,
  a: row<pointer<scalar_t>>,
  b: row<pointer<scalar_t>>,
  rows: number,
  columns: number,
): void {
  for (let row = 0; row < rows; row++) {
    let sum: scalar_t = 0;
    for (let d = 0; d < columns; d++) sum += load(row_at(a, row), d) * load(row_at(b, row), d);
    store(out, row, sum);
  }
}

/**
 * Recomputes the attention weight from a scaled score and its row's `logsumexp`.
 * @loop flash_attention_backward: floating types
 */
export function flash_restore(score: scalar_t, logsumexp: scalar_t): scalar_t {
  return exp(score - logsumexp);
}
/** Like flash_restore, with a mask. @loop flash_attention_backward: floating types */
export function flash_restore_masked(score: scalar_t, mask: scalar_t, logsumexp: scalar_t): scalar_t {
  return exp(score + mask - logsumexp);
}

/** Gradient of the softmax; `sum` is the row's sum of attn * grad. @loop flash_attention_backward: floating types */
export function flash_through_softmax(attn: scalar_t, grad: scalar_t, sum: scalar_t): scalar_t {
  return attn * (grad - sum);
}

// Tensors and their blocks

/** A tensor (N, L, heads, D) in the dtype of the computation, with a contiguous last dim. */
function as_opmath(t: Tensor, dtype: ScalarType): Tensor {
  return t.scalar_type() === dtype ? t : t.to_dtype(dtype);
}

/** Rows from `m` on, for batch `i` and head `j`. */
function rows_of(t: Tensor, i: number, j: number, m: number): Matrix {
  const tensor = t.unsafeGetTensorImpl();
  const [b, row, h] = t.strides();
  const offset = tensor.data_offset() + i * b + j * h + m * row;
  return { tensor, data: tensor.data_view(), offset, rowStride: row, columnStride: 1, batchStride: 0 };
}

/** Mask values for all scores. */
export interface Mask {
  readonly tensor: TensorImpl;
  readonly data: TypedArray;
  readonly at: (i: number, j: number, m: number, n: number) => number;
  readonly strideM: number;
  readonly strideN: number;
}

/** The mask as (N or 1, heads or 1, L, S). A dim that is shared has stride 0. */
function mask_of(attn_mask: Tensor | null, query: Tensor, kvSize: number, dtype: ScalarType): Mask | null {
  if (attn_mask === null || attn_mask.numel() === 0) return null;
  const [N, qSize, heads] = query.sizes();
  const four = attn_mask.dim() === 4;
  const batches = four && attn_mask.size(0) === N ? N : 1;
  const of_heads = four && attn_mask.size(1) === heads ? heads : 1;
  const viewed = as_opmath(attn_mask, dtype).view([batches, of_heads, attn_mask.size(-2), attn_mask.size(-1)]);
  const mask = viewed.expand([batches, of_heads, qSize, kvSize]);
  const [b, h, strideM, strideN] = mask.sizes().map((size, d) => (size > 1 ? mask.stride(d) : 0));
  const impl = mask.unsafeGetTensorImpl();
  const offset = impl.data_offset();
  const at_index = (i: number, j: number, m: number, n: number) => offset + i * b + j * h + m * strideM + n * strideN;
  return { tensor: impl, data: impl.data_view(), at: at_index, strideM, strideN };
}

/** The part of a mask for the scores from query `m` and key `n` on. */
function block_of({ tensor, data, at, strideM, strideN }: Mask, i: number, j: number, m: number, n: number): Matrix {
  return { tensor, data, offset: at(i, j, m, n), rowStride: strideM, columnStride: strideN, batchStride: 0 };
}

/** Block sizes: larger for long queries; always 512 keys. */
function split_sizes(qSize: number, kvSize: number): [q: number, kv: number] {
  const q_split_size = qSize >= 768 ? 256 : qSize >= 192 ? 64 : 32;
  return [Math.min(q_split_size, qSize), Math.min(512, kvSize)];
}

/**
 * The scores of a block, and the state of its rows from the previous blocks. `rest` holds `qSplit` maxima, `qSplit`
 * sums, then rows of results.
 */
export interface FlashBlock {
  readonly scores: Matrix;
  readonly rows: number;
  readonly columns: number;
  readonly rest: Matrix;
  readonly qSplit: number;
  readonly headSize: number;
  readonly mask: Mask | null;
  /** Position in the mask's memory where the block begins. */
  readonly mask_at: number;
  readonly scale: number;
  readonly is_causal: boolean;
  readonly diagonal: number;
}

export function flash_block_impl(block: FlashBlock): void {
  const { scores, rows, columns, rest: r, qSplit, headSize, mask, mask_at, scale, is_causal, diagonal } = block;
  const run = AT_DISPATCH(flash_block_instances, scores.tensor.dtype());
  // biome-ignore format: one operand group per line
  run(
    scores.data, scores.offset, rows, columns,
    r.data, r.offset, r.data, r.offset + qSplit,
    r.data, r.offset + 2 * qSplit, headSize,
    mask?.data ?? r.data, mask_at, mask?.strideM ?? 0, mask?.strideN ?? 0, mask !== null,
    scale, is_causal, diagonal,
  );
}

/** @param take_in replaces the scores of a block by exponentials, and updates the maxima and sums of its rows */
export function flash_attention_kernel_impl(
  take_in: (block: FlashBlock) => void,
  output_: Tensor,
  logsumexp: Tensor,
  [q, k, v]: readonly [Tensor, Tensor, Tensor],
  { is_causal, attn_mask, scale }: FlashOptions,
): void {
  const dtype = toOpMathType(q.scalar_type());
  const reduced = dtype !== q.scalar_type();
  const [query, key, value] = [q, k, v].map((t) => as_opmath(t.transpose_int(1, 2), dtype)) as [Tensor, Tensor, Tensor];
  const [N, qSize, heads, headSize] = query.sizes();
  const kvSize = key.size(1);
  const group = heads / key.size(2);
  const output = reduced ? at.empty_memory_format(output_.sizes(), output_.options().dtype(dtype)) : output_;
  const mask = mask_of(attn_mask, query, kvSize, dtype);
  const [qSplit, kvSplit] = split_sizes(qSize, kvSize);
  const options = query.options();
  const qk = at.empty_memory_format([qSplit * kvSplit], options);
  const rest = at.empty_memory_format([qSplit * (2 + headSize)], options);
  const finish = AT_DISPATCH(flash_rows_instances, dtype);
  const gemm = (m: number, n: number, kk: number, a: Matrix, b: Matrix, beta: number, c: Matrix) =>
    gemm_stub.call(DeviceType.CPU, dtype, m, n, kk, 1, a, b, beta, c, 1);
  const scaling_factor = calculate_scale(query, scale);
  const [max, sum, dst] = [0, qSplit, 2 * qSplit];
  for (let i = 0; i < N; i++) {
    for (let j = 0; j < heads; j++) {
      const j_kv = Math.floor(j / group);
      for (let m = 0; m < qSize; m += qSplit) {
        const rows = Math.min(qSplit, qSize - m);
        const r = matrix_in_rows(rest, 0, headSize);
        r.data.fill(Number.NEGATIVE_INFINITY as never, r.offset + max, r.offset + max + qSplit);
        r.data.fill(0 as never, r.offset + sum, r.offset + dst + qSplit * headSize);
        const num_keys = is_causal ? Math.min(m + rows, kvSize) : kvSize;
        for (let n = 0; n < num_keys; n += kvSplit) {
          const columns = Math.min(kvSplit, kvSize - n);
          const scores = matrix_in_rows(qk, 0, columns);
          gemm(rows, columns, headSize, rows_of(query, i, j, m), transposed(rows_of(key, i, j_kv, n)), 0, scores);
          const mask_at = mask?.at(i, j, m, n) ?? 0;
          const diagonal = m - n;
          take_in({
            scores,
            rows,
            columns,
            rest: r,
            qSplit,
            headSize,
            mask,
            mask_at,
            scale: scaling_factor,
            is_causal,
            diagonal,
          });
          if (reduced) qk.copy_(qk.to_dtype(q.scalar_type()));
          gemm(rows, headSize, columns, scores, rows_of(value, i, j_kv, n), 1, matrix_in_rows(rest, dst, headSize));
        }
        const to = rows_of(output, i, j, m);
        const lse = logsumexp.unsafeGetTensorImpl();
        const [b, row, h] = logsumexp.strides();
        // biome-ignore format: one operand group per line
        finish(
          to.data, to.offset, to.rowStride,
          lse.data_view(), lse.data_offset() + i * b + j * h + m * row, row,
          r.data, r.offset + dst,
          r.data, r.offset + max, r.data, r.offset + sum,
          rows, headSize,
        );
      }
    }
  }
  if (reduced) output_.copy_(output);
}

/** A column with one value per row, as a matrix of any width: its column stride is 0. */
function spread(column: Matrix): Matrix {
  return { ...column, columnStride: 0 };
}

/** Sets row r of a block to 0 after column `r + diagonal`. */
function hide_behind(a: Matrix, rows: number, columns: number, diagonal: number): void {
  for (let row = 0; row < rows; row++) {
    const from = a.offset + row * columns;
    (a.data as Float64Array).fill(0, from + Math.min(columns, Math.max(0, row + diagonal + 1)), from + columns);
  }
}

function flash_attention_backward_kernel_impl(
  grads: readonly [Tensor, Tensor, Tensor],
  grad_out_: Tensor,
  [q, k, v]: readonly [Tensor, Tensor, Tensor],
  [out_, logsumexp]: readonly [Tensor, Tensor],
  { is_causal, attn_mask, scale }: FlashOptions,
): void {
  const dtype = toOpMathType(q.scalar_type());
  const reduced = dtype !== q.scalar_type();
  const wide = (t: Tensor) => as_opmath(t, dtype);
  const grad_out = wide(grad_out_.contiguous());
  const [query, key, value, out] = [wide(q), wide(k), wide(v), wide(out_)];
  const zeros = (t: Tensor) => at.zeros(t.sizes(), t.options().dtype(dtype));
  const [grad_q, grad_k, grad_v] = reduced ? [zeros(q), zeros(k), zeros(v)] : grads;
  const [N, qSize, heads, headSize] = query.sizes();
  const kvSize = key.size(1);
  const group = heads / key.size(2);
  const mask = mask_of(attn_mask, query, kvSize, dtype);
  const [qSplit, kvSplit] = split_sizes(qSize, kvSize);
  const options = query.options();
  const attn = at.empty_memory_format([qSplit * kvSplit], options);
  const grad_attn = at.empty_memory_format([qSplit * kvSplit], options);
  const dsum = at.empty_memory_format([qSplit], options);
  const row_sums = AT_DISPATCH(flash_row_sums_instances, dtype);
  const scaling_factor = calculate_scale(query, scale);
  const gemm = (m: number, n: number, kk: number, alpha: number, a: Matrix, b: Matrix, beta: number, c: Matrix) =>
    gemm_stub.call(DeviceType.CPU, dtype, m, n, kk, alpha, a, b, beta, c, 1);
  for (let i = 0; i < N; i++) {
    for (let j = 0; j < heads; j++) {
      const j_kv = Math.floor(j / group);
      for (let m = 0; m < qSize; m += qSplit) {
        const rows = Math.min(qSplit, qSize - m);
        const go = rows_of(grad_out, i, j, m);
        const o = rows_of(out, i, j, m);
        const s = matrix_in_rows(dsum, 0, 1);
        row_sums(s.data, s.offset, go.data, go.offset, go.rowStride, o.data, o.offset, o.rowStride, rows, headSize);
        const lse = spread(rows_of(logsumexp.unsqueeze(-1), i, j, m));
        const queries = rows_of(query, i, j, m);
        const num_keys = is_causal ? Math.min(m + rows, kvSize) : kvSize;
        for (let n = 0; n < num_keys; n += kvSplit) {
          const columns = Math.min(kvSplit, kvSize - n);
          const a = matrix_in_rows(attn, 0, columns);
          const g = matrix_in_rows(grad_attn, 0, columns);
          const keys = rows_of(key, i, j_kv, n);
          gemm(rows, columns, headSize, scaling_factor, queries, transposed(keys), 0, a);
          if (mask === null) for_rows(flash_restore_loops, dtype, rows, columns, [a, a, lse]);
          else for_rows(flash_restore_masked_loops, dtype, rows, columns, [a, a, block_of(mask, i, j, m, n), lse]);
          if (is_causal) hide_behind(a, rows, columns, m - n);
          gemm(columns, headSize, rows, 1, transposed(a), go, 1, rows_of(grad_v, i, j_kv, n));
          gemm(rows, columns, headSize, 1, go, transposed(rows_of(value, i, j_kv, n)), 0, g);
          for_rows(flash_through_softmax_loops, dtype, rows, columns, [g, a, g, spread(s)]);
          gemm(rows, headSize, columns, scaling_factor, g, keys, 1, rows_of(grad_q, i, j, m));
          gemm(columns, headSize, rows, scaling_factor, transposed(g), queries, 1, rows_of(grad_k, i, j_kv, n));
        }
      }
    }
  }
  if (!reduced) return;
  for (const [t, grad] of grads.entries()) grad.copy_([grad_q, grad_k, grad_v][t]);
}

REGISTER_DISPATCH(
  flash_attention_kernel,
  (...args) => flash_attention_kernel_impl(flash_block_impl, ...args),
  "flash_attention_kernel_impl",
);
REGISTER_DISPATCH(
  flash_attention_backward_kernel,
  flash_attention_backward_kernel_impl,
  "flash_attention_backward_kernel_impl",
);
