/**
 * @file Sizes in Python: `torch.Size`.
 * @mirrors torch/csrc/Size.h
 */

import type { TensorBase } from "#aten/core/TensorBase";
import { TypeError_ } from "#c10/util/Exception";
import { PyTuple } from "#python/Objects/tupleobject";
import { PySequence_Tuple } from "./utils/python_abstract.ts";
import { isPythonInt, python_type, THPUtils_checkIndex, THPUtils_unpackLong } from "./utils/python_numbers.ts";

/**
 * A tuple of ints. The declared type of a size stays `number[]`, because only that can be narrowed to a tuple of TypeScript:
 * `x.shape as [number, number]`.
 */
export class THPSize extends PyTuple<number> {
  static readonly __name__: string = "Size";

  __repr__(): string {
    return THPSize_repr(this);
  }

  /** The number of elements of a tensor with these sizes. */
  numel(): number {
    let product = 1;
    for (let i = 0; i < this.length; i++) product *= this[i];
    return product;
  }
}

/** A copy, since `sizes()` returns the tensor's own array. */
export function THPSize_New(tensor: TensorBase): THPSize {
  return THPSize_NewFromSizes(tensor.sizes());
}

export function THPSize_NewFromSizes(sizes: readonly number[]): THPSize {
  // Each `x.shape` makes one, and an engine is slow to construct an array of a class below a class below `Array`.
  return Object.setPrototypeOf(sizes.slice(), THPSize.prototype) as THPSize;
}

/** `torch.Size([2, 3])`, the text in messages and in `repr`. */
export function THPSize_repr(sizes: readonly number[]): string {
  return `torch.Size([${sizes.join(", ")}])`;
}

export function THPSize_init(module: Record<string, unknown>): void {
  // A function, because Python calls its classes without `new`.
  const Size = function Size(sizes: Iterable<number> = []): THPSize {
    const size = PySequence_Tuple(sizes).map((n: unknown, i) => {
      if (typeof n === "number" && isPythonInt(n)) return n;
      if (typeof n !== "boolean" && !THPUtils_checkIndex(n))
        throw new TypeError_(`torch.Size() takes an iterable of 'int' (item ${i} is '${python_type(n)}')`);
      return THPUtils_unpackLong(n);
    });
    return THPSize_NewFromSizes(size as number[]);
  };
  Size.prototype = THPSize.prototype;
  module["Size"] = Size;
}
