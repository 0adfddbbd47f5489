/**
 * @file Views whose values differ from their memory: conjugation and negation are a bit on the tensor, applied when it
 * is read.
 * @mirrors aten/src/ATen/native/UnaryOps.cpp
 * @see MathBitsFallback.ts (applies the bit for operators that ignore it)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

// _conj(Tensor(a) self) -> Tensor(a)                                             CompositeExplicitAutograd
export function _conj(self: Tensor): Tensor {
  TORCH_INTERNAL_ASSERT(self.is_complex());
  const result = self.alias();
  result._set_conj(!self.is_conj());
  return result;
}

// conj(Tensor(a) self) -> Tensor(a)                                              CompositeImplicitAutograd
export function conj(self: Tensor): Tensor {
  return self.is_complex() ? self._conj() : self;
}

// resolve_conj(Tensor(a) self) -> Tensor(a)                                      CompositeImplicitAutograd
export function resolve_conj(self: Tensor): Tensor {
  // A clone is made by `copy_`, for which the fallback reads conjugated values.
  return self.is_conj() ? self.clone() : self;
}

// _neg_view(Tensor(a) self) -> Tensor(a)                                         CompositeExplicitAutograd
export function _neg_view(self: Tensor): Tensor {
  const result = self.alias();
  result._set_neg(!self.is_neg());
  return result;
}

// resolve_neg(Tensor(a) self) -> Tensor(a)                                       CompositeImplicitAutograd
export function resolve_neg(self: Tensor): Tensor {
  return self.is_neg() ? self.clone() : self;
}
