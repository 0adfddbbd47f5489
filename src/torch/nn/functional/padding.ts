/**
 * @file `torch.nn.functional.pad`.
 * @mirrors torch/nn/functional.py#pad
 */
import { _C } from "#torch/_C";
import { def_overridable } from "#torch/_overridable";
import type { Tensor } from "#torch/_tensor/index";
import type { _float } from "#torch/types";

/**
 * `input` with a border added around it.   `(*) -> (*)`
 * @param pad the widths of the border, two for each dim (before, after), the last dim first; a negative width removes elements.
 * @param mode `"constant"` (filled with `value`, 0 by default), `"reflect"`, `"replicate"` (repeats the edge) or `"circular"`.
 */
export const pad = def_overridable(
  "pad(input: Tensor, pad, mode='constant', value=None)",
  (input: Tensor, padding: readonly number[], mode: string, value: _float | null): Tensor =>
    _C._nn.pad(input, padding as number[], mode, value),
  "torch.nn.functional.pad",
);
