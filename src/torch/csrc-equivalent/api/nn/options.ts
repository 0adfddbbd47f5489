/**
 * @file All options of modules, by the names of C++.
 * @mirrors torch/csrc/api/include/torch/nn/options.h
 */
import { BatchNormOptions } from "./options/batchnorm.ts";
import { DropoutOptions } from "./options/dropout.ts";
import { InstanceNormOptions } from "./options/instancenorm.ts";
import { ConstantPadOptions, ReflectionPadOptions, ReplicationPadOptions, ZeroPadOptions } from "./options/padding.ts";
import * as pooling from "./options/pooling.ts";

export * from "./options/activation.ts";
export * from "./options/adaptive.ts";
export { BatchNormOptions } from "./options/batchnorm.ts";
export {
  Conv1dOptions,
  Conv2dOptions,
  Conv3dOptions,
  ConvTranspose1dOptions,
  ConvTranspose2dOptions,
  ConvTranspose3dOptions,
} from "./options/conv.ts";
export * from "./options/distance.ts";
export { DropoutOptions } from "./options/dropout.ts";
export * from "./options/embedding.ts";
export * from "./options/fold.ts";
export { InstanceNormOptions } from "./options/instancenorm.ts";
export * from "./options/linear.ts";
export * from "./options/loss.ts";
export * from "./options/normalization.ts";
export * from "./options/pixelshuffle.ts";
export * from "./options/rnn.ts";
export * from "./options/transformer.ts";
export * from "./options/transformercoder.ts";
export * from "./options/upsampling.ts";

export {
  BatchNormOptions as BatchNorm1dOptions,
  BatchNormOptions as BatchNorm2dOptions,
  BatchNormOptions as BatchNorm3dOptions,
  DropoutOptions as AlphaDropoutOptions,
  DropoutOptions as Dropout2dOptions,
  DropoutOptions as Dropout3dOptions,
  DropoutOptions as FeatureAlphaDropoutOptions,
  InstanceNormOptions as InstanceNorm1dOptions,
  InstanceNormOptions as InstanceNorm2dOptions,
  InstanceNormOptions as InstanceNorm3dOptions,
};

export const [ReflectionPad1dOptions, ReflectionPad2dOptions, ReflectionPad3dOptions] = ReflectionPadOptions;
export const [ReplicationPad1dOptions, ReplicationPad2dOptions, ReplicationPad3dOptions] = ReplicationPadOptions;
export const [ZeroPad1dOptions, ZeroPad2dOptions, ZeroPad3dOptions] = ZeroPadOptions;
export const [ConstantPad1dOptions, ConstantPad2dOptions, ConstantPad3dOptions] = ConstantPadOptions;
export const [AvgPool1dOptions, AvgPool2dOptions, AvgPool3dOptions] = pooling.AvgPoolOptions;
export const [MaxPool1dOptions, MaxPool2dOptions, MaxPool3dOptions] = pooling.MaxPoolOptions;
export const [AdaptiveMaxPool1dOptions, AdaptiveMaxPool2dOptions, AdaptiveMaxPool3dOptions] =
  pooling.AdaptiveMaxPoolOptions;
export const [AdaptiveAvgPool1dOptions, AdaptiveAvgPool2dOptions, AdaptiveAvgPool3dOptions] =
  pooling.AdaptiveAvgPoolOptions;
export const [MaxUnpool1dOptions, MaxUnpool2dOptions, MaxUnpool3dOptions] = pooling.MaxUnpoolOptions;
export const [FractionalMaxPool2dOptions, FractionalMaxPool3dOptions] = pooling.FractionalMaxPoolOptions;
export const [LPPool1dOptions, LPPool2dOptions, LPPool3dOptions] = pooling.LPPoolOptions;
