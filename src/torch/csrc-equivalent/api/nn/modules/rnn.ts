/**
 * @file Recurrent layers: RNN, LSTM and GRU over whole sequences.
 * @mirrors torch/csrc/api/include/torch/nn/modules/rnn.h
 * @see rnn_cells.ts, one step of each
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";
import { as_options, type OptionsArgs } from "../../arg.ts";
import { enumtype } from "../../enum.ts";
import { Cloneable } from "../cloneable.ts";
import * as init from "../init.ts";
import { GRUOptions, LSTMOptions, RNNOptions } from "../options/rnn.ts";
import { type ModuleHolder, TORCH_MODULE } from "../pimpl.ts";
import { PackedSequence } from "../utils/rnn.ts";
import { g, printed } from "./printed.ts";

type AnyOptions = RNNOptions | LSTMOptions | GRUOptions;

/** Parameters of all layers and directions, and the checks of the inputs. */
abstract class RNNImplBase<O extends AnyOptions> extends Cloneable {
  readonly options: O;
  /** Number of blocks in a layer's matrices: 1, LSTM 4, GRU 3. */
  protected abstract readonly gates: number;
  declare protected flat_weights_names_: string[];

  constructor(options: O) {
    super();
    this.options = options;
    this.reset();
  }

  protected proj_size(): number {
    return 0;
  }

  override reset(): void {
    const { options } = this;
    const [dropout, hidden_size, num_layers, proj_size] = [
      options.dropout(),
      options.hidden_size(),
      options.num_layers(),
      this.proj_size(),
    ];
    TORCH_CHECK(
      0 <= dropout && dropout <= 1,
      "dropout should be a number in range [0, 1] representing the probability of an element being zeroed",
    );
    if (dropout > 0 && num_layers === 1) {
      TORCH_WARN(
        `dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers greater than 1, but got dropout=${g(dropout)} and num_layers=${num_layers}`,
      );
    }
    TORCH_CHECK(hidden_size > 0, "hidden_size must be greater than zero");
    TORCH_CHECK(num_layers > 0, "num_layers must be greater than zero");
    TORCH_CHECK(
      0 <= proj_size && proj_size < hidden_size,
      "proj_size has to be a positive integer, smaller than hidden_size or zero to disable projections",
    );
    const [directions, gate_size] = [this.directions(), this.gates * hidden_size];
    const real_hidden_size = proj_size > 0 ? proj_size : hidden_size;
    this.flat_weights_names_ = [];
    const parameter = (name: string, sizes: number[]) => {
      this.register_parameter(name, at.empty_memory_format(sizes));
      this.flat_weights_names_.push(name);
    };
    for (let layer = 0; layer < num_layers; layer++) {
      const layer_input_size = layer === 0 ? options.input_size() : real_hidden_size * directions;
      for (let direction = 0; direction < directions; direction++) {
        const suffix = `l${layer}${direction === 1 ? "_reverse" : ""}`;
        parameter(`weight_ih_${suffix}`, [gate_size, layer_input_size]);
        parameter(`weight_hh_${suffix}`, [gate_size, real_hidden_size]);
        if (options.bias()) {
          parameter(`bias_ih_${suffix}`, [gate_size]);
          parameter(`bias_hh_${suffix}`, [gate_size]);
        }
        if (proj_size > 0) parameter(`weight_hr_${suffix}`, [proj_size, hidden_size]);
      }
    }
    this.reset_parameters();
  }
  reset_parameters(): void {
    const bound = 1 / Math.sqrt(this.options.hidden_size());
    for (const weight of this.parameters(false)) init.uniform_(weight, -bound, bound);
  }
  /** On a GPU it would lay all weights into one piece of memory; here there is nothing to do. */
  flatten_parameters(): void {}
  all_weights(): Tensor[] {
    return this.flat_weights();
  }
  protected flat_weights(): Tensor[] {
    const parameters = this.named_parameters(false);
    return this.flat_weights_names_.map((name) => parameters.at(name));
  }
  private directions(): number {
    return this.options.bidirectional() ? 2 : 1;
  }

  protected check_input(input: Tensor, batch_sizes: Tensor): void {
    const dims = batch_sizes.defined() ? 2 : 3;
    TORCH_CHECK(input.dim() === dims, `input must have ${dims} dimensions, got ${input.dim()}`);
    const expected = this.options.input_size();
    TORCH_CHECK(
      expected === input.size(-1),
      `input.size(-1) must be equal to input_size. Expected ${expected}, got ${input.size(-1)}`,
    );
  }
  /** Sizes of a state: layers and directions, batch, features. */
  protected state_size(batch: number, features: number): number[] {
    return [this.options.num_layers() * this.directions(), batch, features];
  }
  protected hidden_size(): number {
    return this.proj_size() > 0 ? this.proj_size() : this.options.hidden_size();
  }
  protected check_hidden_size(hx: Tensor, expected: readonly number[], name: string): void {
    TORCH_CHECK(
      String(hx.sizes()) === String(expected),
      `Expected ${name} size ${expected.join(" ")}, got [${hx.sizes().join(", ")}]`,
    );
  }
  protected zeros(input: Tensor, sizes: number[]): Tensor {
    return at.zeros(sizes, new TensorOptions(input.scalar_type()).device(input.device()));
  }
  /** The state with its sequences in another order. */
  protected permute_hidden(hx: Tensor, permutation: Tensor): Tensor {
    return permutation.defined() ? hx.index_select(1, permutation) : hx;
  }
  protected max_batch_size(input: Tensor): number {
    return this.options.batch_first() ? input.size(0) : input.size(1);
  }
  /** The arguments of an operator after input and state. */
  protected tail() {
    const { options } = this;
    return [
      this.flat_weights(),
      options.bias(),
      options.num_layers(),
      options.dropout(),
      this.is_training(),
      options.bidirectional(),
    ] as const;
  }
  /** The text, with the name of the class. */
  protected printed_as(name: string): string {
    const { options } = this;
    return printed(name, [], {
      input_size: options.input_size(),
      hidden_size: options.hidden_size(),
      num_layers: options.num_layers(),
      bias: options.bias(),
      batch_first: options.batch_first(),
      dropout: g(options.dropout()),
      bidirectional: options.bidirectional(),
      proj_size: this.proj_size() > 0 ? this.proj_size() : undefined,
    });
  }
}

/** The operators of a layer: over a batch of equal lengths, and over packed sequences. */
interface Operators {
  readonly input: typeof at.gru_input;
  readonly data: typeof at.gru_data;
}

/** A layer whose state is one tensor. */
abstract class OneState<O extends RNNOptions | GRUOptions> extends RNNImplBase<O> {
  protected abstract operators(): Operators;

  /**
   * @param input `(length, batch, input_size)`, batch first if the options say so
   * @param hx the first state, `(layers * directions, batch, hidden_size)`; zeros if undefined
   * @returns the output `(length, batch, directions * hidden_size)` and the last state
   */
  forward(input: Tensor, hx: Tensor = new Tensor()): [output: Tensor, hx: Tensor] {
    const state = this.checked_state(input, this.max_batch_size(input), new Tensor(), new Tensor(), hx);
    return this.operators().input(input, state, ...this.tail(), this.options.batch_first());
  }
  forward_with_packed_input(packed: PackedSequence, hx: Tensor = new Tensor()): [PackedSequence, Tensor] {
    const [input, batch_sizes] = [packed.data(), packed.batch_sizes()];
    const batch = batch_sizes.select_int(0, 0).item().toLong() as number;
    const state = this.checked_state(input, batch, batch_sizes, packed.sorted_indices(), hx);
    const [output, hidden] = this.operators().data(input, batch_sizes, state, ...this.tail());
    const result = new PackedSequence(output, batch_sizes, packed.sorted_indices(), packed.unsorted_indices());
    return [result, this.permute_hidden(hidden, packed.unsorted_indices())];
  }
  private checked_state(input: Tensor, batch: number, batch_sizes: Tensor, sorted_indices: Tensor, hx: Tensor): Tensor {
    const expected = this.state_size(batch, this.hidden_size());
    const state = hx.defined() ? this.permute_hidden(hx, sorted_indices) : this.zeros(input, expected);
    this.check_input(input, batch_sizes);
    this.check_hidden_size(state, expected, "hidden");
    return state;
  }
}

/** `h' = tanh(W_ih x + b_ih + W_hh h + b_hh)`, or with relu. */
export class RNNImpl extends OneState<RNNOptions> {
  protected get gates(): number {
    return 1;
  }
  constructor(...args: OptionsArgs<typeof RNNOptions>) {
    super(as_options(RNNOptions, args));
  }
  protected operators(): Operators {
    return this.options.nonlinearity() === enumtype.kReLU
      ? { input: at.rnn_relu_input, data: at.rnn_relu_data }
      : { input: at.rnn_tanh_input, data: at.rnn_tanh_data };
  }
  override pretty_print(): string {
    return this.printed_as("RNN");
  }
}
export const RNN: ModuleHolder<typeof RNNImpl> = TORCH_MODULE(RNNImpl, "RNN");

/** Gated recurrent units. */
export class GRUImpl extends OneState<GRUOptions> {
  protected get gates(): number {
    return 3;
  }
  constructor(...args: OptionsArgs<typeof GRUOptions>) {
    super(as_options(GRUOptions, args));
  }
  protected operators(): Operators {
    return { input: at.gru_input, data: at.gru_data };
  }
  override pretty_print(): string {
    return this.printed_as("GRU");
  }
}
export const GRU: ModuleHolder<typeof GRUImpl> = TORCH_MODULE(GRUImpl, "GRU");

/** The state of an LSTM: hidden state and cell. */
export type LSTMState = [h: Tensor, c: Tensor];

/** Long short-term memory. */
export class LSTMImpl extends RNNImplBase<LSTMOptions> {
  protected get gates(): number {
    return 4;
  }
  constructor(...args: OptionsArgs<typeof LSTMOptions>) {
    super(as_options(LSTMOptions, args));
  }
  protected override proj_size(): number {
    return this.options.proj_size();
  }
  /** @param hx_opt the first state; zeros if null */
  forward(input: Tensor, hx_opt: LSTMState | null = null): [output: Tensor, state: LSTMState] {
    const state = this.checked_state(input, this.max_batch_size(input), new Tensor(), new Tensor(), hx_opt);
    const [output, h, c] = at.lstm_input(input, state, ...this.tail(), this.options.batch_first());
    return [output, [h, c]];
  }
  forward_with_packed_input(packed: PackedSequence, hx_opt: LSTMState | null = null): [PackedSequence, LSTMState] {
    const [input, batch_sizes, order] = [packed.data(), packed.batch_sizes(), packed.unsorted_indices()];
    const batch = batch_sizes.select_int(0, 0).item().toLong() as number;
    const state = this.checked_state(input, batch, batch_sizes, packed.sorted_indices(), hx_opt);
    const [output, h, c] = at.lstm_data(input, batch_sizes, state, ...this.tail());
    const result = new PackedSequence(output, batch_sizes, packed.sorted_indices(), order);
    return [result, [this.permute_hidden(h, order), this.permute_hidden(c, order)]];
  }
  private checked_state(
    input: Tensor,
    batch: number,
    batch_sizes: Tensor,
    sorted_indices: Tensor,
    hx: LSTMState | null,
  ): LSTMState {
    const [h_size, c_size] = [this.hidden_size(), this.options.hidden_size()].map((n) => this.state_size(batch, n));
    const state: LSTMState =
      hx === null
        ? [this.zeros(input, h_size), this.zeros(input, c_size)]
        : [this.permute_hidden(hx[0], sorted_indices), this.permute_hidden(hx[1], sorted_indices)];
    this.check_input(input, batch_sizes);
    this.check_hidden_size(state[0], h_size, "hidden[0]");
    this.check_hidden_size(state[1], c_size, "hidden[1]");
    return state;
  }
  override pretty_print(): string {
    return this.printed_as("LSTM");
  }
}
export const LSTM: ModuleHolder<typeof LSTMImpl> = TORCH_MODULE(LSTMImpl, "LSTM");
