/**
 * @file The loops of `take` and `put_`.
 * @mirrors aten/src/ATen/native/cpu/IndexKernel.cpp
 */
import {
  AT_DISPATCH,
  type captured,
  cast,
  type data,
  type InstanceOf,
  type int64,
  load,
  type row,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { put_stub, take_stub } from "#aten/native/TakePut";
import type { TensorIterator } from "#aten/TensorIterator";
import { IndexError } from "#c10/util/Exception";
import { put_accumulate_instances, put_instances, take_instances } from "./generated/TakePutKernel.ts";

/** An index as messages show it; the nearest double of the greatest ones is beyond int64. */
function as_int64(index: number): bigint {
  return index >= 2 ** 63 ? 2n ** 63n - 1n : BigInt(index);
}

/** From an element's number to its place in memory, for any strides. */
export class IndexToOffset {
  private readonly sizes_: readonly number[];
  private readonly strides_: readonly number[];
  private readonly numel_: number;
  private readonly begin_: number;
  private readonly contiguous_: boolean;

  constructor(tensor: Tensor) {
    this.sizes_ = tensor.sizes();
    this.strides_ = tensor.strides();
    this.numel_ = tensor.numel();
    this.begin_ = tensor.impl_.data_offset();
    this.contiguous_ = tensor.is_contiguous();
  }

  get(index: number): number {
    if (index < -this.numel_ || index >= this.numel_)
      throw new IndexError(
        `out of range: tried to access index ${as_int64(index)} on a tensor of ${this.numel_} elements.`,
      );
    let left = index < 0 ? index + this.numel_ : index;
    if (this.contiguous_) return this.begin_ + left;
    let offset = this.begin_;
    for (let d = this.sizes_.length - 1; d >= 0; d--) {
      offset += (left % this.sizes_[d]) * this.strides_[d];
      left = Math.floor(left / this.sizes_[d]);
    }
    return offset;
  }
}

/** @template take_cpu: Bool, all types and halves */
export function take(
  iterated: row<scalar_t>,
  index: row<int64>,
  indexed: data<scalar_t>,
  n: number,
  offset: captured<IndexToOffset>,
): void {
  for (let i = 0; i < n; i++) {
    store(iterated, i, load(indexed, cast<number>(offset.get(cast<number>(load(index, i))))));
  }
}

/** @template take_put_cpu: Bool, all types and halves */
export function put(
  iterated: row<scalar_t>,
  index: row<int64>,
  indexed: data<scalar_t>,
  n: number,
  offset: captured<IndexToOffset>,
): void {
  for (let i = 0; i < n; i++) {
    store(indexed, cast<number>(offset.get(cast<number>(load(index, i)))), load(iterated, i));
  }
}

/** @template take_put_cpu: Bool, all types and halves */
export function put_accumulate(
  iterated: row<scalar_t>,
  index: row<int64>,
  indexed: data<scalar_t>,
  n: number,
  offset: captured<IndexToOffset>,
): void {
  for (let i = 0; i < n; i++) {
    const to = cast<number>(offset.get(cast<number>(load(index, i))));
    store(indexed, to, cast<scalar_t>(load(indexed, to) + load(iterated, i)));
  }
}

type Tile = InstanceOf<typeof take>;

function take_put_tile(
  operands: readonly OperandInfo[],
  n: number,
  m: number,
  fn: Tile,
  indexed: Tensor,
  offset: IndexToOffset,
): void {
  const [x, index] = operands as readonly [OperandInfo, OperandInfo];
  const view = indexed.impl_.data_view();
  const [s0, s1] = [x.inner_stride(), index.inner_stride()];
  for (let j = 0; j < m; j++) fn(x.view(), x.at(0, j), s0, index.view(), index.at(0, j), s1, view, n, offset);
}

function take_kernel(iter: TensorIterator, input: Tensor): void {
  const fn = AT_DISPATCH(take_instances, iter.dtype(0));
  iter.for_each(take_put_tile, fn, input, new IndexToOffset(input));
}

function put_kernel(iter: TensorIterator, self: Tensor, accumulate: boolean): void {
  const fn = AT_DISPATCH(accumulate ? put_accumulate_instances : put_instances, iter.dtype(0));
  iter.for_each(take_put_tile, fn, self, new IndexToOffset(self));
}

REGISTER_DISPATCH(take_stub, take_kernel, "take_kernel");
REGISTER_DISPATCH(put_stub, put_kernel, "put_kernel");
