/**
 * @file What C++ makes of a number before a tensor: `1 - x` is a tensor of ones from which x is taken, in place.
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
