/**
 * @file The layers of a transformer: self-attention, in a decoder also attention to the encoder's output, and two linear maps, each with a
 * residual connection.
 * @mirrors torch/nn/modules/transformer.py
 */
import { RuntimeError } from "#c10/util/Exception";
import { py_str } from "#torch/_C";
import { type Args, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { get_fastpath_enabled } from "#torch/backends/mha/index";
import { _canonical_mask, _none_or_dtype } from "#torch/nn/functional/attention";
import * as F from "#torch/nn/functional/index";
import { tensors_allow_fast_path } from "#torch/nn/modules/activation/fast_path";
import { GELU, ReLU } from "#torch/nn/modules/activation/index";
import { MultiheadAttention } from "#torch/nn/modules/activation/multihead_attention";
import { Dropout } from "#torch/nn/modules/dropout";
import { type Factory, Linear } from "#torch/nn/modules/linear/index";
import { Module } from "#torch/nn/modules/module/index";
import { LayerNorm } from "#torch/nn/modules/normalization";

type MaybeTensor = Tensor | null;
export type Activation = string | ((input: Tensor) => Tensor);

function _get_activation_fn(activation: string): (input: Tensor) => Tensor {
  if (activation === "relu") return F.relu;
  if (activation === "gelu") return F.gelu as (input: Tensor) => Tensor;
  throw new RuntimeError(`activation should be relu/gelu, not ${py_str(activation)}`);
}

/** The parameters of an encoder layer, in the order of `_transformer_encoder_layer_fwd`. */
type FastPathParameters = readonly [
  ...attention: [qkv_weight: Tensor, qkv_bias: Tensor, proj_weight: Tensor, proj_bias: Tensor],
  ...norms: [weight_1: Tensor, bias_1: Tensor, weight_2: Tensor, bias_2: Tensor],
  ...maps: [weight_1: Tensor, bias_1: Tensor, weight_2: Tensor, bias_2: Tensor],
];

type LayerArgs = [
  d_model: number,
  nhead: number,
  dim_feedforward: number,
  dropout: number,
  activation: Activation,
  layer_norm_eps: number,
  batch_first: boolean,
  norm_first: boolean,
  bias: boolean,
  ...Factory,
];

const TransformerEncoderLayer_init = new Init(
  "TransformerEncoderLayer.__init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=relu, layer_norm_eps=1e-05, batch_first=False, norm_first=False, bias=True, device=None, dtype=None)",
  types<LayerArgs>,
);

const encode = "(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False)";
type Encode = Args<
  typeof encode,
  [src: Tensor, src_mask: MaybeTensor, src_key_padding_mask: MaybeTensor, is_causal: boolean]
>;

/** An encoder layer: self-attention and two linear maps.   `(S, N, E) -> (S, N, E)` */
export class TransformerEncoderLayer extends Module<Encode, Tensor> {
  static readonly __module__: string = "torch.nn.modules.transformer";

  self_attn: MultiheadAttention;
  linear1: Linear;
  dropout: Dropout;
  linear2: Linear;
  norm_first: boolean;
  norm1: LayerNorm;
  norm2: LayerNorm;
  dropout1: Dropout;
  dropout2: Dropout;
  /** 1 for relu, 2 for gelu, 0 for any other activation. */
  activation_relu_or_gelu: number;
  activation: (input: Tensor) => Tensor;

  static {
    def_methods(TransformerEncoderLayer, { __init__: TransformerEncoderLayer_init, forward: encode });
  }

  constructor(...args: InitArgs<typeof TransformerEncoderLayer_init>) {
    const [d_model, nhead, dim_feedforward, dropout, activation, eps, batch_first, norm_first, bias, device, dtype] =
      TransformerEncoderLayer_init.bind(args);
    super();
    this.self_attn = new MultiheadAttention(d_model, nhead, { dropout, bias, batch_first, device, dtype });
    this.linear1 = new Linear(d_model, dim_feedforward, { bias, device, dtype });
    this.dropout = new Dropout(dropout);
    this.linear2 = new Linear(dim_feedforward, d_model, { bias, device, dtype });
    this.norm_first = norm_first;
    this.norm1 = new LayerNorm(d_model, { eps, bias, device, dtype });
    this.norm2 = new LayerNorm(d_model, { eps, bias, device, dtype });
    this.dropout1 = new Dropout(dropout);
    this.dropout2 = new Dropout(dropout);
    const fn = typeof activation === "string" ? _get_activation_fn(activation) : activation;
    const is_relu = fn === F.relu || (fn as unknown) instanceof ReLU;
    const is_gelu = (fn as unknown) === F.gelu || (fn as unknown) instanceof GELU;
    this.activation_relu_or_gelu = is_relu ? 1 : is_gelu ? 2 : 0;
    this.activation = fn;
  }

  override forward(
    src: Tensor,
    src_mask_: MaybeTensor,
    src_key_padding_mask_: MaybeTensor,
    is_causal: boolean,
  ): Tensor {
    const other = [_none_or_dtype(src_mask_), "src_mask"] as const;
    const src_key_padding_mask = _canonical_mask(src_key_padding_mask_, "src_key_padding_mask", src.dtype, other);
    const src_mask = _canonical_mask(src_mask_, "src_mask", src.dtype);
    const parameters = this.fast_path_parameters(src);
    if (parameters !== null) {
      const [qkv_weight, qkv_bias, proj_weight, proj_bias, ...norms_and_maps] = parameters;
      const [mask, mask_type] = this.self_attn.merge_masks(src_mask, src_key_padding_mask, src);
      return torch._transformer_encoder_layer_fwd(
        src,
        this.self_attn.embed_dim,
        this.self_attn.num_heads,
        qkv_weight,
        qkv_bias,
        proj_weight,
        proj_bias,
        this.activation_relu_or_gelu === 2,
        this.norm_first,
        this.norm1.eps,
        ...norms_and_maps,
        mask,
        mask_type,
      );
    }
    const sa_block = (x: Tensor) => this._sa_block(x, src_mask, src_key_padding_mask, is_causal);
    if (this.norm_first) {
      const x = src.add(sa_block(this.norm1(src)));
      return x.add(this._ff_block(this.norm2(x)));
    }
    const x = this.norm1(src.add(sa_block(src)));
    return this.norm2(x.add(this._ff_block(x)));
  }

  /** The parameters for the fused operator, which runs in evaluation, for a default layer, without hooks and gradients. Otherwise null. */
  private fast_path_parameters(src: Tensor): FastPathParameters | null {
    const { self_attn, norm1, norm2, linear1, linear2 } = this;
    if (!get_fastpath_enabled() || src.dim() !== 3 || this.training || !self_attn.batch_first) return null;
    if (self_attn.in_proj_bias === null || !self_attn._qkv_same_embed_dim || this.activation_relu_or_gelu === 0)
      return null;
    if (norm1.eps !== norm2.eps || self_attn.num_heads % 2 === 1 || torch.is_autocast_enabled()) return null;
    for (const m of this.modules()) if (m._forward_hooks.size + m._forward_pre_hooks.size > 0) return null;
    const { in_proj_weight, in_proj_bias, out_proj } = self_attn;
    const attention = [in_proj_weight, in_proj_bias, out_proj.weight, out_proj.bias];
    const norms = [norm1.weight, norm1.bias, norm2.weight, norm2.bias];
    const parameters = [...attention, ...norms, linear1.weight, linear1.bias, linear2.weight, linear2.bias];
    return tensors_allow_fast_path([src, ...parameters]) ? (parameters as unknown as FastPathParameters) : null;
  }

  /** The self-attention block. */
  _sa_block(x: Tensor, attn_mask: MaybeTensor, key_padding_mask: MaybeTensor, is_causal: boolean): Tensor {
    const [attended] = this.self_attn(x, x, x, { attn_mask, key_padding_mask, need_weights: false, is_causal });
    return this.dropout1(attended);
  }

  /** The feed-forward block: the two linear maps. */
  _ff_block(x: Tensor): Tensor {
    return this.dropout2(this.linear2(this.dropout(this.activation(this.linear1(x)))));
  }
}

const TransformerDecoderLayer_init = new Init(
  "TransformerDecoderLayer.__init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=relu, layer_norm_eps=1e-05, batch_first=False, norm_first=False, bias=True, device=None, dtype=None)",
  types<LayerArgs>,
);

const decode =
  "(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None, tgt_is_causal=False, memory_is_causal=False)";
type Decode = Args<
  typeof decode,
  [
    tgt: Tensor,
    memory: Tensor,
    tgt_mask: MaybeTensor,
    memory_mask: MaybeTensor,
    tgt_key_padding_mask: MaybeTensor,
    memory_key_padding_mask: MaybeTensor,
    tgt_is_causal: boolean,
    memory_is_causal: boolean,
  ]
>;

/** A decoder layer: self-attention, attention to the encoder's output, and two linear maps.   `(T, N, E), (S, N, E) -> (T, N, E)` */
export class TransformerDecoderLayer extends Module<Decode, Tensor> {
  static readonly __module__: string = "torch.nn.modules.transformer";

  self_attn: MultiheadAttention;
  multihead_attn: MultiheadAttention;
  linear1: Linear;
  dropout: Dropout;
  linear2: Linear;
  norm_first: boolean;
  norm1: LayerNorm;
  norm2: LayerNorm;
  norm3: LayerNorm;
  dropout1: Dropout;
  dropout2: Dropout;
  dropout3: Dropout;
  activation: (input: Tensor) => Tensor;

  static {
    def_methods(TransformerDecoderLayer, { __init__: TransformerDecoderLayer_init, forward: decode });
  }

  constructor(...args: InitArgs<typeof TransformerDecoderLayer_init>) {
    const [d_model, nhead, dim_feedforward, dropout, activation, eps, batch_first, norm_first, bias, device, dtype] =
      TransformerDecoderLayer_init.bind(args);
    super();
    this.self_attn = new MultiheadAttention(d_model, nhead, { dropout, batch_first, bias, device, dtype });
    this.multihead_attn = new MultiheadAttention(d_model, nhead, { dropout, batch_first, bias, device, dtype });
    this.linear1 = new Linear(d_model, dim_feedforward, { bias, device, dtype });
    this.dropout = new Dropout(dropout);
    this.linear2 = new Linear(dim_feedforward, d_model, { bias, device, dtype });
    this.norm_first = norm_first;
    this.norm1 = new LayerNorm(d_model, { eps, bias, device, dtype });
    this.norm2 = new LayerNorm(d_model, { eps, bias, device, dtype });
    this.norm3 = new LayerNorm(d_model, { eps, bias, device, dtype });
    this.dropout1 = new Dropout(dropout);
    this.dropout2 = new Dropout(dropout);
    this.dropout3 = new Dropout(dropout);
    this.activation = typeof activation === "string" ? _get_activation_fn(activation) : activation;
  }

  override forward(
    tgt: Tensor,
    memory: Tensor,
    tgt_mask: MaybeTensor,
    memory_mask: MaybeTensor,
    tgt_key_padding_mask: MaybeTensor,
    memory_key_padding_mask: MaybeTensor,
    tgt_is_causal: boolean,
    memory_is_causal: boolean,
  ): Tensor {
    const sa_block = (x: Tensor) => this._sa_block(x, tgt_mask, tgt_key_padding_mask, tgt_is_causal);
    const mha_block = (x: Tensor) => this._mha_block(x, memory, memory_mask, memory_key_padding_mask, memory_is_causal);
    let x = tgt;
    if (this.norm_first) {
      x = x.add(sa_block(this.norm1(x)));
      x = x.add(mha_block(this.norm2(x)));
      return x.add(this._ff_block(this.norm3(x)));
    }
    x = this.norm1(x.add(sa_block(x)));
    x = this.norm2(x.add(mha_block(x)));
    return this.norm3(x.add(this._ff_block(x)));
  }

  /** The self-attention block. */
  _sa_block(x: Tensor, attn_mask: MaybeTensor, key_padding_mask: MaybeTensor, is_causal: boolean): Tensor {
    const [attended] = this.self_attn(x, x, x, { attn_mask, key_padding_mask, is_causal, need_weights: false });
    return this.dropout1(attended);
  }

  /** The block with attention to the encoder's output. */
  _mha_block(
    x: Tensor,
    mem: Tensor,
    attn_mask: MaybeTensor,
    key_padding_mask: MaybeTensor,
    is_causal: boolean,
  ): Tensor {
    const options = { attn_mask, key_padding_mask, is_causal, need_weights: false };
    const [attended] = this.multihead_attn(x, mem, mem, options);
    return this.dropout2(attended);
  }

  /** The feed-forward block: the two linear maps. */
  _ff_block(x: Tensor): Tensor {
    return this.dropout3(this.linear2(this.dropout(this.activation(this.linear1(x)))));
  }
}
