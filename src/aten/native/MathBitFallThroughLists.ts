/**
 * @file Lists of operators that ignore the conj and neg bits: they only rearrange or describe a tensor, and the bit
 * stays on the result.
 * @mirrors aten/src/ATen/native/MathBitFallThroughLists.h
 * @differs Ours lists only operators that exist here; PyTorch's lists have more.
 */

export const TORCH_VIEW_FNS: readonly string[] = [
  "as_strided_",
  "detach",
  "detach_",
  "diagonal",
  "expand",
  "expand_as",
  "movedim.int",
  "movedim.intlist",
  "narrow",
  "permute",
  "select.int",
  "squeeze",
  "squeeze_",
  "swapaxes",
  "swapdims",
  "transpose.int",
  "transpose_",
  "t",
  "t_",
  "unflatten.int",
  "unfold",
  "unsqueeze",
  "unsqueeze_",
  "view_as",
  "unbind.int",
  "hsplit.int",
  "hsplit.array",
  "vsplit.int",
  "vsplit.array",
  "dsplit.int",
  "dsplit.array",
  "split.Tensor",
  "split_with_sizes",
  "chunk",
  "reshape",
  "alias",
  "conj",
  "_conj",
  "real",
  "_unsafe_view",
  "resize_",
];

export const TENSOR_UTILITIES_AND_CONSTRUCTORS: readonly string[] = [
  "empty_like",
  "empty.memory_format",
  "empty.out",
  "empty_strided",
  "full_like",
  "stride.int",
  "size.int",
  "is_complex",
  "is_floating_point",
  "requires_grad_",
];

/** Views that a backend implements itself. */
export const TORCH_VIEW_FNS_NATIVE_FN_REGISTRATION: readonly string[] = ["as_strided", "view"];
