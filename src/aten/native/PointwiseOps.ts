/**
 * @file `addcmul` and `addcdiv`: a scaled product or quotient is added to a tensor, as optimizers need for moments and
 * steps.
 * @mirrors aten/src/ATen/native/PointwiseOps.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { TensorIteratorBase } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { isIntegralType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

type pointwise_fn = (iter: TensorIteratorBase, value: Scalar) => void;

export const addcmul_stub = DEFINE_DISPATCH<pointwise_fn>("addcmul_stub");
export const addcdiv_stub = DEFINE_DISPATCH<pointwise_fn>("addcdiv_stub");

export abstract class structured_addcmul extends TensorIteratorBase {
  meta(self: Tensor, tensor1: Tensor, tensor2: Tensor, _value: Scalar): void {
    this.build_ternary_op(this.maybe_get_output(0), self, tensor1, tensor2);
  }
}
export abstract class structured_addcmul_out extends structured_addcmul {
  impl(_self: Tensor, _tensor1: Tensor, _tensor2: Tensor, value: Scalar, _result: Tensor): void {
    addcmul_stub.call(this.device_type(), this, value);
  }
}

export abstract class structured_addcdiv extends TensorIteratorBase {
  meta(self: Tensor, tensor1: Tensor, tensor2: Tensor, _value: Scalar): void {
    TORCH_CHECK(
      !isIntegralType(tensor1.scalar_type(), true) || !isIntegralType(tensor2.scalar_type(), true),
      "Integer division with addcdiv is no longer supported, and in a future  ",
      "release addcdiv will perform a true division of tensor1 and tensor2. ",
      "The historic addcdiv behavior can be implemented as ",
      "(input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) ",
      "for integer inputs and as ",
      "(input + value * tensor1 / tensor2) for float inputs. ",
      "The future addcdiv behavior is just the latter implementation: ",
      "(input + value * tensor1 / tensor2), for all dtypes.",
    );
    this.build_ternary_op(this.maybe_get_output(0), self, tensor1, tensor2);
  }
}
export abstract class structured_addcdiv_out extends structured_addcdiv {
  impl(_self: Tensor, _tensor1: Tensor, _tensor2: Tensor, value: Scalar, _result: Tensor): void {
    addcdiv_stub.call(this.device_type(), this, value);
  }
}
