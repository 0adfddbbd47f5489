/**
 * @file `torch.func`: modules as functions, and transforms of functions.
 * @mirrors torch/func/__init__.py
 * @differs `rearrange` does not exist here; PyTorch has it.
 */
export { grad, grad_and_value, vmap } from "#torch/_functorch/apis";
export { replace_all_batch_norm_modules_ } from "#torch/_functorch/batch_norm_replacement";
export {
  debug_unwrap,
  functionalize,
  hessian,
  jacfwd,
  jacrev,
  jvp,
  linearize,
  vjp,
} from "#torch/_functorch/eager_transforms/index";
export { functional_call, stack_module_state } from "#torch/_functorch/functional_call";
