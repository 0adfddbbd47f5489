/**
 * @file Registration of unary kernels: the scalar function for each stub.
 * @mirrors aten/src/ATen/native/UnaryOps.h
 * @differs Ours is one file; CUDA has one for each geometric function.
 */
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import * as stubs from "#aten/native/UnaryOps/index";
import * as math from "#aten/native/UnaryOps/Math";
import { erfinv_stub } from "#aten/native/UnaryOps/Special";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import * as kernels from "./generated/UnaryOpsKernel/index.wgsl.ts";
import * as math_kernels from "./generated/UnaryOpsKernel/Math.wgsl.ts";
import { erfinv_of } from "./generated/UnaryOpsKernel/Special.wgsl.ts";
import { gpu_kernel, REGISTER_POINTWISE } from "./Loops.ts";

REGISTER_POINTWISE(stubs.abs_stub, "abs_kernel_webgpu", kernels.abs_of);
REGISTER_POINTWISE(stubs.neg_stub, "neg_kernel_webgpu", kernels.neg);
REGISTER_POINTWISE(stubs.sign_stub, "sign_kernel_webgpu", kernels.sign);
REGISTER_POINTWISE(stubs.bitwise_not_stub, "bitwise_not_kernel_webgpu", kernels.bitwise_not);
REGISTER_POINTWISE(stubs.logical_not_stub, "logical_not_kernel_webgpu", kernels.logical_not);
REGISTER_POINTWISE(stubs.ceil_stub, "ceil_kernel_webgpu", kernels.ceil_of);
REGISTER_POINTWISE(stubs.floor_stub, "floor_kernel_webgpu", kernels.floor_of);
REGISTER_POINTWISE(stubs.trunc_stub, "trunc_kernel_webgpu", kernels.trunc_of);
REGISTER_POINTWISE(stubs.exp_stub, "exp_kernel_webgpu", kernels.exp_of);
REGISTER_POINTWISE(stubs.exp2_stub, "exp2_kernel_webgpu", kernels.exp2_of);
REGISTER_POINTWISE(stubs.expm1_stub, "expm1_kernel_webgpu", kernels.expm1_of);
REGISTER_POINTWISE(stubs.log_stub, "log_kernel_webgpu", kernels.log_of);
REGISTER_POINTWISE(stubs.log2_stub, "log2_kernel_webgpu", kernels.log2_of);
REGISTER_POINTWISE(stubs.log10_stub, "log10_kernel_webgpu", kernels.log10_of);
REGISTER_POINTWISE(stubs.log1p_stub, "log1p_kernel_webgpu", kernels.log1p_of);
REGISTER_POINTWISE(stubs.sin_stub, "sin_kernel_webgpu", kernels.sin_of);
REGISTER_POINTWISE(stubs.cos_stub, "cos_kernel_webgpu", kernels.cos_of);
REGISTER_POINTWISE(stubs.tan_stub, "tan_kernel_webgpu", kernels.tan_of);
REGISTER_POINTWISE(stubs.asin_stub, "asin_kernel_webgpu", kernels.asin_of);
REGISTER_POINTWISE(stubs.acos_stub, "acos_kernel_webgpu", kernels.acos_of);
REGISTER_POINTWISE(stubs.atan_stub, "atan_kernel_webgpu", kernels.atan_of);
REGISTER_POINTWISE(stubs.sinh_stub, "sinh_kernel_webgpu", kernels.sinh_of);
REGISTER_POINTWISE(stubs.cosh_stub, "cosh_kernel_webgpu", kernels.cosh_of);
REGISTER_POINTWISE(stubs.asinh_stub, "asinh_kernel_webgpu", kernels.asinh_of);
REGISTER_POINTWISE(stubs.acosh_stub, "acosh_kernel_webgpu", kernels.acosh_of);
REGISTER_POINTWISE(stubs.atanh_stub, "atanh_kernel_webgpu", kernels.atanh_of);
REGISTER_POINTWISE(stubs.erf_stub, "erf_kernel_webgpu", kernels.erf_of);
REGISTER_POINTWISE(stubs.erfc_stub, "erfc_kernel_webgpu", kernels.erfc_of);
REGISTER_POINTWISE(stubs.sqrt_stub, "sqrt_kernel_webgpu", kernels.sqrt_of);
REGISTER_POINTWISE(stubs.rsqrt_stub, "rsqrt_kernel_webgpu", kernels.rsqrt);
REGISTER_POINTWISE(stubs.reciprocal_stub, "reciprocal_kernel_webgpu", kernels.reciprocal);
REGISTER_POINTWISE(stubs.sigmoid_stub, "sigmoid_kernel_webgpu", kernels.sigmoid);
REGISTER_POINTWISE(stubs.tanh_stub, "tanh_kernel_webgpu", kernels.tanh_of);
REGISTER_POINTWISE(erfinv_stub, "erfinv_kernel_webgpu", erfinv_of);

// ---- rounding, and parts of numbers

REGISTER_POINTWISE(math.round_stub, "round_kernel_webgpu", math_kernels.round_of);
REGISTER_POINTWISE(math.frac_stub, "frac_kernel_webgpu", math_kernels.frac);
REGISTER_POINTWISE(math.signbit_stub, "signbit_kernel_webgpu", math_kernels.signbit_of);
REGISTER_POINTWISE(math.frexp_stub, "frexp_kernel_webgpu", math_kernels.frexp);

function round_decimals_kernel_webgpu(iter: TensorIteratorBase, decimals: number): void {
  const { round_to_decimals, round_to_negative_decimals } = math_kernels;
  const ten_pow_decimals = Scalar.fromDouble(10 ** Math.abs(Number(decimals)));
  gpu_kernel(iter, decimals < 0 ? round_to_negative_decimals : round_to_decimals, ten_pow_decimals);
}

/** The largest finite number of a floating dtype. */
function highest_of(dtype: ScalarType): number {
  if (dtype === ScalarType.Half) return 65504;
  return dtype === ScalarType.BFloat16 ? 3.3895313892515355e38 : 3.4028234663852886e38;
}

function nan_to_num_kernel_webgpu(
  iter: TensorIteratorBase,
  nan: number | null,
  pos_inf: number | null,
  neg_inf: number | null,
): void {
  const highest = highest_of(iter.dtype());
  gpu_kernel(iter, math_kernels.nan_to_num, nan ?? 0, pos_inf ?? highest, neg_inf ?? -highest);
}

function logit_kernel_webgpu(iter: TensorIteratorBase, eps: Scalar): void {
  if (eps.toDouble() < 0) gpu_kernel(iter, math_kernels.logit);
  else gpu_kernel(iter, math_kernels.logit_clamped, eps, Scalar.fromDouble(1 - eps.toDouble()));
}

function sinc_kernel_webgpu(iter: TensorIteratorBase): void {
  gpu_kernel(iter, math_kernels.sinc, Math.PI);
}

REGISTER_PRIVATEUSE1_DISPATCH(math.round_decimals_stub, round_decimals_kernel_webgpu, "round_decimals_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(math.nan_to_num_stub, nan_to_num_kernel_webgpu, "nan_to_num_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(math.logit_stub, logit_kernel_webgpu, "logit_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(math.sinc_stub, sinc_kernel_webgpu, "sinc_kernel_webgpu");
