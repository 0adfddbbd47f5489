/**
 * @file Which products run with vectors: in which order, on which addresses.
 * @mirrors aten/src/ATen/native/CPUBlas.cpp
 * @differs There BLAS is called where it can be; this is the place of that choice.
 * @see BlasKernel.ts (the kernels), ../BlasKernel.ts (what runs otherwise)
 */
import { address_of, in_heap, Staged, workspace } from "#aten/cpu/vec/heap";
import { gemm_stub, type Matrix } from "#aten/native/CPUBlas";
import { CPUCapability, REGISTER_ARCH_DISPATCH } from "#aten/native/DispatchStub";
import { heap_memory } from "#c10/core/CPUHeap";
import { elementSize, type ScalarType } from "#c10/core/ScalarType";
import { nothing, traceCall, tracer } from "#c10/util/Trace";
import { cpublas_gemm_impl } from "../BlasKernel.ts";
import { WORK_BYTES } from "./BlasKernel.ts";
import { default_loop, functions_of, vector_loop } from "./driver.ts";
import { BlasKernel_vec } from "./generated/BlasKernel.ts";

/**
 * Multiply-adds of one product from which on vectors run. Below, sums in double cost no more, and are nearer to what PyTorch gives, which
 * rounds but once a multiply-add.
 */
const FEWEST = 1024;
/** Multiply-adds of the batch from which on copies into the heap pay. */
const WORTH_STAGING = 32768;

type Gemm = typeof cpublas_gemm_impl;

/** As numbers: vectors are of floats only. */
type Product = [number, number, number, number, Matrix, Matrix, number, Matrix];

const gemm_vec: Gemm = (dtype, m, n, k, alpha, a, b, beta, c, batch) => {
  const why = why_not(dtype, m * n * k, batch, [a, b, c]);
  const run = why === null ? vectors : cpublas_gemm_impl;
  if (tracer === null) run(dtype, m, n, k, alpha, a, b, beta, c, batch);
  else callSlow(run, why, dtype, m, n, k, alpha, a, b, beta, c, batch);
};

function why_not(dtype: ScalarType, work: number, batch: number, [a, b, c]: readonly Matrix[]): string | null {
  if (!BlasKernel_vec.has(dtype)) return "a dtype without vectors";
  if (work < FEWEST) return `m n k < ${FEWEST}`;
  if (c.columnStride !== 1 && c.rowStride !== 1) return `strides of the result [${c.rowStride}, ${c.columnStride}]`;
  if (heap_memory() === null || workspace(WORK_BYTES) === 0) return "no heap";
  const staged = !in_heap(a.tensor) || !in_heap(b.tensor) || !in_heap(c.tensor);
  return staged && work * batch < WORTH_STAGING ? "not in the heap" : null;
}

function callSlow(run: Gemm, why: string | null, ...args: Parameters<Gemm>): void {
  const [dtype, m, n, k, , a, b, , c] = args;
  const memory = [a, b, c].every((x) => in_heap(x.tensor)) ? "heap" : "staged";
  const data =
    why === null
      ? vector_loop("gemm", "BlasKernel", BlasKernel_vec, dtype, [m, n, k], memory)
      : default_loop("gemm_core", "BlasKernel", dtype, [m, n, k], why);
  traceCall("loop", data["scalar"] as string, run, args, data, nothing);
}

function vectors(...args: Parameters<Gemm>): void {
  const [dtype, m, n, k, alpha, a, b, beta, c, batch] = args;
  if (in_heap(a.tensor) && in_heap(b.tensor) && in_heap(c.tensor))
    run(dtype, [m, n, k, alpha as number, a, b, beta as number, c], batch, [a, b, c].map(first));
  else if (!staged(args)) cpublas_gemm_impl(...args);
}

/** Where the first matrix begins. */
function first({ tensor, offset }: Matrix): number {
  return address_of(tensor) + (offset - tensor.data_offset()) * elementSize(tensor.dtype());
}

/** `addresses` of a, b, c. Note [Addresses last until memory is wanted]: the workspace is there already. */
function run(dtype: ScalarType, product: Product, batch: number, addresses: readonly number[]): void {
  const [m, n, k, alpha, a, b, beta, c] = product;
  let [at_a, at_b, at_c] = addresses;
  const { gemm } = functions_of(BlasKernel_vec, dtype);
  const work = workspace(WORK_BYTES);
  const size = elementSize(dtype);
  const [ars, acs] = [a.rowStride * size, a.columnStride * size];
  const [brs, bcs] = [b.rowStride * size, b.columnStride * size];
  const [crs, ccs] = [c.rowStride * size, c.columnStride * size];
  for (let i = 0; i < batch; i++) {
    if (ccs === size) gemm(work, m, n, k, alpha, at_a, ars, acs, at_b, brs, bcs, beta, at_c, crs);
    else gemm(work, n, m, k, alpha, at_b, bcs, brs, at_a, acs, ars, beta, at_c, ccs); // C' = B' A'
    at_a += a.batchStride * size;
    at_b += b.batchStride * size;
    at_c += c.batchStride * size;
  }
}

/** With copies of all operands; false if there is no room for them. */
function staged(args: Parameters<Gemm>): boolean {
  const [dtype, m, n, k, alpha, a, b, beta, c, batch] = args;
  const copies: Staged[] = [];
  for (const [x, rows, columns] of [[a, m, k] as const, [b, k, n] as const, [c, m, n] as const]) {
    const reach = (batch - 1) * x.batchStride + (rows - 1) * x.rowStride + (columns - 1) * x.columnStride + 1;
    const copy = Staged.copy(x.data, x.offset, reach);
    if (copy === null) break;
    copies.push(copy);
  }
  const room = copies.length === 3;
  if (room) {
    run(
      dtype,
      [m, n, k, alpha as number, a, b, beta as number, c],
      batch,
      copies.map((copy) => copy.address),
    );
    copies[2].copy_to(c.data, c.offset);
  }
  for (const copy of copies) copy.free();
  return room;
}

REGISTER_ARCH_DISPATCH(gemm_stub, CPUCapability.SIMD128, gemm_vec, "gemm_vec");
