/**
 * @file Kernels of nll_loss.
 * @mirrors aten/src/ATen/native/LossNLL.cpp
 * @differs Ours are in the folder of kernel text; in PyTorch these loops are in LossNLL.cpp.
 */
import { Reduction } from "#aten/core/Reduction";
import {
  AT_DISPATCH_2,
  type captured,
  cast,
  load,
  type opmath,
  round_to,
  type row,
  row_at,
  scratch,
  store,
  type TypedArray,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { nll_loss_backward_out_frame, nll_loss_out_frame } from "#aten/native/LossNLL";
import { resize_output } from "#aten/native/Resize";
import { check_type } from "#aten/TensorMethods";
import type { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK_INDEX } from "#c10/util/Exception";
import {
  nll_loss_backward_instances,
  nll_loss_reduced_instances,
  nll_loss_rows_instances,
} from "./generated/LossNLLKernel.ts";

type input_t = number;
type target_t = number;

/**
 * Values shared by all positions of one loss. For rows, H = W = 1; for images (nll_loss2d), every pixel is a position.
 */
export interface NLLLoss {
  readonly n_classes: number;
  readonly ignore_index: number;
  /** Whether the sum is divided by the total weight. */
  readonly mean: boolean;
  readonly H: number;
  readonly W: number;
}

// A `weight` with stride 0 is not read: none was given, and every class has weight 1.

/** One loss per row. @template nll_loss_out_frame input_t: floating types and halves; target_t: Byte, Long */
export function nll_loss_rows(
  out: row<input_t>,
  input: row<row<input_t>>,
  target: row<target_t>,
  weight: row<input_t>,
  batch_size: number,
  loss: captured<NLLLoss>,
): void {
  const n_classes = cast<number>(loss.n_classes);
  const ignore_index = cast<number>(loss.ignore_index);
  for (let b = 0; b < batch_size; b++) {
    const t = cast<number>(load(target, b));
    if (t === ignore_index) {
      store(out, b, 0);
      continue;
    }
    TORCH_CHECK_INDEX(t >= 0 && t < n_classes, "Target ", t, " is out of bounds.");
    const w: opmath<input_t> = weight.stride !== 0 ? cast<opmath<input_t>>(load(weight, t)) : 1;
    store(out, b, cast<input_t>(-cast<opmath<input_t>>(load(row_at(input, b), t)) * w));
  }
}

/**
 * Sums of losses and of weights, cascaded in eight levels (see SumKernel.ts), in the tensor's own dtype. Position p of
 * image n has the number n * H * W + p, and the element for its class t is at (n * n_classes + t) * H * W + p.
 * @template nll_loss_out_frame input_t: floating types and halves; target_t: Byte, Long
 */
export function nll_loss_reduced(
  out: row<input_t>,
  total: row<input_t>,
  input: row<input_t>,
  target: row<target_t>,
  weight: row<input_t>,
  positions: number,
  loss: captured<NLLLoss>,
): void {
  const LEVELS = 8;
  const levelPower = Math.max(4, Math.floor((positions <= 1 ? 0 : 32 - Math.clz32(positions - 1)) / LEVELS));
  const mask = (1 << levelPower) - 1;
  const n_classes = cast<number>(loss.n_classes);
  const ignore_index = cast<number>(loss.ignore_index);
  const map_size = cast<number>(loss.H) * cast<number>(loss.W);
  const losses = scratch<input_t>(LEVELS);
  const weights = scratch<input_t>(LEVELS);
  let ignored = 0;
  for (let b = 0; b < positions; b++) {
    const t = cast<number>(load(target, b));
    if (t === ignore_index) {
      ignored++;
      continue;
    }
    TORCH_CHECK_INDEX(t >= 0 && t < n_classes, "Target ", t, " is out of bounds.");
    const p = b % map_size;
    const value: opmath<input_t> = cast<opmath<input_t>>(load(input, (b - p) * n_classes + t * map_size + p));
    if (weight.stride !== 0) {
      const w: opmath<input_t> = cast<opmath<input_t>>(load(weight, t));
      store(losses, 0, cast<input_t>(cast<opmath<input_t>>(load(losses, 0)) - round_to<input_t>(value * w)));
      store(weights, 0, cast<input_t>(cast<opmath<input_t>>(load(weights, 0)) + w));
    } else {
      store(losses, 0, cast<input_t>(cast<opmath<input_t>>(load(losses, 0)) - value));
    }
    for (let level = 0; level + 1 < LEVELS; level++) {
      if ((b & (mask << (level * levelPower))) !== 0) break;
      store(
        losses,
        level + 1,
        cast<input_t>(cast<opmath<input_t>>(load(losses, level + 1)) + cast<opmath<input_t>>(load(losses, level))),
      );
      store(
        weights,
        level + 1,
        cast<input_t>(cast<opmath<input_t>>(load(weights, level + 1)) + cast<opmath<input_t>>(load(weights, level))),
      );
      store(losses, level, 0);
      store(weights, level, 0);
    }
  }
  let sum: opmath<input_t> = 0;
  let divisor: opmath<input_t> = weight.stride !== 0 ? 0 : round_to<input_t>(positions - ignored);
  for (let level = 0; level < LEVELS; level++) {
    sum = round_to<input_t>(sum + cast<opmath<input_t>>(load(losses, level)));
    if (weight.stride !== 0) divisor = round_to<input_t>(divisor + cast<opmath<input_t>>(load(weights, level)));
  }
  store(out, 0, cast<input_t>(loss.mean ? sum / divisor : sum));
  store(total, 0, cast<input_t>(divisor));
}

/** @template nll_loss_backward_out_frame input_t: floating types and halves; target_t: Byte, Long */
export function nll_loss_backward(
  grad_input: row<row<input_t>>,
  grad_output: row<input_t>,
  total: row<input_t>,
  target: row<target_t>,
  weight: row<input_t>,
  batch_size: number,
  loss: captured<NLLLoss>,
): void {
  const n_classes = cast<number>(loss.n_classes);
  const ignore_index = cast<number>(loss.ignore_index);
  const divisor: opmath<input_t> = loss.mean ? cast<opmath<input_t>>(load(total, 0)) : 1;
  for (let b = 0; b < batch_size; b++) {
    const t = cast<number>(load(target, b));
    if (t === ignore_index) continue;
    TORCH_CHECK_INDEX(t >= 0 && t < n_classes, "Target ", t, " is out of bounds.");
    const w: opmath<input_t> = weight.stride !== 0 ? cast<opmath<input_t>>(load(weight, t)) : 1;
    store(row_at(grad_input, b), t, cast<input_t>((-w * cast<opmath<input_t>>(load(grad_output, b))) / divisor));
  }
}

/**
 * The losses of all positions, and their sum.
 * @template nll_loss2d_forward_out_frame input_t: floating types and halves; target_t: Long
 */
export function nll_loss2d(
  out: row<input_t>,
  total: row<input_t>,
  input: row<input_t>,
  target: row<target_t>,
  weight: row<input_t>,
  positions: number,
  loss: captured<NLLLoss>,
): void {
  nll_loss_reduced(out, total, input, target, weight, positions, loss);
}

/** The weights of the classes as a contiguous tensor, as the loops need them. */
export function contiguous_weight(weight: Tensor | null, dtype: ScalarType): Tensor | null {
  if (weight === null) return null;
  check_type(weight, dtype);
  return weight.contiguous();
}

/** Sets the total weight to 0 if a target is refused. */
export function write_zero(total_weight: Tensor): void {
  const impl = total_weight.unsafeGetTensorImpl();
  impl.data_view().fill(0 as never, impl.data_offset(), impl.data_offset() + 1);
}

/** The weights: view, offset, stride. */
export function weightOf(weight: Tensor | null, other: Tensor): [TypedArray, number, number] {
  return weight === null ? [other.data_view(), 0, 0] : [weight.data_view(), weight.data_offset(), 1];
}

function nll_loss_forward_kernel(
  output: Tensor,
  total_weight: Tensor,
  input_: Tensor,
  target_: Tensor,
  weight_: Tensor | null,
  reduction: number,
  ignore_index: number,
): void {
  const dtypes = [input_.scalar_type(), target_.scalar_type()] as const;
  const rows = AT_DISPATCH_2(nll_loss_rows_instances, ...dtypes);
  const reduced = AT_DISPATCH_2(nll_loss_reduced_instances, ...dtypes);
  const n_classes = input_.size(-1);
  const weight = contiguous_weight(weight_, dtypes[0]);
  const loss: NLLLoss = { n_classes, ignore_index, mean: reduction === Reduction.Mean, H: 1, W: 1 };
  const per_row = reduction === Reduction.None && input_.dim() === 2;
  resize_output(output, per_row ? [input_.size(0)] : []);
  const batch_size = input_.dim() === 1 ? 1 : input_.size(0); // `output` may be the input, which has been resized and then has no rows
  const [input, target] = [input_.contiguous(), target_.contiguous()];
  const [w, wo, ws] = weightOf(weight, input);
  if (per_row) {
    write_zero(total_weight);
    // biome-ignore format: one operand group per line
    rows(
      output.data_view(), output.data_offset(), batch_size === 0 ? 1 : output.stride(0),
      input.data_view(), input.data_offset(), n_classes, 1,
      target.data_view(), target.data_offset(), 1,
      w, wo, ws,
      batch_size, loss,
    );
    return;
  }
  // biome-ignore format: one operand group per line
  reduced(
    output.data_view(), output.data_offset(), 0,
    total_weight.data_view(), total_weight.data_offset(), 0,
    input.data_view(), input.data_offset(), 1,
    target.data_view(), target.data_offset(), 1,
    w, wo, ws,
    batch_size, loss,
  );
}

function nll_loss_backward_kernel(
  grad_input: Tensor,
  grad_output: Tensor,
  input: Tensor,
  target: Tensor,
  weight: Tensor | null,
  reduction: number,
  ignore_index: number,
  total_weight: Tensor,
): void {
  const batch_size = input.dim() === 1 ? 1 : input.size(0);
  const n_classes = input.size(-1);
  const [w, wo, ws] = weightOf(weight, input);
  const perRow = reduction === Reduction.None && input.dim() === 2;
  const run = AT_DISPATCH_2(nll_loss_backward_instances, input.scalar_type(), target.scalar_type());
  // biome-ignore format: one operand group per line
  run(
    grad_input.data_view(), grad_input.data_offset(), n_classes, 1,
    grad_output.data_view(), grad_output.data_offset(), perRow && batch_size > 0 ? grad_output.stride(0) : 0,
    total_weight.data_view(), total_weight.data_offset(), 0,
    target.data_view(), target.data_offset(), 1,
    w, wo, ws,
    batch_size, { n_classes, ignore_index, mean: reduction === Reduction.Mean, H: 1, W: 1 },
  );
}

REGISTER_DEFAULT_DISPATCH(nll_loss_out_frame, nll_loss_forward_kernel, "nll_loss_out_frame");
REGISTER_DEFAULT_DISPATCH(nll_loss_backward_out_frame, nll_loss_backward_kernel, "nll_loss_backward_out_frame");
