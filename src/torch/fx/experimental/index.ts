/**
 * @file `torch.fx.experimental`.
 * @mirrors torch/fx/experimental/__init__.py
 */
export * as optimization from "./optimization.ts";
export * as proxy_tensor from "./proxy_tensor/index.ts";
export * as symbolic_shapes from "./symbolic_shapes/index.ts";
