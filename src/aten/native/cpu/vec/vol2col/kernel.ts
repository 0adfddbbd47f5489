/**
 * @file Kernels of vol2col and col2vol with SIMD: ../../vol2col.ts on addresses.
 * @mirrors aten/src/ATen/native/vol2col.h
 * @see driver.ts (the caller)
 * @vec vol2col: float32, float64
 */
import {
  copy,
  fill,
  type int,
  load,
  load_one,
  type ptr,
  type scalar_t,
  sizeof,
  store,
  store_one,
} from "#aten/cpu/vec/Vec";

// Lengths and steps are in elements, addresses in bytes. A row of columns reads `n` places of the image: `from`, `from
// + step`, and so on. Those from `first` to `last` are inside the image. Only a few are outside, because the padding is
// small.

function first_inside(from: int, step: int, n: int): int {
  let first = 0;
  for (let at = from; first < n && at < 0; first++) at += step;
  return first;
}

function last_inside(from: int, step: int, n: int, width: int, first: int): int {
  let last = n;
  for (let at = from + (n - 1) * step; last > first && at >= width; last--) at -= step;
  return last;
}

function fill_zero(to: ptr, end: ptr): void {
  for (let p = to; p < end; p += sizeof<scalar_t>()) store_one(p, 0);
}

/** Copies a row; `step` is in bytes. */
function copy_row(to: ptr, end: ptr, from: ptr, step: int): void {
  let p = to;
  let x = from;
  if (step === sizeof<scalar_t>()) {
    const vectors = to + ((end - to) & -16);
    for (; p < vectors; p += 16, x += 16) store(p, load(x));
  }
  for (; p < end; p += sizeof<scalar_t>()) {
    store_one(p, load_one(x));
    x += step;
  }
}

function add_row(to: ptr, from: ptr, end: ptr, step: int): void {
  let p = from;
  let x = to;
  if (step === sizeof<scalar_t>()) {
    const vectors = from + ((end - from) & -16);
    for (; p < vectors; p += 16, x += 16) store(x, load(x) + load(p));
  }
  for (; p < end; p += sizeof<scalar_t>()) {
    store_one(x, load_one(x) + load_one(p));
    x += step;
  }
}

/** The columns of a volume, one tap of the kernel after the other. @parameters Note [Parameters of a vector kernel] in Vec.ts. */
export function vol2col(
  data_col: ptr,
  data_vol: ptr,
  channels: int,
  depth: int,
  height: int,
  width: int,
  depth_col: int,
  height_col: int,
  width_col: int,
  kT: int,
  kH: int,
  kW: int,
  pT: int,
  pH: int,
  pW: int,
  dT: int,
  dH: int,
  dW: int,
  dilationT: int,
  dilationH: int,
  dilationW: int,
): void {
  const row = width_col * sizeof<scalar_t>();
  let to = data_col;
  for (let c = 0; c < channels; c++) {
    for (let kt = 0; kt < kT; kt++) {
      for (let kh = 0; kh < kH; kh++) {
        for (let kw = 0; kw < kW; kw++) {
          const from_w = kw * dilationW - pW;
          const first = first_inside(from_w, dW, width_col);
          const last = last_inside(from_w, dW, width_col, width, first);
          const begin = from_w + first * dW;
          let it = kt * dilationT - pT;
          for (let t = 0; t < depth_col; t++, it += dT) {
            let ih = kh * dilationH - pH;
            for (let h = 0; h < height_col; h++, ih += dH) {
              if (it >= 0 && it < depth && ih >= 0 && ih < height) {
                const inside = to + first * sizeof<scalar_t>();
                const behind = to + last * sizeof<scalar_t>();
                const from = data_vol + (((c * depth + it) * height + ih) * width + begin) * sizeof<scalar_t>();
                fill_zero(to, inside);
                copy_row(inside, behind, from, dW * sizeof<scalar_t>());
                fill_zero(behind, to + row);
              } else fill_zero(to, to + row);
              to += row;
            }
          }
        }
      }
    }
  }
}

/** Adds columns up to the volume that they come from. @parameters Note [Parameters of a vector kernel] in Vec.ts. */
export function col2vol(
  data_vol: ptr,
  data_col: ptr,
  channels: int,
  depth: int,
  height: int,
  width: int,
  depth_col: int,
  height_col: int,
  width_col: int,
  kT: int,
  kH: int,
  kW: int,
  pT: int,
  pH: int,
  pW: int,
  dT: int,
  dH: int,
  dW: int,
  dilationT: int,
  dilationH: int,
  dilationW: int,
): void {
  const row = width_col * sizeof<scalar_t>();
  let from = data_col;
  for (let c = 0; c < channels; c++) {
    for (let kt = 0; kt < kT; kt++) {
      for (let kh = 0; kh < kH; kh++) {
        for (let kw = 0; kw < kW; kw++) {
          const from_w = kw * dilationW - pW;
          const first = first_inside(from_w, dW, width_col);
          const last = last_inside(from_w, dW, width_col, width, first);
          const begin = from_w + first * dW;
          let it = kt * dilationT - pT;
          for (let t = 0; t < depth_col; t++, it += dT) {
            let ih = kh * dilationH - pH;
            for (let h = 0; h < height_col; h++, ih += dH) {
              if (it >= 0 && it < depth && ih >= 0 && ih < height) {
                const to = data_vol + (((c * depth + it) * height + ih) * width + begin) * sizeof<scalar_t>();
                const inside = from + first * sizeof<scalar_t>();
                add_row(to, inside, from + last * sizeof<scalar_t>(), dW * sizeof<scalar_t>());
              }
              from += row;
            }
          }
        }
      }
    }
  }
}

/** Copies each channel into one with a margin of zeros. `to` has `high` rows of `wide` bytes. */
export function pad_image(
  to: ptr,
  image: ptr,
  channels: int,
  height: int,
  row: int,
  high: int,
  wide: int,
  top: int,
  left: int,
): void {
  for (let c = 0; c < channels; c++) {
    fill(to, 0, high * wide);
    for (let y = 0; y < height; y++) {
      copy(to + (top + y) * wide + left, image, row);
      image += row;
    }
    to += high * wide;
  }
}
