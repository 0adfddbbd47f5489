/**
 * @file `nn.RNN`, `nn.GRU` and `nn.LSTM`: stacks of recurrent layers.
 * @mirrors torch/nn/modules/rnn.py
 * @differs Our `_flat_weights` reads the parameters by name at each call, so it is always up to date; PyTorch keeps a list and weak
 *   references, and checks whether the parameters changed. Our `flatten_parameters`, which prepares memory for a GPU's kernels, does
 *   nothing.
 * @see cells.ts (one step)
 */
import { AssertionError, RuntimeError, TypeError_, ValueError, warn } from "#c10/util/Exception";
import { pack } from "#python/Objects/tupleobject";
import {
  _C,
  float_repr,
  having,
  PyObject_RichCompareBool,
  py_str,
  python_type,
  repr,
  THPUtils_checkDouble,
  THPUtils_checkLong,
  THPUtils_unpackDouble,
} from "#torch/_C";
import { type Args, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import * as init from "#torch/nn/init";
import type { Factory } from "#torch/nn/modules/linear/index";
import { Module } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";
import { PackedSequence } from "#torch/nn/utils/rnn";
import type { DeviceLike, dtype } from "#torch/types";

const _VF = _C._VariableFunctions;

type Size = readonly [layers: number, batch: number, features: number];

/** The states `(layers * directions, N, H)` of an LSTM: the hidden state and the cell state. */
type States = [h: Tensor, c: Tensor];

function _apply_permutation(tensor: Tensor, permutation: Tensor, dim = 1): Tensor {
  return tensor.index_select(dim, permutation);
}

const RNNBase_init = new Init(
  "RNNBase.__init__(self, mode, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, proj_size=0, device=None, dtype=None)",
  types<
    [
      mode: string,
      input_size: number,
      hidden_size: number,
      num_layers: number,
      bias: boolean,
      batch_first: boolean,
      dropout: number,
      bidirectional: boolean,
      proj_size: number,
      ...Factory,
    ]
  >,
);

type CheckHiddenSize = [hx: Tensor, expected_hidden_size: Size, msg?: string];

/** The number of gates of each kind of layer. */
const GATES: Readonly<Record<string, number>> = { LSTM: 4, GRU: 3, RNN_TANH: 1, RNN_RELU: 1 };

function check_dropout(given: unknown, num_layers: number): number {
  if (!THPUtils_checkDouble(given))
    throw new TypeError_(`float() argument must be a string or a real number, not '${python_type(given)}'`);
  const dropout = THPUtils_unpackDouble(given);
  if (typeof given === "boolean" || !(dropout >= 0 && dropout <= 1)) {
    throw new ValueError(
      "dropout should be a number in range [0, 1] representing the probability of an element being zeroed",
    );
  }
  if (dropout > 0 && num_layers === 1) {
    warn(
      "UserWarning",
      `dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers greater than 1, but got dropout=${repr(given)} and num_layers=${num_layers}`,
    );
  }
  return dropout;
}

function check_type(name: string, type: "bool" | "int", value: unknown): void {
  const is = type === "bool" ? typeof value === "boolean" : THPUtils_checkLong(value) || typeof value === "boolean";
  if (!is) throw new TypeError_(`${name} should be of type ${type}, got: ${python_type(value)}`);
}

function check_sizes(input_size: number, hidden_size: number, num_layers: number, proj_size: number): void {
  check_type("input_size", "int", input_size);
  if (input_size <= 0) throw new ValueError("input_size must be greater than zero");
  check_type("hidden_size", "int", hidden_size);
  if (hidden_size <= 0) throw new ValueError("hidden_size must be greater than zero");
  if (PyObject_RichCompareBool(num_layers, "<=", 0, "int"))
    throw new ValueError("num_layers must be greater than zero");
  if (PyObject_RichCompareBool(proj_size, "<", 0, "int"))
    throw new ValueError("proj_size should be a positive integer or zero to disable projections");
  if (proj_size >= hidden_size) throw new ValueError("proj_size has to be smaller than hidden_size");
}

/** Base class of RNN, GRU and LSTM: the parameters of all layers and directions, and the checks of a call. */
export class RNNBase extends Module {
  static readonly __module__: string = "torch.nn.modules.rnn";

  mode: string;
  input_size: number;
  hidden_size: number;
  num_layers: number;
  bias: boolean;
  batch_first: boolean;
  dropout: number;
  bidirectional: boolean;
  proj_size: number;
  /** `weight_ih_l0`, `weight_hh_l0`, ...; names of the reverse direction end with `_reverse`. */
  _flat_weights_names: string[];
  private _all_weights: string[][];

  static {
    def_methods(RNNBase, {
      __init__: RNNBase_init,
      flatten_parameters: "(self)",
      reset_parameters: "(self)",
      check_input: "(self, input, batch_sizes)",
      get_expected_hidden_size: "(self, input, batch_sizes)",
      check_hidden_size: "(self, hx, expected_hidden_size, msg='Expected hidden size {}, got {}')",
      check_forward_args: "(self, input, hidden, batch_sizes)",
      permute_hidden: "(self, hx, permutation)",
      extra_repr: "(self)",
    });
  }

  constructor(...args: InitArgs<typeof RNNBase_init>) {
    const [mode, input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, proj_size, ...rest] =
      RNNBase_init.bind(args);
    const [device, dtype] = rest;
    super();
    this.mode = mode;
    this.input_size = input_size;
    this.hidden_size = hidden_size;
    this.num_layers = num_layers;
    this.bias = bias;
    this.batch_first = batch_first;
    this.bidirectional = bidirectional;
    this.proj_size = proj_size;
    this.dropout = check_dropout(dropout, num_layers);
    check_type("bias", "bool", bias);
    check_type("batch_first", "bool", batch_first);
    check_sizes(input_size, hidden_size, num_layers, proj_size);
    if (typeof mode !== "string" || !Object.hasOwn(GATES, mode))
      throw new ValueError(`Unrecognized RNN mode: ${py_str(mode)}`);
    this._flat_weights_names = [];
    this._all_weights = [];
    for (let layer = 0; layer < num_layers; layer++) {
      this.add_layer(layer, "", device, dtype);
      if (bidirectional) this.add_layer(layer, "_reverse", device, dtype);
    }
    this.reset_parameters();
  }

  /** Adds the parameters of one layer in one direction. */
  private add_layer(layer: number, suffix: string, device: DeviceLike | null, dtype: dtype | null): void {
    const { hidden_size, proj_size } = this;
    const gate_size = GATES[this.mode] * hidden_size;
    const real_hidden_size = proj_size > 0 ? proj_size : hidden_size;
    const layer_input_size = layer === 0 ? this.input_size : real_hidden_size * this.num_directions;
    const parameter = (...size: number[]) => new Parameter(torch.empty(size, { device, dtype }));
    const names = [`weight_ih_l${layer}${suffix}`, `weight_hh_l${layer}${suffix}`];
    const params = [parameter(gate_size, layer_input_size), parameter(gate_size, real_hidden_size)];
    if (this.bias) {
      names.push(`bias_ih_l${layer}${suffix}`, `bias_hh_l${layer}${suffix}`);
      params.push(parameter(gate_size), parameter(gate_size));
    }
    if (proj_size > 0) {
      names.push(`weight_hr_l${layer}${suffix}`);
      params.push(parameter(proj_size, hidden_size));
    }
    for (const [i, name] of names.entries()) this.register_parameter(name, params[i]);
    this._flat_weights_names.push(...names);
    this._all_weights.push(names);
  }

  protected get num_directions(): number {
    return this.bidirectional ? 2 : 1;
  }

  /** All parameters, in the order in which the operators take them. */
  get _flat_weights(): Tensor[] {
    return this._flat_weights_names.map((name) => (this as unknown as Record<string, Tensor>)[name]);
  }

  /** All parameters, as one list for each layer and direction. */
  get all_weights(): Parameter[][] {
    return this._all_weights.map((names) => names.map((name) => (this as unknown as Record<string, Parameter>)[name]));
  }

  /** Puts the parameters into one block of memory for cuDNN; it does nothing here. */
  flatten_parameters(): void {}

  /** Initializes with uniform random numbers in ±1/sqrt(hidden_size). */
  reset_parameters(): void {
    const stdv = this.hidden_size > 0 ? 1 / Math.sqrt(this.hidden_size) : 0;
    for (const weight of this.parameters()) init.uniform_(weight, -stdv, stdv);
  }

  check_input(input: Tensor, batch_sizes: Tensor | null): void {
    const [{ dtype }] = this._flat_weights;
    if (input.dtype !== dtype) {
      throw new ValueError(
        `RNN input dtype (${py_str(input.dtype)}) does not match weight dtype (${py_str(dtype)}). Convert input: input.to(${py_str(dtype)}), or convert model: model.to(${py_str(input.dtype)})`,
      );
    }
    const expected_input_dim = batch_sizes !== null ? 2 : 3;
    if (input.dim() !== expected_input_dim)
      throw new RuntimeError(`input must have ${expected_input_dim} dimensions, got ${input.dim()}`);
    if (this.input_size !== input.size(-1)) {
      throw new RuntimeError(
        `input.size(-1) must be equal to input_size. Expected ${this.input_size}, got ${input.size(-1)}`,
      );
    }
  }

  protected size_of_states(input: Tensor, batch_sizes: Tensor | null, features: number): Size {
    return [this.num_layers * this.num_directions, this.batch_of(input, batch_sizes), features];
  }

  /** The number of sequences in the batch. */
  private batch_of(input: Tensor, batch_sizes: Tensor | null): number {
    if (batch_sizes !== null) return Number(batch_sizes.__getitem__([0]).item());
    return this.batch_first ? input.size(0) : input.size(1);
  }

  get_expected_hidden_size(input: Tensor, batch_sizes: Tensor | null): Size {
    return this.size_of_states(input, batch_sizes, this.proj_size > 0 ? this.proj_size : this.hidden_size);
  }

  check_hidden_size(...args: CheckHiddenSize): void;
  check_hidden_size(hx: Tensor, expected_hidden_size: Size, msg: string): void {
    const size = hx.size();
    if (size.length === 3 && size.every((n, d) => n === expected_hidden_size[d])) return;
    const parts = [`(${expected_hidden_size.join(", ")})`, `[${size.join(", ")}]`];
    throw new RuntimeError(msg.replace(/\{\}/g, () => parts.shift() as string));
  }

  check_forward_args(input: Tensor, hidden: unknown, batch_sizes: Tensor | null): void {
    this.check_input(input, batch_sizes);
    this.check_hidden_size(hidden as Tensor, this.get_expected_hidden_size(input, batch_sizes));
  }

  permute_hidden<H extends Tensor | States>(hx: H, permutation: Tensor | null): H {
    return permutation === null ? hx : (_apply_permutation(hx as Tensor, permutation) as H);
  }

  protected zeros(input: Tensor, size: Size): Tensor {
    return torch.zeros([...size], { dtype: input.dtype, device: input.device });
  }

  /** @param of the text that follows the number of dims in the message */
  protected check_dims(input: Tensor, name: string, of: string): void {
    const dims = having(input, "dim").dim();
    if (dims !== 2 && dims !== 3)
      throw new ValueError(`${name}: Expected input to be 2D or 3D, got ${dims}D${of} instead`);
  }

  /** The call of a network with one hidden state. `run` is its operator. */
  protected forward_one(
    name: string,
    of: string,
    orig_input: Tensor | PackedSequence,
    hx_: Tensor | null,
    run: (...args: unknown[]) => [Tensor, Tensor],
  ): [Tensor | PackedSequence, Tensor] {
    const options = [this.bias, this.num_layers, this.dropout, this.training, this.bidirectional];
    if (orig_input instanceof PackedSequence) {
      const { data, batch_sizes, sorted_indices, unsorted_indices } = orig_input;
      const zeros = () => this.zeros(data, this.size_of_states(data, batch_sizes, this.hidden_size));
      const hx = hx_ === null ? zeros() : this.permute_hidden(hx_, sorted_indices);
      this.check_forward_args(data, hx, batch_sizes);
      const [output, hidden] = run(data, batch_sizes, hx, this._flat_weights, ...options);
      const packed = new PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices);
      return pack(packed, this.permute_hidden(hidden, unsorted_indices));
    }
    this.check_dims(orig_input, name, of);
    const is_batched = orig_input.dim() === 3;
    const batch_dim = this.batch_first ? 0 : 1;
    const input = is_batched ? orig_input : orig_input.unsqueeze(batch_dim);
    let hx = hx_;
    if (hx !== null && hx.dim() !== orig_input.dim()) {
      const [kind, dim] = is_batched ? ["batched", 3] : ["unbatched", 2];
      throw new RuntimeError(`For ${kind} ${dim}-D input, hx should also be ${dim}-D but got ${hx.dim()}-D tensor`);
    }
    if (hx !== null && !is_batched) hx = hx.unsqueeze(1);
    hx ??= this.zeros(input, this.size_of_states(input, null, this.hidden_size));
    this.check_forward_args(input, hx, null);
    const [output, hidden] = run(input, hx, this._flat_weights, ...options, this.batch_first);
    return is_batched ? pack(output, hidden) : pack(output.squeeze(batch_dim), hidden.squeeze(1));
  }

  override extra_repr(): string {
    let s = `${this.input_size}, ${this.hidden_size}`;
    if (this.proj_size !== 0) s += `, proj_size=${this.proj_size}`;
    if (this.num_layers !== 1) s += `, num_layers=${this.num_layers}`;
    if (this.bias !== true) s += `, bias=${py_str(this.bias)}`;
    if (this.batch_first !== false) s += `, batch_first=${py_str(this.batch_first)}`;
    if (this.dropout !== 0) s += `, dropout=${float_repr(this.dropout)}`;
    if (this.bidirectional !== false) s += `, bidirectional=${py_str(this.bidirectional)}`;
    return s;
  }
}

/** The constructor arguments of `nn.LSTM`; the other classes have all but the last. */
type Options = [
  input_size: number,
  hidden_size: number,
  num_layers: number,
  bias: boolean,
  batch_first: boolean,
  dropout: number,
  bidirectional: boolean,
];

type GRUArgs = Args<
  "(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, device=None, dtype=None)",
  [...Options, ...Factory]
>;
type LSTMArgs = Args<
  "(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, proj_size=0, device=None, dtype=None)",
  [...Options, proj_size: number, ...Factory]
>;
type RNNArgs = Args<
  "(self, input_size, hidden_size, num_layers=1, nonlinearity='tanh', bias=True, batch_first=False, dropout=0.0, bidirectional=False, device=None, dtype=None)",
  [
    input_size: number,
    hidden_size: number,
    num_layers: number,
    nonlinearity: "tanh" | "relu",
    bias: boolean,
    batch_first: boolean,
    dropout: number,
    bidirectional: boolean,
    ...Factory,
  ]
>;

const any_arguments = types<[args: unknown[], kwargs: Record<string, unknown>]>;

/** The arguments of `RNNBase` after its mode. */
type BaseArgs = ConstructorParameters<typeof RNNBase>;

function refuse_projection(kwargs: Record<string, unknown>): void {
  if ("proj_size" in kwargs) throw new ValueError("proj_size argument is only supported for LSTM, not RNN or GRU");
}

const RNN_init = new Init("RNN.__init__(self, *args, **kwargs)", any_arguments);

/**
 * A stack of recurrent layers `tanh(W_ih x + b_ih + W_hh h + b_hh)`, or with `relu`.   `(T, N, I), (layers, N, H) -> (T, N, H), (layers, N, H)`
 */
export class RNN extends RNNBase {
  nonlinearity: string;

  static {
    def_methods(RNN, { __init__: RNN_init, forward: "(self, input, hx=None)" });
  }

  constructor(...given: RNNArgs) {
    const [args, kwargs] = RNN_init.bind(given);
    refuse_projection(kwargs);
    const { nonlinearity: named = "tanh", ...others } = kwargs;
    const nonlinearity = args.length > 3 ? args[3] : named;
    if (nonlinearity !== "tanh" && nonlinearity !== "relu")
      throw new ValueError(`Unknown nonlinearity '${py_str(nonlinearity)}'. Select from 'tanh' or 'relu'.`);
    const rest = [...args.slice(0, 3), ...args.slice(4), others];
    super(...([`RNN_${nonlinearity.toUpperCase()}`, ...rest] as BaseArgs));
    this.nonlinearity = nonlinearity;
  }

  override forward(input: Tensor | PackedSequence, hx: Tensor | null): [Tensor | PackedSequence, Tensor] {
    if (this.mode !== "RNN_TANH" && this.mode !== "RNN_RELU")
      throw new AssertionError(`mode must be RNN_TANH or RNN_RELU, got ${this.mode}`);
    const run = (this.mode === "RNN_TANH" ? _VF.rnn_tanh : _VF.rnn_relu) as never;
    return this.forward_one("RNN", " tensor", input, hx, run);
  }
}

const GRU_init = new Init("GRU.__init__(self, *args, **kwargs)", any_arguments);

/** A stack of gated recurrent unit (GRU) layers.   `(T, N, I), (layers, N, H) -> (T, N, H), (layers, N, H)` */
export class GRU extends RNNBase {
  static {
    def_methods(GRU, { __init__: GRU_init, forward: "(self, input, hx=None)" });
  }

  constructor(...given: GRUArgs) {
    const [args, kwargs] = GRU_init.bind(given);
    refuse_projection(kwargs);
    super(...(["GRU", ...args, kwargs] as BaseArgs));
  }

  override forward(input: Tensor | PackedSequence, hx: Tensor | null): [Tensor | PackedSequence, Tensor] {
    return this.forward_one("GRU", "", input, hx, _VF.gru as never);
  }
}

const LSTM_init = new Init("LSTM.__init__(self, *args, **kwargs)", any_arguments);

/**
 * A stack of long short-term memory (LSTM) layers.   `(T, N, I), [(layers, N, H), (layers, N, H)] -> (T, N, H), [(layers, N, H), (layers, N, H)]`
 * With `proj_size` the hidden state is projected to P features instead of H.
 */
export class LSTM extends RNNBase {
  static {
    def_methods(LSTM, {
      __init__: LSTM_init,
      get_expected_cell_size: "(self, input, batch_sizes)",
      check_forward_args: "(self, input, hidden, batch_sizes)",
      permute_hidden: "(self, hx, permutation)",
      forward: "(self, input, hx=None)",
    });
  }

  constructor(...given: LSTMArgs) {
    const [args, kwargs] = LSTM_init.bind(given);
    super(...(["LSTM", ...args, kwargs] as BaseArgs));
  }

  get_expected_cell_size(input: Tensor, batch_sizes: Tensor | null): Size {
    return this.size_of_states(input, batch_sizes, this.hidden_size);
  }

  override check_forward_args(input: Tensor, hidden: States, batch_sizes: Tensor | null): void {
    this.check_input(input, batch_sizes);
    const of_hidden = this.get_expected_hidden_size(input, batch_sizes);
    this.check_hidden_size(hidden[0], of_hidden, "Expected hidden[0] size {}, got {}");
    const of_cell = this.get_expected_cell_size(input, batch_sizes);
    this.check_hidden_size(hidden[1], of_cell, "Expected hidden[1] size {}, got {}");
  }

  override permute_hidden<H extends Tensor | States>(hx: H, permutation: Tensor | null): H {
    if (permutation === null) return hx;
    const [h, c] = hx as States;
    return pack(_apply_permutation(h, permutation), _apply_permutation(c, permutation)) as H;
  }

  private zero_states(input: Tensor, batch_sizes: Tensor | null): States {
    const h = this.zeros(input, this.get_expected_hidden_size(input, batch_sizes));
    return pack(h, this.zeros(input, this.get_expected_cell_size(input, batch_sizes)));
  }

  override forward(input: Tensor | PackedSequence, hx: States | null): [Tensor | PackedSequence, States] {
    const options = [this.bias, this.num_layers, this.dropout, this.training, this.bidirectional];
    const run = _VF.lstm as unknown as (...args: unknown[]) => [Tensor, Tensor, Tensor];
    if (input instanceof PackedSequence) {
      const { data, batch_sizes, sorted_indices, unsorted_indices } = input;
      const states = hx === null ? this.zero_states(data, batch_sizes) : this.permute_hidden(hx, sorted_indices);
      const [output, h, c] = run(data, batch_sizes, states, this._flat_weights, ...options);
      const packed = new PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices);
      return pack(packed, this.permute_hidden<States>(pack(h, c), unsorted_indices));
    }
    this.check_dims(input, "LSTM", "");
    const is_batched = input.dim() === 3;
    const batch_dim = this.batch_first ? 0 : 1;
    const sequences = is_batched ? input : input.unsqueeze(batch_dim);
    const states = hx === null ? this.zero_states(sequences, null) : batched_states(hx, is_batched);
    this.check_forward_args(sequences, states, null);
    const [output, h, c] = run(sequences, states, this._flat_weights, ...options, this.batch_first);
    return is_batched ? pack(output, pack(h, c)) : pack(output.squeeze(batch_dim), pack(h.squeeze(1), c.squeeze(1)));
  }
}

/** Both states with a batch dim. */
function batched_states(hx: States, is_batched: boolean): States {
  const [h, c] = hx;
  const dim = is_batched ? 3 : 2;
  if (h.dim() !== dim || c.dim() !== dim) {
    const kind = is_batched ? "batched" : "unbatched";
    throw new RuntimeError(
      `For ${kind} ${dim}-D input, hx and cx should also be ${dim}-D but got (${h.dim()}-D, ${c.dim()}-D) tensors`,
    );
  }
  return is_batched ? hx : [h.unsqueeze(1), c.unsqueeze(1)];
}
