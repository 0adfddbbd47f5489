/**
 * @file The exports of `torch.nn.modules`.
 * @mirrors torch/nn/modules/__init__.py
 */

export * as _functions from "./_functions.ts";
export * from "./all.ts";
export * as module from "./module/all.ts";
