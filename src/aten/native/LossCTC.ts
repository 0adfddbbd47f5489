/**
 * @file Connectionist temporal classification loss: the negative log probability that the steps, without blanks and
 * repetitions, spell the target.
 * @mirrors aten/src/ATen/native/LossCTC.cpp
 *
 * Note [Alpha of ctc_loss]
 * ~~~~~~~~~~~~~~~~~~~~~~~~
 * A target `a b` is read with a blank before, between and after its labels: `_ a _ b _`. `log_alpha[t, s]` is the
 * logarithm of the probability of all paths that are at label s after step t. They come from s itself, from the label
 * before, or over a blank between two different letters. Backward does the same from the end, with beta.
 */

import { Reduction } from "#aten/core/Reduction";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { check_type } from "#aten/TensorMethods";
import { areAnyTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { checkDim, checkDimRange, checkScalarType, checkSize, type TensorArg } from "#aten/TensorUtils/TensorArg";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { isIntegralType, ScalarType, toString } from "#c10/core/ScalarType";
import type { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

/** Labels of each target with blanks between them, and the number of steps of its input. */
export interface CTCTargets {
  readonly labels: readonly Float64Array[];
  readonly input_lengths: readonly number[];
}

/** Writes `neg_log_likelihood` and `log_alpha`. */
export const ctc_loss_stub =
  DEFINE_DISPATCH<(neg_log_likelihood: Tensor, log_alpha: Tensor, log_probs: Tensor, targets: CTCTargets) => void>(
    "ctc_loss_stub",
  );
/** Writes the gradient to `grad`, which is filled with -inf. */
export const ctc_loss_backward_stub =
  DEFINE_DISPATCH<
    (
      grad: Tensor,
      grad_out: Tensor,
      log_probs: Tensor,
      forward: readonly [neg_log_likelihood: Tensor, log_alpha: Tensor],
      targets: CTCTargets,
      zero_infinity: boolean,
    ) => void
  >("ctc_loss_backward_stub");

const C = "ctc_loss_allocate_outputs";
const NEGINF = Scalar.fromDouble(Number.NEGATIVE_INFINITY);

function check_lengths(name: string, lengths: readonly number[], most: number): void {
  for (const length of lengths) {
    const but = `, but got value ${length} (while checking arguments for ${C})`;
    TORCH_CHECK(length >= 0, `Expected ${name} to have value at least 0${but}`);
    TORCH_CHECK(length <= most, `Expected ${name} to have value at most ${most}${but}`);
  }
}

/** Checks all arguments. @returns results without values, and the start of each target */
function ctc_loss_allocate_outputs(
  log_probs: Tensor,
  targets: Tensor,
  input_lengths: readonly number[],
  target_lengths: readonly number[],
  BLANK: number,
): { neg_log_likelihood: Tensor; log_alpha: Tensor; tg_batch_offsets: number[]; tg_target_stride: number } {
  // log_probs (T, N, C), targets (N, S) or (sum of lengths)
  const log_probs_arg: TensorArg = { tensor: log_probs, name: "log_probs", pos: 1 };
  const targets_arg: TensorArg = { tensor: targets, name: "targets", pos: 2 };
  checkScalarType(C, targets_arg, targets.scalar_type() === ScalarType.Long ? ScalarType.Long : ScalarType.Int);
  checkDim(C, log_probs_arg, 3);
  checkDimRange(C, targets_arg, 1, 3);
  const batch_size = log_probs.size(1);
  TORCH_CHECK(BLANK >= 0 && BLANK < log_probs.size(2), "blank must be in label range");
  TORCH_CHECK(input_lengths.length === batch_size, "input_lengths must be of size batch_size");
  TORCH_CHECK(target_lengths.length === batch_size, "target_lengths must be of size batch_size");

  check_lengths("target_lengths", target_lengths, Number.POSITIVE_INFINITY);
  const max_target_length = Math.max(0, ...target_lengths);
  const tg_batch_offsets: number[] = [];
  let tg_target_stride = targets.strides()[0];
  if (targets.dim() === 1) {
    let pos = 0;
    for (const length of target_lengths) {
      tg_batch_offsets.push(pos);
      pos += length;
    }
    checkSize(C, targets_arg, 0, pos);
  } else {
    for (let i = 0; i < batch_size; i++) tg_batch_offsets.push(i * targets.strides()[0]);
    tg_target_stride = targets.strides()[1];
    checkSize(C, targets_arg, 0, batch_size);
    TORCH_CHECK(
      targets.size(1) >= max_target_length,
      `Expected tensor to have size at least ${max_target_length} at dimension 1, but got size ${targets.size(1)} for argument #2 'targets' (while checking arguments for ${C})`,
    );
  }
  check_lengths("input_lengths", input_lengths, log_probs.size(0));
  const size = [batch_size, log_probs.size(0), 2 * max_target_length + 1];
  const log_alpha = at.empty_memory_format(size, log_probs.options());
  const neg_log_likelihood = at.empty_memory_format([batch_size], log_probs.options());
  return { neg_log_likelihood, log_alpha, tg_batch_offsets, tg_target_stride };
}

/** Each target with blanks before, between and after its labels. */
function with_blanks(
  targets: Tensor,
  target_lengths: readonly number[],
  offsets: readonly number[],
  stride: number,
  BLANK: number,
): Float64Array[] {
  const view = targets.impl_.data_view();
  const begin = targets.impl_.data_offset();
  return target_lengths.map((length, b) =>
    Float64Array.from({ length: 2 * length + 1 }, (_, s) =>
      s % 2 === 0 ? BLANK : Number(view[begin + offsets[b] + stride * ((s - 1) / 2)]),
    ),
  );
}

// _ctc_loss                                                                         CPU
export function ctc_loss_cpu(
  log_probs: Tensor,
  targets: Tensor,
  input_lengths: number[],
  target_lengths: number[],
  BLANK: number,
  _zero_infinity: boolean,
): [Tensor, Tensor] {
  check_floating(log_probs, "ctc_loss_cpu");
  TORCH_CHECK(log_probs.numel() > 0, "log_probs tensor must not be empty");
  const made = ctc_loss_allocate_outputs(log_probs, targets, input_lengths, target_lengths, BLANK);
  const { neg_log_likelihood, log_alpha, tg_batch_offsets, tg_target_stride } = made;
  const labels = with_blanks(targets, target_lengths, tg_batch_offsets, tg_target_stride, BLANK);
  log_alpha.narrow(1, 0, 1).fill__Scalar(NEGINF);
  ctc_loss_stub.call(log_probs.device_type(), neg_log_likelihood, log_alpha, log_probs, { labels, input_lengths });
  return [neg_log_likelihood, log_alpha];
}

/**
 * Like AT_DISPATCH_FLOATING_TYPES around the whole function: another dtype is refused before any argument is checked.
 */
function check_floating(t: Tensor, label: string): void {
  const dtype = t.scalar_type();
  TORCH_CHECK_NOT_IMPLEMENTED(
    dtype === ScalarType.Float || dtype === ScalarType.Double,
    `"${label}" not implemented for '${toString(dtype)}'`,
  );
}

// _ctc_loss                                                                         Meta
export function ctc_loss_meta(
  log_probs: Tensor,
  targets: Tensor,
  input_lengths: number[],
  target_lengths: number[],
  BLANK: number,
  _zero_infinity: boolean,
): [Tensor, Tensor] {
  check_floating(log_probs, "ctc_loss_meta");
  const made = ctc_loss_allocate_outputs(log_probs, targets, input_lengths, target_lengths, BLANK);
  return [made.neg_log_likelihood, made.log_alpha];
}

function check_integral(name: string, lengths: Tensor): void {
  TORCH_CHECK(isIntegralType(lengths.scalar_type(), false), `${name} must be integral`);
}

/** Values of a tensor of lengths. */
function numbers_of(lengths: Tensor): number[] {
  const contiguous = lengths.to_dtype(ScalarType.Long).contiguous();
  const begin = contiguous.impl_.data_offset();
  return Array.from(contiguous.impl_.data_view().slice(begin, begin + contiguous.numel()), Number);
}

/** Checks that C++ makes when an accessor with `dims` indices is created. */
function check_accessor(t: Tensor, dtype: ScalarType, dims: number): void {
  TORCH_CHECK(t.dim() === dims, `TensorAccessor expected ${dims} dims but tensor has ${t.dim()}`);
  check_type(t, dtype);
}

// _ctc_loss.Tensor                                                                  CPU
export function ctc_loss_tensor(
  log_probs: Tensor,
  targets: Tensor,
  input_lengths: Tensor,
  target_lengths: Tensor,
  BLANK: number,
  zero_infinity: boolean,
): [Tensor, Tensor] {
  check_integral("input_lengths", input_lengths);
  check_integral("target_lengths", target_lengths);
  const [il, tl] = [numbers_of(input_lengths), numbers_of(target_lengths)];
  return at._ctc_loss(log_probs, targets, il, tl, BLANK, zero_infinity);
}

// _ctc_loss_backward                                                                CPU
export function ctc_loss_backward_cpu(
  grad: Tensor,
  log_probs: Tensor,
  targets: Tensor,
  input_lengths: number[],
  target_lengths: number[],
  neg_log_likelihood: Tensor,
  log_alpha: Tensor,
  BLANK: number,
  zero_infinity: boolean,
): Tensor {
  check_floating(log_probs, "ctc_loss_backward_cpu");
  const [, batch_size] = [log_probs.size(0), log_probs.size(1), log_probs.size(2)];
  const result = at.full_like(log_probs, NEGINF, undefined, MemoryFormat.Contiguous);
  const tg_batch_offsets: number[] = [];
  let pos = 0;
  for (let b = 0; b < batch_size; b++) {
    tg_batch_offsets.push(targets.dim() === 1 ? pos : b * targets.stride(0));
    pos += target_lengths[b];
  }
  const tg_target_stride = targets.dim() === 1 ? targets.stride(0) : targets.stride(1);
  const dtype = log_probs.scalar_type();
  check_accessor(log_probs.permute([1, 0, 2]), dtype, 3);
  check_accessor(log_alpha, dtype, 3);
  check_type(targets, targets.scalar_type() === ScalarType.Long ? ScalarType.Long : ScalarType.Int);
  check_accessor(grad, dtype, 1);
  if (batch_size > 0) check_accessor(neg_log_likelihood, dtype, 1);
  const labels = with_blanks(targets, target_lengths, tg_batch_offsets, tg_target_stride, BLANK);
  const forward = [neg_log_likelihood, log_alpha] as const;
  ctc_loss_backward_stub.call(
    log_probs.device_type(),
    result,
    grad,
    log_probs,
    forward,
    { labels, input_lengths },
    zero_infinity,
  );
  return result;
}

// _ctc_loss_backward.Tensor                                                         CPU
export function ctc_loss_backward_tensor(
  grad: Tensor,
  log_probs: Tensor,
  targets: Tensor,
  input_lengths: Tensor,
  target_lengths: Tensor,
  neg_log_likelihood: Tensor,
  log_alpha: Tensor,
  BLANK: number,
  zero_infinity: boolean,
): Tensor {
  check_integral("input_lengths", input_lengths);
  check_integral("target_lengths", target_lengths);
  const [il, tl] = [numbers_of(input_lengths), numbers_of(target_lengths)];
  return at._ctc_loss_backward(grad, log_probs, targets, il, tl, neg_log_likelihood, log_alpha, BLANK, zero_infinity);
}

type Lengths = number[] | Tensor;

function _ctc_loss(log_probs: Tensor, targets: Tensor, il: Lengths, tl: Lengths, BLANK: number, zero: boolean): Tensor {
  if (Array.isArray(il) && Array.isArray(tl)) return at._ctc_loss(log_probs, targets, il, tl, BLANK, zero)[0];
  return at._ctc_loss_Tensor(log_probs, targets, il as Tensor, tl as Tensor, BLANK, zero)[0];
}

function get_clamped_target_length(target_lengths: Lengths, options: TensorOptions): Tensor {
  if (!Array.isArray(target_lengths)) return target_lengths.clamp_min(Scalar.ONE);
  const lengths = at.empty_memory_format([target_lengths.length], options);
  for (const [i, length] of target_lengths.entries())
    lengths.impl_.data_view()[lengths.impl_.data_offset() + i] = length;
  return lengths.clamp_min(Scalar.ONE);
}

function ctc_loss_impl(
  log_probs_: Tensor,
  targets: Tensor,
  input_lengths: Lengths,
  target_lengths: Lengths,
  BLANK: number,
  reduction: number,
  zero_infinity: boolean,
): Tensor {
  const is_batched = log_probs_.dim() === 3;
  const log_probs = is_batched ? log_probs_ : log_probs_.unsqueeze(1);
  const long = targets.to_device(log_probs.device(), ScalarType.Long);
  let res = _ctc_loss(log_probs, long, input_lengths, target_lengths, BLANK, zero_infinity);
  if (zero_infinity) {
    const infinite = res.eq_Scalar(Scalar.fromDouble(Number.POSITIVE_INFINITY));
    res = at.where_self(infinite, at.zeros([], res.options()), res);
  }
  if (reduction === Reduction.Mean)
    return at.div_Tensor(res, get_clamped_target_length(target_lengths, res.options())).mean();
  if (reduction === Reduction.Sum) return res.sum();
  return is_batched ? res : res.squeeze_dim(0);
}

// ctc_loss.IntList, ctc_loss.Tensor                                                 CompositeImplicitAutograd
export function ctc_loss(
  log_probs: Tensor,
  targets: Tensor,
  input_lengths: Lengths,
  target_lengths: Lengths,
  BLANK: number,
  reduction: number,
  zero_infinity: boolean,
): Tensor {
  let [il, tl] = [input_lengths, target_lengths];
  if (!Array.isArray(il) && !Array.isArray(tl) && !areAnyTensorSubclassLike([log_probs, targets, il, tl])) {
    // If tensors are passed on, they stay tensors; otherwise their values are read here.
    check_integral("input_lengths", il);
    check_integral("target_lengths", tl);
    [il, tl] = [numbers_of(il), numbers_of(tl)];
  }
  return ctc_loss_impl(log_probs, targets, il, tl, BLANK, reduction, zero_infinity);
}
