/**
 * @file Overloads with a number, and aliases, of the operators in Math.ts and of `div`.
 * @mirrors aten/src/ATen/native/BinaryOps.cpp
 * @see Composite.ts
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { wrapped_scalar_tensor } from "#aten/ScalarOps";
import type { Scalar } from "#c10/core/Scalar";

// ---- remainders

export function remainder_Scalar(self: Tensor, other: Scalar): Tensor {
  return at.remainder_Tensor(self, wrapped_scalar_tensor(other));
}
export function remainder__Scalar(self: Tensor, other: Scalar): Tensor {
  return self.remainder__Tensor(wrapped_scalar_tensor(other));
}
export function remainder_out_Scalar_out(self: Tensor, other: Scalar, out: Tensor): Tensor {
  return at.remainder_Tensor_out(self, wrapped_scalar_tensor(other), out);
}
export function fmod_Scalar(self: Tensor, other: Scalar): Tensor {
  return at.fmod_Tensor(self, wrapped_scalar_tensor(other));
}
export function fmod__Scalar(self: Tensor, other: Scalar): Tensor {
  return self.fmod__Tensor(wrapped_scalar_tensor(other));
}
export function fmod_out_Scalar_out(self: Tensor, other: Scalar, out: Tensor): Tensor {
  return at.fmod_Tensor_out(self, wrapped_scalar_tensor(other), out);
}
export function remainder_Scalar_Tensor(self: Scalar, other: Tensor): Tensor {
  return at.remainder_Tensor(wrapped_scalar_tensor(self), other);
}

// ---- quotients

export function floor_divide_Scalar(self: Tensor, other: Scalar): Tensor {
  return at.floor_divide(self, wrapped_scalar_tensor(other));
}
export function floor_divide__Scalar(self: Tensor, other: Scalar): Tensor {
  return at.floor_divide_out(self, wrapped_scalar_tensor(other), self);
}
export function true_divide_Tensor(self: Tensor, other: Tensor): Tensor {
  return self.div_Tensor(other);
}
export function true_divide_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  return at.div_out(self, other, out);
}
export function true_divide__Tensor(self: Tensor, other: Tensor): Tensor {
  return self.div__Tensor(other);
}
export function true_divide_Scalar(self: Tensor, other: Scalar): Tensor {
  return self.div_Scalar(other);
}
export function true_divide__Scalar(self: Tensor, other: Scalar): Tensor {
  return self.div__Scalar(other);
}

// ---- angles, signs

export function arctan2(self: Tensor, other: Tensor): Tensor {
  return at.atan2(self, other);
}
export function arctan2_(self: Tensor, other: Tensor): Tensor {
  return self.atan2_(other);
}
export function arctan2_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  return at.atan2_out(self, other, out);
}
export function copysign_Scalar(self: Tensor, other: Scalar): Tensor {
  return at.copysign_Tensor(self, wrapped_scalar_tensor(other));
}
export function copysign__Scalar(self: Tensor, other: Scalar): Tensor {
  return self.copysign__Tensor(wrapped_scalar_tensor(other));
}
export function copysign_out_Scalar_out(self: Tensor, other: Scalar, out: Tensor): Tensor {
  return at.copysign_out(self, wrapped_scalar_tensor(other), out);
}

// ---- logarithms

export function xlogy_Scalar_Self(self: Scalar, other: Tensor): Tensor {
  return at.xlogy_Tensor(wrapped_scalar_tensor(self), other);
}
export function xlogy_Scalar_Other(self: Tensor, other: Scalar): Tensor {
  return at.xlogy_Tensor(self, wrapped_scalar_tensor(other));
}
export function xlogy__Scalar_Other(self: Tensor, other: Scalar): Tensor {
  return at.xlogy__Tensor(self, wrapped_scalar_tensor(other));
}
export function xlogy_out_OutScalar_Self(self: Scalar, other: Tensor, out: Tensor): Tensor {
  return at.xlogy_OutTensor(wrapped_scalar_tensor(self), other, out);
}
export function xlogy_out_OutScalar_Other(self: Tensor, other: Scalar, out: Tensor): Tensor {
  return at.xlogy_OutTensor(self, wrapped_scalar_tensor(other), out);
}
export function special_xlogy(self: Tensor, other: Tensor): Tensor {
  return at.xlogy_Tensor(self, other);
}
export function special_xlogy_self_scalar(self: Scalar, other: Tensor): Tensor {
  return at.xlogy_Scalar_Self(self, other);
}
export function special_xlogy_other_scalar(self: Tensor, other: Scalar): Tensor {
  return at.xlogy_Scalar_Other(self, other);
}
export function special_xlogy_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  return at.xlogy_OutTensor(self, other, out);
}
export function special_xlogy_out_self_scalar_out(self: Scalar, other: Tensor, out: Tensor): Tensor {
  return at.xlogy_OutScalar_Self(self, other, out);
}
export function special_xlogy_out_other_scalar_out(self: Tensor, other: Scalar, out: Tensor): Tensor {
  return at.xlogy_OutScalar_Other(self, other, out);
}
export function special_xlog1py_self_scalar(self: Scalar, other: Tensor): Tensor {
  return at.special_xlog1py(wrapped_scalar_tensor(self), other);
}
export function special_xlog1py_other_scalar(self: Tensor, other: Scalar): Tensor {
  return at.special_xlog1py(self, wrapped_scalar_tensor(other));
}
export function special_xlog1py_out_self_scalar_out(self: Scalar, other: Tensor, out: Tensor): Tensor {
  return at.special_xlog1py_out(wrapped_scalar_tensor(self), other, out);
}
export function special_xlog1py_out_other_scalar_out(self: Tensor, other: Scalar, out: Tensor): Tensor {
  return at.special_xlog1py_out(self, wrapped_scalar_tensor(other), out);
}
