/**
 * @file A launch on a device, as walkthroughs/webgpu.ts keeps it for figures.
 * @original
 */
export interface Launch {
  readonly name: string;
  readonly grid: readonly number[];
  readonly workgroup_size: readonly number[];
  /** The kernel's parameters by their names. */
  readonly params: Readonly<Record<string, number>>;
  readonly wgsl: string;
}
