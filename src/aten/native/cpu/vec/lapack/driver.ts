/**
 * @file Driver of lapack/ with SIMD: finds the addresses of matrices of doubles, or copies the matrices to the heap.
 * @original LAPACK reads memory where it is; WebAssembly sees only the heap.
 * @see blocks.ts (the routines), ../../../lapack/ (the routines in JavaScript, which run if the matrices are small)
 */
import { default_loop } from "#aten/native/cpu/default_loop";
import { vector_loop } from "#aten/native/cpu/vec/driver";
import { LapackKernel_vec } from "#aten/native/cpu/vec/generated/lapack/kernel";
import { CPUCapability, REGISTER_ARCH_DISPATCH } from "#aten/native/DispatchStub";
import { geqr2, lapackGeqrf_stub, lapackOrgqr_stub, lapackOrmqr_stub, org2r, orm2r } from "#aten/native/lapack/geqrf";
import { getf2, lapackLu_stub } from "#aten/native/lapack/getrf";
import { lapackCholesky_stub, potf2 } from "#aten/native/lapack/potrf";
import { blasTriangularSolve_stub, type Triangle, trsm_by_substitution } from "#aten/native/lapack/trsm";
import { told_of_threads } from "#aten/ParallelNative";
import { cpu_heap, heap_memory } from "#c10/core/CPUHeap";
import { ScalarType } from "#c10/core/ScalarType";
import { traceCall, tracer } from "#c10/util/Trace";
import {
  block,
  can_multiply,
  geqrf_blocks,
  getrf_blocks,
  orgqr_blocks,
  ormqr_blocks,
  POTRF_BYTES,
  potrf_blocks,
  reflection_bytes,
  TRSM_BYTES,
  trsm_blocks,
} from "./blocks.ts";

/** Smallest number of multiply-adds for which the way to WebAssembly pays off. */
const FEWEST = 2048;
/** Kernels may read this many bytes behind an array. */
const BEHIND = 64;

/** One call of a routine. */
interface Call<T> {
  readonly routine: string;
  /** The file in lapack/ of the routine without vectors. */
  readonly file: string;
  readonly shape: readonly number[];
  /** Number of multiply-adds. */
  readonly work: number;
  /** The matrices. The first one is overwritten; `also` says whether the second one is, too. */
  readonly arrays: readonly (Float64Array | Int32Array)[];
  readonly also?: boolean;
  /** Bytes of scratch memory. */
  readonly bytes: number;
  /** The routine on the heap; `at` are the addresses of the arrays. */
  readonly vectors: (at: readonly number[], scratch: number) => T;
  readonly plain: () => T;
}

function run<T>(call: Call<T>): T {
  if (tracer !== null) return callSlow(call);
  const done = call.work < FEWEST ? null : on_heap(call);
  return done === null ? call.plain() : done.result;
}

function callSlow<T>(call: Call<T>): T {
  const { routine, file, shape, work, plain } = call;
  const why = work < FEWEST ? `less than ${FEWEST} multiply-adds` : heap_memory() === null ? "no heap" : null;
  const data =
    why === null
      ? vector_loop(routine, "lapack/blocks", LapackKernel_vec, ScalarType.Double, shape)
      : default_loop(routine, `../lapack/${file}`, ScalarType.Double, shape, why);
  const chosen = (): T => {
    const done = why === null ? on_heap(call) : null;
    return done === null ? plain() : done.result;
  };
  return traceCall("loop", data["scalar"] as string, chosen, [], data, told_of_threads);
}

/** Runs the routine on the heap. Null, and nothing is done, if the heap has no room for it. */
function on_heap<T>({ arrays, also = false, bytes, vectors }: Call<T>): { readonly result: T } | null {
  const heap = cpu_heap();
  if (heap === null || !can_multiply()) return null;
  const outside = arrays.map((a) => !heap.owns(a.buffer));
  const nbytes = arrays.reduce((sum, a, k) => sum + (outside[k] ? copy_bytes(a) : 0), bytes + BEHIND);
  const room = heap.allocate(nbytes, "kernel");
  if (room === null) return null;
  let free = room.begin + bytes;
  const used = arrays.map((a, k) => {
    if (!outside[k]) return a;
    const copy = copy_at(free, a);
    free += copy_bytes(a);
    return copy;
  });
  const result = vectors(
    used.map((a) => a.byteOffset),
    room.begin,
  );
  for (let k = 0; k < (also ? 2 : 1); k++) if (outside[k]) arrays[k].set(used[k]);
  heap.free(room);
  return { result };
}

/** Bytes of a copy, so many that the next one begins at a multiple of 16. */
function copy_bytes(a: Float64Array | Int32Array): number {
  return (a.byteLength + 15) & -16;
}

function copy_at(address: number, a: Float64Array | Int32Array): Float64Array | Int32Array {
  const buffer = (heap_memory() as WebAssembly.Memory).buffer as ArrayBuffer;
  const copy =
    a instanceof Int32Array ? new Int32Array(buffer, address, a.length) : new Float64Array(buffer, address, a.length);
  copy.set(a);
  return copy;
}

function potrf_vec(a: Float64Array, n: number, upper: boolean): number {
  return run({
    routine: "potrf",
    file: "potrf",
    shape: [n, n],
    work: (n * n * n) / 6,
    arrays: [a],
    bytes: POTRF_BYTES,
    vectors: ([at], scratch) => potrf_blocks(n, upper ? block(at, n, 1) : block(at, 1, n), scratch),
    plain: () => potf2(a, n, upper),
  });
}

function trsm_vec(a: Float64Array, n: number, b: Float64Array, triangle: Triangle, left: boolean): void {
  const { upper, transposed, unit } = triangle;
  const columns = b.length / n;
  run({
    routine: "trsm",
    file: "trsm",
    shape: [n, columns],
    work: (n * n * columns) / 2,
    arrays: [b, a],
    bytes: TRSM_BYTES,
    // X A = B is A' X' = B'.
    vectors: ([at_b, at_a], scratch) => {
      const stored = transposed === left ? block(at_a, n, 1) : block(at_a, 1, n);
      const into = left ? block(at_b, 1, n) : block(at_b, columns, 1);
      trsm_blocks(n, { a: stored, lower: upper === (transposed === left), unit }, into, columns, scratch);
    },
    plain: () => trsm_by_substitution(a, n, b, triangle, left),
  });
}

function geqrf_vec(a: Float64Array, m: number, n: number): Float64Array {
  const tau = new Float64Array(Math.min(m, n));
  return run({
    routine: "geqrf",
    file: "geqrf",
    shape: [m, n],
    work: m * n * tau.length,
    arrays: [a, tau],
    also: true,
    bytes: reflection_bytes(m, n),
    vectors: ([at, at_tau], scratch) => {
      geqrf_blocks(m, n, block(at, 1, m), at_tau, scratch);
      return tau;
    },
    plain: () => geqr2(a, m, n),
  });
}

function orgqr_vec(a: Float64Array, m: number, columns: number, tau: Float64Array): void {
  run({
    routine: "orgqr",
    file: "geqrf",
    shape: [m, columns],
    work: m * columns * tau.length,
    arrays: [a, tau],
    bytes: reflection_bytes(m, columns),
    vectors: ([at, at_tau], scratch) => orgqr_blocks(m, columns, tau.length, block(at, 1, m), at_tau, scratch),
    plain: () => org2r(a, m, columns, tau),
  });
}

function ormqr_vec(a: Float64Array, m: number, tau: Float64Array, c: Float64Array, transpose: boolean): void {
  const columns = c.length / m;
  run({
    routine: "ormqr",
    file: "geqrf",
    shape: [m, columns],
    work: 2 * m * columns * tau.length,
    arrays: [c, a, tau],
    bytes: reflection_bytes(m, columns),
    vectors: ([at_c, at_a, at_tau], scratch) =>
      ormqr_blocks(m, tau.length, block(at_a, 1, m), at_tau, transpose, block(at_c, 1, m), columns, scratch),
    plain: () => orm2r(a, m, tau, c, transpose),
  });
}

function getrf_vec(a: Float64Array, m: number, n: number, ipiv: Int32Array): number {
  return run({
    routine: "getrf",
    file: "getrf",
    shape: [m, n],
    work: (m * n * ipiv.length) / 3,
    arrays: [a, ipiv],
    also: true,
    bytes: TRSM_BYTES,
    vectors: ([at, at_ipiv], scratch) => getrf_blocks(m, n, block(at, 1, m), at_ipiv, scratch),
    plain: () => getf2(a, m, n, ipiv),
  });
}

REGISTER_ARCH_DISPATCH(lapackCholesky_stub, CPUCapability.SIMD128, potrf_vec, "potrf_vec");
REGISTER_ARCH_DISPATCH(blasTriangularSolve_stub, CPUCapability.SIMD128, trsm_vec, "trsm_vec");
REGISTER_ARCH_DISPATCH(lapackGeqrf_stub, CPUCapability.SIMD128, geqrf_vec, "geqrf_vec");
REGISTER_ARCH_DISPATCH(lapackOrgqr_stub, CPUCapability.SIMD128, orgqr_vec, "orgqr_vec");
REGISTER_ARCH_DISPATCH(lapackOrmqr_stub, CPUCapability.SIMD128, ormqr_vec, "ormqr_vec");
REGISTER_ARCH_DISPATCH(lapackLu_stub, CPUCapability.SIMD128, getrf_vec, "getrf_vec");
