/**
 * @file `vmap`, `grad` and `grad_and_value` of `torch.func`.
 * @mirrors torch/_functorch/apis.py
 * @differs Ours raises NotImplementedError at each call; PyTorch runs the function on tensors that stand for others, in several levels
 * (BatchedTensorImpl, TensorWrapper and the stack of interpreters in `aten/src/ATen/functorch`), which do not exist here.
 */
import { type NotBuilt, not_built } from "#torch/_not_built";

/**
 * Turns a function of one sample into a function of a batch. Not built.
 * @throws {NotImplementedError} always; the message names an alternative
 */
export const vmap: NotBuilt = not_built(
  "torch.vmap",
  "vmap(func, in_dims=0, out_dims=0, randomness='error', *, chunk_size=None)",
  "call the function on each slice, and torch.stack the results",
);

export const grad: NotBuilt = not_built(
  "torch.func.grad",
  "grad(func, argnums=0, has_aux=False)",
  "torch.autograd.grad computes gradients; with create_graph=True they can be differentiated again",
);

export const grad_and_value: NotBuilt = not_built(
  "torch.func.grad_and_value",
  "grad_and_value(func, argnums=0, has_aux=False)",
  "call the function, and torch.autograd.grad on its result",
);
