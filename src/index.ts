/**
 * @file The package: `import torch from "glasstorch"`.
 * @original In PyTorch the package is the module; here the package's default export is the module.
 */
import torch from "./torch/index.ts";

export type { Tensor } from "./torch/_tensor/index.ts";
export type { Module, Parameter } from "./torch/nn/index.ts";
export default torch;
