/**
 * @file `torch.backends`: switches and properties of the libraries below PyTorch.
 * @mirrors torch/backends/__init__.py
 */
import * as cpu_functions from "./cpu/index.ts";
import * as cuda_functions from "./cuda/index.ts";
import * as mha_functions from "./mha/index.ts";
import * as mkl_functions from "./mkl/index.ts";
import * as mps_functions from "./mps/index.ts";
import * as nnpack_functions from "./nnpack/index.ts";
import * as openmp_functions from "./openmp/index.ts";

export { cudnn } from "./cudnn/index.ts";
export { mkldnn } from "./mkldnn/index.ts";
export { opt_einsum } from "./opt_einsum/index.ts";
export const cpu = Object.assign({}, cpu_functions);
export const cuda = Object.assign({}, cuda_functions);
export const mps = Object.assign({}, mps_functions);
export const mha = Object.assign({}, mha_functions);
export const mkl = Object.assign({}, mkl_functions);
export const nnpack = Object.assign({}, nnpack_functions);
export const openmp = Object.assign({}, openmp_functions);
