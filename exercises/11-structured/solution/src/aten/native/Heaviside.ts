/**
 * @file heaviside(self, values): 0 below zero, 1 above zero, and `values` at zero. (PyTorch has it in BinaryOps.cpp.)
 * @mirrors aten/src/ATen/native/BinaryOps.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { TensorIteratorBase } from "#aten/TensorIterator";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

export const heaviside_stub = DEFINE_DISPATCH<(iter: TensorIteratorBase) => void>("heaviside_stub");

/** Announces the result without computing it. Refuses complex tensors, then tensors of different dtypes (the output's too, if one was given). */
export abstract class structured_heaviside extends TensorIteratorBase {
  meta(self: Tensor, values: Tensor): void {
    // this.maybe_get_output(0)                  the tensor to write to; its `defined()` says whether one was given
    // this.build_borrowing_binary_op(out, a, b)  broadcasts, finds the dtype, makes or resizes the output
    // TORCH_CHECK(condition, "message")         as in C++
    // ex:begin(11.value)
    const out = this.maybe_get_output(0);
    TORCH_CHECK(
      !self.is_complex() && !values.is_complex() && !(out.defined() && out.is_complex()),
      "heaviside is not yet implemented for complex tensors.",
    );
    TORCH_CHECK(
      self.scalar_type() === values.scalar_type() && (!out.defined() || out.scalar_type() === self.scalar_type()),
      "heaviside is not yet implemented for tensors with different dtypes.",
    );
    this.build_borrowing_binary_op(out, self, values);
    // ex:stub
    // TORCH_CHECK(!self.is_complex() && !values.is_complex(), "heaviside is not yet implemented for complex tensors.");
    // ex:end
  }
}

/** Computes it: `this` is the iterator that meta has built. */
export abstract class structured_heaviside_out extends structured_heaviside {
  impl(_self: Tensor, _values: Tensor, _out: Tensor): void {
    // ex:begin(11.way)
    heaviside_stub.call(this.device_type(), this);
    // ex:stub
    // ex:end
  }
}
