/**
 * @file Drivers of vol2col and col2vol with SIMD: images to columns, and columns to images.
 * @original In PyTorch the compiler decides which loops use SIMD.
 * @see kernel.ts (the kernels), ../../vol2col.ts (the fallback)
 */
import { memory_of, type Region, with_addresses } from "#aten/cpu/vec/heap";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { default_loop } from "#aten/native/cpu/default_loop";
import { functions_of, vector_loop } from "#aten/native/cpu/vec/driver";
import { vol2col_vec } from "#aten/native/cpu/vec/generated/vol2col/kernel";
import { type Columns, col2vol_kernel, col2vol_stub, vol2col_kernel, vol2col_stub } from "#aten/native/cpu/vol2col";
import { CPUCapability, REGISTER_ARCH_DISPATCH } from "#aten/native/DispatchStub";
import { heap_memory } from "#c10/core/CPUHeap";
import type { ScalarType } from "#c10/core/ScalarType";
import { traceCall, tracer } from "#c10/util/Trace";

type Name = "vol2col" | "col2vol";
type Lengths = [number, number, number, number, number, number, number];
type Steps = [number, number, number, number, number, number, number, number, number, number, number, number];

function lengths(c: Columns): Lengths {
  return [c.channels, c.depth, c.height, c.width, c.depth_col, c.height_col, c.width_col];
}

function steps(c: Columns): Steps {
  return [c.kT, c.kH, c.kW, c.pT, c.pH, c.pW, c.dT, c.dH, c.dW, c.dilationT, c.dilationH, c.dilationW];
}

/** Smallest number of elements in the columns for which SIMD runs. */
const FEWEST = 256;

function why_not(dtype: ScalarType, elements: number): string | null {
  if (!vol2col_vec.has(dtype)) return "no SIMD kernel for this dtype";
  if (elements < FEWEST) return `fewer than ${FEWEST} elements`;
  return heap_memory() === null ? "no heap" : null;
}

/** Runs the SIMD kernel, or `otherwise` as the fallback. */
function choose(name: Name, written: Region, read: Region, columns: Columns, otherwise: () => void): void {
  const dtype = written.tensor.dtype();
  const why = why_not(dtype, name === "vol2col" ? written.count : read.count);
  const run = why === null ? () => vectors(name, written, read, columns, otherwise) : otherwise;
  if (tracer === null) run();
  else {
    const memory = memory_of([written.tensor, read.tensor]);
    const data =
      why === null
        ? vector_loop(name, "vol2col/kernel", vol2col_vec, dtype, lengths(columns), memory)
        : default_loop(name, "vol2col", dtype, lengths(columns), why);
    traceCall("loop", data["scalar"] as string, run, [], data);
  }
}

function vectors(name: Name, written: Region, read: Region, columns: Columns, otherwise: () => void): void {
  const f = functions_of(vol2col_vec, written.tensor.dtype())[name];
  const room = with_addresses([written, read], ([to, from]) => f(to, from, ...lengths(columns), ...steps(columns)));
  if (!room) otherwise();
}

function image_region(image: Tensor, at: number, { channels, depth, height, width }: Columns): Region {
  return { tensor: image.impl_, begin: image.data_offset() + at, count: channels * depth * height * width };
}

function whole(col: Tensor): Region {
  return { tensor: col.impl_, begin: col.data_offset(), count: col.numel() };
}

const vol2col_vectors: typeof vol2col_kernel = (col, image, image_at, columns) =>
  choose("vol2col", whole(col), image_region(image, image_at, columns), columns, () =>
    vol2col_kernel(col, image, image_at, columns),
  );

const col2vol_vectors: typeof col2vol_kernel = (image, image_at, col, columns) =>
  choose("col2vol", image_region(image, image_at, columns), whole(col), columns, () =>
    col2vol_kernel(image, image_at, col, columns),
  );

REGISTER_ARCH_DISPATCH(vol2col_stub, CPUCapability.SIMD128, vol2col_vectors, "vol2col_vectors");
REGISTER_ARCH_DISPATCH(col2vol_stub, CPUCapability.SIMD128, col2vol_vectors, "col2vol_vectors");
