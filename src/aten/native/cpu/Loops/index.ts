/**
 * @file The drivers: given a built iterator and the loops of a scalar function, pick the loop for the dtype and run it over the
 * whole iteration, two dimensions at a time.
 * @mirrors aten/src/ATen/native/cpu/Loops.h
 * @differs In C++ a driver receives a lambda and the compiler makes the loop; here the loops were made by codegen (Note [Kernel text]).
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
// Every scalar function has a JavaScript loop, and nearly every one a vector loop made of the same text. The vector loop runs if
//
//   the machine has vectors                           get_cpu_capability(); ATEN_CPU_CAPABILITY=default turns them off
//   the function can be lowered for the dtype         else the generated X.SIMD128.ts says why
//   a row has 16 elements                             below, the call costs more than it saves; of many short rows one is made
//   there is a heap; operands that are not in it are staged there, so that where memory lies changes no result
//   the output lies side by side, each input does so or is one value; an operand that does neither is staged, too, if there are a
//                                                     thousand elements
//
// What a trace tells of a loop is what ran, and, where a vector loop did not, why.

/** Runs `loops` over `iter`. Captures that the scalar function wants as scalar_t or opmath_t must be Scalars. */
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

/** Kept out of `cpu_kernel`: what is small is compiled into its callers. */
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

/** Which of the loops runs, and, where it is JavaScript though this machine has vectors, why. */
function told_of_capability(it: TensorIteratorState, loops: Loops, reach: Reach): TraceData {
  if (get_cpu_capability() === CPUCapability.DEFAULT) return { capability: "DEFAULT" };
  const loop = find_vector_loop(it, loops);
  return reach === null
    ? { capability: "DEFAULT", why: why_not(it, loop, loops.outputs) }
    : { capability: capability_of(loop as VecLoop), memory: reach };
}

/** The same for scalar functions with several results. */
export const cpu_kernel_multiple_outputs = cpu_kernel;

/** For scalar functions with a state of their own (random numbers): elements are visited once, in memory order, as ever on one thread. */
export const cpu_serial_kernel = cpu_kernel;

/** What a trace says of a loop. */
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
  if (value === Scalar.ONE) return dtype === ScalarType.Long ? 1n : 1; // nearly every alpha
  return (value as Scalar).to(kind === "scalar_t" ? dtype : toOpMathType(dtype));
}

/**
 * A tile, handed on to the loop that codegen wrote: of each operand its memory, where it begins, its inner and outer stride; then the
 * captures. A call with every operand spelled out is several times cheaper than `fn(...args)`, and captures in an object would be an
 * object made by every call: hence eight parameters.
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
