/**
 * @file The check of a hook's result. It has a file of its own because hooks are below index.ts in the import order.
 * @mirrors torch/csrc/autograd/custom_function.h#check_variable_result
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { RuntimeError } from "#c10/util/Exception";

/** Throws unless the hook changed only values. */
export function check_variable_result(original: Tensor, result: Tensor, hook_name: string): void {
  const a = original.impl_;
  const b = result.impl_;
  if (a.dtype() !== b.dtype() || a.layout() !== b.layout() || a.device_type() !== b.device_type()) {
    throw new RuntimeError(
      `hook '${hook_name}' has changed the type of value (was ${original.toString()} got ${result.toString()})`,
    );
  }
  const was = a.sizes();
  const is = b.sizes();
  if (was.length !== is.length || was.some((size, i) => size !== is[i])) {
    throw new RuntimeError(`hook '${hook_name}' has changed the size of value`);
  }
}
