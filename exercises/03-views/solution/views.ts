/**
 * @file Three views, made only of shape, strides and offset.
 * @mirrors aten/src/ATen/native/TensorShape.cpp
 */
import type torch from "glasstorch";

type Tensor = ReturnType<typeof torch.tensor>;

// x.shape             [3, 4]     an array
// x.stride()          [4, 1]     an array, in elements
// x.storage_offset()  0          where x begins in its storage
// x.as_strided(shape, strides, storage_offset)     a view with these three, on the same storage

/** torch.narrow(x, dim, start, length): `length` slices along `dim`, from `start` on. */
export function narrow(x: Tensor, dim: number, start: number, length: number): Tensor {
  // ex:begin(03.narrow)
  const shape = [...x.shape];
  shape[dim] = length;
  const strides = x.stride();
  return x.as_strided(shape, strides, x.storage_offset() + start * strides[dim]);
  // ex:stub
  // return x;
  // ex:end
}

/** torch.diagonal(x) of a matrix: x[0, 0], x[1, 1], ... */
export function diagonal(x: Tensor): Tensor {
  // ex:begin(03.diagonal)
  const [rows, columns] = x.shape;
  const [down, right] = x.stride();
  return x.as_strided([Math.min(rows, columns)], [down + right], x.storage_offset());
  // ex:stub
  // return x;
  // ex:end
}

/** x.unfold(0, size, step) of a vector: windows of `size` elements that begin at 0, at `step`, at 2 * `step`, ... as long as they fit. */
export function unfold(x: Tensor, size: number, step: number): Tensor {
  // ex:begin(03.unfold)
  const windows = Math.floor((x.shape[0] - size) / step) + 1;
  const [stride] = x.stride();
  return x.as_strided([windows, size], [step * stride, stride], x.storage_offset());
  // ex:stub
  // return x;
  // ex:end
}
