/**
 * @file `nn.Embedding`.
 * @mirrors torch/nn/modules/sparse.py
 */
import { AssertionError } from "#c10/util/Exception";
import { having, py_str } from "#torch/_C";
import { def, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import * as F from "#torch/nn/functional/index";
import * as init from "#torch/nn/init";
import type { Factory } from "#torch/nn/modules/linear/index";
import { Module, type Unary } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";

/** The constructor arguments that both embedding modules share. */
type Table = [
  num_embeddings: number,
  embedding_dim: number,
  padding_idx: number | null,
  max_norm: number | null,
  norm_type: number,
  scale_grad_by_freq: boolean,
  sparse: boolean,
  _weight: Tensor | null,
  _freeze: boolean,
];

const Embedding_init = new Init(
  "Embedding.__init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False, _weight=None, _freeze=False, device=None, dtype=None)",
  types<[...Table, ...Factory]>,
);

/** An embedding table: `forward` looks up the rows at the given indices.   `(*) -> (*, embedding_dim)` */
export class Embedding extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.sparse";

  num_embeddings: number;
  embedding_dim: number;
  padding_idx: number | null;
  max_norm: number | null;
  norm_type: number;
  scale_grad_by_freq: boolean;
  weight: Parameter;
  sparse: boolean;

  static {
    def_methods(Embedding, {
      __init__: Embedding_init,
      reset_parameters: "(self)",
      forward: "(self, input)",
      extra_repr: "(self)",
    });
  }

  constructor(...args: InitArgs<typeof Embedding_init>) {
    const [num_embeddings, embedding_dim, padding_idx, max_norm, norm_type, ...rest] = Embedding_init.bind(args);
    const [scale_grad_by_freq, sparse, _weight, _freeze, device, dtype] = rest;
    super();
    this.num_embeddings = num_embeddings;
    this.embedding_dim = embedding_dim;
    this.padding_idx = padding_idx === null ? null : F.normalized_padding_idx(padding_idx, num_embeddings);
    this.max_norm = max_norm;
    this.norm_type = norm_type;
    this.scale_grad_by_freq = scale_grad_by_freq;
    const requires_grad = !_freeze;
    if (_weight === null) {
      this.weight = new Parameter(torch.empty([num_embeddings, embedding_dim], { device, dtype }), requires_grad);
      this.reset_parameters();
    } else {
      const [rows, columns] = having(_weight, "shape").shape;
      if (_weight.dim() !== 2 || rows !== num_embeddings || columns !== embedding_dim)
        throw new AssertionError("Shape of weight does not match num_embeddings and embedding_dim");
      this.weight = new Parameter(_weight, requires_grad);
    }
    this.sparse = sparse;
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

  override forward(input: Tensor): Tensor {
    const { padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse } = this;
    return F.embedding(input, this.weight, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse);
  }

  override extra_repr(): string {
    const { num_embeddings, embedding_dim, padding_idx, max_norm, norm_type } = this;
    const parts = [num_embeddings, embedding_dim].map(String);
    if (padding_idx !== null) parts.push(`padding_idx=${padding_idx}`);
    if (max_norm !== null) parts.push(`max_norm=${py_str(max_norm)}`);
    if (Number(norm_type) !== 2) parts.push(`norm_type=${py_str(norm_type)}`);
    if (this.scale_grad_by_freq) parts.push("scale_grad_by_freq=True");
    if (this.sparse) parts.push("sparse=True");
    return parts.join(", ");
  }

  /** A module with an existing table as its weight; the weight is not trained unless `freeze` is false. */
  static from_pretrained = def(
    "Embedding.from_pretrained(cls, embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False)",
    (
      embeddings: Tensor,
      _freeze: boolean,
      padding_idx: number | null,
      max_norm: number | null,
      norm_type: number,
      scale_grad_by_freq: boolean,
      sparse: boolean,
    ): Embedding => {
      if (embeddings.dim() !== 2) throw new AssertionError("Embeddings parameter is expected to be 2-dimensional");
      const [rows, cols] = embeddings.shape;
      const kwargs = { padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse };
      return new Embedding(rows, cols, { ...kwargs, _weight: embeddings, _freeze });
    },
  );
}
