/**
 * @file Kernels of an LSTM layer and its gradient: one matrix product for all steps, one per step for the hidden state,
 * and the gates.
 * @original oneDNN's primitives `lstm_forward_training` and `lstm_backward` take this place in PyTorch.
 */
import { AT_DISPATCH, type data, load, type scalar_t, store, type TypedArray } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { gemm_stub, type Matrix, matrix_in_rows, transposed } from "#aten/native/CPUBlas";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import {
  type LayerGradients,
  type LayerInput,
  type LayerOutput,
  type LayerShape,
  lstm_layer_backward_stub,
  lstm_layer_stub,
} from "#aten/native/mkldnn/RNN";
import { view_dtype } from "#aten/native/TensorConversions/ViewDtype";
import { DeviceType } from "#c10/core/DeviceType";
import { ScalarType } from "#c10/core/ScalarType";
import { exp, tanh } from "#c10/util/math";
import { lstm_bias_sums_instances, lstm_step_backward_loops, lstm_step_loops } from "./generated/LSTMLayerKernel.ts";
import { for_rows } from "./rows.ts";

/**
 * Replaces the inputs of the gates by their activations, and computes the next cell and hidden state.
 * @loop lstm_layer: Float
 */
export function lstm_step(
  to_input: scalar_t,
  to_forget: scalar_t,
  to_cell: scalar_t,
  to_output: scalar_t,
  cx: scalar_t,
): [scalar_t, scalar_t, scalar_t, scalar_t, scalar_t, scalar_t] {
  const input = 1 / (1 + exp(-to_input));
  const forget = 1 / (1 + exp(-to_forget));
  const cell = tanh(to_cell);
  const output = 1 / (1 + exp(-to_output));
  const cy = forget * cx + input * cell;
  return [input, forget, cell, output, cy, output * tanh(cy)];
}

/**
 * Gradients of the gates' inputs and of the previous cell state, from the activations. The gradient of the hidden state
 * is the sum of the gradient from the step's output, `dy`, and from the next step, `dh`. `dc` is the gradient of the
 * cell state after the step.
 * @loop lstm_layer_backward: Float
 */
export function lstm_step_backward(
  input: scalar_t,
  forget: scalar_t,
  cell: scalar_t,
  output: scalar_t,
  cx: scalar_t,
  cy: scalar_t,
  dy: scalar_t,
  dh: scalar_t,
  dc: scalar_t,
): [scalar_t, scalar_t, scalar_t, scalar_t, scalar_t] {
  const tanh_c = tanh(cy);
  const grad_h = dy + dh;
  const grad_c = dc + grad_h * output * (1 - tanh_c * tanh_c);
  return [
    grad_c * cell * input * (1 - input),
    grad_c * cx * forget * (1 - forget),
    grad_c * input * (1 - cell * cell),
    grad_h * tanh_c * output * (1 - output),
    grad_c * forget,
  ];
}

/** Sum of each column. @template lstm_layer_backward: Float */
export function lstm_bias_sums(
  out: data<scalar_t>,
  o0: number,
  x: data<scalar_t>,
  x0: number,
  rows: number,
  columns: number,
): void {
  for (let j = 0; j < columns; j++) store(out, o0 + j, 0);
  for (let i = 0; i < rows; i++) {
    const from = x0 + i * columns;
    for (let j = 0; j < columns; j++) store(out, o0 + j, load(out, o0 + j) + load(x, from + j));
  }
}

/** `c = a @ b + beta * c`. */
function gemm(m: number, n: number, k: number, a: Matrix, b: Matrix, beta: number, c: Matrix): void {
  gemm_stub.call(DeviceType.CPU, ScalarType.Float, m, n, k, 1, a, b, beta, c, 1);
}

/** Numbers of the steps, in the order in which the layer runs them. */
function order({ T, reverse }: LayerShape): number[] {
  return Array.from({ length: T }, (_, i) => (reverse ? T - 1 - i : i));
}

/** The workspace as a float32 tensor. */
function floats(workspace: Tensor): Tensor {
  return view_dtype(workspace, ScalarType.Float);
}

interface Memory {
  readonly data: TypedArray;
  readonly offset: number;
}

function memory(t: Tensor): Memory {
  const impl = t.unsafeGetTensorImpl();
  return { data: impl.data_view(), offset: impl.data_offset() };
}

function copy(to: Memory, from: Memory, n: number): void {
  (to.data as Float32Array).set(from.data.subarray(from.offset, from.offset + n) as Float32Array, to.offset);
}

/** The four gates of step `t`, as matrices within a matrix whose rows hold the four gates one after the other. */
function gates_of(t: number, matrix: Tensor, { N, H }: LayerShape): Matrix[] {
  return [0, 1, 2, 3].map((k) => matrix_in_rows(matrix, (t * N * 4 + k) * H, 4 * H));
}

function lstm_layer(shape: LayerShape, input: LayerInput, output: LayerOutput): void {
  const { T, N, I, H } = shape;
  const work = floats(output.workspace);
  const w = memory(work);
  const bias = memory(input.bias);
  const G = 4 * H;
  const cells = T * N * G;
  for (let r = 0; r < T * N; r++) copy({ data: w.data, offset: w.offset + r * G }, bias, G);
  const gates = matrix_in_rows(work, 0, G);
  gemm(T * N, G, I, matrix_in_rows(input.x, 0, I), transposed(matrix_in_rows(input.weight_ih, 0, I)), 1, gates);
  const weight_hh = transposed(matrix_in_rows(input.weight_hh, 0, H));
  let h = matrix_in_rows(input.hx, 0, H);
  let c = matrix_in_rows(input.cx, 0, H);
  for (const t of order(shape)) {
    gemm(N, G, H, h, weight_hh, 1, matrix_in_rows(work, t * N * G, G));
    const of_gates = gates_of(t, work, shape);
    const cy = matrix_in_rows(work, cells + t * N * H, H);
    h = matrix_in_rows(output.y, t * N * H, H);
    for_rows(lstm_step_loops, ScalarType.Float, N, H, [...of_gates, cy, h, ...of_gates, c]);
    c = cy;
  }
  copy(memory(output.hy), h, N * H);
  copy(memory(output.cy), c, N * H);
}

function lstm_layer_backward(shape: LayerShape, input: LayerInput, output: LayerOutput, grads: LayerGradients): void {
  const { T, N, I, H } = shape;
  const G = 4 * H;
  const cells = T * N * G;
  const dgates = at.empty_memory_format([T * N, G], input.x.options());
  const work = floats(output.workspace);
  const d = memory(dgates);
  const dh = matrix_in_rows(grads.dhx, 0, H);
  const dc = matrix_in_rows(grads.dcx, 0, H);
  copy(dh, memory(grads.dhy), N * H);
  copy(dc, memory(grads.dcy), N * H);
  const weight_hh = matrix_in_rows(input.weight_hh, 0, H);
  const dweight_hh = matrix_in_rows(grads.dweight_hh, 0, H);
  const steps = order(shape);
  for (let s = T - 1; s >= 0; s--) {
    const t = steps[s];
    const cx = s === 0 ? matrix_in_rows(input.cx, 0, H) : matrix_in_rows(work, cells + steps[s - 1] * N * H, H);
    const cy = matrix_in_rows(work, cells + t * N * H, H);
    const dy = matrix_in_rows(grads.dy, t * N * H, H);
    const [outputs, activations] = [gates_of(t, dgates, shape), gates_of(t, work, shape)];
    for_rows(lstm_step_backward_loops, ScalarType.Float, N, H, [...outputs, dc, ...activations, cx, cy, dy, dh, dc]);
    gemm(N, H, G, matrix_in_rows(dgates, t * N * G, G), weight_hh, 0, dh);
  }
  // The hidden state before the first step is given; before each other step it is the previous step's output.
  const [others, before] = shape.reverse ? [0, N] : [N, 0];
  const of_first = matrix_in_rows(dgates, steps[0] * N * G, G);
  const of_others = matrix_in_rows(dgates, others * G, G);
  gemm(G, H, N, transposed(of_first), matrix_in_rows(input.hx, 0, H), 0, dweight_hh);
  gemm(G, H, (T - 1) * N, transposed(of_others), matrix_in_rows(output.y, before * H, H), 1, dweight_hh);
  const all = matrix_in_rows(dgates, 0, G);
  gemm(T * N, I, G, all, matrix_in_rows(input.weight_ih, 0, I), 0, matrix_in_rows(grads.dx, 0, I));
  gemm(G, I, T * N, transposed(all), matrix_in_rows(input.x, 0, I), 0, matrix_in_rows(grads.dweight_ih, 0, I));
  const dbias = memory(grads.dbias);
  AT_DISPATCH(lstm_bias_sums_instances, ScalarType.Float)(dbias.data, dbias.offset, d.data, d.offset, T * N, G);
}

REGISTER_DISPATCH(lstm_layer_stub, lstm_layer, "lstm_layer");
REGISTER_DISPATCH(lstm_layer_backward_stub, lstm_layer_backward, "lstm_layer_backward");
