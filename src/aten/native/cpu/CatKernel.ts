/**
 * @file Kernel of `cat` for contiguous inputs of one dtype: it copies whole runs of bytes.
 * @mirrors aten/src/ATen/native/cpu/CatKernel.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { cat_serial_stub } from "#aten/native/TensorShape/Join";
import { cat_should_skip_tensor } from "#aten/WrapDimUtils";
import type { MemoryBlock } from "#c10/core/Allocator";
import { elementSize } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { copy_part, type Part, type PlainCopy } from "./vec/copy/driver.ts";

/** Smallest number of elements for which `TypedArray.set` is faster than a loop. */
const LEAST_RUN = 32;

function copy_run(out: Uint8Array, to: number, source: Uint8Array, from: number, n: number): void {
  if (n < LEAST_RUN) for (let i = 0; i < n; i++) out[to + i] = source[from + i];
  else out.set(source.subarray(from, from + n), to);
}

// With respect to dimension `dim`, a contiguous tensor consists of `outer` runs of `sizes[dim] * inner` elements. A run
// of the result is the concatenation of the inputs' runs:
//
//     cat([(2, 3), (2, 1)], 1):   | a a a | b |   one row of the result
//                                 | a a a | b |   outer = 2, runs of 3 and 1

// Bytes are copied, not values: this works for every dtype, and NaNs keep their bits.
function cat_serial_kernel(result: Tensor, tensors: readonly Tensor[], dim: number): void {
  const result_run = result.sizes()[dim] * result.strides()[dim];
  const outer = result.numel() / result_run;
  let within = 0;
  for (const t of tensors) {
    if (cat_should_skip_tensor(t)) continue;
    // This is the result's stride; the stride of an input has no meaning if its size is 1.
    const run = t.sizes()[dim] * result.strides()[dim];
    if (t.numel() === 0) continue;
    const to = { tensor: result.impl_, first: within, inner: 1, outer: result_run };
    const from = { tensor: t.impl_, first: 0, inner: 1, outer: run };
    copy_part(to, from, run, outer, plain);
    within += run;
  }
}

function copy_runs(to: Part, from: Part, run: number, outer: number): void {
  const itemsize = elementSize(to.tensor.dtype());
  const [out, source] = [bytesOf(to.tensor), bytesOf(from.tensor)];
  const begin = ({ tensor, first }: Part): number => (tensor.data_offset() + first) * itemsize;
  for (let i = 0; i < outer; i++)
    copy_run(out, begin(to) + i * to.outer * itemsize, source, begin(from) + i * from.outer * itemsize, run * itemsize);
}

const plain: PlainCopy = { symbol: "copy_runs", file: "CatKernel", run: copy_runs };

/** The whole memory block of a tensor as bytes. */
function bytesOf(t: TensorImpl): Uint8Array {
  return (t.storage().data_ptr().block as MemoryBlock).u8();
}

REGISTER_DISPATCH(cat_serial_stub, cat_serial_kernel, "cat_serial_kernel");
