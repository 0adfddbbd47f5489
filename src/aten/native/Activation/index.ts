/**
 * @file Activation functions and their backward operators. `relu` is a clamp; `prelu` shapes its weight and leaves the rest to a kernel.
 * @mirrors aten/src/ATen/native/Activation.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TensorIteratorConfigBase } from "#aten/iterator/TensorIteratorConfig";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { TensorIteratorBase, TensorIteratorConfig } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

export const threshold_stub =
  DEFINE_DISPATCH<(iter: TensorIteratorBase, threshold: Scalar, value: Scalar) => void>("threshold_stub");
export const prelu_stub = DEFINE_DISPATCH<(iter: TensorIteratorBase) => void>("prelu_stub");
export const prelu_backward_stub = DEFINE_DISPATCH<(iter: TensorIteratorBase) => void>("prelu_backward_stub");
export const GeluKernel = DEFINE_DISPATCH<(iter: TensorIteratorBase, approximate: GeluType) => void>("GeluKernel");
export const GeluBackwardKernel =
  DEFINE_DISPATCH<(iter: TensorIteratorBase, approximate: GeluType) => void>("GeluBackwardKernel");
export const silu_stub = DEFINE_DISPATCH<(iter: TensorIteratorBase) => void>("silu_stub");
export const silu_backward_stub = DEFINE_DISPATCH<(iter: TensorIteratorBase) => void>("silu_backward_stub");
export const leaky_relu_stub =
  DEFINE_DISPATCH<(iter: TensorIteratorBase, negative_slope: Scalar) => void>("leaky_relu_stub");
export const leaky_relu_backward_stub =
  DEFINE_DISPATCH<(iter: TensorIteratorBase, negative_slope: Scalar) => void>("leaky_relu_backward_stub");

// ---- relu

// relu(Tensor self) -> Tensor                                                                CPU
export function relu(self: Tensor): Tensor {
  TORCH_CHECK(self.scalar_type() !== ScalarType.Bool, "Boolean inputs not supported for relu");
  return at.clamp_min(self, Scalar.ZERO);
}
export function relu_(self: Tensor): Tensor {
  TORCH_CHECK(self.scalar_type() !== ScalarType.Bool, "Boolean inputs not supported for relu");
  return at.clamp_min_(self, Scalar.ZERO);
}

// ---- threshold

/** `other` is the result where x is above the threshold: x itself, or in backward the gradient. */
function threshold_config(out: Tensor, self: Tensor, other: Tensor): TensorIteratorConfigBase {
  return new TensorIteratorConfigBase()
    .set_check_mem_overlap(false) // each element is read before it is written, so overlap does no harm
    .add_output(out)
    .add_const_input(self)
    .add_const_input(other)
    .allow_cpu_scalars(true)
    .promote_inputs_to_common_dtype(true)
    .cast_common_dtype_to_outputs(true)
    .enforce_safe_casting_to_output(true);
}

export abstract class structured_threshold extends TensorIteratorBase {
  meta(self: Tensor, _threshold: Scalar, _value: Scalar): void {
    this.build(threshold_config(this.maybe_get_output(0), self, self));
  }
}
export abstract class structured_threshold_out extends structured_threshold {
  impl(_self: Tensor, threshold: Scalar, value: Scalar, _out: Tensor): void {
    threshold_stub.call(this.device_type(), this, threshold, value);
  }
}
export abstract class structured_threshold_backward extends TensorIteratorBase {
  meta(grad_output: Tensor, self: Tensor, _threshold: Scalar): void {
    this.build(threshold_config(this.maybe_get_output(0), self, grad_output));
  }
}
export abstract class structured_threshold_backward_out extends structured_threshold_backward {
  impl(_grad_output: Tensor, _self: Tensor, threshold: Scalar, _grad_input: Tensor): void {
    threshold_stub.call(this.device_type(), this, threshold, Scalar.ZERO);
  }
}

// ---- prelu

// prelu(Tensor self, Tensor weight) -> Tensor                                                CompositeImplicitAutograd
export function prelu(self: Tensor, weight_: Tensor): Tensor {
  // self (N, C, *), weight_ (C) or (1)
  const self_dim = self.dim();
  TORCH_CHECK(
    self.scalar_type() === weight_.scalar_type(),
    "prelu: Type promoting not supported. Got ",
    toString(self.scalar_type()),
    " and ",
    toString(weight_.scalar_type()),
  );
  if (weight_.numel() !== 1) {
    TORCH_CHECK(self_dim > 0, "Not allow zero-dim input tensor.");
    const channel_size = self_dim > 1 ? self.size(1) : 1;
    TORCH_CHECK(
      channel_size === weight_.numel(),
      "Mismatch of parameter numbers and input channel size. Found parameter numbers = ",
      weight_.numel(),
      " and channel size = ",
      channel_size,
      ".",
    );
  }
  TORCH_CHECK(
    weight_.dim() <= 1,
    "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = ",
    weight_.dim(),
  );
  let weight = weight_;
  if (self_dim !== weight.dim()) {
    const dim_w = new Array<number>(self_dim).fill(1); // (1, C, 1, ...): broadcasts along dim 1
    if (self_dim > 1) dim_w[1] = weight_.numel();
    weight = weight.reshape(dim_w);
  }
  // The call goes through `at` and not directly to the kernel: the dispatcher must see it, or autograd would not record
  // it.
  return at._prelu_kernel(self, weight);
}

// _prelu_kernel(Tensor self, Tensor weight) -> Tensor                                        CPU
export function _prelu_kernel(self: Tensor, weight: Tensor): Tensor {
  const result = at.empty_like(self);
  const iter = new TensorIteratorConfig().add_output(result).add_const_input(self).add_const_input(weight).build();
  prelu_stub.call(iter.device_type(), iter);
  return result;
}

// _prelu_kernel_backward(Tensor grad_output, Tensor self, Tensor weight) -> (Tensor, Tensor) CPU
export function _prelu_kernel_backward(grad_output: Tensor, self: Tensor, weight: Tensor): [Tensor, Tensor] {
  const grad_self = at.empty_memory_format([0], self.options());
  const grad_weight = at.empty_memory_format([0], weight.options());
  const iter = new TensorIteratorConfig()
    .add_output(grad_self)
    .add_output(grad_weight)
    .add_const_input(self)
    .add_const_input(weight)
    .add_const_input(grad_output)
    .build();
  prelu_backward_stub.call(iter.device_type(), iter);
  return [grad_self, grad_weight]; // both have the input's shape; autograd sums the weight's gradient over the broadcast dims
}

// ---- gelu

/** `none` is x times the normal distribution function at x; `tanh` is an approximation. */
export const GeluType = { None: 0, Tanh: 1 } as const;
export type GeluType = (typeof GeluType)[keyof typeof GeluType];

function get_gelutype_enum(approximate: string): GeluType {
  if (approximate === "none") return GeluType.None;
  TORCH_CHECK(approximate === "tanh", "approximate argument must be either none or tanh.");
  return GeluType.Tanh;
}

export abstract class structured_gelu extends TensorIteratorBase {
  meta(self: Tensor, _approximate: string): void {
    this.build_borrowing_unary_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_gelu_out_cpu extends structured_gelu {
  impl(_self: Tensor, approximate: string, _out: Tensor): void {
    GeluKernel.call(this.device_type(), this, get_gelutype_enum(approximate));
  }
}
export abstract class structured_gelu_backward extends TensorIteratorBase {
  meta(grad_output: Tensor, self: Tensor, _approximate: string): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), grad_output, self);
  }
}
export abstract class structured_gelu_backward_out_cpu extends structured_gelu_backward {
  impl(_grad_output: Tensor, _self: Tensor, approximate: string, _grad_input: Tensor): void {
    GeluBackwardKernel.call(this.device_type(), this, get_gelutype_enum(approximate));
  }
}

// ---- silu

export abstract class structured_silu extends TensorIteratorBase {
  meta(self: Tensor): void {
    this.build_borrowing_unary_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_silu_out extends structured_silu {
  impl(_self: Tensor, _out: Tensor): void {
    silu_stub.call(this.device_type(), this);
  }
}
export abstract class structured_silu_backward extends TensorIteratorBase {
  meta(grad_output: Tensor, self: Tensor): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), grad_output, self);
  }
}
export abstract class structured_silu_backward_out extends structured_silu_backward {
  impl(_grad_output: Tensor, _self: Tensor, _grad_input: Tensor): void {
    silu_backward_stub.call(this.device_type(), this);
  }
}
// silu_backward(Tensor grad_output, Tensor self) -> Tensor                                   CompositeImplicitAutograd
export function math_silu_backward(grad_output: Tensor, self: Tensor): Tensor {
  const sigmoid = at.sigmoid(self);
  const slope = self.mul_Tensor(at.rsub_Scalar(sigmoid, Scalar.ONE)).add_Scalar(Scalar.ONE);
  return grad_output.mul_Tensor(sigmoid.mul_Tensor(slope));
}

// ---- leaky_relu

export abstract class structured_leaky_relu extends TensorIteratorBase {
  meta(self: Tensor, _negative_slope: Scalar): void {
    this.build_borrowing_unary_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_leaky_relu_out extends structured_leaky_relu {
  impl(_self: Tensor, negative_slope: Scalar, _out: Tensor): void {
    leaky_relu_stub.call(this.device_type(), this, negative_slope);
  }
}
export abstract class structured_leaky_relu_backward extends TensorIteratorBase {
  /** The sign of the input can be read from the result only if the slope keeps it. */
  meta(grad_output: Tensor, self_or_result: Tensor, negative_slope: Scalar, is_result: boolean): void {
    TORCH_CHECK(
      !is_result || negative_slope.toDouble() >= 0,
      "In-place leakyReLu backward calculation is triggered with a negative slope which is not supported. " +
        "This is caused by calling in-place forward function with a negative slope, " +
        "please call out-of-place version instead. File an issue at https://github.com/pytorch/pytorch " +
        "if you do require supporting in-place leakRelu backward calculation with negative slope",
    );
    this.build_borrowing_binary_op(this.maybe_get_output(0), self_or_result, grad_output);
  }
}
export abstract class structured_leaky_relu_backward_out extends structured_leaky_relu_backward {
  impl(_grad_output: Tensor, _self: Tensor, negative_slope: Scalar, _is_result: boolean, _grad_input: Tensor): void {
    leaky_relu_backward_stub.call(this.device_type(), this, negative_slope);
  }
}
