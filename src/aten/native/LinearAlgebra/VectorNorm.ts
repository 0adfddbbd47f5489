/**
 * @file Vector norms: the p-th root of the sum of p-th powers, and its limits.
 * @mirrors aten/src/ATen/native/LinearAlgebra.cpp
 * @see cpu/ReduceOpsKernel/Norm.ts (the arithmetic)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { checkFloatingOrComplex } from "#aten/native/LinearAlgebraUtils";
import { norm_stub } from "#aten/native/ReduceOps/Norm";
import { make_dim_mask, make_reduction, shape_from_dim_mask } from "#aten/native/ReduceOpsUtils";
import { MetaBase } from "#aten/TensorMeta";
import { maybe_wrap_dims } from "#aten/WrapDimUtils";
import { Scalar } from "#c10/core/Scalar";
import { isComplexType, isFloatingType, promoteTypes, type ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

/** Checks that there are elements: minimum and maximum have no neutral element. */
function check_has_elements(self: Tensor, scalar_ord: Scalar, opt_dim: readonly number[] | null): void {
  const ord = scalar_ord.toDouble();
  if (self.numel() !== 0 || !(ord < 0 || ord === Infinity)) return;
  TORCH_CHECK(
    opt_dim !== null && opt_dim.length > 0,
    "linalg.vector_norm cannot compute the ",
    scalar_ord,
    " norm on an empty tensor because the operation does not have an identity",
  );
  for (const dim of opt_dim ?? [])
    TORCH_CHECK(
      self.size(dim) !== 0,
      "linalg.vector_norm cannot compute the ",
      scalar_ord,
      " norm on the dimension ",
      dim,
      "because this dimension is empty and the operation does not have an identity",
    );
}

export function check_linalg_norm_dtype(dtype: ScalarType | null, self_dtype: ScalarType, name: string): void {
  if (dtype === null) return;
  TORCH_CHECK(
    isFloatingType(dtype) || isComplexType(dtype),
    name,
    ": dtype should be floating point or complex, but got ",
    toString(dtype),
  );
  const kind = isComplexType(self_dtype) ? "complex" : "real";
  TORCH_CHECK(
    isComplexType(self_dtype) === isComplexType(dtype),
    name,
    ": dtype should be ",
    kind,
    " for ",
    kind,
    " inputs, but got ",
    toString(dtype),
  );
  TORCH_CHECK(
    promoteTypes(self_dtype, dtype) === dtype,
    name,
    ": the dtype of the input (",
    toString(self_dtype),
    ") should be convertible without narrowing to the specified dtype (",
    toString(dtype),
    ")",
  );
}

export abstract class structured_linalg_vector_norm extends MetaBase {
  meta(
    self: Tensor,
    scalar_ord: Scalar,
    opt_dim: number[] | null,
    keepdim: boolean,
    opt_dtype: ScalarType | null,
  ): void {
    checkFloatingOrComplex(self, "linalg.vector_norm");
    check_has_elements(self, scalar_ord, opt_dim);
    check_linalg_norm_dtype(opt_dtype, self.scalar_type(), "linalg.vector_norm");
    const shape = shape_from_dim_mask(self, make_dim_mask(opt_dim, self.dim()), keepdim);
    this.set_output_raw_strided(0, shape, [], self.options().dtype(opt_dtype ?? self.scalar_type()));
  }
}

// linalg_vector_norm.out                                                            CPU
export abstract class structured_linalg_vector_norm_out extends structured_linalg_vector_norm {
  impl(
    self: Tensor,
    scalar_ord: Scalar,
    opt_dim: number[] | null,
    keepdim: boolean,
    opt_dtype: ScalarType | null,
    result: Tensor,
  ): void {
    const ord = scalar_ord.toDouble();
    const is_all_reduce = opt_dim === null || opt_dim.length === 0;
    const reduce_dim = is_all_reduce ? [...self.sizes().keys()] : maybe_wrap_dims(opt_dim, self.dim());
    // A scalar has no dim, so a reduction of its dim 0 is the kernel's work.
    if (reduce_dim.every((d) => self.sizes()[d] === 1)) {
      // With one element per vector, the norm is its absolute value, or 1 if it is not 0.
      const self_ = opt_dtype === null ? self : self.to_dtype(opt_dtype);
      const x = keepdim ? self_ : self_.squeeze_dims(reduce_dim);
      if (ord === 0) at.ne_Scalar_out(x, Scalar.ZERO, result);
      else at.abs_out(x, result);
      return;
    }
    const iter = make_reduction(self, result, opt_dim, keepdim, result.scalar_type());
    norm_stub.call(iter.device_type(), iter, Scalar.fromDouble(ord));
  }
}
