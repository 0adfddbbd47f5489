/**
 * @file Kernels of average pooling of images.
 * @mirrors aten/src/ATen/native/cpu/AvgPoolKernel.cpp
 */
import { AT_DISPATCH, type captured, cast, type data, load, type opmath_t, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { avg_pool2d_backward_kernel, avg_pool2d_kernel, type Divisor } from "#aten/native/AveragePool2d";
import { avg_pool_backward_instances, avg_pool_instances } from "#aten/native/cpu/generated/AvgPoolKernel/index";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import type { Images, Window2d } from "#aten/native/Pool/index";

/** @template avg_pool2d: floating types and halves, Long */
export function avg_pool(
  output: data<scalar_t>,
  output_at: number,
  input: data<scalar_t>,
  input_at: number,
  window: captured<Window2d>,
  images: captured<Images>,
  divisor: captured<Divisor>,
): void {
  const H = cast<number>(images.H);
  const W = cast<number>(images.W);
  const padH = cast<number>(window.padH);
  const padW = cast<number>(window.padW);
  const override = cast<number>(divisor.divisor_override);
  const planes = cast<number>(images.planes);
  let to = output_at;
  for (let p = 0; p < planes; p++) {
    const plane = input_at + p * H * W;
    for (let oh = 0; oh < cast<number>(images.oH); oh++) {
      const begin_h = oh * cast<number>(window.dH) - padH;
      const end_h = Math.min(begin_h + cast<number>(window.kH), H + padH);
      const h0 = Math.max(begin_h, 0);
      const h1 = Math.min(end_h, H);
      for (let ow = 0; ow < cast<number>(images.oW); ow++) {
        const begin_w = ow * cast<number>(window.dW) - padW;
        const end_w = Math.min(begin_w + cast<number>(window.kW), W + padW);
        const w0 = Math.max(begin_w, 0);
        const w1 = Math.min(end_w, W);
        let count = (h1 - h0) * (w1 - w0);
        if (override !== 0) count = override;
        else if (divisor.count_include_pad) count = (end_h - begin_h) * (end_w - begin_w);
        let sum: opmath_t = 0;
        for (let h = h0; h < h1; h++) {
          for (let w = w0; w < w1; w++) sum += cast<opmath_t>(load(input, plane + h * W + w));
        }
        if (h0 >= h1 || w0 >= w1) store(output, to, 0);
        else store(output, to, cast<scalar_t>(sum / cast<opmath_t>(count)));
        to++;
      }
    }
  }
}

/** @template avg_pool2d_backward: floating types and halves, Long */
export function avg_pool_backward(
  grad_input: data<scalar_t>,
  input_at: number,
  grad_output: data<scalar_t>,
  output_at: number,
  window: captured<Window2d>,
  images: captured<Images>,
  divisor: captured<Divisor>,
): void {
  const H = cast<number>(images.H);
  const W = cast<number>(images.W);
  const padH = cast<number>(window.padH);
  const padW = cast<number>(window.padW);
  const override = cast<number>(divisor.divisor_override);
  const planes = cast<number>(images.planes);
  let from = output_at;
  for (let p = 0; p < planes; p++) {
    const plane = input_at + p * H * W;
    for (let oh = 0; oh < cast<number>(images.oH); oh++) {
      const begin_h = oh * cast<number>(window.dH) - padH;
      const end_h = Math.min(begin_h + cast<number>(window.kH), H + padH);
      const h0 = Math.max(begin_h, 0);
      const h1 = Math.min(end_h, H);
      for (let ow = 0; ow < cast<number>(images.oW); ow++) {
        const begin_w = ow * cast<number>(window.dW) - padW;
        const end_w = Math.min(begin_w + cast<number>(window.kW), W + padW);
        const w0 = Math.max(begin_w, 0);
        const w1 = Math.min(end_w, W);
        let count = (h1 - h0) * (w1 - w0);
        if (override !== 0) count = override;
        else if (divisor.count_include_pad) count = (end_h - begin_h) * (end_w - begin_w);
        if (h0 < h1 && w0 < w1) {
          const share: scalar_t = cast<scalar_t>(cast<opmath_t>(load(grad_output, from)) / cast<opmath_t>(count));
          for (let h = h0; h < h1; h++) {
            for (let w = w0; w < w1; w++) {
              const at = plane + h * W + w;
              const sum: scalar_t = load(grad_input, at) + share;
              store(grad_input, at, sum);
            }
          }
        }
        from++;
      }
    }
  }
}

function avg_pool2d_kernel_impl(
  output: Tensor,
  input: Tensor,
  window: Window2d,
  images: Images,
  divisor: Divisor,
): void {
  // biome-ignore format: one operand group per line
  AT_DISPATCH(avg_pool_instances, input.scalar_type())(
    output.data_view(), output.data_offset(),
    input.data_view(), input.data_offset(),
    window, images, divisor,
  );
}

function avg_pool2d_backward_kernel_impl(
  grad_input: Tensor,
  grad_output: Tensor,
  window: Window2d,
  images: Images,
  divisor: Divisor,
): void {
  // biome-ignore format: one operand group per line
  AT_DISPATCH(avg_pool_backward_instances, grad_input.scalar_type())(
    grad_input.data_view(), grad_input.data_offset(),
    grad_output.data_view(), grad_output.data_offset(),
    window, images, divisor,
  );
}

REGISTER_DEFAULT_DISPATCH(avg_pool2d_kernel, avg_pool2d_kernel_impl, "avg_pool2d_kernel_impl");
REGISTER_DEFAULT_DISPATCH(
  avg_pool2d_backward_kernel,
  avg_pool2d_backward_kernel_impl,
  "avg_pool2d_backward_kernel_impl",
);
