/**
 * @file `aminmax`: minimum and maximum together, in one pass.
 * @mirrors aten/src/ATen/native/ReduceOps.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { get_reduction_shape, zero_numel_check_dims } from "#aten/native/ReduceOpsUtils";
import { MetaBase } from "#aten/TensorMeta";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { TORCH_CHECK } from "#c10/util/Exception";

export const aminmax_stub =
  DEFINE_DISPATCH<(self: Tensor, dim: number, keepdim: boolean, min: Tensor, max: Tensor) => void>("aminmax_stub");
/** Precondition: `self` is contiguous. */
export const aminmax_allreduce_stub =
  DEFINE_DISPATCH<(self: Tensor, min: Tensor, max: Tensor) => void>("aminmax_allreduce_stub");

export abstract class structured_aminmax extends MetaBase {
  meta(self: Tensor, dim_opt: number | null, keepdim: boolean): void {
    const shape = this.shape_of(self, dim_opt, keepdim);
    this.set_output_raw_strided(0, shape, [], self.options());
    this.set_output_raw_strided(1, shape, [], self.options());
  }

  private shape_of(self: Tensor, dim_opt: number | null, keepdim: boolean): number[] {
    if (dim_opt !== null) {
      const dim = maybe_wrap_dim(dim_opt, self.dim());
      zero_numel_check_dims(self, dim, "aminmax");
      return get_reduction_shape(self, [dim], keepdim);
    }
    TORCH_CHECK(
      self.numel() > 0,
      "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.",
    );
    return keepdim ? new Array<number>(self.dim()).fill(1) : [];
  }
}

// aminmax.out                                                                       CPU
export abstract class structured_aminmax_out extends structured_aminmax {
  impl(self: Tensor, dim_opt: number | null, keepdim: boolean, min: Tensor, max: Tensor): void {
    if (dim_opt === null) aminmax_allreduce_stub.call(self.device_type(), self.contiguous(), min, max);
    else aminmax_stub.call(self.device_type(), self, maybe_wrap_dim(dim_opt, self.dim()), keepdim, min, max);
  }
}
