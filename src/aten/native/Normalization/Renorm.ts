/**
 * @file `renorm`: slices whose norm is too large are scaled down.
 * @mirrors aten/src/ATen/native/Normalization.cpp#renorm
 */
import { printDouble } from "#aten/core/ivalue";

import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { toOpMathType } from "#aten/OpMathType";
import { type TensorIterator, TensorIteratorConfig } from "#aten/TensorIterator";
import { MetaBase } from "#aten/TensorMeta";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";

export const renorm_scale_factor_stub =
  DEFINE_DISPATCH<(iter: TensorIterator, maxnorm: number) => void>("renorm_scale_factor_stub");

export abstract class structured_renorm extends MetaBase {
  meta(self: Tensor, p: Scalar, _dim: number, maxnorm: Scalar): void {
    TORCH_CHECK(!p.isComplex(), "renorm: p must be real-valued");
    TORCH_CHECK(p.toDouble() > 0, "renorm: non-positive-norm not supported");
    TORCH_CHECK(!maxnorm.isComplex(), "renorm: maxnorm must be real-valued");
    TORCH_CHECK(
      maxnorm.toDouble() >= 0,
      "renorm: expected maxnorm to be >= 0 but got ",
      printDouble(maxnorm.toDouble()),
    );
    const ndim = self.dim();
    TORCH_CHECK(ndim > 1, "renorm: input needs at least 2 dimensions, got ", ndim, " dimensions");
    this.set_output_raw_strided(0, self.sizes() as number[], [], self.options());
  }
}

// renorm.out                                                                        CPU
export abstract class structured_renorm_out extends structured_renorm {
  impl(self: Tensor, p: Scalar, dim_: number, maxnorm: Scalar, out: Tensor): void {
    const dim = maybe_wrap_dim(dim_, self.dim());
    const reduce_dims = [...self.sizes().keys()].filter((d) => d !== dim);
    const dtype = self.scalar_type();
    const acc_type = toOpMathType(dtype);
    const ord = Scalar.fromDouble(p.toDouble());
    const norm = at.linalg_vector_norm(self, ord, reduce_dims, true, acc_type === dtype ? null : acc_type);
    const factor = acc_type === dtype ? norm : at.empty_memory_format(norm.sizes() as number[], self.options());
    const iter = new TensorIteratorConfig()
      .add_output(factor)
      .add_input(norm)
      .set_check_mem_overlap(false)
      .cast_common_dtype_to_outputs(true)
      .build();
    renorm_scale_factor_stub.call(iter.device_type(), iter, maxnorm.toDouble());
    at.mul_out(self, factor, out);
  }
}
