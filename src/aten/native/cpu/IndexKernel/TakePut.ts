/**
 * @file Kernels of `take` and `put_`.
 * @mirrors aten/src/ATen/native/cpu/IndexKernel.cpp
 */
import {
  AT_DISPATCH,
  type captured,
  cast,
  type data,
  type InstanceOf,
  type Instantiations,
  type int64,
  load,
  type row,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import {
  put_accumulate_instances,
  put_instances,
  take_instances,
} from "#aten/native/cpu/generated/IndexKernel/TakePut";
import { type Move, type Moves, move_of, told_of_moves } from "#aten/native/cpu/vec/index/driver";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { put_stub, take_stub } from "#aten/native/TensorAdvancedIndexing/TakePut";
import type { TensorIterator } from "#aten/TensorIterator";
import { IndexError } from "#c10/util/Exception";
import { type TraceData, traceCall, tracer } from "#c10/util/Trace";

/** An index for messages. It is limited to int64, because the nearest double of the largest index is beyond int64. */
function as_int64(index: number): bigint {
  return index >= 2 ** 63 ? 2n ** 63n - 1n : BigInt(index);
}

/** Converts an element's number to its position in memory, for any strides. */
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

/** Values shared by all tiles. `move` is the WebAssembly loop, used for contiguous tensors. */
interface Access {
  readonly fn: InstanceOf<typeof take>;
  readonly indexed: Tensor;
  readonly offset: IndexToOffset;
  readonly move: Move | null;
}

function take_put_tile(operands: readonly OperandInfo[], n: number, m: number, access: Access): void {
  const [x, index] = operands as readonly [OperandInfo, OperandInfo];
  const { fn, indexed, offset, move } = access;
  const view = indexed.impl_.data_view();
  const [s0, s1] = [x.inner_stride(), index.inner_stride()];
  for (let j = 0; j < m; j++) {
    const done = move === null ? 0 : move_row(move, indexed, [x.at(0, j), s0], [index.at(0, j), s1], n, x.is_output);
    if (done < n) fn(x.view(), x.at(done, j), s0, index.view(), index.at(done, j), s1, view, n - done, offset);
  }
}

type Line = readonly [begin: number, step: number];

/** Returns the number of elements before the first index that is out of range; these are done. */
function move_row(move: Move, indexed: Tensor, [x, x_step]: Line, [at, step]: Line, n: number, takes: boolean): number {
  const begin = indexed.impl_.data_offset();
  return takes ? move(x, x_step, 0, begin, 0, 1, at, step, n) : move(begin, 0, 1, x, x_step, 0, at, step, n);
}

function cpu_take_put_kernel(
  iter: TensorIterator,
  indexed: Tensor,
  [symbol, instances]: readonly [string, Instantiations<typeof take>],
  kind: "move" | "add",
): void {
  const fn = AT_DISPATCH(instances, iter.dtype(0));
  const size = indexed.numel();
  const operands = [indexed, iter.tensor(0), iter.tensor(1)].map((t) => t.impl_);
  const against = indexed.is_contiguous() ? null : "a tensor that is not contiguous";
  const moves: Moves = { kind, operands, runs: [iter.numel(), 1], least: -size, size, against };
  const access = { fn, indexed, offset: new IndexToOffset(indexed), move: move_of(moves) };
  if (tracer === null) iter.for_each(take_put_tile, access);
  else callSlow(iter, access, told_of_moves(moves, symbol, "IndexKernel/TakePut"));
}

function callSlow(iter: TensorIterator, access: Access, told: TraceData): void {
  const for_each = iter.for_each.bind(iter) as (loop: typeof take_put_tile, access: Access) => void;
  traceCall("loop", told["scalar"] as string, for_each, [take_put_tile, access], told);
}

function take_kernel(iter: TensorIterator, input: Tensor): void {
  cpu_take_put_kernel(iter, input, ["take", take_instances], "move");
}

function put_kernel(iter: TensorIterator, self: Tensor, accumulate: boolean): void {
  if (accumulate) cpu_take_put_kernel(iter, self, ["put_accumulate", put_accumulate_instances], "add");
  else cpu_take_put_kernel(iter, self, ["put", put_instances], "move");
}

REGISTER_DISPATCH(take_stub, take_kernel, "take_kernel");
REGISTER_DISPATCH(put_stub, put_kernel, "put_kernel");
