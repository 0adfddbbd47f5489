/**
 * @file `nn.Transformer`: a stack of encoder layers, a stack of decoder layers, and their combination.
 * @mirrors torch/nn/modules/transformer.py
 * @differs Ours has no nested tensors, so it computes padded steps and then overwrites them with 0; PyTorch skips padded steps in
 * evaluation and fills them with 0.
 * @see layers.ts
 */
import { OverflowError, RuntimeError, TypeError_, warn } from "#c10/util/Exception";
import { having, python_type, THPUtils_checkLong } from "#torch/_C";
import { type Args, def, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { get_fastpath_enabled } from "#torch/backends/mha/index";
import { _canonical_mask, _none_or_dtype } from "#torch/nn/functional/attention";
import { xavier_uniform_ } from "#torch/nn/init";
import { tensors_allow_fast_path } from "#torch/nn/modules/activation/fast_path";
import { ModuleList } from "#torch/nn/modules/container/index";
import type { Factory } from "#torch/nn/modules/linear/index";
import { Module } from "#torch/nn/modules/module/index";
import { LayerNorm } from "#torch/nn/modules/normalization";
import type { DeviceLike, dtype } from "#torch/types";
import { type Activation, TransformerDecoderLayer, TransformerEncoderLayer } from "./layers.ts";

type MaybeTensor = Tensor | null;

/** A causal mask: -inf above the diagonal, 0 elsewhere, so that no step uses a later one. */
function _generate_square_subsequent_mask(sz: number, device: DeviceLike | null, dtype: dtype | null): Tensor {
  return torch.triu(torch.full([sz, sz], Number.NEGATIVE_INFINITY, { dtype, device }), 1);
}

function _get_seq_len(src: Tensor, batch_first: boolean): number {
  const size = src.size();
  return size.length === 2 ? size[0] : size[batch_first ? 1 : 0];
}

/** Whether a mask is the causal one; `is_causal` decides if it is given. */
function _detect_is_causal_mask(mask: MaybeTensor, is_causal: boolean | null, size: number): boolean {
  if (is_causal !== null || mask === null) return is_causal === true;
  const causal = _generate_square_subsequent_mask(size, mask.device, mask.dtype);
  const same_size = mask.dim() === 2 && mask.size(0) === size && mask.size(1) === size;
  return same_size && Boolean(mask.eq(causal).all().item());
}

/** No list of JavaScript is longer. */
const MOST_CLONES = 2 ** 32 - 1;

function _get_clones<M extends Module>(module: M, N: number): ModuleList {
  if (!THPUtils_checkLong(N)) throw new TypeError_(`'${python_type(N)}' object cannot be interpreted as an integer`);
  if (N > MOST_CLONES) throw new OverflowError("cannot fit 'int' into an index-sized integer");
  const modules: M[] = [];
  for (let i = 0; i < N; i++) modules.push(having(module, "__deepcopy__").__deepcopy__(new Map()));
  return new ModuleList(modules);
}

const TransformerEncoder_init = new Init(
  "TransformerEncoder.__init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True)",
  types<
    [encoder_layer: Module, num_layers: number, norm: Module | null, enable_nested_tensor: boolean, mask_check: boolean]
  >,
);

const encode = "(self, src, mask=None, src_key_padding_mask=None, is_causal=None)";
type Encode = Args<
  typeof encode,
  [src: Tensor, mask: MaybeTensor, src_key_padding_mask: MaybeTensor, is_causal: boolean | null]
>;

/** The reason why an encoder would not use nested tensors; "" if it would. */
function why_not_sparsity_fast_path(layer: Module): string {
  const name = "encoder_layer";
  if (!(layer instanceof TransformerEncoderLayer)) return `${name} was not TransformerEncoderLayer`;
  if (layer.norm_first) return `${name}.norm_first was True`;
  if (!layer.self_attn.batch_first)
    return `${name}.self_attn.batch_first was not True(use batch_first for better inference performance)`;
  if (!layer.self_attn._qkv_same_embed_dim) return `${name}.self_attn._qkv_same_embed_dim was not True`;
  if (layer.self_attn.in_proj_bias === null) return `${name}.self_attn was passed bias=False`;
  if (layer.activation_relu_or_gelu === 0) return `${name}.activation_relu_or_gelu was not True`;
  if (layer.norm1.eps !== layer.norm2.eps) return `${name}.norm1.eps was not equal to ${name}.norm2.eps`;
  if (layer.self_attn.num_heads % 2 === 1) return `${name}.self_attn.num_heads is odd`;
  return "";
}

/** An encoder: copies of a layer, one after the other.   `(S, N, E) -> (S, N, E)` */
export class TransformerEncoder extends Module<Encode, Tensor> {
  static readonly __module__: string = "torch.nn.modules.transformer";

  layers: ModuleList;
  num_layers: number;
  declare norm: Module | null;
  enable_nested_tensor: boolean;
  use_nested_tensor: boolean;
  mask_check: boolean;

  static {
    def_methods(TransformerEncoder, { __init__: TransformerEncoder_init, forward: encode });
  }

  constructor(...args: InitArgs<typeof TransformerEncoder_init>) {
    const [encoder_layer, num_layers, norm, enable_nested_tensor, mask_check] = TransformerEncoder_init.bind(args);
    super();
    this.layers = _get_clones(encoder_layer, num_layers);
    this.num_layers = num_layers;
    this.norm = norm;
    this.enable_nested_tensor = enable_nested_tensor;
    this.use_nested_tensor = enable_nested_tensor;
    this.mask_check = mask_check;
    const why_not = why_not_sparsity_fast_path(encoder_layer);
    if (!enable_nested_tensor || why_not === "") return;
    warn("UserWarning", `enable_nested_tensor is True, but self.use_nested_tensor is False because ${why_not}`);
    this.use_nested_tensor = false;
  }

  override forward(
    src: Tensor,
    mask_: MaybeTensor,
    src_key_padding_mask_: MaybeTensor,
    is_causal_: boolean | null,
  ): Tensor {
    const other = [_none_or_dtype(mask_), "mask"] as const;
    const src_key_padding_mask = _canonical_mask(src_key_padding_mask_, "src_key_padding_mask", src.dtype, other);
    const mask = _canonical_mask(mask_, "mask", src.dtype);
    const layers = [...this.layers] as TransformerEncoderLayer[];
    const is_causal = _detect_is_causal_mask(mask, is_causal_, _get_seq_len(src, layers[0].self_attn.batch_first));
    const left_out = mask === null ? this.steps_left_out(layers[0], src, src_key_padding_mask) : null;
    const masks = { src_mask: mask, is_causal, src_key_padding_mask: left_out ?? src_key_padding_mask };
    let output = src;
    for (const mod of layers) output = mod(output, masks);
    if (left_out !== null) output = output.masked_fill(left_out.unsqueeze(-1), 0);
    return this.norm === null ? output : this.norm(output);
  }

  /** A mask that is true after the last valid step of each sequence; null if PyTorch's encoder would not skip these steps. */
  private steps_left_out(layer: TransformerEncoderLayer, src: Tensor, padding: MaybeTensor): MaybeTensor {
    if (!get_fastpath_enabled() || !this.use_nested_tensor || layer.training) return null;
    if (src.dim() !== 3 || padding === null || torch.is_autocast_enabled()) return null;
    const valid = padding.logical_not();
    const steps = torch.arange(src.size(1), { device: src.device });
    const left_out = steps.ge(valid.sum(1, { keepdim: true }));
    if (this.mask_check && !torch.equal(left_out.logical_not(), valid)) return null; // padding at the beginning or in the middle
    const { self_attn, norm1, norm2, linear1, linear2 } = layer;
    const { in_proj_weight, in_proj_bias, out_proj } = self_attn;
    const parts = [out_proj, norm1, norm2, linear1, linear2].flatMap(({ weight, bias }) => [weight, bias]);
    return tensors_allow_fast_path([src, in_proj_weight, in_proj_bias, ...parts]) ? left_out : null;
  }
}

const TransformerDecoder_init = new Init(
  "TransformerDecoder.__init__(self, decoder_layer, num_layers, norm=None)",
  types<[decoder_layer: Module, num_layers: number, norm: Module | null]>,
);

const decode =
  "(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None, tgt_is_causal=None, memory_is_causal=False)";
type Decode = Args<
  typeof decode,
  [
    tgt: Tensor,
    memory: Tensor,
    tgt_mask: MaybeTensor,
    memory_mask: MaybeTensor,
    tgt_key_padding_mask: MaybeTensor,
    memory_key_padding_mask: MaybeTensor,
    tgt_is_causal: boolean | null,
    memory_is_causal: boolean,
  ]
>;

/** A decoder: copies of a layer, one after the other, each with attention to `memory`.   `(T, N, E), (S, N, E) -> (T, N, E)` */
export class TransformerDecoder extends Module<Decode, Tensor> {
  static readonly __module__: string = "torch.nn.modules.transformer";

  layers: ModuleList;
  num_layers: number;
  declare norm: Module | null;

  static {
    def_methods(TransformerDecoder, { __init__: TransformerDecoder_init, forward: decode });
  }

  constructor(...args: InitArgs<typeof TransformerDecoder_init>) {
    const [decoder_layer, num_layers, norm] = TransformerDecoder_init.bind(args);
    super();
    this.layers = _get_clones(decoder_layer, num_layers);
    this.num_layers = num_layers;
    this.norm = norm;
  }

  override forward(
    tgt: Tensor,
    memory: Tensor,
    tgt_mask: MaybeTensor,
    memory_mask: MaybeTensor,
    tgt_key_padding_mask: MaybeTensor,
    memory_key_padding_mask: MaybeTensor,
    tgt_is_causal_: boolean | null,
    memory_is_causal: boolean,
  ): Tensor {
    const layers = [...this.layers] as TransformerDecoderLayer[];
    const seq_len = _get_seq_len(tgt, layers[0].self_attn.batch_first);
    const tgt_is_causal = _detect_is_causal_mask(tgt_mask, tgt_is_causal_, seq_len);
    const masks = { tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask };
    let output = tgt;
    for (const mod of layers) output = mod(output, memory, { ...masks, tgt_is_causal, memory_is_causal });
    return this.norm === null ? output : this.norm(output);
  }
}

const Transformer_init = new Init(
  "Transformer.__init__(self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, dropout=0.1, activation=relu, custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-05, batch_first=False, norm_first=False, bias=True, device=None, dtype=None)",
  types<
    [
      d_model: number,
      nhead: number,
      num_encoder_layers: number,
      num_decoder_layers: number,
      dim_feedforward: number,
      dropout: number,
      activation: Activation,
      custom_encoder: Module | null,
      custom_decoder: Module | null,
      layer_norm_eps: number,
      batch_first: boolean,
      norm_first: boolean,
      bias: boolean,
      ...Factory,
    ]
  >,
);

const transform =
  "(self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None, src_is_causal=None, tgt_is_causal=None, memory_is_causal=False)";
type Transform = Args<
  typeof transform,
  [
    src: Tensor,
    tgt: Tensor,
    src_mask: MaybeTensor,
    tgt_mask: MaybeTensor,
    memory_mask: MaybeTensor,
    src_key_padding_mask: MaybeTensor,
    tgt_key_padding_mask: MaybeTensor,
    memory_key_padding_mask: MaybeTensor,
    src_is_causal: boolean | null,
    tgt_is_causal: boolean | null,
    memory_is_causal: boolean,
  ]
>;

const generate_square_subsequent_mask = def(
  "Transformer.generate_square_subsequent_mask(sz, device=None, dtype=None)",
  _generate_square_subsequent_mask,
);

/** An encoder of one sequence, and a decoder of another sequence with attention to the first.   `(S, N, E), (T, N, E) -> (T, N, E)` */
export class Transformer extends Module<Transform, Tensor> {
  static readonly __module__: string = "torch.nn.modules.transformer";
  /** A causal mask: -inf above the diagonal, so that no step uses a later one. */
  static readonly generate_square_subsequent_mask = generate_square_subsequent_mask;

  encoder: Module;
  decoder: Module;
  d_model: number;
  nhead: number;
  batch_first: boolean;

  static {
    def_methods(Transformer, { __init__: Transformer_init, forward: transform, _reset_parameters: "(self)" });
  }

  constructor(...args: InitArgs<typeof Transformer_init>) {
    const [d_model, nhead, num_encoder_layers, num_decoder_layers, dim_feedforward, dropout, activation, ...rest] =
      Transformer_init.bind(args);
    const [custom_encoder, custom_decoder, layer_norm_eps, batch_first, norm_first, bias, device, dtype] = rest;
    super();
    const options = {
      dim_feedforward,
      dropout,
      activation,
      layer_norm_eps,
      batch_first,
      norm_first,
      bias,
      device,
      dtype,
    };
    const norm = () => new LayerNorm(d_model, { eps: layer_norm_eps, bias, device, dtype });
    const encoder = (): Module => {
      const layer = new TransformerEncoderLayer(d_model, nhead, options);
      return new TransformerEncoder(layer, num_encoder_layers, norm());
    };
    const decoder = (): Module => {
      const layer = new TransformerDecoderLayer(d_model, nhead, options);
      return new TransformerDecoder(layer, num_decoder_layers, norm());
    };
    this.encoder = custom_encoder ?? encoder();
    this.decoder = custom_decoder ?? decoder();
    this._reset_parameters();
    this.d_model = d_model;
    this.nhead = nhead;
    this.batch_first = batch_first;
  }

  override forward(
    src: Tensor,
    tgt: Tensor,
    src_mask: MaybeTensor,
    tgt_mask: MaybeTensor,
    memory_mask: MaybeTensor,
    src_key_padding_mask: MaybeTensor,
    tgt_key_padding_mask: MaybeTensor,
    memory_key_padding_mask: MaybeTensor,
    src_is_causal: boolean | null,
    tgt_is_causal: boolean | null,
    memory_is_causal: boolean,
  ): Tensor {
    const batch_dim = this.batch_first ? 0 : 1;
    const is_batched = having(src, "dim").dim() === 3;
    if (is_batched && src.size(batch_dim) !== tgt.size(batch_dim))
      throw new RuntimeError("the batch number of src and tgt must be equal");
    if (src.size(-1) !== this.d_model || tgt.size(-1) !== this.d_model)
      throw new RuntimeError("the feature number of src and tgt must be equal to d_model");
    const memory = this.encoder(src, { mask: src_mask, src_key_padding_mask, is_causal: src_is_causal });
    const masks = { tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask };
    return this.decoder(tgt, memory, { ...masks, tgt_is_causal, memory_is_causal });
  }

  /** Initializes the matrices with `xavier_uniform_`. */
  _reset_parameters(): void {
    for (const p of this.parameters()) if (p.dim() > 1) xavier_uniform_(p);
  }
}
