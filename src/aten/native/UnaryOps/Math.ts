/**
 * @file Unary operators that round numbers or return parts of them, conversions of degrees and radians, and composite
 * functions.
 * @mirrors aten/src/ATen/native/UnaryOps.cpp
 * @see index.ts
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { resize_output } from "#aten/native/Resize";
import { wrapped_scalar_tensor } from "#aten/ScalarOps";
import { TensorIterator, TensorIteratorBase, TensorIteratorConfig } from "#aten/TensorIterator";
import { get_default_dtype } from "#c10/core/DefaultDtype";
import { Scalar } from "#c10/core/Scalar";
import { isFloatingType, isIntegralType, isSignedType, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";

type unary_fn = (iter: TensorIteratorBase) => void;
type optional_double = number | null;

export const round_stub = DEFINE_DISPATCH<unary_fn>("round_stub");
export const round_decimals_stub =
  DEFINE_DISPATCH<(iter: TensorIteratorBase, decimals: number) => void>("round_decimals_stub");
export const frac_stub = DEFINE_DISPATCH<unary_fn>("frac_stub");
export const signbit_stub = DEFINE_DISPATCH<unary_fn>("signbit_stub");
export const sinc_stub = DEFINE_DISPATCH<unary_fn>("sinc_stub");
export const frexp_stub = DEFINE_DISPATCH<unary_fn>("frexp_stub");
export const logit_stub = DEFINE_DISPATCH<(iter: TensorIteratorBase, eps: Scalar) => void>("logit_stub");
export const nan_to_num_stub =
  DEFINE_DISPATCH<
    (iter: TensorIteratorBase, nan: optional_double, pos_inf: optional_double, neg_inf: optional_double) => void
  >("nan_to_num_stub");

// ---- structured

/** A half is rounded to the even neighbour; integers are copied. */
export abstract class structured_round extends TensorIteratorBase {
  meta(self: Tensor): void {
    TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(), "round is not supported for complex inputs");
    this.build_borrowing_unary_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_round_out extends structured_round {
  impl(self: Tensor, out: Tensor): void {
    if (isIntegralType(self.scalar_type(), false)) out.copy_(self);
    else round_stub.call(this.device_type(), this);
  }
}

export abstract class structured_round_decimals extends TensorIteratorBase {
  meta(self: Tensor, _decimals: number): void {
    this.build_borrowing_unary_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_round_decimals_out extends structured_round_decimals {
  impl(_self: Tensor, decimals: number, _out: Tensor): void {
    if (decimals === 0) round_stub.call(this.device_type(), this);
    else round_decimals_stub.call(this.device_type(), this, decimals);
  }
}

export abstract class structured_frac extends TensorIteratorBase {
  meta(self: Tensor): void {
    this.build_borrowing_unary_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_frac_out extends structured_frac {
  impl(_self: Tensor, _out: Tensor): void {
    frac_stub.call(this.device_type(), this);
  }
}

export abstract class structured_signbit extends TensorIteratorBase {
  meta(self: Tensor): void {
    TORCH_CHECK(!self.is_complex(), "signbit is not implemented for complex tensors.");
    const out = this.maybe_get_output(0);
    TORCH_CHECK(!out.defined() || out.dtype() === ScalarType.Bool, "signbit does not support non-boolean outputs.");
    this.build_borrowing_unary_force_boolean_op(out, self);
  }
}
export abstract class structured_signbit_out extends structured_signbit {
  impl(self: Tensor, out: Tensor): void {
    if (!isSignedType(self.scalar_type())) out.fill__Scalar(Scalar.FALSE);
    else signbit_stub.call(this.device_type(), this);
  }
}

export abstract class structured_sinc extends TensorIteratorBase {
  meta(self: Tensor): void {
    this.build_borrowing_unary_float_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_sinc_out extends structured_sinc {
  impl(_self: Tensor, _out: Tensor): void {
    sinc_stub.call(this.device_type(), this);
  }
}

// ---- logit: a missing eps is -1

export function logit(self: Tensor, eps: number | null): Tensor {
  const iter = TensorIterator.unary_float_op(new Tensor(), self);
  logit_stub.call(iter.device_type(), iter, Scalar.fromDouble(eps ?? -1));
  return iter.output();
}
export function logit_(self: Tensor, eps: number | null): Tensor {
  return at.logit_out(self, eps, self);
}
export function logit_out(self: Tensor, eps: number | null, out: Tensor): Tensor {
  const iter = TensorIterator.unary_float_op(out, self);
  logit_stub.call(iter.device_type(), iter, Scalar.fromDouble(eps ?? -1));
  return out;
}

// ---- nan_to_num: integers are copied

export function nan_to_num(
  self: Tensor,
  nan: optional_double,
  pos_inf: optional_double,
  neg_inf: optional_double,
): Tensor {
  return at.nan_to_num_out(self, nan, pos_inf, neg_inf, at.empty_like(self));
}
export function nan_to_num_(
  self: Tensor,
  nan: optional_double,
  pos_inf: optional_double,
  neg_inf: optional_double,
): Tensor {
  return at.nan_to_num_out(self, nan, pos_inf, neg_inf, self);
}
export function nan_to_num_out(
  self: Tensor,
  nan: optional_double,
  pos_inf: optional_double,
  neg_inf: optional_double,
  out: Tensor,
): Tensor {
  TORCH_CHECK(
    self.scalar_type() === out.scalar_type(),
    "nan_to_num: dtype of out: ",
    toString(out.scalar_type()),
    " should be same as input: ",
    toString(self.scalar_type()),
  );
  if (isIntegralType(self.scalar_type(), true)) {
    resize_output(out, self.sizes());
    return out.copy_(self);
  }
  const iter = TensorIterator.unary_op(out, self);
  nan_to_num_stub.call(iter.device_type(), iter, nan, pos_inf, neg_inf);
  return out;
}

// ---- frexp: mantissa in [1/2, 1), and the power of two

export function frexp_Tensor(self: Tensor): [mantissa: Tensor, exponent: Tensor] {
  const mantissa = at.empty_like(self);
  const exponent = at.empty_like(self, self.options().dtype(ScalarType.Int));
  return at.frexp_Tensor_out(self, mantissa, exponent);
}
export function frexp_out(self: Tensor, mantissa: Tensor, exponent: Tensor): [mantissa: Tensor, exponent: Tensor] {
  TORCH_CHECK(isFloatingType(self.scalar_type()), "torch.frexp() only supports floating-point dtypes");
  TORCH_CHECK(
    mantissa.dtype() === self.dtype(),
    "torch.frexp() expects mantissa to have dtype ",
    typeMetaName(self.dtype()),
    " but got ",
    typeMetaName(mantissa.dtype()),
  );
  TORCH_CHECK(
    exponent.dtype() === ScalarType.Int,
    "torch.frexp() expects exponent to have int dtype but got ",
    typeMetaName(exponent.dtype()),
  );
  const iter = new TensorIteratorConfig()
    .add_output(mantissa)
    .add_output(exponent)
    .add_const_input(self)
    .check_all_same_dtype(false)
    .set_check_mem_overlap(true)
    .build();
  frexp_stub.call(iter.device_type(), iter);
  return [mantissa, exponent];
}

// ---- degrees and radians

const M_180_PI = 57.29577951308232;
const M_PI_180 = 0.017453292519943295;

/** An empty tensor like `self`, with the default dtype for integers, because no iterator promotes them here. */
function float_like(self: Tensor): Tensor {
  const options = self.options();
  return at.empty_like(self, isIntegralType(self.scalar_type(), true) ? options.dtype(get_default_dtype()) : options);
}

export function rad2deg(self: Tensor): Tensor {
  return at.rad2deg_out(self, float_like(self));
}
export function rad2deg_(self: Tensor): Tensor {
  return at.rad2deg_out(self, self);
}
export function rad2deg_out(self: Tensor, out: Tensor): Tensor {
  TORCH_CHECK(!self.is_complex(), "rad2deg is not supported for complex tensors.");
  return at.mul_out(self, wrapped_scalar_tensor(Scalar.fromDouble(M_180_PI)), out);
}
export function deg2rad(self: Tensor): Tensor {
  return at.deg2rad_out(self, float_like(self));
}
export function deg2rad_(self: Tensor): Tensor {
  return at.deg2rad_out(self, self);
}
export function deg2rad_out(self: Tensor, out: Tensor): Tensor {
  TORCH_CHECK(!self.is_complex(), "deg2rad is not supported for complex tensors.");
  return at.mul_out(self, wrapped_scalar_tensor(Scalar.fromDouble(M_PI_180)), out);
}

// ---- composite

/** `+x`: the tensor itself. */
export function positive(self: Tensor): Tensor {
  TORCH_CHECK(self.scalar_type() !== ScalarType.Bool, "The `+` operator, on a bool tensor is not supported.");
  return self;
}

export function absolute(self: Tensor): Tensor {
  return self.abs();
}
export function absolute_out(self: Tensor, out: Tensor): Tensor {
  return at.abs_out(self, out);
}
export function absolute_(self: Tensor): Tensor {
  return self.abs_();
}
