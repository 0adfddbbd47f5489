/**
 * @file Unary operators about complex numbers, as far as they exist for real ones: the angle, and the physical
 * conjugate.
 * @mirrors aten/src/ATen/native/UnaryOps.cpp
 * @see index.ts; LazyViews.ts (conj, which only sets a bit)
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { TensorIterator, type TensorIteratorBase } from "#aten/TensorIterator";

type unary_fn = (iter: TensorIteratorBase) => void;

export const angle_stub = DEFINE_DISPATCH<unary_fn>("angle_stub");
export const conj_physical_stub = DEFINE_DISPATCH<unary_fn>("conj_physical_stub");

// angle(Tensor self) -> Tensor                                                      CPU
/** @differs Ours has no kernel for complex numbers; PyTorch's result has their real dtype. */
export function angle(self: Tensor): Tensor {
  const iter = TensorIterator.unary_float_op(new Tensor(), self);
  angle_stub.call(iter.device_type(), iter);
  return iter.output();
}
export function angle_out(self: Tensor, out: Tensor): Tensor {
  const iter = TensorIterator.unary_float_op(out, self);
  angle_stub.call(iter.device_type(), iter);
  return out;
}

// _conj_physical(Tensor self) -> Tensor                                             CompositeExplicitAutograd
export function _conj_physical(self: Tensor): Tensor {
  if (self.is_conj()) return self.conj().clone();
  return at.conj_physical_out(self, at.empty_like(self));
}

// conj_physical(Tensor self) -> Tensor                                              CompositeImplicitAutograd
/** A real tensor is its own conjugate, so no copy is made. */
export function conj_physical(self: Tensor): Tensor {
  return self.is_complex() ? at._conj_physical(self) : self;
}
export function conj_physical_out(self: Tensor, out: Tensor): Tensor {
  const iter = TensorIterator.unary_op(out, self);
  conj_physical_stub.call(iter.device_type(), iter);
  return out;
}

// conj_physical_(Tensor(a!) self) -> Tensor(a!)                                     CompositeExplicitAutograd
export function conj_physical_(self: Tensor): Tensor {
  return self.is_complex() ? at.conj_physical_out(self, self) : self;
}
