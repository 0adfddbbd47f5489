/**
 * @file The functions of `torch` that are written in Python.
 * @mirrors torch/functional.py
 */

import { RuntimeError, TypeError_, ValueError } from "#c10/util/Exception";
import {
  _C,
  having,
  PyObject_RichCompareBool,
  py_format,
  py_str,
  python_type,
  repr,
  THPUtils_checkLong,
} from "./_C.ts";
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

/** The shape that tensors of these shapes broadcast to; None for no shape at all is passed over. */
export const broadcast_shapes = def("broadcast_shapes(*shapes)", (shapes: (number | readonly number[])[]): number[] => {
  const given = shapes.filter((shape) => shape !== null).map(sizes_of);
  const common: number[] = new Array(Math.max(0, ...given.map((shape) => shape.length))).fill(1);
  given.forEach((shape, arg_idx) => {
    for (let idx = -1; idx >= -shape.length; idx--) {
      const size = shape.at(idx) as number;
      const at = common.length + idx;
      if (equals(common[at], size)) continue;
      if (equals(common[at], 1)) {
        if (PyObject_RichCompareBool(size, "<", 0, "int"))
          throw new ValueError("Attempting to broadcast a dimension with negative length!");
        common[at] = size;
      }
      if (equals(size, 1) || equals(common[at], size)) continue;
      throw new RuntimeError(
        `Attempting to broadcast a dimension of length ${py_str(size)} at ${idx}! Mismatching argument at index ${arg_idx} had ${mismatching(shapes[arg_idx])}; but expected shape should be broadcastable to ${repr(common)}`,
      );
    }
  });
  common.forEach((size, i) => {
    if (typeof size === "boolean") common[i] = Number(size);
    else if (!THPUtils_checkLong(size))
      throw new TypeError_(`torch.Size() takes an iterable of 'int' (item ${i} is '${python_type(size)}')`);
  });
  return common;
});

function sizes_of(shape: unknown): readonly number[] {
  if (is_int(shape)) return [shape];
  if (Array.isArray(shape)) return shape;
  if (typeof shape === "string") return [...shape] as unknown as number[]; // letters, which are refused one by one
  throw new RuntimeError(
    `Input shapes should be of type ints, a tuple of ints, or a list of ints, got ${py_format(shape)}`,
  );
}

/** A bool is an int. */
function is_int(value: unknown): value is number {
  return THPUtils_checkLong(value) || typeof value === "boolean";
}

/** `==`, for which True is 1. */
function equals(a: unknown, b: unknown): boolean {
  return a === b || (is_int(a) && is_int(b) && Number(a) === Number(b));
}

/** An int stands for a tuple of one. */
function mismatching(shape: unknown): string {
  return is_int(shape) ? `(${repr(shape)},)` : py_str(shape);
}

/** Views of the tensors, all of one shape. */
export const broadcast_tensors = def("broadcast_tensors(*tensors)", (tensors: Tensor[]): Tensor[] => {
  if (has_torch_function(tensors)) return handle_torch_function(broadcast_tensors, tensors, ...tensors) as Tensor[];
  return _C._VariableFunctions.broadcast_tensors(tensors);
});
