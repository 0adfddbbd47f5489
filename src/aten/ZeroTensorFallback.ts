/**
 * @file The ZeroTensor key: a tensor of zeros without memory. An operator that does not handle the key gets real zeros.
 * @mirrors aten/src/ATen/ZeroTensorFallback.cpp
 * @see native/BinaryOps/ZeroTensor.ts, for those that do
 */
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { OperatorHandle } from "./core/dispatch/Dispatcher.ts";
import { IValue } from "./core/ivalue.ts";
import { CppFunction, fallthroughs, TORCH_LIBRARY_IMPL } from "./core/library.ts";
import type { Stack } from "./core/stack.ts";
import type { Tensor } from "./generated/core/TensorBody.ts";
import * as at from "./generated/Functions.ts";
import { TENSOR_UTILITIES_AND_CONSTRUCTORS, TORCH_VIEW_FNS } from "./native/MathBitFallThroughLists.ts";

function isZeroTensor(tensor: Tensor): boolean {
  return tensor.key_set().has(DispatchKey.ZeroTensor);
}

/** One stored zero, expanded to the tensor's shape. */
function materialize(tensor: Tensor): Tensor {
  return at.zeros([], tensor.options()).expand(tensor.sizes());
}

function zeroTensorFallback(op: OperatorHandle, dispatch_keys: DispatchKeySet, stack: Stack): void {
  const args = op.schema().arguments();
  const start = stack.length - args.length;
  const below = dispatch_keys.and(DispatchKeySet.FULL_AFTER(DispatchKey.ZeroTensor));
  const isView = args.some((arg) => arg.alias_info() !== null && !arg.is_write());
  for (let i = 0; i < args.length && !isView; i++) {
    const value = stack[start + i];
    const mutable = args[i]?.is_write() === true;
    if (value.isTensor() && isZeroTensor(value.toTensor())) {
      refuseMutation(mutable);
      stack[start + i] = IValue.fromTensor(materialize(value.toTensor()));
    } else if (value.isTensorList()) {
      const list = value.toList();
      for (let j = 0; j < list.size(); j++) {
        if (!isZeroTensor(list.get(j).toTensor())) continue;
        refuseMutation(mutable);
        list.set(j, IValue.fromTensor(materialize(list.get(j).toTensor())));
      }
    }
  }
  op.redispatchBoxed(below, stack);
}

function refuseMutation(mutable: boolean): void {
  TORCH_CHECK(
    !mutable,
    "ZeroTensors are immutable. Please use the materialized zero tensor ",
    "obtained using .clone() if you want a mutable tensor.",
  );
}

TORCH_LIBRARY_IMPL("_", "ZeroTensor", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(zeroTensorFallback, "zeroTensorFallback"));
});

/** Operators that handle such tensors themselves, or are composed of operators that do. */
const ownHandling = ["zeros_like", "add.Scalar", "mul.Scalar", "copy_", "clone", "dot", "vdot"];

TORCH_LIBRARY_IMPL("aten", "ZeroTensor", fallthroughs(ownHandling, TORCH_VIEW_FNS, TENSOR_UTILITIES_AND_CONSTRUCTORS));
