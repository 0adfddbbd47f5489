/**
 * @file Sizes as Python sees them.
 * @mirrors torch/csrc/Size.h
 * @differs A size is a plain array of numbers; PyTorch's `torch.Size` is a tuple of its own type.
 */

import type { TensorBase } from "#aten/core/TensorBase";
import { PySequence_Tuple } from "./utils/python_abstract.ts";

/** A copy, since `sizes()` lends the tensor's own array. */
export function THPSize_New(tensor: TensorBase): number[] {
  return tensor.sizes().slice();
}

export function THPSize_NewFromSizes(sizes: readonly number[]): number[] {
  return sizes.slice();
}

/** `torch.Size([2, 3])`, as messages and `repr` print it. */
export function THPSize_repr(sizes: readonly number[]): string {
  return `torch.Size([${sizes.join(", ")}])`;
}

export function THPSize_init(module: Record<string, unknown>): void {
  module["Size"] = (sizes: Iterable<number> = []): number[] => PySequence_Tuple(sizes);
}
