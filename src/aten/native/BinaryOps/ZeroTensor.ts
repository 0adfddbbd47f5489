/**
 * @file Arithmetic with zero tensors that have no memory: the result is known without a loop, and is often such a
 * tensor again. Shape and dtype are those that the operator has on the meta device.
 * @mirrors aten/src/ATen/native/BinaryOps.cpp
 * @see ../../ZeroTensorFallback.ts (all other operators)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import * as _ops from "#aten/generated/Operators";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { Scalar } from "#c10/core/Scalar";
import { TensorOptions } from "#c10/core/TensorOptions";

const meta_dks = DispatchKeySet.of(DispatchKey.Meta);
const meta_options = new TensorOptions().device(Device.of(DeviceType.Meta));

function to_meta(tensor: Tensor): Tensor {
  return tensor.to_dtype_layout(meta_options);
}

/**
 * Options like those of `meta_out`, on the device that the operator would use: a CPU scalar may meet a tensor on
 * another device.
 */
function out_options(meta_out: Tensor, self: Tensor, other: Tensor): TensorOptions {
  return meta_out.options().device(self.device().is_cpu() ? other.device() : self.device());
}

function maybe_add_maybe_sub(self: Tensor, other: Tensor, alpha: Scalar): Tensor {
  const meta_out = _ops.add_Tensor.redispatch(meta_dks, to_meta(self), to_meta(other), alpha);
  const options = out_options(meta_out, self, other);
  const get_out_like = (tensor: Tensor) => at._to_copy(tensor.expand(meta_out.sizes() as number[]), options);
  if (!self._is_zerotensor()) return get_out_like(self);
  if (other._is_zerotensor()) return at._efficientzerotensor(meta_out.sizes() as number[], options);
  return get_out_like(other).mul_Scalar(alpha);
}

// add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor               ZeroTensor
export function add_zerotensor(self: Tensor, other: Tensor, alpha: Scalar): Tensor {
  return maybe_add_maybe_sub(self, other, alpha);
}

// sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor               ZeroTensor
export function sub_zerotensor(self: Tensor, other: Tensor, alpha: Scalar): Tensor {
  return maybe_add_maybe_sub(self, other, alpha.neg());
}

// mul.Tensor(Tensor self, Tensor other) -> Tensor                                  ZeroTensor
export function mul_zerotensor(self: Tensor, other: Tensor): Tensor {
  const meta_out = _ops.mul_Tensor.redispatch(meta_dks, to_meta(self), to_meta(other));
  return at._efficientzerotensor(meta_out.sizes() as number[], out_options(meta_out, self, other));
}

// div.Tensor(Tensor self, Tensor other) -> Tensor                                  ZeroTensor
// A division by zero gives NaN, or infinity for either sign of zero.
export function div_zerotensor(self: Tensor, other: Tensor): Tensor {
  const meta_out = _ops.div_Tensor.redispatch(meta_dks, to_meta(self), to_meta(other));
  const options = out_options(meta_out, self, other);
  if (!other._is_zerotensor()) return at._efficientzerotensor(meta_out.sizes() as number[], options);
  const quotient = self._is_zerotensor() ? Number.NaN : Number.POSITIVE_INFINITY;
  return at.full(meta_out.sizes() as number[], Scalar.fromDouble(quotient), options);
}
