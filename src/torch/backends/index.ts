/**
 * @file `torch.backends`: switches and facts of the libraries below.
 * @mirrors torch/backends/__init__.py
 */
import * as cpu_functions from "./cpu/index.ts";
import * as cuda_functions from "./cuda/index.ts";
import * as mha_functions from "./mha/index.ts";
import * as mps_functions from "./mps/index.ts";

export { cudnn } from "./cudnn/index.ts";
export const cpu = Object.assign({}, cpu_functions);
export const cuda = Object.assign({}, cuda_functions);
export const mps = Object.assign({}, mps_functions);
export const mha = Object.assign({}, mha_functions);
