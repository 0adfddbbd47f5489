/**
 * @file One value into every element.
 * @mirrors aten/src/ATen/native/cpu/FillKernel.cpp
 */
import type { captured, scalar_t } from "#aten/Dispatch";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { fill_stub } from "#aten/native/Fill";
import type { TensorIterator } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { isBarebonesUnsignedType } from "#c10/core/ScalarType";
import { fill_loops } from "./generated/FillKernel.ts";
import { cpu_kernel } from "./Loops.ts";

/** @loop fill_cpu: Bool, all types and halves */
export function fill(value: captured): scalar_t {
  return value;
}

/** The integers without sign that have no loops: few operators take them. */
function fill_barebones_unsigned(iter: TensorIterator, value: Scalar): void {
  const x = value.to(iter.dtype());
  iter.for_each(([out]: readonly OperandInfo[], n: number, m: number) => {
    const self = out.view();
    for (let j = 0; j < m; j++) {
      for (let i = 0; i < n; i++) self[out.at(i, j)] = x as never; // a bigint where the view's elements are
    }
  });
}

function fill_kernel(iter: TensorIterator, value: Scalar): void {
  if (isBarebonesUnsignedType(iter.dtype())) fill_barebones_unsigned(iter, value);
  else cpu_kernel(iter, fill_loops, value);
}

REGISTER_DISPATCH(fill_stub, fill_kernel, "fill_kernel");
