/**
 * @file Interface between the operators and the routines of this folder: matrices are passed one by one, as columns of
 * doubles.
 * @original LAPACK reads a tensor's memory in place; here a routine gets a copy, `a`, in which element (i, j) is `a[i +
 * j * m]`.
 *
 * float32 is computed in double, too, and rounded once at the end. Results are then as exact as float32 allows, and one
 * version of each routine is enough.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { MemoryBlock, TypedArray } from "#c10/core/Allocator";
import { cpu_heap } from "#c10/core/CPUHeap";
import { check_floating_types } from "./check_floating_types.ts";
import type { StridedMatrix } from "./trsv.ts";

/** Copies a matrix to contiguous columns, or back (`from` and `to` exchanged). Strides are those of the tensor. */
function copy_strided(
  m: number,
  n: number,
  to: Float64Array,
  to_at: number,
  to_row: number,
  to_column: number,
  from: Readonly<ArrayLike<number>>,
  from_at: number,
  from_row: number,
  from_column: number,
): void {
  for (let j = 0; j < n; j++) {
    let [t, f] = [to_at + j * to_column, from_at + j * from_column];
    for (let i = 0; i < m; i++) {
      to[t] = from[f];
      t += to_row;
      f += from_row;
    }
  }
}

/** Items of a batch: the last `inner` dims of the tensor are a matrix, a vector or a number. */
export class Items {
  readonly m: number;
  readonly n: number;
  private readonly tensor: Tensor;
  private readonly view: TypedArray;
  private readonly row_stride: number;
  private readonly column_stride: number;
  /** Start of each item. */
  private readonly begin: number[] = [];

  /** @param transposed whether the rows of matrices are taken for their columns; no call shows it, unlike `mT` */
  constructor(t: Tensor, inner: 0 | 1 | 2, transposed = false) {
    const [sizes, strides] = [t.sizes(), t.strides()];
    const last = sizes.length;
    const [rows, columns] = transposed ? [last - 1, last - 2] : [last - inner, last - 1];
    this.m = inner === 0 ? 1 : sizes[rows];
    this.n = inner === 2 ? sizes[columns] : 1;
    this.row_stride = inner === 0 ? 0 : strides[rows];
    this.column_stride = inner === 2 ? strides[columns] : 0;
    this.tensor = t;
    this.view = t.data_view();
    let begin = t.numel() === 0 ? [] : [t.data_offset()];
    for (let d = 0; d < last - inner; d++)
      begin = begin.flatMap((at) => Array.from({ length: sizes[d] }, (_, i) => at + i * strides[d]));
    this.begin = begin;
  }

  get length(): number {
    return this.begin.length;
  }

  /** Whether an item is `m` times `n` numbers in a row, in order of columns. */
  private get contiguous(): boolean {
    return (this.m === 1 || this.row_stride === 1) && (this.n === 1 || this.column_stride === this.m);
  }

  read(b: number): Float64Array {
    const a = new Float64Array(this.m * this.n);
    this.read_into(a, this.begin[b]);
    return a;
  }

  /** Whether the item's own memory is what routines work on. */
  private get in_place(): boolean {
    return this.view instanceof Float64Array && this.contiguous;
  }

  /**
   * The item's own memory if it is contiguous doubles, else a copy, in the heap if there is room. Both may be used until
   * `release`.
   */
  take(b: number): Float64Array {
    held.push(this.tensor);
    const begin = this.begin[b];
    const count = this.m * this.n;
    if (this.in_place) return (this.view as Float64Array).subarray(begin, begin + count);
    const block = count < FEWEST_IN_HEAP ? null : (cpu_heap()?.allocate(count * 8, "kernel") ?? null);
    if (block === null) return this.read(b);
    blocks.push(block);
    const a = new Float64Array(block.buffer as ArrayBuffer, block.begin, count);
    this.read_into(a, begin);
    return a;
  }

  /** A float32 item where it lies; null if it has another dtype, whose routines need no copy. */
  where_it_lies(b: number): StridedMatrix | null {
    if (!(this.view instanceof Float32Array)) return null;
    return { view: this.view, at: this.begin[b], row: this.row_stride, column: this.column_stride };
  }

  private read_into(a: Float64Array, begin: number): void {
    const { m, n, view } = this;
    if (view instanceof BigInt64Array || view instanceof BigUint64Array) {
      for (let i = 0; i < m; i++) a[i] = Number(view[begin + i * this.row_stride]);
    } else if (view instanceof Float64Array && this.contiguous) a.set(view.subarray(begin, begin + m * n));
    else if (view instanceof Float32Array && this.contiguous) for (let i = 0; i < a.length; i++) a[i] = view[begin + i];
    else copy_strided(m, n, a, 0, 1, m, view, begin, this.row_stride, this.column_stride);
  }

  /** Writes what became of the copy; what `take` gave in place is already written. */
  write(b: number, a: Readonly<ArrayLike<number>>): void {
    const { m, n, view } = this;
    const begin = this.begin[b];
    if (view instanceof BigInt64Array || view instanceof BigUint64Array) {
      for (let i = 0; i < m; i++) view[begin + i * this.row_stride] = BigInt(a[i]);
    } else if (view instanceof Float64Array && this.contiguous) {
      const own = a instanceof Float64Array && a.buffer === view.buffer && a.byteOffset === begin * 8;
      if (!own) view.set(a, begin);
    } else if (view instanceof Float32Array && this.contiguous)
      for (let i = 0; i < a.length; i++) view[begin + i] = a[i];
    else copy_strided(m, n, view as Float64Array, begin, this.row_stride, this.column_stride, a, 0, 1, m);
  }
}

/** Number of elements from which a copy is made in the heap: there, SIMD works on it without another copy. */
const FEWEST_IN_HEAP = 256;

/**
 * Tensors and blocks that routines use. The engine may consider a tensor dead after its last use, and a routine that
 * requests memory would then get the tensor's own; see Note [Addresses last until memory is wanted].
 */
const held: Tensor[] = [];
const blocks: MemoryBlock[] = [];

/** Ends the use of everything that `take` gave. */
export function release(): void {
  for (const block of blocks) cpu_heap()?.free(block);
  blocks.length = 0;
  held.length = 0;
}

/** Items of a float32 or float64 tensor; otherwise throws `"label" not implemented for 'Half'`. */
export function matrices(t: Tensor, label: string, transposed = false): Items {
  check_floating_types(t.scalar_type(), label);
  return new Items(t, 2, transposed);
}
export const vectors = (t: Tensor): Items => new Items(t, 1);
export const numbers = (t: Tensor): Items => new Items(t, 0);
