/**
 * @file Registration of binary kernels: the scalar function for each stub.
 * @mirrors aten/src/ATen/native/cuda/BinaryInternal.h
 * @differs Ours is one file; CUDA has several files for these kernels.
 * @differs `remainder`, `fmod`, `floor_divide` and `//` of integers by 0 give a number on the device, as on CUDA; the CPU raises "ZeroDivisionError".
 */
import * as stubs from "#aten/native/BinaryOps/index";
import * as math from "#aten/native/BinaryOps/Math";
import { type DispatchStub, REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import type { ScalarFunctions } from "#aten/webgpu/ScalarFunctions";
import { Scalar } from "#c10/core/Scalar";
import { elementSize, isFloatingType, ScalarType } from "#c10/core/ScalarType";
import { add } from "./generated/add.wgsl.ts";
import * as kernels from "./generated/BinaryOpsKernel/index.wgsl.ts";
import * as math_kernels from "./generated/BinaryOpsKernel/Math.wgsl.ts";
import { gpu_kernel, opmath_gpu_kernel_with_scalars, REGISTER_POINTWISE } from "./Loops.ts";

// ---- arithmetic; a number is not rounded to half precision before it meets halves

type BinaryStub = DispatchStub<(iter: TensorIteratorBase) => void>;

function add_kernel_webgpu(iter: TensorIteratorBase, alpha: Scalar): void {
  opmath_gpu_kernel_with_scalars(iter, add, alpha);
}
REGISTER_PRIVATEUSE1_DISPATCH(stubs.add_stub, add_kernel_webgpu, "add_kernel_webgpu");

function register_arithmetic(stub: BinaryStub, name: string, functions: ScalarFunctions): void {
  REGISTER_PRIVATEUSE1_DISPATCH(stub, (iter) => opmath_gpu_kernel_with_scalars(iter, functions), name);
}
register_arithmetic(stubs.mul_stub, "mul_kernel_webgpu", kernels.mul);
register_arithmetic(stubs.div_true_stub, "div_true_kernel_webgpu", kernels.div_true);
register_arithmetic(stubs.div_trunc_stub, "div_trunc_kernel_webgpu", kernels.div_trunc);
register_arithmetic(stubs.div_floor_stub, "div_floor_kernel_webgpu", kernels.div_floor_elements);

REGISTER_POINTWISE(stubs.bitwise_and_stub, "bitwise_and_kernel_webgpu", kernels.bitwise_and);
REGISTER_POINTWISE(stubs.bitwise_or_stub, "bitwise_or_kernel_webgpu", kernels.bitwise_or);
REGISTER_POINTWISE(stubs.bitwise_xor_stub, "bitwise_xor_kernel_webgpu", kernels.bitwise_xor);
REGISTER_POINTWISE(stubs.maximum_stub, "maximum_kernel_webgpu", kernels.maximum);
REGISTER_POINTWISE(stubs.minimum_stub, "minimum_kernel_webgpu", kernels.minimum);
REGISTER_POINTWISE(stubs.sigmoid_backward_stub, "sigmoid_backward_kernel_webgpu", kernels.sigmoid_backward);
REGISTER_POINTWISE(stubs.tanh_backward_stub, "tanh_backward_kernel_webgpu", kernels.tanh_backward);

function lshift_kernel_webgpu(iter: TensorIteratorBase): void {
  gpu_kernel(iter, kernels.lshift, Scalar.fromInt(8 * elementSize(iter.common_dtype())));
}
function rshift_kernel_webgpu(iter: TensorIteratorBase): void {
  const sign_bit = iter.common_dtype() === ScalarType.Byte ? 0 : 1;
  gpu_kernel(iter, kernels.rshift, Scalar.fromInt(8 * elementSize(iter.common_dtype()) - sign_bit));
}
REGISTER_PRIVATEUSE1_DISPATCH(stubs.lshift_stub, lshift_kernel_webgpu, "lshift_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(stubs.rshift_stub, rshift_kernel_webgpu, "rshift_kernel_webgpu");

// ---- comparison: 0 or 1 in the output's dtype

REGISTER_POINTWISE(stubs.lt_stub, "lt_kernel_webgpu", kernels.lt);
REGISTER_POINTWISE(stubs.le_stub, "le_kernel_webgpu", kernels.le);
REGISTER_POINTWISE(stubs.gt_stub, "gt_kernel_webgpu", kernels.gt);
REGISTER_POINTWISE(stubs.ge_stub, "ge_kernel_webgpu", kernels.ge);
REGISTER_POINTWISE(stubs.eq_stub, "eq_kernel_webgpu", kernels.eq);
REGISTER_POINTWISE(stubs.ne_stub, "ne_kernel_webgpu", kernels.ne);
REGISTER_POINTWISE(stubs.logical_and_stub, "logical_and_kernel_webgpu", kernels.logical_and);
REGISTER_POINTWISE(stubs.logical_or_stub, "logical_or_kernel_webgpu", kernels.logical_or);
REGISTER_POINTWISE(stubs.logical_xor_stub, "logical_xor_kernel_webgpu", kernels.logical_xor);

// ---- functions

REGISTER_POINTWISE(math.atan2_stub, "atan2_kernel_webgpu", math_kernels.atan2_of);
REGISTER_POINTWISE(math.hypot_stub, "hypot_kernel_webgpu", math_kernels.hypot_of);
REGISTER_POINTWISE(math.copysign_stub, "copysign_kernel_webgpu", math_kernels.copysign_of);
REGISTER_POINTWISE(math.fmod_stub, "fmod_kernel_webgpu", math_kernels.fmod);
REGISTER_POINTWISE(math.remainder_stub, "remainder_kernel_webgpu", math_kernels.remainder);
REGISTER_POINTWISE(math.logaddexp_stub, "logaddexp_kernel_webgpu", math_kernels.logaddexp);
REGISTER_POINTWISE(math.logaddexp2_stub, "logaddexp2_kernel_webgpu", math_kernels.logaddexp2);
REGISTER_POINTWISE(math.xlogy_stub, "xlogy_kernel_webgpu", math_kernels.xlogy);
REGISTER_POINTWISE(math.xlog1py_stub, "xlog1py_kernel_webgpu", math_kernels.xlog1py);
REGISTER_POINTWISE(math.gcd_stub, "gcd_kernel_webgpu", math_kernels.gcd);
REGISTER_POINTWISE(math.lcm_stub, "lcm_kernel_webgpu", math_kernels.lcm);

function fmax_kernel_webgpu(iter: TensorIteratorBase): void {
  gpu_kernel(iter, isFloatingType(iter.common_dtype()) ? math_kernels.fmax_of : kernels.maximum);
}
function fmin_kernel_webgpu(iter: TensorIteratorBase): void {
  gpu_kernel(iter, isFloatingType(iter.common_dtype()) ? math_kernels.fmin_of : kernels.minimum);
}
REGISTER_PRIVATEUSE1_DISPATCH(math.fmax_stub, fmax_kernel_webgpu, "fmax_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(math.fmin_stub, fmin_kernel_webgpu, "fmin_kernel_webgpu");

function logit_backward_kernel_webgpu(iter: TensorIteratorBase, eps: Scalar): void {
  const { logit_backward, logit_backward_clamped } = math_kernels;
  if (eps.toDouble() < 0) gpu_kernel(iter, logit_backward);
  else gpu_kernel(iter, logit_backward_clamped, eps, Scalar.fromDouble(1 - eps.toDouble()));
}
REGISTER_PRIVATEUSE1_DISPATCH(math.logit_backward_stub, logit_backward_kernel_webgpu, "logit_backward_kernel_webgpu");
