/**
 * @file `torch.nn.parameter`: what the module holds.
 * @mirrors torch/nn/parameter.py
 */
export { Buffer, Parameter } from "./parameter.ts";
export { is_lazy, UninitializedBuffer, UninitializedParameter } from "./parameter_lazy.ts";
