/**
 * @file Unary operators.
 * @mirrors aten/src/ATen/native/UnaryOps.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH, type DispatchStub } from "#aten/native/DispatchStub";
import { TensorIterator, TensorIteratorBase, TensorIteratorConfig } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { isIntegralType, ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";

type unary_fn = (iter: TensorIteratorBase) => void;

export const abs_stub = DEFINE_DISPATCH<unary_fn>("abs_stub");
export const neg_stub = DEFINE_DISPATCH<unary_fn>("neg_stub");
export const sign_stub = DEFINE_DISPATCH<unary_fn>("sign_stub");
export const bitwise_not_stub = DEFINE_DISPATCH<unary_fn>("bitwise_not_stub");
export const logical_not_stub = DEFINE_DISPATCH<unary_fn>("logical_not_stub");
export const ceil_stub = DEFINE_DISPATCH<unary_fn>("ceil_stub");
export const exp_stub = DEFINE_DISPATCH<unary_fn>("exp_stub");
export const log_stub = DEFINE_DISPATCH<unary_fn>("log_stub");
export const sin_stub = DEFINE_DISPATCH<unary_fn>("sin_stub");
export const cos_stub = DEFINE_DISPATCH<unary_fn>("cos_stub");
export const tan_stub = DEFINE_DISPATCH<unary_fn>("tan_stub");
export const asin_stub = DEFINE_DISPATCH<unary_fn>("asin_stub");
export const acos_stub = DEFINE_DISPATCH<unary_fn>("acos_stub");
export const atan_stub = DEFINE_DISPATCH<unary_fn>("atan_stub");
export const sinh_stub = DEFINE_DISPATCH<unary_fn>("sinh_stub");
export const cosh_stub = DEFINE_DISPATCH<unary_fn>("cosh_stub");
export const asinh_stub = DEFINE_DISPATCH<unary_fn>("asinh_stub");
export const acosh_stub = DEFINE_DISPATCH<unary_fn>("acosh_stub");
export const atanh_stub = DEFINE_DISPATCH<unary_fn>("atanh_stub");
export const erf_stub = DEFINE_DISPATCH<unary_fn>("erf_stub");
export const erfc_stub = DEFINE_DISPATCH<unary_fn>("erfc_stub");
export const exp2_stub = DEFINE_DISPATCH<unary_fn>("exp2_stub");
export const expm1_stub = DEFINE_DISPATCH<unary_fn>("expm1_stub");
export const log2_stub = DEFINE_DISPATCH<unary_fn>("log2_stub");
export const log10_stub = DEFINE_DISPATCH<unary_fn>("log10_stub");
export const log1p_stub = DEFINE_DISPATCH<unary_fn>("log1p_stub");
export const floor_stub = DEFINE_DISPATCH<unary_fn>("floor_stub");
export const trunc_stub = DEFINE_DISPATCH<unary_fn>("trunc_stub");
export const sqrt_stub = DEFINE_DISPATCH<unary_fn>("sqrt_stub");
export const rsqrt_stub = DEFINE_DISPATCH<unary_fn>("rsqrt_stub");
export const reciprocal_stub = DEFINE_DISPATCH<unary_fn>("reciprocal_stub");
export const sigmoid_stub = DEFINE_DISPATCH<unary_fn>("sigmoid_stub");
export const tanh_stub = DEFINE_DISPATCH<unary_fn>("tanh_stub");

// ---- structured: integers are computed and returned in the default dtype

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

export abstract class structured_sin extends UnaryFloatMeta {}
export abstract class structured_sin_out extends structured_sin {
  impl(_self: Tensor, _out: Tensor): void {
    sin_stub.call(this.device_type(), this);
  }
}

export abstract class structured_cos extends UnaryFloatMeta {}
export abstract class structured_cos_out extends structured_cos {
  impl(_self: Tensor, _out: Tensor): void {
    cos_stub.call(this.device_type(), this);
  }
}

export abstract class structured_tan extends UnaryFloatMeta {}
export abstract class structured_tan_out extends structured_tan {
  impl(_self: Tensor, _out: Tensor): void {
    tan_stub.call(this.device_type(), this);
  }
}

export abstract class structured_asin extends UnaryFloatMeta {}
export abstract class structured_asin_out extends structured_asin {
  impl(_self: Tensor, _out: Tensor): void {
    asin_stub.call(this.device_type(), this);
  }
}

export abstract class structured_acos extends UnaryFloatMeta {}
export abstract class structured_acos_out extends structured_acos {
  impl(_self: Tensor, _out: Tensor): void {
    acos_stub.call(this.device_type(), this);
  }
}

export abstract class structured_atan extends UnaryFloatMeta {}
export abstract class structured_atan_out extends structured_atan {
  impl(_self: Tensor, _out: Tensor): void {
    atan_stub.call(this.device_type(), this);
  }
}

export abstract class structured_sinh extends UnaryFloatMeta {}
export abstract class structured_sinh_out extends structured_sinh {
  impl(_self: Tensor, _out: Tensor): void {
    sinh_stub.call(this.device_type(), this);
  }
}

export abstract class structured_cosh extends UnaryFloatMeta {}
export abstract class structured_cosh_out extends structured_cosh {
  impl(_self: Tensor, _out: Tensor): void {
    cosh_stub.call(this.device_type(), this);
  }
}

export abstract class structured_asinh extends UnaryFloatMeta {}
export abstract class structured_asinh_out extends structured_asinh {
  impl(_self: Tensor, _out: Tensor): void {
    asinh_stub.call(this.device_type(), this);
  }
}

export abstract class structured_acosh extends UnaryFloatMeta {}
export abstract class structured_acosh_out extends structured_acosh {
  impl(_self: Tensor, _out: Tensor): void {
    acosh_stub.call(this.device_type(), this);
  }
}

export abstract class structured_atanh extends UnaryFloatMeta {}
export abstract class structured_atanh_out extends structured_atanh {
  impl(_self: Tensor, _out: Tensor): void {
    atanh_stub.call(this.device_type(), this);
  }
}

export abstract class structured_erf extends UnaryFloatMeta {}
export abstract class structured_erf_out extends structured_erf {
  impl(_self: Tensor, _out: Tensor): void {
    erf_stub.call(this.device_type(), this);
  }
}

export abstract class structured_erfc extends UnaryFloatMeta {}
export abstract class structured_erfc_out extends structured_erfc {
  impl(_self: Tensor, _out: Tensor): void {
    erfc_stub.call(this.device_type(), this);
  }
}

export abstract class structured_exp2 extends UnaryFloatMeta {}
export abstract class structured_exp2_out extends structured_exp2 {
  impl(_self: Tensor, _out: Tensor): void {
    exp2_stub.call(this.device_type(), this);
  }
}

export abstract class structured_expm1 extends UnaryFloatMeta {}
export abstract class structured_expm1_out extends structured_expm1 {
  impl(_self: Tensor, _out: Tensor): void {
    expm1_stub.call(this.device_type(), this);
  }
}

export abstract class structured_log2 extends UnaryFloatMeta {}
export abstract class structured_log2_out extends structured_log2 {
  impl(_self: Tensor, _out: Tensor): void {
    log2_stub.call(this.device_type(), this);
  }
}

export abstract class structured_log10 extends UnaryFloatMeta {}
export abstract class structured_log10_out extends structured_log10 {
  impl(_self: Tensor, _out: Tensor): void {
    log10_stub.call(this.device_type(), this);
  }
}

export abstract class structured_log1p extends UnaryFloatMeta {}
export abstract class structured_log1p_out extends structured_log1p {
  impl(_self: Tensor, _out: Tensor): void {
    log1p_stub.call(this.device_type(), this);
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

/** The sign of real numbers; for complex ones only the meta exists. */
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

export abstract class structured_sign extends TensorIteratorBase {
  meta(self: Tensor): void {
    TORCH_CHECK_NOT_IMPLEMENTED(
      !self.is_complex(),
      "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead.",
    );
    this.build_borrowing_unary_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_sign_out extends structured_sign {
  impl(_self: Tensor, _out: Tensor): void {
    sign_stub.call(this.device_type(), this);
  }
}

/** Integers have no fraction, so they are copied. */
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

export abstract class structured_floor extends TensorIteratorBase {
  meta(self: Tensor): void {
    TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(), "floor is not supported for complex inputs");
    this.build_borrowing_unary_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_floor_out extends structured_floor {
  impl(self: Tensor, out: Tensor): void {
    if (isIntegralType(self.scalar_type(), false)) out.copy_(self);
    else floor_stub.call(this.device_type(), this);
  }
}

export abstract class structured_trunc extends TensorIteratorBase {
  meta(self: Tensor): void {
    TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(), "trunc is not supported for complex inputs");
    this.build_borrowing_unary_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_trunc_out extends structured_trunc {
  impl(self: Tensor, out: Tensor): void {
    if (isIntegralType(self.scalar_type(), false)) out.copy_(self);
    else trunc_stub.call(this.device_type(), this);
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

// ---- not structured: `out=` does the work, the other overloads call it

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

// ---- composite

export function square(self: Tensor): Tensor {
  return at.pow_Tensor_Scalar(self, Scalar.fromInt(2));
}
export function square_(self: Tensor): Tensor {
  return self.pow__Scalar(Scalar.fromInt(2));
}
export function square_out(self: Tensor, out: Tensor): Tensor {
  return at.pow_Tensor_Scalar_out(self, Scalar.fromInt(2), out);
}

// ---- aliases

export function arcsin(self: Tensor): Tensor {
  return self.asin();
}
export function arcsin_out(self: Tensor, out: Tensor): Tensor {
  return at.asin_out(self, out);
}
export function arcsin_(self: Tensor): Tensor {
  return self.asin_();
}

export function arccos(self: Tensor): Tensor {
  return self.acos();
}
export function arccos_out(self: Tensor, out: Tensor): Tensor {
  return at.acos_out(self, out);
}
export function arccos_(self: Tensor): Tensor {
  return self.acos_();
}

export function arctan(self: Tensor): Tensor {
  return self.atan();
}
export function arctan_out(self: Tensor, out: Tensor): Tensor {
  return at.atan_out(self, out);
}
export function arctan_(self: Tensor): Tensor {
  return self.atan_();
}

export function arcsinh(self: Tensor): Tensor {
  return self.asinh();
}
export function arcsinh_out(self: Tensor, out: Tensor): Tensor {
  return at.asinh_out(self, out);
}
export function arcsinh_(self: Tensor): Tensor {
  return self.asinh_();
}

export function arccosh(self: Tensor): Tensor {
  return self.acosh();
}
export function arccosh_out(self: Tensor, out: Tensor): Tensor {
  return at.acosh_out(self, out);
}
export function arccosh_(self: Tensor): Tensor {
  return self.acosh_();
}

export function arctanh(self: Tensor): Tensor {
  return self.atanh();
}
export function arctanh_out(self: Tensor, out: Tensor): Tensor {
  return at.atanh_out(self, out);
}
export function arctanh_(self: Tensor): Tensor {
  return self.atanh_();
}

export function fix(self: Tensor): Tensor {
  return self.trunc();
}
export function fix_out(self: Tensor, out: Tensor): Tensor {
  return at.trunc_out(self, out);
}
export function fix_(self: Tensor): Tensor {
  return self.trunc_();
}

// real(Tensor(a) self) -> Tensor(a)                                                 CompositeImplicitAutograd
/** @differs Ours refuses a complex tensor; PyTorch returns a view of the real parts, through view_as_real. */
export function real(self: Tensor): Tensor {
  TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(), "real is not implemented for complex tensors here.");
  return self;
}
