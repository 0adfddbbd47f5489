/**
 * @file Batching rules of operators with indices.
 * @mirrors aten/src/ATen/functorch/BatchRulesScatterOps.cpp
 *
 *     x[i, j] where x is batched, (B, 5, 4), i (3) and j (3) are not        x[:, i, j]
 *     x[i, j] where i is batched, too, (B, 3)                               x[b, i, j], b = arange(B) as (B, 1)
 */
import { TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_CHECK } from "#c10/util/Exception";
import {
  type BDim,
  batch_rules,
  currentVmap,
  decomposed,
  ensure_has_bdim,
  maybePadToLogicalRank,
  moveBatchDimToFront,
  type RuleResult,
  rankWithoutBatchDim,
  type TensorAndBdim,
  vmapIncompatibleInplaceError,
} from "./BatchRulesHelper.ts";

// biome-ignore lint/suspicious/noExplicitAny: the schema decides the types of further arguments
type Any = any;
type Index = readonly [Tensor | null, BDim];

const is_mask = (t: Tensor): boolean => t.scalar_type() === ScalarType.Bool || t.scalar_type() === ScalarType.Byte;

/** A mask as the positions of its true elements: one tensor for each of its dimensions. */
function without_masks(indices: readonly Index[]): Index[] {
  return indices.flatMap(([index, bdim]): Index[] => {
    if (index === null || !is_mask(index)) return [[index, bdim]];
    TORCH_CHECK(
      bdim === null,
      "vmap: We do not support batching operators that can support dynamic shape. ",
      "Attempting to batch over indexing with a boolean mask.",
    );
    return at.unbind_int(at.nonzero(index), 1).map((t): Index => [t, null]);
  });
}

/** The indices for a tensor with the batch dimension in front. */
interface Batched {
  readonly indices: (Tensor | null)[];
  /** Rank that all indices have together, without the batch dimension; null if only the tensor is batched. */
  readonly rank: number | null;
}

function batched_indices(given: readonly Index[], batch_size: number): Batched {
  const flat = without_masks(given);
  const any = flat.some(([, bdim]) => bdim !== null);
  if (!any) return { indices: [null, ...flat.map(([t]) => t)], rank: null };
  const rank = Math.max(
    ...flat.flatMap(([t, bdim]) => (t === null || !t.defined() ? [] : [rankWithoutBatchDim(t, bdim)])),
  );
  const indices = flat.map(([t, bdim]) =>
    t === null || !t.defined() ? null : maybePadToLogicalRank(moveBatchDimToFront(t, bdim), bdim, rank),
  );
  const some = flat.find(([t]) => is_given(t))?.[0] as Tensor;
  const range = at.arange(Scalar.fromInt(batch_size), some.options().dtype(ScalarType.Long));
  const b = range.view([batch_size, ...new Array<number>(rank).fill(1)]);
  return { indices: [b, ...indices], rank };
}

const is_given = (t: Tensor | null): boolean => t?.defined() === true;

/** Whether something is between the indices: then their dimensions are in front of all others. */
function stand_apart(flat: readonly (Tensor | null)[]): boolean {
  return !flat.slice(flat.findIndex(is_given), flat.findLastIndex(is_given) + 1).every(is_given);
}

/** Where the dimensions of the indices are in a result of the sample. */
function place_of_indices(flat: readonly (Tensor | null)[]): number {
  return stand_apart(flat) ? 0 : flat.findIndex(is_given);
}

const rank_of_indices = (flat: readonly (Tensor | null)[]): number => Math.max(...flat.map((t) => t?.dim() ?? 0));

function index_of(run: (self: Tensor, indices: (Tensor | null)[]) => Tensor) {
  return (self: Tensor, self_bdim: BDim, given: readonly Index[]): RuleResult => {
    const batch_size = currentVmap().batchSize();
    const { indices, rank } = batched_indices(given, batch_size);
    const flat = indices.slice(1);
    if (rank === null) {
      const result = run(moveBatchDimToFront(self, self_bdim), indices);
      // The dimensions of indices that stand apart come before the batch dimension, too.
      return [result, stand_apart(flat) ? rank_of_indices(flat) : 0];
    }
    const front = ensure_has_bdim(moveBatchDimToFront(self, self_bdim), self_bdim !== null, batch_size);
    const result = run(front, indices);
    // The index of the batch and the others stand together only if nothing is between them; else all are in front.
    const place = place_of_indices(flat);
    if (place === 0) return [result, 0];
    // (B, indices, rest) -> the indices' dimensions behind `place` dimensions of the sample.
    const dims = result.sizes().map((_, d) => d);
    const moved = dims.splice(1, rank);
    dims.splice(1 + place, 0, ...moved);
    return [result.permute(dims), 0];
  };
}

/** The values for `index_put`, in the order of the dimensions of the result. */
function values_for(values: Tensor, bdim: BDim, place: number, result_rank: number, rank: number | null): Tensor {
  const front = maybePadToLogicalRank(moveBatchDimToFront(values, bdim), bdim, result_rank);
  if (rank === null || place === 0 || (bdim === null && front.dim() < result_rank)) {
    if (bdim === null && rank !== null && place > 0 && front.dim() > result_rank - place) {
      const padded = front.view([...new Array<number>(result_rank - front.dim()).fill(1), ...front.sizes()]);
      return values_for(padded.unsqueeze(0), 0, place, result_rank, rank);
    }
    return front;
  }
  const all = bdim === null ? front.unsqueeze(0) : front;
  const dims = all.sizes().map((_, d) => d);
  const moved = dims.splice(1 + place, rank);
  dims.splice(1, 0, ...moved);
  return all.permute(dims);
}

type Put = (self: Tensor, indices: (Tensor | null)[], values: Tensor, ...rest: boolean[]) => unknown;

/** @param name the operator, if it changes its argument */
function index_put_of(run: Put, name: string | null) {
  return (
    self: Tensor,
    self_bdim: BDim,
    given: readonly Index[],
    values: Tensor,
    values_bdim: BDim,
    ...rest: boolean[]
  ): RuleResult => {
    if (name !== null && self_bdim === null) vmapIncompatibleInplaceError(name);
    const batch_size = currentVmap().batchSize();
    const { indices, rank } = batched_indices(given, batch_size);
    const front = ensure_has_bdim(moveBatchDimToFront(self, self_bdim), self_bdim !== null, batch_size);
    const flat = indices.slice(1);
    const place = place_of_indices(flat);
    const index_rank = rank ?? rank_of_indices(flat);
    const result_rank = front.dim() - 1 - flat.filter(is_given).length + index_rank;
    let put = values_for(values, values_bdim, place, result_rank, rank);
    if (rank === null && stand_apart(flat)) {
      // The dimensions of the indices come before the batch dimension.
      put = values_bdim === null ? maybePadToLogicalRank(put.unsqueeze(0), 0, result_rank) : put;
      const dims = put.sizes().map((_, d) => d);
      const moved = dims.splice(1, index_rank);
      dims.unshift(...moved);
      put = put.permute(dims);
    }
    const result = run(front, indices, put, ...rest);
    return name === null ? [result as Tensor, 0] : undefined;
  };
}

// Operators with one dimension -------------------------------------------------------------------------------------------------

/** All tensors with the batch dimension in front; a sample that is a scalar gets a dimension. */
function lined_up(tensors: readonly TensorAndBdim[]): { all: Tensor[]; was_scalar: boolean } {
  const batch_size = currentVmap().batchSize();
  const was_scalar = rankWithoutBatchDim(...tensors[0]) === 0;
  const all = tensors.map(([t, bdim]) => {
    const front = ensure_has_bdim(moveBatchDimToFront(t, bdim), bdim !== null, batch_size);
    return front.dim() === 1 ? front.unsqueeze(-1) : front;
  });
  return { all, was_scalar };
}

const with_scalar = (result: Tensor, was_scalar: boolean): RuleResult => [
  was_scalar ? result.squeeze_dim(-1) : result,
  0,
];
const behind_batch = (self: Tensor, dim: number): number => maybe_wrap_dim(dim, self.dim() - 1) + 1;

const scatter =
  (fn: (self: Tensor, dim: number, index: Tensor, ...rest: Any[]) => Tensor) =>
  (self: Tensor, self_bdim: BDim, dim: number, index: Tensor, index_bdim: BDim, ...rest: Any[]): RuleResult => {
    const { all, was_scalar } = lined_up([
      [self, self_bdim],
      [index, index_bdim],
    ]);
    return with_scalar(fn(all[0], behind_batch(all[0], dim), all[1], ...rest), was_scalar);
  };

type ScatterSrc = (self: Tensor, dim: number, index: Tensor, src: Tensor, ...rest: Any[]) => Tensor;
const scatter_src =
  (fn: ScatterSrc, in_place = false) =>
  (
    self: Tensor,
    self_bdim: BDim,
    dim: number,
    index: Tensor,
    index_bdim: BDim,
    src: Tensor,
    src_bdim: BDim,
    ...rest: Any[]
  ): RuleResult => {
    if (in_place && self_bdim === null) vmapIncompatibleInplaceError("scatter_");
    const { all, was_scalar } = lined_up([
      [self, self_bdim],
      [index, index_bdim],
      [src, src_bdim],
    ]);
    const result = fn(all[0], behind_batch(all[0], dim), all[1], all[2], ...rest);
    return in_place ? undefined : with_scalar(result, was_scalar);
  };

/** `index` for `gather`-like operators: (B, n) as (B, 1, n, 1), expanded to the shape of the rows. */
function expanded_index(self: Tensor, dim: number, index: Tensor): Tensor {
  const shape = [...self.sizes()];
  shape[dim] = index.size(1);
  return index.view(shape.map((_, d) => (d === 0 || d === dim ? index.size(d === 0 ? 0 : 1) : 1))).expand(shape);
}

function index_select(self: Tensor, self_bdim: BDim, dim: number, index: Tensor, index_bdim: BDim): RuleResult {
  if (index_bdim === null) {
    const front = moveBatchDimToFront(self, self_bdim);
    if (front.dim() > 1) return [at.index_select(front, behind_batch(front, dim), index), 0];
  }
  const { all, was_scalar } = lined_up([
    [self, self_bdim],
    [index, index_bdim],
  ]);
  const at_dim = behind_batch(all[0], dim);
  return with_scalar(at.gather(all[0], at_dim, expanded_index(all[0], at_dim, all[1])), was_scalar);
}

type IndexInto = (self: Tensor, dim: number, index: Tensor, src: Tensor, ...rest: Any[]) => Tensor;

/** `index_add`, `index_copy`: one call if the index is shared, else `per_sample` with an index for each element. */
const index_into =
  (fn: IndexInto, per_sample: IndexInto, in_place = false) =>
  (
    self: Tensor,
    self_bdim: BDim,
    dim: number,
    index: Tensor,
    index_bdim: BDim,
    src: Tensor,
    src_bdim: BDim,
    ...rest: Any[]
  ): RuleResult => {
    if (in_place && self_bdim === null) vmapIncompatibleInplaceError("index_add_");
    const { all, was_scalar } = lined_up([
      [self, self_bdim],
      [src, src_bdim],
      [index, index_bdim],
    ]);
    const at_dim = behind_batch(all[0], dim);
    const shared = index_bdim === null ? (index.dim() === 0 ? index.unsqueeze(0) : index) : null;
    const result =
      shared !== null
        ? fn(all[0], at_dim, shared, all[1], ...rest)
        : per_sample(all[0], at_dim, expanded_index(all[0], at_dim, all[2]), all[1], ...rest);
    if (in_place) {
      if (shared === null) all[0].copy_(result);
      return undefined;
    }
    return with_scalar(result, was_scalar);
  };

const scaled = (src: Tensor, alpha: Scalar | undefined): Tensor =>
  alpha === undefined || alpha.equal(1) ? src : at.mul_Scalar(src, alpha);

/** `index_fill` by a mask: an element is filled if its position is in the index. */
function index_fill(self: Tensor, dim: number, index: Tensor, value: Scalar | Tensor): Tensor {
  const rank = Math.max(self.dim(), 1);
  const at_dim = maybe_wrap_dim(dim, rank);
  const size = self.dim() === 0 ? 1 : self.size(at_dim);
  const positions = at.arange(Scalar.fromInt(size), index.options());
  const wrapped = at.remainder_Scalar(index.reshape([-1, 1]), Scalar.fromInt(Math.max(size, 1)));
  const mask = at.any_dim(at.eq_Tensor(positions, wrapped), 0, false);
  const shaped =
    self.dim() === 0 ? mask.reshape([]) : mask.reshape(self.sizes().map((_, d) => (d === at_dim ? size : 1)));
  return typeof (value as Tensor).dim === "function"
    ? at.where_self(shaped, (value as Tensor).to_dtype(self.scalar_type()), self)
    : at.masked_fill_Scalar(self, shaped, value as Scalar);
}

/** An operator that puts `src` in the place of a view of a copy. */
const into_view = (view: (self: Tensor, ...rest: Any[]) => Tensor) =>
  decomposed((self: Tensor, src: Tensor, ...rest: Any[]) => {
    // The copy is batched if one of the two is.
    const copy = at.add_Tensor(self, at.zeros_like(at.sum(src)).to_dtype(self.scalar_type()));
    view(copy, ...rest).copy_(src);
    return copy;
  });

TORCH_LIBRARY_IMPL(
  "aten",
  "FuncTorchBatched",
  batch_rules({
    "index.Tensor": index_of(at.index_Tensor),
    "_unsafe_index.Tensor": index_of(at._unsafe_index_Tensor),
    index_put: index_put_of(at.index_put, null),
    _unsafe_index_put: index_put_of(at._unsafe_index_put, null),
    index_put_: index_put_of(
      (self, indices, values, ...rest) => self.index_put_(indices, values, ...rest),
      "index_put_",
    ),
    _index_put_impl_: index_put_of(at._index_put_impl_, "_index_put_impl_"),
    gather: scatter(at.gather as never),
    index_select,
    "scatter.src": scatter_src(at.scatter_src),
    "scatter.value": scatter(at.scatter_value as never),
    "scatter.reduce": scatter_src(at.scatter_reduce as never),
    "scatter.value_reduce": scatter(at.scatter_value_reduce as never),
    scatter_add: scatter_src(at.scatter_add),
    scatter_add_: scatter_src((self, dim, index, src) => self.scatter_add_(dim, index, src), true),
    "scatter_reduce.two": scatter_src(at.scatter_reduce_two as never),
    index_add: index_into(
      at.index_add as never,
      ((self: Tensor, dim: number, index: Tensor, src: Tensor, alpha?: Scalar) =>
        at.scatter_add(self, dim, index, scaled(src, alpha))) as never,
    ),
    index_add_: index_into(
      ((self: Tensor, dim: number, index: Tensor, src: Tensor, alpha: Scalar) =>
        self.index_add_(dim, index, src, alpha)) as never,
      ((self: Tensor, dim: number, index: Tensor, src: Tensor, alpha?: Scalar) =>
        at.scatter_add(self, dim, index, scaled(src, alpha))) as never,
      true,
    ),
    select_scatter: into_view((self, dim: number, index: number) => at.select_int(self, dim, index)),
    slice_scatter: into_view((self, dim: number, start: number | null, end: number | null, step: number) =>
      at.slice_Tensor(self, dim, start, end, step),
    ),
    diagonal_scatter: into_view((self, offset: number, dim1: number, dim2: number) =>
      at.diagonal(self, offset, dim1, dim2),
    ),
    as_strided_scatter: into_view((self, size: number[], stride: number[], offset: number | null) =>
      at.as_strided(self, size, stride, offset),
    ),
    index_copy: index_into(at.index_copy, at.scatter_src),
    "index_fill.int_Scalar": decomposed(index_fill),
    "index_fill.int_Tensor": decomposed(index_fill),
    "masked_fill.Scalar": decomposed((self: Tensor, mask: Tensor, value: Scalar) =>
      at.where_ScalarSelf(mask, value, self).to_dtype(self.scalar_type()),
    ),
  }),
);
