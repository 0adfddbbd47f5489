/**
 * @file `cat` of contiguous inputs of one dtype: whole runs of bytes, side by side.
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

/** From this many elements on, `TypedArray.set` beats a loop. */
const LEAST_RUN = 32;

function copy_run(out: Uint8Array, to: number, source: Uint8Array, from: number, n: number): void {
  if (n < LEAST_RUN) for (let i = 0; i < n; i++) out[to + i] = source[from + i];
  else out.set(source.subarray(from, from + n), to);
}

// Seen from dimension `dim`, a contiguous tensor is `outer` runs of `sizes[dim] * inner` elements, and the result's run is the
// inputs' runs one after the other:
//
//     cat([(2, 3), (2, 1)], 1):   | a a a | b |   one row of the result
//                                 | a a a | b |   outer = 2, runs of 3 and 1

// Bytes are copied, not values: every dtype alike, and NaNs keep their bits.
function cat_serial_kernel(result: Tensor, tensors: readonly Tensor[], dim: number): void {
  const result_run = result.sizes()[dim] * result.strides()[dim];
  const outer = result.numel() / result_run;
  let within = 0;
  for (const t of tensors) {
    if (cat_should_skip_tensor(t)) continue;
    // The result's stride: the input's own says nothing where its size is 1.
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
