/**
 * @file The namespace `torch::optim`.
 * @mirrors torch/csrc/api/include/torch/optim.h
 */
export { Adagrad, AdagradOptions, type AdagradParamState } from "./optim/adagrad.ts";
export { Adam, AdamOptions, type AdamParamState, AdamW, AdamWOptions } from "./optim/adam.ts";
export { LBFGS, LBFGSOptions, type LBFGSParamState } from "./optim/lbfgs.ts";
export { Optimizer, OptimizerParamGroup } from "./optim/optimizer.ts";
export { RMSprop, RMSpropOptions, type RMSpropParamState } from "./optim/rmsprop.ts";
export { LRScheduler } from "./optim/schedulers/lr_scheduler.ts";
export { ReduceLROnPlateauScheduler } from "./optim/schedulers/reduce_on_plateau_scheduler.ts";
export { StepLR } from "./optim/schedulers/step_lr.ts";
export { SGD, SGDOptions, type SGDParamState } from "./optim/sgd.ts";
