/**
 * @file Dtype and sizes of a value that has not been computed.
 * @mirrors torch/csrc/lazy/core/shape.h
 * @differs No size is symbolic: PyTorch can mark sizes so, which is off by default.
 */
import { type ScalarType, toString as scalarTypeToString } from "#c10/core/ScalarType";
import { Hash, HashCombine, type hash_t } from "./hash.ts";

export class Shape {
  private readonly scalar_type_: ScalarType;
  private readonly sizes_: readonly number[];

  constructor(scalar_type: ScalarType, sizes: readonly number[]) {
    this.scalar_type_ = scalar_type;
    this.sizes_ = sizes.slice();
  }

  scalar_type(): ScalarType {
    return this.scalar_type_;
  }

  dim(): number {
    return this.sizes_.length;
  }

  sizes(): readonly number[] {
    return this.sizes_;
  }

  size(dim: number): number {
    return this.sizes_[dim];
  }

  numel(): number {
    return this.sizes_.reduce((product, size) => product * size, 1);
  }

  hash(): hash_t {
    return HashCombine(BigInt(this.scalar_type_), Hash(this.sizes_));
  }

  equals(other: Shape): boolean {
    return (
      this.scalar_type_ === other.scalar_type_ &&
      this.sizes_.length === other.sizes_.length &&
      this.sizes_.every((size, d) => size === other.sizes_[d])
    );
  }

  /** `Float[2,3]` */
  toString(): string {
    return `${scalarTypeToString(this.scalar_type_)}[${this.sizes_.join(",")}]`;
  }
}
