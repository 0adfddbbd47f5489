/**
 * @file Lookups in tables of vectors.
 * @mirrors torch/csrc/api/include/torch/nn/functional/embedding.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { NoGradGuard } from "#c10/core/GradMode";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { enumtype, get_enum_name } from "../../enum.ts";
import { or_null } from "../../optional_tensor.ts";
import { EmbeddingBagFuncOptions, EmbeddingFuncOptions } from "../options/embedding.ts";

/** @param num_classes the size of the last dimension; -1 for the largest value plus 1 */
export function one_hot(tensor: Tensor, num_classes = -1): Tensor {
  return at.one_hot(tensor, num_classes);
}

function _no_grad_embedding_renorm_(weight: Tensor, input: Tensor, max_norm: number, norm_type: number): void {
  const no_grad = new NoGradGuard();
  try {
    // In C++ both numbers pass through a float.
    at.embedding_renorm_(weight, input, Math.fround(max_norm), Math.fround(norm_type));
  } finally {
    no_grad.restore();
  }
}

/**
 * @param input integers of any shape `(*)`
 * @param weight the table, `(num_embeddings, embedding_dim)`
 * @returns `(*, embedding_dim)`
 */
export function embedding(
  input: Tensor,
  weight: Tensor,
  options: EmbeddingFuncOptions = EmbeddingFuncOptions(),
): Tensor {
  let padding_idx = options.padding_idx();
  if (padding_idx !== null) {
    TORCH_CHECK(padding_idx < weight.size(0), "Padding_idx must be within num_embeddings");
    TORCH_CHECK(padding_idx >= -weight.size(0), "Padding_idx must be within num_embedding");
    if (padding_idx < 0) padding_idx += weight.size(0);
  }
  const max_norm = options.max_norm();
  let indices = input;
  if (max_norm !== null) {
    indices = input.contiguous();
    _no_grad_embedding_renorm_(weight, indices, max_norm, options.norm_type());
  }
  return at.embedding(weight, indices, padding_idx ?? -1, options.scale_grad_by_freq(), options.sparse());
}

const modes = [enumtype.kSum, enumtype.kMean, enumtype.kMax];

/** Sums, means or maxima of looked up vectors; a bag is a row of a 2-d input, or begins at an offset of a 1-d input. */
export function embedding_bag(
  input: Tensor,
  weight: Tensor,
  options: EmbeddingBagFuncOptions = EmbeddingBagFuncOptions(),
): Tensor {
  let [indices, offsets, per_sample_weights] = [input, options.offsets(), options.per_sample_weights()];
  const mode = options.mode();
  TORCH_CHECK(
    !per_sample_weights.defined() || String(input.sizes()) === String(per_sample_weights.sizes()),
    "embedding_bag: If per_sample_weights (",
    per_sample_weights.defined() ? per_sample_weights.sizes() : [],
    ") is not null, then it must have the same shape as the input (",
    input.sizes(),
    ")",
  );
  if (input.dim() === 2) {
    TORCH_CHECK(
      !offsets.defined(),
      "If input is 2D, then offsets has to be null, as input is treated is a mini-batch of fixed length sequences. However, found offsets of type Tensor",
    );
    const int = Scalar.fromInt;
    const like = new TensorOptions(ScalarType.Long).device(input.device());
    offsets = at.arange_start_step(int(0), int(input.numel()), int(input.size(1)), like);
    indices = input.reshape([-1]);
    if (per_sample_weights.defined()) per_sample_weights = per_sample_weights.reshape([-1]);
  } else if (input.dim() === 1) {
    TORCH_CHECK(offsets.defined(), "offsets has to be a 1D Tensor but got null");
    TORCH_CHECK(offsets.dim() === 1, "offsets has to be a 1D Tensor");
  } else {
    TORCH_CHECK(false, "input has to be 1D or 2D Tensor, but got Tensor of dimension ", input.dim());
  }
  if (mode === enumtype.kMax) {
    TORCH_CHECK(!options.scale_grad_by_freq(), "max mode does not support scaling the gradient by the frequency");
    TORCH_CHECK(!options.sparse(), "max mode does not support sparse weights");
  }
  const max_norm = options.max_norm();
  if (max_norm !== null) _no_grad_embedding_renorm_(weight, indices, max_norm, options.norm_type());
  TORCH_CHECK(
    !per_sample_weights.defined() || mode === enumtype.kSum,
    "embedding_bag: per_sample_weights was not null. ",
    "per_sample_weights is only supported for mode='kSum' (got mode='",
    get_enum_name(mode),
    "').Please open a feature request on GitHub.",
  );
  return at.embedding_bag_padding_idx(
    weight,
    indices,
    offsets,
    options.scale_grad_by_freq(),
    modes.indexOf(mode as (typeof modes)[number]),
    options.sparse(),
    or_null(per_sample_weights),
    options.include_last_offset(),
    options.padding_idx(),
  )[0];
}
