/**
 * @file Driver of the sums over neighbours of `grid_sample` in WebAssembly, called by ../../GridSamplerKernel.ts.
 * @original PyTorch's kernels are C++ and need no driver.
 * @see kernel.ts (the kernel)
 */
import { workspace } from "#aten/cpu/vec/heap";
import type { InstanceOf } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { sum_neighbours } from "#aten/native/cpu/GridSamplerKernel";
import { functions_of } from "#aten/native/cpu/vec/driver";
import { GridSamplerKernel_vec } from "#aten/native/cpu/vec/generated/grid_sampler/kernel";
import { type RowLoop, type Rows, takes_rows, told_of_rows } from "#aten/native/cpu/vec/row_driver";
import { heap_memory } from "#c10/core/CPUHeap";
import { elementSize, ScalarType } from "#c10/core/ScalarType";
import type { TraceData } from "#c10/util/Trace";

/**
 * Positions and weights of the neighbours of a tile (place p has them up to `ends[p]`), and the function that sums
 * them.
 */
export interface NeighbourSums {
  readonly ends: Int32Array;
  readonly from: Int32Array;
  readonly shares: Float32Array | Float64Array;
  readonly run: InstanceOf<typeof sum_neighbours>;
}

function rows_of(output: Tensor, input: Tensor): Rows {
  return { n: output.numel(), tensors: [output.impl_, input.impl_] };
}

/** Scratch memory of a tile in bytes: shares, places, ends. */
function room_for(output: Tensor, places: number, most: number): number {
  return workspace(places * (4 + most * (4 + output.itemsize())));
}

/**
 * Sums for tiles of up to `places` places with `most` neighbours each; null if JavaScript must do it. Precondition:
 * nothing is allocated until all tiles are done.
 */
export function neighbour_sums_of(output: Tensor, input: Tensor, places: number, most: number): NeighbourSums | null {
  if (!takes_rows(GridSamplerKernel_vec, rows_of(output, input))) return null;
  const dtype = output.scalar_type();
  const size = elementSize(dtype);
  const room = room_for(output, places, most);
  if (room === 0) return null;
  const buffer = (heap_memory() as WebAssembly.Memory).buffer as ArrayBuffer;
  const shares = new (dtype === ScalarType.Float ? Float32Array : Float64Array)(buffer, room, places * most);
  const from = new Int32Array(buffer, shares.byteOffset + shares.byteLength, places * most);
  const ends = new Int32Array(buffer, from.byteOffset + from.byteLength, places);
  const kernel = functions_of(GridSamplerKernel_vec, dtype).sum_neighbours;
  const run: NeighbourSums["run"] = (_out, to, between, _x, x, plane, channels, _ends, _from, _shares, n) =>
    kernel(
      to * size,
      between * size,
      x * size,
      plane * size,
      channels,
      ends.byteOffset,
      from.byteOffset,
      shares.byteOffset,
      n,
    );
  return { ends, from, shares, run };
}

const loop: RowLoop = {
  modules: GridSamplerKernel_vec,
  symbol: "sum_neighbours",
  file: "grid_sampler/kernel",
  plain: ["sum_neighbours", "GridSamplerKernel"],
};

/**
 * Trace event of these sums. `taps` is the number of taps along each dim; four means a cubic curve, which is not
 * computed as one sum.
 */
export function told_of_neighbour_sums(output: Tensor, input: Tensor, taps: number): TraceData {
  const rows = rows_of(output, input);
  if (taps !== 4)
    return told_of_rows(loop, rows, output.sizes(), room_for(output, 1, 1) === 0 ? "no scratch memory" : null);
  return told_of_rows({ ...loop, plain: ["grid_sample_cubic", "GridSamplerKernel"] }, rows, output.sizes(), "cubic");
}
