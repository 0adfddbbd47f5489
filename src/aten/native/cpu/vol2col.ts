/**
 * @file Kernels of vol2col and col2vol: volumes to columns, one for each place of the kernel, and back.
 * @mirrors aten/src/ATen/native/vol2col.h
 * @differs Ours treats images as volumes of depth 1; PyTorch has im2col.h for images.
 */
import { AT_DISPATCH, type captured, cast, type data, load, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { DEFINE_DISPATCH, REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { col2vol_instances, vol2col_instances } from "./generated/vol2col.ts";

/**
 * Geometry of the columns: row (c, kt, kh, kw) and column (t, h, w) hold the volume's element under kernel position
 * (kt, kh, kw) at place (t, h, w).
 */
export interface Columns {
  readonly channels: number;
  readonly depth: number;
  readonly height: number;
  readonly width: number;
  readonly depth_col: number;
  readonly height_col: number;
  readonly width_col: number;
  readonly kT: number;
  readonly kH: number;
  readonly kW: number;
  readonly pT: number;
  readonly pH: number;
  readonly pW: number;
  readonly dT: number;
  readonly dH: number;
  readonly dW: number;
  readonly dilationT: number;
  readonly dilationH: number;
  readonly dilationW: number;
}

/**
 * Number of values below `limit` among `count` values `from`, `from + by`, ...
 * @template vol2col: all types and halves
 */
export function steps_below(from: number, by: number, limit: number, count: number): number {
  return from >= limit ? 0 : Math.min(count, Math.ceil((limit - from) / by));
}

/** Both are contiguous and start at `vol_at` and `col_at`. @template vol2col: all types and halves */
export function vol2col(
  data_col: data<scalar_t>,
  col_at: number,
  data_vol: data<scalar_t>,
  vol_at: number,
  columns: captured<Columns>,
): void {
  const channels = cast<number>(columns.channels);
  const depth = cast<number>(columns.depth);
  const height = cast<number>(columns.height);
  const width = cast<number>(columns.width);
  const depth_col = cast<number>(columns.depth_col);
  const height_col = cast<number>(columns.height_col);
  const width_col = cast<number>(columns.width_col);
  const kT = cast<number>(columns.kT);
  const kH = cast<number>(columns.kH);
  const kW = cast<number>(columns.kW);
  const dT = cast<number>(columns.dT);
  const dH = cast<number>(columns.dH);
  const dW = cast<number>(columns.dW);
  let to = col_at;
  for (let c = 0; c < channels; c++) {
    for (let kt = 0; kt < kT; kt++) {
      const from_t = kt * cast<number>(columns.dilationT) - cast<number>(columns.pT);
      for (let kh = 0; kh < kH; kh++) {
        const from_h = kh * cast<number>(columns.dilationH) - cast<number>(columns.pH);
        for (let kw = 0; kw < kW; kw++) {
          const from_w = kw * cast<number>(columns.dilationW) - cast<number>(columns.pW);
          const first = steps_below(from_w, dW, 0, width_col);
          const last = steps_below(from_w, dW, width, width_col);
          for (let t = 0; t < depth_col; t++) {
            const it = from_t + t * dT;
            for (let h = 0; h < height_col; h++) {
              const ih = from_h + h * dH;
              const end = to + width_col;
              if (it >= 0 && it < depth && ih >= 0 && ih < height) {
                const begin = to + first;
                const edge = to + last;
                let from = vol_at + ((c * depth + it) * height + ih) * width + from_w + first * dW;
                for (; to < begin; to++) store(data_col, to, 0);
                for (; to < edge; to++) {
                  store(data_col, to, load(data_vol, from));
                  from += dW;
                }
              }
              for (; to < end; to++) store(data_col, to, 0);
            }
          }
        }
      }
    }
  }
}

/**
 * Adds every element of the columns to the element of the volume that it came from.
 * @template col2vol: all types and halves
 */
export function col2vol(
  data_vol: data<scalar_t>,
  vol_at: number,
  data_col: data<scalar_t>,
  col_at: number,
  columns: captured<Columns>,
): void {
  const channels = cast<number>(columns.channels);
  const depth = cast<number>(columns.depth);
  const height = cast<number>(columns.height);
  const width = cast<number>(columns.width);
  const depth_col = cast<number>(columns.depth_col);
  const height_col = cast<number>(columns.height_col);
  const width_col = cast<number>(columns.width_col);
  const kT = cast<number>(columns.kT);
  const kH = cast<number>(columns.kH);
  const kW = cast<number>(columns.kW);
  const dT = cast<number>(columns.dT);
  const dH = cast<number>(columns.dH);
  const dW = cast<number>(columns.dW);
  let from = col_at;
  for (let c = 0; c < channels; c++) {
    for (let kt = 0; kt < kT; kt++) {
      const from_t = kt * cast<number>(columns.dilationT) - cast<number>(columns.pT);
      for (let kh = 0; kh < kH; kh++) {
        const from_h = kh * cast<number>(columns.dilationH) - cast<number>(columns.pH);
        for (let kw = 0; kw < kW; kw++) {
          const from_w = kw * cast<number>(columns.dilationW) - cast<number>(columns.pW);
          const first = steps_below(from_w, dW, 0, width_col);
          const last = steps_below(from_w, dW, width, width_col);
          for (let t = 0; t < depth_col; t++) {
            const it = from_t + t * dT;
            for (let h = 0; h < height_col; h++) {
              const ih = from_h + h * dH;
              if (it >= 0 && it < depth && ih >= 0 && ih < height) {
                let to = vol_at + ((c * depth + it) * height + ih) * width + from_w + first * dW;
                for (let w = first; w < last; w++) {
                  const sum: scalar_t = load(data_vol, to) + load(data_col, from + w);
                  store(data_vol, to, sum);
                  to += dW;
                }
              }
              from += width_col;
            }
          }
        }
      }
    }
  }
}

/** Writes the columns of the group whose image starts at element `image_at`. All are contiguous. */
export const vol2col_stub =
  DEFINE_DISPATCH<(col: Tensor, image: Tensor, image_at: number, columns: Columns) => void>("vol2col_stub");
export const col2vol_stub =
  DEFINE_DISPATCH<(image: Tensor, image_at: number, col: Tensor, columns: Columns) => void>("col2vol_stub");

export function vol2col_kernel(col: Tensor, image: Tensor, image_at: number, columns: Columns): void {
  const write = AT_DISPATCH(vol2col_instances, image.scalar_type());
  write(col.data_view(), col.data_offset(), image.data_view(), image.data_offset() + image_at, columns);
}

export function col2vol_kernel(image: Tensor, image_at: number, col: Tensor, columns: Columns): void {
  const add = AT_DISPATCH(col2vol_instances, image.scalar_type());
  add(image.data_view(), image.data_offset() + image_at, col.data_view(), col.data_offset(), columns);
}

REGISTER_DEFAULT_DISPATCH(vol2col_stub, vol2col_kernel, "vol2col_kernel");
REGISTER_DEFAULT_DISPATCH(col2vol_stub, col2vol_kernel, "col2vol_kernel");
