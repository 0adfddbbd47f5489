/**
 * @file `torch.nn`.
 * @mirrors torch/nn/__init__.py
 */

export * as attention from "./attention/index.ts";
export * as functional from "./functional.ts";
export * as init from "./init.ts";
export {
  GELU,
  LeakyReLU,
  LogSoftmax,
  PReLU,
  ReLU,
  Sigmoid,
  SiLU,
  Softmax,
  Softmax2d,
  Softmin,
  Tanh,
  Threshold,
} from "./modules/activation.ts";
export {
  CELU,
  ELU,
  GLU,
  Hardshrink,
  Hardsigmoid,
  Hardswish,
  Hardtanh,
  LogSigmoid,
  Mish,
  ReLU6,
  RReLU,
  SELU,
  Softplus,
  Softshrink,
  Softsign,
  Tanhshrink,
} from "./modules/activation_shapes.ts";
export { AdaptiveLogSoftmaxWithLoss } from "./modules/adaptive.ts";
export { BatchNorm1d, BatchNorm2d, BatchNorm3d, SyncBatchNorm } from "./modules/batchnorm.ts";
export { Bilinear } from "./modules/bilinear.ts";
export { ChannelShuffle } from "./modules/channelshuffle.ts";
export { ModuleDict, ModuleList, Sequential } from "./modules/container.ts";
export { ParameterDict, ParameterList } from "./modules/container_parameters.ts";
export { Conv1d, Conv2d, Conv3d } from "./modules/conv.ts";
export {
  LazyConv1d,
  LazyConv2d,
  LazyConv3d,
  LazyConvTranspose1d,
  LazyConvTranspose2d,
  LazyConvTranspose3d,
} from "./modules/conv_lazy.ts";
export { ConvTranspose1d, ConvTranspose2d, ConvTranspose3d } from "./modules/conv_transpose.ts";
export { CosineSimilarity, PairwiseDistance } from "./modules/distance.ts";
export { AlphaDropout, Dropout, Dropout1d, Dropout2d, Dropout3d, FeatureAlphaDropout } from "./modules/dropout.ts";
export { EmbeddingBag } from "./modules/embedding_bag.ts";
export { Flatten, Unflatten } from "./modules/flatten.ts";
export { Fold, Unfold } from "./modules/fold.ts";
export { InstanceNorm1d, InstanceNorm2d, InstanceNorm3d } from "./modules/instancenorm.ts";
export { Identity, Linear } from "./modules/linear.ts";
export { LinearCrossEntropyOptions } from "./modules/linear_cross_entropy_options.ts";
export { LazyLinear } from "./modules/linear_lazy.ts";
export { CrossEntropyLoss, NLLLoss } from "./modules/loss.ts";
export { CTCLoss } from "./modules/loss_ctc.ts";
export {
  BCELoss,
  BCEWithLogitsLoss,
  GaussianNLLLoss,
  HuberLoss,
  KLDivLoss,
  L1Loss,
  MSELoss,
  PoissonNLLLoss,
  SmoothL1Loss,
} from "./modules/loss_elements.ts";
export { LinearCrossEntropyLoss } from "./modules/loss_linear.ts";
export {
  CosineEmbeddingLoss,
  HingeEmbeddingLoss,
  MarginRankingLoss,
  MultiLabelMarginLoss,
  MultiLabelSoftMarginLoss,
  MultiMarginLoss,
  SoftMarginLoss,
} from "./modules/loss_margins.ts";
export { TripletMarginLoss, TripletMarginWithDistanceLoss } from "./modules/loss_triplets.ts";
export { Module } from "./modules/module.ts";
export {
  register_module_forward_hook,
  register_module_forward_pre_hook,
  register_module_full_backward_hook,
  register_module_full_backward_pre_hook,
} from "./modules/module_call.ts";
export { MultiheadAttention } from "./modules/multihead_attention.ts";
export {
  LazyBatchNorm1d,
  LazyBatchNorm2d,
  LazyBatchNorm3d,
  LazyInstanceNorm1d,
  LazyInstanceNorm2d,
  LazyInstanceNorm3d,
} from "./modules/norm_lazy.ts";
export { GroupNorm, LayerNorm, LocalResponseNorm, RMSNorm } from "./modules/normalization.ts";
export {
  CircularPad1d,
  CircularPad2d,
  CircularPad3d,
  ConstantPad1d,
  ConstantPad2d,
  ConstantPad3d,
  ReflectionPad1d,
  ReflectionPad2d,
  ReflectionPad3d,
  ReplicationPad1d,
  ReplicationPad2d,
  ReplicationPad3d,
  ZeroPad1d,
  ZeroPad2d,
  ZeroPad3d,
} from "./modules/padding.ts";
export { PixelShuffle, PixelUnshuffle } from "./modules/pixelshuffle.ts";
export {
  AdaptiveAvgPool1d,
  AdaptiveAvgPool2d,
  AdaptiveAvgPool3d,
  AvgPool1d,
  AvgPool2d,
  AvgPool3d,
  MaxPool1d,
  MaxPool2d,
  MaxPool3d,
} from "./modules/pooling.ts";
export { LPPool1d, LPPool2d, LPPool3d } from "./modules/pooling_lp.ts";
export {
  AdaptiveMaxPool1d,
  AdaptiveMaxPool2d,
  AdaptiveMaxPool3d,
  FractionalMaxPool2d,
  FractionalMaxPool3d,
  MaxUnpool1d,
  MaxUnpool2d,
  MaxUnpool3d,
} from "./modules/pooling_max.ts";
export { GRU, LSTM, RNN, RNNBase } from "./modules/rnn.ts";
export { GRUCell, LSTMCell, RNNCell, RNNCellBase } from "./modules/rnn_cells.ts";
export { Embedding } from "./modules/sparse.ts";
export { Transformer, TransformerDecoder, TransformerEncoder } from "./modules/transformer.ts";
export { TransformerDecoderLayer, TransformerEncoderLayer } from "./modules/transformer_layers.ts";
export { Upsample, UpsamplingBilinear2d, UpsamplingNearest2d } from "./modules/upsampling.ts";
export * as parallel from "./parallel/index.ts";
export { DataParallel } from "./parallel/index.ts";
export { Buffer, Parameter } from "./parameter.ts";
export { UninitializedBuffer, UninitializedParameter } from "./parameter_lazy.ts";
export * as parameter from "./parameters.ts";
export * as utils from "./utils/index.ts";
