/**
 * @file `torch.nn.modules.module`: the base of modules, and hooks common to all of them.
 * @mirrors torch/nn/modules/module.py
 */

export { Module } from "./module.ts";
export {
  register_module_backward_hook,
  register_module_forward_hook,
  register_module_forward_pre_hook,
  register_module_full_backward_hook,
  register_module_full_backward_pre_hook,
} from "./module_call.ts";
export {
  register_module_buffer_registration_hook,
  register_module_module_registration_hook,
  register_module_parameter_registration_hook,
} from "./module_registration.ts";
