/**
 * @file A scalar function's loop over rows of which the caller knows where they lie, without an iterator: with vectors where Loops.ts would
 * run it with them, too.
 * @original In PyTorch such a loop calls at::vec::map on pointers.
 */
import { in_heap } from "#aten/cpu/vec/heap";
import type { VecFunction } from "#aten/cpu/vec/VecLoops";
import type { Loops } from "#aten/Dispatch";
import type { Matrix } from "#aten/native/CPUBlas";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { elementSize, type ScalarType } from "#c10/core/ScalarType";
import { function_of, is_short_row, room_of_pads } from "./VecLoops.ts";

/**
 * `m` rows of `n` elements; `operands` are the outputs, then the inputs, all of one dtype. An input may be an output, too; a column
 * stride of 0 is one value for the row.
 */
export function for_rows(loops: Loops, dtype: ScalarType, m: number, n: number, operands: readonly Matrix[]): void {
  const args: unknown[] = [n, m];
  const vec = vectors(loops, dtype, n, operands);
  if (vec === null) {
    for (const { data, offset, columnStride, rowStride } of operands) args.push(data, offset, columnStride, rowStride);
    loops.get(dtype)(...args);
    return;
  }
  const size = elementSize(dtype);
  args.push(room_of_pads());
  for (const [k, { offset, columnStride, rowStride }] of operands.entries()) {
    args.push(offset * size);
    if (k >= loops.outputs) args.push(columnStride * size);
    args.push(rowStride * size);
  }
  vec(...args);
}

function vectors(loops: Loops, dtype: ScalarType, n: number, operands: readonly Matrix[]): VecFunction | null {
  if (get_cpu_capability() === CPUCapability.DEFAULT || is_short_row(n)) return null;
  const within_reach = ({ tensor, columnStride }: Matrix, k: number): boolean =>
    in_heap(tensor) && (columnStride === 1 || (columnStride === 0 && k >= loops.outputs));
  const loop = loops.vec.find(dtype);
  return loop === undefined || loop.kernel === null || !operands.every(within_reach) ? null : function_of(loop);
}
