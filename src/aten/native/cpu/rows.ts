/**
 * @file Driver that runs a scalar function over rows without an iterator. It uses SIMD whenever Loops/index.ts would.
 * @original In PyTorch such a loop calls at::vec::map on pointers.
 */
import { in_heap } from "#aten/cpu/vec/heap";
import type { VecLoop } from "#aten/cpu/vec/VecLoops";
import type { LoopFunction, Loops } from "#aten/Dispatch";
import type { Matrix } from "#aten/native/CPUBlas";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { elementSize, type ScalarType, toString } from "#c10/core/ScalarType";
import { nothing, type TraceData, traceCall, tracer } from "#c10/util/Trace";
import { capability_of, function_of, is_short_row, room_of_pads } from "./Loops/VecLoops.ts";

/**
 * `m` rows of `n` elements. `operands` are the outputs, then the inputs, all of one dtype. An input may be an output,
 * too. A column stride of 0 means one value for the row.
 */
export function for_rows(loops: Loops, dtype: ScalarType, m: number, n: number, operands: readonly Matrix[]): void {
  const why = get_cpu_capability() === CPUCapability.DEFAULT ? "DEFAULT" : why_not(loops, dtype, n, operands);
  const vec = why === null ? function_of(loops.vec.find(dtype) as VecLoop) : null;
  const run = vec ?? loops.get(dtype);
  const args = vec === null ? plain_arguments(m, n, operands) : vector_arguments(loops, dtype, m, n, operands);
  if (tracer === null) run(...args);
  else callSlow(run, args, told(loops, dtype, [m, n], why));
}

function plain_arguments(m: number, n: number, operands: readonly Matrix[]): unknown[] {
  const args: unknown[] = [n, m];
  for (const { data, offset, columnStride, rowStride } of operands) args.push(data, offset, columnStride, rowStride);
  return args;
}

function vector_arguments(
  loops: Loops,
  dtype: ScalarType,
  m: number,
  n: number,
  operands: readonly Matrix[],
): unknown[] {
  const size = elementSize(dtype);
  const args: unknown[] = [n, m, room_of_pads()];
  for (const [k, { offset, columnStride, rowStride }] of operands.entries()) {
    args.push(offset * size);
    if (k >= loops.outputs) args.push(columnStride * size);
    args.push(rowStride * size);
  }
  return args;
}

/** Reason why SIMD cannot run, or null. */
function why_not(loops: Loops, dtype: ScalarType, n: number, operands: readonly Matrix[]): string | null {
  if (is_short_row(n)) return "too few elements";
  const loop = loops.vec.find(dtype);
  if (loop === undefined || loop.kernel === null) return loop?.refusal ?? "no SIMD loop";
  const side_by_side = ({ columnStride }: Matrix, k: number): boolean =>
    columnStride === 1 || (columnStride === 0 && k >= loops.outputs);
  if (!operands.every(side_by_side)) return `strides [${operands.map((op) => op.columnStride).join(", ")}]`;
  return operands.every(({ tensor }) => in_heap(tensor)) && function_of(loop) !== null ? null : "not in the heap";
}

function told(loops: Loops, dtype: ScalarType, shape: readonly [m: number, n: number], why: string | null): TraceData {
  const { symbol, file } = loops;
  const data = { dtype: toString(dtype), shape, scalar: `at::native::${symbol}`, file };
  if (why === null) return { ...data, capability: capability_of(loops.vec.find(dtype) as VecLoop), memory: "heap" };
  return why === "DEFAULT" ? { ...data, capability: "DEFAULT" } : { ...data, capability: "DEFAULT", why };
}

function callSlow(run: LoopFunction, args: unknown[], data: TraceData): void {
  traceCall("loop", data["scalar"] as string, run, args, data, nothing);
}
