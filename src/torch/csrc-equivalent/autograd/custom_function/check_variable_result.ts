/**
 * @file The check of what a hook returns, alone in a file because hooks stand below index.ts.
 * @mirrors torch/csrc/autograd/custom_function.h#check_variable_result
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { RuntimeError } from "#c10/util/Exception";

/** A hook may change values only. */
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
