/**
 * @file Operators about dtypes: a tensor's dtype, the promoted dtype of several tensors, and whether a cast is allowed.
 * @mirrors aten/src/ATen/native/TypeProperties.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { wrapped_scalar_tensor } from "#aten/ScalarOps";
import { get_default_complex_dtype, get_default_dtype } from "#c10/core/DefaultDtype";
import type { Scalar } from "#c10/core/Scalar";
import {
  canCast,
  isComplexType,
  isFloatingType,
  isSignedType,
  promoteTypes,
  ScalarType,
  toComplexType,
  toString,
} from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

const Undefined = ScalarType.Undefined;

// Note [Type promotion]
// ~~~~~~~~~~~~~~~~~~~~~
// There are three classes of operands: tensors with dimensions, tensors without, and numbers ("wrapped"). Each class is
// promoted by itself. Then a lower class counts only if it is of a higher category (bool < integer < floating <
// complex):
//
//   int32[3] + int64[]    -> int32      the second has no dimensions and no higher category
//   int32[3] + 2.5        -> float32    a floating number: the default dtype
//   float16[3] + 2.5      -> float16
//   float16[] + float64[] -> float64    one class: ordinary promotion

/** The promoted dtype of each class so far. */
export class ResultTypeState {
  dimResult: ScalarType = Undefined;
  zeroResult: ScalarType = Undefined;
  wrappedResult: ScalarType = Undefined;
}

function promote_skip_undefined(a: ScalarType, b: ScalarType): ScalarType {
  if (a === Undefined) return b;
  return b === Undefined ? a : promoteTypes(a, b);
}

function combine_categories(higher: ScalarType, lower: ScalarType): ScalarType {
  if (isComplexType(higher)) return higher;
  if (isFloatingType(higher)) return isComplexType(lower) ? toComplexType(higher) : higher;
  if (higher === ScalarType.Bool || isFloatingType(lower) || isComplexType(lower)) {
    return promote_skip_undefined(higher, lower);
  }
  return higher !== Undefined ? higher : lower;
}

/**
 * Whether a tensor without dimensions, or a number, of dtype `lower` has no influence next to a tensor with dimensions
 * of dtype `higher`.
 */
export function gives_way(lower: ScalarType, higher: ScalarType): boolean {
  return combine_categories(higher, lower) === higher;
}

/** Adds one more operand to the state, in place. */
export function update_result_type_state(tensor: Tensor, state: ResultTypeState): ResultTypeState {
  if (!tensor.defined()) return state;
  const impl = tensor.impl_;
  let current = impl.dtype();
  if (impl.is_wrapped_number()) {
    if (isComplexType(current)) current = get_default_complex_dtype();
    else if (isFloatingType(current)) current = get_default_dtype();
  }
  if (impl.dim() > 0) state.dimResult = promote_skip_undefined(state.dimResult, current);
  else if (impl.is_wrapped_number()) state.wrappedResult = promote_skip_undefined(state.wrappedResult, current);
  else state.zeroResult = promote_skip_undefined(state.zeroResult, current);
  return state;
}

export function result_type_of_state(state: ResultTypeState): ScalarType {
  return combine_categories(state.dimResult, combine_categories(state.zeroResult, state.wrappedResult));
}

/** Promoted dtype of a list of tensors. */
export function result_type(...tensors: Tensor[]): ScalarType {
  const state = new ResultTypeState();
  for (const tensor of tensors) update_result_type_state(tensor, state);
  return result_type_of_state(state);
}

// result_type.Tensor(Tensor tensor, Tensor other) -> ScalarType                             CompositeImplicitAutograd
export function result_type_Tensor(tensor: Tensor, other: Tensor): ScalarType {
  return result_type(tensor, other);
}

export function result_type_Scalar(tensor: Tensor, other: Scalar): ScalarType {
  return result_type(tensor, wrapped_scalar_tensor(other));
}

export function result_type_Scalar_Tensor(scalar: Scalar, tensor: Tensor): ScalarType {
  return result_type(wrapped_scalar_tensor(scalar), tensor);
}

export function result_type_Scalar_Scalar(scalar1: Scalar, scalar2: Scalar): ScalarType {
  return result_type(wrapped_scalar_tensor(scalar1), wrapped_scalar_tensor(scalar2));
}

export function can_cast(from: ScalarType, to: ScalarType): boolean {
  return canCast(from, to);
}

export function promote_types(type1: ScalarType, type2: ScalarType): ScalarType {
  const ret = promoteTypes(type1, type2);
  TORCH_CHECK(
    ret !== ScalarType.Undefined,
    "Promotion from ",
    toString(type1),
    " and ",
    toString(type2),
    " is unsupported.",
  );
  return ret;
}

export function is_floating_point(self: Tensor): boolean {
  return isFloatingType(self.scalar_type());
}

export function is_complex(self: Tensor): boolean {
  return isComplexType(self.scalar_type());
}

export function is_signed(self: Tensor): boolean {
  return isSignedType(self.scalar_type());
}

export function is_conj(self: Tensor): boolean {
  return self.impl_.is_conj();
}

export function _is_zerotensor(self: Tensor): boolean {
  return self.impl_._is_zerotensor();
}

export function is_neg(self: Tensor): boolean {
  return self.impl_.is_neg();
}

export function is_inference(self: Tensor): boolean {
  return self.impl_.is_inference();
}

// _has_compatible_shallow_copy_type(Tensor self, Tensor from) -> bool                       CompositeImplicitAutograd
// Whether `self.data = from` can take over the impl of `from`.
export function _has_compatible_shallow_copy_type(self: Tensor, from: Tensor): boolean {
  return self.impl_.has_compatible_shallow_copy_type(from.key_set());
}
