/**
 * @file Activations, softmaxes and attention as modules.
 * @mirrors torch/csrc/api/include/torch/nn/modules/activation.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import { as_options, type OptionsArgs } from "../../arg.ts";
import { Cloneable } from "../cloneable.ts";
import * as F from "../functional/activation.ts";
import * as init from "../init.ts";
import * as O from "../options/activation.ts";
import { LinearOptions } from "../options/linear.ts";
import { type Held, type ModuleHolder, TORCH_MODULE } from "../pimpl.ts";
import { Linear, type LinearImpl } from "./linear.ts";
import { g, printed } from "./printed.ts";
import { type Plain, plain, type Stateless, stateless } from "./stateless.ts";

type Unary = [input: Tensor];
/** `inplace=true` is printed, false is not. */
const inplace = (options: { inplace(): boolean }): { inplace?: true } => (options.inplace() ? { inplace: true } : {});

export const ELU: Stateless<typeof O.ELUOptions, Unary, Tensor> = stateless("ELU", O.ELUOptions, F.elu, (o) =>
  printed("ELU", [], { alpha: g(o.alpha()), ...inplace(o) }),
);
export const SELU: Stateless<typeof O.SELUOptions, Unary, Tensor> = stateless("SELU", O.SELUOptions, F.selu, (o) =>
  printed("SELU", [], inplace(o)),
);
export const Hardshrink: Stateless<typeof O.HardshrinkOptions, Unary, Tensor> = stateless(
  "Hardshrink",
  O.HardshrinkOptions,
  F.hardshrink,
  (o) => printed("Hardshrink", [g(o.lambda())]),
);
export const Hardtanh: Stateless<typeof O.HardtanhOptions, Unary, Tensor> = stateless(
  "Hardtanh",
  O.HardtanhOptions,
  F.hardtanh,
  (o) => printed("Hardtanh", [], { min_val: g(o.min_val()), max_val: g(o.max_val()), ...inplace(o) }),
  (o) => TORCH_CHECK(o.max_val() > o.min_val(), "max_val must be greater than min_val"),
);
export const LeakyReLU: Stateless<typeof O.LeakyReLUOptions, Unary, Tensor> = stateless(
  "LeakyReLU",
  O.LeakyReLUOptions,
  F.leaky_relu,
  (o) => printed("LeakyReLU", [], { negative_slope: g(o.negative_slope()), ...inplace(o) }),
);
export const LogSigmoid: Plain<Unary, Tensor> = plain("LogSigmoid", F.logsigmoid);
export const Softmax: Stateless<typeof O.SoftmaxOptions, Unary, Tensor> = stateless(
  "Softmax",
  O.SoftmaxOptions,
  (input: Tensor, o) => F.softmax(input, o.dim()),
  (o) => printed("Softmax", [], { dim: o.dim() }),
);
export const Softmin: Stateless<typeof O.SoftminOptions, Unary, Tensor> = stateless(
  "Softmin",
  O.SoftminOptions,
  (input: Tensor, o) => F.softmin(input, o.dim()),
  (o) => printed("Softmin", [], { dim: o.dim() }),
);
export const LogSoftmax: Stateless<typeof O.LogSoftmaxOptions, Unary, Tensor> = stateless(
  "LogSoftmax",
  O.LogSoftmaxOptions,
  (input: Tensor, o) => F.log_softmax(input, o.dim()),
  (o) => printed("LogSoftmax", [], { dim: o.dim() }),
);
/** Softmax over the channels of `(C, H, W)` or `(N, C, H, W)`. */
export const Softmax2d: Plain<Unary, Tensor> = plain("Softmax2d", (input) => {
  TORCH_CHECK(input.dim() === 4 || input.dim() === 3, "Softmax2d requires a 3D or 4D tensor as input");
  return F.softmax(input, -3);
});
export const ReLU: Stateless<typeof O.ReLUOptions, Unary, Tensor> = stateless("ReLU", O.ReLUOptions, F.relu, (o) =>
  printed("ReLU", [], inplace(o)),
);
export const ReLU6: Stateless<typeof O.ReLU6Options, Unary, Tensor> = stateless("ReLU6", O.ReLU6Options, F.relu6, (o) =>
  printed("ReLU6", [], inplace(o)),
);
export const CELU: Stateless<typeof O.CELUOptions, Unary, Tensor> = stateless("CELU", O.CELUOptions, F.celu, (o) =>
  printed("CELU", [], { alpha: g(o.alpha()), ...inplace(o) }),
);
export const GLU: Stateless<typeof O.GLUOptions, Unary, Tensor> = stateless("GLU", O.GLUOptions, F.glu, (o) =>
  printed("GLU", [], { dim: o.dim() }),
);
export const GELU: Stateless<typeof O.GELUOptions, Unary, Tensor> = stateless("GELU", O.GELUOptions, F.gelu, () =>
  printed("GELU"),
);
export const SiLU: Plain<Unary, Tensor> = plain("SiLU", F.silu);
export const Mish: Plain<Unary, Tensor> = plain("Mish", F.mish);
export const Sigmoid: Plain<Unary, Tensor> = plain("Sigmoid", (input) => at.sigmoid(input));
export const Softplus: Stateless<typeof O.SoftplusOptions, Unary, Tensor> = stateless(
  "Softplus",
  O.SoftplusOptions,
  F.softplus,
  (o) => printed("Softplus", [], { beta: g(o.beta()), threshold: g(o.threshold()) }),
);
export const Softshrink: Stateless<typeof O.SoftshrinkOptions, Unary, Tensor> = stateless(
  "Softshrink",
  O.SoftshrinkOptions,
  F.softshrink,
  (o) => printed("Softshrink", [g(o.lambda())]),
);
export const Softsign: Plain<Unary, Tensor> = plain("Softsign", F.softsign);
export const Tanh: Plain<Unary, Tensor> = plain("Tanh", (input) => at.tanh(input));
export const Tanhshrink: Plain<Unary, Tensor> = plain("Tanhshrink", F.tanhshrink);
export const Threshold: Stateless<typeof O.ThresholdOptions, Unary, Tensor> = stateless(
  "Threshold",
  O.ThresholdOptions,
  F.threshold,
  (o) => printed("Threshold", [], { threshold: g(o.threshold()), value: g(o.value()), ...inplace(o) }),
);

/** Negative elements times a random slope in training, and times the middle of the range otherwise. */
export class RReLUImpl extends Cloneable {
  readonly options: O.RReLUOptions;

  constructor(...args: OptionsArgs<typeof O.RReLUOptions>) {
    super();
    this.options = as_options(O.RReLUOptions, args);
  }
  override reset(): void {
    // It has no parameters.
  }
  forward(input: Tensor): Tensor {
    const { options } = this;
    const call = O.RReLUFuncOptions().lower(options.lower()).upper(options.upper()).inplace(options.inplace());
    return F.rrelu(input, call.training(this.is_training()));
  }
  override pretty_print(): string {
    const { options } = this;
    return printed("RReLU", [], { lower: g(options.lower()), upper: g(options.upper()), ...inplace(options) });
  }
}
export const RReLU: ModuleHolder<typeof RReLUImpl> = TORCH_MODULE(RReLUImpl, "RReLU");

/** Negative elements times a slope that is learned, one for all channels or one for each. */
export class PReLUImpl extends Cloneable {
  readonly options: O.PReLUOptions;
  declare weight: Tensor;

  constructor(...args: OptionsArgs<typeof O.PReLUOptions>) {
    super();
    this.options = as_options(O.PReLUOptions, args);
    this.reset();
  }
  override reset(): void {
    const { options } = this;
    this.weight = this.register_parameter(
      "weight",
      at.full([options.num_parameters()], Scalar.fromDouble(options.init())),
    );
  }
  forward(input: Tensor): Tensor {
    return F.prelu(input, this.weight);
  }
  override pretty_print(): string {
    return printed("PReLU", [], { num_parameters: this.options.num_parameters() });
  }
}
export const PReLU: ModuleHolder<typeof PReLUImpl> = TORCH_MODULE(PReLUImpl, "PReLU");

/** @see multi_head_attention.ts, the function */
export class MultiheadAttentionImpl extends Cloneable {
  readonly options: O.MultiheadAttentionOptions;
  /** Projections of query, key and value in one matrix; undefined if keys or values have sizes of their own. */
  declare in_proj_weight: Tensor;
  declare q_proj_weight: Tensor;
  declare k_proj_weight: Tensor;
  declare v_proj_weight: Tensor;
  declare in_proj_bias: Tensor;
  declare out_proj: Held<LinearImpl>;
  declare bias_k: Tensor;
  declare bias_v: Tensor;
  declare _qkv_same_embed_dim: boolean;
  declare head_dim: number;

  constructor(...args: OptionsArgs<typeof O.MultiheadAttentionOptions>) {
    super("torch::nn::MultiheadAttention");
    this.options = as_options(O.MultiheadAttentionOptions, args);
    this.reset();
  }
  override reset(): void {
    const { options } = this;
    const [embed_dim, kdim, vdim] = [options.embed_dim(), options.kdim(), options.vdim()];
    this._qkv_same_embed_dim = kdim === embed_dim && vdim === embed_dim;
    this.head_dim = Math.trunc(embed_dim / options.num_heads());
    TORCH_CHECK(this.head_dim * options.num_heads() === embed_dim, "embed_dim must be divisible by num_heads");
    const parameter = (name: string, wanted: boolean, sizes: number[]) =>
      this.register_parameter(name, wanted ? at.empty_memory_format(sizes) : new Tensor(), wanted);
    const same = this._qkv_same_embed_dim;
    this.in_proj_weight = same ? parameter("in_proj_weight", true, [3 * embed_dim, embed_dim]) : new Tensor();
    this.q_proj_weight = same ? new Tensor() : parameter("q_proj_weight", true, [embed_dim, embed_dim]);
    this.k_proj_weight = same ? new Tensor() : parameter("k_proj_weight", true, [embed_dim, kdim]);
    this.v_proj_weight = same ? new Tensor() : parameter("v_proj_weight", true, [embed_dim, vdim]);
    this.in_proj_bias = parameter("in_proj_bias", options.bias(), [3 * embed_dim]);
    this.out_proj = this.register_module("out_proj", Linear(LinearOptions(embed_dim, embed_dim).bias(options.bias())));
    const biased = options.add_bias_kv();
    this.bias_k = biased ? parameter("bias_k", true, [1, 1, embed_dim]) : new Tensor();
    this.bias_v = biased ? parameter("bias_v", true, [1, 1, embed_dim]) : new Tensor();
    this._reset_parameters();
  }
  _reset_parameters(): void {
    for (const weight of [this.in_proj_weight, this.q_proj_weight, this.k_proj_weight, this.v_proj_weight])
      if (weight.defined()) init.xavier_uniform_(weight);
    if (this.in_proj_bias.defined()) {
      init.constant_(this.in_proj_bias, 0);
      init.constant_(this.out_proj.bias, 0);
    }
    for (const bias of [this.bias_k, this.bias_v]) if (bias.defined()) init.xavier_normal_(bias);
  }
  /**
   * @param query `(target, batch, embed_dim)`
   * @param key `(source, batch, kdim)`
   * @param value `(source, batch, vdim)`
   * @param key_padding_mask `(batch, source)`: keys that are no keys
   * @param attn_mask `(target, source)`, added to the products
   */
  forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    key_padding_mask: Tensor = new Tensor(),
    need_weights = true,
    attn_mask: Tensor = new Tensor(),
    average_attn_weights = true,
  ): [output: Tensor, weights: Tensor] {
    const { options, out_proj } = this;
    const call = O.MultiheadAttentionForwardFuncOptions(
      options.embed_dim(),
      options.num_heads(),
      this.in_proj_weight,
      this.in_proj_bias,
      this.bias_k,
      this.bias_v,
      options.add_zero_attn(),
      options.dropout(),
      out_proj.weight,
      out_proj.bias,
    )
      .training(this.is_training())
      .key_padding_mask(key_padding_mask)
      .need_weights(need_weights)
      .attn_mask(attn_mask)
      .average_attn_weights(average_attn_weights);
    if (!this._qkv_same_embed_dim) {
      call.use_separate_proj_weight(true).q_proj_weight(this.q_proj_weight);
      call.k_proj_weight(this.k_proj_weight).v_proj_weight(this.v_proj_weight);
    }
    return F.multi_head_attention_forward(query, key, value, call);
  }
}
export const MultiheadAttention: ModuleHolder<typeof MultiheadAttentionImpl> = TORCH_MODULE(
  MultiheadAttentionImpl,
  "MultiheadAttention",
);
