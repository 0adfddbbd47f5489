/**
 * @file The exports of `torch.nn.modules.module`: the base class of modules, and the hooks for all modules.
 * @mirrors torch/nn/modules/module.py
 */

export {
  register_module_backward_hook,
  register_module_forward_hook,
  register_module_forward_pre_hook,
  register_module_full_backward_hook,
  register_module_full_backward_pre_hook,
} from "./call.ts";
export { Module } from "./index.ts";
export {
  register_module_buffer_registration_hook,
  register_module_module_registration_hook,
  register_module_parameter_registration_hook,
} from "./registration.ts";
