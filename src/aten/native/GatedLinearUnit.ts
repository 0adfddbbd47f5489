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

// Forward mode, with [a, b] = x and glu = a * sigmoid(b)

// glu_jvp(Tensor glu, Tensor x, Tensor dx, int dim) -> Tensor                                CPU
export function glu_jvp(glu: Tensor, x: Tensor, dx: Tensor, dim: number): Tensor {
  const wrap_dim = maybe_wrap_dim(dim, x.dim());
  const size = glu.size(wrap_dim);
  const sig_b = at.sigmoid(x.narrow(wrap_dim, size, size));
  const da = dx.narrow(wrap_dim, 0, size);
  const db = dx.narrow(wrap_dim, size, size);
  return da.mul_Tensor(sig_b).add_Tensor(glu.mul_Tensor(db.sub_Tensor(sig_b.mul_Tensor(db))));
}

// glu_backward_jvp(Tensor grad_x, Tensor grad_glu, Tensor x, Tensor dgrad_glu, Tensor dx, int dim) -> Tensor   CPU
/** Its tangent of a half is that of grad_glu in the gradient of the half, plus those of a and b. */
export function glu_backward_jvp(
  grad_x: Tensor,
  grad_glu: Tensor,
  x: Tensor,
  dgrad_glu: Tensor,
  dx: Tensor,
  dim: number,
): Tensor {
  const wrap_dim = maybe_wrap_dim(dim, x.dim());
  const size = grad_glu.size(wrap_dim);
  const first = (t: Tensor): Tensor => t.narrow(wrap_dim, 0, size);
  const second = (t: Tensor): Tensor => t.narrow(wrap_dim, size, size);
  const [a, da, db] = [first(x), first(dx), second(dx)];
  const sig_b = at.sigmoid(second(x));
  const db_neg_sig_b = db.sub_Tensor(db.mul_Tensor(sig_b));
  const slope = sig_b.sub_Tensor(sig_b.mul_Tensor(sig_b));
  const dgrad_a = dgrad_glu.mul_Tensor(sig_b).add_Tensor(first(grad_x).mul_Tensor(db_neg_sig_b));
  const of_a = dgrad_glu.mul_Tensor(a).add_Tensor(grad_glu.mul_Tensor(da)).mul_Tensor(slope);
  const of_b = second(grad_x).mul_Tensor(db_neg_sig_b.sub_Tensor(db.mul_Tensor(sig_b)));
  return at.cat([dgrad_a, of_a.add_Tensor(of_b)], wrap_dim);
}
