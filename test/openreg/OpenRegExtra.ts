/**
 * @file Some operators that compute: one by a stub, two structured, one that is none of both. All others fall back to the CPU.
 * @original PyTorch's openreg: csrc/aten/native/Extra.cpp, csrc/aten/OpenRegStructured.cpp
 */
import type { BoxedKernelFunction } from "#aten/core/boxing/BoxedKernel";
import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as native from "#aten/generated/NativeFunctions";
import { cpu_fallback, warn_of_cpu_fallback } from "#aten/native/CPUFallback";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { abs_stub } from "#aten/native/UnaryOps/index";
import { TensorIterator, type TensorIteratorBase } from "#aten/TensorIterator";
import { DeviceType } from "#c10/core/DeviceType";
import type { Scalar } from "#c10/core/Scalar";
import { launch, snapshot, to_host } from "./OpenRegMemory.ts";

export function abs_out(self: Tensor, out: Tensor): Tensor {
  return native.abs_out(self, out); // shapes, dtypes; then the stub
}

/** The iterator knows its tensors; the device's kernel builds one of its own over them. */
function abs_kernel(iter: TensorIteratorBase): void {
  const [out, self] = [iter.tensor(0), iter.tensor(1)];
  launch([out, self], (out, self) => abs_stub.call(DeviceType.CPU, TensorIterator.unary_op(out, self)));
}

REGISTER_PRIVATEUSE1_DISPATCH(abs_stub, abs_kernel, "abs_kernel");

export abstract class structured_add_out extends native.structured_add_Tensor {
  impl(_self: Tensor, _other: Tensor, alpha: Scalar, _out: Tensor): void {
    // Numbers and tensors of the CPU without dimensions may stand beside the device's.
    const [out, self, other] = [this.tensor(0), snapshot(this.tensor(1)), snapshot(this.tensor(2))];
    launch([out, self, other], (out, self, other) => void out.copy_(self.add_Tensor(other, alpha)));
  }
}

export abstract class structured_maximum_out extends native.structured_maximum {
  impl(_self: Tensor, _other: Tensor, _out: Tensor): void {
    const [out, self, other] = [this.tensor(0), snapshot(this.tensor(1)), snapshot(this.tensor(2))];
    launch([out, self, other], (out, self, other) => void out.copy_(self.maximum(other)));
  }
}

export function equal(self: Tensor, other: Tensor): boolean {
  return to_host(self).equal(to_host(other));
}

const fallback: BoxedKernelFunction = (op, _ks, stack) => {
  warn_of_cpu_fallback(op);
  cpu_fallback(op, stack);
};

TORCH_LIBRARY_IMPL("_", "PrivateUse1", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(fallback, "openreg_cpu_fallback"));
});
