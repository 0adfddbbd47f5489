/**
 * @file WGSL for kernels whose operands have strides: the index of an element is split into one index per dimension,
 * the fastest first. The position in an operand is the sum of index times stride.
 * @mirrors aten/src/ATen/cuda/detail/OffsetCalculator.cuh
 * @see jit_utils.ts (the same for scalar functions)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import { folded, type OperandView } from "./KernelText.ts";
import { device_memory } from "./Loops.ts";

/** Number of invocations in a workgroup of such a kernel. */
export const STRIDED_WORKGROUP = 64;

/** Number of workgroups, in x and y, for one invocation per element. */
export function strided_groups(n: number): [x: number, y: number] {
  return folded(Math.ceil(n / STRIDED_WORKGROUP));
}

/** Fields `n`, all sizes except the slowest, and the strides of each operand; `strided_values` gives their values. */
export function strided_fields(rank: number, operands: readonly string[]): string[] {
  const out = ["n: u32"];
  for (let d = 0; d + 1 < rank; d++) out.push(`size${d}: u32`);
  for (const name of operands) for (let d = 0; d < rank; d++) out.push(`${name}_stride${d}: u32`);
  return out;
}

export function strided_values(n: number, sizes: readonly number[], strides: readonly (readonly number[])[]): number[] {
  return [n, ...sizes.slice(0, -1), ...strides.flat()];
}

/** WGSL that defines `i`, the element's number, and `i0`, `i1`, ... Invocations beyond the last element return. */
export function strided_indices(rank: number): string {
  const lines = [
    `  let i = (group.x + group.y * groups.x) * ${STRIDED_WORKGROUP}u + lane;`,
    "  if (i >= p.n) {",
    "    return;",
    "  }",
  ];
  let rest = "i";
  for (let d = 0; d + 1 < rank; d++) {
    lines.push(`  let i${d} = ${rest} % p.size${d};`, `  let r${d} = ${rest} / p.size${d};`);
    rest = `r${d}`;
  }
  if (rank > 0) lines.push(`  let i${rank - 1} = ${rest};`);
  return lines.join("\n");
}

/** WGSL for the position of the element in an operand. */
export function strided_offset(rank: number, operand: string): string {
  if (rank === 0) return "0u";
  return Array.from({ length: rank }, (_, d) => `i${d} * p.${operand}_stride${d}`).join(" + ");
}

/** Operand `k` of an iterator. `beyond` is the number of elements that the kernel may access beyond the iteration. */
export function operand_view(iter: TensorIteratorBase, k: number, beyond = 0): OperandView {
  const op = iter.operand(k);
  const shape = iter.shape();
  const strides = iter.strides(k);
  let above = 1 + beyond;
  let below = 0;
  for (let d = 0; d < shape.length; d++) {
    if (strides[d] < 0) below -= (shape[d] - 1) * strides[d];
    else above += (shape[d] - 1) * strides[d];
  }
  return { memory: device_memory(op), dtype: op.current_dtype, offset: op.offset, below, above };
}

/** Sizes of a tensor, the fastest dimension first. */
export function reversed_sizes(t: Tensor): number[] {
  return t.sizes().toReversed();
}
export function reversed_strides(t: Tensor): number[] {
  return t.strides().toReversed();
}
