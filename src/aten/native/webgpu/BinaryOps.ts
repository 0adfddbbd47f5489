/**
 * @file Structured kernels of binary operators whose CPU kernels are generated.
 * @mirrors torchgen/dest/ufunc.py
 * @differs Ours are written by hand; PyTorch generates them for CUDA, too.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { add_stub, structured_add_Tensor } from "#aten/native/BinaryOps/index";
import type { Scalar } from "#c10/core/Scalar";

export abstract class structured_add_out extends structured_add_Tensor {
  impl(_self: Tensor, _other: Tensor, alpha: Scalar, _out: Tensor): void {
    add_stub.call(this.device_type(), this, alpha);
  }
}
