/**
 * @file Binary operators: arithmetic, comparison, logic. Metas compute shape and dtype and check arguments; impls call
 * a stub. Overloads with a number, and aliases, are in Composite.ts.
 * @mirrors aten/src/ATen/native/BinaryOps.cpp
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH, type DispatchStub } from "#aten/native/DispatchStub";
import { wrapped_scalar_tensor } from "#aten/ScalarOps";
import { TensorIterator, TensorIteratorBase } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { isComplexType, isIntegralType, ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

type structured_binary_fn = (iter: TensorIteratorBase) => void;

export const add_stub = DEFINE_DISPATCH<(iter: TensorIteratorBase, alpha: Scalar) => void>("add_stub");
export const mul_stub = DEFINE_DISPATCH<structured_binary_fn>("mul_stub");
export const div_true_stub = DEFINE_DISPATCH<structured_binary_fn>("div_true_stub");
export const div_floor_stub = DEFINE_DISPATCH<structured_binary_fn>("div_floor_stub");
export const div_trunc_stub = DEFINE_DISPATCH<structured_binary_fn>("div_trunc_stub");
export const bitwise_and_stub = DEFINE_DISPATCH<structured_binary_fn>("bitwise_and_stub");
export const bitwise_or_stub = DEFINE_DISPATCH<structured_binary_fn>("bitwise_or_stub");
export const bitwise_xor_stub = DEFINE_DISPATCH<structured_binary_fn>("bitwise_xor_stub");
export const lshift_stub = DEFINE_DISPATCH<structured_binary_fn>("lshift_stub");
export const rshift_stub = DEFINE_DISPATCH<structured_binary_fn>("rshift_stub");
export const logical_and_stub = DEFINE_DISPATCH<structured_binary_fn>("logical_and_stub");
export const logical_or_stub = DEFINE_DISPATCH<structured_binary_fn>("logical_or_stub");
export const logical_xor_stub = DEFINE_DISPATCH<structured_binary_fn>("logical_xor_stub");
export const lt_stub = DEFINE_DISPATCH<structured_binary_fn>("lt_stub");
export const le_stub = DEFINE_DISPATCH<structured_binary_fn>("le_stub");
export const gt_stub = DEFINE_DISPATCH<structured_binary_fn>("gt_stub");
export const ge_stub = DEFINE_DISPATCH<structured_binary_fn>("ge_stub");
export const eq_stub = DEFINE_DISPATCH<structured_binary_fn>("eq_stub");
export const ne_stub = DEFINE_DISPATCH<structured_binary_fn>("ne_stub");
export const maximum_stub = DEFINE_DISPATCH<structured_binary_fn>("maximum_stub");
export const minimum_stub = DEFINE_DISPATCH<structured_binary_fn>("minimum_stub");
export const sigmoid_backward_stub = DEFINE_DISPATCH<structured_binary_fn>("sigmoid_backward_stub");
export const tanh_backward_stub = DEFINE_DISPATCH<structured_binary_fn>("tanh_backward_stub");

// ---- add, sub, rsub

/** The factor `alpha` of `add` and `sub` must not be of a higher category than the result. */
export function alpha_check(dtype: ScalarType, alpha: Scalar): void {
  if (alpha === Scalar.ONE) return; // the usual alpha, which is valid for every dtype
  TORCH_CHECK(!alpha.isBoolean() || dtype === ScalarType.Bool, "Boolean alpha only supported for Boolean results.");
  TORCH_CHECK(
    isComplexType(dtype) || !isIntegralType(dtype, true) || alpha.isIntegral(true),
    "For integral input tensors, argument alpha must not be a floating point number.",
  );
  TORCH_CHECK(
    isComplexType(dtype) || !alpha.isComplex(),
    "For non-complex input tensors, argument alpha must not be a complex number.",
  );
}

/** Refuses bools, which cannot be subtracted. */
export function sub_check(self: Tensor, other: Tensor): void {
  const a = self.scalar_type();
  const b = other.scalar_type();
  TORCH_CHECK(
    a !== ScalarType.Bool || b !== ScalarType.Bool,
    "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.",
  );
  TORCH_CHECK(
    a !== ScalarType.Bool && b !== ScalarType.Bool,
    "Subtraction, the `-` operator, with a bool tensor is not supported. " +
      "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
  );
}

// The impl of `add` is generated: native_functions.yaml gives it an `ufunc_inner_loop`.
export abstract class structured_add_Tensor extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor, alpha: Scalar): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), self, other);
    alpha_check(this.dtype(), alpha);
  }
}

export abstract class structured_sub_Tensor extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor, alpha: Scalar): void {
    sub_check(self, other);
    this.build_borrowing_binary_op(this.maybe_get_output(0), self, other);
    alpha_check(this.dtype(), alpha);
  }
}
export abstract class structured_sub_out extends structured_sub_Tensor {
  impl(_self: Tensor, _other: Tensor, alpha: Scalar, _out: Tensor): void {
    add_stub.call(this.device_type(), this, alpha.neg());
  }
}

export function rsub_Tensor(self: Tensor, other: Tensor, alpha: Scalar): Tensor {
  return at.sub_Tensor(other, self, alpha); // through the dispatcher again, so autograd records a `sub`
}

// ---- mul

export abstract class structured_mul_Tensor extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), self, other);
  }
}
export abstract class structured_mul_out extends structured_mul_Tensor {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    mul_stub.call(this.device_type(), this);
  }
}

// ---- div

export abstract class structured_div_Tensor extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor): void {
    this.build_borrowing_binary_float_op(this.maybe_get_output(0), self, other);
  }
}
export abstract class structured_div_out extends structured_div_Tensor {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    div_true_stub.call(this.device_type(), this);
  }
}

export abstract class structured_div_Tensor_mode extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor, rounding_mode: string | null): void {
    if (rounding_mode === null) this.build_borrowing_binary_float_op(this.maybe_get_output(0), self, other);
    else if (rounding_mode === "trunc" || rounding_mode === "floor") {
      this.build_borrowing_binary_op(this.maybe_get_output(0), self, other);
    } else {
      TORCH_CHECK(
        false,
        "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '",
        rounding_mode,
        "'",
      );
    }
  }
}
export abstract class structured_div_out_mode extends structured_div_Tensor_mode {
  impl(_self: Tensor, _other: Tensor, rounding_mode: string | null, _out: Tensor): void {
    const stub = rounding_mode === null ? div_true_stub : rounding_mode === "trunc" ? div_trunc_stub : div_floor_stub;
    stub.call(this.device_type(), this);
  }
}

// ---- bitwise

export abstract class structured_bitwise_and_Tensor extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), self, other);
  }
}
export abstract class structured_bitwise_and_out extends structured_bitwise_and_Tensor {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    bitwise_and_stub.call(this.device_type(), this);
  }
}

export abstract class structured_bitwise_or_Tensor extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), self, other);
  }
}
export abstract class structured_bitwise_or_out extends structured_bitwise_or_Tensor {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    bitwise_or_stub.call(this.device_type(), this);
  }
}

export abstract class structured_bitwise_xor_Tensor extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), self, other);
  }
}
export abstract class structured_bitwise_xor_out extends structured_bitwise_xor_Tensor {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    bitwise_xor_stub.call(this.device_type(), this);
  }
}

// ---- shifts
// `a << b` is not an alias of `bitwise_left_shift`: it is an older operator with its own kernel around the same stub.

export abstract class structured_bitwise_left_shift_Tensor extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), self, other);
  }
}
export abstract class structured_bitwise_left_shift_out extends structured_bitwise_left_shift_Tensor {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    lshift_stub.call(this.device_type(), this);
  }
}
export function __lshift___Tensor(self: Tensor, other: Tensor): Tensor {
  const iter = TensorIterator.binary_op(new Tensor(), self, other);
  lshift_stub.call(iter.device_type(), iter);
  return iter.output();
}
export function __lshift___Scalar(self: Tensor, other: Scalar): Tensor {
  return __lshift___Tensor(self, wrapped_scalar_tensor(other));
}
export function __ilshift___Tensor(self: Tensor, other: Tensor): Tensor {
  const iter = TensorIterator.binary_op(self, self, other);
  lshift_stub.call(iter.device_type(), iter);
  return self;
}
export function __ilshift___Scalar(self: Tensor, other: Scalar): Tensor {
  return __ilshift___Tensor(self, wrapped_scalar_tensor(other));
}

export abstract class structured_bitwise_right_shift_Tensor extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), self, other);
  }
}
export abstract class structured_bitwise_right_shift_out extends structured_bitwise_right_shift_Tensor {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    rshift_stub.call(this.device_type(), this);
  }
}
export function __rshift___Tensor(self: Tensor, other: Tensor): Tensor {
  const iter = TensorIterator.binary_op(new Tensor(), self, other);
  rshift_stub.call(iter.device_type(), iter);
  return iter.output();
}
export function __rshift___Scalar(self: Tensor, other: Scalar): Tensor {
  return __rshift___Tensor(self, wrapped_scalar_tensor(other));
}
export function __irshift___Tensor(self: Tensor, other: Tensor): Tensor {
  const iter = TensorIterator.binary_op(self, self, other);
  rshift_stub.call(iter.device_type(), iter);
  return self;
}
export function __irshift___Scalar(self: Tensor, other: Scalar): Tensor {
  return __irshift___Tensor(self, wrapped_scalar_tensor(other));
}

// ---- logical

function comparison_op_out(self: Tensor, other: Tensor, out: Tensor, stub: DispatchStub<structured_binary_fn>): Tensor {
  const iter = TensorIterator.comparison_op(out, self, other);
  stub.call(iter.device_type(), iter);
  return out;
}

export function logical_and_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  return comparison_op_out(self, other, out, logical_and_stub);
}
export function logical_or_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  return comparison_op_out(self, other, out, logical_or_stub);
}
export function logical_xor_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  return comparison_op_out(self, other, out, logical_xor_stub);
}

// ---- maximum, minimum

export abstract class structured_maximum extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor): void {
    TORCH_CHECK(!self.is_complex() && !other.is_complex(), "maximum not implemented for complex tensors.");
    this.build_borrowing_binary_op(this.maybe_get_output(0), self, other);
  }
}
export abstract class structured_maximum_out extends structured_maximum {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    maximum_stub.call(this.device_type(), this);
  }
}
export abstract class structured_minimum extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor): void {
    TORCH_CHECK(!self.is_complex() && !other.is_complex(), "minimum not implemented for complex tensors.");
    this.build_borrowing_binary_op(this.maybe_get_output(0), self, other);
  }
}
export abstract class structured_minimum_out extends structured_minimum {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    minimum_stub.call(this.device_type(), this);
  }
}

// ---- backward of sigmoid and tanh, from their outputs

export abstract class structured_sigmoid_backward extends TensorIteratorBase {
  meta(grad_output: Tensor, output: Tensor): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), grad_output, output);
  }
}
export abstract class structured_sigmoid_backward_out extends structured_sigmoid_backward {
  impl(_grad_output: Tensor, _output: Tensor, _grad_input: Tensor): void {
    sigmoid_backward_stub.call(this.device_type(), this);
  }
}
export abstract class structured_tanh_backward extends TensorIteratorBase {
  meta(grad_output: Tensor, output: Tensor): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), grad_output, output);
  }
}
export abstract class structured_tanh_backward_out extends structured_tanh_backward {
  impl(_grad_output: Tensor, _output: Tensor, _grad_input: Tensor): void {
    tanh_backward_stub.call(this.device_type(), this);
  }
}
