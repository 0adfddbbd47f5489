/**
 * @file The loops of nll_loss2d.
 * @mirrors aten/src/ATen/native/LossNLL2d.cpp
 * @differs In PyTorch these loops stand in LossNLL2d.cpp itself; kernel text has its folder here.
 */
import { Reduction } from "#aten/core/Reduction";
import {
  AT_DISPATCH,
  AT_DISPATCH_2,
  cast,
  type data,
  type int64,
  load,
  type opmath_t,
  round_to,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { check_type } from "#aten/native/CPUBlas";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { nll_loss2d_backward_out_frame, nll_loss2d_forward_out_frame } from "#aten/native/LossNLL2d";
import { resize_output } from "#aten/native/Resize";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { nll_loss2d_backward_instances, nll_loss2d_positions_instances } from "./generated/LossNLL2dKernel.ts";
import { nll_loss2d_instances } from "./generated/LossNLLKernel.ts";
import { checkTarget, weightOf } from "./LossNLLKernel.ts";

// As in LossNLLKernel.ts: -0.5 if all is well, else the target that is out of bounds.

/**
 * The losses of the positions (H, W) of one image.
 * @template nll_loss2d_forward_out_frame: floating types, Half, BFloat16
 */
export function nll_loss2d_positions(
  out: data<scalar_t>,
  oo: number,
  out_h: number,
  out_w: number,
  input: data<scalar_t>,
  xo: number,
  x_c: number,
  x_h: number,
  x_w: number,
  target: data<int64>,
  to: number,
  t_h: number,
  t_w: number,
  weight: data<scalar_t>,
  wo: number,
  hasWeight: number,
  n_classes: number,
  ignore_index: number,
  H: number,
  W: number,
): number {
  for (let h = 0; h < H; h++) {
    for (let w = 0; w < W; w++) {
      const t = cast<number>(load(target, to + h * t_h + w * t_w));
      if (t === ignore_index) {
        store(out, oo + h * out_h + w * out_w, 0);
        continue;
      }
      if (t < 0 || t >= n_classes) return t;
      const scale: opmath_t = hasWeight !== 0 ? cast<opmath_t>(load(weight, wo + t)) : 1;
      const value: opmath_t = cast<opmath_t>(load(input, xo + t * x_c + h * x_h + w * x_w));
      store(out, oo + h * out_h + w * out_w, cast<scalar_t>(-value * scale));
    }
  }
  return -0.5;
}

/**
 * For one image. The gradient of a mean is divided, and rounded, before it is weighed.
 * @template nll_loss2d_backward_out_frame: floating types, Half, BFloat16
 */
export function nll_loss2d_backward(
  gi: data<scalar_t>,
  gio: number,
  grad: data<scalar_t>,
  go: number,
  g_h: number,
  g_w: number,
  total: data<scalar_t>,
  tw: number,
  target: data<int64>,
  to: number,
  t_h: number,
  t_w: number,
  weight: data<scalar_t>,
  wo: number,
  hasWeight: number,
  n_classes: number,
  ignore_index: number,
  H: number,
  W: number,
  mean: number,
): number {
  const divisor: opmath_t = mean !== 0 ? cast<opmath_t>(load(total, tw)) : 1;
  for (let h = 0; h < H; h++) {
    for (let w = 0; w < W; w++) {
      const t = cast<number>(load(target, to + h * t_h + w * t_w));
      if (t === ignore_index) continue;
      if (t < 0 || t >= n_classes) return t;
      const value: opmath_t = round_to<scalar_t>(-cast<opmath_t>(load(grad, go + h * g_h + w * g_w)) / divisor);
      const scale: opmath_t = hasWeight !== 0 ? cast<opmath_t>(load(weight, wo + t)) : 1;
      store(gi, gio + (t * H + h) * W + w, cast<scalar_t>(value * scale));
    }
  }
  return -0.5;
}

function check_types(dtype: ScalarType, tensors: readonly Tensor[], target: Tensor, weight: Tensor | null): void {
  check_type(target, ScalarType.Long);
  for (const tensor of tensors) check_type(tensor, dtype);
  if (weight !== null) check_type(weight, dtype);
}

function nll_loss2d_forward_kernel(
  output: Tensor,
  total_weight: Tensor,
  input_: Tensor,
  target_: Tensor,
  weight_: Tensor | null,
  reduction: number,
  ignore_index: number,
): void {
  const [n, n_classes, H, W] = input_.sizes() as [number, number, number, number];
  const dtype = input_.scalar_type();
  const positions = AT_DISPATCH(nll_loss2d_positions_instances, dtype);
  const none = reduction === Reduction.None;
  resize_output(output, none ? [n, H, W] : []);
  check_types(dtype, [output, total_weight], target_, weight_);
  if (none) {
    total_weight.unsafeGetTensorImpl().storage().bytes().fill(0, 0, total_weight.nbytes());
    const [w, wo, hasWeight] = weightOf(weight_ === null ? null : weight_.contiguous(), input_);
    const [out_n, out_h, out_w] = output.strides() as [number, number, number];
    const [x_n, x_c, x_h, x_w] = input_.strides() as [number, number, number, number];
    const [t_n, t_h, t_w] = target_.strides() as [number, number, number];
    for (let b = 0; b < n; b++) {
      const oo = output.data_offset() + b * out_n;
      const xo = input_.data_offset() + b * x_n;
      const to = target_.data_offset() + b * t_n;
      // biome-ignore format: an operand a line
      checkTarget(positions(
        output.data_view(), oo, out_h, out_w,
        input_.data_view(), xo, x_c, x_h, x_w,
        target_.data_view(), to, t_h, t_w,
        w, wo, hasWeight, n_classes, ignore_index, H, W,
      ));
    }
    return;
  }
  const input = input_.contiguous();
  const target = target_.contiguous();
  const [w, wo, hasWeight] = weightOf(weight_ === null ? null : weight_.contiguous(), input);
  const reduced = AT_DISPATCH_2(nll_loss2d_instances, dtype, ScalarType.Long);
  // biome-ignore format: an operand a line
  checkTarget(reduced(
    output.data_view(), output.data_offset(),
    total_weight.data_view(), total_weight.data_offset(),
    input.data_view(), input.data_offset(),
    target.data_view(), target.data_offset(),
    w, wo, hasWeight, n * H * W, n_classes, ignore_index, H * W, reduction === Reduction.Mean ? 1 : 0,
  ));
}

function nll_loss2d_backward_kernel(
  grad_input: Tensor,
  grad_output: Tensor,
  input: Tensor,
  target_: Tensor,
  weight_: Tensor | null,
  reduction: number,
  ignore_index: number,
  total_weight: Tensor,
): void {
  const [n, n_classes, H, W] = input.sizes() as [number, number, number, number];
  const dtype = input.scalar_type();
  const run = AT_DISPATCH(nll_loss2d_backward_instances, dtype);
  check_types(dtype, [grad_output, grad_input], target_, weight_);
  const none = reduction === Reduction.None;
  let target = target_;
  if (!none) {
    check_type(total_weight, dtype);
    TORCH_CHECK(
      grad_output.dim() <= 1 && grad_output.numel() === 1,
      "Expected a single element grad_output tensor, but got: ",
      grad_output.sizes(),
    );
    target = target_.contiguous();
  }
  const [w, wo, hasWeight] = weightOf(weight_ === null ? null : weight_.contiguous(), input);
  const [g_n, g_h, g_w] = none ? (grad_output.strides() as [number, number, number]) : [0, 0, 0];
  const [t_n, t_h, t_w] = target.strides() as [number, number, number];
  for (let b = 0; b < n; b++) {
    const gio = grad_input.data_offset() + b * n_classes * H * W;
    const go = grad_output.data_offset() + b * g_n;
    const to = target.data_offset() + b * t_n;
    // biome-ignore format: an operand a line
    checkTarget(run(
      grad_input.data_view(), gio,
      grad_output.data_view(), go, g_h, g_w,
      total_weight.data_view(), total_weight.data_offset(),
      target.data_view(), to, t_h, t_w,
      w, wo, hasWeight, n_classes, ignore_index, H, W, reduction === Reduction.Mean ? 1 : 0,
    ));
  }
}

REGISTER_DISPATCH(nll_loss2d_forward_out_frame, nll_loss2d_forward_kernel, "nll_loss2d_forward_out_frame");
REGISTER_DISPATCH(nll_loss2d_backward_out_frame, nll_loss2d_backward_kernel, "nll_loss2d_backward_out_frame");
