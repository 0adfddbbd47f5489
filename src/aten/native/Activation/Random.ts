/**
 * @file rrelu: like leaky_relu, but the slope of each element is random in training, and the middle of the range in
 * evaluation.
 * @mirrors aten/src/ATen/native/Activation.cpp
 */
import type { Generator } from "#aten/core/Generator";
import { printDouble } from "#aten/core/ivalue";
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { _rrelu_with_noise_train } from "#aten/native/cpu/RReluKernel";
import { scalar_to_tensor } from "#aten/ScalarOps";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";

type Gen = Generator | null;

// rrelu_with_noise(Tensor self, Tensor(b!) noise, Scalar lower=0.125, Scalar upper=0.333..., bool training=False, Generator? generator=None)
//   -> Tensor                                                                                CPU
/** In training, `noise` receives the slopes; it is 1 where no slope was needed. */
export function rrelu_with_noise_cpu(
  self: Tensor,
  noise: Tensor,
  lower: Scalar,
  upper: Scalar,
  training: boolean,
  generator: Gen,
): Tensor {
  const output = contiguous_like(self);
  return rrelu_with_noise_out_cpu(self, noise, lower, upper, training, generator, output);
}
export function rrelu_with_noise_cpu_(
  self: Tensor,
  noise: Tensor,
  lower: Scalar,
  upper: Scalar,
  training: boolean,
  generator: Gen,
): Tensor {
  return rrelu_with_noise_out_cpu(self, noise, lower, upper, training, generator, self);
}
export function rrelu_with_noise_out_cpu(
  self: Tensor,
  noise: Tensor,
  lower: Scalar,
  upper: Scalar,
  training: boolean,
  generator: Gen,
  output: Tensor,
): Tensor {
  TORCH_CHECK(
    sizes_equal(self.sizes(), noise.sizes()),
    "noise tensor shape must match self tensor shape. Got self.shape = ",
    self.sizes(),
    " noise.shape = ",
    noise.sizes(),
  );
  if (training) {
    _rrelu_with_noise_train(output, self.contiguous(), noise, lower, upper, generator);
    return output;
  }
  const middle = scalar_to_tensor(lower).add_Tensor(scalar_to_tensor(upper)).div_Scalar(Scalar.fromInt(2));
  return at.leaky_relu_out(self, middle.item(), output);
}

// rrelu_with_noise_backward(Tensor grad_output, Tensor self, Tensor noise, Scalar lower, Scalar upper, bool training, bool self_is_result)
//   -> Tensor                                                                                CompositeExplicitAutograd
export function rrelu_with_noise_backward(
  grad_output: Tensor,
  self_or_result: Tensor,
  noise: Tensor,
  lower: Scalar,
  upper: Scalar,
  training: boolean,
  is_result: boolean,
): Tensor {
  if (training) return noise.mul_Tensor(grad_output);
  const middle = Scalar.fromDouble((lower.toDouble() + upper.toDouble()) / 2);
  return at.leaky_relu_backward(grad_output, self_or_result, middle, is_result);
}

function check_range(lower: Scalar, upper: Scalar): void {
  TORCH_CHECK(lower.toDouble() <= upper.toDouble(), "Lower bound should be less than or equal to the upper bound");
}

function check_finite(bound: Scalar, name: string): void {
  const value = bound.toDouble();
  TORCH_CHECK(Number.isFinite(value), "rrelu: ", name, " bound must be finite, got ", printDouble(value));
}

// rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.333..., bool training=False, Generator? generator=None) -> Tensor
//                                                                                            CompositeImplicitAutograd
export function rrelu(self: Tensor, lower: Scalar, upper: Scalar, training: boolean, generator: Gen): Tensor {
  check_finite(lower, "lower");
  check_finite(upper, "upper");
  check_range(lower, upper);
  return at.rrelu_with_noise(self, contiguous_like(self), lower, upper, training, generator);
}
// rrelu_(Tensor(a!) self, ...) -> Tensor(a!)                                                 CompositeImplicitAutograd
export function rrelu_(self: Tensor, lower: Scalar, upper: Scalar, training: boolean, generator: Gen): Tensor {
  check_range(lower, upper); // PyTorch checks nothing else here
  return at.rrelu_with_noise_(self, contiguous_like(self), lower, upper, training, generator);
}

function contiguous_like(self: Tensor): Tensor {
  return at.empty_like(self, TensorOptions.EMPTY, MemoryFormat.Contiguous);
}
