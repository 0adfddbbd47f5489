/**
 * @file `nn.MultiheadAttention`.
 * @mirrors torch/nn/modules/activation.py
 */
import { AssertionError, ValueError } from "#c10/util/Exception";
import { pack } from "#python/Objects/tupleobject";
import { having, PyObject_RichCompareBool } from "#torch/_C";
import { type Args, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { get_fastpath_enabled } from "#torch/backends/mha/index";
import { _canonical_mask, _none_or_dtype, multi_head_attention_forward } from "#torch/nn/functional/attention";
import * as init from "#torch/nn/init";
import { type Factory, NonDynamicallyQuantizableLinear } from "#torch/nn/modules/linear/index";
import { Module } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";
import { tensors_allow_fast_path } from "./fast_path.ts";

type MaybeTensor = Tensor | null;

const MultiheadAttention_init = new Init(
  "MultiheadAttention.__init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None, vdim=None, batch_first=False, device=None, dtype=None)",
  types<
    [
      embed_dim: number,
      num_heads: number,
      dropout: number,
      bias: boolean,
      add_bias_kv: boolean,
      add_zero_attn: boolean,
      kdim: number | null,
      vdim: number | null,
      batch_first: boolean,
      ...Factory,
    ]
  >,
);

const forward =
  "(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, average_attn_weights=True, is_causal=False)";

type Attend = Args<
  typeof forward,
  [
    query: Tensor,
    key: Tensor,
    value: Tensor,
    key_padding_mask: MaybeTensor,
    need_weights: boolean,
    attn_mask: MaybeTensor,
    average_attn_weights: boolean,
    is_causal: boolean,
  ]
>;
type Attended = [attn_output: Tensor, attn_output_weights: MaybeTensor];

/** Multi-head attention.   `(L, N, E), (S, N, kdim), (S, N, vdim) -> (L, N, E), (N, L, S)` */
export class MultiheadAttention extends Module<Attend, Attended> {
  static readonly __module__: string = "torch.nn.modules.activation";

  embed_dim: number;
  kdim: number;
  vdim: number;
  _qkv_same_embed_dim: boolean;
  num_heads: number;
  dropout: number;
  batch_first: boolean;
  head_dim: number;
  declare in_proj_weight: Parameter | null;
  declare q_proj_weight: Parameter | null;
  declare k_proj_weight: Parameter | null;
  declare v_proj_weight: Parameter | null;
  declare in_proj_bias: Parameter | null;
  declare bias_k: Parameter | null;
  declare bias_v: Parameter | null;
  declare out_proj: NonDynamicallyQuantizableLinear;
  add_zero_attn: boolean;

  static {
    def_methods(MultiheadAttention, {
      __init__: MultiheadAttention_init,
      _reset_parameters: "(self)",
      forward,
      merge_masks: "(self, attn_mask, key_padding_mask, query)",
    });
  }

  constructor(...args: InitArgs<typeof MultiheadAttention_init>) {
    const [embed_dim_, num_heads_, dropout, bias, add_bias_kv, add_zero_attn, kdim, vdim, batch_first, device, dtype] =
      MultiheadAttention_init.bind(args);
    const [embed_dim, num_heads] = [embed_dim_, num_heads_].map((n) => (typeof n === "bigint" ? Number(n) : n));
    if ([embed_dim, num_heads].some((n) => PyObject_RichCompareBool(n, "<=", 0, "int"))) {
      throw new ValueError(
        `embed_dim and num_heads must be greater than 0, got embed_dim=${embed_dim} and num_heads=${num_heads} instead`,
      );
    }
    super();
    this.embed_dim = embed_dim;
    this.kdim = kdim ?? embed_dim;
    this.vdim = vdim ?? embed_dim;
    this._qkv_same_embed_dim = this.kdim === embed_dim && this.vdim === embed_dim;
    this.num_heads = num_heads;
    this.dropout = dropout;
    this.batch_first = batch_first;
    this.head_dim = Math.floor(embed_dim / num_heads);
    if (this.head_dim * num_heads !== embed_dim) throw new AssertionError("embed_dim must be divisible by num_heads");
    const parameter = (...size: number[]) => new Parameter(torch.empty(size, { device, dtype }));
    if (this._qkv_same_embed_dim) {
      this.in_proj_weight = parameter(3 * embed_dim, embed_dim);
      for (const name of ["q_proj_weight", "k_proj_weight", "v_proj_weight"]) this.register_parameter(name, null);
    } else {
      this.q_proj_weight = parameter(embed_dim, embed_dim);
      this.k_proj_weight = parameter(embed_dim, this.kdim);
      this.v_proj_weight = parameter(embed_dim, this.vdim);
      this.register_parameter("in_proj_weight", null);
    }
    if (bias) this.in_proj_bias = parameter(3 * embed_dim);
    else this.register_parameter("in_proj_bias", null);
    this.out_proj = new NonDynamicallyQuantizableLinear(embed_dim, embed_dim, { bias, device, dtype });
    this.bias_k = add_bias_kv ? parameter(1, 1, embed_dim) : null;
    this.bias_v = add_bias_kv ? parameter(1, 1, embed_dim) : null;
    this.add_zero_attn = add_zero_attn;
    this._reset_parameters();
  }

  /** Initializes the weights with `xavier_uniform_`, the biases with 0, and `bias_k` and `bias_v` with `xavier_normal_`. */
  _reset_parameters(): void {
    for (const weight of [this.in_proj_weight, this.q_proj_weight, this.k_proj_weight, this.v_proj_weight])
      if (weight !== null) init.xavier_uniform_(weight);
    if (this.in_proj_bias !== null) {
      init.constant_(this.in_proj_bias, 0);
      init.constant_(this.out_proj.bias as Parameter, 0);
    }
    if (this.bias_k !== null) init.xavier_normal_(this.bias_k);
    if (this.bias_v !== null) init.xavier_normal_(this.bias_v);
  }

  override forward(
    query_: Tensor,
    key_: Tensor,
    value_: Tensor,
    key_padding_mask_: MaybeTensor,
    need_weights: boolean,
    attn_mask_: MaybeTensor,
    average_attn_weights: boolean,
    is_causal: boolean,
  ): Attended {
    const is_batched = having(query_, "dim").dim() === 3;
    const float_masks = [attn_mask_, key_padding_mask_].some((mask) => mask?.is_floating_point() === true);
    const other = [_none_or_dtype(attn_mask_), "attn_mask"] as const;
    const key_padding_mask = _canonical_mask(key_padding_mask_, "key_padding_mask", query_.dtype, other);
    const attn_mask = _canonical_mask(attn_mask_, "attn_mask", query_.dtype);
    if (!float_masks && is_batched && query_ === key_ && key_ === value_ && this.may_take_fast_path(query_)) {
      const [mask, mask_type] = this.merge_masks(attn_mask, key_padding_mask, query_);
      return torch._native_multi_head_attention(
        query_,
        key_,
        value_,
        this.embed_dim,
        this.num_heads,
        this.in_proj_weight as Tensor,
        this.in_proj_bias as Tensor,
        this.out_proj.weight,
        this.out_proj.bias as Tensor,
        mask,
        need_weights,
        average_attn_weights,
        mask_type,
      ) as Attended;
    }
    let [query, key, value] = [query_, key_, value_];
    const transposed = this.batch_first && is_batched;
    if (transposed) {
      // Inputs that are the same object must stay the same object, because the choice of the projection depends on it.
      query = query_.transpose(1, 0);
      key = key_ === query_ && key_ === value_ ? query : key_.transpose(1, 0);
      value = value_ === key_ ? key : value_.transpose(1, 0);
    }
    const { q_proj_weight, k_proj_weight, v_proj_weight } = this;
    const separate = this._qkv_same_embed_dim
      ? {}
      : { use_separate_proj_weight: true, q_proj_weight, k_proj_weight, v_proj_weight };
    const [attn_output, attn_output_weights] = multi_head_attention_forward(
      query,
      key,
      value,
      this.embed_dim,
      this.num_heads,
      this.in_proj_weight,
      this.in_proj_bias,
      this.bias_k,
      this.bias_v,
      this.add_zero_attn,
      this.dropout,
      this.out_proj.weight,
      this.out_proj.bias,
      {
        training: this.training,
        key_padding_mask,
        need_weights,
        attn_mask,
        average_attn_weights,
        is_causal,
        ...separate,
      },
    );
    return pack(transposed ? attn_output.transpose(1, 0) : attn_output, attn_output_weights);
  }

  /** Whether self-attention of a batch may run as one fused operator: in evaluation, with default settings, without gradients. */
  private may_take_fast_path(query: Tensor): boolean {
    const { in_proj_weight, in_proj_bias, out_proj } = this;
    if (!get_fastpath_enabled() || this.training || this.num_heads % 2 !== 0 || !this.batch_first) return false;
    if (in_proj_weight === null || in_proj_bias === null || !this._qkv_same_embed_dim) return false;
    if (query.dtype !== in_proj_bias.dtype || query.dtype !== in_proj_weight.dtype) return false;
    if (this.bias_k !== null || this.bias_v !== null || this.add_zero_attn || torch.is_autocast_enabled()) return false;
    return tensors_allow_fast_path([query, in_proj_weight, in_proj_bias, out_proj.weight, out_proj.bias]);
  }

  /** Merges both masks. @returns the mask and its kind: 1 for a padding mask, 2 for an attention mask or both; null if there is none */
  merge_masks(attn_mask: MaybeTensor, key_padding_mask: MaybeTensor, query: Tensor): [MaybeTensor, number | null] {
    if (attn_mask === null) return [key_padding_mask, key_padding_mask === null ? null : 1];
    const [batch_size, seq_len] = query.shape;
    const expanded =
      attn_mask.dim() === 3
        ? attn_mask.view([batch_size, -1, seq_len, seq_len])
        : attn_mask.view([1, 1, seq_len, seq_len]).expand([batch_size, this.num_heads, -1, -1]);
    if (key_padding_mask === null) return [expanded, 2];
    const padding = key_padding_mask.view([batch_size, 1, 1, seq_len]).expand([-1, this.num_heads, -1, -1]);
    return [expanded.add(padding), 2];
  }
}
