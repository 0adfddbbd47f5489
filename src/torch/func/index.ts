/**
 * @file `torch.func`: modules as functions.
 * @mirrors torch/func/__init__.py
 * @differs Of the module the two functions that need no transform; `vmap`, `grad` and the other transforms are not here.
 */
export { functional_call, stack_module_state } from "#torch/_functorch/functional_call";
