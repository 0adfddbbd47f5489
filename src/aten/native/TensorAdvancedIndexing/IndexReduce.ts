/**
 * @file `index_reduce`: slices of a source are combined with slices selected by a vector of indices.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexing.cpp
 * @see IndexAdd.ts (with sums), ScatterReduce.ts (element by element)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { assert_no_internal_overlap, assert_no_overlap } from "#aten/MemoryOverlap";
import { add_stub, maximum_stub, minimum_stub, mul_stub } from "#aten/native/BinaryOps/index";
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
    if (result.dim() > 1) {
      if (index.numel() === 0) return;
      reduce_slices(result, dim, index.contiguous(), source, reduce);
    } else {
      TORCH_CHECK_NOT_IMPLEMENTED(!is_bool, "\"index_func_\" not implemented for 'Bool'");
      reduce_slices(as_matrix(result), 0, index.contiguous(), as_matrix(source), reduce);
    }
    if (reduce === "mean") divide_by_count(result, dim, index, source, include_self);
  }
}

/** A vector, or a scalar, as a column: its elements are slices, too. */
function as_matrix(t: Tensor): Tensor {
  return t.as_strided([t.numel(), 1], [t.dim() === 0 ? 1 : t.strides()[0], 1]);
}

/** One iterator for all slices, which is moved from one slice to the next. */
function reduce_slices(result: Tensor, dim: number, index: Tensor, source: Tensor, reduce: ScatterReduction): void {
  if (index.numel() === 0 || source.numel() === 0) return;
  const self_slice = result.select_int(dim, 0);
  const source_slice = source.select_int(dim, 0);
  const iter = TensorIterator.borrowing_binary_op(self_slice, self_slice, source_slice);
  const size = result.sizes()[dim];
  const [to_stride, from_stride] = [result.strides()[dim], source.strides()[dim]];
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
function divide_by_count(result: Tensor, dim: number, index: Tensor, source: Tensor, include_self: boolean): void {
  const counts = include_self ? at.ones_like(result) : at.zeros_like(result);
  counts.index_add_(dim, index, at.ones_like(source));
  counts.masked_fill__Scalar(counts.eq_Scalar(Scalar.ZERO), Scalar.ONE);
  if (isFloatingType(result.scalar_type())) result.div__Tensor(counts);
  else result.div__Tensor_mode(counts, "floor");
}
