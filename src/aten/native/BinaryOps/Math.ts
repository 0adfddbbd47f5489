/**
 * @file Binary mathematical operators: angles and lengths, remainders, logarithms, signs, divisors; `floor_divide`.
 * Metas compute shape and dtype; impls call a stub. Overloads with a number, and aliases, are in MathComposite.ts.
 * @mirrors aten/src/ATen/native/BinaryOps.cpp
 * @see index.ts
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { TensorIterator, TensorIteratorBase } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import { div_floor_stub } from "./index.ts";

type structured_binary_fn = (iter: TensorIteratorBase) => void;

export const atan2_stub = DEFINE_DISPATCH<structured_binary_fn>("atan2_stub");
export const hypot_stub = DEFINE_DISPATCH<structured_binary_fn>("hypot_stub");
export const copysign_stub = DEFINE_DISPATCH<structured_binary_fn>("copysign_stub");
export const fmod_stub = DEFINE_DISPATCH<structured_binary_fn>("fmod_stub");
export const remainder_stub = DEFINE_DISPATCH<structured_binary_fn>("remainder_stub");
export const fmax_stub = DEFINE_DISPATCH<structured_binary_fn>("fmax_stub");
export const fmin_stub = DEFINE_DISPATCH<structured_binary_fn>("fmin_stub");
export const logaddexp_stub = DEFINE_DISPATCH<structured_binary_fn>("logaddexp_stub");
export const logaddexp2_stub = DEFINE_DISPATCH<structured_binary_fn>("logaddexp2_stub");
export const xlogy_stub = DEFINE_DISPATCH<structured_binary_fn>("xlogy_stub");
export const xlog1py_stub = DEFINE_DISPATCH<structured_binary_fn>("xlog1py_stub");
export const gcd_stub = DEFINE_DISPATCH<structured_binary_fn>("gcd_stub");
export const lcm_stub = DEFINE_DISPATCH<structured_binary_fn>("lcm_stub");
export const logit_backward_stub =
  DEFINE_DISPATCH<(iter: TensorIteratorBase, eps: Scalar) => void>("logit_backward_stub");

// ---- in the operands' common dtype

abstract class BinaryMeta extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), self, other);
  }
}

export abstract class structured_hypot extends BinaryMeta {}
export abstract class structured_hypot_out extends structured_hypot {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    hypot_stub.call(this.device_type(), this);
  }
}

export abstract class structured_logaddexp extends BinaryMeta {}
export abstract class structured_logaddexp_out extends structured_logaddexp {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    logaddexp_stub.call(this.device_type(), this);
  }
}

export abstract class structured_logaddexp2 extends BinaryMeta {}
export abstract class structured_logaddexp2_out extends structured_logaddexp2 {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    logaddexp2_stub.call(this.device_type(), this);
  }
}

export abstract class structured_gcd extends BinaryMeta {}
export abstract class structured_gcd_out extends structured_gcd {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    gcd_stub.call(this.device_type(), this);
  }
}

export abstract class structured_lcm extends BinaryMeta {}
export abstract class structured_lcm_out extends structured_lcm {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    lcm_stub.call(this.device_type(), this);
  }
}

export abstract class structured_fmod_Tensor extends BinaryMeta {}
export abstract class structured_fmod_out extends structured_fmod_Tensor {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    fmod_stub.call(this.device_type(), this);
  }
}

export abstract class structured_remainder_Tensor extends BinaryMeta {}
export abstract class structured_remainder_out extends structured_remainder_Tensor {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    remainder_stub.call(this.device_type(), this);
  }
}

export abstract class structured_fmax extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor): void {
    TORCH_CHECK(!self.is_complex() && !other.is_complex(), "fmax not implemented for complex tensors.");
    this.build_borrowing_binary_op(this.maybe_get_output(0), self, other);
  }
}
export abstract class structured_fmax_out extends structured_fmax {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    fmax_stub.call(this.device_type(), this);
  }
}

export abstract class structured_fmin extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor): void {
    TORCH_CHECK(!self.is_complex() && !other.is_complex(), "fmin not implemented for complex tensors.");
    this.build_borrowing_binary_op(this.maybe_get_output(0), self, other);
  }
}
export abstract class structured_fmin_out extends structured_fmin {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    fmin_stub.call(this.device_type(), this);
  }
}

// ---- integers are computed in the default dtype

abstract class BinaryFloatMeta extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor): void {
    this.build_borrowing_binary_float_op(this.maybe_get_output(0), self, other);
  }
}

export abstract class structured_atan2 extends BinaryFloatMeta {}
export abstract class structured_atan2_out extends structured_atan2 {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    atan2_stub.call(this.device_type(), this);
  }
}

export abstract class structured_copysign_Tensor extends BinaryFloatMeta {}
export abstract class structured_copysign_out extends structured_copysign_Tensor {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    copysign_stub.call(this.device_type(), this);
  }
}

export abstract class structured_xlogy_Tensor extends BinaryFloatMeta {}
export abstract class structured_xlogy_out extends structured_xlogy_Tensor {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    xlogy_stub.call(this.device_type(), this);
  }
}

export abstract class structured_special_xlog1py extends BinaryFloatMeta {}
export abstract class structured_special_xlog1py_out extends structured_special_xlog1py {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    xlog1py_stub.call(this.device_type(), this);
  }
}

// ---- backward of logit

export abstract class structured_logit_backward extends TensorIteratorBase {
  meta(grad_output: Tensor, self: Tensor, _eps: number | null): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), grad_output, self);
  }
}
export abstract class structured_logit_backward_out extends structured_logit_backward {
  impl(_grad_output: Tensor, _self: Tensor, eps: number | null, _grad_input: Tensor): void {
    logit_backward_stub.call(this.device_type(), this, Scalar.fromDouble(eps ?? -1));
  }
}

// ---- floor_divide: not structured; `div` rounded down, without its dtype rules

export function floor_divide(self: Tensor, other: Tensor): Tensor {
  const iter = TensorIterator.binary_op(new Tensor(), self, other);
  div_floor_stub.call(iter.device_type(), iter);
  return iter.output();
}
export function floor_divide__Tensor(self: Tensor, other: Tensor): Tensor {
  return floor_divide_out(self, other, self);
}
export function floor_divide_out(self: Tensor, other: Tensor, out: Tensor): Tensor {
  const iter = TensorIterator.binary_op(out, self, other);
  div_floor_stub.call(iter.device_type(), iter);
  return out;
}
