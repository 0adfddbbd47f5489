/**
 * @file The exports of `torch.distributions.transforms`.
 * @mirrors torch/distributions/transforms.py
 */
export {
  ComposeTransform,
  IndependentTransform,
  identity_transform,
  ReshapeTransform,
  Transform,
} from "./base.ts";
export { CatTransform, StackTransform } from "./parts.ts";
export {
  AbsTransform,
  AffineTransform,
  CumulativeDistributionTransform,
  ExpTransform,
  PowerTransform,
  SigmoidTransform,
  SoftplusTransform,
  TanhTransform,
} from "./pointwise.ts";
export {
  CorrCholeskyTransform,
  LowerCholeskyTransform,
  PositiveDefiniteTransform,
  SoftmaxTransform,
  StickBreakingTransform,
} from "./vectors.ts";
