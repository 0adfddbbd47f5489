/**
 * @file Driver of resampling along one dim in WebAssembly, called by ../../UpSampleKernel/index.ts.
 * @original PyTorch's kernels are C++ and need no driver.
 * @see kernel.ts (the kernel)
 */
import { address_of, workspace } from "#aten/cpu/vec/heap";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { Lines } from "#aten/native/cpu/UpSampleKernel/index";
import type { Taps } from "#aten/native/cpu/UpSampleKernel/Weights";
import { functions_of } from "#aten/native/cpu/vec/driver";
import { UpSampleKernel_vec } from "#aten/native/cpu/vec/generated/upsample/kernel";
import { type RowLoop, type Rows, takes_rows, told_of_rows } from "#aten/native/cpu/vec/row_driver";
import { heap_memory } from "#c10/core/CPUHeap";
import { ScalarType } from "#c10/core/ScalarType";
import { traceCall, tracer } from "#c10/util/Trace";

/** Resamples `input` along one dim. */
export type Resample = (output: Tensor, input: Tensor, taps: Taps, lines: Lines) => void;

/** Address of scratch memory for the tables (weights, indices, counts), or 0 if there is none. */
function room_for(output: Tensor, { weights, indices, counts }: Taps): number {
  return workspace(weights.length * output.itemsize() + 4 * (indices.length + counts.length));
}

const resample_with_vectors: Resample = (output, input, taps, { outer, from, to, inner }) => {
  const dtype = output.scalar_type();
  const at_weights = room_for(output, taps);
  const at_indices = at_weights + taps.weights.length * output.itemsize();
  const at_counts = at_indices + 4 * taps.indices.length;
  const buffer = (heap_memory() as WebAssembly.Memory).buffer as ArrayBuffer;
  const Weights = dtype === ScalarType.Float ? Float32Array : Float64Array;
  new Weights(buffer, at_weights, taps.weights.length).set(taps.weights);
  new Int32Array(buffer, at_indices, taps.indices.length).set(taps.indices);
  new Int32Array(buffer, at_counts, taps.counts.length).set(taps.counts);
  // biome-ignore format: operands, tables, sizes
  functions_of(UpSampleKernel_vec, dtype).resample(
    address_of(output.impl_), address_of(input.impl_),
    at_counts, at_indices, at_weights,
    outer, from, to, inner, taps.width,
  );
};

const loop: RowLoop = {
  modules: UpSampleKernel_vec,
  symbol: "resample",
  file: "upsample/kernel",
  plain: ["resample", "UpSampleKernel/index"],
};

/** Runs the SIMD kernel, or `plain` (from ../../UpSampleKernel/index.ts) as the fallback. */
export function resample_loop(output: Tensor, input: Tensor, taps: Taps, lines: Lines, plain: Resample): void {
  const rows: Rows = { n: output.numel(), tensors: [output.impl_, input.impl_] };
  const room = takes_rows(UpSampleKernel_vec, rows) && room_for(output, taps) !== 0;
  const run = room ? resample_with_vectors : plain;
  if (tracer === null) run(output, input, taps, lines);
  else callSlow(run, [output, input, taps, lines], rows);
}

function callSlow(run: Resample, args: Parameters<Resample>, rows: Rows): void {
  const why = run !== resample_with_vectors && takes_rows(UpSampleKernel_vec, rows) ? "no scratch memory" : null;
  const told = told_of_rows(loop, rows, args[0].sizes(), why);
  traceCall("loop", told["scalar"] as string, run, args, told);
}
