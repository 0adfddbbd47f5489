/**
 * @file Matrix products: mm, addmm, bmm, baddbmm; and `matmul`, which chooses among them by shape.
 * @mirrors aten/src/ATen/native/LinearAlgebra.cpp
 * @see CPUBlas.ts (gemm), Blas.ts (products with vectors)
 */
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { gemm, gemm_batched, TransposeType } from "#aten/native/CPUBlas";
import { resize_output } from "#aten/native/Resize";
import { MetaBase } from "#aten/TensorMeta";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";
import { baddbmm_cpu_kernel } from "./Baddbmm.ts";

function expand_size(to_expand: Tensor, sizes: number[]): Tensor {
  return sizes_equal(to_expand.sizes(), sizes) ? to_expand : to_expand.expand(sizes);
}

function isZero(s: Scalar): boolean {
  return s.toNumber() === 0 && s.imag() === 0;
}

// mm, addmm -------------------------------------------------------------------------------------------------------------

function check_multipliable(mat1: Tensor, mat2: Tensor): void {
  const [m, k] = mat1.sizes() as [number, number];
  const [k2, n] = mat2.sizes() as [number, number];
  TORCH_CHECK(k === k2, "mat1 and mat2 shapes cannot be multiplied (", m, "x", k, " and ", k2, "x", n, ")");
}

export abstract class structured_mm extends MetaBase {
  meta(self: Tensor, mat2: Tensor): void {
    // self (m, k), mat2 (k, n)
    TORCH_CHECK(self.dim() === 2, "self must be a matrix");
    TORCH_CHECK(mat2.dim() === 2, "mat2 must be a matrix");
    check_multipliable(self, mat2);
    this.set_output_raw_strided(0, [self.size(0), mat2.size(1)], [], self.options());
  }
}

// mm.out                                                                            CPU
export abstract class structured_mm_out_cpu extends structured_mm {
  impl(self: Tensor, mat2: Tensor, result: Tensor): void {
    addmm_impl_cpu_(result, result, self, mat2, Scalar.ZERO, Scalar.ONE);
  }
}

function addmm_meta(meta: MetaBase, self: Tensor, mat1: Tensor, mat2: Tensor): void {
  TORCH_CHECK(
    self.scalar_type() === mat2.scalar_type(),
    "self and mat2 must have the same dtype, but got ",
    toString(self.scalar_type()),
    " and ",
    toString(mat2.scalar_type()),
  );
  TORCH_CHECK(
    mat1.scalar_type() === mat2.scalar_type(),
    "mat1 and mat2 must have the same dtype, but got ",
    toString(mat1.scalar_type()),
    " and ",
    toString(mat2.scalar_type()),
  );
  TORCH_CHECK(mat1.dim() === 2, "mat1 must be a matrix, got ", mat1.dim(), "-D tensor");
  TORCH_CHECK(mat2.dim() === 2, "mat2 must be a matrix, got ", mat2.dim(), "-D tensor");
  check_multipliable(mat1, mat2);
  meta.set_output_raw_strided(0, [mat1.size(0), mat2.size(1)], [], mat1.options());
}

export abstract class structured_addmm extends MetaBase {
  meta(self: Tensor, mat1: Tensor, mat2: Tensor, _beta: Scalar, _alpha: Scalar): void {
    addmm_meta(this, self, mat1, mat2);
  }
}

export abstract class structured__addmm_activation extends MetaBase {
  meta(self: Tensor, mat1: Tensor, mat2: Tensor, _beta: Scalar, _alpha: Scalar, _use_gelu: boolean): void {
    addmm_meta(this, self, mat1, mat2);
  }
}

// addmm.out                                                                         CPU
export abstract class structured_addmm_out_cpu extends structured_addmm {
  impl(self: Tensor, mat1: Tensor, mat2: Tensor, beta: Scalar, alpha: Scalar, result: Tensor): void {
    const b_self = expand_size(self, [mat1.size(0), mat2.size(1)]);
    addmm_impl_cpu_(result, b_self, mat1, mat2, beta, alpha);
  }
}

// _addmm_activation.out                                                             CPU
export abstract class structured_addmm_activation_out_cpu extends structured__addmm_activation {
  impl(self: Tensor, mat1: Tensor, mat2: Tensor, beta: Scalar, alpha: Scalar, use_gelu: boolean, result: Tensor): void {
    const b_self = expand_size(self, [mat1.size(0), mat2.size(1)]);
    addmm_impl_cpu_(result, b_self, mat1, mat2, beta, alpha);
    if (use_gelu) at.gelu_(result);
    else result.relu_();
  }
}

/** Whether BLAS can read a matrix as columns of `rows` contiguous elements with the stride `ld`. */
function hasColumns(strides: readonly number[], rowDim: number, rows: number): boolean {
  return strides[rowDim] === 1 && strides[1 - rowDim] >= Math.max(1, rows);
}

interface Operand {
  readonly tensor: Tensor;
  readonly transpose: boolean;
}

// Note [Row-major through a column-major gemm]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// BLAS reads columns. A row-major result is the transpose of a column-major one, so C = A B is computed as C' = B' A':
// the operands are exchanged, and the dims of each are exchanged. `rowDim` is the dim of a tensor that BLAS takes as
// rows: 0, or 1 after the exchange. An operand that is contiguous along neither dim is copied first.
function asBlasOperand(t: Tensor, rowDim: number, rows: number, columns: number): Operand {
  const strides = t.strides();
  if (hasColumns(strides, rowDim, rows)) return { tensor: t.resolve_conj(), transpose: false };
  if (hasColumns(strides, 1 - rowDim, columns)) return { tensor: t, transpose: true };
  return { tensor: t.clone(MemoryFormat.Contiguous), transpose: rowDim === 0 };
}

/** result = beta * self + alpha * m1 @ m2. Precondition: `self` has the shape of the product; it may be `result`. */
export function addmm_impl_cpu_(
  result: Tensor,
  self: Tensor,
  m1: Tensor,
  m2: Tensor,
  beta: Scalar,
  alpha: Scalar,
): void {
  TORCH_INTERNAL_ASSERT(self.dim() === 2 && m1.dim() === 2 && m2.dim() === 2);
  TORCH_CHECK(
    m1.dtype() === m2.dtype(),
    "expected m1 and m2 to have the same dtype, but got: ",
    typeMetaName(m1.dtype()),
    " != ",
    typeMetaName(m2.dtype()),
  );
  const [rows, inner] = m1.sizes() as [number, number];
  const columns = m2.size(1);
  if (self.size(0) !== rows || self.size(1) !== columns) {
    TORCH_CHECK(
      false,
      "input shape is incompatible with matrix multiplication (",
      `${rows}x${inner} @ ${m2.size(0)}x${columns} != ${self.size(0)}x${self.size(1)})`,
    );
  }
  resize_output(result, self.sizes());
  if (result.numel() === 0) return;

  if (inner === 0) {
    // A product with k = 0 is zero.
    if (isZero(beta)) {
      result.zero_();
      return;
    }
    if (!self.is_same(result)) result.copy_(self);
    result.mul__Scalar(beta);
    return;
  }
  if (!isZero(beta) && !self.is_same(result)) result.copy_(self);

  const strides = result.strides();
  const asColumns = strides[0] === 1 && (columns === 1 || strides[1] >= Math.max(1, rows));
  const asRows = !asColumns && strides[1] === 1 && (rows === 1 || strides[0] >= Math.max(1, columns));
  const c =
    asColumns || asRows
      ? result.resolve_conj()
      : result.resolve_conj().transpose_int(0, 1).contiguous().transpose_(0, 1);

  const rowDim = asRows ? 1 : 0; // see the Note
  const m = asRows ? columns : rows;
  const n = asRows ? rows : columns;
  const a = asBlasOperand(asRows ? m2 : m1, rowDim, m, inner);
  const b = asBlasOperand(asRows ? m1 : m2, rowDim, inner, n);
  gemm(
    a.transpose ? TransposeType.Transpose : TransposeType.NoTranspose,
    b.transpose ? TransposeType.Transpose : TransposeType.NoTranspose,
    m,
    n,
    inner,
    alpha,
    a.tensor,
    a.tensor.strides()[a.transpose ? rowDim : 1 - rowDim],
    b.tensor,
    b.tensor.strides()[b.transpose ? rowDim : 1 - rowDim],
    beta,
    c,
    c.strides()[1 - rowDim],
  );
  if (!c.is_same(result)) result.copy_(c);
}

// bmm, baddbmm ------------------------------------------------------------------------------------------------------------

function common_checks_baddbmm_bmm(
  meta: MetaBase,
  batch1: Tensor,
  batch2: Tensor,
  beta: Scalar,
  self_baddbmm: Tensor | null,
): void {
  TORCH_CHECK(batch1.dim() === 3, "batch1 must be a 3D tensor");
  TORCH_CHECK(batch2.dim() === 3, "batch2 must be a 3D tensor");
  const [bs, res_rows, contraction_size] = batch1.sizes() as [number, number, number];
  const res_cols = batch2.size(2);
  TORCH_CHECK(
    batch2.size(0) === bs && batch2.size(1) === contraction_size,
    `Expected size for first two dimensions of batch2 tensor to be: [${bs}, ${contraction_size}]`,
    ` but got: [${batch2.size(0)}, ${batch2.size(1)}].`,
  );
  const output_size = [bs, res_rows, res_cols];
  meta.set_output_raw_strided(0, output_size, [], batch2.options());
  const result = meta.maybe_get_output(0);
  TORCH_CHECK(
    sizes_equal(result.sizes(), output_size),
    "Expected an output tensor with shape [",
    output_size,
    "] but got shape ",
    result.sizes(),
  );
  if (self_baddbmm !== null && !isZero(beta) && !result.is_same(self_baddbmm)) result.copy_(self_baddbmm);
}

export abstract class structured_bmm extends MetaBase {
  meta(self: Tensor, mat2: Tensor): void {
    // self (b, m, k), mat2 (b, k, n)
    common_checks_baddbmm_bmm(this, self, mat2, Scalar.ZERO, null);
  }
}

// bmm.out                                                                           CPU
export abstract class structured_bmm_out_cpu extends structured_bmm {
  impl(batch1: Tensor, batch2: Tensor, result: Tensor): void {
    bmm_out_or_baddbmm_(result, batch1.resolve_conj(), batch2.resolve_conj(), Scalar.ZERO, Scalar.ONE, true);
  }
}

export abstract class structured_baddbmm extends MetaBase {
  meta(self: Tensor, batch1: Tensor, batch2: Tensor, beta: Scalar, _alpha: Scalar): void {
    const self_ = expand_size(self, [batch1.size(0), batch1.size(1), batch2.size(2)]);
    TORCH_CHECK(
      self.dtype() === batch1.dtype(),
      "Input dtypes must be the same, got: input ",
      typeMetaName(self.dtype()),
      ", batch1: ",
      typeMetaName(batch1.dtype()),
      ", batch2: ",
      typeMetaName(batch2.dtype()),
    );
    common_checks_baddbmm_bmm(this, batch1, batch2, beta, self_);
  }
}

// baddbmm.out                                                                       CPU
export abstract class structured_baddbmm_out_cpu extends structured_baddbmm {
  impl(_self: Tensor, batch1: Tensor, batch2: Tensor, beta: Scalar, alpha: Scalar, result: Tensor): void {
    // `meta` has copied self into the result.
    bmm_out_or_baddbmm_(result, batch1.resolve_conj(), batch2.resolve_conj(), beta, alpha, false);
  }
}

/** Whether BLAS can read each item of a batch without a copy. */
function batch_items_contiguous_or_transposed(t: Tensor): boolean {
  const [, rows, columns] = t.sizes() as [number, number, number];
  const [, rowStride, columnStride] = t.strides() as [number, number, number];
  return (
    (columnStride === 1 && (rows === 1 || rowStride >= columns)) ||
    (rowStride === 1 && (columns === 1 || columnStride >= rows))
  );
}

/** Below this number of multiply-adds per item, preparing a gemm costs more than a plain loop. */
const SMALL_ITEM = 400;

function bmm_out_or_baddbmm_(
  self_or_result: Tensor,
  batch1: Tensor,
  batch2: Tensor,
  beta: Scalar,
  alpha: Scalar,
  is_bmm_out: boolean,
): void {
  const [bs, res_rows, contraction_size] = batch1.sizes() as [number, number, number];
  const res_cols = batch2.size(2);
  if (self_or_result.numel() === 0) return;
  if (contraction_size === 0) {
    if (is_bmm_out || isZero(beta)) self_or_result.zero_();
    else self_or_result.mul__Scalar(beta);
    return;
  }
  const name = is_bmm_out ? "bmm" : "baddbmm";
  if (contraction_size * res_rows * res_cols < SMALL_ITEM) {
    baddbmm_cpu_kernel(name, self_or_result, batch1, batch2, beta, alpha);
    return;
  }
  const wholeBatch =
    (self_or_result.scalar_type() === ScalarType.Float || self_or_result.scalar_type() === ScalarType.Double) &&
    batch_items_contiguous_or_transposed(batch1) &&
    batch_items_contiguous_or_transposed(batch2) &&
    self_or_result.is_contiguous();
  if (wholeBatch) {
    gemm_batched(name, self_or_result, batch1, batch2, beta, alpha);
    return;
  }
  for (let b = 0; b < bs; b++) {
    const r = self_or_result.select_int(0, b);
    const m1 = batch1.select_int(0, b);
    const m2 = batch2.select_int(0, b);
    if (is_bmm_out) addmm_impl_cpu_(r, r, m1, m2, Scalar.ZERO, Scalar.ONE);
    else r.addmm_(m1, m2, beta, alpha);
  }
}

// addbmm: sum of the products of a batch
// ------------------------------------------------------------------------------------

function addbmm_impl_(result: Tensor, self: Tensor, batch1: Tensor, batch2: Tensor, beta: Scalar, alpha: Scalar): void {
  TORCH_CHECK(batch1.dim() === 3, "batch1 must be a 3D tensor");
  TORCH_CHECK(batch2.dim() === 3, "batch2 must be a 3D tensor");
  TORCH_CHECK(
    batch1.size(0) === batch2.size(0),
    "batch1 and batch2 must have same number of batches, got ",
    batch1.size(0),
    " and ",
    batch2.size(0),
  );
  TORCH_CHECK(
    batch1.size(2) === batch2.size(1),
    "Incompatible matrix sizes for bmm (",
    batch1.size(1),
    "x",
    batch1.size(2),
    " and ",
    batch2.size(1),
    "x",
    batch2.size(2),
    ")",
  );
  TORCH_CHECK(
    self.size(0) === batch1.size(1) && self.size(1) === batch2.size(2),
    "self tensor does not match matmul output shape",
  );
  result.resize_as_(self);
  if (!isZero(beta) && !self.is_same(result)) result.copy_(self);
  const num_batches = batch1.size(0);
  if (num_batches === 0) {
    if (isZero(beta)) result.zero_();
    else result.mul__Scalar(beta);
  }
  for (let batch = 0; batch < num_batches; batch++) {
    const adjusted_beta = batch === 0 ? beta : Scalar.ONE; // the old values count once
    result.addmm_(batch1.select_int(0, batch), batch2.select_int(0, batch), adjusted_beta, alpha);
  }
}

// addbmm.out(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)     CPU
export function addbmm_out(
  self: Tensor,
  batch1: Tensor, // (B, N, M)
  batch2: Tensor, // (B, M, P)
  beta: Scalar,
  alpha: Scalar,
  result: Tensor,
): Tensor {
  const b_self = expand_size(self, [batch1.size(1), batch2.size(2)]);
  addbmm_impl_(result, b_self, batch1, batch2, beta, alpha);
  return result;
}

// addbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)     CPU
export function addbmm_(self: Tensor, batch1: Tensor, batch2: Tensor, beta: Scalar, alpha: Scalar): Tensor {
  return addbmm_out(self, batch1, batch2, beta, alpha, self);
}

// addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor     CPU
export function addbmm(self: Tensor, batch1: Tensor, batch2: Tensor, beta: Scalar, alpha: Scalar): Tensor {
  return addbmm_out(self, batch1, batch2, beta, alpha, at.empty_memory_format([0], self.options()));
}
