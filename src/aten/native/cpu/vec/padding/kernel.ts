/**
 * @file Kernel of padding that reads from the tensor itself, like `pad_gather` of ../../PaddingKernel.ts. Values are
 * only moved: the float32 module moves any dtype of four bytes, the float64 module any dtype of eight.
 * @mirrors aten/src/ATen/native/cpu/PaddingKernel.cpp
 * @see driver.ts (the caller)
 * @vec PaddingKernel: float32, float64
 */
import { copy, type int, load_int, load_one, type ptr, type scalar_t, sizeof, store_one } from "#aten/cpu/vec/Vec";

/** Copies elements of a line to `to`; the table of `n` int32 gives their positions. @inline */
function pick(to: ptr, line: ptr, table: ptr, n: int): void {
  for (let w = 0; w < n; w++)
    store_one(to + w * sizeof<scalar_t>(), load_one(line + load_int(table + w * 4) * sizeof<scalar_t>()));
}

/**
 * Pads contiguous volumes of `height` by `width`. Tables give the positions to read along depth, height and width. In a
 * line, the first `before` elements are read one by one; the next `middle` elements are contiguous.
 * @parameters Note [Parameters of a vector kernel] in Vec.ts.
 */
export function pad_gather(
  to: ptr,
  from: ptr,
  volumes: int,
  volume: int,
  depths: ptr,
  depth_count: int,
  heights: ptr,
  height_count: int,
  widths: ptr,
  width_count: int,
  before: int,
  middle: int,
  height: int,
  width: int,
): void {
  const size = sizeof<scalar_t>();
  for (let v = 0; v < volumes; v++) {
    for (let d = 0; d < depth_count; d++) {
      const plane = from + load_int(depths + d * 4) * height * width * size;
      for (let h = 0; h < height_count; h++) {
        const line = plane + load_int(heights + h * 4) * width * size;
        pick(to, line, widths, before);
        if (middle > 0) copy(to + before * size, line + load_int(widths + before * 4) * size, middle * size);
        const behind = before + middle;
        pick(to + behind * size, line, widths + behind * 4, width_count - behind);
        to += width_count * size;
      }
    }
    from += volume;
  }
}
