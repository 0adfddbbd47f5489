/**
 * @file The routines of lapack/ by blocks, for matrices of doubles in the heap.
 * @original Our own version of LAPACK's potrf, geqrf, orgqr, ormqr and getrf, and of BLAS's trsm; PyTorch links a library.
 * @see driver.ts (the caller), kernel.ts (what is left for single columns), ../../../lapack/ (the same without blocks)
 */
import { workspace } from "#aten/cpu/vec/heap";
import { gemm_at } from "#aten/native/cpu/vec/blas/gemm_driver";
import { WORK_BYTES } from "#aten/native/cpu/vec/blas/kernel";
import { functions_of } from "#aten/native/cpu/vec/driver";
import { LapackKernel_vec } from "#aten/native/cpu/vec/generated/lapack/kernel";
import { ScalarType } from "#c10/core/ScalarType";

// Note [Factorizations by blocks]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A factorization column by column reads the whole rest of the matrix for each column. Here BLOCK columns are factored at
// a time, and what they do to other columns is one product of matrices, which runs at the speed of gemm:
//
//   trsm     B[j] -= A[j, done] X[done]                            then X[j] = A[j, j]^-1 B[j], by substitution
//   potrf    A[rest, j] -= L[rest, done] L[j, done]'               then the diagonal block, then a triangular solve
//   geqrf    BLOCK reflections are I - V T V', with a triangle T   then C -= V (T' (V' C)) for the other columns
//   getrf    row exchanges, then U[j, rest] = L[j, j]^-1 A[j, rest], then A[rest, rest] -= L[rest, j] U[j, rest]
//
// `done` are the blocks before block j, and `rest` those behind it. The sums have the same terms as without blocks, in
// another order, so the error bounds are the same.

const BLOCK = 32;
/** Number of columns that are solved at once if they must be transposed first. */
const COLUMNS = 64;
const DOUBLE = 8;
/** Bytes for a square block, and for the transposed columns. */
const SQUARE = BLOCK * BLOCK * DOUBLE;
const TRANSPOSED = BLOCK * COLUMNS * DOUBLE;

/** Element (i, j) of a matrix is at address `at + 8 * (i * rowStride + j * columnStride)`. */
interface Block {
  readonly at: number;
  readonly rowStride: number;
  readonly columnStride: number;
  readonly batchStride: 0;
}

export function block(at: number, rowStride: number, columnStride: number): Block {
  return { at, rowStride, columnStride, batchStride: 0 };
}

/** The part of a matrix from element (i, j) on. */
function part({ at, rowStride, columnStride }: Block, i: number, j: number): Block {
  return block(at + DOUBLE * (i * rowStride + j * columnStride), rowStride, columnStride);
}

function flip({ at, rowStride, columnStride }: Block): Block {
  return block(at, columnStride, rowStride);
}

/** C = alpha * A B + beta * C, where C is m x n and the sums have k terms. */
function multiply(m: number, n: number, k: number, alpha: number, a: Block, b: Block, beta: number, c: Block): void {
  gemm_at(ScalarType.Double, [m, n, k, alpha, a, b, beta, c], 1, [c.at, a.at, b.at]);
}

const kernels = () => functions_of(LapackKernel_vec, ScalarType.Double);

/** Makes the scratch memory of products. Returns whether there is room for it. */
export function can_multiply(): boolean {
  return workspace(WORK_BYTES) !== 0;
}

// Triangular systems ---------------------------------------------------------------------------------------------------------

/** A triangle: its memory, whether it is the lower one, and whether its diagonal is taken to be ones. */
interface Triangle {
  readonly a: Block;
  readonly lower: boolean;
  readonly unit: boolean;
}

export const TRSM_BYTES = TRANSPOSED;

/** B = A^-1 B for one block, by substitution. B is n x k. */
function substitute(n: number, { a, lower, unit }: Triangle, b: Block, k: number, scratch: number): void {
  const { trsm_rows, transpose_columns } = kernels();
  const [ars, acs] = [a.rowStride * DOUBLE, a.columnStride * DOUBLE];
  const solve = (rows: number, apart: number, count: number): void => {
    if (lower) trsm_rows(n, a.at, ars, acs, unit ? 1 : 0, rows, apart, count * DOUBLE);
    else {
      const last = n - 1;
      trsm_rows(n, a.at + last * (ars + acs), -ars, -acs, unit ? 1 : 0, rows + last * apart, -apart, count * DOUBLE);
    }
  };
  const between = b.columnStride * DOUBLE;
  if (b.columnStride === 1 || k === 1) solve(b.at, b.rowStride * DOUBLE, k);
  else
    for (let j = 0; j < k; j += COLUMNS) {
      const count = Math.min(COLUMNS, k - j);
      const at = b.at + j * between;
      transpose_columns(scratch, count * DOUBLE, at, between, n, count);
      solve(scratch, count * DOUBLE, count);
      transpose_columns(at, between, scratch, count * DOUBLE, count, n);
    }
}

/** B = A^-1 B, for an n x n triangle and the n x k matrix B. Either the rows or the columns of B are contiguous. */
export function trsm_blocks(n: number, { a, lower, unit }: Triangle, b: Block, k: number, scratch: number): void {
  const blocks = Math.ceil(n / BLOCK);
  for (let s = 0; s < blocks; s++) {
    const j = (lower ? s : blocks - 1 - s) * BLOCK;
    const nb = Math.min(BLOCK, n - j);
    const [from, terms] = lower ? [0, j] : [j + nb, n - j - nb];
    if (terms > 0) multiply(nb, k, terms, -1, part(a, j, from), part(b, from, 0), 1, part(b, j, 0));
    substitute(nb, { a: part(a, j, j), lower, unit }, part(b, j, 0), k, scratch);
  }
}

// Cholesky -------------------------------------------------------------------------------------------------------------------

/** Bytes between the columns of a square: the kernel may write one element past a column. */
export const POTRF_BYTES = SQUARE + TRSM_BYTES;

/**
 * Writes L to the lower half of the n x n matrix `l`. Returns the order of the first leading minor that is not positive, or
 * 0.
 */
export function potrf_blocks(n: number, l: Block, scratch: number): number {
  const { potf2 } = kernels();
  const square = block(scratch, BLOCK, 1);
  for (let j = 0; j < n; j += BLOCK) {
    const nb = Math.min(BLOCK, n - j);
    const [diagonal, row] = [part(l, j, j), part(l, j, 0)];
    multiply(nb, nb, j, 1, row, flip(row), 0, square);
    const [ars, acs] = [l.rowStride * DOUBLE, l.columnStride * DOUBLE];
    const info = potf2(nb, scratch, BLOCK * DOUBLE, diagonal.at, ars, acs);
    if (info !== 0) return j + info;
    const rest = n - j - nb;
    if (rest === 0) break;
    const below = part(l, j + nb, j);
    if (j > 0) multiply(rest, nb, j, -1, part(l, j + nb, 0), flip(row), 1, below);
    substitute(nb, { a: diagonal, lower: true, unit: false }, flip(below), rest, scratch + SQUARE);
  }
  return 0;
}

// Reflections ----------------------------------------------------------------------------------------------------------------

/** Reflections as I - V T V': V has `rows` rows and `count` columns. */
interface Reflections {
  readonly v: Block;
  readonly t: Block;
  readonly rows: number;
  readonly count: number;
  /** Memory for two matrices of `count` rows. */
  readonly scratch: number;
}

/** Bytes for the reflections of matrices with `m` rows, and for their products with `columns` columns. */
export function reflection_bytes(m: number, columns: number): number {
  return 2 * SQUARE + BLOCK * (m + 2 * columns) * DOUBLE;
}

/** The `count` reflections whose vectors are below the diagonal of `a`, which has `rows` rows. */
function reflections(rows: number, count: number, a: Block, tau: number, scratch: number): Reflections {
  const { copy_reflections, larft } = kernels();
  const [g, t] = [block(scratch, BLOCK, 1), block(scratch + SQUARE, BLOCK, 1)];
  const v = block(scratch + 2 * SQUARE, 1, rows);
  copy_reflections(rows, count, v.at, rows * DOUBLE, a.at, a.columnStride * DOUBLE);
  multiply(count, count, rows, 1, flip(v), v, 0, g);
  larft(count, g.at, BLOCK * DOUBLE, t.at, BLOCK * DOUBLE, tau);
  return { v, t, rows, count, scratch: v.at + rows * count * DOUBLE };
}

/** C = (I - V T V') C, or with T' if `transpose`, for `columns` columns. */
function reflect({ v, t, rows, count, scratch }: Reflections, transpose: boolean, c: Block, columns: number): void {
  const w = block(scratch, columns, 1);
  const tw = block(scratch + count * columns * DOUBLE, columns, 1);
  multiply(count, columns, rows, 1, flip(v), c, 0, w);
  multiply(count, columns, count, 1, transpose ? flip(t) : t, w, 0, tw);
  multiply(rows, columns, count, -1, v, tw, 1, c);
}

/** R, the vectors of the reflections, and their factors at `tau`, of the m x n matrix `a` with contiguous columns. */
export function geqrf_blocks(m: number, n: number, a: Block, tau: number, scratch: number): void {
  const { geqr2 } = kernels();
  const k = Math.min(m, n);
  for (let j = 0; j < k; j += BLOCK) {
    const nb = Math.min(BLOCK, k - j);
    const from = part(a, j, j);
    geqr2(m - j, nb, from.at, a.columnStride * DOUBLE, tau + j * DOUBLE);
    const rest = n - j - nb;
    if (rest === 0) break;
    reflect(reflections(m - j, nb, from, tau + j * DOUBLE, scratch), true, part(a, j, j + nb), rest);
  }
}

/** Replaces the k reflections in `a` by the first `columns` columns of Q. */
export function orgqr_blocks(m: number, columns: number, k: number, a: Block, tau: number, scratch: number): void {
  const { unit_columns } = kernels();
  const between = a.columnStride * DOUBLE;
  unit_columns(m, k, columns - k, part(a, 0, k).at, between);
  for (let j = last_block(k); j >= 0; j -= BLOCK) {
    const nb = Math.min(BLOCK, k - j);
    const some = reflections(m - j, nb, part(a, j, j), tau + j * DOUBLE, scratch);
    unit_columns(m, j, nb, part(a, 0, j).at, between);
    reflect(some, false, part(a, j, j), columns - j);
  }
}

/** C = Q C, or Q' C if `transpose`, for the k reflections in `a` and `columns` columns of C. */
export function ormqr_blocks(
  m: number,
  k: number,
  a: Block,
  tau: number,
  transpose: boolean,
  c: Block,
  columns: number,
  scratch: number,
): void {
  const last = last_block(k);
  for (let s = 0; s <= last; s += BLOCK) {
    const j = transpose ? s : last - s;
    const nb = Math.min(BLOCK, k - j);
    reflect(reflections(m - j, nb, part(a, j, j), tau + j * DOUBLE, scratch), transpose, part(c, j, 0), columns);
  }
}

/** The first column of the last block of `k` columns; negative if there is none. */
function last_block(k: number): number {
  return (Math.ceil(k / BLOCK) - 1) * BLOCK;
}

// LU -------------------------------------------------------------------------------------------------------------------------

/**
 * L and U of the m x n matrix `a` with contiguous columns, and the row exchanges, counted from 1, as int32 at `ipiv`.
 * Returns the number of the first zero pivot, or 0.
 */
export function getrf_blocks(m: number, n: number, a: Block, ipiv: number, scratch: number): number {
  const { getf2, laswp } = kernels();
  const between = a.columnStride * DOUBLE;
  const k = Math.min(m, n);
  let info = 0;
  for (let j = 0; j < k; j += BLOCK) {
    const nb = Math.min(BLOCK, k - j);
    const [diagonal, right, pivots] = [part(a, j, j), j + nb, ipiv + 4 * j];
    const failed = getf2(m - j, nb, diagonal.at, between, pivots, j);
    if (failed !== 0 && info === 0) info = j + failed;
    laswp(j, a.at, between, j, right, pivots);
    const [below, rest] = [m - right, n - right];
    if (rest === 0) break;
    laswp(rest, part(a, 0, right).at, between, j, right, pivots);
    substitute(nb, { a: diagonal, lower: true, unit: true }, part(a, j, right), rest, scratch);
    if (below > 0) multiply(below, rest, nb, -1, part(a, right, j), part(a, j, right), 1, part(a, right, right));
  }
  return info;
}
