/**
 * @file Batching rules of operators on lists of tensors, and of those that change a shape in place.
 * @mirrors aten/src/ATen/functorch/LegacyBatchingRegistrations.cpp
 */
import { TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_CHECK } from "#c10/util/Exception";
import { maybeGetBatchedImpl } from "./BatchedTensorImpl.ts";
import {
  batch_rules,
  below_batched,
  currentVmap,
  decomposed,
  ensure_has_bdim,
  moveBatchDimToFront,
  type RuleResult,
  type TensorAndBdim,
} from "./BatchRulesHelper.ts";

type List = readonly TensorAndBdim[];

/** All tensors with the batch dimension in front; those without one are repeated. */
function all_in_front(tensors: List): Tensor[] {
  const batch_size = currentVmap().batchSize();
  return tensors.map(([t, bdim]) => ensure_has_bdim(moveBatchDimToFront(t, bdim), bdim !== null, batch_size));
}

/** The rank of the samples; `cat` ignores empty tensors of one dimension, which old programs use. */
function rank_of(tensors: readonly Tensor[]): number {
  const counted = tensors.filter((t) => !(t.dim() === 2 && t.size(1) === 0));
  return Math.max(...(counted.length > 0 ? counted : tensors).map((t) => t.dim() - 1));
}

function cat(tensors: List, dim: number): RuleResult {
  const all = all_in_front(tensors);
  for (const [i, t] of all.entries())
    TORCH_CHECK(t.dim() > 1, "zero-dimensional tensor (at position ", i, ") cannot be concatenated");
  const rank = rank_of(all);
  const counted = all.filter((t) => t.dim() - 1 === rank || t.dim() !== 2 || t.size(1) !== 0);
  return [at.cat(counted, maybe_wrap_dim(dim, rank) + 1), 0];
}

function stack(tensors: List, dim: number): RuleResult {
  const all = all_in_front(tensors);
  return [at.stack(all, maybe_wrap_dim(dim, all[0].dim()) + 1), 0];
}

function block_diag(tensors: readonly Tensor[]): Tensor {
  const matrices = tensors.map((t) => (t.dim() === 2 ? t : t.reshape([1, -1])));
  const columns = matrices.reduce((sum, t) => sum + t.size(1), 0);
  let before = 0;
  const rows = matrices.map((t) => {
    const row = at.constant_pad_nd(t, [before, columns - before - t.size(1)]);
    before += t.size(1);
    return row;
  });
  return at.cat(rows, 0);
}

/** Changes the shape of a batched tensor in place: the value's, too. */
function in_place(change: (value: Tensor, rank: number, ...rest: number[]) => void) {
  return decomposed((self: Tensor, ...rest: number[]) => {
    const batched = maybeGetBatchedImpl(self);
    below_batched(() => {
      if (batched === null || batched.level() !== currentVmap().level()) change(self, self.dim(), ...rest);
      else {
        // The batch dimension goes to the front, where no change of the sample's shape reaches it.
        const value = batched.value();
        const [bdim, rank] = [batched.bdim(), value.dim() - 1];
        for (let d = bdim; d > 0; d--) value.transpose_(d, d - 1);
        change(value, rank, ...rest);
        batched.unsafe_set_bdim(0);
      }
    });
    return self;
  });
}
const wrapped = (dim: number, rank: number): number => maybe_wrap_dim(dim, rank) + 1;

/** `squeeze_` of a dimension of size 1. */
function squeeze_at(value: Tensor, dim: number): void {
  if (value.size(dim) === 1) value.squeeze__dim(dim);
}

/**
 * `as_strided` of each sample: the batch dimension keeps its stride.
 * @differs PyTorch also checks that the view stays inside of the sample's memory.
 */
function as_strided(
  self: Tensor,
  bdim: number | null,
  size: number[],
  stride: number[],
  storage_offset: number | null,
): RuleResult {
  const front = moveBatchDimToFront(self, bdim);
  TORCH_CHECK(
    size.length === stride.length,
    "Tensor.as_strided(size, stride, ...): size and stride must have the same length! Got size ",
    `[${size.join(", ")}] and stride [${stride.join(", ")}]`,
  );
  const [batch, batch_stride] = [front.size(0), front.stride(0)];
  return [front.as_strided([batch, ...size], [batch_stride, ...stride], storage_offset), 0];
}

TORCH_LIBRARY_IMPL(
  "aten",
  "FuncTorchBatched",
  batch_rules({
    cat,
    stack,
    block_diag: decomposed(block_diag),
    as_strided,
    squeeze_: in_place((value) => {
      for (let d = value.dim() - 1; d > 0; d--) squeeze_at(value, d);
    }),
    "squeeze_.dim": in_place((value, rank, dim) => {
      if (rank > 0) squeeze_at(value, wrapped(dim, rank));
    }),
    transpose_: in_place((value, rank, dim0, dim1) => {
      if (rank > 0) value.transpose_(wrapped(dim0, rank), wrapped(dim1, rank));
    }),
    t_: in_place((value, rank) => {
      if (rank === 2) value.transpose_(1, 2);
    }),
    unsqueeze_: in_place((value, rank, dim) => {
      value.unsqueeze_(wrapped(dim, rank + 1));
    }),
  }),
);
