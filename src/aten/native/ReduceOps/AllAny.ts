/**
 * @file `all` and `any`, over all elements, one dim or several dims.
 * @mirrors aten/src/ATen/native/ReduceOps.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { DispatchStub } from "#aten/native/DispatchStub";
import { make_reduction, resize_reduction } from "#aten/native/ReduceOpsUtils";
import { resize_output } from "#aten/native/Resize";
import type { TensorIterator } from "#aten/TensorIterator";
import { MetaBase } from "#aten/TensorMeta";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { and_stub, or_stub } from "./index.ts";

/** The result is bool, except that uint8 stays uint8: masks were uint8 before there was a bool dtype. */
function allany_meta(
  meta: MetaBase,
  name: string,
  self: Tensor,
  dims: readonly number[] | null,
  keepdim: boolean,
  allow_empty_dims = false,
): void {
  const result = meta.maybe_get_output(0) as Tensor | undefined;
  let out_dtype: ScalarType = self.scalar_type() === ScalarType.Byte ? ScalarType.Byte : ScalarType.Bool;
  if (result?.defined()) {
    out_dtype = result.scalar_type();
    TORCH_CHECK(
      out_dtype === ScalarType.Bool || out_dtype === ScalarType.Byte,
      name,
      " only supports bool tensor for result, got: ",
      toString(out_dtype),
    );
  }
  resize_reduction(meta, self, dims, keepdim, out_dtype, allow_empty_dims);
}

function allany_impl(
  identity: Scalar,
  self: Tensor,
  result: Tensor,
  dims: readonly number[] | null,
  keepdim: boolean,
  stub: DispatchStub<(iter: TensorIterator) => void>,
): void {
  if (self.numel() === 0) {
    result.fill__Scalar(identity);
  } else if (self.numel() === 1) {
    result.copy_(self.view_as(result).to_dtype(ScalarType.Bool));
  } else {
    // Other devices read elements of any dtype.
    const in_dtype = self.device().is_cpu() ? result.scalar_type() : self.scalar_type();
    const iter = make_reduction(self, result, dims, keepdim, in_dtype);
    stub.call(iter.device_type(), iter);
  }
}

export abstract class structured_all_dim extends MetaBase {
  meta(self: Tensor, dim: number, keepdim: boolean): void {
    allany_meta(this, "all", self, [dim], keepdim);
  }
}

export abstract class structured_all_out extends structured_all_dim {
  impl(self: Tensor, dim: number, keepdim: boolean, result: Tensor): void {
    allany_impl(Scalar.ONE, self, result, [dim], keepdim, and_stub);
  }
}

export abstract class structured_all_dims extends MetaBase {
  meta(self: Tensor, dim: number[] | null, keepdim: boolean): void {
    allany_meta(this, "all", self, dim, keepdim, true);
  }
}

export abstract class structured_all_dims_out extends structured_all_dims {
  impl(self: Tensor, dim: number[] | null, keepdim: boolean, result: Tensor): void {
    allany_impl(Scalar.ONE, self, result, dim, keepdim, and_stub);
  }
}

export abstract class structured_all extends MetaBase {
  meta(self: Tensor): void {
    allany_meta(this, "all", self, [], false);
  }
}

export abstract class structured_all_all_out extends structured_all {
  impl(self: Tensor, result: Tensor): void {
    allany_impl(Scalar.ONE, self, result, [], false, and_stub);
  }
}

export abstract class structured_any_dim extends MetaBase {
  meta(self: Tensor, dim: number, keepdim: boolean): void {
    allany_meta(this, "any", self, [dim], keepdim);
  }
}

export abstract class structured_any_out extends structured_any_dim {
  impl(self: Tensor, dim: number, keepdim: boolean, result: Tensor): void {
    allany_impl(Scalar.ZERO, self, result, [dim], keepdim, or_stub);
  }
}

export abstract class structured_any_dims extends MetaBase {
  meta(self: Tensor, dim: number[] | null, keepdim: boolean): void {
    allany_meta(this, "any", self, dim, keepdim, true);
  }
}

export abstract class structured_any_dims_out extends structured_any_dims {
  impl(self: Tensor, dim: number[] | null, keepdim: boolean, result: Tensor): void {
    allany_impl(Scalar.ZERO, self, result, dim, keepdim, or_stub);
  }
}

export abstract class structured_any extends MetaBase {
  meta(self: Tensor): void {
    allany_meta(this, "any", self, [], false);
  }
}

export abstract class structured_any_all_out extends structured_any {
  impl(self: Tensor, result: Tensor): void {
    allany_impl(Scalar.ZERO, self, result, [], false, or_stub);
  }
}

// Kernels for backends that reduce one dim at a time
// --------------------------------------------------------------------

function allany_dims_default(is_all: boolean, self: Tensor, dim: number[] | null, keepdim: boolean): Tensor {
  if (dim === null) {
    const out = is_all ? self.all() : self.any();
    return keepdim ? out.expand(new Array<number>(self.dim()).fill(1)) : out;
  }
  if (dim.length === 0) {
    // If no dim is reduced, each element is its own result.
    if (self.scalar_type() === ScalarType.Byte) return at.ne_Scalar_out(self, Scalar.ZERO, at.empty_like(self));
    return at._to_copy(self, self.options().dtype(ScalarType.Bool));
  }
  let out = self;
  for (const d of dim) out = is_all ? out.all_dim(d, true) : out.any_dim(d, true);
  return keepdim ? out : out.squeeze_dims(dim);
}

function allany_dims_out_default(
  is_all: boolean,
  self: Tensor,
  dim: number[] | null,
  keepdim: boolean,
  result: Tensor,
): Tensor {
  TORCH_CHECK(
    self.device().eq(result.device()),
    is_all ? "all" : "any",
    "(): result and input must be on the same device",
  );
  const out = allany_dims_default(is_all, self, dim, keepdim);
  resize_output(result, out.sizes());
  return result.copy_(out);
}

// all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor              CompositeExplicitAutograd
export function all_dims_default(self: Tensor, dim: number[] | null, keepdim: boolean): Tensor {
  return allany_dims_default(true, self, dim, keepdim);
}

export function all_dims_out_default(self: Tensor, dim: number[] | null, keepdim: boolean, result: Tensor): Tensor {
  return allany_dims_out_default(true, self, dim, keepdim, result);
}

// any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor              CompositeExplicitAutograd
export function any_dims_default(self: Tensor, dim: number[] | null, keepdim: boolean): Tensor {
  return allany_dims_default(false, self, dim, keepdim);
}

export function any_dims_out_default(self: Tensor, dim: number[] | null, keepdim: boolean, result: Tensor): Tensor {
  return allany_dims_out_default(false, self, dim, keepdim, result);
}

// _is_all_true(Tensor self) -> Tensor                                            CompositeExplicitAutograd
export function _is_all_true(self: Tensor): Tensor {
  TORCH_INTERNAL_ASSERT(self.scalar_type() === ScalarType.Bool);
  return self.all();
}

// _is_any_true(Tensor self) -> Tensor                                            CompositeExplicitAutograd
/**
 * Whether any element of a mask is true. It is a separate operator, because a tracer without data must be able to
 * refuse it.
 */
export function _is_any_true(self: Tensor): Tensor {
  TORCH_INTERNAL_ASSERT(self.scalar_type() === ScalarType.Bool);
  return self.any();
}
