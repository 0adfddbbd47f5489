/**
 * @file `torch.optim`.
 * @mirrors torch/optim/__init__.py
 */
export { Optimizer, register_optimizer_step_post_hook, register_optimizer_step_pre_hook } from "./optimizer.ts";
export { SGD } from "./sgd.ts";
