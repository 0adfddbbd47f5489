/**
 * @file `nn.EmbeddingBag`.
 * @mirrors torch/nn/modules/sparse.py#EmbeddingBag
 */
import { AssertionError } from "#c10/util/Exception";
import { having, PyObject_RichCompareBool, py_str } from "#torch/_C";
import { type Args, def, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import * as F from "#torch/nn/functional/index";
import * as init from "#torch/nn/init";
import type { Factory } from "#torch/nn/modules/linear/index";
import { Module } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";

const EmbeddingBag_init = new Init(
  "EmbeddingBag.__init__(self, num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode='mean', sparse=False, _weight=None, include_last_offset=False, padding_idx=None, device=None, dtype=None)",
  types<
    [
      num_embeddings: number,
      embedding_dim: number,
      max_norm: number | null,
      norm_type: number,
      scale_grad_by_freq: boolean,
      mode: string,
      sparse: boolean,
      _weight: Tensor | null,
      include_last_offset: boolean,
      padding_idx: number | null,
      ...Factory,
    ]
  >,
);

const FORWARD = "(self, input, offsets=None, per_sample_weights=None)";
type Call = Args<typeof FORWARD, [input: Tensor, offsets: Tensor | null, per_sample_weights: Tensor | null]>;

/** An embedding table of which `forward` sums, averages or maximizes the rows of each bag.   `(B, N) or (N) -> (B, embedding_dim)` */
export class EmbeddingBag extends Module<Call, Tensor> {
  static readonly __module__: string = "torch.nn.modules.sparse";

  num_embeddings: number;
  embedding_dim: number;
  max_norm: number | null;
  norm_type: number;
  scale_grad_by_freq: boolean;
  padding_idx: number | null;
  weight: Parameter;
  mode: string;
  sparse: boolean;
  include_last_offset: boolean;

  static {
    def_methods(EmbeddingBag, {
      __init__: EmbeddingBag_init,
      reset_parameters: "(self)",
      forward: FORWARD,
      extra_repr: "(self)",
    });
  }

  constructor(...args: InitArgs<typeof EmbeddingBag_init>) {
    const [num_embeddings, embedding_dim, max_norm, norm_type, scale_grad_by_freq, mode, ...rest] =
      EmbeddingBag_init.bind(args);
    const [sparse, _weight, include_last_offset, padding_idx, device, dtype] = rest;
    super();
    this.num_embeddings = num_embeddings;
    this.embedding_dim = embedding_dim;
    this.max_norm = max_norm;
    this.norm_type = norm_type;
    this.scale_grad_by_freq = scale_grad_by_freq;
    const is_negative = padding_idx !== null && PyObject_RichCompareBool(padding_idx, "<", 0, "int");
    if (padding_idx !== null && (padding_idx >= num_embeddings || padding_idx < -num_embeddings))
      throw new AssertionError("padding_idx must be within num_embeddings");
    this.padding_idx = padding_idx !== null && is_negative ? num_embeddings + padding_idx : padding_idx;
    if (_weight === null) {
      this.weight = new Parameter(torch.empty([num_embeddings, embedding_dim], { device, dtype }));
      this.reset_parameters();
    } else {
      const [rows, columns] = having(_weight, "shape").shape;
      if (_weight.dim() !== 2 || rows !== num_embeddings || columns !== embedding_dim)
        throw new AssertionError("Shape of weight does not match num_embeddings and embedding_dim");
      this.weight = new Parameter(_weight);
    }
    this.mode = mode;
    this.sparse = sparse;
    this.include_last_offset = include_last_offset;
  }

  /** Initializes with normally distributed numbers, and the padding row with zeros. */
  reset_parameters(): void {
    init.normal_(this.weight);
    this._fill_padding_idx_with_zero();
  }

  _fill_padding_idx_with_zero(): void {
    const { padding_idx } = this;
    if (padding_idx !== null) torch.no_grad(() => this.weight.select(0, padding_idx).fill_(0));
  }

  override forward(input: Tensor, offsets: Tensor | null, per_sample_weights: Tensor | null): Tensor {
    const { weight, max_norm, norm_type, scale_grad_by_freq, mode, sparse, include_last_offset, padding_idx } = this;
    return F.embedding_bag(
      input,
      weight,
      offsets,
      max_norm,
      norm_type,
      scale_grad_by_freq,
      mode,
      sparse,
      per_sample_weights,
      include_last_offset,
      padding_idx,
    );
  }

  override extra_repr(): string {
    const { num_embeddings, embedding_dim, max_norm, norm_type, padding_idx } = this;
    const parts = [num_embeddings, embedding_dim].map(String);
    if (max_norm !== null) parts.push(`max_norm=${py_str(max_norm)}`);
    if (Number(norm_type) !== 2) parts.push(`norm_type=${py_str(norm_type)}`);
    if (this.scale_grad_by_freq) parts.push("scale_grad_by_freq=True");
    parts.push(`mode='${this.mode}'`);
    if (padding_idx !== null) parts.push(`padding_idx=${padding_idx}`);
    return parts.join(", ");
  }

  /** A module with an existing table as its weight; the weight is not trained unless `freeze` is false. */
  static from_pretrained = def(
    "EmbeddingBag.from_pretrained(cls, embeddings, freeze=True, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode='mean', sparse=False, include_last_offset=False, padding_idx=None)",
    (
      embeddings: Tensor,
      freeze: boolean,
      max_norm: number | null,
      norm_type: number,
      scale_grad_by_freq: boolean,
      mode: string,
      sparse: boolean,
      include_last_offset: boolean,
      padding_idx: number | null,
    ): EmbeddingBag => {
      if (embeddings.dim() !== 2) throw new AssertionError("Embeddings parameter is expected to be 2-dimensional");
      const [rows, cols] = embeddings.shape;
      const kwargs = { max_norm, norm_type, scale_grad_by_freq, mode, sparse, include_last_offset, padding_idx };
      const embeddingbag = new EmbeddingBag(rows, cols, { ...kwargs, _weight: embeddings });
      embeddingbag.weight.requires_grad = !freeze;
      return embeddingbag;
    },
  );
}
