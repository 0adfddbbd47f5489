/**
 * @file `torch.nn`.
 * @mirrors torch/nn/__init__.py
 */

export * as functional from "./functional.ts";
export * as init from "./init.ts";
export { LogSoftmax, PReLU, ReLU, Sigmoid, Softmax, Tanh, Threshold } from "./modules/activation.ts";
export { ModuleDict, ModuleList, Sequential } from "./modules/container.ts";
export { ParameterDict, ParameterList } from "./modules/container_parameters.ts";
export { Dropout } from "./modules/dropout.ts";
export { Flatten } from "./modules/flatten.ts";
export { Identity, Linear } from "./modules/linear.ts";
export { CrossEntropyLoss, NLLLoss } from "./modules/loss.ts";
export { Module } from "./modules/module.ts";
export {
  register_module_forward_hook,
  register_module_forward_pre_hook,
  register_module_full_backward_hook,
  register_module_full_backward_pre_hook,
} from "./modules/module_call.ts";
export { Buffer, Parameter } from "./parameter.ts";
