/**
 * @file Kernels of adaptive average pooling. Part i of n covers [floor(i L / n), ceil((i + 1) L / n)), so parts may
 * overlap.
 * @mirrors aten/src/ATen/native/cpu/AdaptiveAvgPoolKernel.cpp
 */
import { AT_DISPATCH, type captured, cast, type data, load, type opmath_t, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { adaptive_avg_pool2d_backward_kernel, adaptive_avg_pool2d_kernel } from "#aten/native/AdaptiveAveragePooling";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import type { Images } from "#aten/native/Pool/index";
import {
  adaptive_avg_pool_backward_instances,
  adaptive_avg_pool_instances,
} from "./generated/AdaptiveAvgPoolKernel.ts";

/** @template adaptive_avg_pool2d: floating types and halves */
export function adaptive_avg_pool(
  output: data<scalar_t>,
  output_at: number,
  input: data<scalar_t>,
  input_at: number,
  images: captured<Images>,
): void {
  const H = cast<number>(images.H);
  const W = cast<number>(images.W);
  const oH = cast<number>(images.oH);
  const oW = cast<number>(images.oW);
  const planes = cast<number>(images.planes);
  let to = output_at;
  for (let p = 0; p < planes; p++) {
    const plane = input_at + p * H * W;
    for (let oh = 0; oh < oH; oh++) {
      const h0 = Math.floor((oh * H) / oH);
      const h1 = Math.ceil(((oh + 1) * H) / oH);
      for (let ow = 0; ow < oW; ow++) {
        const w0 = Math.floor((ow * W) / oW);
        const w1 = Math.ceil(((ow + 1) * W) / oW);
        let sum: opmath_t = 0;
        for (let h = h0; h < h1; h++) {
          for (let w = w0; w < w1; w++) sum += cast<opmath_t>(load(input, plane + h * W + w));
        }
        store(output, to, cast<scalar_t>(sum / cast<opmath_t>(h1 - h0) / cast<opmath_t>(w1 - w0)));
        to++;
      }
    }
  }
}

/** @template adaptive_avg_pool2d_backward: floating types and halves */
export function adaptive_avg_pool_backward(
  grad_input: data<scalar_t>,
  input_at: number,
  grad_output: data<scalar_t>,
  output_at: number,
  images: captured<Images>,
): void {
  const H = cast<number>(images.H);
  const W = cast<number>(images.W);
  const oH = cast<number>(images.oH);
  const oW = cast<number>(images.oW);
  const planes = cast<number>(images.planes);
  let from = output_at;
  for (let p = 0; p < planes; p++) {
    const plane = input_at + p * H * W;
    for (let oh = 0; oh < oH; oh++) {
      const h0 = Math.floor((oh * H) / oH);
      const h1 = Math.ceil(((oh + 1) * H) / oH);
      for (let ow = 0; ow < oW; ow++) {
        const w0 = Math.floor((ow * W) / oW);
        const w1 = Math.ceil(((ow + 1) * W) / oW);
        const g: opmath_t = cast<opmath_t>(load(grad_output, from));
        const share: scalar_t = cast<scalar_t>(g / cast<opmath_t>(h1 - h0) / cast<opmath_t>(w1 - w0));
        for (let h = h0; h < h1; h++) {
          for (let w = w0; w < w1; w++) {
            const at = plane + h * W + w;
            const sum: scalar_t = load(grad_input, at) + share;
            store(grad_input, at, sum);
          }
        }
        from++;
      }
    }
  }
}

function adaptive_avg_pool2d_kernel_impl(output: Tensor, input: Tensor, images: Images): void {
  // biome-ignore format: one operand group per line
  AT_DISPATCH(adaptive_avg_pool_instances, input.scalar_type())(
    output.data_view(), output.data_offset(),
    input.data_view(), input.data_offset(),
    images,
  );
}

function adaptive_avg_pool2d_backward_kernel_impl(grad_input: Tensor, grad_output: Tensor, images: Images): void {
  // biome-ignore format: one operand group per line
  AT_DISPATCH(adaptive_avg_pool_backward_instances, grad_input.scalar_type())(
    grad_input.data_view(), grad_input.data_offset(),
    grad_output.data_view(), grad_output.data_offset(),
    images,
  );
}

REGISTER_DEFAULT_DISPATCH(
  adaptive_avg_pool2d_kernel,
  adaptive_avg_pool2d_kernel_impl,
  "adaptive_avg_pool2d_kernel_impl",
);
REGISTER_DEFAULT_DISPATCH(
  adaptive_avg_pool2d_backward_kernel,
  adaptive_avg_pool2d_backward_kernel_impl,
  "adaptive_avg_pool2d_backward_kernel_impl",
);
