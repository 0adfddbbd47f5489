/**
 * @file The exports of `torch.optim.lr_scheduler`.
 * @mirrors torch/optim/lr_scheduler.py
 */
export { _LRScheduler, EPOCH_DEPRECATION_WARNING, LRScheduler } from "./base.ts";
export { ChainedScheduler, SequentialLR } from "./chain.ts";
export { CosineAnnealingLR, CosineAnnealingWarmRestarts } from "./cosine.ts";
export { CyclicLR, OneCycleLR } from "./cyclic.ts";
export { ConstantLR, ExponentialLR, LinearLR, MultiStepLR, PolynomialLR, StepLR } from "./factor.ts";
export { LambdaLR, MultiplicativeLR } from "./lambda.ts";
export { ReduceLROnPlateau } from "./plateau.ts";
