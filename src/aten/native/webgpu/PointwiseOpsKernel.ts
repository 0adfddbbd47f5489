/**
 * @file Registration of pointwise kernels with three or more operands, powers, elementwise losses, selection and
 * clamping: the scalar function for each stub.
 * @mirrors aten/src/ATen/native/PointwiseOps.h
 * @mirrors aten/src/ATen/native/TensorCompare.h
 * @mirrors aten/src/ATen/native/Pow.h
 * @differs Ours is one file; in CUDA these are PointwiseOpsKernel.cu, TensorCompare.cu, PowKernel.cu, Lerp.cu and
 * FillKernel.cu.
 */
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { fill_stub } from "#aten/native/Fill";
import { lerp_kernel_scalar_weight, lerp_kernel_tensor_weight } from "#aten/native/Lerp";
import * as bce from "#aten/native/Loss/BinaryCrossEntropy";
import * as loss from "#aten/native/Loss/index";
import { renorm_scale_factor_stub } from "#aten/native/Normalization/Renorm";
import { addcdiv_stub, addcmul_stub } from "#aten/native/PointwiseOps";
import { pow_tensor_scalar_stub, pow_tensor_tensor_stub } from "#aten/native/Pow";
import * as compare from "#aten/native/TensorCompare/index";
import { flip_stub } from "#aten/native/TensorTransformations";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { isIntegralType, ScalarType } from "#c10/core/ScalarType";
import * as loss_kernels from "./generated/BinaryOpsKernel/Loss.wgsl.ts";
import { fill } from "./generated/FillKernel.wgsl.ts";
import { flip } from "./generated/IndexKernel/Flip.wgsl.ts";
import { lerp_scalar, lerp_tensor } from "./generated/LerpKernel.wgsl.ts";
import { binary_cross_entropy, binary_cross_entropy_backward } from "./generated/LossBinaryCrossEntropyKernel.wgsl.ts";
import { addcdiv, addcmul } from "./generated/PointwiseOpsKernel.wgsl.ts";
import * as pow from "./generated/PowKernel.wgsl.ts";
import { renorm_scale_factor } from "./generated/RenormKernel.wgsl.ts";
import * as compare_kernels from "./generated/TensorCompareKernel/index.wgsl.ts";
import { reciprocal, rsqrt, sqrt_of } from "./generated/UnaryOpsKernel/index.wgsl.ts";
import { gpu_kernel, gpu_kernel_for, REGISTER_POINTWISE, REGISTER_POINTWISE_WITH_SCALARS } from "./Loops.ts";

REGISTER_POINTWISE_WITH_SCALARS(addcmul_stub, "addcmul_webgpu_kernel", addcmul);
REGISTER_POINTWISE_WITH_SCALARS(addcdiv_stub, "addcdiv_webgpu_kernel", addcdiv);
REGISTER_POINTWISE_WITH_SCALARS(lerp_kernel_scalar_weight, "lerp_scalar_kernel", lerp_scalar);
REGISTER_POINTWISE(lerp_kernel_tensor_weight, "lerp_tensor_kernel", lerp_tensor);
REGISTER_POINTWISE_WITH_SCALARS(fill_stub, "fill_kernel_webgpu", fill);
REGISTER_POINTWISE(flip_stub, "flip_kernel", flip);
REGISTER_POINTWISE_WITH_SCALARS(renorm_scale_factor_stub, "renorm_scale_factor_impl", renorm_scale_factor);

// ---- losses

REGISTER_POINTWISE(loss.mse_stub, "mse_kernel_webgpu", loss_kernels.mse);
REGISTER_POINTWISE_WITH_SCALARS(loss.mse_backward_stub, "mse_backward_webgpu_kernel", loss_kernels.mse_backward);
REGISTER_POINTWISE_WITH_SCALARS(loss.smooth_l1_stub, "smooth_l1_kernel_webgpu", loss_kernels.smooth_l1);
REGISTER_POINTWISE_WITH_SCALARS(
  loss.smooth_l1_backward_stub,
  "smooth_l1_backward_webgpu_kernel",
  loss_kernels.smooth_l1_backward,
);
REGISTER_POINTWISE_WITH_SCALARS(loss.huber_stub, "huber_kernel_webgpu", loss_kernels.huber);
REGISTER_POINTWISE_WITH_SCALARS(loss.huber_backward_stub, "huber_backward_webgpu_kernel", loss_kernels.huber_backward);

REGISTER_POINTWISE(bce.binary_cross_entropy_loop, "binary_cross_entropy_kernel_webgpu", binary_cross_entropy);
REGISTER_POINTWISE(
  bce.binary_cross_entropy_backward_loop,
  "binary_cross_entropy_backward_kernel_webgpu",
  binary_cross_entropy_backward,
);

// ---- selection and clamping

function where_kernel_impl(iter: TensorIteratorBase): void {
  const dtype = iter.dtype() === ScalarType.Bool ? ScalarType.Byte : iter.dtype(); // bools are selected as bytes
  gpu_kernel_for(iter, compare_kernels.where, dtype);
}
REGISTER_PRIVATEUSE1_DISPATCH(compare.where_kernel, where_kernel_impl, "where_kernel_impl");
REGISTER_POINTWISE(compare.clamp_stub, "clamp_kernel_impl", compare_kernels.clamp);
REGISTER_POINTWISE_WITH_SCALARS(compare.clamp_scalar_stub, "clamp_scalar_kernel_impl", compare_kernels.clamp_scalar);
REGISTER_POINTWISE_WITH_SCALARS(
  compare.clamp_min_scalar_stub,
  "clamp_min_scalar_kernel_impl",
  compare_kernels.clamp_min_scalar,
);
REGISTER_POINTWISE_WITH_SCALARS(
  compare.clamp_max_scalar_stub,
  "clamp_max_scalar_kernel_impl",
  compare_kernels.clamp_max_scalar,
);
REGISTER_POINTWISE(compare.isposinf_stub, "isposinf_kernel_impl", compare_kernels.isposinf);
REGISTER_POINTWISE(compare.isneginf_stub, "isneginf_kernel_impl", compare_kernels.isneginf);

// ---- powers

REGISTER_POINTWISE(pow_tensor_tensor_stub, "pow_tensor_tensor_kernel", pow.pow_tensor);

/** Small exponents become multiplications. */
function pow_tensor_scalar_kernel(iter: TensorIteratorBase, exponent: Scalar): void {
  const dtype = iter.common_dtype();
  if (exponent.equal(2)) gpu_kernel(iter, pow.pow_square);
  else if (exponent.equal(3)) gpu_kernel(iter, pow.pow_cube);
  else if (isIntegralType(dtype, true)) gpu_kernel(iter, pow.pow_scalar, exponent);
  else if (exponent.equal(0.5)) gpu_kernel(iter, sqrt_of);
  else if (exponent.equal(-0.5)) gpu_kernel(iter, rsqrt);
  else if (exponent.equal(-1)) gpu_kernel(iter, reciprocal);
  else if (exponent.equal(-2)) gpu_kernel(iter, pow.pow_inverse_square);
  else gpu_kernel(iter, pow.pow_scalar, exponent.toDouble());
}
REGISTER_PRIVATEUSE1_DISPATCH(pow_tensor_scalar_stub, pow_tensor_scalar_kernel, "pow_tensor_scalar_kernel");
