/**
 * @file `torch.distributions`: distributions with samples, densities, entropies and divergences.
 * @mirrors torch/distributions/__init__.py
 * @differs Without the rarer distributions that README.md names, `biject_to` and `transform_to`.
 */
import "./kl_different.ts";
import "./kl_same.ts";

export { Bernoulli } from "./bernoulli.ts";
export { Beta } from "./beta.ts";
export { Binomial } from "./binomial.ts";
export { Categorical } from "./categorical.ts";
export { Cauchy } from "./cauchy.ts";
export { Chi2 } from "./chi2.ts";
export * as constraints from "./constraints.ts";
export { Dirichlet } from "./dirichlet.ts";
export { Distribution } from "./distribution.ts";
export { ExponentialFamily } from "./exp_family.ts";
export { Exponential } from "./exponential.ts";
export { Gamma } from "./gamma.ts";
export { Geometric } from "./geometric.ts";
export { Gumbel } from "./gumbel.ts";
export { HalfCauchy } from "./half_cauchy.ts";
export { HalfNormal } from "./half_normal.ts";
export { Independent } from "./independent.ts";
export { kl_divergence, register_kl } from "./kl.ts";
export { Laplace } from "./laplace.ts";
export { LogNormal } from "./log_normal.ts";
export { MixtureSameFamily } from "./mixture_same_family.ts";
export { Multinomial } from "./multinomial.ts";
export { MultivariateNormal } from "./multivariate_normal.ts";
export { NegativeBinomial } from "./negative_binomial.ts";
export { Normal } from "./normal.ts";
export { OneHotCategorical, OneHotCategoricalStraightThrough } from "./one_hot_categorical.ts";
export { Poisson } from "./poisson.ts";
export { RelaxedOneHotCategorical } from "./relaxed_categorical.ts";
export { StudentT } from "./studentT.ts";
export { TransformedDistribution } from "./transformed_distribution.ts";
export * as transforms from "./transforms.ts";
export {
  AbsTransform,
  AffineTransform,
  ComposeTransform,
  ExpTransform,
  IndependentTransform,
  identity_transform,
  PowerTransform,
  ReshapeTransform,
  SigmoidTransform,
  SoftplusTransform,
  TanhTransform,
  Transform,
} from "./transforms.ts";
export { Uniform } from "./uniform.ts";
export * as utils from "./utils.ts";
