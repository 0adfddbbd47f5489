/**
 * @file `embedding_bag`: rows of a table are summed, averaged or maximized in bags; and the gradients of the table and
 * of the rows' weights.
 * @mirrors aten/src/ATen/native/EmbeddingBag.cpp
 * @differs Ours has no sparse gradients, because there are no sparse tensors here, and reads indices as int64; PyTorch
 * has sparse gradients and int32 indices.
 * @differs Ours makes the tables of bags for every call; PyTorch's fast path for sums and contiguous weights has none.
 */

import { print } from "#aten/core/Formatting";
import { check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { check_type, defined } from "#aten/TensorMethods";
import { checkContiguous, checkSameType, checkScalarTypes, type TensorArg } from "#aten/TensorUtils/TensorArg";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { Scalar } from "#c10/core/Scalar";
import { promoteTypes, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED, TORCH_INTERNAL_ASSERT, unmet } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

type MaybeTensor = Tensor | null;
type Bags = [output: Tensor, offset2bag: Tensor, bag_size: Tensor, max_indices: Tensor];

const MODE_SUM = 0;
const MODE_MEAN = 1;
const MODE_MAX = 2;

/** The assignment of rows to bags; tensors are contiguous int64. */
export interface RowsOfBags {
  readonly indices: Tensor;
  readonly offset2bag: Tensor;
  /** Number of indices that count; later ones are in no bag. */
  readonly numel: number;
  readonly padding_idx: number;
  /** Whether PyTorch calls a library for the sums; its error text for an index out of range differs. */
  readonly fast_path: boolean;
}

/** Both subtract paddings from `bag_size`. */
export const embedding_bag_sum_stub =
  DEFINE_DISPATCH<(output: Tensor, bag_size: Tensor, weight: Tensor, scale: MaybeTensor, rows: RowsOfBags) => void>(
    "embedding_bag_sum_stub",
  );
export const embedding_bag_max_stub =
  DEFINE_DISPATCH<(output: Tensor, max_indices: Tensor, bag_size: Tensor, weight: Tensor, rows: RowsOfBags) => void>(
    "embedding_bag_max_stub",
  );
/** Adds to a zeroed `grad_weight`; `factors` has one number per index. */
export const embedding_bag_backward_stub =
  DEFINE_DISPATCH<(grad_weight: Tensor, grad: Tensor, factors: Float64Array, rows: RowsOfBags) => void>(
    "embedding_bag_backward_stub",
  );
export const embedding_bag_scale_backward_stub = DEFINE_DISPATCH<
  (output: Tensor, grad: Tensor, weight: Tensor, rows: RowsOfBags) => void
>("embedding_bag_scale_backward_stub");

const INDEX_TYPES = [ScalarType.Long, ScalarType.Int] as const;
const FLOATING_TYPES = [ScalarType.Half, ScalarType.BFloat16, ScalarType.Float, ScalarType.Double] as const;

function arg(tensor: Tensor, name: string): TensorArg {
  return { tensor, name, pos: 1 };
}

function promoteIndicesAndOffsets(indices: Tensor, offsets: Tensor): [indices: Tensor, offsets: Tensor] {
  const type = promoteTypes(offsets.scalar_type(), indices.scalar_type());
  return [indices.to_dtype(type), offsets.to_dtype(type)];
}

/** Values of a contiguous tensor of indices. */
function numbers(t: Tensor): number[] {
  const begin = t.impl_.data_offset();
  return Array.from(t.impl_.data_view().slice(begin, begin + t.numel()), Number);
}

function check_arguments(
  weight: Tensor,
  indices: Tensor,
  offsets: Tensor,
  mode: number,
  per_sample_weights: MaybeTensor,
  include_last_offset: boolean,
): void {
  checkScalarTypes("embedding_bag", arg(indices, "indices"), INDEX_TYPES);
  checkScalarTypes("embedding_bag", arg(offsets, "offsets"), INDEX_TYPES);
  checkSameType("embedding_bag", arg(indices, "indices"), arg(offsets, "offsets"));
  checkScalarTypes("embedding_bag", arg(weight, "weight"), FLOATING_TYPES);
  const count = offsets.size(0);
  if (count > 0) {
    const begin = offsets.impl_.data_offset();
    const [first, last] = [0, count - 1].map((i) => Number(offsets.impl_.data_view()[begin + i]));
    if (first !== 0)
      TORCH_CHECK(
        false,
        "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, got ",
        print(offsets.select_int(0, 0)),
      );
    const length = indices.size(0);
    TORCH_CHECK(
      last <= length,
      `offsets[-1] can not be greater than input's length ${length} but got offsets[-1] of ${last}`,
    );
  }
  if (per_sample_weights !== null) {
    TORCH_CHECK(mode === MODE_SUM, "embedding_bag: per_sample_weights only supported with mode='sum'");
    checkSameType("embedding_bag", arg(weight, "weight"), arg(per_sample_weights, "per_sample_weights"));
    TORCH_CHECK(per_sample_weights.dim() === 1, unmet("per_sample_weights.value().dim() == 1"));
    const numel = per_sample_weights.numel();
    TORCH_CHECK(numel === indices.numel(), unmet("per_sample_weights.value().numel() == indices.numel()"));
  }
  if (include_last_offset)
    TORCH_CHECK(offsets.size(0) >= 1, "include_last_offset: number of offset should be at least 1");
}

/** Bag number of each of `length` indices: a one at each offset, cumulatively summed. */
function make_offset2bag(offsets: Tensor, length: number): Tensor {
  const steps = at.zeros([length + 1], offsets.options());
  steps.index_add_(0, offsets, at.ones_like(offsets), Scalar.fromInt(1)); // offsets 0 2 4: 1 0 1 0 1
  steps.select_int(0, 0).sub__Scalar(Scalar.fromInt(1), Scalar.fromInt(1)); //              0 0 1 0 1
  return steps.cumsum(0, steps.scalar_type()).resize_([length]); //                         0 0 1 1 2
}

function is_fast_path(src: Tensor, scale: MaybeTensor, padding_idx: number): boolean {
  const contiguous = src.strides()[1] === 1 && (scale === null || scale.strides()[0] === 1);
  return src.scalar_type() !== ScalarType.Double && contiguous && padding_idx < 0;
}

function make_bag_size(
  offsets: Tensor,
  indices: Tensor,
  mode: number,
  include_last_offset: boolean,
  requires_grad: boolean,
): Tensor {
  const num_bags = offsets.size(0) - (include_last_offset ? 1 : 0);
  if (!requires_grad && mode === MODE_SUM) return at.empty_memory_format(offsets.sizes().slice(), offsets.options());
  const bag_size = at.empty_memory_format([num_bags], offsets.options());
  if (num_bags === 0) return bag_size;
  const one = Scalar.fromInt(1);
  const starts = offsets.slice_Tensor(0, 0, num_bags - 1, 1);
  const ends = offsets.slice_Tensor(0, 1, num_bags, 1);
  if (num_bags !== 1) bag_size.slice_Tensor(0, 0, num_bags - 1, 1).copy_(at.sub_Tensor(ends, starts, one));
  const last = offsets.select_int(0, num_bags - 1);
  bag_size.select_int(0, -1).copy_(at.rsub_Scalar(last, Scalar.fromInt(indices.size(0)), one));
  return bag_size;
}

function _embedding_bag_cpu_impl(
  weight: Tensor,
  indices_: Tensor,
  offsets_: Tensor,
  mode: number,
  per_sample_weights_opt: MaybeTensor,
  include_last_offset: boolean,
  padding_idx: number,
  requires_grad: boolean,
): Bags {
  const per_sample_weights = defined(per_sample_weights_opt);
  const ndim = indices_.dim();
  TORCH_CHECK(ndim === 1 || ndim === 2, "input has to be a 1D or 2D Tensor, but got Tensor of dimension ", ndim);
  if (ndim === 1)
    TORCH_CHECK(offsets_.dim() === 1, "offsets has to be a 1D Tensor, but got Tensor of dimension ", offsets_.dim());
  TORCH_CHECK(weight.dim() === 2, "weight has to be a 2D Tensor, but got Tensor of dimension ", weight.dim());
  const [indices, offsets] = promoteIndicesAndOffsets(indices_, offsets_);
  check_arguments(weight, indices, offsets, mode, per_sample_weights, include_last_offset);

  const num_bags = offsets.size(0) - (include_last_offset ? 1 : 0);
  const output = at.zeros([num_bags, weight.size(1)], weight.options());
  const fast_path = is_fast_path(weight, per_sample_weights, padding_idx);
  const firsts = include_last_offset ? offsets.narrow(0, 0, num_bags) : offsets;
  const of_each = make_offset2bag(firsts, indices.numel());
  // In the fast path for sums, PyTorch does not keep it; backward computes it again.
  const kept = mode !== MODE_SUM || !fast_path;
  const offset2bag = kept ? of_each : at.empty_memory_format([0], offsets.options());
  const bag_size = make_bag_size(offsets, indices, mode, include_last_offset, requires_grad);

  // Only the fast path for sums uses the end of the last bag.
  const ends = include_last_offset && fast_path && mode !== MODE_MAX;
  const counted = ends ? (numbers(offsets).at(-1) ?? 0) : indices.numel();
  const long = ScalarType.Long;
  const rows: RowsOfBags = {
    indices: indices.to_dtype(long),
    offset2bag: of_each.to_dtype(long),
    numel: counted,
    padding_idx,
    fast_path,
  };
  const sizes = bag_size.to_dtype(long);
  if (mode === MODE_MAX) {
    const max_indices = at.zeros([num_bags, weight.size(1)], offsets.options().dtype(long));
    embedding_bag_max_stub.call(weight.device_type(), output, max_indices, sizes, weight, rows);
    return [output, offset2bag, sizes.to_dtype(offsets.scalar_type()), max_indices.to_dtype(offsets.scalar_type())];
  }
  embedding_bag_sum_stub.call(weight.device_type(), output, sizes, weight, per_sample_weights, rows);
  if (!sizes.is_same(bag_size)) bag_size.copy_(sizes);
  if (mode === MODE_MEAN) {
    const at_least_one = at.maximum(bag_size, at.ones_like(bag_size)).to_dtype(output.scalar_type());
    output.div__Tensor(at_least_one.unsqueeze(1).expand_as(output));
  } else {
    bag_size.zero_();
  }
  return [output, offset2bag, bag_size, bag_size.clone()];
}

// _embedding_bag_forward_only                                                       CPU
export function _embedding_bag_forward_only_cpu(
  weight: Tensor,
  indices: Tensor,
  offsets: Tensor,
  _scale_grad_by_freq: boolean,
  mode: number,
  _sparse: boolean,
  per_sample_weights: MaybeTensor,
  include_last_offset: boolean,
  padding_idx: number,
): Bags {
  // biome-ignore format: in the parameters' order
  return _embedding_bag_cpu_impl(weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx, false);
}

// _embedding_bag                                                                    CPU
export function _embedding_bag_cpu(
  weight: Tensor,
  indices: Tensor,
  offsets: Tensor,
  _scale_grad_by_freq: boolean,
  mode: number,
  _sparse: boolean,
  per_sample_weights: MaybeTensor,
  include_last_offset: boolean,
  padding_idx: number,
): Bags {
  // biome-ignore format: in the parameters' order
  return _embedding_bag_cpu_impl(weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx, true);
}

// embedding_bag, embedding_bag.padding_idx                                          CompositeImplicitAutograd
export function embedding_bag(
  weight: Tensor,
  indices: Tensor,
  offsets: Tensor,
  scale_grad_by_freq: boolean,
  mode: number,
  sparse: boolean,
  per_sample_weights: MaybeTensor,
  include_last_offset: boolean,
  padding_idx_opt: number | null = null,
): Bags {
  let padding_idx = -1;
  if (padding_idx_opt !== null) {
    const num_embeddings = weight.size(0);
    TORCH_CHECK(
      padding_idx_opt >= -num_embeddings && padding_idx_opt < num_embeddings,
      `padding_idx must be within the number of embeddings, -${num_embeddings} through ${num_embeddings - 1}, but got ${padding_idx_opt}`,
    );
    padding_idx = maybe_wrap_dim(padding_idx_opt, num_embeddings);
  }
  const differentiable = weight.requires_grad() || weight._fw_grad(0).defined();
  const run = differentiable ? at._embedding_bag : at._embedding_bag_forward_only;
  return run(
    weight,
    indices.contiguous(),
    offsets.contiguous(),
    scale_grad_by_freq,
    mode,
    sparse,
    per_sample_weights,
    include_last_offset,
    padding_idx,
  );
}

/** `offset2bag` after checks; it is computed if forward did not keep it. */
function offset2bag_of(indices: Tensor, offsets: Tensor, offset2bag: Tensor): Tensor {
  if (indices.numel() !== 0 && offset2bag.numel() === 0) return make_offset2bag(offsets, indices.size(0));
  checkScalarTypes("embedding_bag", arg(offset2bag, "offset2bag"), INDEX_TYPES);
  checkContiguous("embedding_bag", arg(offset2bag, "offset2bag"));
  return offset2bag;
}

// _embedding_bag_backward                                                           CPU
export function _embedding_bag_backward_symint(
  grad: Tensor,
  indices_: Tensor,
  offsets_: Tensor,
  offset2bag: Tensor,
  bag_size: Tensor,
  max_indices: Tensor,
  num_weights: number,
  scale_grad_by_freq: boolean,
  mode: number,
  sparse: boolean,
  per_sample_weights: MaybeTensor,
  padding_idx: number,
): Tensor {
  const [indices, offsets] = promoteIndicesAndOffsets(indices_, offsets_);
  checkScalarTypes("embedding_bag", arg(indices, "indices"), INDEX_TYPES);
  checkContiguous("embedding_bag", arg(indices, "indices"));
  checkScalarTypes("embedding_bag", arg(offsets, "offsets"), INDEX_TYPES);
  checkSameType("embedding_bag", arg(indices, "indices"), arg(offsets, "offsets"));
  checkContiguous("embedding_bag", arg(offsets, "offsets"));
  const of_each = offset2bag_of(indices, offsets, offset2bag);
  TORCH_CHECK_NOT_IMPLEMENTED(!sparse, "_embedding_bag_backward: there are no sparse tensors here; use sparse=False");
  return at._embedding_bag_dense_backward(
    grad,
    indices,
    of_each,
    bag_size,
    max_indices,
    num_weights,
    scale_grad_by_freq,
    mode,
    per_sample_weights,
    padding_idx,
  );
}

/** The gradient of a maximum goes to the row it came from, column by column. An empty bag has no gradient. */
function _embedding_bag_dense_backward_cpu_max(
  grad: Tensor,
  bag_size: Tensor,
  max_indices: Tensor,
  num_weights: number,
): Tensor {
  const index_grad_weight = at.zeros([num_weights, columns_of(grad)], grad.options());
  const nonempty_max_indices = max_indices.index_select(0, bag_size.nonzero().view([-1]));
  const nonempty_grad = grad.index_select(0, bag_size.nonzero().view([-1]));
  for (let dim = 0; dim < columns_of(grad); dim++) {
    const indices = nonempty_max_indices.select_int(1, dim);
    const from = nonempty_grad.select_int(1, dim);
    index_grad_weight.select_int(1, dim).index_add_(0, indices, from, Scalar.fromInt(1));
  }
  return index_grad_weight;
}

/** If a tensor has no second size, PyTorch reads a 0 after the first one. */
function columns_of(t: Tensor): number {
  return t.dim() > 1 ? t.size(1) : 0;
}

/**
 * Factor for each index's part of its bag's gradient. `indices` are sorted. As in PyTorch, `scale_grad_by_freq` divides
 * the k-th different index by the frequency of `indices[k]`, even if that is another index.
 */
function backward_factors(
  indices: readonly number[],
  bags: readonly number[],
  bag_size: readonly number[],
  scale_grad_by_freq: boolean,
  mean: boolean,
): Float64Array {
  const counts = new Map<number, number>();
  for (const index of indices) counts.set(index, (counts.get(index) ?? 0) + 1);
  let k = -1;
  return Float64Array.from(indices, (index, i) => {
    if (index !== indices[i - 1]) k++;
    const frequency = scale_grad_by_freq ? (counts.get(indices[k]) as number) : 1;
    const size = mean ? bag_size[bags[i]] || 1 : 1;
    return 1 / frequency / size;
  });
}

/**
 * Checks that every index is a row of the weight and has a bag with a gradient and a size.
 * @differs Ours checks this; PyTorch does not, and reads and writes outside the tensors' memory.
 */
function check_backward(
  grad: Tensor,
  indices: readonly number[],
  bags: readonly number[],
  bag_size: MaybeTensor,
  per_sample_weights: MaybeTensor,
  num_weights: number,
): void {
  TORCH_CHECK(
    bags.length === indices.length,
    "embedding_bag: offset2bag has ",
    bags.length,
    " elements for ",
    indices.length,
    " indices",
  );
  const of_samples = per_sample_weights?.numel() ?? indices.length;
  TORCH_CHECK(
    of_samples === indices.length,
    "embedding_bag: there are ",
    of_samples,
    " per_sample_weights for ",
    indices.length,
    " indices",
  );
  const least = Math.min(grad.size(0), bag_size?.numel() ?? grad.size(0));
  for (const bag of bags)
    TORCH_CHECK(bag >= 0 && bag < least, "embedding_bag: bag ", bag, " is out of bounds for ", least, " bags");
  for (const index of indices)
    TORCH_CHECK(
      index >= 0 && index < num_weights,
      "embedding_bag: index ",
      index,
      " is out of bounds for ",
      num_weights,
      " rows",
    );
}

// _embedding_bag_dense_backward                                                     CPU
export function _embedding_bag_dense_backward_cpu(
  grad_: Tensor,
  indices: Tensor,
  offset2bag: Tensor,
  bag_size: Tensor,
  max_indices: Tensor,
  num_weights: number,
  scale_grad_by_freq: boolean,
  mode: number,
  per_sample_weights_opt: MaybeTensor,
  padding_idx: number,
): Tensor {
  const grad = grad_.contiguous();
  checkScalarTypes("embedding_bag", arg(grad, "grad_"), FLOATING_TYPES);
  if (mode === MODE_MAX) return _embedding_bag_dense_backward_cpu_max(grad_, bag_size, max_indices, num_weights);
  TORCH_INTERNAL_ASSERT(mode === MODE_MEAN || mode === MODE_SUM);
  const index_grad_weight = at.zeros([num_weights, columns_of(grad)], grad.options());
  const [sorted, order] = indices.sort();
  const of_each = offset2bag.index_select(0, order);
  const given = defined(per_sample_weights_opt);
  const per_sample_weights = given === null ? null : given.index_select(0, order);
  if (per_sample_weights !== null) check_type(per_sample_weights, grad.scalar_type());
  const index_t = indices.scalar_type();
  TORCH_CHECK_NOT_IMPLEMENTED(
    index_t === ScalarType.Long || index_t === ScalarType.Int,
    `"_embedding_bag_dense_backward_cpu_sum_mean" not implemented for '${toString(index_t)}'`,
  );
  check_type(of_each, index_t);
  check_type(bag_size, index_t);
  const [places, bags] = [numbers(sorted), numbers(of_each)];
  const mean = mode === MODE_MEAN;
  check_backward(grad, places, bags, mean ? bag_size : null, per_sample_weights, num_weights);
  if (places.length > 0) grad.size(1);
  TORCH_INTERNAL_ASSERT(per_sample_weights === null || places.length === 0 || mode === MODE_SUM);
  const factors = backward_factors(places, bags, mean ? numbers(bag_size.contiguous()) : [], scale_grad_by_freq, mean);
  if (per_sample_weights !== null) {
    const scale = per_sample_weights.to_dtype(ScalarType.Double).contiguous();
    const begin = scale.impl_.data_offset();
    for (let i = 0; i < factors.length; i++) factors[i] *= Number(scale.impl_.data_view()[begin + i]);
  }
  const rows: RowsOfBags = {
    indices: sorted.to_dtype(ScalarType.Long),
    offset2bag: of_each.to_dtype(ScalarType.Long),
    numel: sorted.numel(),
    padding_idx,
    fast_path: false,
  };
  embedding_bag_backward_stub.call(grad.device_type(), index_grad_weight, grad, factors, rows);
  return index_grad_weight;
}

// _embedding_bag_per_sample_weights_backward                                        CPU
export function _embedding_bag_per_sample_weights_backward_cpu(
  grad: Tensor,
  weight: Tensor,
  indices_: Tensor,
  offsets_: Tensor,
  offset2bag: Tensor,
  mode: number,
  padding_idx: number,
): Tensor {
  check_floating_types_and2(grad.scalar_type(), "_embedding_bag_per_sample_weights_backward_cpu");
  TORCH_CHECK(mode === MODE_SUM, "embedding_bag_backward: per_sample_weights only supported for mode='sum'");
  TORCH_INTERNAL_ASSERT(grad.dim() === 2);
  const [indices, offsets] = promoteIndicesAndOffsets(indices_, offsets_);
  TORCH_INTERNAL_ASSERT(indices.dim() === 1);
  TORCH_INTERNAL_ASSERT(weight.dim() === 2 && weight.size(1) === grad.size(1));
  const output = at.zeros([indices.size(0)], grad.options());
  checkScalarTypes("embedding_bag", arg(indices, "indices"), INDEX_TYPES);
  checkContiguous("embedding_bag", arg(indices, "indices"));
  const of_each = offset2bag_of(indices, offsets, offset2bag);
  check_type(weight, grad.scalar_type());
  check_type(of_each, indices.scalar_type());
  const rows: RowsOfBags = {
    indices: indices.to_dtype(ScalarType.Long),
    offset2bag: of_each.to_dtype(ScalarType.Long),
    numel: indices.numel(),
    padding_idx,
    fast_path: false,
  };
  embedding_bag_scale_backward_stub.call(grad.device_type(), output, grad, weight, rows);
  return output;
}
