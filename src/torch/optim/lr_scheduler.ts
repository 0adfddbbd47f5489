/**
 * @file `torch.optim.lr_scheduler`.
 * @mirrors torch/optim/lr_scheduler.py
 */
export { LRScheduler } from "./lr_scheduler_base.ts";
export { ChainedScheduler, SequentialLR } from "./lr_scheduler_chain.ts";
export { CosineAnnealingLR, CosineAnnealingWarmRestarts } from "./lr_scheduler_cosine.ts";
export { CyclicLR, OneCycleLR } from "./lr_scheduler_cyclic.ts";
export { ConstantLR, ExponentialLR, LinearLR, MultiStepLR, PolynomialLR, StepLR } from "./lr_scheduler_factor.ts";
export { LambdaLR, MultiplicativeLR } from "./lr_scheduler_lambda.ts";
export { ReduceLROnPlateau } from "./lr_scheduler_plateau.ts";
