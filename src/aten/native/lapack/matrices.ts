/**
 * @file How the operators hand their matrices to the routines of this folder: one by one, in columns of doubles.
 * @original LAPACK reads a tensor's memory in place; here a routine gets a copy, `a`, in which element (i, j) is `a[i + j * m]`.
 *
 * float32 is computed in double, too, and rounded once, at the end: so results are as near as float32 can be, and there is one text of each routine.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { TypedArray } from "#c10/core/Allocator";
import { check_floating_types } from "./check_floating_types.ts";

/** The items of a batch: its last `inner` dims are a matrix, a vector or a number. */
export class Items {
  readonly m: number;
  readonly n: number;
  private readonly view: TypedArray;
  private readonly row_stride: number;
  private readonly column_stride: number;
  /** Where each item begins. */
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

/** Of one dtype among float32 and float64; else `"label" not implemented for 'Half'`. */
export function matrices(t: Tensor, label: string): Items {
  check_floating_types(t.scalar_type(), label);
  return new Items(t, 2);
}
export const vectors = (t: Tensor): Items => new Items(t, 1);
export const numbers = (t: Tensor): Items => new Items(t, 0);
