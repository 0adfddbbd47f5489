/**
 * @file Piecewise linear activations and their backward operators: hardtanh (and relu6, a special case), hardsigmoid,
 * hardswish, hardshrink and softshrink.
 * @mirrors aten/src/ATen/native/Activation.cpp
 */
import { printDouble } from "#aten/core/ivalue";
import { check_floating_types_and2 } from "#aten/Dispatch";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { TensorIterator, TensorIteratorBase } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { isIntegralType, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

type Elementwise = (iter: TensorIteratorBase) => void;
type Shrinking = (iter: TensorIteratorBase, lambd: Scalar) => void;

export const hardtanh_backward_stub =
  DEFINE_DISPATCH<(iter: TensorIteratorBase, min: Scalar, max: Scalar) => void>("hardtanh_backward_stub");
export const hardsigmoid_stub = DEFINE_DISPATCH<Elementwise>("hardsigmoid_stub");
export const hardsigmoid_backward_stub = DEFINE_DISPATCH<Elementwise>("hardsigmoid_backward_stub");
export const hardswish_stub = DEFINE_DISPATCH<Elementwise>("hardswish_stub");
export const hardswish_backward_stub = DEFINE_DISPATCH<Elementwise>("hardswish_backward_stub");
export const hardshrink_stub = DEFINE_DISPATCH<Shrinking>("hardshrink_stub");
export const softshrink_stub = DEFINE_DISPATCH<Shrinking>("softshrink_stub");
export const shrink_backward_stub = DEFINE_DISPATCH<Shrinking>("shrink_backward_stub");

// ---- hardtanh

/** The bounds never take part in type promotion: for an integral tensor they lose their fractions. */
function bounds(self: Tensor, min: Scalar, max: Scalar): [min: Scalar, max: Scalar] {
  const dtype = self.scalar_type();
  TORCH_CHECK(dtype !== ScalarType.Bool, "Bool inputs not supported for hardtanh");
  if (!isIntegralType(dtype, false)) return [min, max];
  const minval = min.toLong();
  const maxval = max.toLong();
  TORCH_CHECK(
    dtype !== ScalarType.Byte || (minval >= 0 && maxval >= 0),
    "cannot do hardtanh on an unsigned type with negative limits",
  );
  return [Scalar.fromInt(minval), Scalar.fromInt(maxval)];
}

// hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor                       CPU
export function hardtanh(self: Tensor, min: Scalar, max: Scalar): Tensor {
  const result = at.empty_like(self);
  return at.hardtanh_out(self, min, max, result);
}
export function hardtanh_out(self: Tensor, min: Scalar, max: Scalar, result: Tensor): Tensor {
  const [min_, max_] = bounds(self, min, max);
  return at.clamp_out(self, min_, max_, result);
}
export function hardtanh_(self: Tensor, min: Scalar, max: Scalar): Tensor {
  return at.hardtanh_out(self, min, max, self);
}

// hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor
export function hardtanh_backward(grad_output: Tensor, self: Tensor, min: Scalar, max: Scalar): Tensor {
  const iter = TensorIterator.borrowing_binary_op(new Tensor(), grad_output, self);
  hardtanh_backward_stub.call(iter.device_type(), iter, min, max);
  return iter.output();
}
export function hardtanh_backward_out(
  grad_output: Tensor,
  self: Tensor,
  min: Scalar,
  max: Scalar,
  grad_input: Tensor,
): Tensor {
  const iter = TensorIterator.borrowing_binary_op(grad_input, grad_output, self);
  hardtanh_backward_stub.call(iter.device_type(), iter, min, max);
  return grad_input;
}

// relu6(Tensor self) -> Tensor                                                               CompositeImplicitAutograd
export function relu6(self: Tensor): Tensor {
  return at.hardtanh(self, Scalar.ZERO, Scalar.fromInt(6));
}
export function relu6_(self: Tensor): Tensor {
  return at.hardtanh_(self, Scalar.ZERO, Scalar.fromInt(6));
}

// ---- hardsigmoid

export abstract class structured_hardsigmoid extends TensorIteratorBase {
  meta(self: Tensor): void {
    this.build_borrowing_unary_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_hardsigmoid_out extends structured_hardsigmoid {
  impl(_self: Tensor, _out: Tensor): void {
    hardsigmoid_stub.call(this.device_type(), this);
  }
}
export abstract class structured_hardsigmoid_backward extends TensorIteratorBase {
  meta(grad_output: Tensor, self: Tensor): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), grad_output, self);
  }
}
export abstract class structured_hardsigmoid_backward_out extends structured_hardsigmoid_backward {
  impl(_grad_output: Tensor, _self: Tensor, _grad_input: Tensor): void {
    hardsigmoid_backward_stub.call(this.device_type(), this);
  }
}

// ---- hardswish

// hardswish(Tensor self) -> Tensor                                                           CPU
export function hardswish(self: Tensor): Tensor {
  const iter = TensorIterator.unary_op(new Tensor(), self);
  hardswish_stub.call(iter.device_type(), iter);
  return iter.output();
}
export function hardswish_out(self: Tensor, result: Tensor): Tensor {
  const iter = TensorIterator.unary_op(result, self);
  hardswish_stub.call(iter.device_type(), iter);
  return result;
}
export function hardswish_(self: Tensor): Tensor {
  return hardswish_out(self, self);
}

// hardswish_backward(Tensor grad_output, Tensor self) -> Tensor                              CPU
export function hardswish_backward(grad_output: Tensor, self: Tensor): Tensor {
  const iter = TensorIterator.borrowing_binary_op(new Tensor(), grad_output, self);
  hardswish_backward_stub.call(iter.device_type(), iter);
  return iter.output();
}

// ---- hardshrink and softshrink: their backward is the same

export abstract class structured_hardshrink extends TensorIteratorBase {
  meta(self: Tensor, _lambd: Scalar): void {
    this.build_borrowing_unary_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_hardshrink_out extends structured_hardshrink {
  impl(_self: Tensor, lambd: Scalar, _out: Tensor): void {
    hardshrink_stub.call(this.device_type(), this, lambd);
  }
}
export abstract class structured_hardshrink_backward extends TensorIteratorBase {
  meta(grad_out: Tensor, self: Tensor, _lambd: Scalar): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), grad_out, self);
  }
}
export abstract class structured_hardshrink_backward_out extends structured_hardshrink_backward {
  impl(_grad_out: Tensor, _self: Tensor, lambd: Scalar, _grad_input: Tensor): void {
    shrink_backward_stub.call(this.device_type(), this, lambd);
  }
}

/** The largest finite number of a floating dtype. */
const HIGHEST: Partial<Record<ScalarType, number>> = {
  [ScalarType.Float]: (2 - 2 ** -23) * 2 ** 127,
  [ScalarType.Double]: Number.MAX_VALUE,
  [ScalarType.Half]: 65504,
  [ScalarType.BFloat16]: (2 - 2 ** -7) * 2 ** 127,
};

function softshrink_check(self: Tensor, lambd: Scalar): void {
  const dtype = self.scalar_type();
  check_floating_types_and2(dtype, "softshrink_check");
  const value = lambd.toDouble();
  const highest = HIGHEST[dtype] ?? 0;
  if (value >= 0 && value <= highest) return;
  const range = `lambda must be in range [0, ${printDouble(highest)}]`;
  TORCH_CHECK(false, range, ` for input dtype ${toString(dtype)}, but found ${printDouble(value)}`);
}

export abstract class structured_softshrink extends TensorIteratorBase {
  meta(self: Tensor, lambd: Scalar): void {
    softshrink_check(self, lambd);
    this.build_borrowing_unary_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_softshrink_out extends structured_softshrink {
  impl(_self: Tensor, lambd: Scalar, _out: Tensor): void {
    softshrink_stub.call(this.device_type(), this, lambd);
  }
}
export abstract class structured_softshrink_backward extends TensorIteratorBase {
  meta(grad_output: Tensor, self: Tensor, _lambd: Scalar): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), grad_output, self);
  }
}
export abstract class structured_softshrink_backward_out extends structured_softshrink_backward {
  impl(_grad_output: Tensor, _self: Tensor, lambd: Scalar, _grad_input: Tensor): void {
    shrink_backward_stub.call(this.device_type(), this, lambd);
  }
}
