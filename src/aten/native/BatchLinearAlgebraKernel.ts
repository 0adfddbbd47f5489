/**
 * @file Kernels that run a routine of lapack/ on each matrix of a batch. The results' memory first holds the inputs.
 * @mirrors aten/src/ATen/native/BatchLinearAlgebra.h
 * @differs Ours needs no workspace; PyTorch allocates LAPACK's as a tensor, which a profile shows.
 * @differs Ours reads and writes matrices with any strides; PyTorch passes contiguous columns to LAPACK.
 * @see lapack/ (the arithmetic)
 */

import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { cholesky_inverse_stub, cholesky_stub } from "./BatchLinearAlgebra/Cholesky.ts";
import { geqrf_stub, linalg_eigh_stub, orgqr_stub, svd_stub } from "./BatchLinearAlgebra/Decompositions.ts";
import { lu_factor_stub, lu_solve_stub, unpack_pivots_stub } from "./BatchLinearAlgebra/index.ts";
import { ldl_factor_stub, ldl_solve_stub } from "./BatchLinearAlgebra/LDL.ts";
import { triangular_solve_stub } from "./BatchLinearAlgebra/Triangular.ts";
import { REGISTER_DEFAULT_DISPATCH } from "./DispatchStub.ts";
import { cloneBatchedColumnMajor } from "./LinearAlgebraUtils.ts";
import { DOUBLE, FLOAT } from "./lapack/bdsqr.ts";
import { check_floating_types } from "./lapack/check_floating_types.ts";
import { lapackGeqrf, lapackOrgqr } from "./lapack/geqrf.ts";
import { gesvd } from "./lapack/gesvd.ts";
import { getrf, getrs } from "./lapack/getrf.ts";
import { matrices, numbers, release, vectors } from "./lapack/matrices.ts";
import { potrf } from "./lapack/potrf.ts";
import { potrs } from "./lapack/potrs.ts";
import { syev } from "./lapack/syev.ts";
import { sytrf, sytrs } from "./lapack/sytrf.ts";
import { type Triangle, trsm } from "./lapack/trsm.ts";
import { MOST_COLUMNS, trsv } from "./lapack/trsv.ts";

/** One half of each matrix becomes its factor; the other half stays. */
function cholesky_kernel(input: Tensor, info: Tensor, upper: boolean): void {
  const [items, infos] = [matrices(input, "cholesky_cpu"), numbers(info)];
  for (let b = 0; b < items.length; b++) {
    const a = items.take(b);
    infos.write(b, [potrf(a, items.n, upper)]);
    items.write(b, a);
    release();
  }
}

/** Replaces each factor by the inverse of the matrix that it belongs to. */
function cholesky_inverse_kernel_impl(result: Tensor, info: Tensor, upper: boolean): Tensor {
  const [items, infos] = [matrices(result, "cholesky_inverse_out_cpu"), numbers(info)];
  const n = items.n;
  for (let b = 0; b < items.length; b++) {
    const factor = items.read(b);
    const x = new Float64Array(n * n);
    for (let i = 0; i < n; i++) x[i + i * n] = 1;
    infos.write(b, [Array.from({ length: n }, (_, i) => factor[i + i * n]).indexOf(0) + 1]);
    potrs(factor, n, x, upper);
    items.write(b, x);
  }
  return result;
}

/** Stops at the first matrix that fails. */
function linalg_eigh_kernel(values: Tensor, eigenvectors: Tensor, info: Tensor, upper: boolean): void {
  const items = matrices(eigenvectors, "linalg_eigh_cpu");
  const [into, infos] = [vectors(values), numbers(info)];
  for (let b = 0; b < items.length; b++) {
    const a = items.read(b);
    const w = new Float64Array(items.n);
    const failed = syev(a, items.n, upper, w);
    infos.write(b, [failed]);
    into.write(b, w);
    items.write(b, a);
    if (failed !== 0) return;
  }
}

function geqrf_kernel(input: Tensor, tau: Tensor): void {
  const [items, factors] = [matrices(input, "geqrf_cpu"), vectors(tau)];
  for (let b = 0; b < items.length; b++) {
    const qr = items.take(b);
    const scales = lapackGeqrf(qr, items.m, items.n);
    items.write(b, qr);
    release();
    if (scales.length > 0) factors.write(b, scales);
  }
}

/** Replaces the reflections in the columns by the columns of Q. */
function orgqr_kernel_impl(result: Tensor, tau: Tensor): Tensor {
  const [items, factors] = [matrices(result, "orgqr_cpu"), vectors(tau)];
  if (result.numel() === 0) return result;
  TORCH_INTERNAL_ASSERT(items.m >= items.n && items.n >= tau.size(-1));
  for (let b = 0; b < items.length; b++) {
    const scales = tau.size(-1) === 0 ? new Float64Array(0) : factors.read(b);
    const q = items.take(b);
    lapackOrgqr(q, items.m, items.n, scales);
    items.write(b, q);
    release();
  }
  return result;
}

function triangular_solve_kernel(A: Tensor, B: Tensor, left: boolean, triangle: Triangle): void {
  const label = "triangular_solve_cpu";
  const in_rows = A.stride(-1) === 1; // BLAS reads columns
  const [from, into] = [matrices(A, label, in_rows), matrices(B, label)];
  for (let b = 0; b < from.length && b < into.length; b++) {
    const x = into.take(b);
    const lying = left && into.n <= MOST_COLUMNS ? from.where_it_lies(b) : null;
    if (lying === null) trsm(from.take(b), from.n, x, triangle, left);
    else trsv(lying, from.n, x, triangle);
    into.write(b, x);
    release();
  }
}

function lu_factor_kernel(input: Tensor, pivots: Tensor, info: Tensor, compute_pivots: boolean): void {
  const items = matrices(input, "lu_cpu");
  TORCH_CHECK(compute_pivots, "linalg.lu_factor: LU without pivoting is not implemented on the CPU");
  const [exchanges, infos] = [vectors(pivots), numbers(info)];
  for (let b = 0; b < items.length; b++) {
    const lu = items.take(b);
    const ipiv = new Int32Array(Math.min(items.m, items.n));
    infos.write(b, [getrf(lu, items.m, items.n, ipiv)]);
    items.write(b, lu);
    exchanges.write(b, ipiv);
    release();
  }
}

/** `t` for each item of `batch`; its last `own` dims belong to one item. */
function broadcast_batch(t: Tensor, batch: readonly number[], own: number): Tensor {
  const sizes = [...batch, ...t.sizes().slice(-own)];
  return sizes_equal(t.sizes(), sizes) ? t : t.expand(sizes);
}

function lu_solve_kernel(LU: Tensor, pivots: Tensor, B: Tensor, transposed: boolean): void {
  TORCH_CHECK(
    pivots.gt_Scalar(Scalar.ZERO).all().item().toBool(),
    "Pivots given to lu_solve must all be greater or equal to 1. Did you properly pass the result of lu_factor?",
  );
  TORCH_CHECK(
    pivots
      .le_Scalar(Scalar.fromInt(LU.size(-2)))
      .all()
      .item()
      .toBool(),
    "Pivots given to lu_solve must all be smaller or equal to LU.size(-2). Did you properly pass the result of lu_factor?",
  );
  check_floating_types(LU.scalar_type(), "linalg.lu_solve_cpu");
  const batch = B.sizes().slice(0, -2);
  const lus = matrices(broadcast_batch(LU, batch, 2), "linalg.lu_solve_cpu");
  const [exchanges, into] = [vectors(broadcast_batch(pivots, batch, 1)), matrices(B, "linalg.lu_solve_cpu")];
  for (let b = 0; b < into.length; b++) {
    const x = into.take(b);
    getrs(lus.take(b), lus.n, exchanges.read(b), x, transposed);
    into.write(b, x);
    release();
  }
}

function ldl_factor_kernel(LD: Tensor, pivots: Tensor, info: Tensor): void {
  const items = matrices(LD, "ldl_factor_kernel_cpu");
  const [exchanges, infos] = [vectors(pivots), numbers(info)];
  for (let b = 0; b < items.length; b++) {
    const a = items.read(b);
    const ipiv = new Int32Array(items.n);
    infos.write(b, [sytrf(a, items.n, ipiv)]);
    items.write(b, a);
    exchanges.write(b, ipiv);
  }
}

function ldl_solve_kernel(LD: Tensor, pivots: Tensor, result: Tensor): void {
  for (const [kept, rule] of [
    [() => pivots.abs().ge_Scalar(Scalar.ONE), ">= 1"],
    [() => pivots.abs().le_Scalar(Scalar.fromInt(LD.size(-2))), "<= LD.size(-2)"],
  ] as const)
    TORCH_CHECK(
      kept().all().item().toBool(),
      `Pivots given to ldl_solve must all satisfy |pivot| ${rule}. Did you properly pass the result of ldl_factor?`,
    );
  const ints = pivots.to_dtype(ScalarType.Int);
  const batch = result.sizes().slice(0, -2);
  const lds = matrices(broadcast_batch(LD, batch, 2), "ldl_solve_kernel_cpu");
  const exchanges = vectors(broadcast_batch(ints, batch, 1));
  const into = matrices(result, "ldl_solve_kernel_cpu");
  for (let b = 0; b < into.length; b++) {
    const x = into.read(b);
    sytrs(lds.read(b), lds.n, exchanges.read(b), x);
    into.write(b, x);
  }
}

const NON_FINITE = -4;
const NOT_CONVERGED = 1;

function svd_kernel(
  A: Tensor,
  full_matrices: boolean,
  compute_uv: boolean,
  U: Tensor,
  S: Tensor,
  Vh: Tensor,
  info: Tensor,
): void {
  const label = "linalg_svd_cpu";
  const [from, infos, values] = [matrices(cloneBatchedColumnMajor(A), label), numbers(info), vectors(S)];
  const [us, vhs] = compute_uv ? [matrices(U, label), matrices(Vh, label)] : [null, null];
  const precision = A.scalar_type() === ScalarType.Double ? DOUBLE : FLOAT;
  for (let b = 0; b < from.length; b++) {
    const a = from.read(b);
    const found = a.every(Number.isFinite) ? gesvd(a, from.m, from.n, full_matrices, precision) : null;
    if (found === null) {
      infos.write(b, [a.every(Number.isFinite) ? NOT_CONVERGED : NON_FINITE]);
      continue;
    }
    values.write(b, found.s);
    us?.write(b, found.u);
    vhs?.write(b, found.vh);
  }
}

/** Applies the row exchanges, counted from 1, in order; `perm` becomes the resulting permutation. */
function unpack_pivots_cpu_kernel(perm: Tensor, pivots: Tensor, dim_size: number, max_pivot: number): void {
  const [places, exchanges] = [vectors(perm), vectors(pivots)];
  for (let b = 0; b < exchanges.length && dim_size > 0; b++) {
    const [rows, ipiv] = [places.read(b), exchanges.read(b)];
    for (let i = 0; i < dim_size; i++) {
      const other = ipiv[i] - 1;
      TORCH_CHECK(
        other >= 0 && other < max_pivot,
        "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive.",
        "Did you properly pass the result of lu_factor?",
      );
      [rows[i], rows[other]] = [rows[other], rows[i]];
    }
    places.write(b, rows);
  }
}

REGISTER_DEFAULT_DISPATCH(cholesky_stub, cholesky_kernel, "cholesky_kernel");
REGISTER_DEFAULT_DISPATCH(cholesky_inverse_stub, cholesky_inverse_kernel_impl, "cholesky_inverse_kernel_impl");
REGISTER_DEFAULT_DISPATCH(linalg_eigh_stub, linalg_eigh_kernel, "linalg_eigh_kernel");
REGISTER_DEFAULT_DISPATCH(geqrf_stub, geqrf_kernel, "geqrf_kernel");
REGISTER_DEFAULT_DISPATCH(orgqr_stub, orgqr_kernel_impl, "orgqr_kernel_impl");
REGISTER_DEFAULT_DISPATCH(triangular_solve_stub, triangular_solve_kernel, "triangular_solve_kernel");
REGISTER_DEFAULT_DISPATCH(ldl_factor_stub, ldl_factor_kernel, "ldl_factor_kernel");
REGISTER_DEFAULT_DISPATCH(ldl_solve_stub, ldl_solve_kernel, "ldl_solve_kernel");
REGISTER_DEFAULT_DISPATCH(lu_factor_stub, lu_factor_kernel, "lu_factor_kernel");
REGISTER_DEFAULT_DISPATCH(lu_solve_stub, lu_solve_kernel, "lu_solve_kernel");
REGISTER_DEFAULT_DISPATCH(svd_stub, svd_kernel, "svd_kernel");
REGISTER_DEFAULT_DISPATCH(unpack_pivots_stub, unpack_pivots_cpu_kernel, "unpack_pivots_cpu_kernel");
