/**
 * @file One step of recurrent layers.
 * @mirrors torch/csrc/api/include/torch/nn/modules/rnn.h#RNNCellImplBase
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { as_options, type OptionsArgs } from "../../arg.ts";
import { enumtype } from "../../enum.ts";
import { or_null } from "../../optional_tensor.ts";
import { Cloneable } from "../cloneable.ts";
import * as init from "../init.ts";
import { GRUCellOptions, LSTMCellOptions, RNNCellOptions } from "../options/rnn.ts";
import { type ModuleHolder, TORCH_MODULE } from "../pimpl.ts";
import { printed } from "./printed.ts";
import type { LSTMState } from "./rnn.ts";

abstract class RNNCellImplBase<O extends RNNCellOptions | LSTMCellOptions | GRUCellOptions> extends Cloneable {
  readonly options: O;
  declare weight_ih: Tensor;
  declare weight_hh: Tensor;
  declare bias_ih: Tensor;
  declare bias_hh: Tensor;
  protected abstract readonly num_chunks: number;

  constructor(options: O) {
    super();
    this.options = options;
    this.reset();
  }
  override reset(): void {
    const { options } = this;
    const [hidden_size, biased] = [options.hidden_size(), options.bias()];
    const rows = this.num_chunks * hidden_size;
    this.weight_ih = this.register_parameter("weight_ih", at.empty_memory_format([rows, options.input_size()]));
    this.weight_hh = this.register_parameter("weight_hh", at.empty_memory_format([rows, hidden_size]));
    const bias = () => (biased ? at.empty_memory_format([rows]) : new Tensor());
    this.bias_ih = this.register_parameter("bias_ih", bias(), biased);
    this.bias_hh = this.register_parameter("bias_hh", bias(), biased);
    this.reset_parameters();
  }
  reset_parameters(): void {
    const bound = 1 / Math.sqrt(this.options.hidden_size());
    for (const weight of this.parameters(false)) init.uniform_(weight, -bound, bound);
  }
  protected check_forward_input(input: Tensor, name: string): void {
    TORCH_CHECK(input.dim() === 1 || input.dim() === 2, `Expected ${name} to be 1D or 2D, got ${input.dim()}D instead`);
  }
  /** A state of zeros. */
  protected zeros(input: Tensor): Tensor {
    const like = new TensorOptions(input.scalar_type()).device(input.device());
    return at.zeros([input.size(0), this.options.hidden_size()], like);
  }
  protected weights() {
    return [this.weight_ih, this.weight_hh, or_null(this.bias_ih), or_null(this.bias_hh)] as const;
  }
  /** The text, with the name of the class. */
  protected printed_as(name: string, nonlinearity?: RNNCellOptions): string {
    const { options } = this;
    const word = nonlinearity?.nonlinearity();
    return printed(name, [options.input_size(), options.hidden_size()], {
      bias: options.bias() ? undefined : false,
      nonlinearity: word === enumtype.kTanh ? undefined : word,
    });
  }
}

type Step = (input: Tensor, hx: Tensor, ...weights: ReturnType<RNNCellImplBase<GRUCellOptions>["weights"]>) => Tensor;

abstract class OneStateCell<O extends RNNCellOptions | GRUCellOptions> extends RNNCellImplBase<O> {
  protected abstract operator(): Step;
  /**
   * @param input `(batch, input_size)` or `(input_size)`
   * @param hx the state, `(batch, hidden_size)` or `(hidden_size)`; zeros if undefined
   */
  forward(input: Tensor, hx: Tensor = new Tensor()): Tensor {
    this.check_forward_input(input, "input");
    if (hx.defined()) this.check_forward_input(hx, "hidden");
    const is_batched = input.dim() === 2;
    const batch = is_batched ? input : input.unsqueeze(0);
    const state = !hx.defined() ? this.zeros(batch) : is_batched ? hx : hx.unsqueeze(0);
    const result = this.operator()(batch, state, ...this.weights());
    return is_batched ? result : result.squeeze_dim(0);
  }
}

export class RNNCellImpl extends OneStateCell<RNNCellOptions> {
  protected get num_chunks(): number {
    return 1;
  }
  constructor(...args: OptionsArgs<typeof RNNCellOptions>) {
    super(as_options(RNNCellOptions, args));
  }
  protected operator(): Step {
    return this.options.nonlinearity() === enumtype.kReLU ? at.rnn_relu_cell : at.rnn_tanh_cell;
  }
  override pretty_print(): string {
    return this.printed_as("RNNCell", this.options);
  }
}
export const RNNCell: ModuleHolder<typeof RNNCellImpl> = TORCH_MODULE(RNNCellImpl, "RNNCell");

export class GRUCellImpl extends OneStateCell<GRUCellOptions> {
  protected get num_chunks(): number {
    return 3;
  }
  constructor(...args: OptionsArgs<typeof GRUCellOptions>) {
    super(as_options(GRUCellOptions, args));
  }
  protected operator(): Step {
    return at.gru_cell;
  }
  override pretty_print(): string {
    return this.printed_as("GRUCell");
  }
}
export const GRUCell: ModuleHolder<typeof GRUCellImpl> = TORCH_MODULE(GRUCellImpl, "GRUCell");

export class LSTMCellImpl extends RNNCellImplBase<LSTMCellOptions> {
  protected get num_chunks(): number {
    return 4;
  }
  constructor(...args: OptionsArgs<typeof LSTMCellOptions>) {
    super(as_options(LSTMCellOptions, args));
  }
  forward(input: Tensor, hx_opt: LSTMState | null = null): LSTMState {
    this.check_forward_input(input, "input");
    const is_batched = input.dim() === 2;
    const batch = is_batched ? input : input.unsqueeze(0);
    let state: LSTMState;
    if (hx_opt === null) {
      const zeros = this.zeros(batch);
      state = [zeros, zeros];
    } else {
      this.check_forward_input(hx_opt[0], "hx[0]");
      this.check_forward_input(hx_opt[1], "hx[1]");
      state = is_batched ? hx_opt : [hx_opt[0].unsqueeze(0), hx_opt[1].unsqueeze(0)];
    }
    const [h, c] = at.lstm_cell(batch, state, ...this.weights());
    return is_batched ? [h, c] : [h.squeeze_dim(0), c.squeeze_dim(0)];
  }
  override pretty_print(): string {
    return this.printed_as("LSTMCell");
  }
}
export const LSTMCell: ModuleHolder<typeof LSTMCellImpl> = TORCH_MODULE(LSTMCellImpl, "LSTMCell");
