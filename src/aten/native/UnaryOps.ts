/**
 * @file Operators of one tensor.
 * @mirrors aten/src/ATen/native/UnaryOps.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TensorIterator, TensorIteratorBase, TensorIteratorConfig } from "#aten/TensorIterator";
import { isIntegralType, ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { DEFINE_DISPATCH, type DispatchStub } from "./DispatchStub.ts";

type unary_fn = (iter: TensorIteratorBase) => void;

export const abs_stub = DEFINE_DISPATCH<unary_fn>("abs_stub");
export const neg_stub = DEFINE_DISPATCH<unary_fn>("neg_stub");
export const sign_stub = DEFINE_DISPATCH<unary_fn>("sign_stub");
export const bitwise_not_stub = DEFINE_DISPATCH<unary_fn>("bitwise_not_stub");
export const logical_not_stub = DEFINE_DISPATCH<unary_fn>("logical_not_stub");
export const ceil_stub = DEFINE_DISPATCH<unary_fn>("ceil_stub");
export const exp_stub = DEFINE_DISPATCH<unary_fn>("exp_stub");
export const log_stub = DEFINE_DISPATCH<unary_fn>("log_stub");
export const sqrt_stub = DEFINE_DISPATCH<unary_fn>("sqrt_stub");
export const rsqrt_stub = DEFINE_DISPATCH<unary_fn>("rsqrt_stub");
export const reciprocal_stub = DEFINE_DISPATCH<unary_fn>("reciprocal_stub");
export const sigmoid_stub = DEFINE_DISPATCH<unary_fn>("sigmoid_stub");
export const tanh_stub = DEFINE_DISPATCH<unary_fn>("tanh_stub");

// ---- structured: integers are computed, and returned, in the default dtype

abstract class UnaryFloatMeta extends TensorIteratorBase {
  meta(self: Tensor): void {
    this.build_borrowing_unary_float_op(this.maybe_get_output(0), self);
  }
}

export abstract class structured_exp extends UnaryFloatMeta {}
export abstract class structured_exp_out extends structured_exp {
  impl(_self: Tensor, _out: Tensor): void {
    exp_stub.call(this.device_type(), this);
  }
}

export abstract class structured_log extends UnaryFloatMeta {}
export abstract class structured_log_out extends structured_log {
  impl(_self: Tensor, _out: Tensor): void {
    log_stub.call(this.device_type(), this);
  }
}

export abstract class structured_sqrt extends UnaryFloatMeta {}
export abstract class structured_sqrt_out extends structured_sqrt {
  impl(_self: Tensor, _out: Tensor): void {
    sqrt_stub.call(this.device_type(), this);
  }
}

export abstract class structured_rsqrt extends UnaryFloatMeta {}
export abstract class structured_rsqrt_out extends structured_rsqrt {
  impl(_self: Tensor, _out: Tensor): void {
    rsqrt_stub.call(this.device_type(), this);
  }
}

export abstract class structured_reciprocal extends UnaryFloatMeta {}
export abstract class structured_reciprocal_out extends structured_reciprocal {
  impl(_self: Tensor, _out: Tensor): void {
    reciprocal_stub.call(this.device_type(), this);
  }
}

export abstract class structured_sigmoid extends UnaryFloatMeta {}
export abstract class structured_sigmoid_out extends structured_sigmoid {
  impl(_self: Tensor, _out: Tensor): void {
    sigmoid_stub.call(this.device_type(), this);
  }
}

export abstract class structured_tanh extends UnaryFloatMeta {}
export abstract class structured_tanh_out extends structured_tanh {
  impl(_self: Tensor, _out: Tensor): void {
    tanh_stub.call(this.device_type(), this);
  }
}

// ---- structured: the result has the input's dtype

export abstract class structured_neg extends TensorIteratorBase {
  meta(self: Tensor): void {
    TORCH_CHECK(
      self.scalar_type() !== ScalarType.Bool,
      "Negation, the `-` operator, on a bool tensor is not supported. " +
        "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
    );
    this.build_borrowing_unary_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_neg_out extends structured_neg {
  impl(_self: Tensor, _out: Tensor): void {
    neg_stub.call(this.device_type(), this);
  }
}
export function negative(self: Tensor): Tensor {
  return self.neg();
}
export function negative_out(self: Tensor, out: Tensor): Tensor {
  return at.neg_out(self, out);
}
export function negative_(self: Tensor): Tensor {
  return self.neg_();
}

/** For real numbers the sign; of complex ones only the meta is built. */
export abstract class structured_sgn extends TensorIteratorBase {
  meta(self: Tensor): void {
    this.build_borrowing_unary_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_sgn_out extends structured_sgn {
  impl(_self: Tensor, _out: Tensor): void {
    sign_stub.call(this.device_type(), this);
  }
}

/** Integers have no fraction: they are copied. */
export abstract class structured_ceil extends TensorIteratorBase {
  meta(self: Tensor): void {
    TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(), "ceil is not supported for complex inputs");
    this.build_borrowing_unary_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_ceil_out extends structured_ceil {
  impl(self: Tensor, out: Tensor): void {
    if (isIntegralType(self.scalar_type(), false)) out.copy_(self);
    else ceil_stub.call(this.device_type(), this);
  }
}

export abstract class structured_bitwise_not extends TensorIteratorBase {
  meta(self: Tensor): void {
    this.build_borrowing_unary_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_bitwise_not_out extends structured_bitwise_not {
  impl(_self: Tensor, _out: Tensor): void {
    bitwise_not_stub.call(this.device_type(), this);
  }
}

// ---- not structured: `out=` does the work, the others call it

function unary_op_impl_out(out: Tensor, self: Tensor, stub: DispatchStub<unary_fn>): Tensor {
  const iter = TensorIterator.unary_op(out, self);
  if (!out.is_meta()) stub.call(iter.device_type(), iter);
  return out;
}

export function abs(self: Tensor): Tensor {
  return at.abs_out(self, at.empty_memory_format([0], self.options()));
}
export function abs_(self: Tensor): Tensor {
  TORCH_CHECK(!self.is_complex(), "In-place abs is not supported for complex tensors.");
  return at.abs_out(self, self);
}
export function abs_out(self: Tensor, out: Tensor): Tensor {
  return unary_op_impl_out(out, self, abs_stub);
}

export function logical_not(self: Tensor): Tensor {
  const result = at.empty_memory_format([0], self.options().dtype(ScalarType.Bool));
  return at.logical_not_out(self, result);
}
export function logical_not_(self: Tensor): Tensor {
  return at.logical_not_out(self, self);
}
export function logical_not_out(self: Tensor, out: Tensor): Tensor {
  const iter = new TensorIteratorConfig().check_all_same_dtype(false).add_output(out).add_const_input(self).build();
  logical_not_stub.call(iter.device_type(), iter);
  return out;
}
