/**
 * @file Special mathematical functions, related to gamma, erf, Bessel and zeta; and names of `torch.special` for
 * operators elsewhere.
 * @mirrors aten/src/ATen/native/UnaryOps.cpp
 * @see index.ts; ../Math/index.ts (the series)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { resize_output } from "#aten/native/Resize";
import { wrapped_scalar_tensor } from "#aten/ScalarOps";
import { TensorIteratorBase } from "#aten/TensorIterator";
import { get_default_dtype } from "#c10/core/DefaultDtype";
import { Scalar } from "#c10/core/Scalar";
import { canCast, isIntegralType, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

type unary_fn = (iter: TensorIteratorBase) => void;

export const lgamma_stub = DEFINE_DISPATCH<unary_fn>("lgamma_stub");
export const digamma_stub = DEFINE_DISPATCH<unary_fn>("digamma_stub");
export const polygamma_stub = DEFINE_DISPATCH<(iter: TensorIteratorBase, n: number) => void>("polygamma_stub");
export const erfinv_stub = DEFINE_DISPATCH<unary_fn>("erfinv_stub");
export const i0_stub = DEFINE_DISPATCH<unary_fn>("i0_stub");
export const special_i1_stub = DEFINE_DISPATCH<unary_fn>("special_i1_stub");
export const special_erfcx_stub = DEFINE_DISPATCH<unary_fn>("special_erfcx_stub");
export const zeta_stub = DEFINE_DISPATCH<unary_fn>("zeta_stub");

abstract class UnaryFloatMeta extends TensorIteratorBase {
  meta(self: Tensor): void {
    this.build_borrowing_unary_float_op(this.maybe_get_output(0), self);
  }
}

export abstract class structured_lgamma extends UnaryFloatMeta {}
export abstract class structured_lgamma_out extends structured_lgamma {
  impl(_self: Tensor, _out: Tensor): void {
    lgamma_stub.call(this.device_type(), this);
  }
}

export abstract class structured_digamma extends UnaryFloatMeta {}
export abstract class structured_digamma_out extends structured_digamma {
  impl(_self: Tensor, _out: Tensor): void {
    digamma_stub.call(this.device_type(), this);
  }
}

export abstract class structured_erfinv extends UnaryFloatMeta {}
export abstract class structured_erfinv_out extends structured_erfinv {
  impl(_self: Tensor, _out: Tensor): void {
    erfinv_stub.call(this.device_type(), this);
  }
}

export abstract class structured_i0 extends UnaryFloatMeta {}
export abstract class structured_i0_out extends structured_i0 {
  impl(_self: Tensor, _out: Tensor): void {
    i0_stub.call(this.device_type(), this);
  }
}

export abstract class structured_special_i1 extends UnaryFloatMeta {}
export abstract class structured_special_i1_out extends structured_special_i1 {
  impl(_self: Tensor, _out: Tensor): void {
    special_i1_stub.call(this.device_type(), this);
  }
}

export abstract class structured_special_erfcx extends UnaryFloatMeta {}
export abstract class structured_special_erfcx_out extends structured_special_erfcx {
  impl(_self: Tensor, _out: Tensor): void {
    special_erfcx_stub.call(this.device_type(), this);
  }
}

export abstract class structured_polygamma extends TensorIteratorBase {
  meta(n: number, self: Tensor): void {
    TORCH_CHECK(n >= 0, "polygamma(n, x) does not support negative n.");
    this.build_borrowing_unary_float_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_polygamma_out extends structured_polygamma {
  impl(n: number, _self: Tensor, _out: Tensor): void {
    polygamma_stub.call(this.device_type(), this, n);
  }
}
export function polygamma_(self: Tensor, n: number): Tensor {
  return at.polygamma_out(n, self, self);
}

// ---- zeta of two tensors, or of a tensor and a number   (PyTorch: BinaryOps.cpp)

export abstract class structured_special_zeta extends TensorIteratorBase {
  meta(self: Tensor, other: Tensor): void {
    this.build_borrowing_binary_float_op(this.maybe_get_output(0), self, other);
  }
}
export abstract class structured_special_zeta_out extends structured_special_zeta {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    zeta_stub.call(this.device_type(), this);
  }
}
export function special_zeta_self_scalar(self: Scalar, other: Tensor): Tensor {
  return at.special_zeta(wrapped_scalar_tensor(self), other);
}
export function special_zeta_other_scalar(self: Tensor, other: Scalar): Tensor {
  return at.special_zeta(self, wrapped_scalar_tensor(other));
}
export function special_zeta_out_self_scalar_out(self: Scalar, other: Tensor, out: Tensor): Tensor {
  return at.special_zeta_out(wrapped_scalar_tensor(self), other, out);
}
export function special_zeta_out_other_scalar_out(self: Tensor, other: Scalar, out: Tensor): Tensor {
  return at.special_zeta_out(self, wrapped_scalar_tensor(other), out);
}

// ---- mvlgamma: a sum of lgammas in steps of one half

/** `self` and the p - 1 numbers below it in steps of one half, along a new last dim. */
function steps_below(self: Tensor, p: number, dtype: ScalarType): Tensor {
  TORCH_CHECK(self.scalar_type() !== ScalarType.Bool, "The input tensor may not be a boolean tensor.");
  TORCH_CHECK(p >= 1, "p has to be greater than or equal to 1");
  const half = Scalar.fromDouble(0.5);
  const args = at.empty_memory_format([0], self.options().dtype(dtype));
  at.arange_start_out(Scalar.fromDouble(0.5 - Number(p) * 0.5), half, half, args);
  return args.add_Tensor(self.unsqueeze(-1), Scalar.ONE);
}
function sum_of_lgammas(args: Tensor, p: number): Tensor {
  const constant = Scalar.fromDouble(Number(p) * (Number(p) - 1) * Math.log(Math.PI) * 0.25);
  return args.lgamma_().sum_dim_IntList([-1], false, null).add__Scalar(constant, Scalar.ONE);
}
function check_can_cast(what: string, self: Tensor, from: Tensor, to: Tensor): void {
  TORCH_CHECK(
    canCast(from.scalar_type(), to.scalar_type()),
    what,
    "result type ",
    toString(self.scalar_type()),
    " can't be cast to the desired output type ",
    toString((self === from ? to : from).scalar_type()),
  );
}

export function mvlgamma(self: Tensor, p: number): Tensor {
  const dtype = isIntegralType(self.scalar_type(), true) ? get_default_dtype() : self.scalar_type();
  return sum_of_lgammas(steps_below(self, p, dtype), p);
}
export function mvlgamma_(self: Tensor, p: number): Tensor {
  return at.mvlgamma_out(self, p, self);
}
/** The error text names the input's dtype first, as in PyTorch. */
export function mvlgamma_out(self: Tensor, p: number, out: Tensor): Tensor {
  const result = self.mvlgamma(p);
  check_can_cast("mvlgamma: ", self, result, out);
  resize_output(out, result.sizes());
  return out.copy_(result);
}

// ---- ndtr: the normal distribution function

function calc_ndtr(self: Tensor): Tensor {
  const x_sqrt_2 = self.mul_Scalar(Scalar.fromDouble(Math.SQRT1_2));
  return at.erf(x_sqrt_2).add_Scalar(Scalar.fromInt(1), Scalar.ONE).mul_Scalar(Scalar.fromDouble(0.5));
}
export function special_ndtr(self: Tensor): Tensor {
  return calc_ndtr(self);
}
export function special_ndtr_out(self: Tensor, out: Tensor): Tensor {
  TORCH_CHECK(
    self.device().eq(out.device()),
    "Expected all tensors to be on the same device, but found at least two devices, ",
    self.device(),
    " and ",
    out.device(),
    "!",
  );
  const ndtr = calc_ndtr(self);
  check_can_cast("", ndtr, ndtr, out);
  resize_output(out, ndtr.sizes());
  return out.copy_(ndtr);
}
