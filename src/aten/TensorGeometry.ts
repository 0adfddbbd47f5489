/**
 * @file A tensor's shape without its data: a node keeps it to make a view of another tensor.
 * @mirrors aten/src/ATen/TensorGeometry.h
 */
import type { TensorBase } from "./core/TensorBase.ts";

export class TensorGeometry {
  private readonly sizes_: readonly number[];
  private readonly strides_: readonly number[];
  private readonly storage_offset_: number;
  private readonly numel_: number;

  constructor(sizes: readonly number[], strides: readonly number[], storage_offset: number) {
    this.sizes_ = sizes;
    this.strides_ = strides;
    this.storage_offset_ = storage_offset;
    let numel = 1;
    for (const size of sizes) numel *= size;
    this.numel_ = numel;
  }

  static of(t: TensorBase): TensorGeometry {
    return new TensorGeometry(t.sizes(), t.strides(), t.storage_offset());
  }

  sizes(): readonly number[] {
    return this.sizes_;
  }

  strides(): readonly number[] {
    return this.strides_;
  }

  storage_offset(): number {
    return this.storage_offset_;
  }

  dim(): number {
    return this.sizes_.length;
  }

  numel(): number {
    return this.numel_;
  }

  size(dim: number): number {
    return this.sizes_[dim < 0 ? dim + this.sizes_.length : dim];
  }

  stride(dim: number): number {
    return this.strides_[dim < 0 ? dim + this.strides_.length : dim];
  }
}
