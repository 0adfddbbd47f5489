/**
 * @file Transforms of `torch.func` that are made of others: products with a Jacobian, Jacobians, Hessians.
 * @mirrors torch/_functorch/eager_transforms.py
 * @differs Ours raises NotImplementedError at each call, see apis.ts; PyTorch computes them. Most have an older counterpart in
 * `torch.autograd.functional`.
 */
import { type NotBuilt, not_built } from "#torch/_not_built";

export const vjp: NotBuilt = not_built(
  "torch.func.vjp",
  "vjp(func, *primals, has_aux=False)",
  "torch.autograd.functional.vjp computes such products",
);

export const jvp: NotBuilt = not_built(
  "torch.func.jvp",
  "jvp(func, primals, tangents, *, strict=False, has_aux=False)",
  "it needs forward-mode AD; torch.autograd.functional.jvp computes such products by two backward passes",
);

export const jacrev: NotBuilt = not_built(
  "torch.func.jacrev",
  "jacrev(func, argnums=0, *, has_aux=False, chunk_size=None, _preallocate_and_copy=False)",
  "torch.autograd.functional.jacobian computes Jacobians",
);

export const jacfwd: NotBuilt = not_built(
  "torch.func.jacfwd",
  "jacfwd(func, argnums=0, has_aux=False, *, randomness='error')",
  "it needs forward-mode AD; torch.autograd.functional.jacobian computes Jacobians in reverse mode",
);

export const hessian: NotBuilt = not_built(
  "torch.func.hessian",
  "hessian(func, argnums=0)",
  "torch.autograd.functional.hessian computes Hessians",
);

export const linearize: NotBuilt = not_built(
  "torch.func.linearize",
  "linearize(func, *primals)",
  "it needs forward-mode AD; torch.autograd.functional.jvp computes such products by two backward passes",
);

export const functionalize: NotBuilt = not_built(
  "torch.func.functionalize",
  "functionalize(func, *, remove='mutations')",
  "in-place changes cannot be removed from a function here",
);
