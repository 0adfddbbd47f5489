/**
 * @file The exports of `torch.nn`.
 * @mirrors torch/nn/__init__.py
 */

export * as attention from "./attention/index.ts";
export * as functional from "./functional/index.ts";
export * as grad from "./grad.ts";
export * as init from "./init.ts";
export * from "./modules/all.ts";
export * as modules from "./modules/index.ts";
export * as parallel from "./parallel/index.ts";
export { DataParallel } from "./parallel/index.ts";
export * as parameter from "./parameter/all.ts";
export { Buffer, Parameter } from "./parameter/index.ts";
export { UninitializedBuffer, UninitializedParameter } from "./parameter/lazy.ts";
export * as utils from "./utils/index.ts";
