/**
 * @file Transforms of samples.
 * @mirrors torch/distributions/transforms.py
 */
export {
  ComposeTransform,
  IndependentTransform,
  identity_transform,
  ReshapeTransform,
  Transform,
} from "./transforms_base.ts";
export { CatTransform, StackTransform } from "./transforms_parts.ts";
export {
  AbsTransform,
  AffineTransform,
  CumulativeDistributionTransform,
  ExpTransform,
  PowerTransform,
  SigmoidTransform,
  SoftplusTransform,
  TanhTransform,
} from "./transforms_pointwise.ts";
export {
  CorrCholeskyTransform,
  LowerCholeskyTransform,
  PositiveDefiniteTransform,
  SoftmaxTransform,
  StickBreakingTransform,
} from "./transforms_vectors.ts";
