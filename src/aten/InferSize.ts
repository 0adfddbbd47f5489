/**
 * @file Inference of the `-1` in `view(2, -1)`: completes a shape from the number of elements, or throws an error that
 * says why it cannot.
 * @mirrors aten/src/ATen/InferSize.h
 */
import { TORCH_CHECK } from "#c10/util/Exception";

/** `shape` with its one `-1`, if any, replaced so that the product is `numel`. Never returns the caller's array. */
export function infer_size(shape: readonly number[], numel: number): number[] {
  const result = shape.slice();
  let known = 1;
  let inferred = -1;
  for (let dim = 0; dim < shape.length; dim++) {
    const size = shape[dim];
    if (size === -1) {
      TORCH_CHECK(inferred === -1, "only one dimension can be inferred");
      inferred = dim;
    } else {
      TORCH_CHECK(size >= 0, "invalid shape dimension ", size, " at index ", dim, " of shape ", shape);
      known *= size;
    }
  }
  const fits = numel === known || (inferred !== -1 && known > 0 && numel % known === 0);
  TORCH_CHECK(fits, "shape '", shape, "' is invalid for input of size ", numel);
  if (inferred !== -1) {
    TORCH_CHECK(
      known !== 0,
      "cannot reshape tensor of 0 elements into shape ",
      shape,
      " because the unspecified dimension size -1 can be any value and is ambiguous",
    );
    result[inferred] = numel / known;
  }
  return result;
}
