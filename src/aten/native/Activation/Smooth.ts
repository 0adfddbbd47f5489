/**
 * @file Smooth activations and their backward operators: elu (and celu and selu, which are elu with other numbers),
 * softplus, mish, log_sigmoid.
 * @mirrors aten/src/ATen/native/Activation.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { TensorIterator, TensorIteratorBase, TensorIteratorConfig } from "#aten/TensorIterator";
import { minus } from "#aten/TensorOperators";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";

type Elementwise = (iter: TensorIteratorBase) => void;
type Elu = (iter: TensorIteratorBase, alpha: Scalar, scale: Scalar, input_scale: Scalar) => void;
type EluBackward = (
  iter: TensorIteratorBase,
  alpha: Scalar,
  scale: Scalar,
  input_scale: Scalar,
  is_result: boolean,
) => void;
type Softplus = (iter: TensorIteratorBase, beta: Scalar, threshold: Scalar) => void;

export const elu_stub = DEFINE_DISPATCH<Elu>("elu_stub");
export const elu_backward_stub = DEFINE_DISPATCH<EluBackward>("elu_backward_stub");
export const softplus_stub = DEFINE_DISPATCH<Softplus>("softplus_stub");
export const softplus_backward_stub = DEFINE_DISPATCH<Softplus>("softplus_backward_stub");
export const mish_stub = DEFINE_DISPATCH<Elementwise>("mish_stub");
export const mish_backward_stub = DEFINE_DISPATCH<Elementwise>("mish_backward_stub");
export const log_sigmoid_cpu_stub =
  DEFINE_DISPATCH<(output: Tensor, buffer: Tensor, input: Tensor) => void>("log_sigmoid_cpu_stub");
export const log_sigmoid_backward_stub = DEFINE_DISPATCH<Elementwise>("log_sigmoid_backward_stub");

// ---- elu, celu, selu

export abstract class structured_elu extends TensorIteratorBase {
  meta(self: Tensor, _alpha: Scalar, _scale: Scalar, _input_scale: Scalar): void {
    this.build_borrowing_unary_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_elu_out extends structured_elu {
  impl(_self: Tensor, alpha: Scalar, scale: Scalar, input_scale: Scalar, _out: Tensor): void {
    elu_stub.call(this.device_type(), this, alpha, scale, input_scale);
  }
}
export abstract class structured_elu_backward extends TensorIteratorBase {
  /** The sign of the input can be read from the result only if alpha keeps it. */
  meta(
    grad_output: Tensor,
    alpha: Scalar,
    _scale: Scalar,
    _input_scale: Scalar,
    is_result: boolean,
    self_or_result: Tensor,
  ): void {
    TORCH_CHECK(
      !is_result || alpha.toDouble() >= 0,
      "In-place elu backward calculation is triggered with a negative slope which is not supported. " +
        "This is caused by calling in-place forward function with a negative slope, " +
        "please call out-of-place version instead.",
    );
    this.build_borrowing_binary_op(this.maybe_get_output(0), grad_output, self_or_result);
  }
}
export abstract class structured_elu_backward_out extends structured_elu_backward {
  impl(
    _grad_output: Tensor,
    alpha: Scalar,
    scale: Scalar,
    input_scale: Scalar,
    is_result: boolean,
    _self_or_result: Tensor,
    _grad_input: Tensor,
  ): void {
    elu_backward_stub.call(this.device_type(), this, alpha, scale, input_scale, is_result);
  }
}

/** With these numbers, the activations of a deep network keep mean 0 and variance 1 from layer to layer. */
const SELU_ALPHA = Scalar.fromDouble(1.6732632423543772);
const SELU_SCALE = Scalar.fromDouble(1.0507009873554805);

// selu(Tensor self) -> Tensor                                                                CompositeImplicitAutograd
export function selu(self: Tensor): Tensor {
  return at.elu(self, SELU_ALPHA, SELU_SCALE);
}
export function selu_(self: Tensor): Tensor {
  return at.elu_(self, SELU_ALPHA, SELU_SCALE);
}

function inverse(alpha: Scalar): Scalar {
  TORCH_CHECK(alpha.toDouble() !== 0, "ZeroDivisionError: alpha cannot be 0 for CELU");
  return Scalar.fromDouble(1 / alpha.toDouble());
}

// celu(Tensor self, Scalar alpha=1.0) -> Tensor                                              CompositeExplicitAutograd
export function celu(self: Tensor, alpha: Scalar): Tensor {
  return at.elu(self, alpha, Scalar.fromDouble(1), inverse(alpha));
}
export function celu_(self: Tensor, alpha: Scalar): Tensor {
  return at.elu_(self, alpha, Scalar.fromDouble(1), inverse(alpha));
}

// ---- softplus

export abstract class structured_softplus extends TensorIteratorBase {
  meta(self: Tensor, _beta: Scalar, _threshold: Scalar): void {
    this.build_borrowing_unary_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_softplus_out extends structured_softplus {
  impl(_self: Tensor, beta: Scalar, threshold: Scalar, _out: Tensor): void {
    softplus_stub.call(this.device_type(), this, beta, threshold);
  }
}
export abstract class structured_softplus_backward extends TensorIteratorBase {
  meta(grad_output: Tensor, self: Tensor, _beta: Scalar, _threshold: Scalar): void {
    this.build_borrowing_binary_op(this.maybe_get_output(0), grad_output, self);
  }
}
export abstract class structured_softplus_backward_out extends structured_softplus_backward {
  impl(_grad_output: Tensor, _self: Tensor, beta: Scalar, threshold: Scalar, _grad_input: Tensor): void {
    softplus_backward_stub.call(this.device_type(), this, beta, threshold);
  }
}

// ---- mish

export abstract class structured_mish extends TensorIteratorBase {
  meta(self: Tensor): void {
    this.build_borrowing_unary_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_mish_out extends structured_mish {
  impl(_self: Tensor, _out: Tensor): void {
    mish_stub.call(this.device_type(), this);
  }
}

// mish_backward(Tensor grad_output, Tensor self) -> Tensor                                   CPU
export function mish_backward(grad_output: Tensor, self: Tensor): Tensor {
  const grad_input = at.empty_memory_format([0], self.options());
  const iter = TensorIterator.binary_op(grad_input, grad_output, self);
  mish_backward_stub.call(iter.device_type(), iter);
  return grad_input;
}

// mish_backward(Tensor grad_output, Tensor self) -> Tensor                                   CompositeImplicitAutograd
export function math_mish_backward(grad_output: Tensor, self: Tensor): Tensor {
  const tanh_softplus = at.tanh(at.softplus(self));
  const sigmoid = at.sigmoid(self);
  const bend = minus(Scalar.ONE, tanh_softplus.mul_Tensor(tanh_softplus));
  return grad_output.mul_Tensor(tanh_softplus.add_Tensor(self.mul_Tensor(sigmoid).mul_Tensor(bend)));
}

// ---- log_sigmoid

// log_sigmoid(Tensor self) -> Tensor                                                         CompositeImplicitAutograd
export function log_sigmoid(self: Tensor): Tensor {
  return at.log_sigmoid_forward(self)[0];
}
export function log_sigmoid_out(self: Tensor, output: Tensor): Tensor {
  const buffer = at.empty_memory_format([0], self.options());
  return at.log_sigmoid_forward_output(self, output, buffer)[0];
}

// log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)                         CPU
/** `buffer` holds exp(-|x|), from which backward computes the slope. */
export function log_sigmoid_forward_cpu(self: Tensor): [output: Tensor, buffer: Tensor] {
  const output = at.empty_like(self, TensorOptions.EMPTY, MemoryFormat.Contiguous);
  const buffer = at.empty_like(self, TensorOptions.EMPTY, MemoryFormat.Contiguous);
  log_sigmoid_cpu_stub.call(self.device().type(), output, buffer, self.contiguous());
  return [output, buffer];
}
export function log_sigmoid_forward_out_cpu(self: Tensor, output: Tensor, buffer: Tensor): [Tensor, Tensor] {
  output.resize_as_(self);
  buffer.resize_as_(self, MemoryFormat.Contiguous);
  TORCH_CHECK(buffer.is_contiguous(), "Contiguous buffer required for log_sigmoid with out parameter");
  const contiguous = output.is_contiguous()
    ? output
    : at.empty_like(output, TensorOptions.EMPTY, MemoryFormat.Contiguous);
  log_sigmoid_cpu_stub.call(self.device().type(), contiguous, buffer, self.contiguous());
  if (contiguous !== output) output.copy_(contiguous);
  return [output, buffer];
}

// log_sigmoid_backward(Tensor grad_output, Tensor self, Tensor buffer) -> Tensor             CPU
export function log_sigmoid_backward_cpu(grad_output: Tensor, self: Tensor, buffer: Tensor): Tensor {
  return log_sigmoid_backward_cpu_out(grad_output, self, buffer, at.empty_like(grad_output));
}
export function log_sigmoid_backward_cpu_out(
  grad_output: Tensor,
  self: Tensor,
  buffer: Tensor,
  grad_input: Tensor,
): Tensor {
  const iter = new TensorIteratorConfig()
    .add_output(grad_input)
    .add_const_input(self)
    .add_const_input(buffer)
    .add_const_input(grad_output)
    .build();
  log_sigmoid_backward_stub.call(iter.device_type(), iter);
  return grad_input;
}
