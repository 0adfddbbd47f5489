/**
 * @file Helper that packs the columns of an image for a matrix product. The `@vec` files of this folder import it; it
 * is compiled into their modules.
 * @mirrors aten/src/ATen/native/im2col.h
 * @differs Ours packs pixels strip by strip and never writes all columns; PyTorch writes them all, or calls oneDNN,
 * which reads pixels.
 * @see blas/kernel.ts#conv2d
 */
import { type int, load, load_one, type ptr, type scalar_t, sizeof, store, store_one } from "#aten/cpu/vec/Vec";

/**
 * Packs `places` places, from (h, w) on, into strips of 32 bytes, term after term of `channels` channels; the rest of the
 * last strip is zeros. The number for term (channel, y, x) and place (h, w) is `channel * plane + y * down + x * right
 * + h * strideH + w * strideW` bytes after the start of the image, which includes its margin. Lines of places are
 * `width` long.
 * @parameters Note [Parameters of a vector kernel] in Vec.ts.
 * @inline
 */
export function pack_pixels(
  to: ptr,
  image: ptr,
  channels: int,
  plane: int,
  kH: int,
  kW: int,
  down: int,
  right: int,
  strideH: int,
  strideW: int,
  places: int,
  width: int,
  h: int,
  w: int,
): void {
  const WIDTH = 32;
  const lanes_of_strip = WIDTH >> (sizeof<scalar_t>() === 4 ? 2 : 3);
  for (let j = 0; j < places; j += lanes_of_strip) {
    if (strideW === sizeof<scalar_t>() && w + lanes_of_strip <= width && j + lanes_of_strip <= places) {
      let channel = image + h * strideH + w * strideW;
      for (let c = 0; c < channels; c++) {
        let line = channel;
        for (let y = 0; y < kH; y++) {
          let from = line;
          for (let x = 0; x < kW; x++) {
            store(to, load(from));
            store(to + 16, load(from + 16));
            to += WIDTH;
            from += right;
          }
          line += down;
        }
        channel += plane;
      }
      w += lanes_of_strip;
      if (w === width) {
        w = 0;
        h++;
      }
    } else {
      const strip = channels * kH * kW * WIDTH;
      for (let l = 0; l < lanes_of_strip; l++) {
        let p = to + l * sizeof<scalar_t>();
        if (j + l < places) {
          let channel = image + h * strideH + w * strideW;
          for (let c = 0; c < channels; c++) {
            let line = channel;
            for (let y = 0; y < kH; y++) {
              let from = line;
              for (let x = 0; x < kW; x++) {
                store_one(p, load_one(from));
                p += WIDTH;
                from += right;
              }
              line += down;
            }
            channel += plane;
          }
          w++;
          if (w === width) {
            w = 0;
            h++;
          }
        } else for (; p < to + strip; p += WIDTH) store_one(p, 0);
      }
      to += strip;
    }
  }
}
