/**
 * @file Outer products (a column times a row), inner products (all rows with all rows), and the Kronecker product
 * (every element with a whole tensor).
 * @mirrors aten/src/ATen/native/LinearAlgebra.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { resize_output } from "#aten/native/Resize";
import { checkDeviceType } from "#aten/TensorUtils/TensorArg";
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";

function check_1d(t: Tensor, arg: string, fn: string): void {
  TORCH_CHECK(t.dim() === 1, fn, ": Expected 1-D argument ", arg, ", but got ", t.dim(), "-D");
}

/** `(N), (M)` -> the column `(N, 1)`, which broadcasts against the row. */
function as_column(self: Tensor, vec2: Tensor): Tensor {
  check_1d(self, "self", "outer");
  check_1d(vec2, "vec2", "outer");
  return self.reshape([self.size(0), 1]);
}

export function outer(self: Tensor, vec2: Tensor): Tensor {
  return as_column(self, vec2).mul_Tensor(vec2);
}

export function outer_out(self: Tensor, vec2: Tensor, out: Tensor): Tensor {
  return at.mul_out(as_column(self, vec2), vec2, out);
}

/** Alias under the BLAS name. */
export function ger(self: Tensor, vec2: Tensor): Tensor {
  return self.outer(vec2);
}

export function ger_out(self: Tensor, vec2: Tensor, out: Tensor): Tensor {
  TORCH_WARN("torch.ger is deprecated and will be removed in a future PyTorch release. Use torch.outer instead.");
  return at.outer_out(self, vec2, out);
}

/** Checks the last dims of both, which are summed over. A 0-dim tensor only multiplies. */
function check_last_dims(self: Tensor, other: Tensor): void {
  TORCH_CHECK(
    self.size(-1) === other.size(-1),
    "inner() the last dimension must match on both input tensors but got shapes ",
    self.sizes(),
    " and ",
    other.sizes(),
  );
}

export function inner(self: Tensor, other: Tensor): Tensor {
  checkDeviceType("inner()", [self, other], self.device().type());
  if (self.dim() === 0 || other.dim() === 0) return self.mul_Tensor(other);
  check_last_dims(self, other);
  return at.tensordot(self, other, [-1], [-1]);
}

export function inner_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  checkDeviceType("inner()", [out, self, other], self.device().type());
  if (self.dim() === 0 || other.dim() === 0) return at.mul_out(self, other, out);
  check_last_dims(self, other);
  return at.tensordot_out(self, other, [-1], [-1], out);
}

// Note [Kronecker's product by broadcasting]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//   (a0, a1), (b0, b1)  ->  (a0, 1, a1, 1) * (1, b0, 1, b1)  =  (a0, b0, a1, b1)  ->  (a0 b0, a1 b1)
// A tensor with fewer dims gets leading dims of size 1.
interface KronImpl {
  readonly self_view: Tensor;
  readonly other_view: Tensor;
  /** Shape of the result before and after pairs of dims are merged. */
  readonly mul_shape: readonly number[];
  readonly result_reshape: readonly number[];
}

function kron_impl(self: Tensor, other: Tensor): KronImpl {
  const maxdim = Math.max(self.dim(), other.dim());
  const padded = (t: Tensor): number[] => [...new Array<number>(maxdim - t.dim()).fill(1), ...t.sizes()];
  const a = padded(self);
  const b = padded(other);
  const self_view = at._unsafe_view(
    self,
    a.flatMap((size) => [size, 1]),
  );
  const other_view = at._unsafe_view(
    other,
    b.flatMap((size) => [1, size]),
  );
  const mul_shape = a.flatMap((size, dim) => [size, b[dim]]);
  return { self_view, other_view, mul_shape, result_reshape: a.map((size, dim) => size * b[dim]) };
}

export function kron(self: Tensor, other: Tensor): Tensor {
  const { self_view, other_view, result_reshape } = kron_impl(self, other);
  return at._unsafe_view(at.mul_Tensor(self_view, other_view), [...result_reshape]);
}

export function kron_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  const { self_view, other_view, mul_shape, result_reshape } = kron_impl(self, other);
  resize_output(out, result_reshape);
  at.mul_out(self_view, other_view, at._unsafe_view(out, [...mul_shape]));
  return out;
}
