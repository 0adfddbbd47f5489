/**
 * @file Kernels of multi_margin_loss and multilabel_margin_loss.
 * @mirrors aten/src/ATen/native/LossMultiMargin.cpp
 * @mirrors aten/src/ATen/native/LossMultiLabelMargin.cpp
 * @differs Ours are in the folder of kernel text; in PyTorch these loops are next to the operators.
 */
import {
  AT_DISPATCH,
  type acc_t,
  type captured,
  cast,
  type int64,
  load,
  type row,
  row_at,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { check_type } from "#aten/TensorMethods";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import {
  multi_margin_backward_instances,
  multi_margin_instances,
  multilabel_margin_backward_instances,
  multilabel_margin_instances,
} from "./generated/LossMultiKernel.ts";
import { weightOf } from "./LossNLLKernel.ts";

/** Values shared by all rows. */
export interface MarginLoss {
  readonly nframe: number;
  readonly dim: number;
  /** True for one loss per row; false for their sum or mean. */
  readonly each: boolean;
  readonly mean: boolean;
}
export interface MultiMarginLoss extends MarginLoss {
  readonly p: 1 | 2;
  readonly margin: number;
}

// A `weight` with stride 0 is not read, and a `grad_output` with stride 0 is read once.

/** @template multi_margin_loss_cpu_kernel: floating types */
export function multi_margin(
  out: row<scalar_t>,
  input: row<row<scalar_t>>,
  target: row<int64>,
  weight: row<scalar_t>,
  loss: captured<MultiMarginLoss>,
): void {
  const dim = cast<number>(loss.dim);
  const nframe = cast<number>(loss.nframe);
  const squared = cast<number>(loss.p) === 2;
  const margin: scalar_t = cast<scalar_t>(cast<number>(loss.margin));
  let total: acc_t = 0;
  for (let t = 0; t < nframe; t++) {
    const right = cast<number>(load(target, t));
    TORCH_CHECK(right >= 0 && right < dim, "target out of range");
    const x = row_at(input, t);
    const score: scalar_t = load(x, right);
    let sum: scalar_t = 0;
    for (let d = 0; d < dim; d++) {
      if (d === right) continue;
      const z: scalar_t = margin - score + load(x, d);
      if (z > 0) {
        const h: scalar_t = squared ? z * z : z;
        sum = sum + (weight.stride !== 0 ? h * load(weight, right) : h);
      }
    }
    const of_row: scalar_t = sum / cast<scalar_t>(dim);
    if (loss.each) store(out, t, of_row);
    total = total + cast<acc_t>(of_row);
  }
  if (loss.each) return;
  const divisor: acc_t = loss.mean ? cast<acc_t>(nframe) : 1;
  store(out, 0, cast<scalar_t>(total / divisor));
}

/** @template multi_margin_loss_backward_cpu_kernel: floating types */
export function multi_margin_backward(
  grad_input: row<row<scalar_t>>,
  grad_output: row<scalar_t>,
  input: row<row<scalar_t>>,
  target: row<int64>,
  weight: row<scalar_t>,
  loss: captured<MultiMarginLoss>,
): void {
  const dim = cast<number>(loss.dim);
  const nframe = cast<number>(loss.nframe);
  const squared = cast<number>(loss.p) === 2;
  const margin: scalar_t = cast<scalar_t>(cast<number>(loss.margin));
  const g: scalar_t = cast<scalar_t>(loss.mean ? 1 / (nframe * dim) : 1 / dim);
  for (let t = 0; t < nframe; t++) {
    const right = cast<number>(load(target, t));
    TORCH_CHECK(right >= 0 && right < dim, "target out of range");
    const x = row_at(input, t);
    const out = row_at(grad_input, t);
    const grad: scalar_t = load(grad_output, t);
    const score: scalar_t = load(x, right);
    let of_right: scalar_t = 0;
    for (let d = 0; d < dim; d++) {
      if (d === right) continue;
      const z: scalar_t = margin - score + load(x, d);
      let h: scalar_t = 0;
      if (z > 0) {
        h = squared ? 2 * g * z : g;
        if (weight.stride !== 0) h = h * load(weight, right);
      }
      of_right = of_right - h;
      store(out, d, h * grad);
    }
    store(out, right, of_right * grad);
  }
}

/** Marks the target classes in `is_target`. @template multilabel_margin_loss_forward_out_frame: floating types */
export function multilabel_margin(
  out: row<scalar_t>,
  is_target: row<row<scalar_t>>,
  input: row<row<scalar_t>>,
  target: row<row<int64>>,
  loss: captured<MarginLoss>,
): void {
  const dim = cast<number>(loss.dim);
  const nframe = cast<number>(loss.nframe);
  let total: acc_t = 0;
  for (let t = 0; t < nframe; t++) {
    const x = row_at(input, t);
    const classes = row_at(target, t);
    const marks = row_at(is_target, t);
    for (let k = 0; k < dim; k++) {
      const right = cast<number>(load(classes, k));
      if (right < 0) break;
      store(marks, right, 1);
    }
    let sum: acc_t = 0;
    for (let k = 0; k < dim; k++) {
      const right = cast<number>(load(classes, k));
      if (right < 0) break;
      const score: scalar_t = load(x, right);
      for (let d = 0; d < dim; d++) {
        if (load(marks, d) !== 0) continue;
        const z: scalar_t = 1 - score + load(x, d);
        if (z > 0) sum = sum + cast<acc_t>(z);
      }
    }
    const of_row: scalar_t = cast<scalar_t>(sum);
    if (loss.each) store(out, t, of_row / cast<scalar_t>(dim));
    total = total + cast<acc_t>(of_row);
  }
  if (loss.each) return;
  const divisor: acc_t = loss.mean ? cast<acc_t>(nframe) : 1;
  store(out, 0, cast<scalar_t>(total / cast<acc_t>(dim) / divisor));
}

/** `grad_input` must be filled with zeros. @template multilabel_margin_loss_backward_out_frame: floating types */
export function multilabel_margin_backward(
  grad_input: row<row<scalar_t>>,
  grad_output: row<scalar_t>,
  input: row<row<scalar_t>>,
  target: row<row<int64>>,
  is_target: row<row<scalar_t>>,
  loss: captured<MarginLoss>,
): void {
  const dim = cast<number>(loss.dim);
  const nframe = cast<number>(loss.nframe);
  const g: scalar_t = cast<scalar_t>(loss.mean ? 1 / (nframe * dim) : 1 / dim);
  for (let t = 0; t < nframe; t++) {
    const x = row_at(input, t);
    const classes = row_at(target, t);
    const marks = row_at(is_target, t);
    const out = row_at(grad_input, t);
    for (let k = 0; k < dim; k++) {
      const right = cast<number>(load(classes, k));
      if (right < 0) break;
      const score: scalar_t = load(x, right);
      for (let d = 0; d < dim; d++) {
        if (load(marks, d) !== 0) continue;
        const z: scalar_t = 1 - score + load(x, d);
        if (z > 0) {
          store(out, right, load(out, right) - g);
          store(out, d, load(out, d) + g);
        }
      }
    }
    const grad: scalar_t = load(grad_output, t);
    for (let d = 0; d < dim; d++) store(out, d, load(out, d) * grad);
  }
}

/** View, offset and stride of a 1-D tensor. A single number gets stride 0. */
function rowOf(t: Tensor, each: boolean): [ReturnType<Tensor["data_view"]>, number, number] {
  if (each) TORCH_CHECK(t.dim() === 1, "TensorAccessor expected 1 dims but tensor has ", t.dim());
  return [t.data_view(), t.data_offset(), each ? t.stride(0) : 0];
}

export function multi_margin_loss_forward(
  out: Tensor,
  input: Tensor,
  target: Tensor,
  weight: Tensor | null,
  loss: MultiMarginLoss,
): void {
  const run = AT_DISPATCH(multi_margin_instances, input.scalar_type());
  check_type(target, ScalarType.Long);
  if (weight !== null) check_type(weight, input.scalar_type());
  check_type(out, input.scalar_type());
  // biome-ignore format: one operand group per line
  run(
    ...rowOf(out, loss.each),
    input.data_view(), input.data_offset(), loss.dim, 1,
    target.data_view(), target.data_offset(), 1,
    ...weightOf(weight, input),
    loss,
  );
}

export function multi_margin_loss_gradient(
  grad_input: Tensor,
  grad_output: Tensor,
  input: Tensor,
  target: Tensor,
  weight: Tensor | null,
  loss: MultiMarginLoss,
): void {
  const run = AT_DISPATCH(multi_margin_backward_instances, input.scalar_type());
  check_type(grad_input, input.scalar_type());
  check_type(target, ScalarType.Long);
  if (weight !== null) check_type(weight, input.scalar_type());
  check_type(grad_output, input.scalar_type());
  // biome-ignore format: one operand group per line
  run(
    grad_input.data_view(), grad_input.data_offset(), loss.dim, 1,
    ...rowOf(grad_output, loss.each),
    input.data_view(), input.data_offset(), loss.dim, 1,
    target.data_view(), target.data_offset(), 1,
    ...weightOf(weight, input),
    loss,
  );
}

export function multilabel_margin_loss_forward(
  out: Tensor,
  is_target: Tensor,
  input: Tensor,
  target: Tensor,
  loss: MarginLoss,
): void {
  const run = AT_DISPATCH(multilabel_margin_instances, input.scalar_type());
  check_type(target, ScalarType.Long);
  check_type(is_target, input.scalar_type());
  check_type(out, input.scalar_type());
  // biome-ignore format: one operand group per line
  run(
    ...rowOf(out, loss.each),
    is_target.data_view(), is_target.data_offset(), loss.dim, 1,
    input.data_view(), input.data_offset(), loss.dim, 1,
    target.data_view(), target.data_offset(), loss.dim, 1,
    loss,
  );
}

/** Refuses a dtype without a kernel. PyTorch checks the dtype before it reads `is_target`. */
export function check_multilabel_dtype(dtype: ScalarType): void {
  AT_DISPATCH(multilabel_margin_backward_instances, dtype);
}

export function multilabel_margin_loss_gradient(
  grad_input: Tensor,
  grad_output: Tensor,
  input: Tensor,
  target: Tensor,
  is_target: Tensor,
  loss: MarginLoss,
): void {
  const run = AT_DISPATCH(multilabel_margin_backward_instances, input.scalar_type());
  check_type(grad_input, input.scalar_type());
  check_type(grad_output, input.scalar_type());
  // biome-ignore format: one operand group per line
  run(
    grad_input.data_view(), grad_input.data_offset(), loss.dim, 1,
    ...rowOf(grad_output, loss.each),
    input.data_view(), input.data_offset(), loss.dim, 1,
    target.data_view(), target.data_offset(), loss.dim, 1,
    is_target.data_view(), is_target.data_offset(), loss.dim, 1,
    loss,
  );
}
