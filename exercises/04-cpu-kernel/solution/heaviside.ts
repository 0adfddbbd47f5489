/**
 * @file heaviside(x, v): 0 below zero, 1 above it, and v at zero. A kernel for the CPU, with its loop.
 * @mirrors aten/src/ATen/native/cpu/BinaryOpsKernel.cpp
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import { TensorIterator } from "#aten/TensorIterator";

/** The data of one tensor in an iterator: its memory, the beginning of the tile, the distance to the next element and to the next row. */
interface Operand {
  /** The whole memory, as a typed array. */
  view(): Float32Array;
  readonly offset: number;
  inner_stride(): number;
  outer_stride(): number;
}

export function heaviside(x: Tensor, v: Tensor): Tensor {
  // Finds shape and dtype of the result, makes it, and plans how to go through the memory of all three tensors.
  const iter = TensorIterator.borrowing_binary_op(new Tensor(), x, v);
  iter.for_each(loop as never);
  return iter.output();
}

/** One tile: `rows` times `columns` elements of each operand. The output comes first. */
function loop([out, x, v]: Operand[], columns: number, rows: number): void {
  // ex:begin(04.value)
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const place = (operand: Operand) => operand.offset + i * operand.inner_stride() + j * operand.outer_stride();
      const a = x.view()[place(x)];
      out.view()[place(out)] = a === 0 ? v.view()[place(v)] : a > 0 ? 1 : 0;
    }
  }
  // ex:stub
  // for (let i = 0; i < columns; i++) {
  //   const a = x.view()[i];
  //   out.view()[i] = a === 0 ? v.view()[i] : a > 0 ? 1 : 0;
  // }
  // ex:end
}
