/**
 * @file A tile handed on to the vector loop that codegen wrote, if there is one and there are enough elements: the output lies side by side, each
 * input does so or is one value. An operand that does neither is staged: copied to where it does, and back, some thousand elements at a
 * time; as is what is not in the heap (a caller's own array, or all that was allocated while the heap was full).
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

/** Elements from which on a row is worth the call of a vector loop; a test may want all rows to be. */
let least = 16;
export function set_least_elements_for_vectors(n: number): void {
  least = n;
}

/** Elements that are staged together: they stay in the caches. */
const STAGED = 16384;

/** So many times as many elements of a tile are worth staging if they lie apart. */
const APART = 64;

const MOST_OPERANDS = 8;
/** Room for broadcast operands, and behind it for staged ones. */
const PAD = MOST_OPERANDS * PAD_BYTES;
const STAGE = MOST_OPERANDS * STAGED * 8;

/** How vector loops reach the operands of an iterator: where they are, copied, or not at all. */
export type Reach = "heap" | "staged" | null;

/** Whether its rows are too short for vectors, and too few to be staged together. */
export function is_short(it: TensorIteratorState): boolean {
  const shape = it.shape();
  return shape.length === 0 || (is_short_row(shape[0]) && !are_worth_it(shape));
}

/** Whether there are enough elements in a tile to stage them. */
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
  return operands.length <= MOST_OPERANDS ? "staged" : null; // slower than JavaScript for a short row, but the same values
}

/** Side by side, or one value for all. */
function lies_well(op: OperandInfo, is_output: boolean): boolean {
  const stride = op.inner_stride();
  return stride === 1 || (stride === 0 && !is_output);
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
  const operands = it.operands();
  if (operands.every((op, k) => lies_well(op, k < outputs))) return "no heap";
  return `strides [${operands.map((op) => op.inner_stride()).join(", ")}]`;
}

/** The memory address of an operand's first element, and the bytes from row to row. */
function address(op: OperandInfo, size: number): number {
  return op.offset * size;
}

/** `loop2d` of index.ts, for vectors. */
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

/** The same for operands that are not all in the heap, side by side. */
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

/** Rows of a tile, and columns of it: those from (i, j) on. */
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
  const joined = is_short_row(n); // short rows are staged one behind the other, and are one row then
  const args: unknown[] = joined ? [n * m, 1, room_of_pads()] : [n, m, room_of_pads()];
  const back: [OperandInfo, Tile][] = [];
  for (const [k, op] of operands.entries()) {
    const is_output = k === 0 || op.is_output;
    let tile = tile_of(op, piece);
    if (joined || !in_heap(op.tensor().impl_) || !lies_well(op, is_output)) {
      const size = elementSize(op.current_dtype);
      const one = tile[1] === 0 && !joined; // a value for the row
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

/** Between an operand and its stage. */
function copy_staged(op: OperandInfo, piece: Piece, stage: Tile, back: boolean): void {
  if (!in_heap(op.tensor().impl_)) copy_foreign(op, piece, stage, back);
  else {
    const own = tile_of(op, piece);
    const [to, from] = back ? [own, stage] : [stage, own];
    copy_tile(to, from, piece.n, piece.m, elementSize(op.current_dtype));
  }
}

/** The same where the operand is not in the heap. */
function copy_foreign(op: OperandInfo, { i, j, n, m }: Piece, [begin, inner, outer]: Tile, back: boolean): void {
  const own = op.view() as Float64Array; // whichever it is
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
