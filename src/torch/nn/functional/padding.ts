/**
 * @file `torch.nn.functional.pad`.
 * @mirrors torch/nn/functional.py#pad
 */
import { _C } from "#torch/_C";
import { def_overridable } from "#torch/_overridable";
import type { Tensor } from "#torch/_tensor/index";
import type { _float } from "#torch/types";

/**
 * `input` with a border.   `(*) -> (*)`
 * @param pad numbers of elements, two a dim (before, after), the last dim first; negative ones cut away.
 * @param mode `"constant"` (`value`, 0 without), `"reflect"`, `"replicate"` (of the edge) or `"circular"`.
 */
export const pad = def_overridable(
  "pad(input: Tensor, pad, mode='constant', value=None)",
  (input: Tensor, padding: readonly number[], mode: string, value: _float | null): Tensor =>
    _C._nn.pad(input, padding as number[], mode, value),
  "torch.nn.functional.pad",
);
