/**
 * @file Memory formats: row-major, or channels last. Helpers that compute the strides and recognise them.
 * @mirrors c10/core/MemoryFormat.h
 */
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

export const MemoryFormat = { Contiguous: 0, Preserve: 1, ChannelsLast: 2, ChannelsLast3d: 3 } as const;
export type MemoryFormat = (typeof MemoryFormat)[keyof typeof MemoryFormat];

const names: readonly string[] = Object.keys(MemoryFormat);

export function toString(memory_format: MemoryFormat): string {
  const name = names[memory_format];
  TORCH_CHECK(name !== undefined, "Unknown memory format ", memory_format);
  return name;
}

export function get_contiguous_memory_format(): MemoryFormat {
  return MemoryFormat.Contiguous;
}

/** Strides in elements for dims visited in `order`, fastest first. */
function stridesInOrder(sizes: readonly number[], order: readonly number[]): number[] {
  const strides = new Array<number>(sizes.length);
  let step = 1;
  for (const d of order) {
    strides[d] = step;
    step *= sizes[d];
  }
  return strides;
}

/** (N, C, H, W) or (C, H, W): C fastest, then W, H, N. */
export function get_channels_last_strides_2d(sizes: readonly number[]): number[] {
  if (sizes.length === 4) return stridesInOrder(sizes, [1, 3, 2, 0]);
  if (sizes.length === 3) return stridesInOrder(sizes, [0, 2, 1]);
  TORCH_INTERNAL_ASSERT(false, "ChannelsLast2d doesn't support size ", sizes.length);
}

/** (N, C, D, H, W) or (C, D, H, W): C fastest, then W, H, D, N. */
export function get_channels_last_strides_3d(sizes: readonly number[]): number[] {
  if (sizes.length === 5) return stridesInOrder(sizes, [1, 4, 3, 2, 0]);
  if (sizes.length === 4) return stridesInOrder(sizes, [0, 3, 2, 1]);
  TORCH_INTERNAL_ASSERT(false, "ChannelsLast3d doesn't support size ", sizes.length);
}

// Note [Ambiguous is_channels_last_strides]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The stride of a size-1 dim says nothing, so one list of strides can be read as row-major and as channels last. These
// rules decide: every stride must be at least the extent of the faster dims before it. If H and W have size 1 and N's
// stride equals C's, the tensor is read as a row-major `N111`, not as channels last. An expanded C (stride 0) is never
// channels last.
function isChannelsLast(sizes: readonly number[], strides: readonly number[], order: readonly number[]): boolean {
  const channelStride = strides[1];
  if (channelStride === 0) return false;
  let min = 0;
  for (const d of order) {
    const size = sizes[d];
    const stride = strides[d];
    if (size === 0) return false;
    if (stride < min) return false;
    if (d === 0 && min === channelStride) return false;
    min = size > 1 ? stride * size : stride;
  }
  return true;
}

const order2d = [1, 3, 2, 0] as const;
const order3d = [1, 4, 3, 2, 0] as const;

/** Whether the strides are channels last. Only a 4-d tensor can be; a 3-d one is ambiguous. */
export function is_channels_last_strides_2d(sizes: readonly number[], strides: readonly number[]): boolean {
  return sizes.length === 4 && isChannelsLast(sizes, strides, order2d);
}

export function is_channels_last_strides_3d(sizes: readonly number[], strides: readonly number[]): boolean {
  return sizes.length === 5 && isChannelsLast(sizes, strides, order3d);
}
