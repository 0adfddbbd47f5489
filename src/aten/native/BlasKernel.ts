/**
 * @file Dot product and matrix times vector, as `native::dot` and `addmv` use them.
 * @mirrors aten/src/ATen/native/BlasKernel.cpp
 */
import type { TypedArray } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { toOpMathType } from "#aten/OpMathType";
import { DeviceType } from "#c10/core/DeviceType";
import type { Scalar } from "#c10/core/Scalar";
import type { ScalarType } from "#c10/core/ScalarType";
import { check_has_product, check_type } from "./CPUBlas.ts";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

/** A vector in memory: element i is at `offset + i * stride`. */
export interface Vector {
  readonly data: TypedArray;
  readonly offset: number;
  readonly stride: number;
}

export const dot_stub =
  DEFINE_DISPATCH<(dtype: ScalarType, n: number, x: Vector, y: Vector) => number | bigint>("dot_stub");
export const gemv_stub =
  DEFINE_DISPATCH<
    (dtype: ScalarType, mat: Tensor, vec: Vector, alpha: number | bigint, beta: number | bigint, result: Vector) => void
  >("gemv_stub");

function vector(t: Tensor): Vector {
  const impl = t.unsafeGetTensorImpl();
  return { data: impl.data_view(), offset: impl.data_offset(), stride: t.strides()[0] };
}

/** Sum of products. Precondition: both 1-d, of one length and dtype. */
export function dot_impl(self: Tensor, other: Tensor): number | bigint {
  const dtype = self.scalar_type();
  check_has_product("dot", dtype);
  return dot_stub.call(DeviceType.CPU, dtype, self.numel(), vector(self), vector(other));
}

/** result = alpha * mat @ vec + beta * result; with beta 0 the old values are not read. */
export function gemv(name: string, mat: Tensor, vec: Tensor, alpha: Scalar, beta: Scalar, result: Tensor): void {
  const dtype = mat.scalar_type();
  check_has_product(name, dtype);
  check_type(vec, dtype);
  check_type(result, dtype);
  const [rowStride, columnStride] = mat.strides() as [number, number];
  const [rows, columns] = mat.sizes() as [number, number];
  // BLAS reads rows or columns of contiguous elements; a matrix that has neither is copied.
  const readable =
    (rowStride === 1 && columnStride >= Math.max(1, rows)) || (columnStride === 1 && rowStride >= Math.max(1, columns));
  const opmath = toOpMathType(dtype);
  gemv_stub.call(
    DeviceType.CPU,
    dtype,
    readable ? mat : mat.contiguous(),
    vector(vec),
    alpha.to(opmath),
    beta.to(opmath),
    vector(result),
  );
}
