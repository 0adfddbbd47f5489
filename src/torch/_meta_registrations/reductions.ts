/**
 * @file Meta kernels of reductions, scans, sorts and searches along a dim.
 * @mirrors torch/_meta_registrations.py
 * @see _refs/reductions.ts, _decomp/reductions.ts
 */
import { register_decomposition } from "#torch/_decomp/index";
import {
  canonicalize_dim,
  check,
  compute_reduction_output_shape,
  is_float_dtype,
  is_tensor,
  reduction_dims,
  same_shape,
  type TensorOrNumber,
} from "#torch/_prims_common/index";
import { _maybe_resize_out, _safe_copy_out, type Keywords, out_wrapper } from "#torch/_prims_common/wrappers";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { dtype } from "#torch/types";

/** Empty values of `shape` and their indices. */
function values_and_indices(self: Tensor, shape: readonly number[]): [values: Tensor, indices: Tensor] {
  return [self.new_empty([...shape]), self.new_empty([...shape], { dtype: torch.int64 })];
}

// scans -------------------------------------------------------------------------------------------------------------------

register_decomposition(
  "cummax cummax.out cummin cummin.out",
  out_wrapper((self: Tensor, dim: number) => {
    if (self.numel() !== 0 && self.dim() !== 0) canonicalize_dim(self.dim(), dim);
    return values_and_indices(self, self.shape);
  }),
  "meta",
);

register_decomposition(
  "logcumsumexp logcumsumexp.out",
  out_wrapper((self: Tensor, dim: number) => {
    canonicalize_dim(self.dim(), dim);
    return torch.empty_like(self, { memory_format: torch.contiguous_format });
  }),
  "meta",
);

// selection of one element per row ------------------------------------------------------------------------------------------

register_decomposition("median nanmedian", (input: Tensor) => input.new_empty([]), "meta");

register_decomposition(
  "median.dim median.dim_values nanmedian.dim nanmedian.dim_values mode mode.values",
  out_wrapper((input: Tensor, dim: number, keepdim: boolean) => {
    const dims = reduction_dims(input.shape, [dim]);
    return values_and_indices(input, compute_reduction_output_shape(input.shape, dims, keepdim));
  }),
  "meta",
);

register_decomposition(
  "topk",
  (self: Tensor, k: number, given: number): Tensor[] => {
    const [ndim, shape] = [self.dim(), [...self.shape]];
    const dim = canonicalize_dim(ndim, given);
    check(
      k >= 0,
      () =>
        "Expected cond to be True, but got False. (Could this error message be improved? If so, please report an enhancement request to PyTorch.)",
    );
    check(k <= (ndim === 0 ? 1 : shape[dim]), () => "k not in range for dimension");
    if (ndim > 0) shape[dim] = k;
    return values_and_indices(self, shape);
  },
  "meta",
);

register_decomposition(
  "kthvalue kthvalue.values",
  out_wrapper((self: Tensor, k: number, given: number, keepdim: boolean) => {
    const dim = canonicalize_dim(self.dim(), given);
    const size = self.dim() > 0 ? self.size(dim) : 1;
    check(k >= 1 && k <= size, () => `kthvalue(): selected number k out of range for dimension ${dim}`);
    return values_and_indices(self, compute_reduction_output_shape(self.shape, [dim], keepdim));
  }),
  "meta",
);

type NansumKeywords = Keywords & { readonly dtype: dtype | null };
register_decomposition(
  "nansum nansum.out",
  out_wrapper((input: Tensor, dims: number[] | null, keepdim: boolean, { dtype }: NansumKeywords) => {
    const shape = compute_reduction_output_shape(input.shape, reduction_dims(input.shape, dims), keepdim);
    return input.new_empty(shape, { dtype: dtype ?? (is_float_dtype(input.dtype) ? input.dtype : torch.int64) });
  }),
  "meta",
);

// sorting -----------------------------------------------------------------------------------------------------------------

/** With `out`, values and indices get equal strides, those of the sorted tensor. */
function sort(self: Tensor, ...rest: unknown[]): readonly Tensor[] {
  const { out } = rest.at(-1) as { out: readonly Tensor[] | null };
  const results = [torch.empty_like(self), torch.empty_like(self, { dtype: torch.int64 })];
  if (out === null) return results;
  const [shape, strides] = [[...self.shape], [...results[0].stride()]];
  for (const o of out) _maybe_resize_out(o, shape);
  for (const o of out) o.as_strided_(shape, strides);
  for (const [i, result] of results.entries()) _safe_copy_out(result, out[i]);
  return out;
}
register_decomposition("sort sort.stable sort.values sort.values_stable", sort, "meta");

// search in sorted sequences --------------------------------------------------------------------------------------------------

interface SearchKeywords extends Keywords {
  readonly out_int32: boolean;
  readonly right: boolean;
  readonly side?: string | null;
  readonly sorter?: Tensor | null;
}

/** An index for each of `values`. */
function places(values: TensorOrNumber, boundaries: Tensor, { out_int32 }: SearchKeywords): Tensor {
  const dtype = out_int32 ? torch.int32 : torch.int64;
  if (!is_tensor(values)) return boundaries.new_empty([], { dtype });
  return torch.empty_like(values, { dtype, memory_format: torch.contiguous_format });
}

register_decomposition(
  "bucketize.Tensor bucketize.Tensor_out bucketize.Scalar bucketize.Scalar_out",
  out_wrapper(places),
  "meta",
);

const list = (t: Tensor): string => `[${t.shape.join(", ")}]`;

register_decomposition(
  "searchsorted.Tensor searchsorted.Tensor_out searchsorted.Scalar searchsorted.Scalar_out",
  out_wrapper((sorted_sequence: Tensor, self: TensorOrNumber, kw: SearchKeywords) => {
    if (is_tensor(self))
      check(
        sorted_sequence.dim() <= 1 || same_shape(sorted_sequence.shape.slice(0, -1), self.shape.slice(0, -1)),
        () =>
          "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and " +
          `input value tensor must match, but we got boundaries tensor ${list(sorted_sequence)} and ` +
          `input value tensor ${list(self)}`,
      );
    const sorter = kw.sorter ?? null;
    if (sorter !== null)
      check(
        same_shape(sorted_sequence.shape, sorter.shape),
        () =>
          "torch.searchsorted(): boundary and sorter must have the same size, but got boundary tensor " +
          `${list(sorted_sequence)} and got sorter tensor ${list(sorter)}`,
      );
    check(
      kw.side !== "left" || !kw.right,
      () => "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True",
    );
    return places(self, sorted_sequence, kw);
  }),
  "meta",
);

// lists -------------------------------------------------------------------------------------------------------------------

register_decomposition(
  "_foreach_norm.Scalar",
  (tensors: Tensor[], ord: number, dtype: dtype | null): Tensor[] => {
    if (Number(ord) === Infinity)
      for (const t of tensors) check(t.numel() > 0, () => "_foreach_norm cannot compute infinity norm on empty tensor");
    return tensors.map((t) => t.new_empty([], { dtype: dtype ?? t.dtype }));
  },
  "meta",
);

// gradient scaler -----------------------------------------------------------------------------------------------------------

register_decomposition(
  "_amp_foreach_non_finite_check_and_unscale_",
  (_self: readonly Tensor[], found_inf: Tensor, inv_scale: Tensor): void => {
    check(found_inf.numel() === 1, () => "found_inf must be a 1-element tensor.");
    check(inv_scale.numel() === 1, () => "inv_scale must be a 1-element tensor.");
    check(is_float_dtype(found_inf.dtype), () => "found_inf must be a float tensor.");
    check(is_float_dtype(inv_scale.dtype), () => "inv_scale must be a float tensor.");
  },
  "meta",
);

// fused Adam: nothing is computed; the functional form returns new lists --------------------------------------------------------

register_decomposition("_fused_adam_ _fused_adamw_", (): void => {}, "meta");
register_decomposition(
  "_fused_adam",
  (...args: unknown[]): Tensor[][] =>
    (args.slice(0, 5) as Tensor[][]).map((list) => list.map((t) => torch.empty_like(t))),
  "meta",
);
