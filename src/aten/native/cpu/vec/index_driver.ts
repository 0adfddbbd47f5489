/**
 * @file The loops of indices in WebAssembly, as drivers of ../IndexKernel.ts and ../ScatterGatherKernel.ts call them.
 * @original In C++ a kernel calls its own functions.
 * @see IndexKernel.ts (the kernels)
 */
import { in_heap } from "#aten/cpu/vec/heap";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { elementSize, ScalarType } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl";
import { is_short_row } from "../VecLoops.ts";
import { functions_of } from "./driver.ts";
import { IndexKernel_vec } from "./generated/IndexKernel.ts";

/** See IndexKernel.ts, but places and distances are in elements. */
export type Move = (
  to: number,
  to_step: number,
  to_each: number,
  from: number,
  from_step: number,
  from_each: number,
  index: number,
  index_step: number,
  n: number,
) => number;

/**
 * How many of the `n` indices of an int64 vector come before the first that is not from `least` to before `size`; null where JavaScript has
 * to count.
 */
export function count_inside(index: TensorImpl, step: number, n: number, least: number, size: number): number | null {
  if (get_cpu_capability() === CPUCapability.DEFAULT || is_short_row(n) || size >= 2 ** 31 || !in_heap(index))
    return null;
  return functions_of(IndexKernel_vec, ScalarType.Float).inside(index.data_offset() * 8, step * 8, n, least, size);
}

/** The module that moves runs of so many bytes; one element is moved as it is. */
function module_for(bytes: number, length: number): ScalarType | null {
  if (length > 1 || bytes === 4) return ScalarType.Float;
  return bytes === 8 ? ScalarType.Double : null;
}

function is_summed(dtype: ScalarType): boolean {
  return dtype === ScalarType.Float || dtype === ScalarType.Double;
}

/**
 * For `n` runs of `length` elements of `operands`, the last of which are the indices, from `least` to before `size`; null where JavaScript
 * has to do it. Sums are of floats only.
 */
export function move_of(
  kind: "move" | "add",
  operands: readonly TensorImpl[],
  [n, length]: readonly [number, number],
  least: number,
  size: number,
): Move | null {
  const dtype = operands[0].dtype();
  const bytes = elementSize(dtype);
  if (get_cpu_capability() === CPUCapability.DEFAULT || is_short_row(n * length) || size >= 2 ** 31) return null;
  if (operands[1].dtype() !== dtype || !operands.every(in_heap)) return null;
  const as = kind === "move" ? module_for(bytes, length) : is_summed(dtype) ? dtype : null;
  if (as === null) return null;
  const run = functions_of(IndexKernel_vec, as)[kind];
  // biome-ignore format: an operand a line
  return (to, to_step, to_each, from, from_step, from_each, index, index_step, count) =>
    run(
      to * bytes, to_step * bytes, to_each * bytes,
      from * bytes, from_step * bytes, from_each * bytes,
      index * 8, index_step * 8,
      count, length * bytes, least, size,
    );
}
