/**
 * @file `torch.func`: modules as functions, and transforms of functions.
 * @mirrors torch/func/__init__.py
 * @differs Of the module the three functions that need no transform; each transform is a name that says it is not here.
 * `rearrange` and `debug_unwrap` have none.
 */
export { grad, grad_and_value, vmap } from "#torch/_functorch/apis";
export { replace_all_batch_norm_modules_ } from "#torch/_functorch/batch_norm_replacement";
export {
  functionalize,
  hessian,
  jacfwd,
  jacrev,
  jvp,
  linearize,
  vjp,
} from "#torch/_functorch/eager_transforms";
export { functional_call, stack_module_state } from "#torch/_functorch/functional_call";
