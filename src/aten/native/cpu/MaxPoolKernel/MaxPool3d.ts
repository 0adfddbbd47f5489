/**
 * @file Kernels of max pooling of volumes (windows, adaptive, fractional), and of max unpooling.
 * @mirrors aten/src/ATen/native/cpu/MaxPoolKernel.cpp
 */
import {
  AT_DISPATCH,
  type captured,
  cast,
  type data,
  type int32,
  type int64,
  load,
  lower_bound,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { adaptive_max_pool_kernel } from "#aten/native/AdaptiveMaxPooling2d";
import {
  adaptive_max_pool_instances,
  fractional_max_pool_instances,
  max_pool3d_instances,
  max_unpool_instances,
} from "#aten/native/cpu/generated/MaxPoolKernel/MaxPool3d";
import { max_pool3d_kernel } from "#aten/native/DilatedMaxPool3d";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { fractional_max_pool_kernel, type Window } from "#aten/native/FractionalMaxPooling";
import { max_unpool_kernel } from "#aten/native/MaxUnpooling";
import type { Volumes, Window3d } from "#aten/native/Pool/Pool3d";

/** NaN counts as the maximum. @template max_pool3d: all types and halves */
export function max_pool3d(
  output: data<scalar_t>,
  output_at: number,
  indices: data<int64>,
  indices_at: number,
  input: data<scalar_t>,
  input_at: number,
  window: captured<Window3d>,
  volumes: captured<Volumes>,
): void {
  const T = cast<number>(volumes.T);
  const H = cast<number>(volumes.H);
  const W = cast<number>(volumes.W);
  const dilationT = cast<number>(window.dilationT);
  const dilationH = cast<number>(window.dilationH);
  const dilationW = cast<number>(window.dilationW);
  let to = 0;
  for (let p = 0; p < cast<number>(volumes.planes); p++) {
    const plane = input_at + p * T * H * W;
    for (let ot = 0; ot < cast<number>(volumes.oT); ot++) {
      let t0 = ot * cast<number>(window.dT) - cast<number>(window.padT);
      const t1 = Math.min(t0 + (cast<number>(window.kT) - 1) * dilationT + 1, T);
      while (t0 < 0) t0 += dilationT;
      for (let oh = 0; oh < cast<number>(volumes.oH); oh++) {
        let h0 = oh * cast<number>(window.dH) - cast<number>(window.padH);
        const h1 = Math.min(h0 + (cast<number>(window.kH) - 1) * dilationH + 1, H);
        while (h0 < 0) h0 += dilationH;
        for (let ow = 0; ow < cast<number>(volumes.oW); ow++) {
          let w0 = ow * cast<number>(window.dW) - cast<number>(window.padW);
          const w1 = Math.min(w0 + (cast<number>(window.kW) - 1) * dilationW + 1, W);
          while (w0 < 0) w0 += dilationW;
          let best: scalar_t = lower_bound<scalar_t>();
          let index = (t0 * H + h0) * W + w0;
          for (let t = t0; t < t1; t += dilationT) {
            for (let h = h0; h < h1; h += dilationH) {
              for (let w = w0; w < w1; w += dilationW) {
                const at = (t * H + h) * W + w;
                const v: scalar_t = load(input, plane + at);
                if (v > best || v !== v) {
                  best = v;
                  index = at;
                }
              }
            }
          }
          store(output, output_at + to, best);
          store(indices, indices_at + to, cast<int64>(index));
          to++;
        }
      }
    }
  }
}

/** Part i of n covers [floor(i L / n), ceil((i + 1) L / n)). @template adaptive_max_pool: floating types and halves */
export function adaptive_max_pool(
  output: data<scalar_t>,
  output_at: number,
  indices: data<int64>,
  indices_at: number,
  input: data<scalar_t>,
  input_at: number,
  volumes: captured<Volumes>,
): void {
  const T = cast<number>(volumes.T);
  const H = cast<number>(volumes.H);
  const W = cast<number>(volumes.W);
  const oT = cast<number>(volumes.oT);
  const oH = cast<number>(volumes.oH);
  const oW = cast<number>(volumes.oW);
  let to = 0;
  for (let p = 0; p < cast<number>(volumes.planes); p++) {
    const plane = input_at + p * T * H * W;
    for (let ot = 0; ot < oT; ot++) {
      const t0 = Math.floor((ot * T) / oT);
      const t1 = Math.ceil(((ot + 1) * T) / oT);
      for (let oh = 0; oh < oH; oh++) {
        const h0 = Math.floor((oh * H) / oH);
        const h1 = Math.ceil(((oh + 1) * H) / oH);
        for (let ow = 0; ow < oW; ow++) {
          const w0 = Math.floor((ow * W) / oW);
          const w1 = Math.ceil(((ow + 1) * W) / oW);
          let best: scalar_t = lower_bound<scalar_t>();
          let index = (t0 * H + h0) * W + w0;
          for (let t = t0; t < t1; t++) {
            for (let h = h0; h < h1; h++) {
              for (let w = w0; w < w1; w++) {
                const at = (t * H + h) * W + w;
                const v: scalar_t = load(input, plane + at);
                if (v > best || v !== v) {
                  best = v;
                  index = at;
                }
              }
            }
          }
          store(output, output_at + to, best);
          store(indices, indices_at + to, cast<int64>(index));
          to++;
        }
      }
    }
  }
}

/**
 * `starts` holds, for each plane, the starts of windows along depth, height and width.
 * @template fractional_max_pool: floating types and halves
 */
export function fractional_max_pool(
  output: data<scalar_t>,
  output_at: number,
  indices: data<int64>,
  indices_at: number,
  input: data<scalar_t>,
  input_at: number,
  starts: data<int32>,
  window: captured<Window>,
  volumes: captured<Volumes>,
): void {
  const T = cast<number>(volumes.T);
  const H = cast<number>(volumes.H);
  const W = cast<number>(volumes.W);
  const oT = cast<number>(volumes.oT);
  const oH = cast<number>(volumes.oH);
  const oW = cast<number>(volumes.oW);
  let to = 0;
  for (let p = 0; p < cast<number>(volumes.planes); p++) {
    const plane = input_at + p * T * H * W;
    const depths = p * (oT + oH + oW);
    for (let ot = 0; ot < oT; ot++) {
      const t0 = cast<number>(load(starts, depths + ot));
      for (let oh = 0; oh < oH; oh++) {
        const h0 = cast<number>(load(starts, depths + oT + oh));
        for (let ow = 0; ow < oW; ow++) {
          const w0 = cast<number>(load(starts, depths + oT + oH + ow));
          let best: scalar_t = lower_bound<scalar_t>();
          let index = (t0 * H + h0) * W + w0;
          for (let t = t0; t < t0 + cast<number>(window.kT); t++) {
            for (let h = h0; h < h0 + cast<number>(window.kH); h++) {
              for (let w = w0; w < w0 + cast<number>(window.kW); w++) {
                const at = (t * H + h) * W + w;
                const v: scalar_t = load(input, plane + at);
                if (v > best || v !== v) {
                  best = v;
                  index = at;
                }
              }
            }
          }
          store(output, output_at + to, best);
          store(indices, indices_at + to, cast<int64>(index));
          to++;
        }
      }
    }
  }
}

/** Returns the position of the first wrong index, or -1. @template max_unpool: floating types and halves */
export function max_unpool(
  output: data<scalar_t>,
  output_at: number,
  input: data<scalar_t>,
  input_at: number,
  indices: data<int64>,
  indices_at: number,
  planes: number,
  places: number,
  elements: number,
): number {
  for (let p = 0; p < planes; p++) {
    for (let i = 0; i < elements; i++) {
      const from = p * elements + i;
      const index = cast<number>(load(indices, indices_at + from));
      if (index < 0 || index >= places) return indices_at + from;
      store(output, output_at + p * places + index, load(input, input_at + from));
    }
  }
  return -1;
}

function max_pool3d_kernel_impl(
  output: Tensor,
  indices: Tensor,
  input: Tensor,
  window: Window3d,
  volumes: Volumes,
): void {
  // biome-ignore format: one operand group per line
  AT_DISPATCH(max_pool3d_instances, input.scalar_type())(
    output.data_view(), output.data_offset(),
    indices.data_view(), indices.data_offset(),
    input.data_view(), input.data_offset(),
    window, volumes,
  );
}

function adaptive_max_pool_kernel_impl(output: Tensor, indices: Tensor, input: Tensor, volumes: Volumes): void {
  // biome-ignore format: one operand group per line
  AT_DISPATCH(adaptive_max_pool_instances, input.scalar_type())(
    output.data_view(), output.data_offset(),
    indices.data_view(), indices.data_offset(),
    input.data_view(), input.data_offset(),
    volumes,
  );
}

function fractional_max_pool_kernel_impl(
  output: Tensor,
  indices: Tensor,
  input: Tensor,
  starts: Int32Array,
  window: Window,
  volumes: Volumes,
): void {
  // biome-ignore format: one operand group per line
  AT_DISPATCH(fractional_max_pool_instances, input.scalar_type())(
    output.data_view(), output.data_offset(),
    indices.data_view(), indices.data_offset(),
    input.data_view(), input.data_offset(),
    starts, window, volumes,
  );
}

function max_unpool_kernel_impl(output: Tensor, input: Tensor, indices: Tensor, planes: number): number | null {
  // biome-ignore format: one operand group per line
  const wrong = AT_DISPATCH(max_unpool_instances, input.scalar_type())(
    output.data_view(), output.data_offset(),
    input.data_view(), input.data_offset(),
    indices.data_view(), indices.data_offset(),
    planes, output.numel() / planes, input.numel() / planes,
  );
  return wrong === -1 ? null : Number(indices.data_view()[wrong]);
}

REGISTER_DEFAULT_DISPATCH(max_pool3d_kernel, max_pool3d_kernel_impl, "max_pool3d_kernel_impl");
REGISTER_DEFAULT_DISPATCH(adaptive_max_pool_kernel, adaptive_max_pool_kernel_impl, "adaptive_max_pool_kernel_impl");
REGISTER_DEFAULT_DISPATCH(
  fractional_max_pool_kernel,
  fractional_max_pool_kernel_impl,
  "fractional_max_pool_kernel_impl",
);
REGISTER_DEFAULT_DISPATCH(max_unpool_kernel, max_unpool_kernel_impl, "max_unpool_kernel_impl");
