/**
 * @file Kernels of nll_loss2d.
 * @mirrors aten/src/ATen/native/LossNLL2d.cpp
 * @differs Ours are in the folder of kernel text; in PyTorch these loops are in LossNLL2d.cpp.
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
import * as at from "#aten/generated/Functions";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import {
  check_gradout_shape_nll_loss2d,
  nll_loss2d_backward_out_frame,
  nll_loss2d_forward_out_frame,
} from "#aten/native/LossNLL2d";
import { resize_output } from "#aten/native/Resize";
import { check_type } from "#aten/TensorMethods";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_INDEX } from "#c10/util/Exception";
import { nll_loss2d_backward_instances, nll_loss2d_positions_instances } from "./generated/LossNLL2dKernel.ts";
import { nll_loss2d_instances } from "./generated/LossNLLKernel.ts";
import { contiguous_weight, type NLLLoss, weightOf, write_zero } from "./LossNLLKernel.ts";

/**
 * Losses of the positions (h, w) of one image; `weight` as in LossNLLKernel.ts.
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
 * Gradient for one image. The gradient of a mean is divided, and rounded, before it is multiplied by the weight.
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

function nll_loss2d_forward_kernel(
  output: Tensor,
  total_weight: Tensor,
  input_: Tensor,
  target_: Tensor,
  weight_: Tensor | null,
  reduction: number,
  ignore_index: number,
): void {
  const n_classes = input_.size(1);
  const dtype = input_.scalar_type();
  const positions = AT_DISPATCH(nll_loss2d_positions_instances, dtype);
  check_type(total_weight, dtype);
  write_zero(total_weight);
  const weight = contiguous_weight(weight_, dtype);
  const mean = reduction === Reduction.Mean;
  if (reduction === Reduction.None) {
    const [n, H, W] = [input_.size(0), input_.size(2), input_.size(3)];
    resize_output(output, [n, H, W]);
    TORCH_CHECK(input_.dim() === 4, "TensorAccessor expected 4 dims but tensor has ", input_.dim()); // it may be `output`
    check_type(output, dtype);
    check_type(target_, ScalarType.Long);
    const loss: NLLLoss = { n_classes, ignore_index, mean, H, W };
    const [w, wo, ws] = weightOf(weight, input_);
    const [out_n, out_h, out_w] = output.strides() as [number, number, number];
    const [x_n, x_c, x_h, x_w] = input_.strides() as [number, number, number, number];
    const [t_n, t_h, t_w] = target_.strides() as [number, number, number];
    for (let b = 0; b < n; b++) {
      // biome-ignore format: one operand group per line
      positions(
        output.data_view(), output.data_offset() + b * out_n, out_h, out_w,
        input_.data_view(), input_.data_offset() + b * x_n, x_c, x_h, x_w,
        target_.data_view(), target_.data_offset() + b * t_n, t_h, t_w,
        w, wo, ws, loss,
      );
    }
    return;
  }
  resize_output(output, []);
  const input = input_.contiguous();
  const target = target_.contiguous();
  check_type(target, ScalarType.Long);
  const [n, H, W] = [input_.size(0), input_.size(2), input_.size(3)];
  // The output's dtype is checked last: a target out of range is refused first. The output is also written last,
  // because it may be `total_weight`.
  const own = output.scalar_type() === dtype && !output.is_alias_of(total_weight);
  const out = own ? output : at.empty_memory_format([], input.options());
  const loss: NLLLoss = { n_classes, ignore_index, mean, H, W };
  const [w, wo, ws] = weightOf(weight, input);
  const reduced = AT_DISPATCH_2(nll_loss2d_instances, dtype, ScalarType.Long);
  // biome-ignore format: one operand group per line
  reduced(
    out.data_view(), out.data_offset(), 0,
    total_weight.data_view(), total_weight.data_offset(), 0,
    input.data_view(), input.data_offset(), 1,
    target.data_view(), target.data_offset(), 1,
    w, wo, ws, n * H * W, loss,
  );
  check_type(output, dtype);
  if (!own) output.copy_(out);
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
  const weight = contiguous_weight(weight_, dtype);
  const none = reduction === Reduction.None;
  if (none) {
    check_gradout_shape_nll_loss2d(grad_output, target_);
    check_type(grad_input, dtype);
  } else {
    check_type(total_weight, dtype);
    TORCH_CHECK(
      grad_output.dim() <= 1 && grad_output.numel() === 1,
      "Expected a single element grad_output tensor, but got: ",
      grad_output.sizes(),
    );
  }
  check_type(grad_output, dtype);
  check_type(target_, ScalarType.Long);
  check_type(grad_input, dtype);
  const target = none ? target_ : target_.contiguous();
  const [w, wo, ws] = weightOf(weight, input);
  const [g_n, g_h, g_w] = none ? (grad_output.strides() as [number, number, number]) : [0, 0, 0];
  const [t_n, t_h, t_w] = target.strides() as [number, number, number];
  const loss: NLLLoss = { n_classes, ignore_index, mean: reduction === Reduction.Mean, H, W };
  for (let b = 0; b < n; b++) {
    // biome-ignore format: one operand group per line
    run(
      grad_input.data_view(), grad_input.data_offset() + b * n_classes * H * W, H * W, W, 1,
      grad_output.data_view(), grad_output.data_offset() + b * g_n, g_h, g_w,
      total_weight.data_view(), total_weight.data_offset(), 0,
      target.data_view(), target.data_offset() + b * t_n, t_h, t_w,
      w, wo, ws, loss,
    );
  }
}

REGISTER_DEFAULT_DISPATCH(nll_loss2d_forward_out_frame, nll_loss2d_forward_kernel, "nll_loss2d_forward_out_frame");
REGISTER_DEFAULT_DISPATCH(nll_loss2d_backward_out_frame, nll_loss2d_backward_kernel, "nll_loss2d_backward_out_frame");
