/**
 * @file Layers of recurrent networks: they run a cell over a padded or packed sequence, in one or both directions; and
 * stacks of layers.
 * @mirrors aten/src/ATen/native/RNN.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { data_ptr_int64 } from "#aten/native/PackedSequence";
import { DeviceType } from "#c10/core/DeviceType";
import { TORCH_CHECK } from "#c10/util/Exception";

/** `[h]`, or `[h, c]`. The first one is the next layer's input. */
export type Hidden = readonly Tensor[];

/** The steps of all sequences one after another, and the number of sequences in each step. */
export interface PackedSequence {
  readonly data: Tensor;
  readonly batch_sizes: Tensor;
}

/** The weights of a layer in one direction. */
export class CellParams {
  constructor(
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | null,
    b_hh: Tensor | null,
    /** Projection of the hidden state of an LSTM. */
    w_hr: Tensor | null,
  ) {
    this.w_ih = w_ih;
    this.w_hh = w_hh;
    this.b_ih = b_ih;
    this.b_hh = b_hh;
    this.w_hr = w_hr;
  }

  private readonly w_ih: Tensor;
  private readonly w_hh: Tensor;
  private readonly b_ih: Tensor | null;
  private readonly b_hh: Tensor | null;
  private readonly w_hr: Tensor | null;

  linear_ih(input: Tensor): Tensor {
    return at.linear(input, this.w_ih, this.b_ih);
  }

  linear_hh(h: Tensor): Tensor {
    return at.linear(h, this.w_hh, this.b_hh);
  }

  matmul_hr(h: Tensor): Tensor {
    return this.w_hr === null ? h : at.matmul(h, this.w_hr.t());
  }
}

/** One step. If `pre_compute_input`, the input has already been multiplied by its weights. */
export type Cell = (input: Tensor, hidden: Hidden, params: CellParams, pre_compute_input: boolean) => Hidden;

interface LayerOutput<Io, H> {
  readonly outputs: Io;
  readonly final_hidden: H;
}

type Layer<Io> = (cell: Cell, input: Io, hidden: Hidden, params: CellParams) => LayerOutput<Io, Hidden>;
type Pair<T> = readonly [T, T];
type BidirectionalLayer<Io> = (
  cell: Cell,
  input: Io,
  hidden: Pair<Hidden>,
  params: Pair<CellParams>,
) => LayerOutput<Io, Pair<Hidden>>;

/** The two layers (one and both directions) for one kind of sequence. */
export interface Layers<Io> {
  readonly layer: Layer<Io>;
  readonly bidirectional: BidirectionalLayer<Io>;
}

// Padded sequences

/** Inputs of the steps. On the CPU, one product serves all steps. */
function step_inputs(input: Tensor, params: CellParams): [steps: Tensor[], pre_compute_input: boolean] {
  const is_cpu = input.device().type() === DeviceType.CPU;
  return [(is_cpu ? params.linear_ih(input) : input).unbind_int(0), is_cpu];
}

function run_steps(
  cell: Cell,
  [steps, pre_compute_input]: readonly [Tensor[], boolean],
  input_hidden: Hidden,
  params: CellParams,
): LayerOutput<Tensor[], Hidden> {
  let hidden = input_hidden;
  const outputs: Tensor[] = [];
  for (const input of steps) {
    hidden = cell(input, hidden, params, pre_compute_input);
    outputs.push(hidden[0]);
  }
  TORCH_CHECK(outputs.length > 0, "Expected sequence length to be larger than 0 in RNN");
  return { outputs, final_hidden: hidden };
}

export const full_layer: Layer<Tensor> = (cell, input, hidden, params) => {
  const { outputs, final_hidden } = run_steps(cell, step_inputs(input, params), hidden, params);
  return { outputs: at.stack(outputs, 0), final_hidden };
};

export const full_bidirectional_layer: BidirectionalLayer<Tensor> = (cell, input, hidden, params) => {
  const forward = run_steps(cell, step_inputs(input, params[0]), hidden[0], params[0]);
  const fw_output = at.stack(forward.outputs, 0);
  const [steps, pre_compute_input] = step_inputs(input, params[1]);
  const reverse = run_steps(cell, [steps.reverse(), pre_compute_input], hidden[1], params[1]);
  const rev_output = at.stack(reverse.outputs.reverse(), 0);
  return {
    outputs: at.cat([fw_output, rev_output], fw_output.dim() - 1),
    final_hidden: [forward.final_hidden, reverse.final_hidden],
  };
};

// Packed sequences

function hidden_slice(hidden: Hidden, start: number, end: number): Hidden {
  return hidden.map((t) => t.narrow(0, start, end - start));
}

function hidden_concat(hiddens: readonly Hidden[]): Hidden {
  return hiddens[0].map((_, i) =>
    at.cat(
      hiddens.map((hidden) => hidden[i]),
      0,
    ),
  );
}

function sizes_of({ batch_sizes }: PackedSequence): number[] {
  return [...data_ptr_int64(batch_sizes)].map(Number);
}

/** Inputs of all steps together; on the CPU they are already multiplied by the weights. */
function packed_input({ data }: PackedSequence, params: CellParams): [data: Tensor, pre_compute_input: boolean] {
  const is_cpu = data.device().type() === DeviceType.CPU;
  return [is_cpu ? params.linear_ih(data) : data, is_cpu];
}

/** Sequences are sorted, the longest first. Those that end are the last ones, and their states are set aside. */
export const packed_layer: Layer<PackedSequence> = (cell, input, input_hidden, params) => {
  const batch_sizes = sizes_of(input);
  const [data, pre_compute_input] = packed_input(input, params);
  const step_outputs: Tensor[] = [];
  const hiddens: Hidden[] = [];
  let input_offset = 0;
  let last_batch_size = batch_sizes[0];
  let hidden = input_hidden;
  for (const batch_size of batch_sizes) {
    const step_input = data.narrow(0, input_offset, batch_size);
    input_offset += batch_size;
    if (batch_size < last_batch_size) {
      hiddens.push(hidden_slice(hidden, batch_size, last_batch_size));
      hidden = hidden_slice(hidden, 0, batch_size);
    }
    last_batch_size = batch_size;
    hidden = cell(step_input, hidden, params, pre_compute_input);
    step_outputs.push(hidden[0]);
  }
  hiddens.push(hidden);
  const outputs = { data: at.cat(step_outputs, 0), batch_sizes: input.batch_sizes };
  return { outputs, final_hidden: hidden_concat(hiddens.reverse()) };
};

/** Runs from the last step to the first: sequences join when their last step is reached. */
const reversed_packed_layer: Layer<PackedSequence> = (cell, input, input_hidden, params) => {
  const batch_sizes = sizes_of(input);
  const [data, pre_compute_input] = packed_input(input, params);
  const step_outputs: Tensor[] = [];
  let input_offset = input.data.size(0);
  let last_batch_size = batch_sizes[batch_sizes.length - 1];
  let hidden = hidden_slice(input_hidden, 0, last_batch_size);
  for (const batch_size of batch_sizes.toReversed()) {
    if (batch_size > last_batch_size)
      hidden = hidden_concat([hidden, hidden_slice(input_hidden, last_batch_size, batch_size)]);
    const step_input = data.narrow(0, input_offset - batch_size, batch_size);
    input_offset -= batch_size;
    last_batch_size = batch_size;
    hidden = cell(step_input, hidden, params, pre_compute_input);
    step_outputs.push(hidden[0]);
  }
  const outputs = { data: at.cat(step_outputs.reverse(), 0), batch_sizes: input.batch_sizes };
  return { outputs, final_hidden: hidden };
};

export const packed_bidirectional_layer: BidirectionalLayer<PackedSequence> = (cell, input, hidden, params) => {
  const forward = packed_layer(cell, input, hidden[0], params[0]);
  const reverse = reversed_packed_layer(cell, input, hidden[1], params[1]);
  const data = at.cat([forward.outputs.data, reverse.outputs.data], -1);
  const outputs = { data, batch_sizes: input.batch_sizes };
  return { outputs, final_hidden: [forward.final_hidden, reverse.final_hidden] };
};

// Stacks

export interface StackOptions {
  readonly num_layers: number;
  readonly dropout_p: number;
  readonly train: boolean;
  readonly bidirectional: boolean;
}

function is_packed(io: unknown): io is PackedSequence {
  return (io as { batch_sizes?: unknown }).batch_sizes !== undefined;
}

/** Dropout between layers, not after the last one. */
function dropout<Io>(io: Io, p: number): Io {
  if (!is_packed(io)) return at.dropout(io as Tensor, p, true) as Io;
  return { data: at.dropout(io.data, p, true), batch_sizes: io.batch_sizes } as Io;
}

/** Adjacent elements as pairs. */
function pair_vec<T>(vals: readonly T[]): Pair<T>[] {
  TORCH_CHECK(vals.length % 2 === 0, "Odd number of params or hiddens given to a bidirectional RNN");
  const result: Pair<T>[] = [];
  for (let i = 0; i < vals.length; i += 2) result.push([vals[i], vals[i + 1]]);
  return result;
}

function apply_layer_stack<Io, H, W>(
  layer: (input: Io, hidden: H, weight: W) => LayerOutput<Io, H>,
  input: Io,
  hiddens: readonly H[],
  weights: readonly W[],
  { num_layers, dropout_p, train }: StackOptions,
): LayerOutput<Io, H[]> {
  TORCH_CHECK(num_layers === hiddens.length, "Expected more hidden states in stacked_rnn");
  TORCH_CHECK(num_layers === weights.length, "Expected more weights in stacked_rnn");
  let layer_input = input;
  const final_hidden: H[] = [];
  for (let l = 0; l < num_layers; l++) {
    const output = layer(layer_input, hiddens[l], weights[l]);
    final_hidden.push(output.final_hidden);
    layer_input = output.outputs;
    if (dropout_p !== 0 && train && l < num_layers - 1) layer_input = dropout(layer_input, dropout_p);
  }
  return { outputs: layer_input, final_hidden };
}

/** Runs all layers. The final states are those of each layer and each direction. */
export function rnn_impl<Io>(
  cell: Cell,
  layers: Layers<Io>,
  input: Io,
  params: readonly CellParams[],
  hiddens: readonly Hidden[],
  options: StackOptions,
): LayerOutput<Io, Hidden[]> {
  if (!options.bidirectional) {
    const layer = (x: Io, hidden: Hidden, weight: CellParams) => layers.layer(cell, x, hidden, weight);
    return apply_layer_stack(layer, input, hiddens, params, options);
  }
  const layer = (x: Io, hidden: Pair<Hidden>, weight: Pair<CellParams>) =>
    layers.bidirectional(cell, x, hidden, weight);
  const { outputs, final_hidden } = apply_layer_stack(layer, input, pair_vec(hiddens), pair_vec(params), options);
  return { outputs, final_hidden: final_hidden.flat() };
}
