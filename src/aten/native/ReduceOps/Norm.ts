/**
 * @file Vector norms under the names they had before `torch.linalg`, and the distance between two tensors.
 * @mirrors aten/src/ATen/native/ReduceOps.cpp
 * @see ../LinearAlgebra/VectorNorm.ts (the computation)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { resize_reduction } from "#aten/native/ReduceOpsUtils";
import type { TensorIterator } from "#aten/TensorIterator";
import { MetaBase } from "#aten/TensorMeta";
import { Scalar } from "#c10/core/Scalar";
import { isComplexType, isFloatingType, type ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

export const norm_stub = DEFINE_DISPATCH<(iter: TensorIterator, p: Scalar) => void>("norm_stub");

function check_dtype(dtype: ScalarType, what: string): void {
  TORCH_CHECK(
    isFloatingType(dtype) || isComplexType(dtype),
    "norm(): ",
    what,
    " dtype should be either floating point or complex. Got ",
    toString(dtype),
    " instead.",
  );
}

function get_result_dtype(meta: MetaBase, otherwise: ScalarType): ScalarType {
  const result = meta.maybe_get_output(0) as Tensor | undefined;
  return result?.defined() ? result.scalar_type() : otherwise;
}

function impl_func_norm(
  self: Tensor,
  opt_p: Scalar | null,
  dim: number[],
  keepdim: boolean,
  opt_dtype: ScalarType | null,
  result: Tensor,
): void {
  at.linalg_vector_norm_out(self, opt_p ?? Scalar.fromDouble(2), dim, keepdim, opt_dtype, result);
}

export abstract class structured_norm_ScalarOpt_dim extends MetaBase {
  meta(self: Tensor, _p: Scalar | null, dim: number[], keepdim: boolean): void {
    check_dtype(self.scalar_type(), "input");
    resize_reduction(this, self, dim, keepdim, get_result_dtype(this, self.scalar_type()));
  }
}

// norm.out                                                                          CPU
export abstract class structured_norm_out extends structured_norm_ScalarOpt_dim {
  impl(self: Tensor, p: Scalar | null, dim: number[], keepdim: boolean, result: Tensor): void {
    impl_func_norm(self, p, dim, keepdim, null, result);
  }
}

export abstract class structured_norm_ScalarOpt_dim_dtype extends MetaBase {
  meta(self: Tensor, _p: Scalar | null, dim: number[], keepdim: boolean, dtype: ScalarType): void {
    check_dtype(dtype, "the desired output");
    resize_reduction(this, self, dim, keepdim, get_result_dtype(this, dtype));
  }
}

// norm.dtype_out                                                                    CPU
export abstract class structured_norm_dtype_out extends structured_norm_ScalarOpt_dim_dtype {
  impl(self: Tensor, p: Scalar | null, dim: number[], keepdim: boolean, dtype: ScalarType, result: Tensor): void {
    impl_func_norm(self, p, dim, keepdim, dtype, result);
  }
}

// norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor      CompositeExplicitAutograd
export function norm_ScalarOpt_dtype(self: Tensor, p: Scalar | null, dtype: ScalarType): Tensor {
  return at.norm_ScalarOpt_dim_dtype(self, p, [], false, dtype);
}

// norm.Scalar(Tensor self, Scalar p=2) -> Tensor                                   CompositeExplicitAutograd
export function norm_Scalar(self: Tensor, p: Scalar): Tensor {
  return at.norm_ScalarOpt_dim(self, p, [], false);
}

// dist(Tensor self, Tensor other, Scalar p=2) -> Tensor                            CompositeExplicitAutograd
export function dist(self: Tensor, other: Tensor, p: Scalar): Tensor {
  return at.norm_Scalar(self.sub_Tensor(other), p);
}
