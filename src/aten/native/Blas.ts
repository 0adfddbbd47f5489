/**
 * @file Products with vectors: mv, addmv, dot, vdot.
 * @mirrors aten/src/ATen/native/Blas.cpp
 */
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MetaBase } from "#aten/TensorMeta";
import { Scalar } from "#c10/core/Scalar";
import { isFloatingType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { dot_impl, gemv } from "./BlasKernel.ts";
import { copy_ as native_copy_ } from "./Copy.ts";
import { check_has_product } from "./CPUBlas.ts";
import { resize_output } from "./Resize.ts";

export abstract class structured_addmv extends MetaBase {
  meta(self: Tensor, mat: Tensor, vec: Tensor, _beta: Scalar, _alpha: Scalar): void {
    // (m) or (1) or (), (m, k), (k)
    TORCH_CHECK(
      mat.dim() === 2 && vec.dim() === 1 && self.dim() <= 1,
      "vector + matrix @ vector expected, got ",
      self.dim(),
      ", ",
      mat.dim(),
      ", ",
      vec.dim(),
    );
    const [m, k] = mat.sizes() as [number, number];
    if (k !== vec.size(0) || (m !== self.numel() && self.numel() !== 1))
      TORCH_CHECK(false, `size mismatch, got input (${self.size(0)}), mat (${m}x${k}), vec (${vec.size(0)})`);
    TORCH_CHECK(
      mat.scalar_type() === vec.scalar_type() && vec.scalar_type() === self.scalar_type(),
      "addmv input tensors must have the same dtype, but got ",
      `${toString(self.scalar_type())}, ${toString(mat.scalar_type())}, and ${toString(vec.scalar_type())}`,
    );
    this.set_output_raw_strided(0, [m], [], vec.options());
    const result = this.maybe_get_output(0);
    // Only an in-place call can still have another shape here.
    TORCH_CHECK(
      result.dim() === 1 && result.size(0) === m,
      "output of addmv operation should be 1D with size equal to mat.size(0), got output with size ",
      result.sizes(),
      " and mat with size ",
      mat.sizes(),
    );
  }
}

// addmv.out                                                                         CPU
export abstract class structured_addmv_out_cpu extends structured_addmv {
  impl(self: Tensor, mat: Tensor, vec: Tensor, beta: Scalar, alpha: Scalar, result: Tensor): void {
    const m = mat.size(0);
    const self_ = sizes_equal(self.sizes(), [m]) ? self : self.expand([m]);
    const ignoresSelf = beta.toNumber() === 0; // then even NaN in self must not show
    if (mat.numel() === 0) {
      if (ignoresSelf) result.zero_();
      else at.mul_out(self, at.scalar_tensor(beta, self.options()), result);
      return;
    }
    if (!result.is_same(self_) && !ignoresSelf) native_copy_(result, self_, false);
    if (result.numel() !== 0) gemv("addmv_impl_cpu", mat, vec, alpha, beta, result);
  }
}

// mv(Tensor self, Tensor vec) -> Tensor                                             CompositeExplicitAutograd
export function mv(self: Tensor, vec: Tensor): Tensor {
  // (m, k), (k)
  const result = at.empty_memory_format([self.size(0)], vec.options());
  return at.addmv_(result, self, vec, Scalar.ZERO, Scalar.ONE);
}

export function mv_out(self: Tensor, vec: Tensor, result: Tensor): Tensor {
  // addmv refuses a `self` of another shape, but `result` may have any shape. So it gets a `self` that fits; beta 0
  // ignores its values.
  const fits = result.dim() <= 1 && (result.numel() === self.size(0) || result.numel() === 1);
  const self_addmv = fits ? result : at.empty_memory_format([self.size(0)], vec.options());
  return at.addmv_out(self_addmv, self, vec, Scalar.ZERO, Scalar.ONE, result);
}

function dot_check(self: Tensor, other: Tensor): void {
  TORCH_CHECK(
    self.dim() === 1 && other.dim() === 1,
    `1D tensors expected, but got ${self.dim()}D and ${other.dim()}D tensors`,
  );
  TORCH_CHECK(
    self.scalar_type() === other.scalar_type(),
    "dot : expected both vectors to have same dtype, but found ",
    toString(self.scalar_type()),
    " and ",
    toString(other.scalar_type()),
  );
  TORCH_CHECK(
    self.numel() === other.numel(),
    `inconsistent tensor size, expected tensor [${self.numel()}] and src [${other.numel()}] to have the same number of`,
    ` elements, but got ${self.numel()} and ${other.numel()} elements respectively`,
  );
}

// dot(Tensor self, Tensor tensor) -> Tensor                                         CPU
export function dot(self: Tensor, other: Tensor): Tensor {
  dot_check(self, other);
  if (self._is_zerotensor() || other._is_zerotensor()) return at._efficientzerotensor([], self.options());
  const dtype = self.scalar_type();
  check_has_product("dot", dtype);
  const result = at.empty_memory_format([], self.options());
  const value = dot_impl(self, other);
  return result.fill__Scalar(isFloatingType(dtype) ? Scalar.fromDouble(Number(value)) : Scalar.fromInt(value));
}

export function dot_out(self: Tensor, other: Tensor, result: Tensor): Tensor {
  TORCH_CHECK(
    self.device().eq(other.device()) && self.device().eq(result.device()),
    `Expected all tensors to be on the same device. Found: ${result.device()}, ${self.device()}, ${other.device()}`,
  );
  resize_output(result, []);
  TORCH_CHECK(
    result.scalar_type() === self.scalar_type(),
    "result dtype ",
    toString(result.scalar_type()),
    " does not match input dtype ",
    toString(self.scalar_type()),
  );
  return result.fill__Tensor(self.dot(other));
}

// vdot(Tensor self, Tensor other) -> Tensor                                         CPU
export function vdot(self: Tensor, other: Tensor): Tensor {
  TORCH_CHECK(!self.is_complex(), "vdot of complex tensors is not built");
  return at.dot(self, other); // the conjugate of a real number is itself
}

export function vdot_out(self: Tensor, other: Tensor, result: Tensor): Tensor {
  TORCH_CHECK(!self.is_complex(), "vdot of complex tensors is not built");
  return at.dot_out(self, other, result);
}
