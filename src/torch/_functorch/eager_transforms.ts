/**
 * @file Transforms of `torch.func` that are made of others: products with a Jacobian, Jacobians, Hessians.
 * @mirrors torch/_functorch/eager_transforms.py
 * @differs Ours raises NotImplementedError at each call, see apis.ts; PyTorch computes them. Most have an older counterpart in
 * `torch.autograd.functional`.
 */
import { ImportError } from "#c10/util/Exception";
import { doors } from "#torch/_doors";
import { type NotBuilt, not_built } from "#torch/_not_built";
import { def } from "#torch/_signature";

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

type Functionalize = (func: (...args: never[]) => unknown, remove: string) => (...args: unknown[]) => unknown;
let functionalize_impl: Functionalize | null = null;

/** Called by the file that knows functional tensors, which is loaded with `torch.fx`. */
export function set_functionalize(fn: Functionalize): void {
  functionalize_impl = fn;
}

/** A function that does what `func` does without mutation: in-place operators become others, and arguments are changed at the end. */
export const functionalize = def(
  "functionalize(func, *, remove='mutations')",
  (func: (...args: never[]) => unknown, remove: string): ((...args: unknown[]) => unknown) => {
    if (functionalize_impl === null) doors.require?.("fx");
    if (functionalize_impl === null)
      throw new ImportError(
        'torch.func.functionalize cannot be loaded from here: write import "glasstorch/fx" before its first use',
      );
    return functionalize_impl(func, remove);
  },
);
