/**
 * @file `torch.fx.passes.utils`.
 * @mirrors torch/fx/passes/utils/__init__.py
 */
export * as common from "./common.ts";
export { compare_graphs, HolderModule, lift_subgraph_as_module } from "./common.ts";
export * as fuser_utils from "./fuser_utils.ts";
export * as matcher_utils from "./matcher_utils.ts";
