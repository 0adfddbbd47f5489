/**
 * @file Power operators. Integers to negative integer powers are refused. Exponents 0 and 1, and base 1, need no loop.
 * @mirrors aten/src/ATen/native/Pow.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { wrapped_scalar_tensor } from "#aten/ScalarOps";
import { TensorIteratorBase } from "#aten/TensorIterator";
import { MetaBase } from "#aten/TensorMeta";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { Scalar } from "#c10/core/Scalar";
import { isIntegralType, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

export const pow_tensor_tensor_stub = DEFINE_DISPATCH<(iter: TensorIteratorBase) => void>("pow_tensor_tensor_stub");
export const pow_tensor_scalar_stub =
  DEFINE_DISPATCH<(iter: TensorIteratorBase, exp_scalar: Scalar) => void>("pow_tensor_scalar_stub");

export abstract class structured_pow_Tensor_Tensor extends TensorIteratorBase {
  meta(self: Tensor, exponent: Tensor): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), self, exponent);
  }
}
export abstract class structured_pow_Tensor_Tensor_out extends structured_pow_Tensor_Tensor {
  impl(_self: Tensor, _exponent: Tensor, _out: Tensor): void {
    pow_tensor_tensor_stub.call(this.device_type(), this);
  }
}

export abstract class structured_pow_Tensor_Scalar extends TensorIteratorBase {
  meta(self: Tensor, exponent: Scalar): void {
    TORCH_CHECK(
      !(isIntegralType(self.scalar_type(), true) && exponent.isIntegral(true) && exponent.toLong() < 0),
      "Integers to negative integer powers are not allowed.",
    );
    const common_dtype = at.result_type_Scalar(self, exponent);
    this.build_output_borrowing_argument_owning_unary_op(this.maybe_get_output(0), self.to_dtype(common_dtype));
  }
}
export abstract class structured_pow_Tensor_Scalar_out extends structured_pow_Tensor_Scalar {
  impl(self: Tensor, exponent: Scalar, out: Tensor): void {
    if (exponent.equal(0) || exponent.equal(false)) out.fill__Scalar(Scalar.ONE);
    else if (exponent.equal(1) || exponent.equal(true)) out.copy_(self);
    else pow_tensor_scalar_stub.call(this.device_type(), this, exponent);
  }
}

/** Not a TensorIterator: it either fills the result, or calls `pow` with the base as a tensor. */
export abstract class structured_pow_Scalar extends MetaBase {
  meta(self: Scalar, exponent: Tensor): void {
    const out = this.maybe_get_output(0);
    const dtype = out.defined() ? out.scalar_type() : at.result_type_Scalar_Tensor(self, exponent);
    this.set_output_raw_strided(0, exponent.sizes(), [], exponent.options().dtype(dtype));
  }
}
/**
 * @differs Ours leaves the base on the CPU for other backends, which may lack double, like any number next to a tensor;
 * PyTorch puts it on the device.
 */
function device_of_base(device: Device): Device {
  return device.type() === DeviceType.PrivateUse1 ? Device.of(DeviceType.CPU) : device;
}

export abstract class structured_pow_Scalar_out extends structured_pow_Scalar {
  impl(self: Scalar, exponent: Tensor, out: Tensor): void {
    if (self.equal(1)) out.fill__Scalar(Scalar.ONE);
    else at.pow_Tensor_Tensor_out(wrapped_scalar_tensor(self, device_of_base(exponent.device())), exponent, out);
  }
}

// ---- float_power: always computed in double

/** Converts a number of any kind to a double. */
function as_double(s: Scalar): Scalar {
  return Scalar.fromDouble(s.toDouble());
}
function check_double(what: string, dtype: ScalarType): void {
  TORCH_CHECK(
    dtype === ScalarType.Double,
    what,
    " has dtype ",
    toString(dtype),
    " but the operation's result requires dtype ",
    toString(ScalarType.Double),
  );
}
const OUTPUT = "the output given to float_power";
const BASE = "the base given to float_power_";

export function float_power_Tensor_Tensor(self: Tensor, exponent: Tensor): Tensor {
  return at.pow_Tensor_Tensor(self.to_dtype(ScalarType.Double), exponent.to_dtype(ScalarType.Double));
}
export function float_power_out_Tensor_Tensor_out(self: Tensor, exponent: Tensor, out: Tensor): Tensor {
  check_double(OUTPUT, out.scalar_type());
  return at.pow_Tensor_Tensor_out(self.to_dtype(ScalarType.Double), exponent.to_dtype(ScalarType.Double), out);
}
export function float_power_Tensor_Scalar(self: Tensor, exponent: Scalar): Tensor {
  return at.pow_Tensor_Scalar(self.to_dtype(ScalarType.Double), as_double(exponent));
}
export function float_power_out_Tensor_Scalar_out(self: Tensor, exponent: Scalar, out: Tensor): Tensor {
  check_double(OUTPUT, out.scalar_type());
  return at.pow_Tensor_Scalar_out(self.to_dtype(ScalarType.Double), as_double(exponent), out);
}
export function float_power_Scalar(self: Scalar, exponent: Tensor): Tensor {
  return at.pow_Scalar(as_double(self), exponent.to_dtype(ScalarType.Double));
}
export function float_power_out_Scalar_out(self: Scalar, exponent: Tensor, out: Tensor): Tensor {
  check_double(OUTPUT, out.scalar_type());
  return at.pow_Scalar_out(as_double(self), exponent.to_dtype(ScalarType.Double), out);
}
export function float_power__Tensor(self: Tensor, exponent: Tensor): Tensor {
  check_double(BASE, self.scalar_type());
  return self.pow__Tensor(exponent.to_dtype(ScalarType.Double));
}
export function float_power__Scalar(self: Tensor, exponent: Scalar): Tensor {
  check_double(BASE, self.scalar_type());
  return self.pow__Scalar(as_double(exponent));
}
