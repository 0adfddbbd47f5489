/**
 * @file Kernels of ctc_loss for one sequence; see Note [Alpha of ctc_loss].
 * @mirrors aten/src/ATen/native/LossCTC.cpp
 * @differs Ours inserts the blanks between the labels beforehand; PyTorch inserts them during the loop. In PyTorch
 * these loops are in LossCTC.cpp.
 */
import {
  AT_DISPATCH,
  cast,
  type data,
  type float64,
  load,
  lower_bound,
  type row,
  row_at,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { type CTCTargets, ctc_loss_backward_stub, ctc_loss_stub } from "#aten/native/LossCTC";
import { check_type } from "#aten/TensorMethods";
import { ctc_loss_backward_sequence_instances, ctc_loss_sequence_instances } from "./generated/LossCTCKernel.ts";

/** `log(exp(a) + exp(b) + exp(c))`. @template ctc_loss_cpu: floating types */
export function log_sum_exp(a: scalar_t, b: scalar_t, c: scalar_t): scalar_t {
  let most: scalar_t = a > b ? a : b;
  if (c > most) most = c;
  if (most === lower_bound<scalar_t>()) most = 0; // because -inf - -inf is NaN
  return Math.log(Math.exp(a - most) + Math.exp(b - most) + Math.exp(c - most)) + most;
}

/**
 * Computes the negative log likelihood, and alpha for every step.
 * @param S number of labels, including blanks
 * @template ctc_loss_cpu: floating types
 */
export function ctc_loss_sequence(
  neg_log_likelihood: data<scalar_t>,
  likelihood_at: number,
  log_alpha: row<row<scalar_t>>,
  log_probs: row<row<scalar_t>>,
  labels: data<float64>,
  S: number,
  input_length: number,
): void {
  const neginf: scalar_t = lower_bound<scalar_t>();
  if (input_length === 0) {
    const certain: scalar_t = 0;
    store(neg_log_likelihood, likelihood_at, S === 1 ? -certain : -neginf);
    return;
  }
  const first = row_at(log_alpha, 0);
  const probs = row_at(log_probs, 0);
  for (let s = 0; s < S && s < 2; s++) store(first, s, load(probs, cast<number>(load(labels, s))));
  for (let t = 1; t < input_length; t++) {
    const before = row_at(log_alpha, t - 1);
    const now = row_at(log_alpha, t);
    const lp = row_at(log_probs, t);
    for (let s = 0; s < S; s++) {
      const label = cast<number>(load(labels, s));
      const la1: scalar_t = load(before, s);
      const la2: scalar_t = s > 0 ? load(before, s - 1) : neginf;
      const la3: scalar_t = s > 1 && cast<number>(load(labels, s - 2)) !== label ? load(before, s - 2) : neginf;
      store(now, s, log_sum_exp(la1, la2, la3) + load(lp, label));
    }
  }
  const last = row_at(log_alpha, input_length - 1);
  const l1: scalar_t = load(last, S - 1);
  const l2: scalar_t = S > 1 ? load(last, S - 2) : neginf;
  store(neg_log_likelihood, likelihood_at, S === 1 ? -l1 : -log_sum_exp(l1, l2, neginf));
}

/**
 * Gradient with respect to `log_probs`, as if these came from log_softmax: (p - the probability of all paths through
 * this label) * grad. `beta` has space for two steps.
 * @template ctc_loss_backward_cpu: floating types
 */
export function ctc_loss_backward_sequence(
  grad: row<row<scalar_t>>,
  grad_out: scalar_t,
  neg_log_likelihood: scalar_t,
  log_alpha: row<row<scalar_t>>,
  log_probs: row<row<scalar_t>>,
  labels: data<float64>,
  beta: row<row<scalar_t>>,
  S: number,
  input_length: number,
  num_labels: number,
): void {
  const neginf: scalar_t = lower_bound<scalar_t>();
  for (let t = input_length - 1; t >= 0; t--) {
    const now = row_at(beta, t % 2);
    const later = row_at(beta, (t + 1) % 2);
    const lp = row_at(log_probs, t);
    const alpha = row_at(log_alpha, t);
    const collected = row_at(grad, t);
    const end = t === input_length - 1;
    for (let s = S - 1; s >= 0; s--) {
      const label = cast<number>(load(labels, s));
      if (end) {
        store(now, s, s >= S - 2 ? load(lp, label) : neginf);
      } else {
        const lb1: scalar_t = load(later, s);
        const lb2: scalar_t = s < S - 1 ? load(later, s + 1) : neginf;
        const lb3: scalar_t = s < S - 2 && cast<number>(load(labels, s + 2)) !== label ? load(later, s + 2) : neginf;
        store(now, s, log_sum_exp(lb1, lb2, lb3) + load(lp, label));
      }
      if (end && s < S - 2) continue;
      const through: scalar_t = load(alpha, s) + load(now, s);
      const known: scalar_t = load(collected, label);
      // In the last step, the label is not tested for being the blank.
      store(collected, label, end || known === neginf ? through : log_sum_exp(known, through, neginf));
    }
    for (let c = 0; c < num_labels; c++) {
      const p: scalar_t = load(lp, c);
      const v: scalar_t = (Math.exp(p) - Math.exp(load(collected, c) + neg_log_likelihood - p)) * grad_out;
      store(collected, c, v);
    }
  }
}

type Matrix = [view: ReturnType<Tensor["data_view"]>, offset: number, rows: number, columns: number];

/** The matrix at position `i` along dim `batch` of a tensor with three dims. */
function matrix_of(t: Tensor, batch: number, i: number): Matrix {
  const strides = t.strides();
  const [rows, columns] = strides.filter((_, d) => d !== batch);
  return [t.data_view(), t.data_offset() + i * strides[batch], rows, columns];
}

function ctc_loss_kernel(
  neg_log_likelihood: Tensor,
  log_alpha: Tensor,
  log_probs: Tensor,
  { labels, input_lengths }: CTCTargets,
): void {
  const run = AT_DISPATCH(ctc_loss_sequence_instances, log_probs.scalar_type());
  for (const [b, of_target] of labels.entries()) {
    // biome-ignore format: one operand group per line
    run(
      neg_log_likelihood.data_view(), neg_log_likelihood.data_offset() + b,
      ...matrix_of(log_alpha, 0, b),
      ...matrix_of(log_probs, 1, b),
      of_target, of_target.length, input_lengths[b],
    );
  }
}

/** Element `i` of a vector. */
function element(t: Tensor, i: number): number {
  return Number(t.data_view()[t.data_offset() + i * t.strides()[0]]);
}

function ctc_loss_backward_kernel(
  grad: Tensor,
  grad_out: Tensor,
  log_probs: Tensor,
  [neg_log_likelihood, log_alpha]: readonly [Tensor, Tensor],
  { labels, input_lengths }: CTCTargets,
  zero_infinity: boolean,
): void {
  const dtype = log_probs.scalar_type();
  const run = AT_DISPATCH(ctc_loss_backward_sequence_instances, dtype);
  for (const t of [grad_out, neg_log_likelihood, log_alpha]) check_type(t, dtype);
  const max_input_length = log_probs.size(0);
  for (const [b, of_target] of labels.entries()) {
    const nll = element(neg_log_likelihood, b);
    const left_out = zero_infinity && nll === Number.POSITIVE_INFINITY;
    const input_length = left_out ? 0 : input_lengths[b];
    const S = of_target.length;
    const beta = log_alpha.new_empty([2, S]);
    // biome-ignore format: one operand group per line
    run(
      ...matrix_of(grad, 1, b), element(grad_out, b), nll,
      ...matrix_of(log_alpha, 0, b),
      ...matrix_of(log_probs, 1, b),
      of_target,
      beta.data_view(), beta.data_offset(), S, 1,
      S, input_length, log_probs.size(2),
    );
    // Steps after the end of the sequence have gradient 0.
    if (input_length < max_input_length)
      grad
        .select_int(1, b)
        .narrow(0, input_length, max_input_length - input_length)
        .zero_();
  }
}

REGISTER_DEFAULT_DISPATCH(ctc_loss_stub, ctc_loss_kernel, "ctc_loss_kernel");
REGISTER_DEFAULT_DISPATCH(ctc_loss_backward_stub, ctc_loss_backward_kernel, "ctc_loss_backward_kernel");
