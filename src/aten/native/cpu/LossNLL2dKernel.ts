/**
 * @file The loops of nll_loss2d.
 * @mirrors aten/src/ATen/native/LossNLL2d.cpp
 * @differs In PyTorch these loops stand in LossNLL2d.cpp itself; kernel text has its folder here.
 */
import { Reduction } from "#aten/core/Reduction";
import {
  AT_DISPATCH,
  AT_DISPATCH_2,
  type captured,
  cast,
  type int64,
  load,
  type opmath_t,
  round_to,
  type row,
  row_at,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { check_type } from "#aten/native/CPUBlas";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { nll_loss2d_backward_out_frame, nll_loss2d_forward_out_frame } from "#aten/native/LossNLL2d";
import { resize_output } from "#aten/native/Resize";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_INDEX } from "#c10/util/Exception";
import { nll_loss2d_backward_instances, nll_loss2d_positions_instances } from "./generated/LossNLL2dKernel.ts";
import { nll_loss2d_instances } from "./generated/LossNLLKernel.ts";
import { type NLLLoss, weightOf } from "./LossNLLKernel.ts";

/**
 * The losses of the positions (h, w) of one image; `weight` as in LossNLLKernel.ts.
 * @template nll_loss2d_forward_out_frame: floating types and halves
 */
export function nll_loss2d_positions(
  out: row<row<scalar_t>>, // h, w
  input: row<row<row<scalar_t>>>, // class, h, w
  target: row<row<int64>>,
  weight: row<scalar_t>,
  loss: captured<NLLLoss>,
): void {
  const n_classes = cast<number>(loss.n_classes);
  const ignore_index = cast<number>(loss.ignore_index);
  const H = cast<number>(loss.H);
  const W = cast<number>(loss.W);
  for (let h = 0; h < H; h++) {
    for (let w = 0; w < W; w++) {
      const t = cast<number>(load(row_at(target, h), w));
      if (t === ignore_index) {
        store(row_at(out, h), w, 0);
        continue;
      }
      TORCH_CHECK_INDEX(t >= 0 && t < n_classes, "Target ", t, " is out of bounds.");
      const scale: opmath_t = weight.stride !== 0 ? cast<opmath_t>(load(weight, t)) : 1;
      const value: opmath_t = cast<opmath_t>(load(row_at(row_at(input, t), h), w));
      store(row_at(out, h), w, cast<scalar_t>(-value * scale));
    }
  }
}

/**
 * For one image. The gradient of a mean is divided, and rounded, before it is weighed.
 * @template nll_loss2d_backward_out_frame: floating types and halves
 */
export function nll_loss2d_backward(
  grad_input: row<row<row<scalar_t>>>,
  grad_output: row<row<scalar_t>>,
  total: row<scalar_t>,
  target: row<row<int64>>,
  weight: row<scalar_t>,
  loss: captured<NLLLoss>,
): void {
  const n_classes = cast<number>(loss.n_classes);
  const ignore_index = cast<number>(loss.ignore_index);
  const H = cast<number>(loss.H);
  const W = cast<number>(loss.W);
  const divisor: opmath_t = loss.mean ? cast<opmath_t>(load(total, 0)) : 1;
  for (let h = 0; h < H; h++) {
    for (let w = 0; w < W; w++) {
      const t = cast<number>(load(row_at(target, h), w));
      if (t === ignore_index) continue;
      TORCH_CHECK_INDEX(t >= 0 && t < n_classes, "Target ", t, " is out of bounds.");
      const value: opmath_t = round_to<scalar_t>(-cast<opmath_t>(load(row_at(grad_output, h), w)) / divisor);
      const scale: opmath_t = weight.stride !== 0 ? cast<opmath_t>(load(weight, t)) : 1;
      store(row_at(row_at(grad_input, t), h), w, cast<scalar_t>(value * scale));
    }
  }
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
  const loss: NLLLoss = { n_classes, ignore_index, mean: reduction === Reduction.Mean, H, W };
  if (none) {
    total_weight.unsafeGetTensorImpl().storage().bytes().fill(0, 0, total_weight.nbytes());
    const [w, wo, ws] = weightOf(weight_ === null ? null : weight_.contiguous(), input_);
    const [out_n, out_h, out_w] = output.strides() as [number, number, number];
    const [x_n, x_c, x_h, x_w] = input_.strides() as [number, number, number, number];
    const [t_n, t_h, t_w] = target_.strides() as [number, number, number];
    for (let b = 0; b < n; b++) {
      // biome-ignore format: an operand a line
      positions(
        output.data_view(), output.data_offset() + b * out_n, out_h, out_w,
        input_.data_view(), input_.data_offset() + b * x_n, x_c, x_h, x_w,
        target_.data_view(), target_.data_offset() + b * t_n, t_h, t_w,
        w, wo, ws, loss,
      );
    }
    return;
  }
  const input = input_.contiguous();
  const target = target_.contiguous();
  const [w, wo, ws] = weightOf(weight_ === null ? null : weight_.contiguous(), input);
  const reduced = AT_DISPATCH_2(nll_loss2d_instances, dtype, ScalarType.Long);
  // biome-ignore format: an operand a line
  reduced(
    output.data_view(), output.data_offset(), 0,
    total_weight.data_view(), total_weight.data_offset(), 0,
    input.data_view(), input.data_offset(), 1,
    target.data_view(), target.data_offset(), 1,
    w, wo, ws, n * H * W, loss,
  );
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
  const [w, wo, ws] = weightOf(weight_ === null ? null : weight_.contiguous(), input);
  const [g_n, g_h, g_w] = none ? (grad_output.strides() as [number, number, number]) : [0, 0, 0];
  const [t_n, t_h, t_w] = target.strides() as [number, number, number];
  const loss: NLLLoss = { n_classes, ignore_index, mean: reduction === Reduction.Mean, H, W };
  for (let b = 0; b < n; b++) {
    // biome-ignore format: an operand a line
    run(
      grad_input.data_view(), grad_input.data_offset() + b * n_classes * H * W, H * W, W, 1,
      grad_output.data_view(), grad_output.data_offset() + b * g_n, g_h, g_w,
      total_weight.data_view(), total_weight.data_offset(), 0,
      target.data_view(), target.data_offset() + b * t_n, t_h, t_w,
      w, wo, ws, loss,
    );
  }
}

REGISTER_DISPATCH(nll_loss2d_forward_out_frame, nll_loss2d_forward_kernel, "nll_loss2d_forward_out_frame");
REGISTER_DISPATCH(nll_loss2d_backward_out_frame, nll_loss2d_backward_kernel, "nll_loss2d_backward_out_frame");
