/**
 * @file Decompositions by reflections and rotations: QR, eigenvalues of symmetric matrices, singular values.
 * @mirrors aten/src/ATen/native/BatchLinearAlgebra.cpp
 * @see lapack/geqrf.ts, lapack/syev.ts, lapack/gesvd.ts (the arithmetic)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MetaBase } from "#aten/TensorMeta";
import { GradMode } from "#c10/core/GradMode";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_WARN_ONCE } from "#c10/util/Exception";
import {
  _parse_qr_mode,
  batched_matrix_contiguous_strides,
  checkFloatingOrComplex,
  checkIsMatrix,
  checkUplo,
  squareCheckInputs,
} from "./LinearAlgebraUtils.ts";
import { DOUBLE, FLOAT } from "./lapack/bdsqr.ts";
import { geqr2, org2r } from "./lapack/geqrf.ts";
import { gesvd } from "./lapack/gesvd.ts";
import { matrices, numbers, vectors } from "./lapack/matrices.ts";
import { syev } from "./lapack/syev.ts";
import { resize_output } from "./Resize.ts";

/** Each matrix of `shape` in columns. */
function set_columns(meta: MetaBase, index: number, shape: readonly number[], A: Tensor): void {
  meta.set_output_strided(index, shape, batched_matrix_contiguous_strides(shape, true), A.options());
}

/** Vectors are computed for a derivative, too. */
function may_require_grad(A: Tensor): boolean {
  return GradMode.is_enabled() && A.requires_grad();
}

// qr ------------------------------------------------------------------------------------------------------------------------

export abstract class structured_linalg_qr extends MetaBase {
  meta(A: Tensor, mode: string): void {
    checkIsMatrix(A, "linalg.qr");
    checkFloatingOrComplex(A, "linalg.qr");
    const [compute_q, reduced] = _parse_qr_mode(mode);
    const batch = A.sizes().slice(0, -2);
    const [m, n] = [A.size(-2), A.size(-1)];
    const k = Math.min(m, n);
    if (compute_q) set_columns(this, 0, [...batch, m, reduced ? k : m], A);
    else this.set_output_contiguous(0, [0], A.options());
    set_columns(this, 1, [...batch, reduced || !compute_q ? k : m, n], A);
  }
}

// linalg_qr.out                                                                     CPU
export abstract class structured_linalg_qr_out extends structured_linalg_qr {
  impl(A: Tensor, mode: string, Q: Tensor, R: Tensor): void {
    const [compute_q] = _parse_qr_mode(mode);
    const [from, qs, rs] = [
      matrices(A, "geqrf_cpu"),
      matrices(compute_q ? Q : R, "geqrf_cpu"),
      matrices(R, "geqrf_cpu"),
    ];
    const [m, n, rows] = [A.size(-2), A.size(-1), R.size(-2)];
    for (let b = 0; b < from.length; b++) {
      const a = from.read(b);
      const tau = geqr2(a, m, n);
      const r = new Float64Array(rows * n);
      for (let j = 0; j < n; j++) for (let i = 0; i <= j && i < rows; i++) r[i + j * rows] = a[i + j * m];
      rs.write(b, r);
      if (compute_q) qs.write(b, org2r(a, m, qs.n, tau));
    }
    if (compute_q && A.numel() === 0 && Q.numel() > 0) at.eye_m_out(m, Q.size(-1), Q); // of no columns: any basis
  }
}

function warn_qr(): void {
  TORCH_WARN_ONCE(
    "torch.qr is deprecated in favor of torch.linalg.qr and will be removed in a future PyTorch release.\n",
    "The boolean parameter 'some' has been replaced with a string parameter 'mode'.\n",
    "Q, R = torch.qr(A, some)\n",
    "should be replaced with\n",
    "Q, R = torch.linalg.qr(A, 'reduced' if some else 'complete')",
  );
}

// qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)                           CompositeImplicitAutograd
export function qr(self: Tensor, some: boolean): [Tensor, Tensor] {
  warn_qr();
  return at.linalg_qr(self, some ? "reduced" : "complete");
}

export function qr_out(self: Tensor, some: boolean, Q: Tensor, R: Tensor): [Tensor, Tensor] {
  warn_qr();
  return at.linalg_qr_out(self, some ? "reduced" : "complete", Q, R);
}

// geqrf(Tensor self) -> (Tensor a, Tensor tau)                                      CPU
export function geqrf(input: Tensor): [Tensor, Tensor] {
  TORCH_CHECK(input.dim() >= 2, "torch.geqrf: input must have at least 2 dimensions.");
  const [sizes, k] = [input.sizes(), Math.min(input.size(-2), input.size(-1))];
  const a = at.empty_strided(sizes as number[], batched_matrix_contiguous_strides(sizes, true), input.options());
  const tau = at.empty_memory_format([...sizes.slice(0, -2), k], input.options());
  const [from, into, factors] = [matrices(input, "geqrf_cpu"), matrices(a, "geqrf_cpu"), vectors(tau)];
  for (let b = 0; b < from.length; b++) {
    const qr = from.read(b);
    factors.write(b, geqr2(qr, from.m, from.n));
    into.write(b, qr);
  }
  return [a, tau];
}

// geqrf.a                                                                           CPU
export function geqrf_out(input: Tensor, a: Tensor, tau: Tensor): [Tensor, Tensor] {
  const [a_, tau_] = at.geqrf(input);
  resize_output(a, a_.sizes());
  resize_output(tau, tau_.sizes());
  return [a.copy_(a_), tau.copy_(tau_)];
}

// eigh ----------------------------------------------------------------------------------------------------------------------

export abstract class structured__linalg_eigh extends MetaBase {
  meta(A: Tensor, uplo: string, compute_v: boolean): void {
    squareCheckInputs(A, "linalg.eigh");
    checkUplo(uplo);
    if (compute_v) set_columns(this, 1, A.sizes(), A);
    else this.set_output_contiguous(1, [0], A.options());
    this.set_output_contiguous(0, A.sizes().slice(0, -1), A.options());
  }
}

// _linalg_eigh.eigenvalues                                                          CPU
export abstract class structured__linalg_eigh_out extends structured__linalg_eigh {
  impl(A: Tensor, uplo: string, compute_v: boolean, L: Tensor, V: Tensor): void {
    const label = "linalg_eigh_cpu";
    const info = at.zeros(A.sizes().slice(0, -2), A.options().dtype(ScalarType.Int));
    const upper = uplo.toUpperCase() === "U";
    const from = matrices(A, label);
    const [values, into, infos] = [vectors(L), matrices(compute_v ? V : A, label), numbers(info)];
    for (let b = 0; b < from.length; b++) {
      const a = from.read(b);
      const w = new Float64Array(from.n);
      infos.write(b, [syev(a, from.n, upper, w)]);
      values.write(b, w);
      if (compute_v) into.write(b, a);
    }
    at._linalg_check_errors(info, "linalg.eigh", A.dim() === 2);
  }
}

// linalg_eigh(Tensor self, str UPLO="L") -> (Tensor eigenvalues, Tensor eigenvectors)   CompositeImplicitAutograd
export function linalg_eigh(A: Tensor, uplo: string): [Tensor, Tensor] {
  return at._linalg_eigh(A, uplo, true);
}

export function linalg_eigh_out(A: Tensor, uplo: string, L: Tensor, V: Tensor): [Tensor, Tensor] {
  return at._linalg_eigh_eigenvalues(A, uplo, true, L, V);
}

// linalg_eigvalsh(Tensor self, str UPLO="L") -> Tensor                              CompositeImplicitAutograd
export function linalg_eigvalsh(A: Tensor, uplo: string): Tensor {
  return at._linalg_eigh(A, uplo, may_require_grad(A))[0];
}

export function linalg_eigvalsh_out(A: Tensor, uplo: string, L: Tensor): Tensor {
  const V = at.empty_memory_format([0], A.options());
  return at._linalg_eigh_eigenvalues(A, uplo, false, L, V)[0];
}

// svd -----------------------------------------------------------------------------------------------------------------------

export abstract class structured__linalg_svd extends MetaBase {
  meta(A: Tensor, full_matrices: boolean, compute_uv: boolean, _driver: string | null): void {
    checkIsMatrix(A, "linalg.svd");
    checkFloatingOrComplex(A, "linalg.svd");
    const batch = A.sizes().slice(0, -2);
    const [m, n] = [A.size(-2), A.size(-1)];
    const k = Math.min(m, n);
    if (compute_uv) {
      set_columns(this, 0, [...batch, m, full_matrices ? m : k], A);
      set_columns(this, 2, [...batch, full_matrices ? n : k, n], A);
    } else {
      this.set_output_contiguous(0, [0], A.options());
      this.set_output_contiguous(2, [0], A.options());
    }
    this.set_output_contiguous(1, [...batch, k], A.options());
  }
}

const NON_FINITE = -4;
const NOT_CONVERGED = 1;

// _linalg_svd.U                                                                     CPU
export abstract class structured__linalg_svd_out extends structured__linalg_svd {
  impl(
    A: Tensor,
    full_matrices: boolean,
    compute_uv: boolean,
    driver: string | null,
    U: Tensor,
    S: Tensor,
    Vh: Tensor,
  ): void {
    TORCH_CHECK(
      driver === null,
      "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend.",
    );
    if (A.numel() === 0) {
      // Of no rows or no columns: any basis.
      for (const basis of [U, Vh]) {
        if (!compute_uv || !full_matrices) continue;
        basis.zero_();
        basis.diagonal(0, -2, -1).fill__Tensor(at.ones([], basis.options()));
      }
      return;
    }
    const label = "linalg_svd_cpu";
    const info = at.zeros(A.sizes().slice(0, -2), A.options().dtype(ScalarType.Int));
    const [from, infos, values] = [matrices(A, label), numbers(info), vectors(S)];
    const precision = A.scalar_type() === ScalarType.Double ? DOUBLE : FLOAT;
    const [us, vhs] = compute_uv ? [matrices(U, label), matrices(Vh, label)] : [null, null];
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
    at._linalg_check_errors(info, "linalg.svd", A.dim() === 2);
  }
}

// linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)
//                                                                                    CompositeImplicitAutograd
export function linalg_svd(A: Tensor, full_matrices: boolean, driver: string | null): [Tensor, Tensor, Tensor] {
  return at._linalg_svd(A, full_matrices, true, driver);
}

export function linalg_svd_out(
  A: Tensor,
  full_matrices: boolean,
  driver: string | null,
  U: Tensor,
  S: Tensor,
  Vh: Tensor,
): [Tensor, Tensor, Tensor] {
  return at._linalg_svd_U(A, full_matrices, true, driver, U, S, Vh);
}

// linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor                           CompositeImplicitAutograd
export function linalg_svdvals(A: Tensor, driver: string | null): Tensor {
  return at._linalg_svd(A, false, may_require_grad(A), driver)[1];
}

export function linalg_svdvals_out(A: Tensor, driver: string | null, S: Tensor): Tensor {
  const [U, Vh] = [at.empty_memory_format([0], A.options()), at.empty_memory_format([0], A.options())];
  return at._linalg_svd_U(A, false, false, driver, U, S, Vh)[1];
}

// svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)   CompositeImplicitAutograd
export function svd(self: Tensor, some: boolean, compute_uv: boolean): [Tensor, Tensor, Tensor] {
  TORCH_CHECK(
    self.dim() >= 2,
    "linalg.svd: input should have at least 2 dimensions, but has ",
    self.dim(),
    " dimensions instead",
  );
  if (compute_uv) {
    const [U, S, Vh] = at.linalg_svd(self, !some);
    return [U, S, Vh.mH()];
  }
  const S = at.linalg_svdvals(self);
  const zeros = (n: number): Tensor => at.zeros([...self.sizes().slice(0, -2), n, n], self.options());
  return [zeros(self.size(-2)), S, zeros(self.size(-1))];
}

export function svd_out(
  self: Tensor,
  some: boolean,
  compute_uv: boolean,
  U: Tensor,
  S: Tensor,
  V: Tensor,
): [Tensor, Tensor, Tensor] {
  const results = at.svd(self, some, compute_uv);
  [U, S, V].forEach((out, i) => {
    resize_output(out, results[i].sizes());
    out.copy_(results[i]);
  });
  return [U, S, V];
}
