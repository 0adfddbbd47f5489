/**
 * @file Decompositions by reflections and rotations: QR, eigenvalues of symmetric matrices, singular values.
 * @mirrors aten/src/ATen/native/BatchLinearAlgebra.cpp
 * @see BatchLinearAlgebraKernel.ts, lapack/geqrf.ts, lapack/syev.ts, lapack/gesvd.ts (the arithmetic)
 */
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import {
  _parse_qr_mode,
  batched_matrix_contiguous_strides,
  checkFloatingOrComplex,
  checkIsMatrix,
  checkLinalgCompatibleDtype,
  checkSameDevice,
  checkUplo,
  cloneBatchedColumnMajor,
  squareCheckInputs,
} from "#aten/native/LinearAlgebraUtils";
import { resize_output } from "#aten/native/Resize";
import { MetaBase } from "#aten/TensorMeta";
import { GradMode } from "#c10/core/GradMode";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT, TORCH_WARN_ONCE } from "#c10/util/Exception";
import { is_batched_column_major } from "./Cholesky.ts";

/** Overwrites `input`, which holds the matrices. */
export const geqrf_stub = DEFINE_DISPATCH<(input: Tensor, tau: Tensor) => void>("geqrf_stub");
/** Overwrites `result`, which holds the output of geqrf. */
export const orgqr_stub = DEFINE_DISPATCH<(result: Tensor, tau: Tensor) => Tensor>("orgqr_stub");
/** Overwrites `eigenvectors`, which holds the matrices. */
export const linalg_eigh_stub =
  DEFINE_DISPATCH<(eigenvalues: Tensor, eigenvectors: Tensor, info: Tensor, upper: boolean) => void>(
    "linalg_eigh_stub",
  );
export const svd_stub =
  DEFINE_DISPATCH<
    (A: Tensor, full_matrices: boolean, compute_uv: boolean, U: Tensor, S: Tensor, Vh: Tensor, info: Tensor) => void
  >("svd_stub");

/** Announces an output of this shape with column-major matrices. */
function set_columns(meta: MetaBase, index: number, shape: readonly number[], A: Tensor): void {
  meta.set_output_strided(index, shape, batched_matrix_contiguous_strides(shape, true), A.options());
}

/** Whether vectors are needed for a derivative, backward or forward. */
function _may_require_fw_or_bw_grad(A: Tensor): boolean {
  return (GradMode.is_enabled() && A.requires_grad()) || A._fw_grad(0).defined();
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
/**
 * The reflections are computed in the memory of Q if the matrix fits there, else in that of R, else in a new tensor.
 */
export abstract class structured_linalg_qr_out extends structured_linalg_qr {
  impl(A: Tensor, mode: string, Q: Tensor, R: Tensor): void {
    const [m, n] = [A.size(-2), A.size(-1)];
    const [compute_q] = _parse_qr_mode(mode);
    const tau = A.new_empty([...A.sizes().slice(0, -2), Math.min(m, n)]);
    let QR: Tensor;
    if (compute_q && Q.size(-1) === n) {
      QR = Q;
      QR.copy_(A);
    } else if (R.size(-2) === m) {
      QR = R;
      QR.copy_(A);
    } else QR = cloneBatchedColumnMajor(A);
    geqrf_stub.call(A.device().type(), QR, tau);
    if (QR.is_alias_of(R)) {
      if (compute_q) {
        TORCH_INTERNAL_ASSERT(Q.size(-1) === m);
        if (m < n) Q.copy_(QR.slice_Tensor(-1, 0, m));
        else Q.slice_Tensor(-1, 0, n).copy_(QR);
      }
      R.triu_();
    } else at.triu_out(QR.slice_Tensor(-2, 0, n), 0, R);
    if (compute_q) orgqr_stub.call(A.device().type(), Q, tau);
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

function geqrf_out_helper(input: Tensor, QR: Tensor, tau: Tensor): void {
  if (QR.numel() === 0) {
    QR.resize_as_(input.mT(), MemoryFormat.Contiguous);
    QR.transpose_(-2, -1);
  }
  const tau_shape = [...input.sizes().slice(0, -2), Math.min(input.size(-2), input.size(-1))];
  if (tau.numel() === 0) tau.resize_(tau_shape);
  TORCH_INTERNAL_ASSERT(QR.mT().is_contiguous() && sizes_equal(QR.sizes(), input.sizes()));
  TORCH_INTERNAL_ASSERT(tau.is_contiguous() && sizes_equal(tau.sizes(), tau_shape));
  QR.copy_(input);
  geqrf_stub.call(input.device().type(), QR, tau);
}

// geqrf.a                                                                           CPU
export function geqrf_out(input: Tensor, QR: Tensor, tau: Tensor): [Tensor, Tensor] {
  TORCH_CHECK(input.dim() >= 2, "torch.geqrf: input must have at least 2 dimensions.");
  checkSameDevice("torch.geqrf", QR, input, "a");
  checkSameDevice("torch.geqrf", tau, input, "tau");
  checkLinalgCompatibleDtype("torch.geqrf", QR.scalar_type(), input.scalar_type(), "a");
  checkLinalgCompatibleDtype("torch.geqrf", tau.scalar_type(), input.scalar_type(), "tau");
  const tau_shape = [...input.sizes().slice(0, -2), Math.min(input.size(-2), input.size(-1))];
  const tau_fits =
    tau.scalar_type() === input.scalar_type() &&
    (tau.numel() === 0 || (tau.is_contiguous() && sizes_equal(tau.sizes(), tau_shape)));
  if (is_batched_column_major(QR, input) && tau_fits) {
    geqrf_out_helper(input, QR, tau);
    return [QR, tau];
  }
  const [QR_tmp, tau_tmp] = [
    at.empty_memory_format([0], input.options()),
    at.empty_memory_format([0], input.options()),
  ];
  geqrf_out_helper(input, QR_tmp, tau_tmp);
  resize_output(QR, QR_tmp.sizes());
  QR.copy_(QR_tmp);
  resize_output(tau, tau_tmp.sizes());
  tau.copy_(tau_tmp);
  return [QR, tau];
}

// geqrf(Tensor self) -> (Tensor a, Tensor tau)                                      CPU
export function geqrf(input: Tensor): [Tensor, Tensor] {
  const [QR, tau] = [at.empty_memory_format([0], input.options()), at.empty_memory_format([0], input.options())];
  return at.geqrf_a(input, QR, tau);
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
    if (A.numel() === 0) return;
    const upper = uplo[0].toUpperCase() === "U";
    const V_ = compute_v ? V.copy_(A) : cloneBatchedColumnMajor(A);
    const info = at.zeros(A.sizes().slice(0, -2), A.options().dtype(ScalarType.Int));
    linalg_eigh_stub.call(A.device().type(), L, V_, info, upper);
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
  return at._linalg_eigh(A, uplo, _may_require_fw_or_bw_grad(A))[0];
}

export function linalg_eigvalsh_out(A: Tensor, uplo: string, L: Tensor): Tensor {
  const V = at.empty_memory_format([0], A.options());
  at._linalg_eigh_eigenvalues(A, uplo, false, L, V);
  return L;
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
    if (A.numel() === 0) {
      // A matrix without rows or columns has any basis as its vectors.
      for (const basis of [U, Vh]) {
        if (!compute_uv || !full_matrices || basis.numel() === 0) continue;
        basis.zero_();
        basis.diagonal(0, -2, -1).fill__Scalar(Scalar.ONE);
      }
      return;
    }
    TORCH_CHECK(
      driver === null,
      "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend.",
    );
    const info = at.zeros(A.sizes().slice(0, -2), A.options().dtype(ScalarType.Int));
    svd_stub.call(A.device().type(), A, full_matrices, compute_uv, U, S, Vh, info);
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
  return at._linalg_svd(A, false, _may_require_fw_or_bw_grad(A), driver)[1];
}

export function linalg_svdvals_out(A: Tensor, driver: string | null, S: Tensor): Tensor {
  const [U, Vh] = [at.empty_memory_format([0], A.options()), at.empty_memory_format([0], A.options())];
  at._linalg_svd_U(A, false, false, driver, U, S, Vh);
  return S;
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
  return [zeros(self.size(-2)), S, zeros(self.size(-1)).mH()];
}

export function svd_out(
  self: Tensor,
  some: boolean,
  compute_uv: boolean,
  U: Tensor,
  S: Tensor,
  V: Tensor,
): [Tensor, Tensor, Tensor] {
  if (compute_uv) {
    if (V.dim() >= 2) V.transpose_(-2, -1);
    at.linalg_svd_U(self, !some, null, U, S, V);
    V.transpose_(-2, -1);
    return [U, S, V];
  }
  for (const out of [U, V])
    TORCH_CHECK(
      self.scalar_type() === out.scalar_type(),
      `torch.svd: Expected out tensor to have dtype ${toString(self.scalar_type())} but got ${toString(out.scalar_type())} instead`,
    );
  at.linalg_svdvals_out(self, null, S);
  for (const [out, n] of [
    [U, self.size(-2)],
    [V, self.size(-1)],
  ] as const) {
    resize_output(out, [...self.sizes().slice(0, -2), n, n]);
    out.zero_();
  }
  return [U, S, V];
}
