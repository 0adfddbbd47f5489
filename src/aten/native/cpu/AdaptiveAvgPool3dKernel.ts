/**
 * @file Kernels of adaptive average pooling of volumes. The parts are as in AdaptiveAvgPoolKernel.ts.
 * @mirrors aten/src/ATen/native/AdaptiveAveragePooling3d.cpp
 */
import { AT_DISPATCH, type captured, cast, type data, load, round_to, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { adaptive_avg_pool3d_backward_kernel, adaptive_avg_pool3d_kernel } from "#aten/native/AdaptiveAveragePooling3d";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import type { Volumes } from "#aten/native/Pool/Pool3d";
import {
  adaptive_avg_pool3d_backward_instances,
  adaptive_avg_pool3d_instances,
} from "./generated/AdaptiveAvgPool3dKernel.ts";

/** Halves are rounded after every step. @template adaptive_avg_pool3d: floating types and halves */
export function adaptive_avg_pool3d(
  output: data<scalar_t>,
  output_at: number,
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
  let to = output_at;
  for (let p = 0; p < cast<number>(volumes.planes); p++) {
    for (let ot = 0; ot < oT; ot++) {
      const t0 = Math.floor((ot * T) / oT);
      const t1 = Math.ceil(((ot + 1) * T) / oT);
      for (let oh = 0; oh < oH; oh++) {
        const h0 = Math.floor((oh * H) / oH);
        const h1 = Math.ceil(((oh + 1) * H) / oH);
        for (let ow = 0; ow < oW; ow++) {
          const w0 = Math.floor((ow * W) / oW);
          const w1 = Math.ceil(((ow + 1) * W) / oW);
          let sum: scalar_t = 0;
          for (let t = t0; t < t1; t++) {
            for (let h = h0; h < h1; h++) {
              const row = input_at + ((p * T + t) * H + h) * W;
              for (let w = w0; w < w1; w++) sum = round_to<scalar_t>(sum + load(input, row + w));
            }
          }
          sum = round_to<scalar_t>(sum / cast<scalar_t>(t1 - t0));
          sum = round_to<scalar_t>(sum / cast<scalar_t>(h1 - h0));
          sum = round_to<scalar_t>(sum / cast<scalar_t>(w1 - w0));
          store(output, to, sum);
          to++;
        }
      }
    }
  }
}

/** @template adaptive_avg_pool3d_backward: floating types and halves */
export function adaptive_avg_pool3d_backward(
  grad_input: data<scalar_t>,
  input_at: number,
  grad_output: data<scalar_t>,
  output_at: number,
  volumes: captured<Volumes>,
): void {
  const T = cast<number>(volumes.T);
  const H = cast<number>(volumes.H);
  const W = cast<number>(volumes.W);
  const oT = cast<number>(volumes.oT);
  const oH = cast<number>(volumes.oH);
  const oW = cast<number>(volumes.oW);
  let from = output_at;
  for (let p = 0; p < cast<number>(volumes.planes); p++) {
    for (let ot = 0; ot < oT; ot++) {
      const t0 = Math.floor((ot * T) / oT);
      const t1 = Math.ceil(((ot + 1) * T) / oT);
      for (let oh = 0; oh < oH; oh++) {
        const h0 = Math.floor((oh * H) / oH);
        const h1 = Math.ceil(((oh + 1) * H) / oH);
        for (let ow = 0; ow < oW; ow++) {
          const w0 = Math.floor((ow * W) / oW);
          const w1 = Math.ceil(((ow + 1) * W) / oW);
          let share: scalar_t = load(grad_output, from);
          share = round_to<scalar_t>(share / cast<scalar_t>(t1 - t0));
          share = round_to<scalar_t>(share / cast<scalar_t>(h1 - h0));
          share = round_to<scalar_t>(share / cast<scalar_t>(w1 - w0));
          for (let t = t0; t < t1; t++) {
            for (let h = h0; h < h1; h++) {
              const row = input_at + ((p * T + t) * H + h) * W;
              for (let w = w0; w < w1; w++) {
                const sum: scalar_t = load(grad_input, row + w) + share;
                store(grad_input, row + w, sum);
              }
            }
          }
          from++;
        }
      }
    }
  }
}

function adaptive_avg_pool3d_kernel_impl(output: Tensor, input: Tensor, volumes: Volumes): void {
  // biome-ignore format: one operand group per line
  AT_DISPATCH(adaptive_avg_pool3d_instances, input.scalar_type())(
    output.data_view(), output.data_offset(),
    input.data_view(), input.data_offset(),
    volumes,
  );
}

function adaptive_avg_pool3d_backward_kernel_impl(grad_input: Tensor, grad_output: Tensor, volumes: Volumes): void {
  // biome-ignore format: one operand group per line
  AT_DISPATCH(adaptive_avg_pool3d_backward_instances, grad_input.scalar_type())(
    grad_input.data_view(), grad_input.data_offset(),
    grad_output.data_view(), grad_output.data_offset(),
    volumes,
  );
}

REGISTER_DEFAULT_DISPATCH(
  adaptive_avg_pool3d_kernel,
  adaptive_avg_pool3d_kernel_impl,
  "adaptive_avg_pool3d_kernel_impl",
);
REGISTER_DEFAULT_DISPATCH(
  adaptive_avg_pool3d_backward_kernel,
  adaptive_avg_pool3d_backward_kernel_impl,
  "adaptive_avg_pool3d_backward_kernel_impl",
);
