/**
 * @file The modules: what `torch.nn` and `torch.nn.modules` both hold.
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
} from "./activation.ts";
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
} from "./activation_shapes.ts";
export { AdaptiveLogSoftmaxWithLoss } from "./adaptive.ts";
export { BatchNorm1d, BatchNorm2d, BatchNorm3d, SyncBatchNorm } from "./batchnorm.ts";
export { Bilinear } from "./bilinear.ts";
export { ChannelShuffle } from "./channelshuffle.ts";
export { Container, ModuleDict, ModuleList, Sequential } from "./container.ts";
export { ParameterDict, ParameterList } from "./container_parameters.ts";
export { Conv1d, Conv2d, Conv3d } from "./conv.ts";
export {
  LazyConv1d,
  LazyConv2d,
  LazyConv3d,
  LazyConvTranspose1d,
  LazyConvTranspose2d,
  LazyConvTranspose3d,
} from "./conv_lazy.ts";
export { ConvTranspose1d, ConvTranspose2d, ConvTranspose3d } from "./conv_transpose.ts";
export { CosineSimilarity, PairwiseDistance } from "./distance.ts";
export { AlphaDropout, Dropout, Dropout1d, Dropout2d, Dropout3d, FeatureAlphaDropout } from "./dropout.ts";
export { EmbeddingBag } from "./embedding_bag.ts";
export { Flatten, Unflatten } from "./flatten.ts";
export { Fold, Unfold } from "./fold.ts";
export { InstanceNorm1d, InstanceNorm2d, InstanceNorm3d } from "./instancenorm.ts";
export { Identity, Linear } from "./linear.ts";
export { LinearCrossEntropyOptions } from "./linear_cross_entropy_options.ts";
export { LazyLinear } from "./linear_lazy.ts";
export { CrossEntropyLoss, NLLLoss, NLLLoss2d } from "./loss.ts";
export { CTCLoss } from "./loss_ctc.ts";
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
} from "./loss_elements.ts";
export { LinearCrossEntropyLoss } from "./loss_linear.ts";
export {
  CosineEmbeddingLoss,
  HingeEmbeddingLoss,
  MarginRankingLoss,
  MultiLabelMarginLoss,
  MultiLabelSoftMarginLoss,
  MultiMarginLoss,
  SoftMarginLoss,
} from "./loss_margins.ts";
export { TripletMarginLoss, TripletMarginWithDistanceLoss } from "./loss_triplets.ts";
export { Module } from "./module.ts";
export { MultiheadAttention } from "./multihead_attention.ts";
export {
  LazyBatchNorm1d,
  LazyBatchNorm2d,
  LazyBatchNorm3d,
  LazyInstanceNorm1d,
  LazyInstanceNorm2d,
  LazyInstanceNorm3d,
} from "./norm_lazy.ts";
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
} from "./pooling.ts";
export { LPPool1d, LPPool2d, LPPool3d } from "./pooling_lp.ts";
export {
  AdaptiveMaxPool1d,
  AdaptiveMaxPool2d,
  AdaptiveMaxPool3d,
  FractionalMaxPool2d,
  FractionalMaxPool3d,
  MaxUnpool1d,
  MaxUnpool2d,
  MaxUnpool3d,
} from "./pooling_max.ts";
export { GRU, LSTM, RNN, RNNBase } from "./rnn.ts";
export { GRUCell, LSTMCell, RNNCell, RNNCellBase } from "./rnn_cells.ts";
export { Embedding } from "./sparse.ts";
export { Transformer, TransformerDecoder, TransformerEncoder } from "./transformer.ts";
export { TransformerDecoderLayer, TransformerEncoderLayer } from "./transformer_layers.ts";
export { Upsample, UpsamplingBilinear2d, UpsamplingNearest2d } from "./upsampling.ts";
