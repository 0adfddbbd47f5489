/**
 * @file Tables of vectors as modules.
 * @mirrors torch/csrc/api/include/torch/nn/modules/embedding.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { NoGradGuard } from "#c10/core/GradMode";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import { as_options, type OptionsArgs } from "../../arg.ts";
import { enumtype } from "../../enum.ts";
import { Cloneable } from "../cloneable.ts";
import { embedding, embedding_bag } from "../functional/embedding.ts";
import * as init from "../init.ts";
import {
  EmbeddingBagFromPretrainedOptions,
  EmbeddingBagFuncOptions,
  EmbeddingBagOptions,
  EmbeddingFromPretrainedOptions,
  EmbeddingFuncOptions,
  EmbeddingOptions,
} from "../options/embedding.ts";
import { type Held, type ModuleHolder, TORCH_MODULE } from "../pimpl.ts";
import { g, printed } from "./printed.ts";

type AnyOptions = EmbeddingOptions | EmbeddingBagOptions;

/** The position of the row that is padding, from the front. */
function checked_padding(options: AnyOptions): number | null {
  const padding_idx = options.padding_idx();
  if (padding_idx === null) return null;
  const rows = options.num_embeddings();
  TORCH_CHECK(padding_idx < rows, "Padding_idx must be within num_embeddings");
  TORCH_CHECK(padding_idx >= -rows, "Padding_idx must be within num_embedding");
  return padding_idx < 0 ? rows + padding_idx : padding_idx;
}

/** Normal numbers; the row of padding is 0. */
function reset_table(weight: Tensor, padding_idx: number | null): void {
  init.normal_(weight);
  if (padding_idx === null) return;
  const no_grad = new NoGradGuard();
  try {
    weight.select_int(0, padding_idx).fill__Scalar(Scalar.ZERO);
  } finally {
    no_grad.restore();
  }
}

const has_sizes = (weight: Tensor, options: AnyOptions): boolean =>
  String(weight.sizes()) === String([options.num_embeddings(), options.embedding_dim()]);

/** Options that both texts have. */
function printed_options(options: AnyOptions) {
  const max_norm = options.max_norm();
  return {
    num_embeddings: options.num_embeddings(),
    embedding_dim: options.embedding_dim(),
    max_norm: max_norm === null ? undefined : g(max_norm),
    norm_type: options.norm_type() === 2 ? undefined : g(options.norm_type()),
    scale_grad_by_freq: options.scale_grad_by_freq() ? true : undefined,
    sparse: options.sparse() ? true : undefined,
  } as const;
}

/** `(*)` integers -> `(*, embedding_dim)`. */
export class EmbeddingImpl extends Cloneable {
  readonly options: EmbeddingOptions;
  declare weight: Tensor;

  constructor(...args: OptionsArgs<typeof EmbeddingOptions>) {
    super();
    this.options = as_options(EmbeddingOptions, args);
    this.reset();
  }
  override reset(): void {
    const { options } = this;
    options.padding_idx(checked_padding(options));
    const given = options._weight();
    if (given.defined()) {
      TORCH_CHECK(has_sizes(given, options), "Shape of _weight does not match num_embeddings and embedding_dim");
      this.weight = this.register_parameter("weight", given);
    } else {
      const sizes = [options.num_embeddings(), options.embedding_dim()];
      this.weight = this.register_parameter("weight", at.empty_memory_format(sizes));
      this.reset_parameters();
    }
  }
  reset_parameters(): void {
    reset_table(this.weight, this.options.padding_idx());
  }
  forward(input: Tensor): Tensor {
    const { options } = this;
    const call = EmbeddingFuncOptions()
      .padding_idx(options.padding_idx())
      .max_norm(options.max_norm())
      .norm_type(options.norm_type())
      .scale_grad_by_freq(options.scale_grad_by_freq())
      .sparse(options.sparse());
    return embedding(input, this.weight, call);
  }
  override pretty_print(): string {
    const { num_embeddings, embedding_dim, ...rest } = printed_options(this.options);
    const padding_idx = this.options.padding_idx() ?? undefined;
    return printed("Embedding", [], { num_embeddings, embedding_dim, padding_idx, ...rest });
  }
}

/** The holder, with a function that takes a table that exists. */
export interface EmbeddingHolder extends ModuleHolder<typeof EmbeddingImpl> {
  from_pretrained(embeddings: Tensor, options?: EmbeddingFromPretrainedOptions): Held<EmbeddingImpl>;
}
export const Embedding: EmbeddingHolder = Object.assign(TORCH_MODULE(EmbeddingImpl, "Embedding"), {
  from_pretrained(
    embeddings: Tensor,
    options: EmbeddingFromPretrainedOptions = EmbeddingFromPretrainedOptions(),
  ): Held<EmbeddingImpl> {
    TORCH_CHECK(embeddings.dim() === 2, "Embeddings parameter is expected to be 2-dimensional");
    const [rows, columns] = embeddings.sizes();
    const made = EmbeddingOptions(rows, columns)
      ._weight(embeddings)
      .padding_idx(options.padding_idx())
      .max_norm(options.max_norm())
      .norm_type(options.norm_type())
      .scale_grad_by_freq(options.scale_grad_by_freq())
      .sparse(options.sparse());
    const module = Embedding(made);
    module.weight.set_requires_grad(!options.freeze());
    return module;
  },
});

/** Sums, means or maxima of bags of vectors. */
export class EmbeddingBagImpl extends Cloneable {
  readonly options: EmbeddingBagOptions;
  declare weight: Tensor;

  constructor(...args: OptionsArgs<typeof EmbeddingBagOptions>) {
    super();
    this.options = as_options(EmbeddingBagOptions, args);
    this.reset();
  }
  override reset(): void {
    const { options } = this;
    options.padding_idx(checked_padding(options));
    const given = options._weight();
    if (given.defined()) {
      TORCH_CHECK(has_sizes(given, options), "Shape of weight does not match num_embeddings and embedding_dim");
      this.weight = this.register_parameter("weight", given);
    } else {
      const sizes = [options.num_embeddings(), options.embedding_dim()];
      this.weight = this.register_parameter("weight", at.empty_memory_format(sizes));
      this.reset_parameters();
    }
  }
  /** As in C++, the row of padding is not 0; it never counts. */
  reset_parameters(): void {
    init.normal_(this.weight);
  }
  /** @param offsets where the bags of a 1-d input begin; undefined for a 2-d input */
  forward(input: Tensor, offsets: Tensor = new Tensor(), per_sample_weights: Tensor = new Tensor()): Tensor {
    const { options } = this;
    const call = EmbeddingBagFuncOptions()
      .offsets(offsets)
      .per_sample_weights(per_sample_weights)
      .max_norm(options.max_norm())
      .norm_type(options.norm_type())
      .scale_grad_by_freq(options.scale_grad_by_freq())
      .mode(options.mode())
      .sparse(options.sparse())
      .include_last_offset(options.include_last_offset())
      .padding_idx(options.padding_idx());
    return embedding_bag(input, this.weight, call);
  }
  override pretty_print(): string {
    const { options } = this;
    return printed("EmbeddingBag", [], {
      ...printed_options(options),
      mode: options.mode() === enumtype.kMean ? undefined : options.mode(),
      include_last_offset: options.include_last_offset() ? true : undefined,
      padding_idx: options.padding_idx() ?? undefined,
    });
  }
}

/** The holder, with a function that takes a table that exists. */
export interface EmbeddingBagHolder extends ModuleHolder<typeof EmbeddingBagImpl> {
  from_pretrained(embeddings: Tensor, options?: EmbeddingBagFromPretrainedOptions): Held<EmbeddingBagImpl>;
}
export const EmbeddingBag: EmbeddingBagHolder = Object.assign(TORCH_MODULE(EmbeddingBagImpl, "EmbeddingBag"), {
  from_pretrained(
    embeddings: Tensor,
    options: EmbeddingBagFromPretrainedOptions = EmbeddingBagFromPretrainedOptions(),
  ): Held<EmbeddingBagImpl> {
    TORCH_CHECK(embeddings.dim() === 2, "Embeddings parameter is expected to be 2-dimensional");
    const [rows, columns] = embeddings.sizes();
    const made = EmbeddingBagOptions(rows, columns)
      ._weight(embeddings)
      .max_norm(options.max_norm())
      .norm_type(options.norm_type())
      .scale_grad_by_freq(options.scale_grad_by_freq())
      .mode(options.mode())
      .sparse(options.sparse())
      .include_last_offset(options.include_last_offset())
      .padding_idx(options.padding_idx());
    const module = EmbeddingBag(made);
    module.weight.set_requires_grad(!options.freeze());
    return module;
  },
});
