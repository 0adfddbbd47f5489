/**
 * @file The check of a hand-written node's inputs. It has a file of its own because AccumulateGrad is below the rest of
 * utils.ts in the import order.
 * @mirrors torch/csrc/autograd/functions/utils.h#check_input_variables
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import type { variable_list } from "#torch/csrc-equivalent/autograd/node";

/** Checks that there are `args` inputs, of which the first `required_args` (default: all) are defined. */
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
