/**
 * @file Binary operators composed of others: numbers become tensors, and aliases call the first name. No backend has a
 * kernel for these (native_functions.yaml says CompositeExplicitAutograd, or nothing), so no stub is called here. Each
 * calls another operator; all except `rsub_Scalar` do so through the dispatcher. The computing operators are in
 * index.ts.
 * @mirrors aten/src/ATen/native/BinaryOps.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { wrapped_scalar_tensor } from "#aten/ScalarOps";
import type { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { rsub_Tensor } from "./index.ts";

// ---- add, sub, rsub

export function add_Scalar(self: Tensor, other: Scalar, alpha: Scalar): Tensor {
  return at.add_Tensor(self, wrapped_scalar_tensor(other), alpha);
}
export function add__Scalar(self: Tensor, other: Scalar, alpha: Scalar): Tensor {
  return self.add__Tensor(wrapped_scalar_tensor(other), alpha);
}
export function sub_Scalar(self: Tensor, other: Scalar, alpha: Scalar): Tensor {
  return at.sub_Tensor(self, wrapped_scalar_tensor(other), alpha);
}
export function sub__Scalar(self: Tensor, other: Scalar, alpha: Scalar): Tensor {
  return self.sub__Tensor(wrapped_scalar_tensor(other), alpha);
}
export function rsub_Scalar(self: Tensor, other: Scalar, alpha: Scalar): Tensor {
  return rsub_Tensor(self, wrapped_scalar_tensor(other), alpha);
}
export function subtract_Tensor(self: Tensor, other: Tensor, alpha: Scalar): Tensor {
  return self.sub_Tensor(other, alpha);
}
export function subtract_out(self: Tensor, other: Tensor, alpha: Scalar, out: Tensor): Tensor {
  return at.sub_out(self, other, alpha, out);
}
export function subtract_Scalar(self: Tensor, other: Scalar, alpha: Scalar): Tensor {
  return self.sub_Scalar(other, alpha);
}
export function subtract__Tensor(self: Tensor, other: Tensor, alpha: Scalar): Tensor {
  return self.sub__Tensor(other, alpha);
}
export function subtract__Scalar(self: Tensor, other: Scalar, alpha: Scalar): Tensor {
  return self.sub__Scalar(other, alpha);
}

// ---- mul

export function mul_Scalar(self: Tensor, other: Scalar): Tensor {
  return at.mul_Tensor(self, wrapped_scalar_tensor(other));
}
export function mul__Scalar(self: Tensor, other: Scalar): Tensor {
  return at.mul_out(wrapped_scalar_tensor(other), self, self); // the number comes first, which shows where a half would overflow
}
export function multiply_Tensor(self: Tensor, other: Tensor): Tensor {
  return self.mul_Tensor(other);
}
export function multiply_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  return at.mul_out(self, other, out);
}
export function multiply_Scalar(self: Tensor, other: Scalar): Tensor {
  return self.mul_Scalar(other);
}
export function multiply__Tensor(self: Tensor, other: Tensor): Tensor {
  return self.mul__Tensor(other);
}
export function multiply__Scalar(self: Tensor, other: Scalar): Tensor {
  return self.mul__Scalar(other);
}

// ---- div

export function div_Scalar(self: Tensor, other: Scalar): Tensor {
  return self.div_Tensor(wrapped_scalar_tensor(other));
}
export function div__Scalar(self: Tensor, other: Scalar): Tensor {
  return self.div__Tensor(wrapped_scalar_tensor(other));
}
export function div_Scalar_mode(self: Tensor, other: Scalar, rounding_mode: string | null): Tensor {
  return self.div_Tensor_mode(wrapped_scalar_tensor(other), rounding_mode);
}
export function div__Scalar_mode(self: Tensor, other: Scalar, rounding_mode: string | null): Tensor {
  return self.div__Tensor_mode(wrapped_scalar_tensor(other), rounding_mode);
}
export function divide_Tensor(self: Tensor, other: Tensor): Tensor {
  return self.div_Tensor(other);
}
export function divide_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  return at.div_out(self, other, out);
}
export function divide_Scalar(self: Tensor, other: Scalar): Tensor {
  return self.div_Scalar(other);
}
export function divide_Tensor_mode(self: Tensor, other: Tensor, rounding_mode: string | null): Tensor {
  return self.div_Tensor_mode(other, rounding_mode);
}
export function divide_out_out_mode(self: Tensor, other: Tensor, rounding_mode: string | null, out: Tensor): Tensor {
  return at.div_out_mode(self, other, rounding_mode, out);
}
export function divide_Scalar_mode(self: Tensor, other: Scalar, rounding_mode: string | null): Tensor {
  return self.div_Scalar_mode(other, rounding_mode);
}
export function divide__Tensor(self: Tensor, other: Tensor): Tensor {
  return self.div__Tensor(other);
}
export function divide__Scalar(self: Tensor, other: Scalar): Tensor {
  return self.div__Scalar(other);
}
export function divide__Tensor_mode(self: Tensor, other: Tensor, rounding_mode: string | null): Tensor {
  return self.div__Tensor_mode(other, rounding_mode);
}
export function divide__Scalar_mode(self: Tensor, other: Scalar, rounding_mode: string | null): Tensor {
  return self.div__Scalar_mode(other, rounding_mode);
}

// ---- bitwise
// `a & b` is `__and__`, which is `bitwise_and`; `a &= b` is `__iand__`, which is `bitwise_and_`; so for `|` and `^`.

export function bitwise_and_Scalar(self: Tensor, other: Scalar): Tensor {
  return at.bitwise_and_Tensor(self, wrapped_scalar_tensor(other));
}
export function bitwise_and_out(self: Tensor, other: Scalar, out: Tensor): Tensor {
  return at.bitwise_and_Tensor_out(self, wrapped_scalar_tensor(other), out);
}
export function bitwise_and_Scalar_Tensor(self: Scalar, other: Tensor): Tensor {
  return at.bitwise_and_Tensor(wrapped_scalar_tensor(self), other);
}
export function bitwise_and__Scalar(self: Tensor, other: Scalar): Tensor {
  return self.bitwise_and__Tensor(wrapped_scalar_tensor(other));
}
export function __and___Tensor(self: Tensor, other: Tensor): Tensor {
  return at.bitwise_and_Tensor(self, other);
}
export function __and___Scalar(self: Tensor, other: Scalar): Tensor {
  return at.bitwise_and_Scalar(self, other);
}
export function __iand___Tensor(self: Tensor, other: Tensor): Tensor {
  return self.bitwise_and__Tensor(other);
}
export function __iand___Scalar(self: Tensor, other: Scalar): Tensor {
  return self.bitwise_and__Scalar(other);
}

export function bitwise_or_Scalar(self: Tensor, other: Scalar): Tensor {
  return at.bitwise_or_Tensor(self, wrapped_scalar_tensor(other));
}
export function bitwise_or_out(self: Tensor, other: Scalar, out: Tensor): Tensor {
  return at.bitwise_or_Tensor_out(self, wrapped_scalar_tensor(other), out);
}
export function bitwise_or_Scalar_Tensor(self: Scalar, other: Tensor): Tensor {
  return at.bitwise_or_Tensor(wrapped_scalar_tensor(self), other);
}
export function bitwise_or__Scalar(self: Tensor, other: Scalar): Tensor {
  return self.bitwise_or__Tensor(wrapped_scalar_tensor(other));
}
export function __or___Tensor(self: Tensor, other: Tensor): Tensor {
  return at.bitwise_or_Tensor(self, other);
}
export function __or___Scalar(self: Tensor, other: Scalar): Tensor {
  return at.bitwise_or_Scalar(self, other);
}
export function __ior___Tensor(self: Tensor, other: Tensor): Tensor {
  return self.bitwise_or__Tensor(other);
}
export function __ior___Scalar(self: Tensor, other: Scalar): Tensor {
  return self.bitwise_or__Scalar(other);
}

export function bitwise_xor_Scalar(self: Tensor, other: Scalar): Tensor {
  return at.bitwise_xor_Tensor(self, wrapped_scalar_tensor(other));
}
export function bitwise_xor_out(self: Tensor, other: Scalar, out: Tensor): Tensor {
  return at.bitwise_xor_Tensor_out(self, wrapped_scalar_tensor(other), out);
}
export function bitwise_xor_Scalar_Tensor(self: Scalar, other: Tensor): Tensor {
  return at.bitwise_xor_Tensor(wrapped_scalar_tensor(self), other);
}
export function bitwise_xor__Scalar(self: Tensor, other: Scalar): Tensor {
  return self.bitwise_xor__Tensor(wrapped_scalar_tensor(other));
}
export function __xor___Tensor(self: Tensor, other: Tensor): Tensor {
  return at.bitwise_xor_Tensor(self, other);
}
export function __xor___Scalar(self: Tensor, other: Scalar): Tensor {
  return at.bitwise_xor_Scalar(self, other);
}
export function __ixor___Tensor(self: Tensor, other: Tensor): Tensor {
  return self.bitwise_xor__Tensor(other);
}
export function __ixor___Scalar(self: Tensor, other: Scalar): Tensor {
  return self.bitwise_xor__Scalar(other);
}

// ---- shifts

export function bitwise_left_shift_Tensor_Scalar(self: Tensor, other: Scalar): Tensor {
  return at.bitwise_left_shift_Tensor(self, wrapped_scalar_tensor(other));
}
export function bitwise_left_shift_out(self: Tensor, other: Scalar, out: Tensor): Tensor {
  return at.bitwise_left_shift_Tensor_out(self, wrapped_scalar_tensor(other), out);
}
export function bitwise_left_shift_Scalar_Tensor(self: Scalar, other: Tensor): Tensor {
  return at.bitwise_left_shift_Tensor(wrapped_scalar_tensor(self), other);
}
export function bitwise_left_shift__Tensor_Scalar(self: Tensor, other: Scalar): Tensor {
  return at.bitwise_left_shift_Tensor_out(self, wrapped_scalar_tensor(other), self);
}

export function bitwise_right_shift_Tensor_Scalar(self: Tensor, other: Scalar): Tensor {
  return at.bitwise_right_shift_Tensor(self, wrapped_scalar_tensor(other));
}
export function bitwise_right_shift_out(self: Tensor, other: Scalar, out: Tensor): Tensor {
  return at.bitwise_right_shift_Tensor_out(self, wrapped_scalar_tensor(other), out);
}
export function bitwise_right_shift_Scalar_Tensor(self: Scalar, other: Tensor): Tensor {
  return at.bitwise_right_shift_Tensor(wrapped_scalar_tensor(self), other);
}
export function bitwise_right_shift__Tensor_Scalar(self: Tensor, other: Scalar): Tensor {
  return at.bitwise_right_shift_Tensor_out(self, wrapped_scalar_tensor(other), self);
}

// ---- logic

type comparison_out = (self: Tensor, other: Tensor, out: Tensor) => Tensor;

function comparison_op(self: Tensor, other: Tensor, out_impl: comparison_out): Tensor {
  return out_impl(self, other, at.empty_memory_format([0], self.options().dtype(ScalarType.Bool)));
}

export function logical_and(self: Tensor, other: Tensor): Tensor {
  return comparison_op(self, other, at.logical_and_out);
}
export function logical_and_(self: Tensor, other: Tensor): Tensor {
  return at.logical_and_out(self, other, self);
}

export function logical_or(self: Tensor, other: Tensor): Tensor {
  return comparison_op(self, other, at.logical_or_out);
}
export function logical_or_(self: Tensor, other: Tensor): Tensor {
  return at.logical_or_out(self, other, self);
}

export function logical_xor(self: Tensor, other: Tensor): Tensor {
  return comparison_op(self, other, at.logical_xor_out);
}
export function logical_xor_(self: Tensor, other: Tensor): Tensor {
  return at.logical_xor_out(self, other, self);
}

// ---- maximum, minimum

export function max_other(self: Tensor, other: Tensor): Tensor {
  return at.maximum(self, other);
}
export function max_out_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  return at.maximum_out(self, other, out);
}
export function min_other(self: Tensor, other: Tensor): Tensor {
  return at.minimum(self, other);
}
export function min_out_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  return at.minimum_out(self, other, out);
}
