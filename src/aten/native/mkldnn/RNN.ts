/**
 * @file One layer of an LSTM, in one direction, as one operator that keeps what its gradient needs.
 * @mirrors aten/src/ATen/native/mkldnn/RNN.cpp
 * @differs Ours computes the layer with the common matrix product and the loops of cpu/LSTMLayerKernel.ts; PyTorch
 * calls oneDNN. The workspace, which only this layer reads, has another size here. Only LSTMs in float32 have this
 * layer.
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { StackOptions } from "#aten/native/RNN/Layers";
import { defined } from "#aten/TensorMethods";
import { DeviceType } from "#c10/core/DeviceType";
import { GradMode } from "#c10/core/GradMode";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "../DispatchStub.ts";

/** `ideep::rnn_kind`. */
const [LSTM, GRU] = [2, 3];

/** Number of bias gates: oneDNN's GRU has one more. */
function num_bias_gates(mode: number): number {
  return mode === LSTM || mode === GRU ? 4 : 1;
}

/** Sizes of a layer: steps, sequences, input features, output features. */
export interface LayerShape {
  readonly T: number;
  readonly N: number;
  readonly I: number;
  readonly H: number;
  /** Whether the layer runs from the last step to the first. */
  readonly reverse: boolean;
}

/** Inputs of a layer; all are contiguous float32. `bias` is the sum of both biases. */
export interface LayerInput {
  readonly x: Tensor;
  readonly hx: Tensor;
  readonly cx: Tensor;
  readonly weight_ih: Tensor;
  readonly weight_hh: Tensor;
  readonly bias: Tensor;
}

/**
 * Outputs of a layer. `workspace` (bytes) holds the gates of all steps, (T, N, 4H), then the cell states of all steps,
 * (T, N, H).
 */
export interface LayerOutput {
  readonly y: Tensor;
  readonly hy: Tensor;
  readonly cy: Tensor;
  readonly workspace: Tensor;
}

/** Gradients of `y`, `hy` and `cy` are given; the others are written. */
export interface LayerGradients {
  readonly dy: Tensor;
  readonly dhy: Tensor;
  readonly dcy: Tensor;
  readonly dx: Tensor;
  readonly dhx: Tensor;
  readonly dcx: Tensor;
  readonly dweight_ih: Tensor;
  readonly dweight_hh: Tensor;
  readonly dbias: Tensor;
}

export const lstm_layer_stub =
  DEFINE_DISPATCH<(shape: LayerShape, input: LayerInput, output: LayerOutput) => void>("lstm_layer_stub");
export const lstm_layer_backward_stub =
  DEFINE_DISPATCH<(shape: LayerShape, input: LayerInput, output: LayerOutput, grads: LayerGradients) => void>(
    "lstm_layer_backward_stub",
  );

/** oneDNN's name of the dtype is looked up first; it knows more dtypes than the view accepts. */
function itensor_view_from_dense(t: Tensor): void {
  const { Float, Char, Byte, BFloat16, Half } = ScalarType;
  const dtype = t.scalar_type();
  const named: readonly ScalarType[] = [Float, Char, Byte, BFloat16, Half];
  TORCH_CHECK(named.includes(dtype), "get_mkldnn_dtype: unsupported data type");
  TORCH_CHECK(
    dtype === Float || dtype === BFloat16 || dtype === Half,
    "itensor_view_from_dense expects float, bfloat16 or half tensor input",
  );
}

/** Reorders the gates for a GRU: oneDNN has another order. */
function _shuffle_weight(weight: Tensor, mode: number): Tensor {
  const weight_t = weight.contiguous();
  if (mode !== GRU) return weight_t;
  const gates = weight_t.chunk(3, 0);
  return at.cat([gates[1], gates[0], gates[2]], 0);
}

function _shuffle_bias(bias_ih: Tensor, bias_hh: Tensor, mode: number): Tensor {
  if (mode !== GRU) return bias_ih.add_Tensor(bias_hh);
  const [b1, b2] = [bias_ih.chunk(3, 0), bias_hh.chunk(3, 0)];
  return at.cat([b1[1].add_Tensor(b2[1]), b1[0].add_Tensor(b2[0]), b1[2], b2[2]], 0);
}

/** Checks the sizes. PyTorch does not, and wrong ones read beyond the memory. */
function check_sizes(shape: LayerShape, { hx, cx, weight_ih, weight_hh, bias }: LayerInput): void {
  const { N, I, H } = shape;
  const check = (name: string, t: Tensor, numel: number) =>
    TORCH_CHECK(
      t.numel() === numel,
      `mkldnn_rnn_layer: expected ${name} with `,
      numel,
      " elements, but got ",
      t.numel(),
    );
  check("hx", hx, N * H);
  check("cx", cx, N * H);
  check("weight_ih", weight_ih, 4 * H * I);
  check("weight_hh", weight_hh, 4 * H * H);
  check("bias", bias, 4 * H);
}

function layer_of(
  input: Tensor,
  [w0, w1, w2, w3]: readonly [Tensor, Tensor, Tensor, Tensor],
  [hx_, cx_]: readonly [Tensor, Tensor],
  reverse: boolean,
  mode: number,
  hidden_size: number,
  has_biases: boolean,
): [LayerShape, LayerInput] {
  const [T, N, I] = [input.size(0), input.size(1), input.size(2)];
  const weight_ih = _shuffle_weight(w0, mode);
  const weight_hh = _shuffle_weight(w1, mode);
  const bias = has_biases
    ? _shuffle_bias(w2, w3, mode)
    : at.zeros([num_bias_gates(mode) * hidden_size], weight_ih.options());
  const given = [input, hx_, cx_, bias, weight_ih, weight_hh];
  given.forEach(itensor_view_from_dense);
  TORCH_CHECK(
    mode === LSTM && hidden_size > 0 && given.every((t) => t.scalar_type() === ScalarType.Float),
    "could not create a primitive descriptor for the LSTM forward propagation primitive. ",
    "Run workload with environment variable ONEDNN_VERBOSE=all to get additional diagnostic information.",
  );
  const layer = { x: input.contiguous(), hx: hx_.contiguous(), cx: cx_.contiguous(), weight_ih, weight_hh, bias };
  const shape = { T, N, I, H: hidden_size, reverse };
  TORCH_CHECK(T > 0 && N > 0 && I > 0, "could not execute a primitive");
  check_sizes(shape, layer);
  return [shape, layer];
}

function empty_workspace({ T, N, H }: LayerShape, input: Tensor): Tensor {
  return at.empty_memory_format([T * N * 5 * H * 4], input.options().dtype(ScalarType.Byte));
}

// mkldnn_rnn_layer                                                                                   CPU
// @parameters PyTorch's own.
export function mkldnn_rnn_layer(
  input: Tensor,
  w0: Tensor,
  w1: Tensor,
  w2: Tensor,
  w3: Tensor,
  hx_: Tensor,
  cx_: Tensor,
  reverse: boolean,
  _batch_sizes: number[],
  mode: number,
  hidden_size: number,
  _num_layers: number,
  has_biases: boolean,
  _bidirectional: boolean,
  _batch_first: boolean,
  _train: boolean,
): [Tensor, Tensor, Tensor, Tensor] {
  const [T, N] = [input.size(0), input.size(1), input.size(2)];
  const y = at.empty_memory_format([T, N, hidden_size], input.options());
  const hy = at.empty_memory_format(hx_.sizes(), hx_.options());
  const cy = at.empty_memory_format(cx_.sizes(), cx_.options());
  const [shape, layer] = layer_of(input, [w0, w1, w2, w3], [hx_, cx_], reverse, mode, hidden_size, has_biases);
  const workspace = empty_workspace(shape, input);
  lstm_layer_stub.call(DeviceType.CPU, shape, layer, { y, hy, cy, workspace });
  return [y, hy, cy, GradMode.is_enabled() ? workspace : new Tensor()];
}

// mkldnn_rnn_layer_backward                                                                          CPU
// @parameters PyTorch's own.
export function mkldnn_rnn_layer_backward(
  input: Tensor,
  weight0: Tensor,
  weight1: Tensor,
  weight2: Tensor,
  weight3: Tensor,
  hx_: Tensor,
  cx_tmp: Tensor,
  y: Tensor,
  hy: Tensor,
  cy: Tensor,
  grad_output: Tensor | null,
  grad_hy: Tensor | null,
  grad_cy: Tensor | null,
  reverse: boolean,
  mode: number,
  hidden_size: number,
  _num_layers: number,
  has_biases: boolean,
  _train: boolean,
  _bidirectional: boolean,
  _batch_sizes: number[],
  _batch_first: boolean,
  workspace: Tensor,
): [Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor] {
  const [of_y, of_hy, of_cy] = [defined(grad_output), defined(grad_hy), defined(grad_cy)];
  if (of_y === null && of_hy === null && of_cy === null) {
    const none = () => new Tensor();
    return [none(), none(), none(), none(), none(), none(), none()];
  }
  const dy = of_y?.contiguous() ?? at.zeros_like(y);
  const dhy = of_hy?.contiguous() ?? at.zeros_like(hx_);
  const dcy = of_cy?.contiguous() ?? at.zeros_like(cx_tmp);
  const weights = [weight0, weight1, weight2, weight3] as const;
  const [shape, layer] = layer_of(input, weights, [hx_, cx_tmp], reverse, mode, hidden_size, has_biases);
  const empty_as = (t: Tensor) => at.empty_memory_format(t.sizes(), t.options());
  const grads = {
    dy,
    dhy,
    dcy,
    dx: empty_as(input),
    dhx: empty_as(hx_),
    dcx: empty_as(cx_tmp),
    dweight_ih: empty_as(weight0),
    dweight_hh: empty_as(weight1),
    dbias: empty_as(layer.bias),
  };
  lstm_layer_backward_stub.call(DeviceType.CPU, shape, layer, { y, hy, cy, workspace }, grads);
  const { dx, dweight_ih, dweight_hh, dbias, dhx, dcx } = grads;
  return [dx, dweight_ih, dweight_hh, dbias, dbias.clone(), dhx, dcx];
}

/** Runs all layers and directions of an LSTM; each is one operator. */
export function lstm_mkldnn(
  input_: Tensor,
  [hx_, cx_]: readonly Tensor[],
  params: readonly Tensor[],
  has_biases: boolean,
  batch_first: boolean,
  { num_layers, dropout_p, train, bidirectional }: StackOptions,
): [Tensor, Tensor, Tensor] {
  const hidden_size = hx_.size(2);
  let layer_input = (batch_first ? input_.transpose_int(0, 1) : input_).contiguous();
  const hx = hx_.contiguous();
  const cx = cx_.contiguous();
  const stride = has_biases ? 4 : 2;
  TORCH_CHECK(
    params.length % stride === 0,
    "MatrixRef: ArrayRef size ",
    params.length,
    " not divisible by stride ",
    stride,
  );
  const num_directions = bidirectional ? 2 : 1;
  const layer_hy: Tensor[] = [];
  const layer_cy: Tensor[] = [];
  for (let layer = 0; layer < num_layers; layer++) {
    const layer_output: Tensor[] = [];
    for (let direction = 0; direction < num_directions; direction++) {
      const index = layer * num_directions + direction;
      const [w0, w1, b0, b1] = params.slice(index * stride, (index + 1) * stride);
      const layer_hx = hx.select_int(0, index);
      const layer_cx = cx.select_int(0, index);
      const [y, hy, cy] = at.mkldnn_rnn_layer(
        layer_input,
        w0,
        w1,
        has_biases ? b0 : at.zeros(w0.sizes(), w0.options()),
        has_biases ? b1 : at.zeros(w1.sizes(), w1.options()),
        layer_hx,
        layer_cx,
        direction > 0,
        [],
        LSTM,
        hidden_size,
        num_layers,
        has_biases,
        bidirectional,
        batch_first,
        train,
      );
      layer_output.push(y);
      layer_hy.push(hy);
      layer_cy.push(cy);
    }
    layer_input = num_directions === 1 ? layer_output[0] : at.cat(layer_output, -1);
    if (dropout_p !== 0 && train && layer < num_layers - 1) layer_input = at.dropout(layer_input, dropout_p, true);
  }
  const hy = at.stack(layer_hy, 0);
  const cy = at.stack(layer_cy, 0);
  return [batch_first ? layer_input.transpose_int(0, 1) : layer_input, hy, cy];
}
