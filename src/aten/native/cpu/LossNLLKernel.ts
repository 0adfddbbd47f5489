/**
 * @file The loops of nll_loss.
 * @mirrors aten/src/ATen/native/LossNLL.cpp
 * @differs In PyTorch these loops stand in LossNLL.cpp itself; kernel text has its folder here.
 */
import { Reduction } from "#aten/core/Reduction";
import {
  AT_DISPATCH_2,
  cast,
  type data,
  load,
  type opmath,
  round_to,
  scratch,
  store,
  type TypedArray,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { nll_loss_backward_out_frame, nll_loss_out_frame } from "#aten/native/LossNLL";
import { IndexError } from "#c10/util/Exception";
import {
  nll_loss_backward_instances,
  nll_loss_reduced_instances,
  nll_loss_rows_instances,
} from "./generated/LossNLLKernel.ts";

type input_t = number;
type target_t = number;

// Row b of `input` has n_classes elements. Each function returns a target that is out of bounds, or -0.5 if all is well,
// a value no target has. `hasWeight` 0: every class weighs 1, and `weight` is not read. Of images (nll_loss2d) every position is
// a row: position p of image n is row n * map_size + p, and its class t lies at (n * n_classes + t) * map_size + p.

/** One loss a row. @template nll_loss_out_frame input_t: floating types, Half, BFloat16; target_t: Byte, Long */
export function nll_loss_rows(
  out: data<input_t>,
  oo: number,
  input: data<input_t>,
  xo: number,
  target: data<target_t>,
  to: number,
  weight: data<input_t>,
  wo: number,
  hasWeight: number,
  rows: number,
  n_classes: number,
  ignore_index: number,
  row: number,
  step: number,
): number {
  for (let b = 0; b < rows; b++) {
    const t = cast<number>(load(target, to + b));
    if (t === ignore_index) {
      store(out, oo + b * step, 0);
      continue;
    }
    if (t < 0 || t >= n_classes) return t;
    const w: opmath<input_t> = hasWeight !== 0 ? cast<opmath<input_t>>(load(weight, wo + t)) : 1;
    store(out, oo + b * step, cast<input_t>(-cast<opmath<input_t>>(load(input, xo + b * row + t)) * w));
  }
  return -0.5;
}

/**
 * The sum of losses and of weights, cascaded in eight levels (see SumKernel.ts), in the tensor's own dtype.
 * @template nll_loss_out_frame input_t: floating types, Half, BFloat16; target_t: Byte, Long
 */
export function nll_loss_reduced(
  out: data<input_t>,
  oo: number,
  total: data<input_t>,
  tw: number,
  input: data<input_t>,
  xo: number,
  target: data<target_t>,
  to: number,
  weight: data<input_t>,
  wo: number,
  hasWeight: number,
  rows: number,
  n_classes: number,
  ignore_index: number,
  map_size: number,
  mean: number,
): number {
  const LEVELS = 8;
  const levelPower = Math.max(4, Math.floor((rows <= 1 ? 0 : 32 - Math.clz32(rows - 1)) / LEVELS));
  const mask = (1 << levelPower) - 1;
  const losses = scratch<input_t>(LEVELS);
  const weights = scratch<input_t>(LEVELS);
  let ignored = 0;
  for (let b = 0; b < rows; b++) {
    const t = cast<number>(load(target, to + b));
    if (t === ignore_index) {
      ignored++;
      continue;
    }
    if (t < 0 || t >= n_classes) return t;
    const p = b % map_size;
    const value: opmath<input_t> = cast<opmath<input_t>>(load(input, xo + (b - p) * n_classes + t * map_size + p));
    if (hasWeight !== 0) {
      const w: opmath<input_t> = cast<opmath<input_t>>(load(weight, wo + t));
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
  let loss: opmath<input_t> = 0;
  let divisor: opmath<input_t> = hasWeight !== 0 ? 0 : round_to<input_t>(rows - ignored);
  for (let level = 0; level < LEVELS; level++) {
    loss = round_to<input_t>(loss + cast<opmath<input_t>>(load(losses, level)));
    if (hasWeight !== 0) divisor = round_to<input_t>(divisor + cast<opmath<input_t>>(load(weights, level)));
  }
  store(out, oo, cast<input_t>(mean !== 0 ? loss / divisor : loss));
  store(total, tw, cast<input_t>(divisor));
  return -0.5;
}

/** @template nll_loss_backward_out_frame input_t: floating types, Half, BFloat16; target_t: Byte, Long */
export function nll_loss_backward(
  gi: data<input_t>,
  gio: number,
  grad: data<input_t>,
  go: number,
  grad_step: number,
  total: data<input_t>,
  tw: number,
  target: data<target_t>,
  to: number,
  weight: data<input_t>,
  wo: number,
  hasWeight: number,
  rows: number,
  n_classes: number,
  ignore_index: number,
  mean: number,
): number {
  const divisor: opmath<input_t> = mean !== 0 ? cast<opmath<input_t>>(load(total, tw)) : 1;
  for (let b = 0; b < rows; b++) {
    const t = cast<number>(load(target, to + b));
    if (t === ignore_index) continue;
    if (t < 0 || t >= n_classes) return t;
    const w: opmath<input_t> = hasWeight !== 0 ? cast<opmath<input_t>>(load(weight, wo + t)) : 1;
    store(
      gi,
      gio + b * n_classes + t,
      cast<input_t>((-w * cast<opmath<input_t>>(load(grad, go + b * grad_step))) / divisor),
    );
  }
  return -0.5;
}

/**
 * The losses of all positions, and where they are added up.
 * @template nll_loss2d_forward_out_frame input_t: floating types, Half, BFloat16; target_t: Long
 */
export function nll_loss2d(
  out: data<input_t>,
  oo: number,
  total: data<input_t>,
  tw: number,
  input: data<input_t>,
  xo: number,
  target: data<target_t>,
  to: number,
  weight: data<input_t>,
  wo: number,
  hasWeight: number,
  rows: number,
  n_classes: number,
  ignore_index: number,
  map_size: number,
  mean: number,
): number {
  return nll_loss_reduced(
    out,
    oo,
    total,
    tw,
    input,
    xo,
    target,
    to,
    weight,
    wo,
    hasWeight,
    rows,
    n_classes,
    ignore_index,
    map_size,
    mean,
  );
}

export function checkTarget(outOfBounds: number): void {
  if (outOfBounds !== -0.5) throw new IndexError(`Target ${outOfBounds} is out of bounds.`);
}

export function weightOf(weight: Tensor | null, other: Tensor): [TypedArray, number, number] {
  return weight === null ? [other.data_view(), 0, 0] : [weight.data_view(), weight.data_offset(), 1];
}

function nll_loss_forward_kernel(
  output: Tensor,
  total_weight: Tensor,
  input: Tensor,
  target: Tensor,
  weight: Tensor | null,
  reduction: number,
  ignore_index: number,
): void {
  const rows = input.dim() === 1 ? 1 : input.size(0);
  const n_classes = input.size(-1);
  const [w, wo, hasWeight] = weightOf(weight, input);
  const dtypes = [input.scalar_type(), target.scalar_type()] as const;
  if (reduction === Reduction.None && input.dim() === 2) {
    const run = AT_DISPATCH_2(nll_loss_rows_instances, ...dtypes);
    total_weight.unsafeGetTensorImpl().storage().bytes().fill(0, 0, total_weight.nbytes());
    checkTarget(
      run(
        output.data_view(),
        output.data_offset(),
        input.data_view(),
        input.data_offset(),
        target.data_view(),
        target.data_offset(),
        w,
        wo,
        hasWeight,
        rows,
        n_classes,
        ignore_index,
        n_classes,
        rows === 0 ? 1 : output.stride(0),
      ),
    );
    return;
  }
  const run = AT_DISPATCH_2(nll_loss_reduced_instances, ...dtypes);
  checkTarget(
    run(
      output.data_view(),
      output.data_offset(),
      total_weight.data_view(),
      total_weight.data_offset(),
      input.data_view(),
      input.data_offset(),
      target.data_view(),
      target.data_offset(),
      w,
      wo,
      hasWeight,
      rows,
      n_classes,
      ignore_index,
      1,
      reduction === Reduction.Mean ? 1 : 0,
    ),
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
  const rows = input.dim() === 1 ? 1 : input.size(0);
  const [w, wo, hasWeight] = weightOf(weight, input);
  const perRow = reduction === Reduction.None && input.dim() === 2;
  const run = AT_DISPATCH_2(nll_loss_backward_instances, input.scalar_type(), target.scalar_type());
  checkTarget(
    run(
      grad_input.data_view(),
      grad_input.data_offset(),
      grad_output.data_view(),
      grad_output.data_offset(),
      perRow && rows > 0 ? grad_output.stride(0) : 0,
      total_weight.data_view(),
      total_weight.data_offset(),
      target.data_view(),
      target.data_offset(),
      w,
      wo,
      hasWeight,
      rows,
      input.size(-1),
      ignore_index,
      reduction === Reduction.Mean ? 1 : 0,
    ),
  );
}

REGISTER_DISPATCH(nll_loss_out_frame, nll_loss_forward_kernel, "nll_loss_out_frame");
REGISTER_DISPATCH(nll_loss_backward_out_frame, nll_loss_backward_kernel, "nll_loss_backward_out_frame");
