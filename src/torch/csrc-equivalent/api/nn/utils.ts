/**
 * @file The namespace `torch::nn::utils`.
 * @mirrors torch/csrc/api/include/torch/nn/utils.h
 */
export * from "./utils/clip_grad.ts";
export * from "./utils/convert_parameters.ts";
export * as rnn from "./utils/rnn.ts";
