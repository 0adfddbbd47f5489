/**
 * @file The check of a hand-written node's inputs, alone in a file because AccumulateGrad stands below the rest of utils.ts.
 * @mirrors torch/csrc/autograd/functions/utils.h#check_input_variables
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import type { variable_list } from "#torch/csrc-equivalent/autograd/node";

/** `args` inputs in all, the first `required_args` (default: all) defined. */
export function check_input_variables(
  name: string,
  inputs: variable_list,
  args: number,
  required_args = -1,
  allow_undefined = false,
): void {
  if (required_args === -1) required_args = args;
  TORCH_CHECK(inputs.length === args, `${name}: expected ${args} arguments (got ${inputs.length})`);
  for (let i = 0; i < required_args; i++) {
    TORCH_CHECK(
      allow_undefined || inputs[i]?.defined() === true,
      `${name}: expected Tensor at argument ${i} (got None)`,
    );
  }
}
