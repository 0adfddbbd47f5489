/**
 * @file Drivers of loops over indices in WebAssembly, called by ../../IndexKernel/index.ts and
 * ../../ScatterGatherKernel.ts.
 * @original PyTorch's kernels are C++ and need no driver.
 * @see kernel.ts (the kernels)
 */
import { in_heap } from "#aten/cpu/vec/heap";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { default_loop } from "#aten/native/cpu/default_loop";
import { is_short_row } from "#aten/native/cpu/Loops/VecLoops";
import { functions_of, lanes_for, vector_loop } from "#aten/native/cpu/vec/driver";
import { IndexKernel_vec } from "#aten/native/cpu/vec/generated/index/kernel";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { elementSize, ScalarType } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { nothing, type TraceData, traceCall, tracer } from "#c10/util/Trace";

/** Parameters as in kernel.ts, but places and strides are in elements. */
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

/** Dtype of the module that moves runs of `bytes` bytes. Runs of more than one element are copied as bytes. */
function module_for(bytes: number, length: number): ScalarType | null {
  return length > 1 ? ScalarType.Float : lanes_for(bytes);
}

function is_summed(dtype: ScalarType): boolean {
  return dtype === ScalarType.Float || dtype === ScalarType.Double;
}

/**
 * Runs of elements that are copied from tensor to tensor, or added to the target. Indices give the source or the target
 * position.
 */
export interface Moves {
  readonly kind: "move" | "add";
  /** The two tensors, then the index tensor. */
  readonly operands: readonly TensorImpl[];
  /** Number of runs, and number of elements in a run. */
  readonly runs: readonly [n: number, length: number];
  /** Valid indices are `least` <= index < `size`. */
  readonly least: number;
  readonly size: number;
  /** A reason against WebAssembly that only the caller knows, if any. */
  readonly against?: string | null;
}

/** Dtype of the module, or null if there is none. Only floats can be added. */
function module_of({ kind, operands, runs }: Moves): ScalarType | null {
  const dtype = operands[0].dtype();
  if (operands[1].dtype() !== dtype) return null;
  return kind === "move" ? module_for(elementSize(dtype), runs[1]) : is_summed(dtype) ? dtype : null;
}

/** Reason why WebAssembly cannot be used, or null. */
function why_not(moves: Moves): string | null {
  const { operands, runs, size, against } = moves;
  if (against) return against;
  if (operands.length > 3) return "several index tensors";
  if (is_short_row(runs[0] * runs[1])) return "too few elements";
  if (size >= 2 ** 31) return "a dim of 2 ** 31 or more";
  if (module_of(moves) === null) return "no SIMD kernel for this dtype";
  return operands.every(in_heap) ? null : "not in the heap";
}

/** The WebAssembly loop, or null if JavaScript must run instead. */
export function move_of(moves: Moves): Move | null {
  if (get_cpu_capability() === CPUCapability.DEFAULT || why_not(moves) !== null) return null;
  const { kind, operands, runs, least, size } = moves;
  const bytes = elementSize(operands[0].dtype());
  const run = functions_of(IndexKernel_vec, module_of(moves) as ScalarType)[kind];
  // biome-ignore format: one operand group per line
  return (to, to_step, to_each, from, from_step, from_each, index, index_step, count) =>
    run(
      to * bytes, to_step * bytes, to_each * bytes,
      from * bytes, from_step * bytes, from_each * bytes,
      index * 8, index_step * 8,
      count, runs[1] * bytes, least, size,
    );
}

/** Trace event of these moves. `twin` is the name of the JavaScript loop in `cpu/FILE.ts`. */
export function told_of_moves(moves: Moves, twin: string, file: string): TraceData {
  const dtype = moves.operands[0].dtype();
  const shape = moves.operands[2].sizes();
  if (get_cpu_capability() === CPUCapability.DEFAULT) return default_loop(twin, file, dtype, shape, null);
  const why = why_not(moves);
  if (why !== null) return default_loop(twin, file, dtype, shape, why);
  const module = module_of(moves) as ScalarType;
  return vector_loop(moves.kind, "index/kernel", IndexKernel_vec, dtype, shape, "heap", module);
}

/** Number of indices, out of `n`, before the first one outside `least` <= index < `size`. */
export type Inside = (index: TensorImpl, step: number, n: number, least: number, size: number) => number;

const inside_with_vectors: Inside = (index, step, n, least, size) =>
  functions_of(IndexKernel_vec, ScalarType.Float).inside(index.data_offset() * 8, step * 8, n, least, size);

function why_not_inside(index: TensorImpl, n: number, size: number): string | null {
  if (is_short_row(n)) return "too few elements";
  if (size >= 2 ** 31) return "a dim of 2 ** 31 or more";
  return in_heap(index) ? null : "not in the heap";
}

/**
 * Checks a vector of int64 indices, in WebAssembly or with `plain` (`inside` of ../../IndexKernel/index.ts) as the
 * fallback.
 */
export function inside_loop(index: Tensor, least: number, size: number, plain: Inside): number {
  const step = index.dim() === 0 ? 1 : index.strides()[0];
  const args: Parameters<Inside> = [index.impl_, step, index.numel(), least, size];
  const vectors = get_cpu_capability() !== CPUCapability.DEFAULT;
  const why = vectors ? why_not_inside(index.impl_, index.numel(), size) : null;
  const run = vectors && why === null ? inside_with_vectors : plain;
  return tracer === null ? run(...args) : callSlow(run, args, why);
}

function callSlow(run: Inside, args: Parameters<Inside>, why: string | null): number {
  const [dtype, shape] = [ScalarType.Long, [args[2]]];
  const told =
    run === inside_with_vectors
      ? vector_loop("inside", "index/kernel", IndexKernel_vec, dtype, shape, "heap", ScalarType.Float)
      : default_loop("inside", "IndexKernel/index", dtype, shape, why);
  return traceCall("loop", told["scalar"] as string, run, args, told, nothing);
}
