/**
 * @file ldexp(x, y) = x * 2^y, in its three variants. (Given; PyTorch has them in BinaryOps.cpp.)
 * @mirrors aten/src/ATen/native/BinaryOps.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";

export function ldexp(self: Tensor, other: Tensor): Tensor {
  return at.mul_Tensor(self, at.pow_Scalar(Scalar.fromDouble(2), other));
}

export function ldexp_(self: Tensor, other: Tensor): Tensor {
  return ldexp_out(self, other, self);
}

export function ldexp_out(self: Tensor, other: Tensor, result: Tensor): Tensor {
  return at.mul_out(self, at.pow_Scalar(Scalar.fromDouble(2), other), result);
}
