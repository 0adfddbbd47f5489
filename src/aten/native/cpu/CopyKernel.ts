/**
 * @file Kernels of `copy_`: one loop per pair of dtypes, and copies of whole runs of bytes if no conversion is needed.
 * @mirrors aten/src/ATen/native/cpu/CopyKernel.cpp
 */
import { cast } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { BLOCK_SZ, copy_stub, copy_transpose_stub } from "#aten/native/Copy";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { TensorIterator, type TensorIteratorBase } from "#aten/TensorIterator";
import { ScalarType } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { traceCall, tracer } from "#c10/util/Trace";
import { default_loop } from "./default_loop.ts";
import { convert_loops } from "./generated/CopyKernel.ts";
import { cpu_kernel } from "./Loops/index.ts";
import { neg_kernel } from "./UnaryOpsKernel/index.ts";
import { copy_part, type Part, type PlainCopy } from "./vec/copy/driver.ts";

type dst_t = number;
type src_t = number;

/** @loop copy_ dst_t: Bool, all types and halves, barebones unsigned types; src_t: Bool, all types and halves, barebones unsigned types */
export function convert(src: src_t): dst_t {
  return cast<dst_t>(src);
}

/** Smallest number of elements for which `TypedArray.set` is faster than the loop. */
const LEAST_RUN = 32;

/** Copies a whole run of bytes with `TypedArray.set`. */
function copy_run(iter: TensorIteratorBase): void {
  const from = iter.data_offset(1);
  const source = iter.data_view(1) as Float64Array;
  (iter.data_view(0) as Float64Array).set(source.subarray(from, from + iter.numel()), iter.data_offset(0));
}

/** Copy between tensors of one dtype. A bool is not copied as a byte: every nonzero byte becomes 1. */
export function direct_copy_kernel(iter: TensorIteratorBase): void {
  const n = iter.numel();
  if (n < LEAST_RUN || iter.dtype(0) === ScalarType.Bool || !iter.is_contiguous()) {
    cpu_kernel(iter, convert_loops);
    return;
  }
  if (tracer === null) copy_run(iter);
  else {
    const data = default_loop("copy_run", "CopyKernel", iter.dtype(0), [n], "one run of bytes");
    traceCall("loop", "at::native::copy_run", copy_run, [iter], data);
  }
}

function copy_same_dtype(iter: TensorIteratorBase, requires_neg: boolean): void {
  if (requires_neg) neg_kernel(iter);
  else direct_copy_kernel(iter);
}

// There is one thread and one memory, so `non_blocking` makes no difference.
function copy_kernel(iter: TensorIterator, _non_blocking: boolean): void {
  const requires_neg = iter.tensor(0).is_neg() !== iter.tensor(1).is_neg();
  if (iter.dtype(0) === iter.dtype(1)) {
    copy_same_dtype(iter, requires_neg);
    return;
  }
  cpu_kernel(iter, convert_loops);
  if (requires_neg) {
    const self = iter.tensor(0);
    copy_same_dtype(TensorIterator.unary_op(self, self), requires_neg);
  }
}

/** Precondition: `copy_transpose_valid` (Copy.ts). */
function copy_same_type_transpose_(self: Tensor, src: Tensor): void {
  const buf = at.empty_memory_format([BLOCK_SZ, BLOCK_SZ], self.options()); // PyTorch makes this call; it appears in a trace even if another function copies
  const rows = self.sizes()[0];
  const columns = self.sizes()[1];
  const to = { tensor: self.impl_, first: 0, inner: 1, outer: columns };
  const from = { tensor: src.impl_, first: 0, inner: rows, outer: 1 };
  const run: PlainCopy["run"] = (to, from, n, m) => copy_by_tiles(to, from, n, m, buf.impl_);
  copy_part(to, from, columns, rows, { symbol: "copy_by_tiles", file: "CopyKernel", run });
}

/** Copies tile by tile through a small buffer, so that both matrices are read and written along their rows. */
function copy_by_tiles(to: Part, from: Part, columns: number, rows: number, buf: TensorImpl): void {
  const out = to.tensor.data_view() as Float64Array;
  const source = from.tensor.data_view() as Float64Array;
  const tile = buf.data_view() as Float64Array;
  const out_offset = to.tensor.data_offset();
  const source_offset = from.tensor.data_offset();
  const tile_offset = buf.data_offset();
  for (let row = 0; row < rows; row += BLOCK_SZ) {
    const height = Math.min(BLOCK_SZ, rows - row);
    for (let column = 0; column < columns; column += BLOCK_SZ) {
      const width = Math.min(BLOCK_SZ, columns - column);
      for (let c = 0; c < width; c++) {
        const begin = source_offset + row + (column + c) * rows; // `height` contiguous elements: src is column-major
        for (let r = 0; r < height; r++) tile[tile_offset + r * BLOCK_SZ + c] = source[begin + r];
      }
      for (let r = 0; r < height; r++) {
        const begin = tile_offset + r * BLOCK_SZ;
        out.set(tile.subarray(begin, begin + width), out_offset + (row + r) * columns + column);
      }
    }
  }
}

REGISTER_DISPATCH(copy_stub, copy_kernel, "copy_kernel");
REGISTER_DISPATCH(copy_transpose_stub, copy_same_type_transpose_, "copy_same_type_transpose_");
