/**
 * @file Kernels of mm, addmm, bmm, baddbmm, and of products with vectors.
 * @mirrors aten/src/ATen/cuda/CUDABlas.h
 * @see gemm.ts (the kernel)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { structured_addmv } from "#aten/native/Blas";
import {
  structured__addmm_activation,
  structured_addmm,
  structured_baddbmm,
  structured_bmm,
  structured_mm,
} from "#aten/native/LinearAlgebra/index";
import { Scalar } from "#c10/core/Scalar";
import { isReducedFloatingType, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { gemm, type Matrix } from "./gemm.ts";
import { view_of } from "./KernelText.ts";

/** A tensor as a matrix for gemm, by its batch, row and column dims. Dim -1 does not exist: its stride is 0. */
function matrix(t: Tensor, batch: number, row: number, column: number): Matrix {
  const strides = t.strides();
  const stride = (dim: number): number => (dim < 0 || t.size(dim) === 1 ? 0 : strides[dim]);
  // A dim of size 1 may get any stride; 1 allows a faster kernel.
  const along = (dim: number): number => (dim >= 0 && t.size(dim) === 1 ? 1 : stride(dim));
  return { view: view_of(t), batch: stride(batch), row: along(row), column: along(column) };
}

/**
 * result = beta * self + alpha * a @ b, for matrices or batches of them. Precondition: `self` has the shape of the
 * product; it may be `result`.
 */
function product(result: Tensor, self: Tensor, a: Tensor, b: Tensor, beta: Scalar, alpha: Scalar): void {
  const [dtype, other] = [a.scalar_type(), b.scalar_type()];
  TORCH_CHECK(dtype === other, "expected scalar type ", toString(dtype), " but found ", toString(other));
  if (result.numel() === 0) return;
  const is_batch = result.dim() === 3;
  const [row, column, batch] = is_batch ? [1, 2, 0] : [0, 1, -1];
  const inner = a.size(column);
  const ignores_self = beta.toNumber() === 0; // then even NaN in self must not show
  if (inner === 0) {
    if (ignores_self) result.zero_();
    else result.copy_(self.mul_Scalar(beta));
    return;
  }
  const shape = { batches: is_batch ? result.size(0) : 1, m: result.size(row), n: result.size(column), k: inner };
  const of = (t: Tensor): Matrix => matrix(t, batch, row, column);
  const numbers = { alpha: Number(alpha.toNumber()), beta: Number(beta.toNumber()) };
  gemm(of(a), of(b), ignores_self ? null : of(self), of(result), { ...shape, ...numbers });
}

export abstract class structured_mm_out extends structured_mm {
  impl(self: Tensor, mat2: Tensor, result: Tensor): void {
    product(result, result, self, mat2, Scalar.ZERO, Scalar.ONE);
  }
}

function addmm(result: Tensor, self: Tensor, mat1: Tensor, mat2: Tensor, beta: Scalar, alpha: Scalar): void {
  product(result, self.expand([mat1.size(0), mat2.size(1)]), mat1, mat2, beta, alpha);
}

export abstract class structured_addmm_out extends structured_addmm {
  impl(self: Tensor, mat1: Tensor, mat2: Tensor, beta: Scalar, alpha: Scalar, result: Tensor): void {
    addmm(result, self, mat1, mat2, beta, alpha);
  }
}

export abstract class structured__addmm_activation_out extends structured__addmm_activation {
  impl(self: Tensor, mat1: Tensor, mat2: Tensor, beta: Scalar, alpha: Scalar, use_gelu: boolean, result: Tensor): void {
    addmm(result, self, mat1, mat2, beta, alpha);
    if (use_gelu) at.gelu_(result);
    else result.relu_();
  }
}

export abstract class structured_bmm_out extends structured_bmm {
  impl(batch1: Tensor, batch2: Tensor, result: Tensor): void {
    product(result, result, batch1, batch2, Scalar.ZERO, Scalar.ONE);
  }
}

export abstract class structured_baddbmm_out extends structured_baddbmm {
  impl(_self: Tensor, batch1: Tensor, batch2: Tensor, beta: Scalar, alpha: Scalar, result: Tensor): void {
    product(result, result, batch1, batch2, beta, alpha); // `meta` has copied self into the result
  }
}

export abstract class structured_addmv_out extends structured_addmv {
  impl(self: Tensor, mat: Tensor, vec: Tensor, beta: Scalar, alpha: Scalar, result: Tensor): void {
    const column = (t: Tensor): Tensor => t.unsqueeze(1);
    const of_self = self.expand([mat.size(0)]);
    product(column(result), column(of_self), mat, column(vec), beta, alpha);
  }
}

// dot(Tensor self, Tensor tensor) -> Tensor
export function dot(self: Tensor, other: Tensor): Tensor {
  TORCH_CHECK(
    self.dim() === 1 && other.dim() === 1,
    `1D tensors expected, but got ${self.dim()}D and ${other.dim()}D tensors`,
  );
  TORCH_CHECK(
    self.numel() === other.numel(),
    `inconsistent tensor size, expected tensor [${self.numel()}] and src [${other.numel()}] to have the same number of`,
    ` elements, but got ${self.numel()} and ${other.numel()} elements respectively`,
  );
  TORCH_CHECK(
    self.scalar_type() === other.scalar_type(),
    "dot : expected both vectors to have same dtype, but found different ones",
  );
  const dtype = self.scalar_type();
  TORCH_CHECK_NOT_IMPLEMENTED(dtype !== ScalarType.Bool, "\"dot_webgpu\" not implemented for 'Bool'");
  if (!isReducedFloatingType(dtype)) return self.mul_Tensor(other).sum(dtype);
  const [x, y] = [self.to_dtype(ScalarType.Float), other.to_dtype(ScalarType.Float)];
  return x.mul_Tensor(y).sum(ScalarType.Float).to_dtype(dtype);
}
