/**
 * @file `nn.RNNCell`, `nn.GRUCell` and `nn.LSTMCell`: one step of a recurrent layer.
 * @mirrors torch/nn/modules/rnn.py
 */
import { RuntimeError, ValueError } from "#c10/util/Exception";
import { pack } from "#python/Objects/tupleobject";
import { _C, having, PyNumber_Multiply, py_str } from "#torch/_C";
import { type Args, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import * as init from "#torch/nn/init";
import type { Factory } from "#torch/nn/modules/linear/index";
import { Module } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";

const _VF = _C._VariableFunctions;

const RNNCellBase_init = new Init(
  "RNNCellBase.__init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None)",
  types<[input_size: number, hidden_size: number, bias: boolean, num_chunks: number, ...Factory]>,
);

/** Base class of the recurrent cells, with the parameters for `num_chunks` gates. */
// biome-ignore lint/suspicious/noExplicitAny: as in Module
export class RNNCellBase<A extends unknown[] = any[], R = any> extends Module<A, R> {
  static readonly __module__: string = "torch.nn.modules.rnn";

  input_size: number;
  hidden_size: number;
  bias: boolean;
  weight_ih: Parameter;
  weight_hh: Parameter;
  declare bias_ih: Parameter | null;
  declare bias_hh: Parameter | null;

  static {
    def_methods(RNNCellBase, { __init__: RNNCellBase_init, extra_repr: "(self)", reset_parameters: "(self)" });
  }

  constructor(...args: InitArgs<typeof RNNCellBase_init>) {
    const [input_size, hidden_size, bias, num_chunks, device, dtype] = RNNCellBase_init.bind(args);
    super();
    this.input_size = input_size;
    this.hidden_size = hidden_size;
    this.bias = bias;
    const rows = PyNumber_Multiply(num_chunks, hidden_size);
    const parameter = (...size: number[]) => new Parameter(torch.empty(size, { device, dtype }));
    this.weight_ih = parameter(rows, input_size);
    this.weight_hh = parameter(rows, hidden_size);
    if (bias) {
      this.bias_ih = parameter(rows);
      this.bias_hh = parameter(rows);
    } else {
      this.register_parameter("bias_ih", null);
      this.register_parameter("bias_hh", null);
    }
    this.reset_parameters();
  }

  /** Initializes with uniform random numbers in ±1/sqrt(hidden_size). */
  reset_parameters(): void {
    const stdv = this.hidden_size > 0 ? 1 / Math.sqrt(this.hidden_size) : 0;
    for (const weight of this.parameters()) init.uniform_(weight, -stdv, stdv);
  }

  protected check_dims(t: Tensor, what: string): void {
    const dims = having(t, "dim").dim();
    if (dims !== 1 && dims !== 2)
      throw new ValueError(`${this._get_name()}: Expected ${what} to be 1D or 2D, got ${dims}D instead`);
  }

  protected zeros(input: Tensor): Tensor {
    return torch.zeros([input.size(0), this.hidden_size], { dtype: input.dtype, device: input.device });
  }

  /** The call of a cell with one state; `step` is its operator. */
  protected forward_one(input: Tensor, hx: Tensor | null, step: typeof _VF.gru_cell): Tensor {
    this.check_dims(input, "input");
    if (hx !== null) this.check_dims(hx, "hidden");
    const is_batched = input.dim() === 2;
    const batch = is_batched ? input : input.unsqueeze(0);
    const state = hx === null ? this.zeros(batch) : is_batched ? hx : hx.unsqueeze(0);
    const ret = step(batch, state, this.weight_ih, this.weight_hh, this.bias_ih, this.bias_hh);
    return is_batched ? ret : ret.squeeze(0);
  }

  override extra_repr(): string {
    const { nonlinearity } = this as { nonlinearity?: string };
    let s = `${this.input_size}, ${this.hidden_size}`;
    if (this.bias !== true) s += `, bias=${py_str(this.bias)}`;
    if (nonlinearity !== undefined && nonlinearity !== "tanh") s += `, nonlinearity=${nonlinearity}`;
    return s;
  }
}

type Step = Args<"(self, input, hx=None)", [input: Tensor, hx: Tensor | null]>;

const RNNCell_init = new Init(
  "RNNCell.__init__(self, input_size, hidden_size, bias=True, nonlinearity='tanh', device=None, dtype=None)",
  types<[input_size: number, hidden_size: number, bias: boolean, nonlinearity: string, ...Factory]>,
);

/** A recurrent cell: `tanh(W_ih x + b_ih + W_hh h + b_hh)`, or `relu`.   `(N, I), (N, H) -> (N, H)` */
export class RNNCell extends RNNCellBase<Step, Tensor> {
  nonlinearity: string;

  static {
    def_methods(RNNCell, { __init__: RNNCell_init, forward: "(self, input, hx=None)" });
  }

  constructor(...args: InitArgs<typeof RNNCell_init>) {
    const [input_size, hidden_size, bias, nonlinearity, device, dtype] = RNNCell_init.bind(args);
    super(input_size, hidden_size, bias, { num_chunks: 1, device, dtype });
    this.nonlinearity = nonlinearity;
  }

  override forward(input: Tensor, hx: Tensor | null): Tensor {
    const { nonlinearity } = this;
    if (nonlinearity === "tanh") return this.forward_one(input, hx, _VF.rnn_tanh_cell);
    if (nonlinearity === "relu") return this.forward_one(input, hx, _VF.rnn_relu_cell);
    const unknown = () => {
      throw new RuntimeError(`Unknown nonlinearity: ${nonlinearity}`);
    };
    return this.forward_one(input, hx, unknown);
  }
}

const LSTMCell_init = new Init(
  "LSTMCell.__init__(self, input_size, hidden_size, bias=True, device=None, dtype=None)",
  types<[input_size: number, hidden_size: number, bias: boolean, ...Factory]>,
);

type States = [h: Tensor, c: Tensor];
type LSTMStep = Args<"(self, input, hx=None)", [input: Tensor, hx: States | null]>;

/** A long short-term memory cell: one step.   `(N, I), [(N, H), (N, H)] -> [(N, H), (N, H)]` */
export class LSTMCell extends RNNCellBase<LSTMStep, States> {
  static {
    def_methods(LSTMCell, { __init__: LSTMCell_init, forward: "(self, input, hx=None)" });
  }

  constructor(...args: InitArgs<typeof LSTMCell_init>) {
    const [input_size, hidden_size, bias, device, dtype] = LSTMCell_init.bind(args);
    super(input_size, hidden_size, bias, { num_chunks: 4, device, dtype });
  }

  override forward(input: Tensor, hx: States | null): States {
    this.check_dims(input, "input");
    for (const [idx, value] of (hx ?? []).entries()) this.check_dims(value, `hx[${idx}]`);
    const is_batched = input.dim() === 2;
    const batch = is_batched ? input : input.unsqueeze(0);
    const zeros = hx === null ? this.zeros(batch) : null;
    const [h, c] = hx ?? [zeros as Tensor, zeros as Tensor];
    const states = hx === null || is_batched ? [h, c] : [h.unsqueeze(0), c.unsqueeze(0)];
    const { weight_ih, weight_hh, bias_ih, bias_hh } = this;
    const [hy, cy] = _VF.lstm_cell(batch, states, weight_ih, weight_hh, bias_ih, bias_hh) as States;
    return is_batched ? pack(hy, cy) : pack(hy.squeeze(0), cy.squeeze(0));
  }
}

const GRUCell_init = new Init(
  "GRUCell.__init__(self, input_size, hidden_size, bias=True, device=None, dtype=None)",
  types<[input_size: number, hidden_size: number, bias: boolean, ...Factory]>,
);

/** A gated recurrent unit cell: one step.   `(N, I), (N, H) -> (N, H)` */
export class GRUCell extends RNNCellBase<Step, Tensor> {
  static {
    def_methods(GRUCell, { __init__: GRUCell_init, forward: "(self, input, hx=None)" });
  }

  constructor(...args: InitArgs<typeof GRUCell_init>) {
    const [input_size, hidden_size, bias, device, dtype] = GRUCell_init.bind(args);
    super(input_size, hidden_size, bias, { num_chunks: 3, device, dtype });
  }

  override forward(input: Tensor, hx: Tensor | null): Tensor {
    return this.forward_one(input, hx, _VF.gru_cell);
  }
}
