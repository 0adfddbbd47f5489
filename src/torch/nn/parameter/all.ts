/**
 * @file The exports of `torch.nn.parameter`.
 * @mirrors torch/nn/parameter.py
 */
export { Buffer, Parameter } from "./index.ts";
export { is_lazy, UninitializedBuffer, UninitializedParameter } from "./lazy.ts";
