/**
 * @file The Wishart distribution: `X^T X`, where the `df` rows of `X` are multivariate normal variables with mean 0.
 * @mirrors torch/distributions/wishart.py
 */
import { AssertionError, ValueError, warn } from "#c10/util/Exception";
import { py_format, with_method } from "#torch/_C";
import { type Args, Init, type InitArgs, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Chi2 } from "./chi2.ts";
import { class_attributes, lazy_property } from "./class_attributes.ts";
import { type Constraint, greater_than, lower_cholesky, positive_definite } from "./constraints.ts";
import { type Distribution, def_distribution, type ExpandArgs, type ValueArgs } from "./distribution.ts";
import { ExponentialFamily } from "./exp_family.ts";
import { _precision_to_scale_tril } from "./multivariate_normal.ts";
import type { Number_, Size } from "./utils.ts";

const _log_2 = Math.log(2);

/** The derivative of the logarithm of the multivariate gamma function. */
function _mvdigamma(x: Tensor, p: number): Tensor {
  if (
    !x
      .gt((p - 1) / 2)
      .all()
      .item()
  )
    throw new AssertionError("Wrong domain for multivariate digamma function.");
  const { dtype, device } = x;
  const halves = torch.arange(p, { dtype, device }).div(2);
  return torch.digamma(x.unsqueeze(-1).sub(halves.expand([...x.shape, -1]))).sum(-1);
}

const Wishart_init = new Init(
  "Wishart.__init__(self, df, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None)",
  types<
    [
      df: Tensor | Number_,
      covariance_matrix: Tensor | null,
      precision_matrix: Tensor | null,
      scale_tril: Tensor | null,
      validate_args: boolean | null,
    ]
  >,
);

type RsampleArgs = Args<
  "(self, sample_shape=torch.Size([]), max_try_correction=None)",
  [sample_shape: Size, max_try_correction: number | null]
>;

const MATRICES = ["covariance_matrix", "scale_tril", "precision_matrix"] as const;

/**
 * Wishart distribution over positive definite matrices with mean `df * covariance_matrix`; `df` must exceed their number of rows minus 1.
 * One parameter is given: the covariance, its inverse, or its Cholesky factor `scale_tril`, which all computations use.
 */
export class Wishart extends ExponentialFamily {
  static override readonly __module__: string = "torch.distributions.wishart";
  declare df: Tensor;
  declare scale_tril: Tensor;
  declare covariance_matrix: Tensor;
  declare precision_matrix: Tensor;
  declare _unbroadcasted_scale_tril: Tensor;
  declare _batch_dims: readonly number[];
  declare _dist_chi2: Chi2;

  static {
    class_attributes(Wishart, { support: positive_definite, has_rsample: true, _mean_carrier_measure: 0 });
    lazy_property(Wishart, "scale_tril", (self) => self._of_batch(self._unbroadcasted_scale_tril));
    lazy_property(Wishart, "covariance_matrix", (self) => self._compute_covariance_matrix());
    lazy_property(Wishart, "precision_matrix", (self) => self._compute_precision_matrix());
    def_distribution(Wishart, Wishart_init, {
      rsample: "(self, sample_shape=torch.Size([]), max_try_correction=None)",
    });
  }

  override get arg_constraints(): Readonly<Record<string, Constraint>> {
    return {
      covariance_matrix: positive_definite,
      precision_matrix: positive_definite,
      scale_tril: lower_cholesky,
      df: greater_than(this._event_shape[1] - 1),
    };
  }

  constructor(...args: InitArgs<typeof Wishart_init>) {
    const [df, covariance_matrix, precision_matrix, scale_tril, validate_args] = Wishart_init.bind(args);
    const given = { covariance_matrix, precision_matrix, scale_tril };
    const names = MATRICES.filter((name) => given[name] !== null);
    if (names.length !== 1)
      throw new AssertionError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.");
    const [name] = names;
    const param = given[name] as Tensor;
    if (with_method(param, "dim").dim() < 2)
      throw new ValueError("scale_tril must be at least two-dimensional, with optional leading batch dimensions");
    super();
    let batch_shape = param.shape.slice(0, -2);
    if (df instanceof Tensor) {
      batch_shape = torch.broadcast_shapes(batch_shape, df.shape);
      this.df = df.expand(batch_shape);
    } else this.df = torch.tensor(df, { dtype: param.dtype, device: param.device });
    const event_shape = param.shape.slice(-2);
    const [, p] = event_shape;
    if (
      this.df
        .le(p - 1)
        .any()
        .item()
    )
      throw new ValueError(`Value of df=${py_format(df)} expected to be greater than ndim - 1 = ${p - 1}.`);
    this[name] = param.expand([...batch_shape, -1, -1]);
    if (this.df.lt(p).any().item())
      warn(
        "UserWarning",
        "Low df values detected. Singular samples are highly likely to occur for ndim - 1 < df < ndim.",
      );
    super.__init__(batch_shape, event_shape, validate_args);
    if (name === "scale_tril") this._unbroadcasted_scale_tril = param;
    else if (name === "covariance_matrix") this._unbroadcasted_scale_tril = torch.linalg.cholesky(param);
    else this._unbroadcasted_scale_tril = _precision_to_scale_tril(param);
    this._prepare_samples(batch_shape);
  }

  /** Creates the chi-squared distributions from which the Bartlett decomposition draws the diagonals. */
  private _prepare_samples(batch_shape: Size): void {
    this._batch_dims = batch_shape.map((_, x) => -(x + 1));
    const { dtype, device } = this._unbroadcasted_scale_tril;
    const arange = torch.arange(this._unbroadcasted_scale_tril.size(-1), { dtype, device });
    this._dist_chi2 = new Chi2(this.df.unsqueeze(-1).sub(arange.expand([...batch_shape, -1])));
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Wishart, _instance);
    const shape = torch.Size(batch_shape);
    const cov_shape = [...shape, ...this._event_shape];
    new_._unbroadcasted_scale_tril = this._unbroadcasted_scale_tril.expand(cov_shape);
    new_.df = this.df.expand(shape);
    for (const name of MATRICES) if (Object.hasOwn(this, name)) new_[name] = this[name].expand(cov_shape);
    new_._prepare_samples(shape);
    return this._expanded(new_, shape);
  }

  /** A matrix expanded to the batch. */
  private _of_batch(matrix: Tensor): Tensor {
    return matrix.expand([...this._batch_shape, ...this._event_shape]);
  }

  private _compute_covariance_matrix(): Tensor {
    const L = this._unbroadcasted_scale_tril;
    return this._of_batch(torch.matmul(L, L.transpose(-2, -1)));
  }

  private _compute_precision_matrix(): Tensor {
    const { dtype, device } = this._unbroadcasted_scale_tril;
    const identity = torch.eye(this._event_shape[1], { dtype, device });
    return this._of_batch(torch.cholesky_solve(identity, this._unbroadcasted_scale_tril));
  }

  /** Numbers of the batch as 1 x 1 matrices. */
  private _as_matrix(x: Tensor): Tensor {
    return x.view([...this._batch_shape, 1, 1]);
  }

  override get mean(): Tensor {
    return this._as_matrix(this.df).mul(this.covariance_matrix);
  }

  override get mode(): Tensor {
    const factor = this.df.sub(this._event_shape[1]).sub(1);
    factor.set_at(Number.NaN, factor.le(0));
    return this._as_matrix(factor).mul(this.covariance_matrix);
  }

  override get variance(): Tensor {
    const V = this.covariance_matrix;
    const diag_V = V.diagonal({ dim1: -2, dim2: -1 });
    return this._as_matrix(this.df).mul(V.pow(2).add(torch.einsum("...i,...j->...ij", diag_V, diag_V)));
  }

  _bartlett_sampling(sample_shape: Size = []): Tensor {
    const p = this._event_shape[1];
    const deviations = this._dist_chi2.rsample(sample_shape).sqrt();
    const noise = deviations.clamp({ min: torch.finfo(deviations.dtype).eps }).diag_embed({ dim1: -2, dim2: -1 });
    const [i, j] = torch.tril_indices(p, p, { offset: -1 }).unbind();
    const { dtype, device } = noise;
    const below = torch.randn([...sample_shape, ...this._batch_shape, (p * (p - 1)) / 2], { dtype, device });
    noise.set_at(below, "...", i, j);
    const chol = torch.matmul(this._unbroadcasted_scale_tril, noise);
    return torch.matmul(chol, chol.transpose(-2, -1));
  }

  /** Whether samples lie in the support; with a batch, whether any of the batch does. */
  private _check(sample: Tensor): Tensor {
    const valid = this.support.check(sample);
    return this._batch_shape.length === 0 ? valid : valid.amax(this._batch_dims);
  }

  /**
   * Samples that rounding makes singular are drawn again, at most `max_try_correction` times (10 if it is null). As in PyTorch the first
   * check is inverted by mistake: valid samples are drawn again, with a warning.
   */
  override rsample(...args: RsampleArgs): Tensor;
  override rsample(given_shape: Size, max_try_correction: number | null): Tensor {
    const sample_shape = torch.Size(given_shape);
    const sample = this._bartlett_sampling(sample_shape);
    const is_singular = this._check(sample);
    if (!is_singular.any().item()) return sample;
    warn("UserWarning", "Singular sample detected.");
    for (let i = 0; i < (max_try_correction ?? 10); i++) {
      const sample_new = this._bartlett_sampling(is_singular.at(is_singular).shape);
      sample.set_at(sample_new, is_singular);
      const invalid = this.support.check(sample_new).bitwise_not();
      const is_singular_new = this._batch_shape.length === 0 ? invalid : invalid.amax(this._batch_dims);
      is_singular.set_at(is_singular_new, is_singular.clone());
      if (!is_singular.any().item()) break;
    }
    return sample;
  }

  /** `log |covariance| / 2`. */
  private get _half_log_det(): Tensor {
    const p = this._event_shape[1];
    return this._unbroadcasted_scale_tril
      .diagonal({ dim1: -2, dim2: -1 })
      .log()
      .sum(-1)
      .add((p * _log_2) / 2);
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const nu = this.df;
    const p = this._event_shape[1];
    const solved = torch.cholesky_solve(value, this._unbroadcasted_scale_tril);
    const trace = solved.diagonal({ dim1: -2, dim2: -1 }).sum({ dim: -1 });
    return nu
      .neg()
      .mul(this._half_log_det)
      .sub(torch.mvlgamma(nu.div(2), p))
      .add(nu.sub(p).sub(1).div(2).mul(torch.linalg.slogdet(value).logabsdet))
      .sub(trace.div(2));
  }

  override entropy(): Tensor {
    const nu = this.df;
    const p = this._event_shape[1];
    return this._half_log_det
      .mul(p + 1)
      .add(torch.mvlgamma(nu.div(2), p))
      .sub(
        nu
          .sub(p)
          .sub(1)
          .div(2)
          .mul(_mvdigamma(nu.div(2), p)),
      )
      .add(nu.mul(p).div(2));
  }

  override get _natural_params(): Tensor[] {
    const p = this._event_shape[1];
    return [this.precision_matrix.neg().div(2), this.df.sub(p).sub(1).div(2)];
  }

  override _log_normalizer(x: Tensor, y: Tensor): Tensor {
    const p = this._event_shape[1];
    const half = y.add((p + 1) / 2);
    const log_det = torch.linalg.slogdet(x.mul(-2)).logabsdet;
    return half.mul(log_det.neg().add(_log_2 * p)).add(torch.mvlgamma(half, p));
  }
}
