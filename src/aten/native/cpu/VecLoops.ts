/**
 * @file A tile handed on to the vector loop that codegen wrote, if there is one and the tile is for it: the output lies side by side, each input
 * does so or is one value, and there are enough elements. What is not in the heap (a caller's own array, or all that was allocated while
 * the heap was full) is staged: copied there and back, some thousand elements at a time.
 * @mirrors aten/src/ATen/native/cpu/Loops.h#vectorized_loop
 * @see src/aten/cpu/vec/vec128.ts (the loop)
 */

import { in_heap, workspace } from "#aten/cpu/vec/heap";
import type { VecFunction, VecLoop } from "#aten/cpu/vec/VecLoops";
import { PAD_BYTES } from "#aten/cpu/vec/vec128";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import type { TensorIteratorState } from "#aten/iterator/TensorIteratorState";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { heap_memory } from "#c10/core/CPUHeap";
import { elementSize } from "#c10/core/ScalarType";

/** Elements from which on a row is worth the call of a vector loop; a test may want all rows to be. */
let least = 16;
export function set_least_elements_for_vectors(n: number): void {
  least = n;
}

/** Elements that are staged together: they stay in the caches. */
const STAGED = 16384;

const MOST_OPERANDS = 8;
/** Room for broadcast operands, and behind it for staged ones. */
const PAD = MOST_OPERANDS * PAD_BYTES;
const STAGE = MOST_OPERANDS * STAGED * 8;

/** How vector loops reach the operands of an iterator: where they are, copied, or not at all. */
export type Reach = "heap" | "staged" | null;

/** Whether its rows are too short for vectors. */
export function is_short(it: TensorIteratorState): boolean {
  const shape = it.shape();
  return shape.length === 0 || is_short_row(shape[0]);
}
export function is_short_row(n: number): boolean {
  return n < least;
}

export function reach_of(it: TensorIteratorState, outputs: number): Reach {
  if (is_short(it)) return null;
  const operands = it.operands();
  let all_in_heap = true;
  for (let k = 0; k < operands.length; k++) {
    const op = operands[k];
    const stride = op.inner_stride();
    if (stride !== 1 && (stride !== 0 || k < outputs)) return null;
    all_in_heap &&= in_heap(op.tensor().impl_);
  }
  if (all_in_heap) return "heap";
  return operands.length <= MOST_OPERANDS ? "staged" : null; // slower than JavaScript for a short row, but the same values
}

const relaxed = get_cpu_capability() >= CPUCapability.RELAXED_SIMD;

/** The function of `loop`, compiled; null where there is no room for it to work. */
export function function_of(loop: VecLoop): VecFunction | null {
  const memory = heap_memory();
  return memory === null || workspace(PAD + STAGE) === 0 ? null : loop.function(memory, relaxed);
}

/** Where a loop keeps its broadcast operands, `function_of` having seen that it can. */
export function room_of_pads(): number {
  return workspace(PAD);
}

/** What runs when `function_of(loop)` is called. */
export function capability_of(loop: VecLoop): string {
  return loop.capability(relaxed);
}

/** Which parameter of a loop is the room for its broadcast operands. */
export const PAD_PARAMETER = 2;

/** Why `it` runs in JavaScript. */
export function why_not(it: TensorIteratorState, loop: VecLoop | undefined, outputs: number): string {
  if (loop === undefined || loop.kernel === null) return loop?.refusal ?? "no vector loop";
  const n = it.shape()[0] ?? 1;
  if (n < least) return `n < ${least}`;
  const strides = it.operands().map((op) => op.inner_stride());
  if (strides.some((s, k) => s !== 1 && (s !== 0 || k < outputs))) return `strides [${strides.join(", ")}]`;
  return "no heap";
}

/** The memory address of an operand's first element, and the bytes from row to row. */
function address(op: OperandInfo, size: number): number {
  return op.offset * size;
}

/** `loop2d` of Loops.ts, for vectors. */
export function vec_loop2d(
  operands: readonly OperandInfo[],
  n: number,
  m: number,
  fn: VecFunction,
  c0: unknown,
  c1: unknown,
  c2: unknown,
  c3: unknown,
): void {
  const p = room_of_pads();
  const count = operands.length;
  const x = operands[0];
  const xb = elementSize(x.current_dtype);
  const x0 = address(x, xb);
  const t0 = x.outer_stride() * xb;
  if (count === 1) {
    fn(n, m, p, x0, t0, c0, c1, c2, c3);
    return;
  }
  const y = operands[1];
  const yb = elementSize(y.current_dtype);
  const x1 = address(y, yb);
  const s1 = y.inner_stride() * yb;
  const t1 = y.outer_stride() * yb;
  if (count === 2) {
    fn(n, m, p, x0, t0, x1, s1, t1, c0, c1, c2, c3);
    return;
  }
  const z = operands[2];
  if (count === 3 && !z.is_output && !y.is_output) {
    const zb = elementSize(z.current_dtype);
    const s2 = z.inner_stride() * zb;
    fn(n, m, p, x0, t0, x1, s1, t1, address(z, zb), s2, z.outer_stride() * zb, c0, c1, c2, c3);
    return;
  }
  const args: unknown[] = [n, m, p]; // four operands, or several outputs
  for (const [k, op] of operands.entries()) {
    const size = elementSize(op.current_dtype);
    args.push(address(op, size));
    if (k > 0 && !op.is_output) args.push(op.inner_stride() * size);
    args.push(op.outer_stride() * size);
  }
  fn(...args, c0, c1, c2, c3);
}

/** The same for operands that are not all in the heap. */
export function staged_loop2d(
  operands: readonly OperandInfo[],
  n: number,
  m: number,
  fn: VecFunction,
  ...captures: unknown[]
): void {
  for (let j = 0; j < m; j++)
    for (let i = 0; i < n; i += STAGED) stage_and_run(operands, i, j, Math.min(STAGED, n - i), fn, captures);
}

function stage_and_run(
  operands: readonly OperandInfo[],
  i: number,
  j: number,
  count: number,
  fn: VecFunction,
  captures: readonly unknown[],
): void {
  const room = workspace(PAD + STAGE);
  const heap = (heap_memory() as WebAssembly.Memory).buffer as ArrayBuffer;
  const args: unknown[] = [count, 1, room];
  const back: (() => void)[] = [];
  for (const [k, op] of operands.entries()) {
    const size = elementSize(op.current_dtype);
    const isOutput = k === 0 || op.is_output;
    const first = op.at(i, j);
    let begin = first * size;
    if (!in_heap(op.tensor().impl_)) {
      begin = room + PAD + k * STAGED * 8;
      const own = op.view().subarray(first, first + (op.inner_stride() === 0 ? 1 : count)) as Uint8Array;
      const there = new (own.constructor as Uint8ArrayConstructor)(heap, begin, own.length);
      if (isOutput) back.push(() => own.set(there));
      else there.set(own);
    }
    args.push(begin);
    if (!isOutput) args.push(op.inner_stride() * size);
    args.push(0);
  }
  fn(...args, ...captures);
  for (const copy of back) copy();
}
