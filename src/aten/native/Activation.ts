/**
 * @file Activation functions and their backward operators. `relu` is a clamp; `prelu` shapes its weight and leaves the rest to a kernel.
 * @mirrors aten/src/ATen/native/Activation.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TensorIteratorConfigBase } from "#aten/iterator/TensorIteratorConfig";
import { TensorIteratorBase, TensorIteratorConfig } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

export const threshold_stub =
  DEFINE_DISPATCH<(iter: TensorIteratorBase, threshold: Scalar, value: Scalar) => void>("threshold_stub");
export const prelu_stub = DEFINE_DISPATCH<(iter: TensorIteratorBase) => void>("prelu_stub");
export const prelu_backward_stub = DEFINE_DISPATCH<(iter: TensorIteratorBase) => void>("prelu_backward_stub");

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

/** `other` is what stands where x is above the threshold: x itself, or, backward, the gradient. */
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
  // Through `at`, not straight to the kernel: the dispatcher must see this call, or autograd would not record it.
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
  return [grad_self, grad_weight]; // both of the input's shape; autograd sums the weight's over what was broadcast
}
