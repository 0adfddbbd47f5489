/**
 * @file Helpers for kernels that reduce rows and then read them again: the assignment of invocations to rows, and WGSL for
 * a reduction in workgroup memory. After it, all invocations of a row know the result.
 * @mirrors aten/src/ATen/native/cuda/block_reduce.cuh
 */
import { reduction_sizes, tuning } from "./tuning.ts";

/**
 * Number of rows in a workgroup and of lanes in a row, both powers of two; whether the lanes of a row are consecutive.
 */
export interface RowShape {
  readonly log2_rows: number;
  readonly log2_lanes: number;
  readonly side_by_side: boolean;
}

export function row_shape(rows: number, elements: number, side_by_side: boolean): RowShape {
  const { log2_outputs, log2_lanes } = reduction_sizes(rows, elements, side_by_side);
  const lanes = Math.min(log2_lanes, Math.log2(tuning().row_lanes));
  const most_rows = Math.ceil(Math.log2(Math.max(rows, 1)));
  return { log2_rows: Math.min(log2_outputs + log2_lanes - lanes, most_rows), log2_lanes: lanes, side_by_side };
}

/** Encodes `shape` as a number below 512; `shape_of` decodes it. */
export function variant_of({ log2_rows, log2_lanes, side_by_side }: RowShape): number {
  return (log2_rows * 16 + log2_lanes) * 2 + (side_by_side ? 1 : 0);
}
export function shape_of(variant: number): RowShape {
  const shape = Math.floor(variant / 2) % 256;
  return { log2_rows: Math.floor(shape / 16), log2_lanes: shape % 16, side_by_side: variant % 2 === 1 };
}

export function size_of({ log2_rows, log2_lanes }: RowShape): number {
  return 2 ** (log2_rows + log2_lanes);
}

/** Number of workgroups for `rows` rows. */
export function groups_of(shape: RowShape, rows: number): number {
  return Math.ceil(rows / 2 ** shape.log2_rows);
}

/** WGSL that defines `row`, `rx` (number of the lane within its row) and `lanes` (lanes per row). */
export function row_index({ log2_rows, log2_lanes, side_by_side }: RowShape): string {
  const rows = 2 ** log2_rows;
  const lanes = 2 ** log2_lanes;
  return `  const lanes = ${lanes}u;
  let rx = ${side_by_side ? `lane & ${lanes - 1}u` : `lane >> ${log2_rows}u`};
  let row = (group.x + group.y * groups.x) * ${rows}u + (${side_by_side ? `lane >> ${log2_lanes}u` : `lane & ${rows - 1}u`});`;
}

/** WGSL declaration of the workgroup variable that `fold_row` needs. */
export function folded_declaration(shape: RowShape, type: string): string {
  return shape.log2_lanes === 0 ? "" : `var<workgroup> folded: array<${type}, ${size_of(shape)}>;`;
}

/**
 * WGSL that replaces each lane's `acc` by the reduction over the row. `combine(a, b)` gives the WGSL that combines two
 * values. Reductions may follow each other: the first barrier of each one waits until the previous result has been
 * read.
 */
export function fold_row(shape: RowShape, acc: string, combine: (a: string, b: string) => string): string {
  const { log2_rows, log2_lanes, side_by_side } = shape;
  if (log2_lanes === 0) return "";
  const lines = ["  workgroupBarrier();", `  folded[lane] = ${acc};`];
  for (let half = 2 ** (log2_lanes - 1); half >= 1; half /= 2) {
    const other = side_by_side ? half : half * 2 ** log2_rows;
    lines.push(
      "  workgroupBarrier();",
      `  if (rx < ${half}u) {`,
      `    ${acc} = ${combine(acc, `folded[lane + ${other}u]`)};`,
      `    folded[lane] = ${acc};`,
      "  }",
    );
  }
  const first = side_by_side ? "lane - rx" : `lane & ${2 ** log2_rows - 1}u`;
  lines.push("  workgroupBarrier();", `  ${acc} = folded[${first}];`);
  return lines.join("\n");
}
