/**
 * @file C++'s operators with a number on the left: `1 - x` makes a tensor of ones and subtracts x in place.
 * @mirrors aten/src/ATen/TensorOperators.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import type { Scalar } from "#c10/core/Scalar";
import { TensorOptions } from "#c10/core/TensorOptions";

/** `x - y`. */
export function minus(x: Scalar, y: Tensor): Tensor {
  return at.empty_like(y, TensorOptions.EMPTY, MemoryFormat.Preserve).fill__Scalar(x).sub__Tensor(y);
}
