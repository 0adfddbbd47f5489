/**
 * @file `diff`: repeated differences of adjacent elements.
 * @mirrors aten/src/ATen/native/ReduceOps.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { check_scalar_type_device_layout_equal } from "#aten/native/ReduceOpsUtils";
import { resize_output_check } from "#aten/native/Resize";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

function diff_check_compatible_shape(self: Tensor, other: Tensor | null, dim: number): void {
  if (other === null) return;
  const wrapped_dim = maybe_wrap_dim(dim, self.dim(), false);
  TORCH_CHECK(other.dim() === self.dim(), "diff expects prepend or append to be the same dimension as input");
  for (let i = 0; i < other.dim(); i++) {
    if (i === wrapped_dim) continue;
    TORCH_CHECK(
      other.size(i) === self.size(i),
      "diff expects the shape of tensor to prepend or append to match that of input except along the differencing dimension; input.size(",
      i,
      ") = ",
      self.size(i),
      ", but got tensor.size(",
      i,
      ") = ",
      other.size(i),
    );
  }
}

/** Checks the arguments, and returns `self` with `prepend` and `append`. */
function joined(self: Tensor, n: number, dim: number, prepend: Tensor | null, append: Tensor | null): Tensor {
  TORCH_CHECK(self.dim() >= 1, "diff expects input to be at least one-dimensional");
  TORCH_CHECK(n >= 0, "order must be non-negative but got ", n);
  diff_check_compatible_shape(self, prepend, dim);
  diff_check_compatible_shape(self, append, dim);
  if (n === 0 || (prepend === null && append === null)) return self;
  return at.cat([...(prepend === null ? [] : [prepend]), self, ...(append === null ? [] : [append])], dim);
}

function diff_helper(self: Tensor, order: number, dim: number): Tensor {
  if (order === 0) return at.zeros_like(self).copy_(self);
  let out_len = self.size(dim) - 1;
  let result = self;
  const is_kBool = self.scalar_type() === ScalarType.Bool;
  const n = Math.min(order, self.size(dim));
  for (let i = 0; i < n; i++) {
    const before = at.narrow(result, dim, 0, out_len);
    const behind = at.narrow(result, dim, 1, out_len);
    result = is_kBool ? at.logical_xor(behind, before) : behind.sub_Tensor(before);
    out_len--;
  }
  return result;
}

// diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor   CompositeImplicitAutograd
export function diff(self: Tensor, n: number, dim: number, prepend: Tensor | null, append: Tensor | null): Tensor {
  return diff_helper(joined(self, n, dim, prepend, append), n, dim);
}

// diff.out                                                                          CompositeImplicitAutograd
export function diff_out(
  self_: Tensor,
  order: number,
  dim: number,
  prepend: Tensor | null,
  append: Tensor | null,
  result: Tensor,
): Tensor {
  const self = joined(self_, order, dim, prepend, append);
  if (order === 0) {
    if (resize_output_check(result, self.sizes())) result.resize_(self.sizes() as number[]);
    check_scalar_type_device_layout_equal(result, self);
    return result.copy_(self);
  }
  const n = Math.min(order, self.size(dim));
  const out_len = self.size(dim) - n;
  const prev_result = n > 1 ? diff_helper(self, n - 1, dim) : self;
  const before = at.narrow(prev_result, dim, 0, out_len);
  const behind = at.narrow(prev_result, dim, 1, out_len);
  if (self.scalar_type() === ScalarType.Bool) at.logical_xor_out(behind, before, result);
  else at.sub_out(behind, before, Scalar.ONE, result);
  return result;
}
