/**
 * @file Kernels of average pooling of volumes.
 * @mirrors aten/src/ATen/native/cpu/AvgPoolKernel.cpp
 */
import { AT_DISPATCH, type captured, cast, type data, load, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { Divisor } from "#aten/native/AveragePool2d";
import { avg_pool3d_backward_kernel, avg_pool3d_kernel } from "#aten/native/AveragePool3d";
import {
  avg_pool3d_backward_instances,
  avg_pool3d_instances,
} from "#aten/native/cpu/generated/AvgPoolKernel/AvgPool3d";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import type { Volumes, Window3d } from "#aten/native/Pool/Pool3d";

/** @template avg_pool3d_out_frame: floating types, Long */
export function avg_pool3d(
  output: data<scalar_t>,
  output_at: number,
  input: data<scalar_t>,
  input_at: number,
  window: captured<Window3d>,
  volumes: captured<Volumes>,
  divisor: captured<Divisor>,
): void {
  const T = cast<number>(volumes.T);
  const H = cast<number>(volumes.H);
  const W = cast<number>(volumes.W);
  const padT = cast<number>(window.padT);
  const padH = cast<number>(window.padH);
  const padW = cast<number>(window.padW);
  const override = cast<number>(divisor.divisor_override);
  let to = output_at;
  for (let p = 0; p < cast<number>(volumes.planes); p++) {
    for (let ot = 0; ot < cast<number>(volumes.oT); ot++) {
      const begin_t = ot * cast<number>(window.dT) - padT;
      const end_t = Math.min(begin_t + cast<number>(window.kT), T + padT);
      const t0 = Math.max(begin_t, 0);
      const t1 = Math.min(end_t, T);
      for (let oh = 0; oh < cast<number>(volumes.oH); oh++) {
        const begin_h = oh * cast<number>(window.dH) - padH;
        const end_h = Math.min(begin_h + cast<number>(window.kH), H + padH);
        const h0 = Math.max(begin_h, 0);
        const h1 = Math.min(end_h, H);
        for (let ow = 0; ow < cast<number>(volumes.oW); ow++) {
          const begin_w = ow * cast<number>(window.dW) - padW;
          const end_w = Math.min(begin_w + cast<number>(window.kW), W + padW);
          const w0 = Math.max(begin_w, 0);
          const w1 = Math.min(end_w, W);
          let count = (t1 - t0) * (h1 - h0) * (w1 - w0);
          if (override !== 0) count = override;
          else if (divisor.count_include_pad) count = (end_t - begin_t) * (end_h - begin_h) * (end_w - begin_w);
          let sum: scalar_t = 0;
          for (let t = t0; t < t1; t++) {
            for (let h = h0; h < h1; h++) {
              const row = input_at + ((p * T + t) * H + h) * W;
              for (let w = w0; w < w1; w++) sum += load(input, row + w);
            }
          }
          if (t0 >= t1 || h0 >= h1 || w0 >= w1) store(output, to, 0);
          else store(output, to, sum / cast<scalar_t>(count));
          to++;
        }
      }
    }
  }
}

/** @template avg_pool3d_backward_out_frame: floating types, Long */
export function avg_pool3d_backward(
  grad_input: data<scalar_t>,
  input_at: number,
  grad_output: data<scalar_t>,
  output_at: number,
  window: captured<Window3d>,
  volumes: captured<Volumes>,
  divisor: captured<Divisor>,
): void {
  const T = cast<number>(volumes.T);
  const H = cast<number>(volumes.H);
  const W = cast<number>(volumes.W);
  const padT = cast<number>(window.padT);
  const padH = cast<number>(window.padH);
  const padW = cast<number>(window.padW);
  const override = cast<number>(divisor.divisor_override);
  let from = output_at;
  for (let p = 0; p < cast<number>(volumes.planes); p++) {
    for (let ot = 0; ot < cast<number>(volumes.oT); ot++) {
      const begin_t = ot * cast<number>(window.dT) - padT;
      const end_t = Math.min(begin_t + cast<number>(window.kT), T + padT);
      const t0 = Math.max(begin_t, 0);
      const t1 = Math.min(end_t, T);
      for (let oh = 0; oh < cast<number>(volumes.oH); oh++) {
        const begin_h = oh * cast<number>(window.dH) - padH;
        const end_h = Math.min(begin_h + cast<number>(window.kH), H + padH);
        const h0 = Math.max(begin_h, 0);
        const h1 = Math.min(end_h, H);
        for (let ow = 0; ow < cast<number>(volumes.oW); ow++) {
          const begin_w = ow * cast<number>(window.dW) - padW;
          const end_w = Math.min(begin_w + cast<number>(window.kW), W + padW);
          const w0 = Math.max(begin_w, 0);
          const w1 = Math.min(end_w, W);
          let count = (t1 - t0) * (h1 - h0) * (w1 - w0);
          if (override !== 0) count = override;
          else if (divisor.count_include_pad) count = (end_t - begin_t) * (end_h - begin_h) * (end_w - begin_w);
          if (t0 < t1 && h0 < h1 && w0 < w1) {
            const share: scalar_t = load(grad_output, from) / cast<scalar_t>(count);
            for (let t = t0; t < t1; t++) {
              for (let h = h0; h < h1; h++) {
                const row = input_at + ((p * T + t) * H + h) * W;
                for (let w = w0; w < w1; w++) {
                  const sum: scalar_t = load(grad_input, row + w) + share;
                  store(grad_input, row + w, sum);
                }
              }
            }
          }
          from++;
        }
      }
    }
  }
}

function avg_pool3d_kernel_impl(
  output: Tensor,
  input: Tensor,
  window: Window3d,
  volumes: Volumes,
  divisor: Divisor,
): void {
  // biome-ignore format: one operand group per line
  AT_DISPATCH(avg_pool3d_instances, input.scalar_type())(
    output.data_view(), output.data_offset(),
    input.data_view(), input.data_offset(),
    window, volumes, divisor,
  );
}

function avg_pool3d_backward_kernel_impl(
  grad_input: Tensor,
  grad_output: Tensor,
  window: Window3d,
  volumes: Volumes,
  divisor: Divisor,
): void {
  // biome-ignore format: one operand group per line
  AT_DISPATCH(avg_pool3d_backward_instances, grad_input.scalar_type())(
    grad_input.data_view(), grad_input.data_offset(),
    grad_output.data_view(), grad_output.data_offset(),
    window, volumes, divisor,
  );
}

REGISTER_DEFAULT_DISPATCH(avg_pool3d_kernel, avg_pool3d_kernel_impl, "avg_pool3d_kernel_impl");
REGISTER_DEFAULT_DISPATCH(
  avg_pool3d_backward_kernel,
  avg_pool3d_backward_kernel_impl,
  "avg_pool3d_backward_kernel_impl",
);
