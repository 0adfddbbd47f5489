/**
 * @file `torch.nn.functional.pad`.
 * @mirrors torch/nn/functional.py#pad
 */
import { _C } from "#torch/_C";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { handle_torch_function, has_torch_function_unary } from "#torch/overrides";
import type { _float } from "#torch/types";

/**
 * `input` with a border added around it.   `(*) -> (*)`
 * @param pad the widths of the border, two for each dim (before, after), the last dim first; a negative width removes elements.
 * @param mode `"constant"` (filled with `value`, 0 by default), `"reflect"`, `"replicate"` (repeats the edge) or `"circular"`.
 */
export const pad = def(
  "pad(input, pad, mode='constant', value=None)",
  (input: Tensor, padding: readonly number[], mode: string, value: _float | null): Tensor => {
    if (has_torch_function_unary(input))
      return handle_torch_function(pad, [input], input, padding, { mode, value }) as Tensor;
    return _C._nn.pad(input, padding as number[], mode, value);
  },
  "torch.nn.functional.pad",
);
