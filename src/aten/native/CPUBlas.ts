/**
 * @file `cpublas`: matrix products on raw matrices, as BLAS defines them.
 * @mirrors aten/src/ATen/native/CPUBlas.cpp
 * @differs Ours has no BLAS library: products run the kernels of cpu/BlasKernel.ts, or of cpu/vec/blas/kernel.ts for
 * floats. `gemm_stub` is called for every product, for a whole batch at once; PyTorch's serves only dtypes that BLAS
 * lacks.
 */
import type { TypedArray } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { toOpMathType } from "#aten/OpMathType";
import { check_type } from "#aten/TensorMethods";
import { DeviceType } from "#c10/core/DeviceType";
import type { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { NotImplementedError } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

export const TransposeType = { NoTranspose: 0, Transpose: 1 } as const;
export type TransposeType = (typeof TransposeType)[keyof typeof TransposeType];

/** Matrices in memory: element (i, j) of the first one is at `offset + i * rowStride + j * columnStride`. */
export interface Matrix {
  /** The owner of the memory. */
  readonly tensor: TensorImpl;
  readonly data: TypedArray;
  readonly offset: number;
  readonly rowStride: number;
  readonly columnStride: number;
  /** Stride between the matrices of a batch. */
  readonly batchStride: number;
}

/** A row-major matrix with `columns` columns, from element `offset` of a tensor's memory on. */
export function matrix_in_rows(t: Tensor, offset: number, columns: number): Matrix {
  const tensor = t.unsafeGetTensorImpl();
  const data = tensor.data_view();
  return { tensor, data, offset: tensor.data_offset() + offset, rowStride: columns, columnStride: 1, batchStride: 0 };
}

export function transposed(m: Matrix): Matrix {
  return { ...m, rowStride: m.columnStride, columnStride: m.rowStride };
}

type GemmFn = (
  dtype: ScalarType,
  m: number,
  n: number,
  k: number,
  alpha: number | bigint,
  a: Matrix,
  b: Matrix,
  beta: number | bigint,
  c: Matrix,
  batch: number,
) => void;
export const gemm_stub = DEFINE_DISPATCH<GemmFn>("gemm_stub");

/** Refuses bool and complex dtypes, which have no product kernel. */
export function check_has_product(name: string, dtype: ScalarType): void {
  const has = dtype <= ScalarType.Double || dtype === ScalarType.BFloat16;
  if (!has) throw new NotImplementedError(`"${name}" not implemented for '${toString(dtype)}'`);
}

/**
 * Number of terms in each sum. If alpha is 0, BLAS, which PyTorch calls for floats and doubles, does not read the
 * factors.
 */
export function terms(dtype: ScalarType, alpha: Scalar, k: number): number {
  return (dtype === ScalarType.Float || dtype === ScalarType.Double) && alpha.toDouble() === 0 ? 0 : k;
}

function columnMajor(t: Tensor, transpose: TransposeType, ld: number): Matrix {
  const impl = t.unsafeGetTensorImpl();
  const [rowStride, columnStride] = transpose === TransposeType.Transpose ? [ld, 1] : [1, ld];
  return { tensor: impl, data: impl.data_view(), offset: impl.data_offset(), rowStride, columnStride, batchStride: 0 };
}

/**
 * C = alpha * op(A) op(B) + beta * C in column-major order; op(A) is m x k, op(B) is k x n, and `ld` is the stride
 * between columns. @parameters PyTorch's own.
 */
export function gemm(
  transa: TransposeType,
  transb: TransposeType,
  m: number,
  n: number,
  k: number,
  alpha: Scalar,
  a: Tensor,
  lda: number,
  b: Tensor,
  ldb: number,
  beta: Scalar,
  c: Tensor,
  ldc: number,
): void {
  const dtype = c.scalar_type();
  check_has_product("addmm_impl_cpu_", dtype);
  check_type(a, dtype);
  check_type(b, dtype);
  const opmath = toOpMathType(dtype);
  gemm_stub.call(
    DeviceType.CPU,
    dtype,
    m,
    n,
    terms(dtype, alpha, k),
    alpha.to(opmath),
    columnMajor(a, transa, lda),
    columnMajor(b, transb, ldb),
    beta.to(opmath),
    columnMajor(c, TransposeType.NoTranspose, ldc),
    1,
  );
}

/** A batch of matrices. */
export function items(t: Tensor): Matrix {
  const impl = t.unsafeGetTensorImpl();
  const [batchStride, rowStride, columnStride] = t.strides() as [number, number, number];
  return { tensor: impl, data: impl.data_view(), offset: impl.data_offset(), rowStride, columnStride, batchStride };
}

/** Checks that all three have one dtype, and returns it. `name` is the operator's name for errors. */
export function check_batches(name: string, result: Tensor, batch1: Tensor, batch2: Tensor): ScalarType {
  const dtype = batch1.scalar_type();
  check_has_product(name, dtype);
  check_type(result, dtype);
  check_type(batch2, dtype);
  return dtype;
}

/** result[i] = alpha * batch1[i] @ batch2[i] + beta * result[i], for any strides. */
export function gemm_batched(
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
  gemm_stub.call(
    DeviceType.CPU,
    dtype,
    m,
    n,
    k,
    alpha.to(opmath),
    items(batch1),
    items(batch2),
    beta.to(opmath),
    items(result),
    bs,
  );
}
