/**
 * @file Transforms of samples.
 * @mirrors torch/distributions/transforms.py
 * @differs Without `CatTransform`, `CorrCholeskyTransform`, `CumulativeDistributionTransform`, `LowerCholeskyTransform`,
 * `PositiveDefiniteTransform`, `SoftmaxTransform`, `StackTransform` and `StickBreakingTransform`.
 */
export {
  ComposeTransform,
  IndependentTransform,
  identity_transform,
  ReshapeTransform,
  Transform,
} from "./transforms_base.ts";
export {
  AbsTransform,
  AffineTransform,
  ExpTransform,
  PowerTransform,
  SigmoidTransform,
  SoftplusTransform,
  TanhTransform,
} from "./transforms_pointwise.ts";
