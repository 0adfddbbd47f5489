/**
 * @file Helpers shared by the fused optimizer steps.
 * @original PyTorch repeats them in FusedAdam.cpp, FusedSGD.cpp and FusedAdagrad.cpp.
 */
import type { data } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { check_type } from "#aten/TensorMethods";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, unmet } from "#c10/util/Exception";

/** First float32 of a tensor; null if the tensor is missing or empty. */
export function number_in(t: Tensor | null): number | null {
  if (t === null) return null;
  check_type(t, ScalarType.Float);
  if (t.numel() === 0) return null;
  return t.impl_.data_view()[t.impl_.data_offset()] as number;
}

/** Checks that each list has as many tensors as there are parameters. */
export function check_lengths(n: number, lists: Readonly<Record<string, readonly unknown[]>>): void {
  for (const [name, list] of Object.entries(lists))
    TORCH_CHECK(list.length === n, unmet(`${name}.size() == n_tensors`));
}

export function check_empty(name: string, list: readonly unknown[]): void {
  TORCH_CHECK(list.length === 0, unmet(`${name}.empty()`));
}

/**
 * View and position of the elements of a parameter, or of a tensor that belongs to one. The steps run through the
 * memory in its order, whatever the strides are: an optimizer's tensors have the layout of their parameter.
 * @differs Ours checks that the memory holds as many elements as the parameter has, in the words of the CUDA kernels;
 * PyTorch's CPU kernels read and write outside of it.
 */
export function memory_of(t: Tensor, param: Tensor): [view: data<number>, at: number] {
  check_type(t, param.scalar_type());
  const { impl_ } = t;
  const elements = impl_.storage().nbytes() / t.element_size() - t.storage_offset();
  TORCH_CHECK(elements >= param.numel(), "params, grads, and state must have same dtype, device, and layout");
  return [impl_.data_view() as data<number>, impl_.data_offset()];
}
