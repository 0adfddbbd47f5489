/**
 * @file Driver that runs generated SIMD loops on the tiles of an iterator. A loop needs a contiguous output, and inputs
 * that are contiguous or one value. Any other operand is staged: copied to contiguous scratch memory and back, some
 * thousand elements at a time. Operands outside the heap are staged, too (an array of the caller, or memory that was
 * allocated while the heap was full).
 * @mirrors aten/src/ATen/native/cpu/Loops.h#vectorized_loop
 * @see src/aten/cpu/vec/vec128.ts (the loop)
 */

import { in_heap, workspace } from "#aten/cpu/vec/heap";
import type { VecFunction, VecLoop } from "#aten/cpu/vec/VecLoops";
import { PAD_BYTES } from "#aten/cpu/vec/vec128";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import type { TensorIteratorState } from "#aten/iterator/TensorIteratorState";
import { copy_tile, type Tile } from "#aten/native/cpu/vec/copy/driver";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { heap_memory } from "#c10/core/CPUHeap";
import { elementSize } from "#c10/core/ScalarType";

/** Smallest row for which calling a SIMD loop pays off; tests may set it to 1. */
let least = 16;
export function set_least_elements_for_vectors(n: number): void {
  least = n;
}

/** Number of elements that are staged together; they stay in the caches. */
const STAGED = 16384;

/** Staging pays off for tiles with at least this many times `least` elements. */
const APART = 64;

const MOST_OPERANDS = 8;
/** Scratch memory for broadcast operands; the memory for staged operands follows. */
const PAD = MOST_OPERANDS * PAD_BYTES;
const STAGE = MOST_OPERANDS * STAGED * 8;

/** Access of SIMD loops to the operands of an iterator: in place in the heap, by staging, or not at all. */
export type Reach = "heap" | "staged" | null;

/** Whether its rows are too short for SIMD, and too few to be staged together. */
export function is_short(it: TensorIteratorState): boolean {
  const shape = it.shape();
  return shape.length === 0 || (is_short_row(shape[0]) && !are_worth_it(shape));
}

/** Whether a tile has enough elements for staging. */
function are_worth_it(shape: readonly number[]): boolean {
  return shape[0] * (shape[1] ?? 1) >= APART * least;
}

export function is_short_row(n: number): boolean {
  return n < least;
}

export function reach_of(it: TensorIteratorState, outputs: number): Reach {
  if (is_short(it)) return null;
  const operands = it.operands();
  let as_they_are = !is_short_row(it.shape()[0]);
  for (let k = 0; k < operands.length; k++) {
    const op = operands[k];
    if (!lies_well(op, k < outputs)) {
      if (!are_worth_it(it.shape())) return null;
      as_they_are = false;
    }
    as_they_are &&= in_heap(op.tensor().impl_);
  }
  if (as_they_are) return "heap";
  return operands.length <= MOST_OPERANDS ? "staged" : null; // staging is slower than JavaScript for a short row, but gives the same values
}

/** Whether the operand is contiguous, or one value for all. */
function lies_well(op: OperandInfo, is_output: boolean): boolean {
  const stride = op.inner_stride();
  return stride === 1 || (stride === 0 && !is_output);
}

const relaxed = get_cpu_capability() >= CPUCapability.RELAXED_SIMD;

/** The compiled function of `loop`, or null if there is no scratch memory. */
export function function_of(loop: VecLoop): VecFunction | null {
  const memory = heap_memory();
  return memory === null || workspace(PAD + STAGE) === 0 ? null : loop.function(memory, relaxed);
}

/** Address of the scratch memory for broadcast operands. Precondition: `function_of` returned a function. */
export function room_of_pads(): number {
  return workspace(PAD);
}

/** CPU capability of the code that `function_of(loop)` returns. */
export function capability_of(loop: VecLoop): string {
  return loop.capability(relaxed);
}

/** Position of the parameter for broadcast scratch memory in a loop's signature. */
export const PAD_PARAMETER = 2;

/** Reason why `it` runs in JavaScript. */
export function why_not(it: TensorIteratorState, loop: VecLoop | undefined, outputs: number): string {
  if (loop === undefined || loop.kernel === null) return loop?.refusal ?? "no SIMD loop";
  const n = it.shape()[0] ?? 1;
  if (n < least) return `n < ${least}`;
  const operands = it.operands();
  if (operands.every((op, k) => lies_well(op, k < outputs))) return "no heap";
  return `strides [${operands.map((op) => op.inner_stride()).join(", ")}]`;
}

/** Address of an operand's first element. */
function address(op: OperandInfo, size: number): number {
  return op.offset * size;
}

/** `loop2d` of index.ts for SIMD loops. */
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

/** Like vec_loop2d, for operands that must be staged. */
export function staged_loop2d(
  operands: readonly OperandInfo[],
  n: number,
  m: number,
  fn: VecFunction,
  ...captures: unknown[]
): void {
  const columns = Math.min(STAGED, n);
  const rows = Math.floor(STAGED / columns);
  for (let j = 0; j < m; j += rows)
    for (let i = 0; i < n; i += columns)
      stage_and_run(operands, { i, j, n: Math.min(columns, n - i), m: Math.min(rows, m - j) }, fn, captures);
}

/** Part of a tile: `m` rows of `n` columns from (i, j) on. */
interface Piece {
  readonly i: number;
  readonly j: number;
  readonly n: number;
  readonly m: number;
}

function stage_and_run(
  operands: readonly OperandInfo[],
  piece: Piece,
  fn: VecFunction,
  captures: readonly unknown[],
): void {
  const { n, m } = piece;
  const stages = workspace(PAD + STAGE) + PAD;
  const joined = is_short_row(n); // short rows are staged one after the other and then form one row
  const args: unknown[] = joined ? [n * m, 1, room_of_pads()] : [n, m, room_of_pads()];
  const back: [OperandInfo, Tile][] = [];
  for (const [k, op] of operands.entries()) {
    const is_output = k === 0 || op.is_output;
    let tile = tile_of(op, piece);
    if (joined || !in_heap(op.tensor().impl_) || !lies_well(op, is_output)) {
      const size = elementSize(op.current_dtype);
      const one = tile[1] === 0 && !joined; // one value for the row
      tile = one ? [stages + k * STAGED * 8, 0, size] : [stages + k * STAGED * 8, size, size * n];
      if (is_output) back.push([op, tile]);
      else copy_staged(op, piece, tile, false);
    }
    args.push(tile[0]);
    if (!is_output) args.push(tile[1]);
    args.push(tile[2]);
  }
  fn(...args, ...captures);
  for (const [op, tile] of back) copy_staged(op, piece, tile, true);
}

function tile_of(op: OperandInfo, { i, j }: Piece): Tile {
  const size = elementSize(op.current_dtype);
  return [op.at(i, j) * size, op.inner_stride() * size, op.outer_stride() * size];
}

/** Copies between an operand and its stage. */
function copy_staged(op: OperandInfo, piece: Piece, stage: Tile, back: boolean): void {
  if (!in_heap(op.tensor().impl_)) copy_foreign(op, piece, stage, back);
  else {
    const own = tile_of(op, piece);
    const [to, from] = back ? [own, stage] : [stage, own];
    copy_tile(to, from, piece.n, piece.m, elementSize(op.current_dtype));
  }
}

/** Copies between an operand outside the heap and its stage. */
function copy_foreign(op: OperandInfo, { i, j, n, m }: Piece, [begin, inner, outer]: Tile, back: boolean): void {
  const own = op.view() as Float64Array; // the actual type may be another typed array
  const heap = (heap_memory() as WebAssembly.Memory).buffer as ArrayBuffer;
  const count = inner === 0 ? 1 : n;
  const stride = op.inner_stride();
  for (let row = 0; row < m; row++) {
    const at = op.at(i, j + row);
    const there = new (own.constructor as Float64ArrayConstructor)(heap, begin + row * outer, count);
    if (count === 1 || stride === 1) {
      if (back) own.set(there, at);
      else there.set(own.subarray(at, at + count));
    } else if (back) for (let k = 0; k < count; k++) own[at + k * stride] = there[k];
    else for (let k = 0; k < count; k++) there[k] = own[at + k * stride];
  }
}
