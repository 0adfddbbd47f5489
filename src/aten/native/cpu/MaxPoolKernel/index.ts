/**
 * @file Kernels of max pooling of images.
 * @mirrors aten/src/ATen/native/cpu/MaxPoolKernel.cpp
 */
import {
  AT_DISPATCH,
  type captured,
  cast,
  type data,
  type int64,
  load,
  lower_bound,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { max_pool_backward_instances, max_pool_instances } from "#aten/native/cpu/generated/MaxPoolKernel/index";
import { max_pool2d_backward_kernel, max_pool2d_kernel } from "#aten/native/DilatedMaxPool2d";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import type { Images, Window2d } from "#aten/native/Pool/index";

/** NaN counts as the maximum. @template max_pool2d: all types and halves */
export function max_pool(
  output: data<scalar_t>,
  output_at: number,
  indices: data<int64>,
  indices_at: number,
  input: data<scalar_t>,
  input_at: number,
  window: captured<Window2d>,
  images: captured<Images>,
): void {
  const H = cast<number>(images.H);
  const W = cast<number>(images.W);
  const oH = cast<number>(images.oH);
  const oW = cast<number>(images.oW);
  const kH = cast<number>(window.kH);
  const kW = cast<number>(window.kW);
  const dilationH = cast<number>(window.dilationH);
  const dilationW = cast<number>(window.dilationW);
  const planes = cast<number>(images.planes);
  let to = 0;
  for (let p = 0; p < planes; p++) {
    const plane = input_at + p * H * W;
    for (let oh = 0; oh < oH; oh++) {
      let h0 = oh * cast<number>(window.dH) - cast<number>(window.padH);
      const h1 = Math.min(h0 + (kH - 1) * dilationH + 1, H);
      while (h0 < 0) h0 += dilationH;
      for (let ow = 0; ow < oW; ow++) {
        let w0 = ow * cast<number>(window.dW) - cast<number>(window.padW);
        const w1 = Math.min(w0 + (kW - 1) * dilationW + 1, W);
        while (w0 < 0) w0 += dilationW;
        let best: scalar_t = lower_bound<scalar_t>();
        let index = h0 * W + w0;
        for (let h = h0; h < h1; h += dilationH) {
          for (let w = w0; w < w1; w += dilationW) {
            const v: scalar_t = load(input, plane + h * W + w);
            if (v > best || v !== v) {
              best = v;
              index = h * W + w;
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

/** @template max_pool2d_backward: floating types and halves */
export function max_pool_backward(
  grad_input: data<scalar_t>,
  input_at: number,
  grad_output: data<scalar_t>,
  output_at: number,
  indices: data<int64>,
  indices_at: number,
  images: captured<Images>,
): void {
  const pixels = cast<number>(images.H) * cast<number>(images.W);
  const places = cast<number>(images.oH) * cast<number>(images.oW);
  const planes = cast<number>(images.planes);
  for (let p = 0; p < planes; p++) {
    const plane = input_at + p * pixels;
    for (let i = 0; i < places; i++) {
      const from = p * places + i;
      const at = plane + cast<number>(load(indices, indices_at + from));
      const sum: scalar_t = load(grad_input, at) + load(grad_output, output_at + from);
      store(grad_input, at, sum);
    }
  }
}

function max_pool2d_kernel_impl(
  output: Tensor,
  indices: Tensor,
  input: Tensor,
  window: Window2d,
  images: Images,
): void {
  // biome-ignore format: one operand group per line
  AT_DISPATCH(max_pool_instances, input.scalar_type())(
    output.data_view(), output.data_offset(),
    indices.data_view(), indices.data_offset(),
    input.data_view(), input.data_offset(),
    window, images,
  );
}

function max_pool2d_backward_kernel_impl(
  grad_input: Tensor,
  grad_output: Tensor,
  indices: Tensor,
  images: Images,
): void {
  // biome-ignore format: one operand group per line
  AT_DISPATCH(max_pool_backward_instances, grad_input.scalar_type())(
    grad_input.data_view(), grad_input.data_offset(),
    grad_output.data_view(), grad_output.data_offset(),
    indices.data_view(), indices.data_offset(),
    images,
  );
}

REGISTER_DEFAULT_DISPATCH(max_pool2d_kernel, max_pool2d_kernel_impl, "max_pool2d_kernel_impl");
REGISTER_DEFAULT_DISPATCH(
  max_pool2d_backward_kernel,
  max_pool2d_backward_kernel_impl,
  "max_pool2d_backward_kernel_impl",
);
