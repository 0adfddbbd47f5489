/**
 * @file Batching rules of the operators behind modules: pooling, padding, upsampling, sampling, embedding, activations.
 * @mirrors aten/src/ATen/functorch/BatchRulesModules.cpp
 */
import { TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import {
  type BDim,
  batch_rules,
  currentVmap,
  decomposed,
  ensure_has_bdim,
  getPhysicalDim,
  moveBatchDimToFront,
  names,
  type RuleResult,
  type Rules,
  rankWithoutBatchDim,
  reshape_dim_into,
  rules_for,
} from "./BatchRulesHelper.ts";
import { batch_folded } from "./BoxedBatchRules.ts";

/** Operators on (N, C, L), (N, C, H, W) and (N, C, D, H, W). */
const folded: Rules = {
  ...rules_for(
    names(`
      reflection_pad1d reflection_pad1d_backward replication_pad1d replication_pad1d_backward
      upsample_linear1d upsample_nearest1d
    `),
    batch_folded(3),
  ),
  ...rules_for(
    names(`
      _adaptive_avg_pool2d _adaptive_avg_pool2d_backward adaptive_max_pool2d adaptive_max_pool2d_backward avg_pool2d
      avg_pool2d_backward max_pool2d_with_indices max_pool2d_with_indices_backward reflection_pad2d reflection_pad2d_backward
      replication_pad2d replication_pad2d_backward upsample_bicubic2d upsample_bilinear2d upsample_nearest2d
      _upsample_bicubic2d_aa _upsample_bilinear2d_aa im2col grid_sampler_2d grid_sampler_2d_backward
    `),
    batch_folded(4),
  ),
  ...rules_for(
    names(`
      _adaptive_avg_pool3d _adaptive_avg_pool3d_backward adaptive_max_pool3d adaptive_max_pool3d_backward avg_pool3d
      avg_pool3d_backward max_pool3d_with_indices max_pool3d_with_indices_backward reflection_pad3d reflection_pad3d_backward
      replication_pad3d replication_pad3d_backward upsample_nearest3d upsample_trilinear3d grid_sampler_3d grid_sampler_3d_backward
    `),
    batch_folded(5),
  ),
  col2im: batch_folded(3),
};

/** Backward of an upsampling, whose `input_size` names N. */
function upsample_backward(name: keyof typeof backwards): Rules {
  return {
    [name]: (grad: Tensor, bdim: BDim, output_size: number[], input_size: number[], ...rest: unknown[]): RuleResult => {
      const batch_size = grad.size(bdim as number);
      const sizes = [batch_size * input_size[0], ...input_size.slice(1)];
      const fn = backwards[name] as (...args: unknown[]) => Tensor;
      const out = fn(reshape_dim_into(bdim as number, 0, grad), output_size, sizes, ...rest);
      return [out.reshape([batch_size, ...input_size]), 0];
    },
  };
}
const backwards = {
  upsample_bicubic2d_backward: at.upsample_bicubic2d_backward,
  upsample_bilinear2d_backward: at.upsample_bilinear2d_backward,
  upsample_linear1d_backward: at.upsample_linear1d_backward,
  upsample_nearest1d_backward: at.upsample_nearest1d_backward,
  upsample_nearest2d_backward: at.upsample_nearest2d_backward,
  upsample_nearest3d_backward: at.upsample_nearest3d_backward,
  upsample_trilinear3d_backward: at.upsample_trilinear3d_backward,
  _upsample_bicubic2d_aa_backward: at._upsample_bicubic2d_aa_backward,
  _upsample_bilinear2d_aa_backward: at._upsample_bilinear2d_aa_backward,
} as const;

const upsample_backwards: Rules = Object.assign(
  {},
  ...Object.keys(backwards).map((name) => upsample_backward(name as keyof typeof backwards)),
);

/** Rows for each sample's own weight: the weights stand below each other, and the indices are shifted. */
function embedding(
  weight: Tensor,
  weight_bdim: BDim,
  indices: Tensor,
  indices_bdim: BDim,
  padding_idx: number,
  scale_grad_by_freq: boolean,
  sparse: boolean,
): RuleResult {
  if (weight_bdim === null)
    return [at.embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse), indices_bdim];
  const batch_size = weight.size(weight_bdim);
  if (indices_bdim === null) {
    const wide = reshape_dim_into(weight_bdim, 1, weight); // (V, B * D)
    const out = at.embedding(wide, indices, padding_idx, scale_grad_by_freq, sparse);
    return [out.reshape([...indices.sizes(), batch_size, -1]), indices.dim()];
  }
  const stacked = reshape_dim_into(weight_bdim, 0, weight); // (B * V, D)
  const rows = stacked.size(0) / batch_size;
  const front = moveBatchDimToFront(indices, indices_bdim);
  const range = at.mul_Tensor(
    at.arange(Scalar.fromInt(batch_size), front.options()),
    at.full([], Scalar.fromInt(rows), front.options()),
  );
  const shifted = at.add_Tensor(front, range.view([batch_size, ...new Array<number>(front.dim() - 1).fill(1)]));
  return [at.embedding(stacked, shifted, padding_idx, scale_grad_by_freq, sparse), 0];
}

function embedding_dense_backward(
  grad: Tensor,
  grad_bdim: BDim,
  indices: Tensor,
  indices_bdim: BDim,
  num_weights: number,
  padding_idx: number,
  scale_grad_by_freq: boolean,
): RuleResult {
  if (indices_bdim === null) {
    const front = moveBatchDimToFront(grad, grad_bdim);
    const batch_size = front.size(0);
    const wide = reshape_dim_into(0, -1, front); // (*, B * D)
    const out = at.embedding_dense_backward(wide, indices, num_weights, padding_idx, scale_grad_by_freq);
    return [out.reshape([num_weights, batch_size, -1]), 1];
  }
  const batch_size = indices.size(indices_bdim);
  const front = moveBatchDimToFront(indices, indices_bdim);
  const all_grad = ensure_has_bdim(moveBatchDimToFront(grad, grad_bdim), grad_bdim !== null, batch_size);
  const range = at.mul_Tensor(
    at.arange(Scalar.fromInt(batch_size), front.options()),
    at.full([], Scalar.fromInt(num_weights), front.options()),
  );
  const shift = range.view([batch_size, ...new Array<number>(front.dim() - 1).fill(1)]);
  let shifted = at.add_Tensor(front, shift);
  let padding = -1;
  if (padding_idx >= 0) {
    // One row more takes what belongs to the padding of any sample.
    padding = batch_size * num_weights;
    shifted = at.where_self(
      at.eq_Scalar(front, Scalar.fromInt(padding_idx)),
      at.full([], Scalar.fromInt(padding), front.options()),
      shifted,
    );
  }
  const rows = batch_size * num_weights + (padding_idx >= 0 ? 1 : 0);
  const out = at.embedding_dense_backward(all_grad, shifted, rows, padding, scale_grad_by_freq);
  return [at.slice_Tensor(out, 0, 0, batch_size * num_weights).reshape([batch_size, num_weights, -1]), 0];
}

function constant_pad_nd(self: Tensor, bdim: BDim, pad: number[], value: Scalar): RuleResult {
  return [at.constant_pad_nd(moveBatchDimToFront(self, bdim), pad, value), 0];
}

/** An operator that rearranges (C, H, W) of any number of leading dimensions. */
const leading =
  (fn: (self: Tensor, factor: number) => Tensor) =>
  (self: Tensor, bdim: BDim, factor: number): RuleResult => [fn(moveBatchDimToFront(self, bdim), factor), 0];

function one_hot(self: Tensor, num_classes: number): Tensor {
  TORCH_CHECK(self.dtype() === ScalarType.Long, "one_hot is only applicable to index tensor.");
  TORCH_CHECK(
    num_classes > 0,
    "When vmap-ing torch.nn.functional.one_hot, please provide an explicit positive num_classes argument.",
  );
  const index = at.zeros([...self.sizes(), num_classes], self.options());
  return at.scatter_value(index, -1, self.unsqueeze(-1), Scalar.fromInt(1));
}

TORCH_LIBRARY_IMPL(
  "aten",
  "FuncTorchBatched",
  batch_rules({
    ...folded,
    ...upsample_backwards,
    embedding,
    embedding_dense_backward,
    constant_pad_nd,
    channel_shuffle: decomposed((self: Tensor, groups: number) => {
      const [n, c, ...rest] = self.sizes();
      return self
        .view([n, groups, c / groups, ...rest])
        .transpose_int(1, 2)
        .reshape([n, c, ...rest]);
    }),
    pixel_shuffle: leading(at.pixel_shuffle),
    pixel_unshuffle: leading(at.pixel_unshuffle),
    one_hot: decomposed(one_hot),
    glu: (self: Tensor, bdim: BDim, dim: number): RuleResult => {
      const rank = rankWithoutBatchDim(self, bdim);
      TORCH_CHECK(rank >= 1, "glu does not support 0-dimensional tensors");
      const front = moveBatchDimToFront(self, bdim);
      const physical = getPhysicalDim(front, true, dim);
      const size = front.size(physical);
      TORCH_CHECK(size % 2 === 0, "Halving dimension must be even, but dimension ", physical, " is size ", size);
      return [at.glu(front, physical), 0];
    },
    glu_backward: (grad: Tensor, grad_bdim: BDim, self: Tensor, bdim: BDim, dim: number): RuleResult => {
      const size = currentVmap().batchSize();
      const front = ensure_has_bdim(moveBatchDimToFront(self, bdim), bdim !== null, size);
      const all_grad = ensure_has_bdim(moveBatchDimToFront(grad, grad_bdim), grad_bdim !== null, size);
      return [at.glu_backward(all_grad, front, getPhysicalDim(front, true, dim)), 0];
    },
  }),
);
