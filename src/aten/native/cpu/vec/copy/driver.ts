/**
 * @file Drivers that copy tiles of elements which are not contiguous: from tensor to tensor, or into contiguous memory
 * for a SIMD loop and back.
 * @original In C++ a loop can read elements at any stride.
 * @see kernel.ts (the kernel)
 */
import { in_heap } from "#aten/cpu/vec/heap";
import { default_loop } from "#aten/native/cpu/default_loop";
import { functions_of, lanes_for, vector_loop } from "#aten/native/cpu/vec/driver";
import { CopyKernel_vec } from "#aten/native/cpu/vec/generated/copy/kernel";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { elementSize, ScalarType } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { traceCall, tracer } from "#c10/util/Trace";

/** An address, the stride between elements and the stride between rows, all in bytes. */
export type Tile = readonly [begin: number, inner: number, outer: number];

function module_for(size: number): ScalarType {
  return lanes_for(size) ?? ScalarType.Float;
}

/** Copies `m` rows of `n` elements of `size` bytes. Precondition: there is a heap. */
export function copy_tile(to: Tile, from: Tile, n: number, m: number, size: number): void {
  const { copy_tile: run } = functions_of(CopyKernel_vec, module_for(size));
  // Lines follow the dim with the smaller stride.
  if (m === 1 || Math.abs(from[1]) <= Math.abs(from[2])) run(...to, ...from, n, m, size);
  else run(to[0], to[2], to[1], from[0], from[2], from[1], m, n, size);
}

/**
 * Some elements of a tensor: the position of the first, the stride between elements and the stride between rows, in
 * elements.
 */
export interface Part {
  readonly tensor: TensorImpl;
  readonly first: number;
  readonly inner: number;
  readonly outer: number;
}

/** The JavaScript version of a copy: `symbol` in `cpu/FILE.ts`. */
export interface PlainCopy {
  readonly symbol: string;
  readonly file: string;
  readonly run: (to: Part, from: Part, n: number, m: number) => void;
}

/** Copies `m` rows of `n` elements between tensors of one dtype. */
export function copy_part(to: Part, from: Part, n: number, m: number, plain: PlainCopy): void {
  const vectors = get_cpu_capability() !== CPUCapability.DEFAULT;
  const run = vectors && in_heap(to.tensor) && in_heap(from.tensor) ? copy_in_heap : plain.run;
  if (tracer === null) run(to, from, n, m);
  else callSlow(run, [to, from, n, m], plain, vectors ? "not in the heap" : null);
}

function callSlow(
  run: PlainCopy["run"],
  args: [to: Part, from: Part, n: number, m: number],
  { symbol, file }: PlainCopy,
  why: string | null,
): void {
  const [{ tensor }, , n, m] = args;
  const dtype = tensor.dtype();
  const told =
    run === copy_in_heap
      ? vector_loop("copy_tile", "copy/kernel", CopyKernel_vec, dtype, [n, m], "heap", module_for(elementSize(dtype)))
      : default_loop(symbol, file, dtype, [n, m], why);
  traceCall("loop", told["scalar"] as string, run, args, told);
}

function copy_in_heap(to: Part, from: Part, n: number, m: number): void {
  const size = elementSize(to.tensor.dtype());
  const tile_of = ({ tensor, first, inner, outer }: Part): Tile => [
    (tensor.data_offset() + first) * size,
    inner * size,
    outer * size,
  ];
  copy_tile(tile_of(to), tile_of(from), n, m, size);
}
