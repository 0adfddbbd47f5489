/**
 * @file glu: half of a tensor, along a dimension, times the sigmoid of the other half.
 * @mirrors aten/src/ATen/native/GatedLinearUnit.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TensorIteratorBase, TensorIteratorConfig } from "#aten/TensorIterator";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

export const glu_stub = DEFINE_DISPATCH<(iter: TensorIteratorBase) => void>("glu_stub");
export const glu_backward_stub = DEFINE_DISPATCH<(iter: TensorIteratorBase) => void>("glu_backward_stub");

/** The dimension to halve, and the size of a half. */
function halving(self: Tensor, dim: number): [dim: number, size: number] {
  TORCH_CHECK(self.dim() > 0, "glu does not support 0-dimensional tensors");
  const wrap_dim = maybe_wrap_dim(dim, self.dim());
  const n = self.size(wrap_dim);
  TORCH_CHECK(n % 2 === 0, "Halving dimension must be even, but dimension ", wrap_dim, " is size ", n);
  return [wrap_dim, n / 2];
}

export abstract class structured_glu extends TensorIteratorBase {
  meta(self: Tensor, dim: number): void {
    const [wrap_dim, size] = halving(self, dim);
    const first = self.narrow(wrap_dim, 0, size);
    const second = self.narrow(wrap_dim, size, size);
    this.build_borrowing_binary_op(this.maybe_get_output(0), first, second);
  }
}
export abstract class structured_glu_out extends structured_glu {
  impl(_self: Tensor, _dim: number, _out: Tensor): void {
    glu_stub.call(this.device_type(), this);
  }
}

// glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor                           CPU
export function glu_backward_cpu(grad_output: Tensor, self: Tensor, dim: number): Tensor {
  const grad_input = at.empty_memory_format([0], self.options());
  return glu_backward_cpu_out(grad_output, self, dim, grad_input);
}
export function glu_backward_cpu_out(grad_output: Tensor, self: Tensor, dim: number, grad_input: Tensor): Tensor {
  const [wrap_dim, size] = halving(self, dim);
  grad_input.resize_as_(self);
  const grad_first = grad_input.narrow(wrap_dim, 0, size);
  const grad_second = grad_input.narrow(wrap_dim, size, size);
  const first = self.narrow(wrap_dim, 0, size);
  const second = self.narrow(wrap_dim, size, size);

  at.sigmoid_out(second, grad_first); // it stays there until the other half has been computed from it
  const iter = new TensorIteratorConfig()
    .add_output(grad_second)
    .add_const_input(grad_first)
    .add_const_input(first)
    .add_const_input(grad_output)
    .build();
  glu_backward_stub.call(iter.device_type(), iter);
  grad_first.mul__Tensor(grad_output);
  return grad_input;
}
