/**
 * @file The namespace `torch::nn::functional`: functions, and their options by the names of C++.
 * @mirrors torch/csrc/api/include/torch/nn/functional.h
 */
import { MaxUnpoolFuncOptions } from "./options/pooling.ts";

export * from "./functional/activation.ts";
export * from "./functional/batchnorm.ts";
export * from "./functional/conv.ts";
export * from "./functional/distance.ts";
export * from "./functional/dropout.ts";
export * from "./functional/embedding.ts";
export * from "./functional/fold.ts";
export * from "./functional/instancenorm.ts";
export * from "./functional/linear.ts";
export * from "./functional/loss.ts";
export * from "./functional/normalization.ts";
export * from "./functional/padding.ts";
export * from "./functional/pixelshuffle.ts";
export * from "./functional/pooling.ts";
export * from "./functional/upsampling.ts";
export * from "./functional/vision.ts";
export {
  GumbelSoftmaxFuncOptions,
  LogSoftmaxFuncOptions,
  MultiheadAttentionForwardFuncOptions,
  RReLUFuncOptions,
  SoftmaxFuncOptions,
  SoftminFuncOptions,
} from "./options/activation.ts";
export { BatchNormFuncOptions } from "./options/batchnorm.ts";
export {
  Conv1dFuncOptions,
  Conv2dFuncOptions,
  Conv3dFuncOptions,
  ConvTranspose1dFuncOptions,
  ConvTranspose2dFuncOptions,
  ConvTranspose3dFuncOptions,
} from "./options/conv.ts";
export {
  AlphaDropoutFuncOptions,
  DropoutFuncOptions,
  DropoutFuncOptions as Dropout2dFuncOptions,
  DropoutFuncOptions as Dropout3dFuncOptions,
  FeatureAlphaDropoutFuncOptions,
} from "./options/dropout.ts";
export { EmbeddingBagFuncOptions, EmbeddingFuncOptions } from "./options/embedding.ts";
export { InstanceNormFuncOptions } from "./options/instancenorm.ts";
export { GroupNormFuncOptions, LayerNormFuncOptions, NormalizeFuncOptions } from "./options/normalization.ts";
export { PadFuncOptions } from "./options/padding.ts";
export { InterpolateFuncOptions } from "./options/upsampling.ts";
export { GridSampleFuncOptions } from "./options/vision.ts";
export {
  AdaptiveAvgPool1dOptions as AdaptiveAvgPool1dFuncOptions,
  AdaptiveAvgPool2dOptions as AdaptiveAvgPool2dFuncOptions,
  AdaptiveAvgPool3dOptions as AdaptiveAvgPool3dFuncOptions,
  AdaptiveMaxPool1dOptions as AdaptiveMaxPool1dFuncOptions,
  AdaptiveMaxPool2dOptions as AdaptiveMaxPool2dFuncOptions,
  AdaptiveMaxPool3dOptions as AdaptiveMaxPool3dFuncOptions,
  AvgPool1dOptions as AvgPool1dFuncOptions,
  AvgPool2dOptions as AvgPool2dFuncOptions,
  AvgPool3dOptions as AvgPool3dFuncOptions,
  BCELossOptions as BinaryCrossEntropyFuncOptions,
  BCEWithLogitsLossOptions as BinaryCrossEntropyWithLogitsFuncOptions,
  CELUOptions as CELUFuncOptions,
  CosineEmbeddingLossOptions as CosineEmbeddingLossFuncOptions,
  CosineSimilarityOptions as CosineSimilarityFuncOptions,
  CrossEntropyLossOptions as CrossEntropyFuncOptions,
  CTCLossOptions as CTCLossFuncOptions,
  ELUOptions as ELUFuncOptions,
  FoldOptions as FoldFuncOptions,
  FractionalMaxPool2dOptions as FractionalMaxPool2dFuncOptions,
  FractionalMaxPool3dOptions as FractionalMaxPool3dFuncOptions,
  GELUOptions as GELUFuncOptions,
  GLUOptions as GLUFuncOptions,
  HardshrinkOptions as HardshrinkFuncOptions,
  HardtanhOptions as HardtanhFuncOptions,
  HingeEmbeddingLossOptions as HingeEmbeddingLossFuncOptions,
  HuberLossOptions as HuberLossFuncOptions,
  KLDivLossOptions as KLDivFuncOptions,
  L1LossOptions as L1LossFuncOptions,
  LeakyReLUOptions as LeakyReLUFuncOptions,
  LocalResponseNormOptions as LocalResponseNormFuncOptions,
  LPPool1dOptions as LPPool1dFuncOptions,
  LPPool2dOptions as LPPool2dFuncOptions,
  LPPool3dOptions as LPPool3dFuncOptions,
  MarginRankingLossOptions as MarginRankingLossFuncOptions,
  MaxPool1dOptions as MaxPool1dFuncOptions,
  MaxPool2dOptions as MaxPool2dFuncOptions,
  MaxPool3dOptions as MaxPool3dFuncOptions,
  MSELossOptions as MSELossFuncOptions,
  MultiLabelMarginLossOptions as MultilabelMarginLossFuncOptions,
  MultiLabelSoftMarginLossOptions as MultilabelSoftMarginLossFuncOptions,
  MultiMarginLossOptions as MultiMarginLossFuncOptions,
  NLLLossOptions as NLLLossFuncOptions,
  PairwiseDistanceOptions as PairwiseDistanceFuncOptions,
  PixelShuffleOptions as PixelShuffleFuncOptions,
  PixelUnshuffleOptions as PixelUnshuffleFuncOptions,
  PoissonNLLLossOptions as PoissonNLLLossFuncOptions,
  ReLU6Options as ReLU6FuncOptions,
  ReLUOptions as ReLUFuncOptions,
  SELUOptions as SELUFuncOptions,
  SmoothL1LossOptions as SmoothL1LossFuncOptions,
  SoftMarginLossOptions as SoftMarginLossFuncOptions,
  SoftplusOptions as SoftplusFuncOptions,
  SoftshrinkOptions as SoftshrinkFuncOptions,
  ThresholdOptions as ThresholdFuncOptions,
  TripletMarginLossOptions as TripletMarginLossFuncOptions,
  TripletMarginWithDistanceLossOptions as TripletMarginWithDistanceLossFuncOptions,
  UnfoldOptions as UnfoldFuncOptions,
} from "./options.ts";

export const [MaxUnpool1dFuncOptions, MaxUnpool2dFuncOptions, MaxUnpool3dFuncOptions] = MaxUnpoolFuncOptions;
