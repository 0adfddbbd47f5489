/**
 * @file `_foreach` operators: one call for a list of tensors, which is a loop over them here. On a GPU, such lists make
 * optimizers fast; on the CPU, PyTorch has these loops too and calls them slow.
 * @mirrors aten/src/ATen/native/ForeachOpsKernels.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import type { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { check_foreach_api_restrictions, check_scalar_tensor, convert_tensor_to_scalar_list } from "./ForeachUtils.ts";

// ---- add

export function foreach_tensor_add_scalar_kernel_slow(tensors: Tensor[], scalar: Scalar): Tensor[] {
  check_foreach_api_restrictions(tensors);
  return tensors.map((t) => t.add_Scalar(scalar, Scalar.ONE));
}
export function foreach_tensor_add_scalar_kernel_slow_(tensors: Tensor[], scalar: Scalar): void {
  check_foreach_api_restrictions(tensors);
  tensors.forEach((t) => void t.add__Scalar(scalar, Scalar.ONE));
}
export function foreach_tensor_add_list_kernel_slow(tensors: Tensor[], other: Tensor[], alpha: Scalar): Tensor[] {
  check_foreach_api_restrictions(tensors, other);
  return tensors.map((t, i) => t.add_Tensor(other[i], alpha));
}
export function foreach_tensor_add_list_kernel_slow_(tensors: Tensor[], other: Tensor[], alpha: Scalar): void {
  check_foreach_api_restrictions(tensors, other);
  tensors.forEach((t, i) => void t.add__Tensor(other[i], alpha));
}
export function foreach_tensor_add_scalarlist_kernel_slow(tensors: Tensor[], scalars: Scalar[]): Tensor[] {
  check_foreach_api_restrictions(tensors, { scalars });
  return tensors.map((t, i) => t.add_Scalar(scalars[i], Scalar.ONE));
}
export function foreach_tensor_add_scalarlist_kernel_slow_(tensors: Tensor[], scalars: Scalar[]): void {
  check_foreach_api_restrictions(tensors, { scalars });
  tensors.forEach((t, i) => void t.add__Scalar(scalars[i], Scalar.ONE));
}
export function foreach_tensor_add_tensor_kernel_slow(tensors: Tensor[], other: Tensor, alpha: Scalar): Tensor[] {
  check_scalar_tensor(tensors, other);
  return tensors.map((t) => t.add_Tensor(other, alpha));
}
export function foreach_tensor_add_tensor_kernel_slow_(tensors: Tensor[], other: Tensor, alpha: Scalar): void {
  check_scalar_tensor(tensors, other);
  tensors.forEach((t) => void t.add__Tensor(other, alpha));
}

// ---- sub

export function foreach_tensor_sub_scalar_kernel_slow(tensors: Tensor[], scalar: Scalar): Tensor[] {
  check_foreach_api_restrictions(tensors);
  return tensors.map((t) => t.sub_Scalar(scalar, Scalar.ONE));
}
export function foreach_tensor_sub_scalar_kernel_slow_(tensors: Tensor[], scalar: Scalar): void {
  check_foreach_api_restrictions(tensors);
  tensors.forEach((t) => void t.sub__Scalar(scalar, Scalar.ONE));
}
export function foreach_tensor_sub_list_kernel_slow(tensors: Tensor[], other: Tensor[], alpha: Scalar): Tensor[] {
  check_foreach_api_restrictions(tensors, other);
  return tensors.map((t, i) => t.sub_Tensor(other[i], alpha));
}
export function foreach_tensor_sub_list_kernel_slow_(tensors: Tensor[], other: Tensor[], alpha: Scalar): void {
  check_foreach_api_restrictions(tensors, other);
  tensors.forEach((t, i) => void t.sub__Tensor(other[i], alpha));
}
export function foreach_tensor_sub_scalarlist_kernel_slow(tensors: Tensor[], scalars: Scalar[]): Tensor[] {
  check_foreach_api_restrictions(tensors, { scalars });
  return tensors.map((t, i) => t.sub_Scalar(scalars[i], Scalar.ONE));
}
export function foreach_tensor_sub_scalarlist_kernel_slow_(tensors: Tensor[], scalars: Scalar[]): void {
  check_foreach_api_restrictions(tensors, { scalars });
  tensors.forEach((t, i) => void t.sub__Scalar(scalars[i], Scalar.ONE));
}

// ---- mul

export function foreach_tensor_mul_scalar_kernel_slow(tensors: Tensor[], scalar: Scalar): Tensor[] {
  check_foreach_api_restrictions(tensors);
  return tensors.map((t) => t.mul_Scalar(scalar));
}
export function foreach_tensor_mul_scalar_kernel_slow_(tensors: Tensor[], scalar: Scalar): void {
  check_foreach_api_restrictions(tensors);
  tensors.forEach((t) => void t.mul__Scalar(scalar));
}
export function foreach_tensor_mul_list_kernel_slow(tensors: Tensor[], other: Tensor[]): Tensor[] {
  check_foreach_api_restrictions(tensors, other);
  return tensors.map((t, i) => t.mul_Tensor(other[i]));
}
export function foreach_tensor_mul_list_kernel_slow_(tensors: Tensor[], other: Tensor[]): void {
  check_foreach_api_restrictions(tensors, other);
  tensors.forEach((t, i) => void t.mul__Tensor(other[i]));
}
export function foreach_tensor_mul_scalarlist_kernel_slow(tensors: Tensor[], scalars: Scalar[]): Tensor[] {
  check_foreach_api_restrictions(tensors, { scalars });
  return tensors.map((t, i) => t.mul_Scalar(scalars[i]));
}
export function foreach_tensor_mul_scalarlist_kernel_slow_(tensors: Tensor[], scalars: Scalar[]): void {
  check_foreach_api_restrictions(tensors, { scalars });
  tensors.forEach((t, i) => void t.mul__Scalar(scalars[i]));
}
export function foreach_tensor_mul_tensor_kernel_slow(tensors: Tensor[], other: Tensor): Tensor[] {
  check_scalar_tensor(tensors, other);
  return tensors.map((t) => t.mul_Tensor(other));
}
export function foreach_tensor_mul_tensor_kernel_slow_(tensors: Tensor[], other: Tensor): void {
  check_scalar_tensor(tensors, other);
  tensors.forEach((t) => void t.mul__Tensor(other));
}

// ---- div

export function foreach_tensor_div_scalar_kernel_slow(tensors: Tensor[], scalar: Scalar): Tensor[] {
  check_foreach_api_restrictions(tensors);
  return tensors.map((t) => t.div_Scalar(scalar));
}
export function foreach_tensor_div_scalar_kernel_slow_(tensors: Tensor[], scalar: Scalar): void {
  check_foreach_api_restrictions(tensors);
  tensors.forEach((t) => void t.div__Scalar(scalar));
}
export function foreach_tensor_div_list_kernel_slow(tensors: Tensor[], other: Tensor[]): Tensor[] {
  check_foreach_api_restrictions(tensors, other);
  return tensors.map((t, i) => t.div_Tensor(other[i]));
}
export function foreach_tensor_div_list_kernel_slow_(tensors: Tensor[], other: Tensor[]): void {
  check_foreach_api_restrictions(tensors, other);
  tensors.forEach((t, i) => void t.div__Tensor(other[i]));
}
export function foreach_tensor_div_scalarlist_kernel_slow(tensors: Tensor[], scalars: Scalar[]): Tensor[] {
  check_foreach_api_restrictions(tensors, { scalars });
  return tensors.map((t, i) => t.div_Scalar(scalars[i]));
}
export function foreach_tensor_div_scalarlist_kernel_slow_(tensors: Tensor[], scalars: Scalar[]): void {
  check_foreach_api_restrictions(tensors, { scalars });
  tensors.forEach((t, i) => void t.div__Scalar(scalars[i]));
}
export function foreach_tensor_div_tensor_kernel_slow(tensors: Tensor[], other: Tensor): Tensor[] {
  check_scalar_tensor(tensors, other);
  return tensors.map((t) => t.div_Tensor(other));
}
export function foreach_tensor_div_tensor_kernel_slow_(tensors: Tensor[], other: Tensor): void {
  check_scalar_tensor(tensors, other);
  tensors.forEach((t) => void t.div__Tensor(other));
}

// ---- clamp_min, which is also maximum

export function foreach_tensor_clamp_min_scalar_kernel_slow(tensors: Tensor[], scalar: Scalar): Tensor[] {
  check_foreach_api_restrictions(tensors);
  return tensors.map((t) => t.clamp_min(scalar));
}
export function foreach_tensor_clamp_min_scalar_kernel_slow_(tensors: Tensor[], scalar: Scalar): void {
  check_foreach_api_restrictions(tensors);
  tensors.forEach((t) => void t.clamp_min_(scalar));
}
export function foreach_tensor_clamp_min_list_kernel_slow(tensors: Tensor[], other: Tensor[]): Tensor[] {
  check_foreach_api_restrictions(tensors, other);
  return tensors.map((t, i) => t.clamp_min_Tensor(other[i]));
}
export function foreach_tensor_clamp_min_list_kernel_slow_(tensors: Tensor[], other: Tensor[]): void {
  check_foreach_api_restrictions(tensors, other);
  tensors.forEach((t, i) => void t.clamp_min__Tensor(other[i]));
}
export function foreach_tensor_clamp_min_scalarlist_kernel_slow(tensors: Tensor[], scalars: Scalar[]): Tensor[] {
  check_foreach_api_restrictions(tensors, { scalars });
  return tensors.map((t, i) => t.clamp_min(scalars[i]));
}
export function foreach_tensor_clamp_min_scalarlist_kernel_slow_(tensors: Tensor[], scalars: Scalar[]): void {
  check_foreach_api_restrictions(tensors, { scalars });
  tensors.forEach((t, i) => void t.clamp_min_(scalars[i]));
}

// ---- clamp_max, which is also minimum

export function foreach_tensor_clamp_max_scalar_kernel_slow(tensors: Tensor[], scalar: Scalar): Tensor[] {
  check_foreach_api_restrictions(tensors);
  return tensors.map((t) => t.clamp_max(scalar));
}
export function foreach_tensor_clamp_max_scalar_kernel_slow_(tensors: Tensor[], scalar: Scalar): void {
  check_foreach_api_restrictions(tensors);
  tensors.forEach((t) => void t.clamp_max_(scalar));
}
export function foreach_tensor_clamp_max_list_kernel_slow(tensors: Tensor[], other: Tensor[]): Tensor[] {
  check_foreach_api_restrictions(tensors, other);
  return tensors.map((t, i) => t.clamp_max_Tensor(other[i]));
}
export function foreach_tensor_clamp_max_list_kernel_slow_(tensors: Tensor[], other: Tensor[]): void {
  check_foreach_api_restrictions(tensors, other);
  tensors.forEach((t, i) => void t.clamp_max__Tensor(other[i]));
}
export function foreach_tensor_clamp_max_scalarlist_kernel_slow(tensors: Tensor[], scalars: Scalar[]): Tensor[] {
  check_foreach_api_restrictions(tensors, { scalars });
  return tensors.map((t, i) => t.clamp_max(scalars[i]));
}
export function foreach_tensor_clamp_max_scalarlist_kernel_slow_(tensors: Tensor[], scalars: Scalar[]): void {
  check_foreach_api_restrictions(tensors, { scalars });
  tensors.forEach((t, i) => void t.clamp_max_(scalars[i]));
}

// ---- addcmul, addcdiv

export function foreach_tensor_addcmul_scalar_slow(
  tensors: Tensor[],
  tensors1: Tensor[],
  tensors2: Tensor[],
  scalar: Scalar,
): Tensor[] {
  check_foreach_api_restrictions(tensors, tensors1, tensors2);
  return tensors.map((t, i) => t.addcmul(tensors1[i], tensors2[i], scalar));
}
export function foreach_tensor_addcmul_scalar_slow_(
  tensors: Tensor[],
  tensors1: Tensor[],
  tensors2: Tensor[],
  scalar: Scalar,
): void {
  check_foreach_api_restrictions(tensors, tensors1, tensors2);
  tensors.forEach((t, i) => void t.addcmul_(tensors1[i], tensors2[i], scalar));
}
export function foreach_tensor_addcmul_scalarlist_slow(
  tensors: Tensor[],
  tensors1: Tensor[],
  tensors2: Tensor[],
  scalars: Scalar[],
): Tensor[] {
  check_foreach_api_restrictions(tensors, tensors1, tensors2, { scalars });
  return tensors.map((t, i) => t.addcmul(tensors1[i], tensors2[i], scalars[i]));
}
export function foreach_tensor_addcmul_scalarlist_slow_(
  tensors: Tensor[],
  tensors1: Tensor[],
  tensors2: Tensor[],
  scalars: Scalar[],
): void {
  check_foreach_api_restrictions(tensors, tensors1, tensors2, { scalars });
  tensors.forEach((t, i) => void t.addcmul_(tensors1[i], tensors2[i], scalars[i]));
}
export function foreach_tensor_addcmul_tensor_slow(
  tensors: Tensor[],
  tensors1: Tensor[],
  tensors2: Tensor[],
  scalars: Tensor,
): Tensor[] {
  const list = convert_tensor_to_scalar_list(scalars, tensors.length);
  return foreach_tensor_addcmul_scalarlist_slow(tensors, tensors1, tensors2, list);
}
export function foreach_tensor_addcmul_tensor_slow_(
  tensors: Tensor[],
  tensors1: Tensor[],
  tensors2: Tensor[],
  scalars: Tensor,
): void {
  const list = convert_tensor_to_scalar_list(scalars, tensors.length);
  foreach_tensor_addcmul_scalarlist_slow_(tensors, tensors1, tensors2, list);
}
export function foreach_tensor_addcdiv_scalar_slow(
  tensors: Tensor[],
  tensors1: Tensor[],
  tensors2: Tensor[],
  scalar: Scalar,
): Tensor[] {
  check_foreach_api_restrictions(tensors, tensors1, tensors2);
  return tensors.map((t, i) => t.addcdiv(tensors1[i], tensors2[i], scalar));
}
export function foreach_tensor_addcdiv_scalar_slow_(
  tensors: Tensor[],
  tensors1: Tensor[],
  tensors2: Tensor[],
  scalar: Scalar,
): void {
  check_foreach_api_restrictions(tensors, tensors1, tensors2);
  tensors.forEach((t, i) => void t.addcdiv_(tensors1[i], tensors2[i], scalar));
}
export function foreach_tensor_addcdiv_scalarlist_slow(
  tensors: Tensor[],
  tensors1: Tensor[],
  tensors2: Tensor[],
  scalars: Scalar[],
): Tensor[] {
  check_foreach_api_restrictions(tensors, tensors1, tensors2, { scalars });
  return tensors.map((t, i) => t.addcdiv(tensors1[i], tensors2[i], scalars[i]));
}
export function foreach_tensor_addcdiv_scalarlist_slow_(
  tensors: Tensor[],
  tensors1: Tensor[],
  tensors2: Tensor[],
  scalars: Scalar[],
): void {
  check_foreach_api_restrictions(tensors, tensors1, tensors2, { scalars });
  tensors.forEach((t, i) => void t.addcdiv_(tensors1[i], tensors2[i], scalars[i]));
}
export function foreach_tensor_addcdiv_tensor_slow(
  tensors: Tensor[],
  tensors1: Tensor[],
  tensors2: Tensor[],
  scalars: Tensor,
): Tensor[] {
  const list = convert_tensor_to_scalar_list(scalars, tensors.length);
  return foreach_tensor_addcdiv_scalarlist_slow(tensors, tensors1, tensors2, list);
}
export function foreach_tensor_addcdiv_tensor_slow_(
  tensors: Tensor[],
  tensors1: Tensor[],
  tensors2: Tensor[],
  scalars: Tensor,
): void {
  const list = convert_tensor_to_scalar_list(scalars, tensors.length);
  foreach_tensor_addcdiv_scalarlist_slow_(tensors, tensors1, tensors2, list);
}

// ---- lerp

export function foreach_tensor_ternary_lerp_slow(tensors: Tensor[], tensors1: Tensor[], weights: Tensor[]): Tensor[] {
  check_foreach_api_restrictions(tensors, tensors1, weights);
  return tensors.map((t, i) => t.lerp_Tensor(tensors1[i], weights[i]));
}
export function foreach_tensor_ternary_lerp_slow_(tensors: Tensor[], tensors1: Tensor[], weights: Tensor[]): void {
  check_foreach_api_restrictions(tensors, tensors1, weights);
  tensors.forEach((t, i) => void t.lerp__Tensor(tensors1[i], weights[i]));
}
export function foreach_tensor_lerp_list_kernel_slow(tensors: Tensor[], tensors1: Tensor[], weight: Scalar): Tensor[] {
  check_foreach_api_restrictions(tensors, tensors1);
  return tensors.map((t, i) => t.lerp_Scalar(tensors1[i], weight));
}
export function foreach_tensor_lerp_list_kernel_slow_(tensors: Tensor[], tensors1: Tensor[], weight: Scalar): void {
  check_foreach_api_restrictions(tensors, tensors1);
  tensors.forEach((t, i) => void t.lerp__Scalar(tensors1[i], weight));
}
export function foreach_tensor_lerp_scalarlist_kernel_slow(
  tensors: Tensor[],
  tensors1: Tensor[],
  scalars: Scalar[],
): Tensor[] {
  check_foreach_api_restrictions(tensors, tensors1, { scalars });
  return tensors.map((t, i) => t.lerp_Scalar(tensors1[i], scalars[i]));
}
export function foreach_tensor_lerp_scalarlist_kernel_slow_(
  tensors: Tensor[],
  tensors1: Tensor[],
  scalars: Scalar[],
): void {
  check_foreach_api_restrictions(tensors, tensors1, { scalars });
  tensors.forEach((t, i) => void t.lerp__Scalar(tensors1[i], scalars[i]));
}

// ---- pow

export function foreach_tensor_pow_list_kernel_slow(tensors: Tensor[], exponent: Tensor[]): Tensor[] {
  check_foreach_api_restrictions(tensors, exponent);
  return tensors.map((t, i) => t.pow_Tensor_Tensor(exponent[i]));
}
export function foreach_tensor_pow_list_kernel_slow_(tensors: Tensor[], exponent: Tensor[]): void {
  check_foreach_api_restrictions(tensors, exponent);
  tensors.forEach((t, i) => void t.pow__Tensor(exponent[i]));
}
export function foreach_tensor_pow_scalar_kernel_slow(tensors: Tensor[], exponent: Scalar): Tensor[] {
  check_foreach_api_restrictions(tensors);
  return tensors.map((t) => t.pow_Tensor_Scalar(exponent));
}
export function foreach_tensor_pow_scalar_kernel_slow_(tensors: Tensor[], exponent: Scalar): void {
  check_foreach_api_restrictions(tensors);
  tensors.forEach((t) => void t.pow__Scalar(exponent));
}
export function foreach_tensor_pow_scalarlist_kernel_slow(tensors: Tensor[], scalars: Scalar[]): Tensor[] {
  check_foreach_api_restrictions(tensors, { scalars });
  return tensors.map((t, i) => t.pow_Tensor_Scalar(scalars[i]));
}
export function foreach_tensor_pow_scalarlist_kernel_slow_(tensors: Tensor[], scalars: Scalar[]): void {
  check_foreach_api_restrictions(tensors, { scalars });
  tensors.forEach((t, i) => void t.pow__Scalar(scalars[i]));
}
export function foreach_scalar_pow_list_kernel_slow(self: Scalar, exponent: Tensor[]): Tensor[] {
  check_foreach_api_restrictions(exponent);
  return exponent.map((t) => at.pow_Scalar(self, t));
}

// ---- unary operators

type Unary = (tensors: Tensor[]) => Tensor[];
type UnaryInplace = (tensors: Tensor[]) => void;

/** A unary operator in a loop. */
function FOREACH_UNARY_OP(op: (t: Tensor) => Tensor): Unary {
  return (tensors) => {
    check_foreach_api_restrictions(tensors);
    return tensors.map(op);
  };
}
function FOREACH_UNARY_OP_(op: (t: Tensor) => Tensor): UnaryInplace {
  return (tensors) => {
    check_foreach_api_restrictions(tensors);
    for (const t of tensors) op(t);
  };
}

export const foreach_tensor_abs_slow = FOREACH_UNARY_OP((t) => t.abs());
export const foreach_tensor_abs_slow_ = FOREACH_UNARY_OP_((t) => t.abs_());
export const foreach_tensor_acos_slow = FOREACH_UNARY_OP((t) => t.acos());
export const foreach_tensor_acos_slow_ = FOREACH_UNARY_OP_((t) => t.acos_());
export const foreach_tensor_asin_slow = FOREACH_UNARY_OP((t) => t.asin());
export const foreach_tensor_asin_slow_ = FOREACH_UNARY_OP_((t) => t.asin_());
export const foreach_tensor_atan_slow = FOREACH_UNARY_OP((t) => t.atan());
export const foreach_tensor_atan_slow_ = FOREACH_UNARY_OP_((t) => t.atan_());
export const foreach_tensor_ceil_slow = FOREACH_UNARY_OP((t) => t.ceil());
export const foreach_tensor_ceil_slow_ = FOREACH_UNARY_OP_((t) => t.ceil_());
export const foreach_tensor_cos_slow = FOREACH_UNARY_OP((t) => t.cos());
export const foreach_tensor_cos_slow_ = FOREACH_UNARY_OP_((t) => t.cos_());
export const foreach_tensor_cosh_slow = FOREACH_UNARY_OP((t) => t.cosh());
export const foreach_tensor_cosh_slow_ = FOREACH_UNARY_OP_((t) => t.cosh_());
export const foreach_tensor_erf_slow = FOREACH_UNARY_OP((t) => t.erf());
export const foreach_tensor_erf_slow_ = FOREACH_UNARY_OP_((t) => t.erf_());
export const foreach_tensor_erfc_slow = FOREACH_UNARY_OP((t) => t.erfc());
export const foreach_tensor_erfc_slow_ = FOREACH_UNARY_OP_((t) => t.erfc_());
export const foreach_tensor_exp_slow = FOREACH_UNARY_OP((t) => t.exp());
export const foreach_tensor_exp_slow_ = FOREACH_UNARY_OP_((t) => t.exp_());
export const foreach_tensor_expm1_slow = FOREACH_UNARY_OP((t) => t.expm1());
export const foreach_tensor_expm1_slow_ = FOREACH_UNARY_OP_((t) => t.expm1_());
export const foreach_tensor_floor_slow = FOREACH_UNARY_OP((t) => t.floor());
export const foreach_tensor_floor_slow_ = FOREACH_UNARY_OP_((t) => t.floor_());
export const foreach_tensor_frac_slow = FOREACH_UNARY_OP((t) => t.frac());
export const foreach_tensor_frac_slow_ = FOREACH_UNARY_OP_((t) => t.frac_());
export const foreach_tensor_lgamma_slow = FOREACH_UNARY_OP((t) => t.lgamma());
export const foreach_tensor_lgamma_slow_ = FOREACH_UNARY_OP_((t) => t.lgamma_());
export const foreach_tensor_log_slow = FOREACH_UNARY_OP((t) => t.log());
export const foreach_tensor_log_slow_ = FOREACH_UNARY_OP_((t) => t.log_());
export const foreach_tensor_log10_slow = FOREACH_UNARY_OP((t) => t.log10());
export const foreach_tensor_log10_slow_ = FOREACH_UNARY_OP_((t) => t.log10_());
export const foreach_tensor_log1p_slow = FOREACH_UNARY_OP((t) => t.log1p());
export const foreach_tensor_log1p_slow_ = FOREACH_UNARY_OP_((t) => t.log1p_());
export const foreach_tensor_log2_slow = FOREACH_UNARY_OP((t) => t.log2());
export const foreach_tensor_log2_slow_ = FOREACH_UNARY_OP_((t) => t.log2_());
export const foreach_tensor_neg_slow = FOREACH_UNARY_OP((t) => t.neg());
export const foreach_tensor_neg_slow_ = FOREACH_UNARY_OP_((t) => t.neg_());
export const foreach_tensor_reciprocal_slow = FOREACH_UNARY_OP((t) => t.reciprocal());
export const foreach_tensor_reciprocal_slow_ = FOREACH_UNARY_OP_((t) => t.reciprocal_());
export const foreach_tensor_round_slow = FOREACH_UNARY_OP((t) => t.round());
export const foreach_tensor_round_slow_ = FOREACH_UNARY_OP_((t) => t.round_());
export const foreach_tensor_rsqrt_slow = FOREACH_UNARY_OP((t) => t.rsqrt());
export const foreach_tensor_rsqrt_slow_ = FOREACH_UNARY_OP_((t) => t.rsqrt_());
export const foreach_tensor_sigmoid_slow = FOREACH_UNARY_OP((t) => t.sigmoid());
export const foreach_tensor_sigmoid_slow_ = FOREACH_UNARY_OP_((t) => t.sigmoid_());
export const foreach_tensor_sign_slow = FOREACH_UNARY_OP((t) => t.sign());
export const foreach_tensor_sign_slow_ = FOREACH_UNARY_OP_((t) => t.sign_());
export const foreach_tensor_sin_slow = FOREACH_UNARY_OP((t) => t.sin());
export const foreach_tensor_sin_slow_ = FOREACH_UNARY_OP_((t) => t.sin_());
export const foreach_tensor_sinh_slow = FOREACH_UNARY_OP((t) => t.sinh());
export const foreach_tensor_sinh_slow_ = FOREACH_UNARY_OP_((t) => t.sinh_());
export const foreach_tensor_sqrt_slow = FOREACH_UNARY_OP((t) => t.sqrt());
export const foreach_tensor_sqrt_slow_ = FOREACH_UNARY_OP_((t) => t.sqrt_());
export const foreach_tensor_tan_slow = FOREACH_UNARY_OP((t) => t.tan());
export const foreach_tensor_tan_slow_ = FOREACH_UNARY_OP_((t) => t.tan_());
export const foreach_tensor_tanh_slow = FOREACH_UNARY_OP((t) => t.tanh());
export const foreach_tensor_tanh_slow_ = FOREACH_UNARY_OP_((t) => t.tanh_());
export const foreach_tensor_trunc_slow = FOREACH_UNARY_OP((t) => t.trunc());
export const foreach_tensor_trunc_slow_ = FOREACH_UNARY_OP_((t) => t.trunc_());

// ---- reductions

export function foreach_tensor_norm_slow(tensors: Tensor[], ord: Scalar, dtype: ScalarType | null): Tensor[] {
  check_foreach_api_restrictions(tensors);
  TORCH_CHECK(!ord.isBoolean(), "foreach_tensor_norm_slow expects ord to be integer or float");
  const infinite = ord.toDouble() === Infinity;
  return tensors.map((t) => {
    TORCH_CHECK(
      !infinite || t.numel() > 0,
      "_foreach_norm cannot compute the infinity norm on an empty tensor because the operation does not have an identity",
    );
    return at.linalg_vector_norm(t, ord, null, false, dtype);
  });
}
export function foreach_tensor_max_slow(tensors: Tensor[]): Tensor[] {
  check_foreach_api_restrictions(tensors);
  return tensors.map((t) => {
    TORCH_CHECK(
      t.numel() > 0,
      "_foreach_max cannot compute the maximum of an empty tensor; max over zero elements is undefined.",
    );
    return at.max(t);
  });
}

// ---- zero_, copy_

export function foreach_tensor_zero_slow_(tensors: Tensor[]): void {
  check_foreach_api_restrictions(tensors);
  tensors.forEach((t) => void t.zero_());
}
export function foreach_tensor_copy_list_kernel_slow_(self: Tensor[], src: Tensor[], non_blocking: boolean): void {
  check_foreach_api_restrictions(self);
  check_foreach_api_restrictions(src);
  check_foreach_api_restrictions(self, src);
  self.forEach((t, i) => void t.copy_(src[i], non_blocking));
}
/**
 * Does not write to `self`: returns new tensors with the values of `src`, as `copy` does. The number of results is that
 * of `src`; PyTorch does not check the lengths.
 * @differs Ours reads nothing beyond the end of a shorter `self`; PyTorch does.
 */
export function _foreach_copy(self: Tensor[], src: Tensor[], non_blocking: boolean): Tensor[] {
  return src.map((from, i) => {
    if (i === self.length) check_foreach_api_restrictions(self, src);
    return at.copy(self[i], from, non_blocking);
  });
}
