/**
 * @file The functions of `torch` that are written in Python.
 * @mirrors torch/functional.py
 */

import { RuntimeError } from "#c10/util/Exception";
import { _C, having } from "./_C.ts";
import { def } from "./_signature.ts";
import type { Tensor } from "./_tensor.ts";
import { handle_torch_function, has_torch_function, has_torch_function_unary } from "./overrides.ts";
import type { _int } from "./types.ts";

/** `tensor.split`, as a function: parts of a size each, or of the sizes listed. */
export const split = def(
  "split(tensor, split_size_or_sections, dim=0)",
  (tensor: Tensor, split_size_or_sections: _int | readonly _int[], dim: _int): Tensor[] => {
    if (has_torch_function_unary(tensor))
      return handle_torch_function(split, [tensor], tensor, split_size_or_sections, { dim }) as Tensor[];
    return having(tensor, "split").split(split_size_or_sections, dim);
  },
);

/** The shape that tensors of these shapes broadcast to. */
export const broadcast_shapes = def("broadcast_shapes(*shapes)", (shapes: (number | readonly number[])[]): number[] => {
  const result: number[] = [];
  for (const shape of shapes) {
    const sizes = typeof shape === "number" ? [shape] : shape;
    for (let i = 1; i <= sizes.length; i++) {
      const size = sizes[sizes.length - i];
      if (size < 0) throw new RuntimeError(`Trying to create tensor with negative dimension (${size}): (${size})`);
      const known = result[i - 1] ?? 1;
      if (size !== 1 && known !== 1 && size !== known) {
        throw new RuntimeError("Shape mismatch: objects cannot be broadcast to a single shape");
      }
      result[i - 1] = size === 1 ? known : size;
    }
  }
  return result.reverse();
});

/** Views of the tensors, all of one shape. */
export const broadcast_tensors = def("broadcast_tensors(*tensors)", (tensors: Tensor[]): Tensor[] => {
  if (has_torch_function(tensors)) return handle_torch_function(broadcast_tensors, tensors, ...tensors) as Tensor[];
  return _C._VariableFunctions.broadcast_tensors(tensors);
});
