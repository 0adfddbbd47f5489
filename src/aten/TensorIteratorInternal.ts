/**
 * @file Walking an n-dimensional range tile by tile: the position of a flat index in the shape, and the size of the
 * next 2-D tile.
 * @mirrors aten/src/ATen/TensorIteratorInternal.h
 */

/** A position in the range. Dimension 0 is the fastest. */
export class DimCounter {
  readonly shape: readonly number[];
  readonly end: number;
  readonly values: number[];
  offset: number;
  /** Returned by `max_2d_step` each time: a walk has as many steps as tiles, so none is allocated. */
  private readonly step_: [number, number] = [0, 0];

  constructor(shape: readonly number[], begin: number, end: number) {
    this.shape = shape;
    this.end = end;
    this.offset = begin;
    this.values = new Array<number>(shape.length).fill(0);
    if (begin === 0) return;
    let rest = begin;
    for (let dim = 0; dim < shape.length; dim++) {
      const size = shape[dim];
      if (size === 0) continue;
      this.values[dim] = rest % size;
      rest = Math.floor(rest / size);
    }
  }

  is_done(): boolean {
    return this.offset >= this.end;
  }

  /** Distance from an operand's beginning to this position, for an operand of these strides. */
  offset_of(strides: readonly number[]): number {
    const values = this.values;
    let offset = 0;
    for (let dim = 0; dim < values.length; dim++) offset += values[dim] * strides[dim];
    return offset;
  }

  /** Rows and columns of the next tile. Whole rows of dimension 0 are joined only if the position is at a row's beginning. */
  max_2d_step(): readonly [number, number] {
    const rest = this.end - this.offset;
    const size0 = this.shape[0] ?? 1;
    const step = this.step_;
    step[0] = Math.min(size0 - (this.values[0] ?? 0), rest);
    step[1] = 1;
    if (step[0] === size0 && this.shape.length > 1) {
      const left = this.shape[1] - this.values[1];
      step[1] = Math.min(left, Math.floor(rest / size0));
    }
    return step;
  }

  increment(step: readonly [number, number]): void {
    const values = this.values;
    const shape = this.shape;
    this.offset += step[0] * step[1];
    let dim = 0;
    let overflow = step[0];
    if (step[1] !== 1) {
      dim = 1;
      overflow = step[1];
    }
    for (; overflow > 0 && dim < shape.length; dim++) {
      const size = shape[dim];
      const value = values[dim] + overflow;
      overflow = value >= size ? 1 : 0;
      values[dim] = overflow === 1 ? value - size : value;
    }
  }
}
