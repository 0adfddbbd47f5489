/**
 * @file The loops of an LSTM's layer, and of its gradient: one product for all steps, one for the hidden state of each, and what the gates do.
 * @original oneDNN's primitives `lstm_forward_training` and `lstm_backward`.
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
import { view_dtype } from "#aten/native/ViewDtype";
import { DeviceType } from "#c10/core/DeviceType";
import { ScalarType } from "#c10/core/ScalarType";
import { exp, tanh } from "#c10/util/math";
import {
  lstm_bias_sums_instances,
  lstm_step_backward_instances,
  lstm_step_instances,
} from "./generated/LSTMLayerKernel.ts";

/** Gates (input, forget, cell, output) become their activations, in place; from them the next states. @template lstm_layer: Float */
export function lstm_step(
  gates: data<scalar_t>,
  g0: number,
  cx: data<scalar_t>,
  cx0: number,
  cy: data<scalar_t>,
  cy0: number,
  hy: data<scalar_t>,
  hy0: number,
  N: number,
  H: number,
): void {
  for (let n = 0; n < N; n++) {
    for (let j = 0; j < H; j++) {
      const at_gate = g0 + n * 4 * H + j;
      const i: scalar_t = 1 / (1 + exp(-load(gates, at_gate)));
      const f: scalar_t = 1 / (1 + exp(-load(gates, at_gate + H)));
      const g: scalar_t = tanh(load(gates, at_gate + 2 * H));
      const o: scalar_t = 1 / (1 + exp(-load(gates, at_gate + 3 * H)));
      const c: scalar_t = f * load(cx, cx0 + n * H + j) + i * g;
      store(gates, at_gate, i);
      store(gates, at_gate + H, f);
      store(gates, at_gate + 2 * H, g);
      store(gates, at_gate + 3 * H, o);
      store(cy, cy0 + n * H + j, c);
      store(hy, hy0 + n * H + j, o * tanh(c));
    }
  }
}

/**
 * Activations become gradients of what went into the gates, in `dgates`; `dc` goes from the step's end to its beginning. The hidden
 * state's gradient comes from the step's output and from the step behind it. @template lstm_layer_backward: Float
 */
export function lstm_step_backward(
  dgates: data<scalar_t>,
  d0: number,
  gates: data<scalar_t>,
  g0: number,
  cx: data<scalar_t>,
  cx0: number,
  cy: data<scalar_t>,
  cy0: number,
  dy: data<scalar_t>,
  dy0: number,
  dh: data<scalar_t>,
  dh0: number,
  dc: data<scalar_t>,
  dc0: number,
  N: number,
  H: number,
): void {
  for (let n = 0; n < N; n++) {
    for (let j = 0; j < H; j++) {
      const s = n * H + j;
      const at_gate = g0 + n * 4 * H + j;
      const i: scalar_t = load(gates, at_gate);
      const f: scalar_t = load(gates, at_gate + H);
      const g: scalar_t = load(gates, at_gate + 2 * H);
      const o: scalar_t = load(gates, at_gate + 3 * H);
      const tanh_c: scalar_t = tanh(load(cy, cy0 + s));
      const grad_h: scalar_t = load(dy, dy0 + s) + load(dh, dh0 + s);
      const grad_c: scalar_t = load(dc, dc0 + s) + grad_h * o * (1 - tanh_c * tanh_c);
      const to = d0 + n * 4 * H + j;
      store(dgates, to, grad_c * g * i * (1 - i));
      store(dgates, to + H, grad_c * load(cx, cx0 + s) * f * (1 - f));
      store(dgates, to + 2 * H, grad_c * i * (1 - g * g));
      store(dgates, to + 3 * H, grad_h * tanh_c * o * (1 - o));
      store(dc, dc0 + s, grad_c * f);
    }
  }
}

/** Sums of columns. @template lstm_layer_backward: Float */
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

/** The steps in the order in which the layer takes them. */
function order({ T, reverse }: LayerShape): number[] {
  return Array.from({ length: T }, (_, i) => (reverse ? T - 1 - i : i));
}

/** The workspace as float32. */
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
  for (let i = 0; i < n; i++) to.data[to.offset + i] = from.data[from.offset + i];
}

function lstm_layer(shape: LayerShape, input: LayerInput, output: LayerOutput): void {
  const { T, N, I, H } = shape;
  const step = AT_DISPATCH(lstm_step_instances, ScalarType.Float);
  const work = floats(output.workspace);
  const w = memory(work);
  const y = memory(output.y);
  const bias = memory(input.bias);
  const G = 4 * H;
  const cells = T * N * G;
  for (let r = 0; r < T * N; r++) for (let j = 0; j < G; j++) w.data[w.offset + r * G + j] = bias.data[bias.offset + j];
  const gates = matrix_in_rows(work, 0, G);
  gemm(T * N, G, I, matrix_in_rows(input.x, 0, I), transposed(matrix_in_rows(input.weight_ih, 0, I)), 1, gates);
  const weight_hh = transposed(matrix_in_rows(input.weight_hh, 0, H));
  let h = matrix_in_rows(input.hx, 0, H);
  let c = memory(input.cx);
  for (const t of order(shape)) {
    gemm(N, G, H, h, weight_hh, 1, matrix_in_rows(work, t * N * G, G));
    const to = { data: w.data, offset: w.offset + cells + t * N * H };
    const y0 = y.offset + t * N * H;
    step(w.data, w.offset + t * N * G, c.data, c.offset, to.data, to.offset, y.data, y0, N, H);
    h = matrix_in_rows(output.y, t * N * H, H);
    c = to;
  }
  copy(memory(output.hy), h, N * H);
  copy(memory(output.cy), c, N * H);
}

function lstm_layer_backward(shape: LayerShape, input: LayerInput, output: LayerOutput, grads: LayerGradients): void {
  const { T, N, I, H } = shape;
  const step = AT_DISPATCH(lstm_step_backward_instances, ScalarType.Float);
  const G = 4 * H;
  const cells = T * N * G;
  const dgates = at.empty_memory_format([T * N, G], input.x.options());
  const work = floats(output.workspace);
  const w = memory(work);
  const d = memory(dgates);
  const dy = memory(grads.dy);
  const dh = memory(grads.dhx);
  const dc = memory(grads.dcx);
  copy(dh, memory(grads.dhy), N * H);
  copy(dc, memory(grads.dcy), N * H);
  const weight_hh = matrix_in_rows(input.weight_hh, 0, H);
  const dweight_hh = matrix_in_rows(grads.dweight_hh, 0, H);
  const steps = order(shape);
  for (let s = T - 1; s >= 0; s--) {
    const t = steps[s];
    const before = s === 0 ? memory(input.cx) : { data: w.data, offset: w.offset + cells + steps[s - 1] * N * H };
    // biome-ignore format: an operand a line
    step(
      d.data, d.offset + t * N * G,
      w.data, w.offset + t * N * G,
      before.data, before.offset,
      w.data, w.offset + cells + t * N * H,
      dy.data, dy.offset + t * N * H,
      dh.data, dh.offset,
      dc.data, dc.offset,
      N, H,
    );
    const of_step = matrix_in_rows(dgates, t * N * G, G);
    gemm(N, H, G, of_step, weight_hh, 0, matrix_in_rows(grads.dhx, 0, H));
    const h = s === 0 ? matrix_in_rows(input.hx, 0, H) : matrix_in_rows(output.y, steps[s - 1] * N * H, H);
    gemm(G, H, N, transposed(of_step), h, s === T - 1 ? 0 : 1, dweight_hh);
  }
  const all = matrix_in_rows(dgates, 0, G);
  gemm(T * N, I, G, all, matrix_in_rows(input.weight_ih, 0, I), 0, matrix_in_rows(grads.dx, 0, I));
  gemm(G, I, T * N, transposed(all), matrix_in_rows(input.x, 0, I), 0, matrix_in_rows(grads.dweight_ih, 0, I));
  const dbias = memory(grads.dbias);
  AT_DISPATCH(lstm_bias_sums_instances, ScalarType.Float)(dbias.data, dbias.offset, d.data, d.offset, T * N, G);
}

REGISTER_DISPATCH(lstm_layer_stub, lstm_layer, "lstm_layer");
REGISTER_DISPATCH(lstm_layer_backward_stub, lstm_layer_backward, "lstm_layer_backward");
