/**
 * @file The exports of `torch.optim`.
 * @mirrors torch/optim/__init__.py
 */
export { Adafactor } from "./_adafactor.ts";
export { Muon } from "./_muon.ts";
export { Adadelta } from "./adadelta.ts";
export { Adagrad } from "./adagrad.ts";
export { Adam } from "./adam.ts";
export { Adamax } from "./adamax.ts";
export { AdamW } from "./adamw.ts";
export { ASGD } from "./asgd.ts";
export { LBFGS } from "./lbfgs/index.ts";
export * as lr_scheduler from "./lr_scheduler/index.ts";
export { NAdam } from "./nadam.ts";
export { Optimizer, register_optimizer_step_post_hook, register_optimizer_step_pre_hook } from "./optimizer/index.ts";
export { RAdam } from "./radam.ts";
export { RMSprop } from "./rmsprop.ts";
export { Rprop } from "./rprop.ts";
export { SGD } from "./sgd.ts";
export { SparseAdam } from "./sparse_adam.ts";
export * as swa_utils from "./swa_utils.ts";
