/**
 * @file `index_reduce`: slices of a source are combined with slices selected by a vector of indices.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexing.cpp
 * @see IndexAdd.ts (with sums), ScatterReduce.ts (element by element)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { assert_no_internal_overlap, assert_no_overlap } from "#aten/MemoryOverlap";
import { add_stub, maximum_stub, minimum_stub, mul_stub } from "#aten/native/BinaryOps/index";
import { as_strided_tensorimpl } from "#aten/native/TensorShape/index";
import { scalar_tensor_static } from "#aten/ScalarOps";
import { TensorIterator } from "#aten/TensorIterator";
import { MetaBase } from "#aten/TensorMeta";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { Scalar } from "#c10/core/Scalar";
import { isFloatingType, ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_INDEX, TORCH_CHECK_NOT_IMPLEMENTED, TORCH_WARN_ONCE } from "#c10/util/Exception";
import { check_index_func } from "./IndexAdd.ts";
import { neutral, type ScatterReduction } from "./ScatterReduce.ts";

const reductions: readonly string[] = ["prod", "mean", "amax", "amin"] satisfies ScatterReduction[];

export abstract class structured_index_reduce extends MetaBase {
  meta(
    self: Tensor,
    dim_: number,
    index: Tensor,
    source: Tensor,
    reduce: string,
    _include_self: boolean,
  ): { dim: number } {
    TORCH_CHECK(
      reductions.includes(reduce),
      "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got ",
      reduce,
      ".",
    );
    const dim = maybe_wrap_dim(dim_, self.dim());
    check_index_func("index_reduce", self, dim, index, source);
    const given = this.maybe_get_output(0);
    const check_result = given?.defined() === true;
    this.set_output_raw_strided(0, self.sizes(), [], self.options());
    if (check_result) {
      assert_no_internal_overlap(given);
      assert_no_overlap(given, index);
      assert_no_overlap(given, source);
    }
    return { dim };
  }
}

// index_reduce.out                                                                  CPU
export abstract class structured_index_reduce_cpu_out extends structured_index_reduce {
  impl(
    self: Tensor,
    dim: number,
    index: Tensor,
    source: Tensor,
    reduce_: string,
    include_self: boolean,
    result: Tensor,
  ): void {
    TORCH_WARN_ONCE("index_reduce() is in beta and the API may change at any time.");
    const reduce = reduce_ as ScatterReduction; // meta has checked it
    const is_bool = self.scalar_type() === ScalarType.Bool;
    if (!result.is_same(self)) result.copy_(self);
    if (!include_self) {
      TORCH_CHECK_NOT_IMPLEMENTED(!is_bool, "\"index_reduce_func_exclude_input_init\" not implemented for 'Bool'");
      result.index_fill__int_Scalar(dim, index.to_dtype(ScalarType.Long), neutral(reduce, result.scalar_type()));
    }
    const like_result = include_self ? at.ones_like : at.zeros_like;
    const counts = result.dim() > 1 ? null : like_result(result); // only the mean reads them
    if (result.dim() > 1) {
      if (index.numel() === 0) return;
      reduce_slices(result, dim, index.contiguous(), source, reduce);
    } else {
      TORCH_CHECK_NOT_IMPLEMENTED(!is_bool, "\"index_func_\" not implemented for 'Bool'");
      reduce_slices(result, dim, index.contiguous(), source, reduce);
    }
    if (reduce === "mean") divide_by_count(result, dim, index, source, counts ?? like_result(result));
  }
}

/** The first slice along `dim`. An element of a vector, or a scalar, is a slice with one element. */
function first_slice(t: Tensor, dim: number): Tensor {
  return t.dim() > 1 ? t.select_int(dim, 0) : as_strided_tensorimpl(t, [1], [1], null);
}

/** Distance of two slices along `dim`. */
function step_of(t: Tensor, dim: number): number {
  return t.dim() === 0 ? 1 : t.strides()[dim];
}

/** One iterator for all slices, which is moved from one slice to the next. */
function reduce_slices(result: Tensor, dim: number, index: Tensor, source: Tensor, reduce: ScatterReduction): void {
  if (index.numel() === 0 || source.numel() === 0) return;
  const self_slice = first_slice(result, dim);
  const source_slice = first_slice(source, dim);
  const iter = TensorIterator.borrowing_binary_op(self_slice, self_slice, source_slice);
  const size = result.dim() === 0 ? 1 : result.sizes()[dim];
  const [to_stride, from_stride] = [step_of(result, dim), step_of(source, dim)];
  const places = index.impl_.data_view();
  const begin = index.impl_.data_offset();
  const [first, from] = [result.impl_.data_offset(), source.impl_.data_offset()];
  for (let i = 0; i < index.numel(); i++) {
    const place = Number(places[begin + i]);
    TORCH_CHECK_INDEX(place >= 0 && place < size, "index out of range in self");
    const to = first + place * to_stride;
    iter.unsafe_replace_operand(0, to);
    iter.unsafe_replace_operand(1, to);
    iter.unsafe_replace_operand(2, from + i * from_stride);
    combine(iter, reduce);
  }
}

function combine(iter: TensorIterator, reduce: ScatterReduction): void {
  const device = iter.device_type(0);
  if (reduce === "prod") mul_stub.call(device, iter);
  else if (reduce === "amin") minimum_stub.call(device, iter);
  else if (reduce === "amax") maximum_stub.call(device, iter);
  else add_stub.call(device, iter, Scalar.ONE);
}

/** Divides each sum by the number of its terms, or by one if there are none. */
function divide_by_count(result: Tensor, dim: number, index: Tensor, source: Tensor, counts: Tensor): void {
  if (result.dim() > 1) counts.index_add_(dim, index, at.ones_like(source));
  else {
    const one = scalar_tensor_static(Scalar.ONE, counts.scalar_type(), counts.device());
    const ones = as_strided_tensorimpl(one, [index.numel()], [0], null);
    reduce_slices(counts, dim, index.contiguous(), ones, "sum");
  }
  counts.masked_fill__Scalar(counts.eq_Scalar(Scalar.ZERO), Scalar.ONE);
  if (isFloatingType(result.scalar_type())) result.div__Tensor(counts);
  else result.div__Tensor_mode(counts, "floor");
}
