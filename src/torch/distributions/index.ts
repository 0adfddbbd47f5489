/**
 * @file `torch.distributions`: probability distributions with samples, densities, entropies and divergences.
 * @mirrors torch/distributions/__init__.py
 */
import "./kl/different.ts";
import "./kl/lowrank.ts";
import "./kl/same.ts";

export { Bernoulli } from "./bernoulli.ts";
export { Beta } from "./beta.ts";
export { Binomial } from "./binomial.ts";
export { Categorical } from "./categorical.ts";
export { Cauchy } from "./cauchy.ts";
export { Chi2 } from "./chi2.ts";
export * as constraint_registry from "./constraint_registry.ts";
export { biject_to, transform_to } from "./constraint_registry.ts";
export * as constraints from "./constraints.ts";
export { ContinuousBernoulli } from "./continuous_bernoulli.ts";
export { Dirichlet } from "./dirichlet.ts";
export { Distribution } from "./distribution.ts";
export { ExponentialFamily } from "./exp_family.ts";
export { Exponential } from "./exponential.ts";
export { FisherSnedecor } from "./fishersnedecor.ts";
export { Gamma } from "./gamma.ts";
export { GeneralizedPareto } from "./generalized_pareto.ts";
export { Geometric } from "./geometric.ts";
export { Gumbel } from "./gumbel.ts";
export { HalfCauchy } from "./half_cauchy.ts";
export { HalfNormal } from "./half_normal.ts";
export { Independent } from "./independent.ts";
export { InverseGamma } from "./inverse_gamma.ts";
export { kl_divergence, register_kl } from "./kl/index.ts";
export { Kumaraswamy } from "./kumaraswamy.ts";
export { Laplace } from "./laplace.ts";
export { LKJCholesky } from "./lkj_cholesky.ts";
export { LogNormal } from "./log_normal.ts";
export { LogisticNormal } from "./logistic_normal.ts";
export { LowRankMultivariateNormal } from "./lowrank_multivariate_normal.ts";
export { MixtureSameFamily } from "./mixture_same_family.ts";
export { Multinomial } from "./multinomial.ts";
export { MultivariateNormal } from "./multivariate_normal.ts";
export { NegativeBinomial } from "./negative_binomial.ts";
export { Normal } from "./normal.ts";
export { OneHotCategorical, OneHotCategoricalStraightThrough } from "./one_hot_categorical.ts";
export { Pareto } from "./pareto.ts";
export { Poisson } from "./poisson.ts";
export { RelaxedBernoulli } from "./relaxed_bernoulli.ts";
export { RelaxedOneHotCategorical } from "./relaxed_categorical.ts";
export { StudentT } from "./studentT.ts";
export { TransformedDistribution } from "./transformed_distribution.ts";
export * as transforms from "./transforms/index.ts";
export {
  AbsTransform,
  AffineTransform,
  CatTransform,
  ComposeTransform,
  CorrCholeskyTransform,
  CumulativeDistributionTransform,
  ExpTransform,
  IndependentTransform,
  identity_transform,
  LowerCholeskyTransform,
  PositiveDefiniteTransform,
  PowerTransform,
  ReshapeTransform,
  SigmoidTransform,
  SoftmaxTransform,
  SoftplusTransform,
  StackTransform,
  StickBreakingTransform,
  TanhTransform,
  Transform,
} from "./transforms/index.ts";
export { Uniform } from "./uniform.ts";
export * as utils from "./utils.ts";
export { VonMises } from "./von_mises.ts";
export { Weibull } from "./weibull.ts";
export { Wishart } from "./wishart.ts";
