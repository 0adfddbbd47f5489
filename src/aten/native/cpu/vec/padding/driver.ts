/**
 * @file Driver of padding with SIMD, for tensors in the heap.
 * @original PyTorch's kernels are C++ and need no driver.
 * @see kernel.ts (the kernel)
 */
import { address_of, in_heap, workspace } from "#aten/cpu/vec/heap";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { default_loop } from "#aten/native/cpu/default_loop";
import { is_short_row } from "#aten/native/cpu/Loops/VecLoops";
import { functions_of, lanes_for, vector_loop } from "#aten/native/cpu/vec/driver";
import { PaddingKernel_vec } from "#aten/native/cpu/vec/generated/padding/kernel";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import type { PaddingTables } from "#aten/native/Padding";
import { heap_memory } from "#c10/core/CPUHeap";
import { elementSize, type ScalarType } from "#c10/core/ScalarType";
import { traceCall, tracer } from "#c10/util/Trace";

/** Part of a table in which each entry is the previous one plus 1. */
function middle_of(table: Int32Array): [before: number, middle: number] {
  const goes_up = (i: number): boolean => table[i + 1] === table[i] + 1;
  const before = table.findIndex((_, i) => goes_up(i));
  if (before < 0) return [table.length, 0];
  let last = before;
  while (goes_up(last)) last++;
  return [before, last + 1 - before];
}

/** Pads `volumes` volumes by means of tables. */
export type Pad = (output: Tensor, input: Tensor, tables: PaddingTables, volumes: number) => void;

function module_for(input: Tensor): ScalarType | null {
  return lanes_for(elementSize(input.scalar_type()));
}

function room_for([depths, heights, widths]: PaddingTables): number {
  return workspace(4 * (depths.length + heights.length + widths.length));
}

function why_not(output: Tensor, input: Tensor, tables: PaddingTables): string | null {
  if (module_for(input) === null) return "no SIMD kernel for this dtype";
  if (is_short_row(output.numel())) return "too few elements";
  return room_for(tables) === 0 || !in_heap(output.impl_) || !in_heap(input.impl_) ? "not in the heap" : null;
}

const pad_with_vectors: Pad = (output, input, tables, volumes) => {
  const dtype = module_for(input) as ScalarType;
  const [depths, heights, widths] = tables;
  const room = room_for(tables);
  const [at_heights, at_widths] = [room + 4 * depths.length, room + 4 * (depths.length + heights.length)];
  const int32 = new Int32Array((heap_memory() as WebAssembly.Memory).buffer as ArrayBuffer);
  int32.set(depths, room / 4);
  int32.set(heights, at_heights / 4);
  int32.set(widths, at_widths / 4);
  // biome-ignore format: one table per line
  functions_of(PaddingKernel_vec, dtype).pad_gather(
    address_of(output.impl_), address_of(input.impl_), volumes, (input.numel() / volumes) * input.itemsize(),
    room, depths.length,
    at_heights, heights.length,
    at_widths, widths.length, ...middle_of(widths),
    input.size(-2), input.size(-1),
  );
};

/** Runs the SIMD kernel, or `plain` (`pad_gather` of ../PaddingKernel.ts) as the fallback. */
export function pad_gather_loop(
  output: Tensor,
  input: Tensor,
  tables: PaddingTables,
  volumes: number,
  plain: Pad,
): void {
  const why = get_cpu_capability() === CPUCapability.DEFAULT ? "DEFAULT" : why_not(output, input, tables);
  const run = why === null ? pad_with_vectors : plain;
  if (tracer === null) run(output, input, tables, volumes);
  else callSlow(run, [output, input, tables, volumes], why === "DEFAULT" ? null : why);
}

function callSlow(run: Pad, args: Parameters<Pad>, why: string | null): void {
  const [output, input] = args;
  const [dtype, shape] = [input.scalar_type(), output.sizes()];
  const told =
    run === pad_with_vectors
      ? vector_loop(
          "pad_gather",
          "padding/kernel",
          PaddingKernel_vec,
          dtype,
          shape,
          "heap",
          module_for(input) as ScalarType,
        )
      : default_loop("pad_gather", "PaddingKernel", dtype, shape, why);
  traceCall("loop", told["scalar"] as string, run, args, told);
}
