/**
 * @file Recurrent networks composed of other operators: a cell is one step, a layer runs a cell over a sequence, and a
 * stack combines layers. A hidden state is a list of tensors: `[h]`, or `[h, c]` for an LSTM.
 * @mirrors aten/src/ATen/native/RNN.cpp
 * @differs Ours runs on the CPU only; PyTorch also has stubs for cuDNN and MIOpen, fused cells and quantized networks.
 * @see Layers.ts (layers), mkldnn/RNN.ts (an LSTM's layer as one operator)
 */
import { userEnabledMkldnn } from "#aten/Context/index";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { lstm_mkldnn } from "#aten/native/mkldnn/RNN";
import { DeviceType } from "#c10/core/DeviceType";
import { Layout } from "#c10/core/Layout";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_WARN_ONCE } from "#c10/util/Exception";
import {
  type Cell,
  CellParams,
  full_bidirectional_layer,
  full_layer,
  type Hidden,
  type Layers,
  type PackedSequence,
  packed_bidirectional_layer,
  packed_layer,
  rnn_impl,
  type StackOptions,
} from "./Layers.ts";

// Cells

/** `nonlinearity(w_ih x + b_ih + w_hh h + b_hh)`. */
function simple_cell(nonlinearity: (t: Tensor) => Tensor): Cell {
  return (input, [hidden], params, pre_compute_input) => [
    nonlinearity(params.linear_hh(hidden).add__Tensor(pre_compute_input ? input : params.linear_ih(input))),
  ];
}

const tanh_cell = simple_cell(at.tanh);
const relu_cell = simple_cell(at.relu);

/** Gates in the order input, forget, cell, output. */
const lstm_step: Cell = (input, [hx, cx], params, pre_compute_input) => {
  const gates = params.linear_hh(hx).add__Tensor(pre_compute_input ? input : params.linear_ih(input));
  const chunked_gates = gates.unsafe_chunk(4, 1);
  const ingate = chunked_gates[0].sigmoid_();
  const forgetgate = chunked_gates[1].sigmoid_();
  const cellgate = chunked_gates[2].tanh_();
  const outgate = chunked_gates[3].sigmoid_();
  const cy = forgetgate.mul_Tensor(cx).add__Tensor(ingate.mul_Tensor(cellgate));
  return [params.matmul_hr(outgate.mul_Tensor(cy.tanh())), cy];
};

/** Gates in the order reset, update, new. The reset gate is applied after the product with `w_hh`. */
const gru_step: Cell = (input, [hidden], params, pre_compute_input) => {
  const chunked_igates = (pre_compute_input ? input : params.linear_ih(input)).unsafe_chunk(3, 1);
  const chunked_hgates = params.linear_hh(hidden).unsafe_chunk(3, 1);
  const reset_gate = chunked_hgates[0].add__Tensor(chunked_igates[0]).sigmoid_();
  const input_gate = chunked_hgates[1].add__Tensor(chunked_igates[1]).sigmoid_();
  const new_gate = chunked_igates[2].add_Tensor(chunked_hgates[2].mul__Tensor(reset_gate)).tanh_();
  return [hidden.sub_Tensor(new_gate).mul__Tensor(input_gate).add__Tensor(new_gate)];
};

// Arguments of the operators

const FULL: Layers<Tensor> = { layer: full_layer, bidirectional: full_bidirectional_layer };
const PACKED: Layers<PackedSequence> = { layer: packed_layer, bidirectional: packed_bidirectional_layer };

/** Splits the flat list of weights into those of each layer and direction. */
function gather_params(params: readonly Tensor[], has_biases: boolean, has_projections = false): CellParams[] {
  const each = 2 + (has_biases ? 2 : 0) + (has_projections ? 1 : 0);
  TORCH_CHECK(params.length % each === 0, "got an incorrect number of RNN parameters");
  const result: CellParams[] = [];
  for (let i = 0; i < params.length; i += each) {
    const [b_ih, b_hh] = has_biases ? [params[i + 2], params[i + 3]] : [null, null];
    result.push(new CellParams(params[i], params[i + 1], b_ih, b_hh, has_projections ? params[i + each - 1] : null));
  }
  return result;
}

function check_attributes(input: Tensor, params: readonly Tensor[], hiddens: readonly Tensor[]): void {
  const input_device = input.device();
  const check = (name: string, t: Tensor) =>
    TORCH_CHECK(
      !t.defined() || input_device.eq(t.device()),
      `Input and ${name} tensors are not at the same device, found input tensor at `,
      input_device,
      ` and ${name} tensor at `,
      t.defined() ? t.device() : "",
    );
  for (const h of hiddens) check("hidden", h);
  for (const p of params) check("parameter", p);
}

/** PyTorch checks for cuDNN first; on the CPU the answer is no. */
function use_cudnn(t: Tensor): boolean {
  return at.cudnn_is_acceptable(t);
}

/**
 * Whether each layer of an LSTM is one operator.
 * @differs Ours does so for float32 only; PyTorch also does for bfloat16, and for half without grad mode if the
 * processor supports them.
 */
function use_mkldnn(input: Tensor, params: readonly Tensor[], hx: readonly Tensor[]): boolean {
  const is_cpu = (t: Tensor) => t.device().type() === DeviceType.CPU && t.layout() === Layout.Strided;
  if (!userEnabledMkldnn()) return false;
  return [input, ...params, ...hx].every(is_cpu) && input.scalar_type() === ScalarType.Float && input.numel() !== 0;
}

/** Runs an RNN or a GRU and stacks the final hidden states. */
function rnn_impl_with_concat<Io>(
  cell: Cell,
  layers: Layers<Io>,
  input: Io,
  params: readonly CellParams[],
  hx: Tensor,
  options: StackOptions,
): [Io, Tensor] {
  const hiddens = hx.unbind_int(0).map((h): Hidden => [h]);
  const { outputs, final_hidden } = rnn_impl(cell, layers, input, params, hiddens, options);
  return [
    outputs,
    at.stack(
      final_hidden.map(([h]) => h),
      0,
    ),
  ];
}

function lstm_impl<Io>(
  layers: Layers<Io>,
  input: Io,
  params: readonly CellParams[],
  [hx, cx]: readonly Tensor[],
  options: StackOptions,
): [Io, Tensor, Tensor] {
  const layer_hx = hx.unbind_int(0);
  const layer_cx = cx.unbind_int(0);
  const hiddens = layer_hx.map((h, i): Hidden => [h, layer_cx[i]]);
  const { outputs, final_hidden } = rnn_impl(lstm_step, layers, input, params, hiddens, options);
  return [
    outputs,
    at.stack(
      final_hidden.map(([h]) => h),
      0,
    ),
    at.stack(
      final_hidden.map(([, c]) => c),
      0,
    ),
  ];
}

/** An operator with one hidden state, over a padded sequence. */
function one_hidden_input(cell: Cell) {
  return (
    _input: Tensor,
    hx: Tensor,
    _params: Tensor[],
    has_biases: boolean,
    num_layers: number,
    dropout_p: number,
    train: boolean,
    bidirectional: boolean,
    batch_first: boolean,
  ): [Tensor, Tensor] => {
    use_cudnn(_input);
    check_attributes(_input, _params, [hx]);
    const input = batch_first ? _input.transpose_int(0, 1) : _input;
    const params = gather_params(_params, has_biases);
    const options = { num_layers, dropout_p, train, bidirectional };
    const [output, hy] = rnn_impl_with_concat(cell, FULL, input, params, hx, options);
    return [batch_first ? output.transpose_(0, 1) : output, hy];
  };
}

/** An operator with one hidden state, over a packed sequence. */
function one_hidden_data(cell: Cell) {
  return (
    data: Tensor,
    batch_sizes: Tensor,
    hx: Tensor,
    _params: Tensor[],
    has_biases: boolean,
    num_layers: number,
    dropout_p: number,
    train: boolean,
    bidirectional: boolean,
  ): [Tensor, Tensor] => {
    use_cudnn(data);
    const params = gather_params(_params, has_biases);
    const options = { num_layers, dropout_p, train, bidirectional };
    const [output, hy] = rnn_impl_with_concat(cell, PACKED, { data, batch_sizes }, params, hx, options);
    return [output.data, hy];
  };
}

// gru.input, gru.data, rnn_tanh.input and so on
// CompositeImplicitAutograd
export const gru_input = one_hidden_input(gru_step);
export const gru_data = one_hidden_data(gru_step);
export const rnn_tanh_input = one_hidden_input(tanh_cell);
export const rnn_tanh_data = one_hidden_data(tanh_cell);
export const rnn_relu_input = one_hidden_input(relu_cell);
export const rnn_relu_data = one_hidden_data(relu_cell);

// lstm.input                                                                                         CompositeImplicitAutograd
export function lstm_input(
  _input: Tensor,
  hx: Tensor[],
  _params: Tensor[],
  has_biases: boolean,
  num_layers: number,
  dropout_p: number,
  train: boolean,
  bidirectional: boolean,
  batch_first: boolean,
): [Tensor, Tensor, Tensor] {
  TORCH_CHECK(hx.length === 2, "lstm expects two hidden states");
  use_cudnn(_input);
  const options = { num_layers, dropout_p, train, bidirectional };
  // If the states have different sizes, the hidden state is projected.
  const has_projections = hx[0].size(2) !== hx[1].size(2);
  if (use_mkldnn(_input, _params, hx)) {
    if (!has_projections) return lstm_mkldnn(_input, hx, _params, has_biases, batch_first, options);
    TORCH_WARN_ONCE("LSTM with projections is not supported with oneDNN. Using default implementation.");
  }
  check_attributes(_input, _params, hx);
  const input = batch_first ? _input.transpose_int(0, 1) : _input;
  const params = gather_params(_params, has_biases, has_projections);
  const [output, hy, cy] = lstm_impl(FULL, input, params, hx, options);
  return [batch_first ? output.transpose_int(0, 1) : output, hy, cy];
}

// lstm.data                                                                                          CompositeImplicitAutograd
export function lstm_data(
  data: Tensor,
  batch_sizes: Tensor,
  hx: Tensor[],
  _params: Tensor[],
  has_biases: boolean,
  num_layers: number,
  dropout_p: number,
  train: boolean,
  bidirectional: boolean,
): [Tensor, Tensor, Tensor] {
  TORCH_CHECK(hx.length === 2, "lstm expects two hidden states");
  use_cudnn(data);
  const has_projections = hx[0].size(2) !== hx[1].size(2);
  const params = gather_params(_params, has_biases, has_projections);
  const options = { num_layers, dropout_p, train, bidirectional };
  const [output, hy, cy] = lstm_impl(PACKED, { data, batch_sizes }, params, hx, options);
  return [output.data, hy, cy];
}

// One step

function check_rnn_cell_forward_input(input: Tensor, input_size: number): void {
  TORCH_CHECK(
    input.size(1) === input_size,
    "input has inconsistent input_size: got ",
    input.size(1),
    " expected ",
    input_size,
  );
}

function check_rnn_cell_forward_weights(gate_count: number, w_ih: Tensor, w_hh: Tensor, hidden_size: number): void {
  const rows = gate_count * hidden_size;
  const check = (name: string, w: Tensor) =>
    TORCH_CHECK(
      w.size(0) === rows,
      `${name} first dim must be ${gate_count} * hidden_size = ${rows}, but got `,
      w.size(0),
    );
  check("weight_ih", w_ih);
  check("weight_hh", w_hh);
}

function check_rnn_cell_forward_hidden(input: Tensor, hx: Tensor, hidden_size: number, hidden_label: number): void {
  TORCH_CHECK(
    input.size(0) === hx.size(0),
    "Input batch size ",
    input.size(0),
    ` doesn't match hidden${hidden_label} batch size `,
    hx.size(0),
  );
  TORCH_CHECK(
    hx.size(1) === hidden_size,
    `hidden${hidden_label} has inconsistent hidden_size: got `,
    hx.size(1),
    ", expected ",
    hidden_size,
  );
}

function step(
  cell: Cell,
  input: Tensor,
  hx: readonly Tensor[],
  [w_ih, w_hh]: readonly [Tensor, Tensor],
  b_ih: Tensor | null,
  b_hh: Tensor | null,
): Hidden {
  return cell(input, hx, new CellParams(w_ih, w_hh, b_ih, b_hh, null), false);
}

// Each cell makes its checks in an order of its own.

// lstm_cell                                                                                          CompositeImplicitAutograd
export function lstm_cell(
  input: Tensor,
  hx: Tensor[],
  w_ih: Tensor,
  w_hh: Tensor,
  b_ih: Tensor | null,
  b_hh: Tensor | null,
): [Tensor, Tensor] {
  TORCH_CHECK(hx.length === 2, "lstm_cell expects two hidden states");
  const hidden_size = w_hh.size(1);
  check_rnn_cell_forward_input(input, w_ih.size(1));
  check_rnn_cell_forward_weights(4, w_ih, w_hh, hidden_size);
  check_rnn_cell_forward_hidden(input, hx[0], hidden_size, 0);
  check_rnn_cell_forward_hidden(input, hx[1], hidden_size, 1);
  const [hy, cy] = step(lstm_step, input, hx, [w_ih, w_hh], b_ih, b_hh);
  return [hy, cy];
}

// gru_cell                                                                                           CompositeImplicitAutograd
export function gru_cell(
  input: Tensor,
  hx: Tensor,
  w_ih: Tensor,
  w_hh: Tensor,
  b_ih: Tensor | null,
  b_hh: Tensor | null,
): Tensor {
  check_rnn_cell_forward_input(input, w_ih.size(1));
  const hidden_size = w_hh.size(1);
  check_rnn_cell_forward_hidden(input, hx, hidden_size, 0);
  check_rnn_cell_forward_weights(3, w_ih, w_hh, hidden_size);
  return step(gru_step, input, [hx], [w_ih, w_hh], b_ih, b_hh)[0];
}

function simple_rnn_cell(cell: Cell) {
  return (input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | null, b_hh: Tensor | null): Tensor => {
    const hidden_size = w_hh.size(1);
    check_rnn_cell_forward_weights(1, w_ih, w_hh, hidden_size);
    check_rnn_cell_forward_input(input, w_ih.size(1));
    check_rnn_cell_forward_hidden(input, hx, hidden_size, 0);
    return step(cell, input, [hx], [w_ih, w_hh], b_ih, b_hh)[0];
  };
}

// rnn_tanh_cell, rnn_relu_cell                                                                       CompositeImplicitAutograd
export const rnn_tanh_cell = simple_rnn_cell(tanh_cell);
export const rnn_relu_cell = simple_rnn_cell(relu_cell);
