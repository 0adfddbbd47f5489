/**
 * @file Batching rules of operators that reduce or scan a dimension.
 * @mirrors aten/src/ATen/functorch/BatchRulesReduceOps.cpp
 */
import { TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { Scalar } from "#c10/core/Scalar";
import type { ScalarType } from "#c10/core/ScalarType";
import {
  type BDim,
  batch_rules,
  decomposed,
  ensure_has_bdim,
  getPhysicalDim,
  moveBatchDimToFront,
  names,
  type RuleResult,
  rankWithoutBatchDim,
  rules_for,
} from "./BatchRulesHelper.ts";
import { reduction } from "./BoxedBatchRules.ts";

const reductions = names(`
  _log_softmax _safe_softmax _softmax all.dim all.dims amax amin any.dim any.dims count_nonzero.dim_IntList cummax cummin
  cumprod cumsum kthvalue linalg_vector_norm logcumsumexp logsumexp max.dim mean.dim median.dim min.dim mode nanmedian.dim nansum
  norm.ScalarOpt_dim prod.dim_int sort sort.stable std.correction std_mean.correction sum.dim_IntList topk var.correction
  var_mean.correction _log_softmax_backward_data _softmax_backward_data
`);

const all_dims = (t: Tensor): number[] => t.sizes().map((_, d) => d);
const flat = (t: Tensor): Tensor => t.reshape([-1]);

/** `argmax`, `argmin` and `aminmax` work on the flat sample if no dimension is given. */
function of_flat_sample(
  fn: (t: Tensor, dim: number, keepdim: boolean) => readonly Tensor[],
  self: Tensor,
  bdim: BDim,
  dim: number | null,
  keepdim: boolean,
): RuleResult {
  const front = moveBatchDimToFront(self, bdim);
  const rank = front.dim() - 1;
  const pairs = (results: readonly Tensor[]): RuleResult => results.map((result) => [result, 0] as const);
  if (dim === null) {
    const results = fn(front.reshape([front.size(0), -1]), 1, false);
    return pairs(keepdim ? results.map((r) => r.view([front.size(0), ...new Array<number>(rank).fill(1)])) : results);
  }
  if (rank === 0) return pairs(fn(front.unsqueeze(-1), getPhysicalDim(front.unsqueeze(-1), true, dim), false));
  return pairs(fn(front, getPhysicalDim(front, true, dim), keepdim));
}

/** Both tensors with the batch dimension in front; one without it is repeated. */
function both_in_front(a: Tensor, a_bdim: BDim, b: Tensor, b_bdim: BDim): [Tensor, Tensor] {
  const size = a_bdim !== null ? a.size(a_bdim) : b.size(b_bdim as number);
  return [
    ensure_has_bdim(moveBatchDimToFront(a, a_bdim), a_bdim !== null, size),
    ensure_has_bdim(moveBatchDimToFront(b, b_bdim), b_bdim !== null, size),
  ];
}

TORCH_LIBRARY_IMPL(
  "aten",
  "FuncTorchBatched",
  batch_rules({
    ...rules_for(reductions, reduction),
    all: decomposed((self: Tensor) => at.all_dim(flat(self), 0, false)),
    any: decomposed((self: Tensor) => at.any_dim(flat(self), 0, false)),
    _is_all_true: decomposed((self: Tensor) => at.all(self)),
    _is_any_true: decomposed((self: Tensor) => at.any(self)),
    count_nonzero: decomposed((self: Tensor, dim: number | null) =>
      at.count_nonzero_dim_IntList(self, dim === null ? all_dims(self) : [dim]),
    ),
    max: decomposed((self: Tensor) => at.max_dim(flat(self), 0, false)[0]),
    min: decomposed((self: Tensor) => at.min_dim(flat(self), 0, false)[0]),
    mean: decomposed((self: Tensor, dtype: ScalarType | null) => at.mean_dim(self, all_dims(self), false, dtype)),
    median: decomposed((self: Tensor) => at.median_dim(flat(self), 0, false)[0]),
    nanmedian: decomposed((self: Tensor) => at.nanmedian_dim(flat(self), 0, false)[0]),
    prod: decomposed((self: Tensor, dtype: ScalarType | null) => at.prod_dim_int(flat(self), 0, false, dtype)),
    sum: decomposed((self: Tensor, dtype: ScalarType | null) => at.sum_dim_IntList(self, all_dims(self), false, dtype)),
    "norm.Scalar": decomposed((self: Tensor, p: Scalar) => at.norm_ScalarOpt_dim(flat(self), p, [0], false)),
    dist: decomposed((self: Tensor, other: Tensor, p: Scalar) => at.norm_Scalar(at.sub_Tensor(self, other), p)),
    argmax: (self: Tensor, bdim: BDim, dim: number | null, keepdim: boolean) =>
      of_flat_sample((t, d, keep) => [at.argmax(t, d, keep)], self, bdim, dim, keepdim)?.at(0) as RuleResult,
    argmin: (self: Tensor, bdim: BDim, dim: number | null, keepdim: boolean) =>
      of_flat_sample((t, d, keep) => [at.argmin(t, d, keep)], self, bdim, dim, keepdim)?.at(0) as RuleResult,
    aminmax: (self: Tensor, bdim: BDim, dim: number | null, keepdim: boolean) =>
      of_flat_sample((t, d, keep) => at.aminmax(t, d, keep), self, bdim, dim, keepdim),
    rot90(self: Tensor, bdim: BDim, k: number, dims: readonly number[]): RuleResult {
      const front = moveBatchDimToFront(self, bdim);
      return [
        at.rot90(
          front,
          k,
          dims.map((dim) => getPhysicalDim(front, true, dim)),
        ),
        0,
      ];
    },
    "bucketize.Scalar": decomposed((self: Scalar, boundaries: Tensor, out_int32: boolean, right: boolean) =>
      at.searchsorted_Scalar(boundaries, self, out_int32, right),
    ),
    "bucketize.Tensor": decomposed((self: Tensor, boundaries: Tensor, out_int32: boolean, right: boolean) =>
      at.searchsorted_Tensor(boundaries, self, out_int32, right),
    ),
    "searchsorted.Tensor"(
      sorted: Tensor,
      sorted_bdim: BDim,
      self: Tensor,
      self_bdim: BDim,
      out_int32: boolean,
      right: boolean,
      side: string | null,
      sorter: Tensor | null,
      sorter_bdim: BDim,
    ): RuleResult {
      const one_dim = rankWithoutBatchDim(sorted, sorted_bdim) === 1;
      if (sorted_bdim === null && sorter_bdim === null && one_dim) {
        const values = moveBatchDimToFront(self, self_bdim);
        return [at.searchsorted_Tensor(sorted, values, out_int32, right, side, sorter), 0];
      }
      const [boundaries, values] = both_in_front(sorted, sorted_bdim, self, self_bdim);
      const order = sorter === null ? null : both_in_front(sorted, sorted_bdim, sorter, sorter_bdim)[1];
      if (!one_dim) return [at.searchsorted_Tensor(boundaries, values, out_int32, right, side, order), 0];
      // One row of boundaries for each sample, whose values become one row, too.
      const batch_size = values.size(0);
      const rows = values.reshape([batch_size, values.numel() / Math.max(batch_size, 1)]);
      const found = at.searchsorted_Tensor(boundaries, rows, out_int32, right, side, order);
      return [found.reshape([...values.sizes()]), 0];
    },
  }),
);
