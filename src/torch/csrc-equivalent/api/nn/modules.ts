/**
 * @file All modules.
 * @mirrors torch/csrc/api/include/torch/nn/modules.h
 */
export * from "./modules/activation.ts";
export * from "./modules/adaptive.ts";
export * from "./modules/batchnorm.ts";
export * from "./modules/container/any.ts";
export * from "./modules/container/functional.ts";
export * from "./modules/container/moduledict.ts";
export * from "./modules/container/modulelist.ts";
export { ParameterDict, ParameterDictImpl } from "./modules/container/parameterdict.ts";
export { ParameterList, ParameterListImpl } from "./modules/container/parameterlist.ts";
export { Sequential, SequentialImpl } from "./modules/container/sequential.ts";
export * from "./modules/conv.ts";
export * from "./modules/distance.ts";
export * from "./modules/dropout.ts";
export * from "./modules/embedding.ts";
export * from "./modules/fold.ts";
export * from "./modules/instancenorm.ts";
export * from "./modules/linear.ts";
export * from "./modules/loss.ts";
export * from "./modules/normalization.ts";
export * from "./modules/padding.ts";
export * from "./modules/pixelshuffle.ts";
export * from "./modules/pooling.ts";
export * from "./modules/rnn.ts";
export * from "./modules/rnn_cells.ts";
export * from "./modules/transformer.ts";
export * from "./modules/transformercoder.ts";
export * from "./modules/transformerlayer.ts";
export * from "./modules/upsampling.ts";
