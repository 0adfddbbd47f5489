/**
 * @file A tensor's sizes and strides, always of one length.
 * @mirrors c10/core/impl/SizesAndStrides.h
 * @differs Two arrays that are replaced, not changed in place, so views and results may share them; PyTorch stores up to five
 * dimensions inline to spare an allocation.
 */

const ONE_ZERO = [0];
const ONE_ONE = [1];

export class SizesAndStrides {
  /** In elements. A fresh impl is one empty dimension: sizes [0], strides [1]. */
  sizes_: number[] = ONE_ZERO;
  strides_: number[] = ONE_ONE;

  size(): number {
    return this.sizes_.length;
  }

  set(sizes: number[], strides: number[]): void {
    this.sizes_ = sizes;
    this.strides_ = strides;
  }
}
