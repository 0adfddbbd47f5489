/**
 * @file Batching rules of views, and of operators that move elements.
 * @mirrors aten/src/ATen/functorch/BatchRulesViews.cpp
 */
import { TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { infer_size } from "#aten/InferSize";
import type { ScalarType } from "#c10/core/ScalarType";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_CHECK } from "#c10/util/Exception";
import {
  type BDim,
  batch_rules,
  decomposed,
  getPhysicalDim,
  moveBatchDimToFront,
  type RuleResult,
} from "./BatchRulesHelper.ts";

type Sizes = number[];

/** A rule whose sample has its dimensions behind the batch dimension. */
function in_front<A extends unknown[]>(fn: (self: Tensor, ...args: A) => Tensor | readonly Tensor[]) {
  return (self: Tensor, bdim: BDim, ...args: A): RuleResult => {
    const result = fn(moveBatchDimToFront(self, bdim), ...args);
    return [result as Tensor, 0];
  };
}
const physical = (self: Tensor, dim: number): number => getPhysicalDim(self, true, dim);
const sample_rank = (self: Tensor): number => self.dim() - 1;

/** `dims` of samples of rank 0 may be 0 and -1, as for any scalar. */
function scalar_dims(self: Tensor, dims: readonly number[]): boolean {
  return sample_rank(self) === 0 && dims.every((dim) => dim === 0 || dim === -1);
}

const flip = in_front((self, dims: Sizes) => {
  if (scalar_dims(self, dims)) return at.clone(self);
  return at.flip(
    self,
    dims.map((dim) => physical(self, dim)),
  );
});

const repeat = in_front((self, sizes: Sizes) => {
  const rank = sample_rank(self);
  TORCH_CHECK(
    sizes.length >= rank,
    "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
  );
  const [batch, ...own] = self.sizes();
  const padded = self.reshape([batch, ...new Array<number>(sizes.length - rank).fill(1), ...own]);
  return padded.repeat([1, ...sizes]);
});

const view_like = (fn: (self: Tensor, size: Sizes) => Tensor) =>
  in_front((self, size: Sizes) => {
    const [batch, ...own] = self.sizes();
    const numel = own.reduce((product, n) => product * n, 1);
    return fn(self, [batch, ...infer_size(size, numel)]);
  });

const expand = in_front((self, size: Sizes, implicit: boolean) => {
  const rank = sample_rank(self);
  TORCH_CHECK(
    size.length >= rank,
    "expand: the number of sizes provided (",
    size.length,
    ") must be greater or equal to the number of dimensions in the tensor (",
    rank,
    ")",
  );
  const [batch, ...own] = self.sizes();
  const padded = self.view([batch, ...new Array<number>(size.length - rank).fill(1), ...own]);
  return padded.expand([batch, ...size], implicit);
});

/** `squeeze` of some dimensions, or of all of size 1. */
const squeeze = (self: Tensor, dims: readonly number[] | null): Tensor => {
  if (sample_rank(self) === 0) {
    for (const dim of dims ?? []) maybe_wrap_dim(dim, 0);
    return at.alias(self);
  }
  const which =
    dims?.map((dim) => physical(self, dim)) ??
    self
      .sizes()
      .map((_, d) => d)
      .slice(1);
  return at.squeeze_dims(self, which);
};

const select = in_front((self, dim: number, index: number) => at.select_int(self, physical(self, dim), index));

const roll = in_front((self, shifts: Sizes, dims: Sizes) => {
  if (dims.length > 0)
    return at.roll(
      self,
      shifts,
      dims.map((dim) => physical(self, dim)),
    );
  const flat = self.reshape([self.size(0), -1]);
  return at.roll(flat, shifts, [1]).view([...self.sizes()]);
});

const diagonal = in_front((self, offset: number, dim1: number, dim2: number) =>
  at.diagonal(self, offset, physical(self, dim1), physical(self, dim2)),
);

/** A backward operator that makes zeros of `sizes` and fills a part. */
const backward_of_view = (fn: (grad: Tensor, sizes: Sizes, dim: (dim: number) => number, rest: number[]) => Tensor) =>
  in_front((grad, sizes: Sizes, ...rest: number[]) =>
    fn(grad, [grad.size(0), ...sizes], (dim) => maybe_wrap_dim(dim, sizes.length) + 1, rest),
  );

const transpose = in_front((self, dim0: number, dim1: number) => {
  if (scalar_dims(self, [dim0, dim1])) return at.alias(self);
  return at.transpose_int(self, physical(self, dim0), physical(self, dim1));
});

const split = (fn: (self: Tensor, size: number, dim: number) => Tensor[]) =>
  in_front((self, size: number, dim: number) => fn(self, size, physical(self, dim)));
const split_with_sizes = (fn: (self: Tensor, sizes: Sizes, dim: number) => Tensor[]) =>
  in_front((self, sizes: Sizes, dim: number) => fn(self, sizes, physical(self, dim)));
const unbind = (fn: (self: Tensor, dim: number) => Tensor[]) =>
  in_front((self, dim: number) => fn(self, physical(self, dim)));

const unfold = in_front((self, dim: number, size: number, step: number) => {
  if (sample_rank(self) > 0) return self.unfold(physical(self, dim), size, step);
  return self
    .unsqueeze(-1)
    .unfold(maybe_wrap_dim(dim, 1) + 1, size, step)
    .squeeze_dim(1);
});

TORCH_LIBRARY_IMPL(
  "aten",
  "FuncTorchBatched",
  batch_rules({
    flip,
    repeat,
    roll,
    "select.int": select,
    diagonal,
    expand,
    expand_copy: expand,
    "transpose.int": transpose,
    unfold,
    view: view_like((self, size) => self.view(size)),
    view_copy: view_like((self, size) => self.view(size)),
    _unsafe_view: view_like(at._unsafe_view),
    _reshape_alias: decomposed((self: Tensor, size: Sizes) => self.reshape(size)),
    "view.dtype": (self: Tensor, bdim: BDim, dtype: ScalarType) => {
      // The last dimension changes its size; the batch dimension must not be the last one.
      return [moveBatchDimToFront(self, bdim).view_dtype(dtype), 0];
    },
    trace: decomposed((self: Tensor) => {
      TORCH_CHECK(self.dim() === 2, "trace: expected a matrix, but got tensor with dim ", self.dim());
      return at.sum(at.diagonal(self));
    }),
    tril: in_front((self, k: number) => at.tril(self, k)),
    triu: in_front((self, k: number) => at.triu(self, k)),
    t: in_front((self) => {
      TORCH_CHECK(
        sample_rank(self) <= 2,
        "t() expects a tensor with <= 2 dimensions, but self is ",
        sample_rank(self),
        "D",
      );
      return sample_rank(self) < 2 ? at.alias(self) : at.transpose_int(self, 1, 2);
    }),
    permute: in_front((self, dims: Sizes) => {
      return at.permute(self, [0, ...dims.map((dim) => physical(self, dim))]);
    }),
    squeeze: in_front((self) => squeeze(self, null)),
    "squeeze.dim": in_front((self, dim: number) => squeeze(self, [dim])),
    "squeeze.dims": in_front((self, dims: Sizes) => squeeze(self, dims)),
    unsqueeze: in_front((self, dim: number) => at.unsqueeze(self, maybe_wrap_dim(dim, sample_rank(self) + 1) + 1)),
    "slice.Tensor": in_front((self, dim: number, start: number | null, end: number | null, step: number) =>
      at.slice_Tensor(self, physical(self, dim), start, end, step),
    ),
    diag_embed: in_front((self, offset: number, dim1: number, dim2: number) => {
      const rank = sample_rank(self) + 1;
      return at.diag_embed(self, offset, maybe_wrap_dim(dim1, rank) + 1, maybe_wrap_dim(dim2, rank) + 1);
    }),
    narrow_copy: in_front((self, dim: number, start: number, length: number) =>
      at.narrow_copy(self, physical(self, dim), start, length),
    ),
    select_backward: backward_of_view((grad, sizes, dim, [at_dim, index]) =>
      at.select_backward(grad, sizes, dim(at_dim), index),
    ),
    slice_backward: backward_of_view((grad, sizes, dim, [at_dim, start, end, step]) =>
      at.slice_backward(grad, sizes, dim(at_dim), start, end, step),
    ),
    diagonal_backward: backward_of_view((grad, sizes, dim, [offset, dim1, dim2]) =>
      at.diagonal_backward(grad, sizes, offset, dim(dim1), dim(dim2)),
    ),
    "unsafe_split.Tensor": split(at.unsafe_split_Tensor),
    "split.Tensor": split(at.split_Tensor),
    split_with_sizes: split_with_sizes(at.split_with_sizes),
    split_with_sizes_copy: split_with_sizes(at.split_with_sizes),
    "unbind.int": unbind(at.unbind_int),
    "unbind_copy.int": unbind(at.unbind_int),
  }),
);
