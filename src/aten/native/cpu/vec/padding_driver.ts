/**
 * @file Paddings with vectors, where both tensors are in the heap.
 * @original In C++ a kernel calls its own functions.
 * @see PaddingKernel.ts (the kernel)
 */
import { address_of, in_heap, workspace } from "#aten/cpu/vec/heap";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import type { PaddingTables } from "#aten/native/Padding";
import { heap_memory } from "#c10/core/CPUHeap";
import { elementSize, ScalarType } from "#c10/core/ScalarType";
import { is_short_row } from "../VecLoops.ts";
import { functions_of } from "./driver.ts";
import { PaddingKernel_vec } from "./generated/PaddingKernel.ts";

/** Where a table goes up by ones. */
function middle_of(table: Int32Array): [before: number, middle: number] {
  const goes_up = (i: number): boolean => table[i + 1] === table[i] + 1;
  const before = table.findIndex((_, i) => goes_up(i));
  if (before < 0) return [table.length, 0];
  let last = before;
  while (goes_up(last)) last++;
  return [before, last + 1 - before];
}

/** False, and nothing was done, where JavaScript has to do it. */
export function pad_with_vectors(output: Tensor, input: Tensor, tables: PaddingTables, volumes: number): boolean {
  const size = elementSize(input.scalar_type());
  const dtype = size === 4 ? ScalarType.Float : size === 8 ? ScalarType.Double : null;
  if (dtype === null || get_cpu_capability() === CPUCapability.DEFAULT || is_short_row(output.numel())) return false;
  const [depths, heights, widths] = tables;
  const room = workspace(4 * (depths.length + heights.length + widths.length));
  if (room === 0 || !in_heap(output.impl_) || !in_heap(input.impl_)) return false;
  const [at_heights, at_widths] = [room + 4 * depths.length, room + 4 * (depths.length + heights.length)];
  const int32 = new Int32Array((heap_memory() as WebAssembly.Memory).buffer as ArrayBuffer);
  int32.set(depths, room / 4);
  int32.set(heights, at_heights / 4);
  int32.set(widths, at_widths / 4);
  // biome-ignore format: a table a line
  functions_of(PaddingKernel_vec, dtype).pad_gather(
    address_of(output.impl_), address_of(input.impl_), volumes, (input.numel() / volumes) * size,
    room, depths.length,
    at_heights, heights.length,
    at_widths, widths.length, ...middle_of(widths),
    input.size(-2), input.size(-1),
  );
  return true;
}
