/**
 * @file `torch.fx.passes.dialect.common`.
 * @mirrors torch/fx/passes/dialect/common/__init__.py
 */
export * as cse_pass from "./cse_pass.ts";
