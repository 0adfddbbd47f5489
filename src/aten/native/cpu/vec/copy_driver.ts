/**
 * @file Tiles of elements that are no neighbours, copied: from tensor to tensor, or to where a loop of vectors has them side by side, and back.
 * @original In C++ a loop reads elements wherever they lie.
 * @see CopyKernel.ts (the kernel)
 */
import { in_heap } from "#aten/cpu/vec/heap";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { elementSize, ScalarType } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl";
import { functions_of } from "./driver.ts";
import { CopyKernel_vec } from "./generated/CopyKernel.ts";

/** An address, and how far it is from element to element and from row to row: in bytes. */
export type Tile = readonly [begin: number, inner: number, outer: number];

/** `m` rows of `n` elements of `size` bytes. Precondition: there is a heap. */
export function copy_tile(to: Tile, from: Tile, n: number, m: number, size: number): void {
  const { copy_tile: run } = functions_of(CopyKernel_vec, size === 8 ? ScalarType.Double : ScalarType.Float);
  // Lines go along the dim in which elements are less far apart.
  if (m === 1 || Math.abs(from[1]) <= Math.abs(from[2])) run(...to, ...from, n, m, size);
  else run(to[0], to[2], to[1], from[0], from[2], from[1], m, n, size);
}

/** Some of a tensor's elements: the first, and how far it is from element to element and from row to row, in elements. */
export interface Part {
  readonly tensor: TensorImpl;
  readonly first: number;
  readonly inner: number;
  readonly outer: number;
}

/** `m` rows of `n` elements between tensors of one dtype. False, and nothing was done, where JavaScript has to do it. */
export function copy_part(to: Part, from: Part, n: number, m: number): boolean {
  if (get_cpu_capability() === CPUCapability.DEFAULT || !in_heap(to.tensor) || !in_heap(from.tensor)) return false;
  const size = elementSize(to.tensor.dtype());
  const tile_of = ({ tensor, first, inner, outer }: Part): Tile => [
    (tensor.data_offset() + first) * size,
    inner * size,
    outer * size,
  ];
  copy_tile(tile_of(to), tile_of(from), n, m, size);
  return true;
}
