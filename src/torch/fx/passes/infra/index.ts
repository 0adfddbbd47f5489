/**
 * @file `torch.fx.passes.infra`: the base of passes, their manager, and the partitioner.
 * @mirrors torch/fx/passes/infra/__init__.py
 */
export * as partitioner from "./partitioner.ts";
export * as pass_base from "./pass_base.ts";
export * as pass_manager from "./pass_manager.ts";
