/**
 * @file The modules that both `torch.nn` and `torch.nn.modules` export.
 * @mirrors torch/nn/modules/__init__.py
 */

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
} from "./activation/index.ts";
export { MultiheadAttention } from "./activation/multihead_attention.ts";
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
} from "./activation/shapes.ts";
export { AdaptiveLogSoftmaxWithLoss } from "./adaptive.ts";
export { BatchNorm1d, BatchNorm2d, BatchNorm3d, SyncBatchNorm } from "./batchnorm/index.ts";
export {
  LazyBatchNorm1d,
  LazyBatchNorm2d,
  LazyBatchNorm3d,
  LazyInstanceNorm1d,
  LazyInstanceNorm2d,
  LazyInstanceNorm3d,
} from "./batchnorm/lazy.ts";
export { ChannelShuffle } from "./channelshuffle.ts";
export { Container, ModuleDict, ModuleList, Sequential } from "./container/index.ts";
export { ParameterDict, ParameterList } from "./container/parameters.ts";
export { Conv1d, Conv2d, Conv3d } from "./conv/index.ts";
export {
  LazyConv1d,
  LazyConv2d,
  LazyConv3d,
  LazyConvTranspose1d,
  LazyConvTranspose2d,
  LazyConvTranspose3d,
} from "./conv/lazy.ts";
export { ConvTranspose1d, ConvTranspose2d, ConvTranspose3d } from "./conv/transpose.ts";
export { CosineSimilarity, PairwiseDistance } from "./distance.ts";
export { AlphaDropout, Dropout, Dropout1d, Dropout2d, Dropout3d, FeatureAlphaDropout } from "./dropout.ts";
export { Flatten, Unflatten } from "./flatten.ts";
export { Fold, Unfold } from "./fold.ts";
export { InstanceNorm1d, InstanceNorm2d, InstanceNorm3d } from "./instancenorm.ts";
export { Bilinear } from "./linear/bilinear.ts";
export { Identity, Linear } from "./linear/index.ts";
export { LazyLinear } from "./linear/lazy.ts";
export { LinearCrossEntropyOptions } from "./linear_cross_entropy_options.ts";
export { CTCLoss } from "./loss/ctc.ts";
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
} from "./loss/elements.ts";
export { CrossEntropyLoss, NLLLoss, NLLLoss2d } from "./loss/index.ts";
export { LinearCrossEntropyLoss } from "./loss/linear.ts";
export {
  CosineEmbeddingLoss,
  HingeEmbeddingLoss,
  MarginRankingLoss,
  MultiLabelMarginLoss,
  MultiLabelSoftMarginLoss,
  MultiMarginLoss,
  SoftMarginLoss,
} from "./loss/margins.ts";
export { TripletMarginLoss, TripletMarginWithDistanceLoss } from "./loss/triplets.ts";
export { Module } from "./module/index.ts";
export { CrossMapLRN2d, GroupNorm, LayerNorm, LocalResponseNorm, RMSNorm } from "./normalization.ts";
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
} from "./padding.ts";
export { PixelShuffle, PixelUnshuffle } from "./pixelshuffle.ts";
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
} from "./pooling/index.ts";
export { LPPool1d, LPPool2d, LPPool3d } from "./pooling/lp.ts";
export {
  AdaptiveMaxPool1d,
  AdaptiveMaxPool2d,
  AdaptiveMaxPool3d,
  FractionalMaxPool2d,
  FractionalMaxPool3d,
  MaxUnpool1d,
  MaxUnpool2d,
  MaxUnpool3d,
} from "./pooling/max.ts";
export { GRUCell, LSTMCell, RNNCell, RNNCellBase } from "./rnn/cells.ts";
export { GRU, LSTM, RNN, RNNBase } from "./rnn/index.ts";
export { EmbeddingBag } from "./sparse/embedding_bag.ts";
export { Embedding } from "./sparse/index.ts";
export { Transformer, TransformerDecoder, TransformerEncoder } from "./transformer/index.ts";
export { TransformerDecoderLayer, TransformerEncoderLayer } from "./transformer/layers.ts";
export { Upsample, UpsamplingBilinear2d, UpsamplingNearest2d } from "./upsampling.ts";
