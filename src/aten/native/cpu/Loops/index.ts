/**
 * @file Drivers of scalar functions: given a built iterator and the loops of a scalar function, they choose the loop
 * for the dtype and run it over the whole iteration, two dimensions at a time.
 * @mirrors aten/src/ATen/native/cpu/Loops.h
 * @differs Ours runs loops that codegen made (Note [Kernel text]); in C++ a driver receives a lambda, and the compiler
 * makes the loop.
 */
import type { VecFunction, VecLoop } from "#aten/cpu/vec/VecLoops";
import type { LoopFunction, Loops } from "#aten/Dispatch";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import type { TensorIteratorState } from "#aten/iterator/TensorIteratorState";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { toOpMathType } from "#aten/OpMathType";
import { told_of_threads } from "#aten/ParallelNative";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { type TraceData, traceCall, tracer } from "#c10/util/Trace";
import {
  capability_of,
  function_of,
  is_short,
  PAD_PARAMETER,
  type Reach,
  reach_of,
  staged_loop2d,
  vec_loop2d,
  why_not,
} from "./VecLoops.ts";

// Note [Which loop runs]
// ~~~~~~~~~~~~~~~~~~~~~~
// Every scalar function has a JavaScript loop, and nearly every one has a SIMD loop generated from the same text. The
// SIMD loop runs if
//
//   the machine has SIMD                              get_cpu_capability(); ATEN_CPU_CAPABILITY=default turns it off
//   the function can be compiled for the dtype        otherwise the generated X.SIMD128.ts says why not
//   a row has 16 elements                             for fewer, the call costs more than it saves; many short rows are
//                                                     joined into one
//   there is a heap                                   operands outside the heap are staged there, so results do not depend
//                                                     on where memory is
//   the layout fits                                   the output is contiguous, each input is contiguous or one value; any
//                                                     other operand is staged if there are a thousand elements
//
// A trace event of a loop tells which loop ran, and, if a SIMD loop did not run, why.

/** Runs `loops` over `iter`. Captures that the scalar function takes as scalar_t or opmath_t must be Scalars. */
export function cpu_kernel(
  iter: TensorIteratorBase,
  loops: Loops,
  c0?: unknown,
  c1?: unknown,
  c2?: unknown,
  c3?: unknown,
): void {
  const it = iter.iter_;
  const dtype = it.dtype(loops.by0);
  const fn = loops.by1 < 0 ? loops.get(dtype) : loops.get2(dtype, it.dtype(loops.by1));
  TORCH_INTERNAL_ASSERT(it.ntensors() === loops.operands, "the loop and the iterator must have as many operands");
  if (loops.captures.length > 0) c0 = capture(loops, 0, c0, dtype);
  if (loops.captures.length > 1) {
    c1 = capture(loops, 1, c1, dtype);
    c2 = capture(loops, 2, c2, dtype);
    c3 = capture(loops, 3, c3, dtype);
  }
  if (!is_short(it)) run_long(it, loops, fn, c0, c1, c2, c3);
  else if (tracer !== null) callSlow(it, loops, null, for_each_of(it), [loop2d, fn, c0, c1, c2, c3]);
  else it.for_each(loop2d, fn, c0, c1, c2, c3);
  it.cast_outputs();
}

/** A separate function, so that `cpu_kernel` stays small: the engine inlines small functions into their callers. */
function run_long(
  it: TensorIteratorState,
  loops: Loops,
  fn: LoopFunction,
  c0: unknown,
  c1: unknown,
  c2: unknown,
  c3: unknown,
): void {
  const reach = get_cpu_capability() === CPUCapability.DEFAULT ? null : reach_of(it, loops.outputs);
  const vec = reach === null ? null : vector_loop(it, loops);
  if (tracer !== null) callSlow(it, loops, vec === null ? null : reach, run, [it, reach, fn, vec, c0, c1, c2, c3]);
  else run(it, reach, fn, vec, c0, c1, c2, c3);
}

function run(
  it: TensorIteratorState,
  reach: Reach,
  fn: LoopFunction,
  vec: VecFunction | null,
  c0: unknown,
  c1: unknown,
  c2: unknown,
  c3: unknown,
): void {
  if (vec === null) it.for_each(loop2d, fn, c0, c1, c2, c3);
  else if (reach === "heap") it.for_each_kernel(vec_loop2d, vec, PAD_PARAMETER, c0, c1, c2, c3);
  else it.for_each(staged_loop2d, vec, c0, c1, c2, c3);
}

function vector_loop(it: TensorIteratorState, loops: Loops): VecFunction | null {
  const loop = find_vector_loop(it, loops);
  return loop === undefined || loop.kernel === null ? null : function_of(loop);
}

function find_vector_loop(it: TensorIteratorState, loops: Loops): VecLoop | undefined {
  const first = it.dtype(loops.by0);
  return loops.by1 < 0 ? loops.vec.find(first) : loops.vec.find(first, it.dtype(loops.by1));
}

type ForEach = (loop: typeof loop2d, ...args: [LoopFunction, unknown, unknown, unknown, unknown]) => void;

function for_each_of(it: TensorIteratorState): ForEach {
  return it.for_each.bind(it) as ForEach;
}

function callSlow<A extends readonly unknown[]>(
  it: TensorIteratorState,
  loops: Loops,
  reach: Reach,
  go: (...args: A) => void,
  args: A,
): void {
  const data = { ...told(it, loops), ...told_of_capability(it, loops, reach) };
  traceCall("loop", `at::native::${loops.symbol}`, go, args, data, told_of_threads);
}

/** Fields of a trace event: which loop runs, and, if it is JavaScript although the machine has SIMD, why. */
function told_of_capability(it: TensorIteratorState, loops: Loops, reach: Reach): TraceData {
  if (get_cpu_capability() === CPUCapability.DEFAULT) return { capability: "DEFAULT" };
  const loop = find_vector_loop(it, loops);
  return reach === null
    ? { capability: "DEFAULT", why: why_not(it, loop, loops.outputs) }
    : { capability: capability_of(loop as VecLoop), memory: reach };
}

/** Like cpu_kernel, for scalar functions with several results. */
export const cpu_kernel_multiple_outputs = cpu_kernel;

/**
 * Like cpu_kernel, for scalar functions with a state (random numbers). Elements are visited once, in memory order, on
 * one thread, as in cpu_kernel.
 */
export const cpu_serial_kernel = cpu_kernel;

/** Trace event of a loop. */
function told(iter: TensorIteratorState, loops: Loops): TraceData {
  return {
    dtype: toString(iter.dtype(loops.by0)),
    shape: iter.shape().slice(),
    scalar: `at::native::${loops.symbol}`,
    file: loops.file,
  };
}

function capture(loops: Loops, k: number, value: unknown, dtype: ScalarType): unknown {
  const kind = k < loops.captures.length ? loops.captures[k] : "as_is";
  if (kind === "as_is") return value;
  if (value === Scalar.ONE) return dtype === ScalarType.Long ? 1n : 1; // the usual alpha
  return (value as Scalar).to(kind === "scalar_t" ? dtype : toOpMathType(dtype));
}

/**
 * Passes a tile to a generated loop: for each operand its memory, start, inner and outer stride; then the captures. A
 * call with every operand spelled out is several times faster than `fn(...args)`, and an object for the captures would
 * be allocated by every call: hence eight parameters.
 */
function loop2d(
  operands: readonly OperandInfo[],
  n: number,
  m: number,
  fn: LoopFunction,
  c0: unknown,
  c1: unknown,
  c2: unknown,
  c3: unknown,
): void {
  const count = operands.length;
  const x = operands[0];
  const xs = x.inner_stride();
  const xt = x.outer_stride();
  if (count === 1) {
    fn(n, m, x.data, x.offset, xs, xt, c0, c1, c2, c3);
    return;
  }
  const y = operands[1];
  const ys = y.inner_stride();
  const yt = y.outer_stride();
  if (count === 2) {
    fn(n, m, x.data, x.offset, xs, xt, y.data, y.offset, ys, yt, c0, c1, c2, c3);
    return;
  }
  const z = operands[2];
  const zs = z.inner_stride();
  const zt = z.outer_stride();
  if (count === 3) {
    fn(n, m, x.data, x.offset, xs, xt, y.data, y.offset, ys, yt, z.data, z.offset, zs, zt, c0, c1, c2, c3);
    return;
  }
  const args: unknown[] = [n, m];
  for (const op of operands) args.push(op.data, op.offset, op.inner_stride(), op.outer_stride());
  fn(...args, c0, c1, c2, c3);
}
