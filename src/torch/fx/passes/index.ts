/**
 * @file `torch.fx.passes`: passes over graph modules.
 * @mirrors torch/fx/passes/__init__.py
 */
export * as dialect from "./dialect/index.ts";
export * as graph_drawer from "./graph_drawer.ts";
export * as graph_manipulation from "./graph_manipulation.ts";
export * as infra from "./infra/index.ts";
export * as operator_support from "./operator_support.ts";
export * as shape_prop from "./shape_prop.ts";
export * as split_module from "./split_module.ts";
export * as split_utils from "./split_utils.ts";
export * as tools_common from "./tools_common.ts";
export * as utils from "./utils/index.ts";
