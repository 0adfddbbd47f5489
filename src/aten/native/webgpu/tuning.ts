/**
 * @file Sizes that suit a kind of adapter. A software GPU needs other sizes than a real one: barriers are its largest
 * cost, and nothing runs in parallel except the lanes of a vector.
 * @mirrors aten/src/ATen/native/cuda/thread_constants.h
 * @original CUDA asks the card for its number of multiprocessors; WebGPU has no such query.
 */
import { get_device } from "#c10/webgpu/WebGPUFunctions";

/** Number of invocations in a workgroup that runs a scalar function. */
export const POINTWISE_WORKGROUP = 64;

export interface Tuning {
  /** Number of items per invocation that runs a scalar function: elements, or vectors of four. */
  readonly pointwise_items: number;
  /** Number of invocations in a workgroup whose invocations work together. */
  readonly workgroup: number;
  /** Largest number of invocations that share a row which is reduced and read again. */
  readonly row_lanes: number;
  /** Number of workgroups that keep the device busy. */
  readonly busy_groups: number;
  /** Smallest number of elements that an invocation should reduce before another one shares its output. */
  readonly least_elements: number;
  /** Side of the product tile that an invocation computes, and whether tiles are loaded into workgroup memory first. */
  readonly product_side: number;
  readonly product_shared: boolean;
}

/**
 * A software GPU: it has few lanes, barriers are expensive except within one vector, and an invocation costs as much as
 * ten words.
 */
const SOFTWARE: Tuning = {
  pointwise_items: 4,
  workgroup: 16,
  row_lanes: 4,
  busy_groups: 8,
  least_elements: 64,
  product_side: 8,
  product_shared: false,
};
/** Sizes of CUDA's kernels on a medium card; not measured on a WebGPU device. */
const HARDWARE: Tuning = {
  pointwise_items: 1,
  workgroup: 256,
  row_lanes: 256,
  busy_groups: 128,
  least_elements: 16,
  product_side: 8,
  product_shared: true,
};

let chosen: Tuning | null = null;

/** Selects another adapter's sizes, for tests. */
export function set_tuning(kind: "software" | "hardware" | null): void {
  chosen = kind === null ? null : kind === "software" ? SOFTWARE : HARDWARE;
}

export function tuning(): Tuning {
  if (chosen !== null) return chosen;
  return get_device().properties.is_fallback_adapter ? SOFTWARE : HARDWARE;
}

export interface ReductionSizes {
  readonly log2_outputs: number;
  readonly log2_lanes: number;
  /** Number of workgroups that share an output. */
  readonly split: number;
}

/** `fastest` is true if the reduced dim is contiguous. */
export function reduction_sizes(num_outputs: number, num_inputs: number, fastest: boolean): ReductionSizes {
  const { workgroup, busy_groups, least_elements } = tuning();
  const log2_workgroup = Math.log2(workgroup);
  // Lanes follow a contiguous dim. Otherwise there is more than one lane per output only if there are too few outputs
  // to keep the device busy.
  const wanted = fastest
    ? Math.ceil(num_inputs / 4)
    : num_outputs >= workgroup * busy_groups
      ? 1
      : Math.ceil(num_inputs / least_elements);
  const log2_lanes = Math.min(log2_workgroup, Math.max(0, Math.ceil(Math.log2(Math.max(wanted, 1)))));
  const log2_outputs = Math.min(log2_workgroup - log2_lanes, Math.ceil(Math.log2(Math.max(num_outputs, 1))));
  const groups = Math.ceil(num_outputs / 2 ** log2_outputs);
  const possible = Math.floor(num_inputs / (least_elements * 2 ** log2_lanes));
  const split = groups >= busy_groups ? 1 : Math.max(1, Math.min(possible, Math.floor(busy_groups / groups)));
  return { log2_outputs, log2_lanes, split };
}

/** Tile for a result with `elements` elements. Small results get small tiles, so that all invocations have work. */
export function product_tile(elements: number): { side: number; shared: boolean } {
  const { product_side, product_shared, busy_groups, workgroup } = tuning();
  let side = product_side;
  while (side > 2 && elements / (side * side) < busy_groups * Math.min(workgroup, 16)) side /= 2;
  return { side, shared: product_shared && side === product_side };
}
