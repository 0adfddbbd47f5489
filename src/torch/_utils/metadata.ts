/**
 * @file The bits of a tensor that are saved beside its view of a storage: whether its values are to be negated or conjugated.
 * @mirrors torch/_utils.py#get_tensor_metadata
 */
import { AssertionError, NotImplementedError } from "#c10/util/Exception";
import { python_type } from "#torch/_C";
import type { Tensor } from "#torch/_tensor/index";

/** The flags `conj` and `neg`, if they are set. */
export function get_tensor_metadata(tensor: Tensor): { neg?: true } {
  return tensor.is_neg() ? { neg: true } : {};
}

export function set_tensor_metadata(tensor: Tensor, metadata: unknown): void {
  if (!(metadata instanceof Map)) throw new AssertionError(`expected dict, got ${python_type(metadata)}`);
  if (metadata.get("conj")) throw new NotImplementedError("complex tensors are not built here");
  if (metadata.get("neg")) tensor.cdata._set_neg(true);
}
