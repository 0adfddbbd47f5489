/**
 * @file Selection and clamping (where, clamp), and tests of values (isnan, isclose, allclose, is_nonzero).
 * @mirrors aten/src/ATen/native/TensorCompare.cpp
 * @see Reduce.ts (max and min along a dim)
 */
import { printDouble } from "#aten/core/ivalue";
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TensorIteratorConfigBase } from "#aten/iterator/TensorIteratorConfig";
import { maximum_stub, minimum_stub } from "#aten/native/BinaryOps/index";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { result_type } from "#aten/native/TypeProperties";
import { wrapped_scalar_tensor } from "#aten/ScalarOps";
import { TensorIteratorBase, TensorIteratorConfig } from "#aten/TensorIterator";
import { areAnyTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { get_default_dtype } from "#c10/core/DefaultDtype";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { isComplexType, isFloatingType, isIntegralType, ScalarType, toString } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED, TORCH_WARN_ONCE } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";

export const where_kernel = DEFINE_DISPATCH<(iter: TensorIteratorBase) => void>("where_kernel");
export const isposinf_stub = DEFINE_DISPATCH<(iter: TensorIteratorBase) => void>("isposinf_stub");
export const isneginf_stub = DEFINE_DISPATCH<(iter: TensorIteratorBase) => void>("isneginf_stub");
export const clamp_stub = DEFINE_DISPATCH<(iter: TensorIteratorBase) => void>("clamp_stub");
export const clamp_scalar_stub =
  DEFINE_DISPATCH<(iter: TensorIteratorBase, min: Scalar, max: Scalar) => void>("clamp_scalar_stub");
export const clamp_min_scalar_stub =
  DEFINE_DISPATCH<(iter: TensorIteratorBase, min: Scalar) => void>("clamp_min_scalar_stub");
export const clamp_max_scalar_stub =
  DEFINE_DISPATCH<(iter: TensorIteratorBase, max: Scalar) => void>("clamp_max_scalar_stub");

// ---- clamp

function refuse_complex(dtype: ScalarType): void {
  TORCH_CHECK_NOT_IMPLEMENTED(!isComplexType(dtype), "clamp is not supported for complex types");
}

/** Bounds that are numbers take part in type promotion: an int tensor clamped to 0.5 becomes float. */
abstract class ClampByScalars extends TensorIteratorBase {
  /** Dtype in which `self` and the bounds are compared. In place, it must be `self`'s. */
  protected promoted(self: Tensor, bounds: readonly Scalar[]): ScalarType {
    const own = self.scalar_type();
    refuse_complex(own);
    for (const bound of bounds) refuse_complex(bound.type());
    if (isFloatingType(own)) return own;
    const dtype = result_type(self, ...bounds.map((bound) => wrapped_scalar_tensor(bound)));
    const out = this.maybe_get_output(0);
    TORCH_CHECK(
      dtype === own || !out.defined() || !out.is_same(self),
      "result type ",
      toString(dtype),
      " can't be cast to the desired output type ",
      typeMetaName(own),
    );
    return dtype;
  }

  /** With one bound: if no conversion can be needed, it is skipped, which makes relu faster. */
  protected build_one_sided(self: Tensor, bound: Scalar): void {
    const dtype = this.promoted(self, [bound]);
    if (isFloatingType(self.scalar_type())) this.build_borrowing_unary_op(this.maybe_get_output(0), self);
    else this.build_unary_op(this.maybe_get_output(0), self.to_dtype(dtype));
  }
}

export abstract class structured_clamp extends ClampByScalars {
  meta(self: Tensor, min: Scalar | null, max: Scalar | null): void {
    TORCH_CHECK(min !== null || max !== null, "torch.clamp: At least one of 'min' or 'max' must not be None");
    const dtype = this.promoted(
      self,
      [min, max].filter((bound) => bound !== null),
    );
    this.build_unary_op(this.maybe_get_output(0), self.to_dtype(dtype));
  }
}
export abstract class structured_clamp_out extends structured_clamp {
  impl(_self: Tensor, min: Scalar | null, max: Scalar | null, out: Tensor): void {
    if (min !== null && max !== null) {
      if (Number.isNaN(min.toDouble()) || Number.isNaN(max.toDouble())) out.fill__Scalar(Scalar.fromDouble(NaN));
      else clamp_scalar_stub.call(this.device_type(), this, min, max);
    } else if (max !== null) clamp_max_scalar_stub.call(this.device_type(), this, max);
    else clamp_min_scalar_stub.call(this.device_type(), this, min as Scalar);
  }
}

export abstract class structured_clamp_max extends ClampByScalars {
  meta(self: Tensor, max: Scalar): void {
    this.build_one_sided(self, max);
  }
}
export abstract class structured_clamp_max_out extends structured_clamp_max {
  impl(_self: Tensor, max: Scalar, _out: Tensor): void {
    clamp_max_scalar_stub.call(this.device_type(), this, max);
  }
}
export abstract class structured_clamp_min extends ClampByScalars {
  meta(self: Tensor, min: Scalar): void {
    this.build_one_sided(self, min);
  }
}
export abstract class structured_clamp_min_out extends structured_clamp_min {
  impl(_self: Tensor, min: Scalar, _out: Tensor): void {
    clamp_min_scalar_stub.call(this.device_type(), this, min);
  }
}

export abstract class structured_clamp_Tensor extends TensorIteratorBase {
  meta(self: Tensor, min: Tensor | null, max: Tensor | null): void {
    TORCH_CHECK(min !== null || max !== null, "torch.clamp: At least one of 'min' or 'max' must not be None");
    refuse_complex(self.scalar_type());
    const config = new TensorIteratorConfigBase()
      .add_output(this.maybe_get_output(0))
      .add_const_input(self)
      .promote_inputs_to_common_dtype(true)
      .cast_common_dtype_to_outputs(true)
      .enforce_safe_casting_to_output(true);
    if (min !== null) config.add_const_input(min);
    if (max !== null) config.add_const_input(max);
    this.build(config);
  }
}
export abstract class structured_clamp_Tensor_out extends structured_clamp_Tensor {
  impl(_self: Tensor, min: Tensor | null, max: Tensor | null, _out: Tensor): void {
    const stub = min !== null && max !== null ? clamp_stub : min !== null ? maximum_stub : minimum_stub;
    stub.call(this.device_type(), this);
  }
}
export abstract class structured_clamp_max_Tensor extends TensorIteratorBase {
  meta(self: Tensor, max: Tensor): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), self, max);
  }
}
export abstract class structured_clamp_max_Tensor_out extends structured_clamp_max_Tensor {
  impl(_self: Tensor, _max: Tensor, _out: Tensor): void {
    minimum_stub.call(this.device_type(), this);
  }
}
export abstract class structured_clamp_min_Tensor extends TensorIteratorBase {
  meta(self: Tensor, min: Tensor): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), self, min);
  }
}
export abstract class structured_clamp_min_Tensor_out extends structured_clamp_min_Tensor {
  impl(_self: Tensor, _min: Tensor, _out: Tensor): void {
    maximum_stub.call(this.device_type(), this);
  }
}

// ---- clip: an alias

export function clip(self: Tensor, min: Scalar | null, max: Scalar | null): Tensor {
  return at.clamp(self, min, max);
}
export function clip_(self: Tensor, min: Scalar | null, max: Scalar | null): Tensor {
  return at.clamp_(self, min, max);
}
export function clip_out(self: Tensor, min: Scalar | null, max: Scalar | null, out: Tensor): Tensor {
  return at.clamp_out(self, min, max, out);
}
export function clip_Tensor(self: Tensor, min: Tensor | null, max: Tensor | null): Tensor {
  return at.clamp_Tensor(self, min, max);
}
export function clip__Tensor(self: Tensor, min: Tensor | null, max: Tensor | null): Tensor {
  return at.clamp__Tensor(self, min, max);
}
export function clip_out_Tensor_out(self: Tensor, min: Tensor | null, max: Tensor | null, out: Tensor): Tensor {
  return at.clamp_Tensor_out(self, min, max, out);
}

// ---- where

// where.self(Tensor condition, Tensor self, Tensor other) -> Tensor                          CPU
export function where_self(condition: Tensor, self: Tensor, other: Tensor): Tensor {
  const result = at.empty_memory_format([0], self.options().dtype(result_type(self, other)));
  where_self_out(condition, self, other, result);
  return result;
}

export function where_self_out(condition: Tensor, self: Tensor, other: Tensor, out: Tensor): Tensor {
  const dtype = result_type(self, other);
  TORCH_CHECK(
    out.scalar_type() === dtype,
    "Expected out type to be ",
    toString(dtype),
    " but got ",
    toString(out.scalar_type()),
  );
  const self_ = self.scalar_type() === dtype ? self : self.to_dtype(dtype);
  const other_ = other.scalar_type() === dtype ? other : other.to_dtype(dtype);
  let condition_ = condition;
  if (condition.scalar_type() === ScalarType.Byte) {
    TORCH_WARN_ONCE(
      "where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future version of PyTorch. " +
        "Use a boolean condition instead.",
    );
    condition_ = condition.to_dtype(ScalarType.Bool);
  }
  TORCH_CHECK(
    condition_.scalar_type() === ScalarType.Bool,
    "where expected condition to be a boolean tensor, but got a tensor with dtype ",
    toString(condition_.scalar_type()),
  );
  const iter = new TensorIteratorConfig()
    .check_all_same_dtype(false)
    .add_output(out)
    .add_const_input(condition_)
    .add_const_input(self_)
    .add_const_input(other_)
    .build();
  where_kernel.call(iter.device_type(), iter);
  return out;
}

export function where_ScalarSelf(condition: Tensor, self: Scalar, other: Tensor): Tensor {
  const dtype = result_type(wrapped_scalar_tensor(self), other);
  const self_ = at.scalar_tensor(self, other.options().dtype(dtype));
  return at.where_self(condition, self_, other.to_dtype(dtype));
}
export function where_ScalarOther(condition: Tensor, self: Tensor, other: Scalar): Tensor {
  const dtype = result_type(self, wrapped_scalar_tensor(other));
  const other_ = at.scalar_tensor(other, self.options().dtype(dtype));
  return at.where_self(condition, self.to_dtype(dtype), other_);
}
export function where_Scalar(condition: Tensor, self: Scalar, other: Scalar): Tensor {
  const dtype = result_type(wrapped_scalar_tensor(self), wrapped_scalar_tensor(other));
  const options = new TensorOptions().dtype(dtype).device(condition.device());
  return at.where_self(condition, at.scalar_tensor(self, options), at.scalar_tensor(other, options));
}

/** With the condition alone: the indices where it is true, one tensor per dimension. */
export function where(condition: Tensor): Tensor[] {
  return condition.nonzero_numpy();
}

// ---- tests of values

export function isnan(self: Tensor): Tensor {
  return self.ne_Tensor(self); // only NaN differs from itself
}

export function isinf(self: Tensor): Tensor {
  if (isIntegralType(self.scalar_type(), true)) {
    return at.zeros_like(self, new TensorOptions().dtype(ScalarType.Bool), MemoryFormat.Preserve);
  }
  return self.abs().eq_Scalar(Scalar.fromDouble(Infinity));
}

abstract class InfinityMeta extends TensorIteratorBase {
  protected abstract readonly name: string;

  meta(self: Tensor): void {
    TORCH_CHECK(!self.is_complex(), this.name, " does not support complex inputs.");
    const out = this.maybe_get_output(0);
    TORCH_CHECK(!out.defined() || out.dtype() === ScalarType.Bool, this.name, " does not support non-boolean outputs.");
    this.build_borrowing_unary_force_boolean_op(out, self);
  }
}
export abstract class structured_isposinf extends InfinityMeta {
  protected override readonly name = "isposinf";
}
export abstract class structured_isposinf_out extends structured_isposinf {
  impl(self: Tensor, out: Tensor): void {
    if (isIntegralType(self.scalar_type(), true)) out.fill__Scalar(Scalar.FALSE);
    else isposinf_stub.call(this.device_type(), this);
  }
}
export abstract class structured_isneginf extends InfinityMeta {
  protected override readonly name = "isneginf";
}
export abstract class structured_isneginf_out extends structured_isneginf {
  impl(self: Tensor, out: Tensor): void {
    if (isIntegralType(self.scalar_type(), true)) out.fill__Scalar(Scalar.FALSE);
    else isneginf_stub.call(this.device_type(), this);
  }
}

/** All numbers here are real, because no dtype is complex. */
export function isreal(self: Tensor): Tensor {
  const dtype = self.scalar_type();
  TORCH_CHECK(
    isIntegralType(dtype, true) || isFloatingType(dtype),
    "imag is not implemented for tensors with non-complex dtypes.",
  );
  return at.ones_like(self, new TensorOptions().dtype(ScalarType.Bool), MemoryFormat.Preserve);
}

export function isfinite(self: Tensor): Tensor {
  if (isIntegralType(self.scalar_type(), true)) {
    return at.ones_like(self, new TensorOptions().dtype(ScalarType.Bool), MemoryFormat.Preserve);
  }
  const below = self.abs().ne_Scalar(Scalar.fromDouble(Infinity));
  return self.eq_Tensor(self).mul_Tensor(below); // NaN differs from itself
}

// isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> Tensor
export function isclose(self: Tensor, other: Tensor, rtol: number, atol: number, equal_nan: boolean): Tensor {
  const dtype = self.scalar_type();
  TORCH_CHECK(dtype === other.scalar_type(), toString(dtype), " did not match ", toString(other.scalar_type()));
  TORCH_CHECK(rtol >= 0, "rtol must be greater than or equal to zero, but got ", printDouble(rtol));
  TORCH_CHECK(atol >= 0, "atol must be greater than or equal to zero, but got ", printDouble(atol));
  const close = self.eq_Tensor(other);
  if (equal_nan && self.is_floating_point()) {
    const self_nan = self.isnan();
    const other_nan = other.isnan();
    // In place only if nothing is broadcast (the mask of a smaller `self` could not hold the result) and `self` is a plain tensor.
    close.__ior___Tensor(
      sizes_equal(self.sizes(), other.sizes()) && !areAnyTensorSubclassLike([self, other])
        ? self_nan.__iand___Tensor(other_nan)
        : at.bitwise_and_Tensor(self_nan, other_nan),
    );
  }
  if (rtol === 0 && atol === 0) return close;
  // Differences of integers could wrap, so they are computed in the default dtype.
  const integral = isIntegralType(dtype, true);
  const cast_self = dtype === ScalarType.Bool ? self.to_dtype(get_default_dtype()) : self;
  const cast_other = integral ? other.to_dtype(get_default_dtype()) : other;
  const allowed_error = cast_other
    .mul_Scalar(Scalar.fromDouble(rtol))
    .abs()
    .add_Scalar(Scalar.fromDouble(atol), Scalar.ONE);
  const actual_error = cast_self.sub_Tensor(cast_other, Scalar.ONE).abs();
  // An infinite error is not close, even if the allowed error is infinite, too.
  const finite = at.isfinite(actual_error);
  close.__ior___Tensor(finite.__iand___Tensor(actual_error.le_Tensor(allowed_error)));
  return close;
}

export function allclose(self: Tensor, other: Tensor, rtol: number, atol: number, equal_nan: boolean): boolean {
  return at.isclose(self, other, rtol, atol, equal_nan).all().item().toBool();
}

export function is_nonzero(self: Tensor): boolean {
  const n = self.numel();
  TORCH_CHECK(n !== 0, "Boolean value of Tensor with no values is ambiguous");
  TORCH_CHECK(n < 2, "Boolean value of Tensor with more than one value is ambiguous");
  return self.item().toBool();
}
