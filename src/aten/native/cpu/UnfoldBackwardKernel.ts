/**
 * @file Kernel of `unfold`'s gradient, for windows that overlap.
 * @mirrors aten/src/ATen/native/UnfoldBackward.h
 */
import {
  AT_DISPATCH,
  type captured,
  cast,
  type InstanceOf,
  type int64,
  load,
  type row,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { unfold_backward_stub } from "#aten/native/UnfoldBackward";
import { type TensorIterator, TensorIteratorConfig } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { unfold_row_instances } from "./generated/UnfoldBackwardKernel.ts";

/** The windows that contain an element, and its position in them. */
export class Windows {
  private readonly size: number;
  private readonly step: number;
  private readonly folds: number;
  private readonly fold_stride: number;
  private readonly place_stride: number;

  constructor(grad_in: Tensor, dim: number, size: number, step: number) {
    const last_dim = maybe_wrap_dim(-1, grad_in.dim());
    this.fold_stride = stride_along(grad_in, dim);
    this.place_stride = stride_along(grad_in, last_dim);
    this.folds = size_along(grad_in, dim);
    this.size = size;
    this.step = step;
  }

  first(place: number): number {
    const fold = place > this.size ? Math.trunc((place - this.size) / this.step) : 0;
    return fold * this.step <= place && place < fold * this.step + this.size ? fold : fold + 1;
  }

  last(place: number): number {
    return Math.min(Math.trunc(place / this.step), this.folds - 1);
  }

  at(place: number, fold: number): number {
    return fold * this.fold_stride + (place - fold * this.step) * this.place_stride;
  }
}

/**
 * Adds to each element the gradients from all windows that contain it.
 * @template unfold_backward_cpu: Bool, all types and halves
 */
export function unfold_row(
  grad_out: row<scalar_t>,
  grad_in: row<scalar_t>,
  places: row<int64>,
  n: number,
  windows: captured<Windows>,
): void {
  for (let i = 0; i < n; i++) {
    const place = cast<number>(load(places, i));
    const last = cast<number>(windows.last(place));
    const from = grad_in.offset + i * grad_in.stride;
    for (let fold = cast<number>(windows.first(place)); fold <= last; fold++) {
      const at = from + cast<number>(windows.at(place, fold));
      store(grad_out, i, cast<scalar_t>(load(grad_out, i) + load(grad_in.view, at)));
    }
  }
}

interface Context {
  readonly fn: InstanceOf<typeof unfold_row>;
  readonly windows: Windows;
}

function unfold_loop(operands: readonly OperandInfo[], n: number, m: number, { fn, windows }: Context): void {
  const [out, grad_in, places] = operands as readonly [OperandInfo, OperandInfo, OperandInfo];
  const [s0, s1, s2] = [out.inner_stride(), grad_in.inner_stride(), places.inner_stride()];
  for (let j = 0; j < m; j++)
    fn(
      out.view(),
      out.at(0, j),
      s0,
      grad_in.view(),
      grad_in.at(0, j),
      s1,
      places.view(),
      places.at(0, j),
      s2,
      n,
      windows,
    );
}

/** A tensor without dims is treated as one with a dim of size 1. */
const nonempty = (list: readonly number[]): number[] => (list.length === 0 ? [1] : list.slice());
const size_along = (t: Tensor, dim: number): number => (t.dim() === 0 ? 1 : t.size(dim));
const stride_along = (t: Tensor, dim: number): number => (t.dim() === 0 ? 1 : t.stride(dim));

/**
 * Iterator over the places that windows reach. The loop itself runs over `dim` of the windows, and over positions
 * within a window.
 */
function _make_unfold_backward_iter_over_grad_out(
  grad_out: Tensor,
  grad_in: Tensor,
  dim: number,
  size: number,
  step: number,
): TensorIterator {
  const iter_dim_size = Math.min(size_along(grad_out, dim), (size_along(grad_in, dim) - 1) * step + size);
  const out_strides = nonempty(grad_out.strides());
  const out_sizes = nonempty(grad_out.sizes());
  out_sizes[dim] = iter_dim_size;
  const grad_out_restrided = grad_out.as_strided(out_sizes, out_strides);
  const in_strides = nonempty(grad_in.strides());
  const in_sizes = nonempty(grad_in.sizes());
  in_strides[dim] = 0;
  in_sizes[dim] = 1;
  in_strides.pop();
  in_sizes.pop();
  const grad_in_restrided = grad_in.squeeze_dim(-1).as_strided(in_sizes, in_strides);
  const longs = grad_in.options().dtype(ScalarType.Long);
  const places = at.arange_start(Scalar.ZERO, Scalar.fromInt(iter_dim_size), longs);
  const place_sizes = out_sizes.map((_, d) => (d === dim ? iter_dim_size : 1));
  const place_strides = out_sizes.map((_, d) => (d === dim ? 1 : 0));
  return new TensorIteratorConfig()
    .set_check_mem_overlap(false)
    .check_all_same_dtype(false)
    .resize_outputs(false)
    .add_output(grad_out_restrided)
    .add_const_input(grad_in_restrided)
    .add_const_input(places.as_strided(place_sizes, place_strides))
    .build();
}

function unfold_backward_cpu_kernel(grad_out: Tensor, grad_in: Tensor, dim_: number, size: number, step: number): void {
  const dim = maybe_wrap_dim(dim_, grad_out.dim());
  const windows = new Windows(grad_in, dim, size, step);
  stride_along(grad_out, dim); // throws if there is no such dim
  const iter = _make_unfold_backward_iter_over_grad_out(grad_out, grad_in, dim, size, step);
  const fn = AT_DISPATCH(unfold_row_instances, iter.dtype(0));
  if (iter.numel() > 0) iter.for_each(unfold_loop, { fn, windows });
}

REGISTER_DISPATCH(unfold_backward_stub, unfold_backward_cpu_kernel, "unfold_backward_cpu_kernel");
