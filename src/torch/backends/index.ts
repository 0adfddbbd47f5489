/**
 * @file `torch.backends`: switches and facts of the libraries below.
 * @mirrors torch/backends/__init__.py
 */
import * as cpu_functions from "./cpu/index.ts";
import * as mha_functions from "./mha/index.ts";

export { cudnn } from "./cudnn/index.ts";
export const cpu = Object.assign({}, cpu_functions);
export const mha = Object.assign({}, mha_functions);
