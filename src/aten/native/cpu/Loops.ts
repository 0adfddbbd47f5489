/**
 * @file The drivers: given a built iterator and the loops of a scalar function, pick the loop for the dtype and run it over the
 * whole iteration, two dimensions at a time.
 * @mirrors aten/src/ATen/native/cpu/Loops.h
 * @differs In C++ a driver receives a lambda and the compiler makes the loop; here the loops were made by codegen (Note [Kernel text]).
 */
import type { LoopFunction, Loops } from "#aten/Dispatch";
import { toOpMathType } from "#aten/OpMathType";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import type { OperandInfo } from "#aten/TensorIteratorOperand";
import type { TensorIteratorState } from "#aten/TensorIteratorState";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { tracer } from "#c10/util/Trace";

/** Runs `loops` over `iter`. Captures that the scalar function wants as scalar_t or opmath_t must be Scalars. */
export function cpu_kernel(
  iter: TensorIteratorBase,
  loops: Loops,
  c0?: unknown,
  c1?: unknown,
  c2?: unknown,
  c3?: unknown,
): void {
  if (tracer !== null) run_traced(iter, loops, c0, c1, c2, c3);
  else run(iter.iter_, loops, c0, c1, c2, c3);
  iter.iter_.cast_outputs();
}

/** The same for scalar functions with several results. */
export function cpu_kernel_multiple_outputs(
  iter: TensorIteratorBase,
  loops: Loops,
  c0?: unknown,
  c1?: unknown,
  c2?: unknown,
  c3?: unknown,
): void {
  cpu_kernel(iter, loops, c0, c1, c2, c3);
}

/** For scalar functions with a state of their own (random numbers): elements are visited once, in memory order, never split. */
export function cpu_serial_kernel(
  iter: TensorIteratorBase,
  loops: Loops,
  c0?: unknown,
  c1?: unknown,
  c2?: unknown,
  c3?: unknown,
): void {
  cpu_kernel(iter, loops, c0, c1, c2, c3); // one thread: every kernel is serial
}

function run_traced(iter: TensorIteratorBase, loops: Loops, c0: unknown, c1: unknown, c2: unknown, c3: unknown): void {
  const active = tracer as NonNullable<typeof tracer>;
  const id = active.begin("loop", `at::native::${loops.symbol}`, {
    dtype: toString(iter.dtype(loops.by0)),
    shape: iter.shape().slice(),
    scalar: `at::native::${loops.symbol}`,
    file: loops.file,
  });
  try {
    run(iter.iter_, loops, c0, c1, c2, c3);
    active.end(id);
  } catch (error) {
    active.end(id, { error });
    throw error;
  }
}

function run(iter: TensorIteratorState, loops: Loops, c0: unknown, c1: unknown, c2: unknown, c3: unknown): void {
  const dtype = iter.dtype(loops.by0);
  const fn = loops.by1 < 0 ? loops.get(dtype) : loops.get2(dtype, iter.dtype(loops.by1));
  const captures = loops.captures.length;
  if (captures > 0) {
    c0 = capture(loops, 0, c0, dtype);
    if (captures > 1) c1 = capture(loops, 1, c1, dtype);
    if (captures > 2) c2 = capture(loops, 2, c2, dtype);
    if (captures > 3) c3 = capture(loops, 3, c3, dtype);
  }
  const shape = iter.shape();
  if (shape.length !== 1) run_tiles(iter, fn, loops.operands, c0, c1, c2, c3);
  else if (shape[0] > 0) run_row(fn, loops.operands, iter.operands(), shape[0], c0, c1, c2, c3);
}

/** Any number of dimensions but one. */
function run_tiles(
  iter: TensorIteratorState,
  fn: LoopFunction,
  count: number,
  c0: unknown,
  c1: unknown,
  c2: unknown,
  c3: unknown,
): void {
  if (iter.numel() === 0) return;
  const operands = iter.operands();
  const shape = iter.shape();
  const ndim = shape.length;
  const n = ndim > 0 ? shape[0] : 1;
  const m = ndim > 1 ? shape[1] : 1;
  if (ndim <= 2) {
    run_tile(fn, count, operands, ndim, n, m, c0, c1, c2, c3);
    return;
  }
  const tiles = iter.numel() / (n * m);
  // Operands are moved from tile to tile, like an odometer over dimensions 2 and up, and put back at the end.
  const values = new Array<number>(ndim).fill(0);
  const begin = iter.get_base_offsets();
  for (let tile = 0; tile < tiles; tile++) {
    run_tile(fn, count, operands, ndim, n, m, c0, c1, c2, c3);
    for (let dim = 2; dim < ndim; dim++) {
      const value = values[dim] + 1;
      const carry = value === shape[dim];
      const steps = carry ? 1 - value : 1;
      values[dim] = carry ? 0 : value;
      for (let arg = 0; arg < operands.length; arg++) {
        const op = operands[arg];
        op.offset += steps * (op.strides as readonly number[])[dim];
      }
      if (!carry) break;
    }
  }
  for (let arg = 0; arg < operands.length; arg++) operands[arg].offset = begin[arg];
}

function capture(loops: Loops, k: number, value: unknown, dtype: ScalarType): unknown {
  const kind = loops.captures[k];
  if (kind === "as_is") return value;
  if (value === Scalar.ONE) return dtype === ScalarType.Long ? 1n : 1; // nearly every alpha
  return (value as Scalar).to(kind === "scalar_t" ? dtype : toOpMathType(dtype));
}

/** `run_tile` for the one dimension that most iterations have. */
function run_row(
  fn: LoopFunction,
  count: number,
  operands: readonly OperandInfo[],
  n: number,
  c0: unknown,
  c1: unknown,
  c2: unknown,
  c3: unknown,
): void {
  if (count > 3 || count === 1) {
    run_tile(fn, count, operands, 1, n, 1, c0, c1, c2, c3);
    return;
  }
  const x = operands[0];
  const y = operands[1];
  const xs = (x.strides as readonly number[])[0];
  const ys = (y.strides as readonly number[])[0];
  if (count === 2) {
    fn(n, 1, x.data, x.offset, xs, 0, y.data, y.offset, ys, 0, c0, c1, c2, c3);
    return;
  }
  const z = operands[2];
  const zs = (z.strides as readonly number[])[0];
  fn(n, 1, x.data, x.offset, xs, 0, y.data, y.offset, ys, 0, z.data, z.offset, zs, 0, c0, c1, c2, c3);
}

/** One call of the loop over an n by m tile. A call with every operand spelled out is several times cheaper than `fn(...args)`. */
function run_tile(
  fn: LoopFunction,
  count: number,
  operands: readonly OperandInfo[],
  ndim: number,
  n: number,
  m: number,
  c0: unknown,
  c1: unknown,
  c2: unknown,
  c3: unknown,
): void {
  const x = operands[0];
  const xs = inner(x, ndim);
  const xt = outer(x, ndim);
  if (count === 1) {
    fn(n, m, x.data, x.offset, xs, xt, c0, c1, c2, c3);
    return;
  }
  const y = operands[1];
  const ys = inner(y, ndim);
  const yt = outer(y, ndim);
  if (count === 2) {
    fn(n, m, x.data, x.offset, xs, xt, y.data, y.offset, ys, yt, c0, c1, c2, c3);
    return;
  }
  const z = operands[2];
  const zs = inner(z, ndim);
  const zt = outer(z, ndim);
  if (count === 3) {
    fn(n, m, x.data, x.offset, xs, xt, y.data, y.offset, ys, yt, z.data, z.offset, zs, zt, c0, c1, c2, c3);
    return;
  }
  TORCH_INTERNAL_ASSERT(count <= operands.length, "the loop has more operands than the iterator");
  const args: unknown[] = [n, m];
  for (let k = 0; k < count; k++) {
    const op = operands[k];
    args.push(op.data, op.offset, inner(op, ndim), outer(op, ndim));
  }
  args.push(c0, c1, c2, c3);
  fn(...args);
}

function inner(op: OperandInfo, ndim: number): number {
  return ndim > 0 ? (op.strides as readonly number[])[0] : 1;
}

function outer(op: OperandInfo, ndim: number): number {
  return ndim > 1 ? (op.strides as readonly number[])[1] : 0;
}
