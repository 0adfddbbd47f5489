/**
 * @file `max` and `min` along one dim: values and indices.
 * @mirrors aten/src/ATen/native/TensorCompare.cpp
 * @see index.ts (where, clamp, isclose, from the same PyTorch file)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { DEFINE_DISPATCH, type DispatchStub } from "#aten/native/DispatchStub";
import {
  check_unsupported_complex,
  resize_reduction_with_indices,
  zero_numel_check_dims,
} from "#aten/native/ReduceOpsUtils";
import { MetaBase } from "#aten/TensorMeta";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { Scalar } from "#c10/core/Scalar";

type StructuredReduceMinMaxFn = (values: Tensor, indices: Tensor, self: Tensor, dim: number, keepdim: boolean) => void;
export const max_stub = DEFINE_DISPATCH<StructuredReduceMinMaxFn>("max_stub");
export const min_stub = DEFINE_DISPATCH<StructuredReduceMinMaxFn>("min_stub");

abstract class structured_minmax_dim extends MetaBase {
  protected announce(name: string, self: Tensor, dim_: number, keepdim: boolean): { dim: number } {
    const dim = maybe_wrap_dim(dim_, self.dim());
    zero_numel_check_dims(self, dim, name);
    check_unsupported_complex(name, self);
    resize_reduction_with_indices(this, self, dim, keepdim, self.scalar_type());
    return { dim };
  }

  protected run(
    self: Tensor,
    dim: number,
    keepdim: boolean,
    values: Tensor,
    indices: Tensor,
    stub: DispatchStub<StructuredReduceMinMaxFn>,
  ): void {
    if (self.numel() === 0) return;
    if (self.numel() === 1 && self.dim() === 0) {
      values.fill__Tensor(self);
      indices.fill__Scalar(Scalar.ZERO);
    } else {
      stub.call(self.device_type(), values, indices, self, dim, keepdim);
    }
  }
}

export abstract class structured_max_dim extends structured_minmax_dim {
  meta(self: Tensor, dim: number, keepdim: boolean): { dim: number } {
    return this.announce("max()", self, dim, keepdim);
  }
}

// max.dim_max                                                                       CPU
export abstract class structured_max_out extends structured_max_dim {
  impl(self: Tensor, dim: number, keepdim: boolean, values: Tensor, indices: Tensor): void {
    this.run(self, dim, keepdim, values, indices, max_stub);
  }
}

export abstract class structured_min_dim extends structured_minmax_dim {
  meta(self: Tensor, dim: number, keepdim: boolean): { dim: number } {
    return this.announce("min()", self, dim, keepdim);
  }
}

// min.dim_min                                                                       CPU
export abstract class structured_min_out extends structured_min_dim {
  impl(self: Tensor, dim: number, keepdim: boolean, values: Tensor, indices: Tensor): void {
    this.run(self, dim, keepdim, values, indices, min_stub);
  }
}
