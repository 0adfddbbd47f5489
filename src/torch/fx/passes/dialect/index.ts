/**
 * @file `torch.fx.passes.dialect`: passes over graphs of operators.
 * @mirrors torch/fx/passes/dialect/__init__.py
 */
export * as common from "./common/index.ts";
