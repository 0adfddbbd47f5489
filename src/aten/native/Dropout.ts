/**
 * @file Dropout: each element, or each channel, is kept with probability 1 - p. Kept values are scaled by 1 / (1 - p),
 * so that the mean does not change. Alpha dropout keeps mean and variance of the output of `selu`.
 * @mirrors aten/src/ATen/native/Dropout.cpp
 */

import { printDouble } from "#aten/core/ivalue";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DeviceType } from "#c10/core/DeviceType";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { same_int } from "#c10/core/SymInt";
import { TORCH_CHECK } from "#c10/util/Exception";

function check_probability(p: number): void {
  TORCH_CHECK(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", printDouble(p));
}

/** Noise with one element per channel, which is broadcast over the other dims. */
function make_feature_noise(input: Tensor): Tensor {
  TORCH_CHECK(input.dim() >= 2, "Feature dropout requires at least 2 dimensions in the input");
  return input.new_empty(input.sizes().map((size, d) => (d < 2 ? size : 1)));
}

interface Kind {
  readonly feature: boolean;
  readonly alpha: boolean;
  readonly inplace: boolean;
}

function multiply(input: Tensor, noise: Tensor, inplace: boolean): Tensor {
  return inplace ? input.mul__Tensor(noise) : input.mul_Tensor(noise);
}

/** Limit of `selu` for very negative inputs, without its sign: dropped elements get -ALPHA. */
const ALPHA = 1.7580993408473766;

function _dropout_impl(input: Tensor, p: number, train: boolean, { feature, alpha, inplace }: Kind): Tensor {
  check_probability(p);
  if (p === 0 || !train || same_int(input.sym_numel(), 0)) return input;
  if (p === 1) return multiply(input, at.zeros([], input.options()), inplace);
  const noise = feature ? make_feature_noise(input) : at.empty_like(input);
  noise.bernoulli__float(1 - p);
  if (!alpha) {
    noise.div__Scalar(Scalar.fromDouble(1 - p));
    return multiply(input, noise, inplace);
  }
  // Dropped elements become -ALPHA; then everything is scaled by `a` and shifted, so that mean 0 and variance 1 are
  // kept.
  const a = 1 / Math.sqrt((ALPHA * ALPHA * p + 1) * (1 - p));
  const b = noise
    .add_Scalar(Scalar.fromInt(-1))
    .mul__Scalar(Scalar.fromDouble(ALPHA * a))
    .add__Scalar(Scalar.fromDouble(ALPHA * a * p));
  noise.mul__Scalar(Scalar.fromDouble(a));
  return multiply(input, noise, inplace).add__Tensor(b);
}

function kind(feature: boolean, alpha: boolean): [functional: Kind, inplace: Kind] {
  return [
    { feature, alpha, inplace: false },
    { feature, alpha, inplace: true },
  ];
}
const [elements, elements_] = kind(false, false);
const [features, features_] = kind(true, false);
const [alphas, alphas_] = kind(false, true);
const [feature_alphas, feature_alphas_] = kind(true, true);

/** Accelerators have one kernel for dropout, which also returns the mask. */
function is_fused_kernel_acceptable(input: Tensor, p: number): boolean {
  const type = input.device().type();
  return (type === DeviceType.PrivateUse1 || type === DeviceType.Lazy) && p > 0 && p < 1 && input.numel() > 0;
}

// dropout(Tensor input, float p, bool train) -> Tensor                              CompositeImplicitAutograd
export function dropout(input: Tensor, p: number, train: boolean): Tensor {
  if (train && is_fused_kernel_acceptable(input, p)) return at.native_dropout(input, p, train)[0];
  return _dropout_impl(input, p, train, elements);
}
export function dropout_(self: Tensor, p: number, train: boolean): Tensor {
  return _dropout_impl(self, p, train, elements_);
}

// feature_dropout(Tensor input, float p, bool train) -> Tensor                      CompositeImplicitAutograd
export function feature_dropout(input: Tensor, p: number, train: boolean): Tensor {
  return _dropout_impl(input, p, train, features);
}
export function feature_dropout_(self: Tensor, p: number, train: boolean): Tensor {
  return _dropout_impl(self, p, train, features_);
}

// alpha_dropout(Tensor input, float p, bool train) -> Tensor                        CompositeImplicitAutograd
export function alpha_dropout(input: Tensor, p: number, train: boolean): Tensor {
  return _dropout_impl(input, p, train, alphas);
}
export function alpha_dropout_(self: Tensor, p: number, train: boolean): Tensor {
  return _dropout_impl(self, p, train, alphas_);
}

// feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor                CompositeImplicitAutograd
export function feature_alpha_dropout(input: Tensor, p: number, train: boolean): Tensor {
  return _dropout_impl(input, p, train, feature_alphas);
}
export function feature_alpha_dropout_(self: Tensor, p: number, train: boolean): Tensor {
  return _dropout_impl(self, p, train, feature_alphas_);
}

// native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)            CPU
// Returns the result and the mask of kept elements.
export function native_dropout_cpu(input: Tensor, p: number, train: boolean | null): [Tensor, Tensor] {
  if (input.numel() === 0) return [input, at.empty_like(input, input.options())];
  const options = input.options().dtype(ScalarType.Bool);
  if (train === false) return [input.clone(), at.ones_like(input, options)];
  const p1m = 1 - p;
  const scale = p1m === 0 ? 0 : 1 / p1m;
  const mask = at.empty_like(input, options, MemoryFormat.Preserve);
  mask.bernoulli__float(p1m);
  const output = input.mul_Tensor(mask).mul__Scalar(Scalar.fromDouble(scale));
  return [output, mask];
}

// native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor   CPU
export function native_dropout_backward(grad: Tensor, mask: Tensor, scale: number): Tensor {
  return grad.mul_Tensor(mask).mul_Scalar(Scalar.fromDouble(scale));
}
