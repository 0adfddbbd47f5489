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
import type { TypedArray } from "#c10/core/Allocator";
import { check_floating_types } from "./check_floating_types.ts";

/** Items of a batch: the last `inner` dims of the tensor are a matrix, a vector or a number. */
export class Items {
  readonly m: number;
  readonly n: number;
  private readonly view: TypedArray;
  private readonly row_stride: number;
  private readonly column_stride: number;
  /** Start of each item. */
  private readonly begin: number[] = [];

  constructor(t: Tensor, inner: 0 | 1 | 2) {
    const [sizes, strides] = [t.sizes(), t.strides()];
    const last = sizes.length;
    this.m = inner === 0 ? 1 : sizes[last - inner];
    this.n = inner === 2 ? sizes[last - 1] : 1;
    this.row_stride = inner === 0 ? 0 : strides[last - inner];
    this.column_stride = inner === 2 ? strides[last - 1] : 0;
    this.view = t.data_view();
    let begin = t.numel() === 0 ? [] : [t.data_offset()];
    for (let d = 0; d < last - inner; d++)
      begin = begin.flatMap((at) => Array.from({ length: sizes[d] }, (_, i) => at + i * strides[d]));
    this.begin = begin;
  }

  get length(): number {
    return this.begin.length;
  }

  read(b: number): Float64Array {
    const { m, n, view } = this;
    const a = new Float64Array(m * n);
    for (let j = 0; j < n; j++) {
      let at = this.begin[b] + j * this.column_stride;
      for (let i = 0; i < m; i++, at += this.row_stride) a[i + j * m] = Number(view[at]);
    }
    return a;
  }

  write(b: number, a: Readonly<ArrayLike<number>>): void {
    const { m, n, view } = this;
    for (let j = 0; j < n; j++) {
      let at = this.begin[b] + j * this.column_stride;
      for (let i = 0; i < m; i++, at += this.row_stride) {
        if (view instanceof BigInt64Array) view[at] = BigInt(a[i + j * m]);
        else view[at] = a[i + j * m];
      }
    }
  }
}

/** Items of a float32 or float64 tensor; otherwise throws `"label" not implemented for 'Half'`. */
export function matrices(t: Tensor, label: string): Items {
  check_floating_types(t.scalar_type(), label);
  return new Items(t, 2);
}
export const vectors = (t: Tensor): Items => new Items(t, 1);
export const numbers = (t: Tensor): Items => new Items(t, 0);
