/**
 * @file Sizes in Python: `torch.Size`.
 * @mirrors torch/csrc/Size.h
 * @differs A size is an array of numbers that also has `numel()`; PyTorch's `torch.Size` is a tuple of its own type.
 */

import type { TensorBase } from "#aten/core/TensorBase";
import { TypeError_ } from "#c10/util/Exception";
import { PySequence_Tuple } from "./utils/python_abstract.ts";
import { python_type } from "./utils/python_numbers.ts";

/**
 * The number of elements of a tensor with these sizes. Not enumerable, so that a size is equal to an array of the same numbers. The declared type of
 * a size stays `number[]`, because only that can be narrowed to a tuple: `x.shape as [number, number]`.
 */
const numel: PropertyDescriptor = {
  value: function numel(this: readonly number[]): number {
    let product = 1;
    for (const size of this) product *= size;
    return product;
  },
  writable: true,
  configurable: true,
};

/** A copy, since `sizes()` returns the tensor's own array. */
export function THPSize_New(tensor: TensorBase): number[] {
  return THPSize_NewFromSizes(tensor.sizes());
}

export function THPSize_NewFromSizes(sizes: readonly number[]): number[] {
  return Object.defineProperty(sizes.slice(), "numel", numel);
}

/** `torch.Size([2, 3])`, the text in messages and in `repr`. */
export function THPSize_repr(sizes: readonly number[]): string {
  return `torch.Size([${sizes.join(", ")}])`;
}

/** Whether the value is an array of integers: the test of `instanceof`, since a size has no class of its own here. */
function is_size(value: unknown): boolean {
  return Array.isArray(value) && value.every(Number.isInteger);
}

export function THPSize_init(module: Record<string, unknown>): void {
  const Size = function Size(sizes: Iterable<number> = []): number[] {
    const size = PySequence_Tuple(sizes);
    for (const [i, n] of size.entries())
      if (!Number.isInteger(n))
        throw new TypeError_(`torch.Size() takes an iterable of 'int' (item ${i} is '${python_type(n)}')`);
    return THPSize_NewFromSizes(size as number[]);
  };
  Object.defineProperty(Size, Symbol.hasInstance, { value: is_size });
  module["Size"] = Size;
}
