/**
 * @file The loops of advanced indexing: gather, scatter, scatter with addition, and the masked copies.
 * @mirrors aten/src/ATen/native/cpu/IndexKernel.cpp
 */
import {
  AT_DISPATCH,
  type captured,
  cast,
  type InstanceOf,
  load,
  type row,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { index_put_stub, index_stub } from "#aten/native/TensorAdvancedIndexing";
import type { TensorIterator, TensorIteratorBase } from "#aten/TensorIterator";
import { IndexError, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { int32_pairs, load_int64 } from "#c10/util/math";
import { index_instances, index_put_accumulate_instances, index_put_instances } from "./generated/IndexKernel.ts";

/** Operands in front of the index tensors: the destination and the source. */
const FIRST_INDEX = 2;

/** Turns the index tensors' values at a place of the iteration into an offset, in elements, along the indexed dimensions. */
export class Indexer {
  private readonly pairs_: Int32Array[] = [];
  private readonly offsets_: number[] = [];
  private readonly steps_: number[] = [];
  private readonly sizes_: readonly number[];
  private readonly strides_: readonly number[];

  constructor(sizes: readonly number[], strides: readonly number[]) {
    this.sizes_ = sizes;
    this.strides_ = strides;
  }

  /** Index tensors from the place where row `j` of a tile begins. */
  move(operands: readonly OperandInfo[], j: number): void {
    for (let k = 0; k < operands.length - FIRST_INDEX; k++) {
      const index = operands[k + FIRST_INDEX];
      this.pairs_[k] = int32_pairs(index.view() as BigInt64Array);
      this.offsets_[k] = index.at(0, j);
      this.steps_[k] = index.inner_stride();
    }
  }

  /** All elements of the row share one index: whole rows are read or written. */
  is_constant(): boolean {
    return this.steps_.every((step) => step === 0);
  }

  private refuse(k: number, i: number): never {
    const { buffer, byteOffset } = this.pairs_[k];
    const value = new BigInt64Array(buffer, byteOffset)[this.offsets_[k] + i * this.steps_[k]];
    throw new IndexError(`index ${value} is out of bounds for dimension ${k} with size ${this.sizes_[k]}`);
  }

  get(i: number): number {
    let offset = 0;
    for (let k = 0; k < this.pairs_.length; k++) {
      const size = this.sizes_[k];
      let value = load_int64(this.pairs_[k], this.offsets_[k] + i * this.steps_[k]);
      if (value < -size || value >= size) this.refuse(k, i);
      if (value < 0) value += size;
      offset += value * this.strides_[k];
    }
    return offset;
  }
}

/** @template index_cpu: Bool, all types and halves, barebones unsigned types */
export function index(dst: row<scalar_t>, src: row<scalar_t>, n: number, indexer: captured<Indexer>): void {
  if (indexer.is_constant()) {
    const from = src.offset + cast<number>(indexer.get(0));
    for (let i = 0; i < n; i++) store(dst, i, load(src.view, from + i * src.stride));
  } else {
    for (let i = 0; i < n; i++) {
      store(dst, i, load(src.view, src.offset + i * src.stride + cast<number>(indexer.get(i))));
    }
  }
}

/** @template index_put: Bool, all types and halves */
export function index_put(dst: row<scalar_t>, src: row<scalar_t>, n: number, indexer: captured<Indexer>): void {
  for (let i = 0; i < n; i++) {
    store(dst.view, dst.offset + i * dst.stride + cast<number>(indexer.get(i)), load(src, i));
  }
}

/** Places that are named twice receive both values. @template index_put: Bool, all types and halves */
export function index_put_accumulate(
  dst: row<scalar_t>,
  src: row<scalar_t>,
  n: number,
  indexer: captured<Indexer>,
): void {
  for (let i = 0; i < n; i++) {
    const to = dst.offset + i * dst.stride + cast<number>(indexer.get(i));
    store(dst.view, to, cast<scalar_t>(load(dst.view, to) + load(src, i)));
  }
}

type Tile = InstanceOf<typeof index>;

interface IndexContext {
  readonly fn: Tile;
  readonly indexer: Indexer;
}

/** Elements from which on the engine's own copy is quicker than a loop. */
const WORTH_A_COPY = 32;

function index_tile(operands: readonly OperandInfo[], n: number, m: number, { fn, indexer }: IndexContext): void {
  const [dst, src] = operands as readonly [OperandInfo, OperandInfo]; // then the indices
  const [s0, s1] = [dst.inner_stride(), src.inner_stride()];
  for (let j = 0; j < m; j++) {
    indexer.move(operands, j);
    fn(dst.view(), dst.at(0, j), s0, src.view(), src.at(0, j), s1, n, indexer);
  }
}

/** The same where a row has one index, and its elements are neighbours on both sides. */
function index_rows(operands: readonly OperandInfo[], n: number, m: number, context: IndexContext): void {
  const [dst, src] = operands as readonly [OperandInfo, OperandInfo];
  const { indexer } = context;
  indexer.move(operands, 0);
  const copies = n >= WORTH_A_COPY && dst.inner_stride() === 1 && src.inner_stride() === 1 && indexer.is_constant();
  if (!copies) {
    index_tile(operands, n, m, context);
    return;
  }
  const [to, from] = [dst.view() as Float64Array, src.view() as Float64Array]; // whichever they are
  for (let j = 0; j < m; j++) {
    indexer.move(operands, j);
    const begin = src.at(0, j) + indexer.get(0);
    to.set(from.subarray(begin, begin + n), dst.at(0, j));
  }
}

function cpu_index_kernel(
  iter: TensorIteratorBase,
  index_size: readonly number[],
  index_stride: readonly number[],
  fn: Tile,
  tile = index_tile,
): void {
  if (iter.numel() === 0) return;
  // With no index tensor left (`x[torch.tensor(True)]` as an operator call) PyTorch asserts too.
  TORCH_INTERNAL_ASSERT(iter.ntensors() > FIRST_INDEX, "ntensor >= 3");
  iter.for_each(tile, { fn, indexer: new Indexer(index_size, index_stride) });
}

function index_kernel(iter: TensorIteratorBase, index_size: readonly number[], index_stride: readonly number[]): void {
  cpu_index_kernel(iter, index_size, index_stride, AT_DISPATCH(index_instances, iter.dtype(0)), index_rows);
}

// Duplicate indices without `accumulate`: one of the values stays, here the last.
function index_put_kernel(
  iter: TensorIterator,
  index_size: readonly number[],
  index_stride: readonly number[],
  accumulate: boolean,
): void {
  const instances = accumulate ? index_put_accumulate_instances : index_put_instances;
  cpu_index_kernel(iter, index_size, index_stride, AT_DISPATCH(instances, iter.dtype(0)));
}

REGISTER_DISPATCH(index_stub, index_kernel, "index_kernel");
REGISTER_DISPATCH(index_put_stub, index_put_kernel, "index_put_kernel");
