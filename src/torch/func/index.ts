/**
 * @file `torch.func`: modules as functions, and transforms of functions.
 * @mirrors torch/func/__init__.py
 * @differs Ours has three functions of this module, which need no transform; each transform of functions raises, and `rearrange` and
 * `debug_unwrap` do not exist. PyTorch has all of them.
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
