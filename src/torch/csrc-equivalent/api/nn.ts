/**
 * @file The namespace `torch::nn`.
 * @mirrors torch/csrc/api/include/torch/nn.h
 */
export { Cloneable } from "./nn/cloneable.ts";
export * as functional from "./nn/functional.ts";
export * as init from "./nn/init.ts";
export { Module } from "./nn/module.ts";
export * from "./nn/modules.ts";
export * from "./nn/options.ts";
export { TORCH_MODULE } from "./nn/pimpl.ts";
export * as utils from "./nn/utils.ts";
