/**
 * @file The multivariate normal distribution.
 * @mirrors torch/distributions/multivariate_normal.py
 */

import { ValueError } from "#c10/util/Exception";
import { with_method } from "#torch/_C";
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { lower_cholesky, positive_definite, real_vector } from "./constraints.ts";
import { Distribution, def_distribution, type ExpandArgs, type SampleArgs, type ValueArgs } from "./distribution.ts";
import { _standard_normal, lazy_property, type Size } from "./utils.ts";

/** Matrix-vector products.   `(*, n, n), (*, n) -> (*, n)` */
export function _batch_mv(bmat: Tensor, bvec: Tensor): Tensor {
  return torch.matmul(bmat, bvec.unsqueeze(-1)).squeeze(-1);
}

/**
 * The squared Mahalanobis distance `x^T (L L^T)^-1 x`. The batch of `bL` may be broadcast to that of `bx`: each batch dim of `bx` is
 * split by the corresponding dim of `bL`, so that every matrix is solved once, for all of its vectors.   `(i, 1, n, n), (*, i, j, n) -> (*, i, j)`
 */
export function _batch_mahalanobis(bL: Tensor, bx: Tensor): Tensor {
  const n = bx.size(-1);
  const bx_batch_shape = bx.shape.slice(0, -1);
  const bL_batch_shape = bL.shape.slice(0, -2);
  const outer = bx_batch_shape.length - bL_batch_shape.length;
  const split = bL_batch_shape.flatMap((sL, i) => [Math.floor(bx_batch_shape[outer + i] / sL), sL]);
  const outer_dims = [...Array(outer).keys()];
  const inner_dims = [...bL_batch_shape.keys()];
  const permuted = bx
    .reshape([...bx_batch_shape.slice(0, outer), ...split, n])
    .permute([
      ...outer_dims,
      ...inner_dims.map((i) => outer + 2 * i),
      ...inner_dims.map((i) => outer + 2 * i + 1),
      outer + split.length,
    ]); // (*, 1, j, i, 1, n)

  const flat_L = bL.reshape(-1, n, n); //                                  (b, n, n)
  const flat_x_swap = permuted.reshape(-1, flat_L.size(0), n).permute(1, 2, 0); // (b, n, c)
  const M_swap = torch.linalg.solve_triangular(flat_L, flat_x_swap, { upper: false }).pow(2).sum(-2); // (b, c)
  const permuted_M = M_swap.t().reshape(permuted.shape.slice(0, -1));
  const back = inner_dims.flatMap((i) => [outer + i, outer + bL_batch_shape.length + i]);
  return permuted_M.permute([...outer_dims, ...back]).reshape(bx_batch_shape);
}

/** The Cholesky factor `L` of `P^-1 = L L^T`, computed from the Cholesky factor of `P` with rows and columns reversed. */
export function _precision_to_scale_tril(P: Tensor): Tensor {
  const Lf = torch.linalg.cholesky(torch.flip(P, [-2, -1]));
  const L_inv = torch.transpose(torch.flip(Lf, [-2, -1]), -2, -1);
  const Id = torch.eye(P.size(-1), { dtype: P.dtype, device: P.device });
  return torch.linalg.solve_triangular(L_inv, Id, { upper: false });
}

const MultivariateNormal_init = new Init(
  "MultivariateNormal.__init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None)",
  types<
    [
      loc: Tensor,
      covariance_matrix: Tensor | null,
      precision_matrix: Tensor | null,
      scale_tril: Tensor | null,
      validate_args: boolean | null,
    ]
  >,
);

const MATRICES = ["scale_tril", "covariance_matrix", "precision_matrix"] as const;

/**
 * Multivariate normal distribution around `loc`. One parameter is given: the covariance, its inverse, or its Cholesky factor `scale_tril`,
 * which all computations use.
 */
export class MultivariateNormal extends Distribution {
  static override readonly __module__: string = "torch.distributions.multivariate_normal";
  declare loc: Tensor;
  declare scale_tril: Tensor;
  declare covariance_matrix: Tensor;
  declare precision_matrix: Tensor;
  declare _unbroadcasted_scale_tril: Tensor;

  static {
    class_attributes(MultivariateNormal, {
      arg_constraints: {
        loc: real_vector,
        covariance_matrix: positive_definite,
        precision_matrix: positive_definite,
        scale_tril: lower_cholesky,
      },
      support: real_vector,
      has_rsample: true,
    });
    lazy_property(MultivariateNormal, "scale_tril", (self) => self._of_batch(self._unbroadcasted_scale_tril));
    lazy_property(MultivariateNormal, "covariance_matrix", (self) =>
      self._of_batch(torch.matmul(self._unbroadcasted_scale_tril, self._unbroadcasted_scale_tril.mT)),
    );
    lazy_property(MultivariateNormal, "precision_matrix", (self) =>
      self._of_batch(torch.cholesky_inverse(self._unbroadcasted_scale_tril)),
    );
    def_distribution(MultivariateNormal, MultivariateNormal_init);
  }

  constructor(...args: InitArgs<typeof MultivariateNormal_init>) {
    const [loc, covariance_matrix, precision_matrix, scale_tril, validate_args] = MultivariateNormal_init.bind(args);
    if (with_method(loc, "dim").dim() < 1) throw new ValueError("loc must be at least one-dimensional.");
    const given = { scale_tril, covariance_matrix, precision_matrix };
    const names = MATRICES.filter((name) => given[name] !== null);
    if (names.length !== 1)
      throw new ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.");
    const [name] = names;
    const matrix = given[name] as Tensor;
    if (with_method(matrix, "dim").dim() < 2)
      throw new ValueError(
        `${name === "scale_tril" ? "scale_tril matrix" : name} must be at least two-dimensional, with optional leading batch dimensions`,
      );
    super();
    const batch_shape = torch.broadcast_shapes(matrix.shape.slice(0, -2), loc.shape.slice(0, -1));
    this[name] = matrix.expand([...batch_shape, -1, -1]);
    this.loc = loc.expand([...batch_shape, -1]);
    super.__init__(batch_shape, this.loc.shape.slice(-1), validate_args);
    if (scale_tril !== null) this._unbroadcasted_scale_tril = scale_tril;
    else if (covariance_matrix !== null) this._unbroadcasted_scale_tril = torch.linalg.cholesky(covariance_matrix);
    else this._unbroadcasted_scale_tril = _precision_to_scale_tril(matrix);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(MultivariateNormal, _instance);
    const shape = torch.Size(batch_shape);
    const loc_shape = [...shape, ...this._event_shape];
    new_.loc = this.loc.expand(loc_shape);
    new_._unbroadcasted_scale_tril = this._unbroadcasted_scale_tril;
    for (const name of MATRICES)
      if (Object.hasOwn(this, name)) new_[name] = this[name].expand([...loc_shape, ...this._event_shape]);
    return this._expanded(new_, shape);
  }

  /** A matrix expanded to the batch. */
  private _of_batch(matrix: Tensor): Tensor {
    return matrix.expand([...this._batch_shape, ...this._event_shape, ...this._event_shape]);
  }

  /** `log sqrt(det(covariance))`. */
  private get _half_log_det(): Tensor {
    return this._unbroadcasted_scale_tril.diagonal({ dim1: -2, dim2: -1 }).log().sum(-1);
  }

  override get mean(): Tensor {
    return this.loc;
  }

  override get mode(): Tensor {
    return this.loc;
  }

  override get variance(): Tensor {
    const variances = this._unbroadcasted_scale_tril.pow(2).sum(-1);
    return variances.expand([...this._batch_shape, ...this._event_shape]);
  }

  override rsample(...args: SampleArgs): Tensor;
  override rsample(sample_shape: Size): Tensor {
    const eps = _standard_normal(this._extended_shape(sample_shape), this.loc);
    return this.loc.add(_batch_mv(this._unbroadcasted_scale_tril, eps));
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const M = _batch_mahalanobis(this._unbroadcasted_scale_tril, value.sub(this.loc));
    const constant = this._event_shape[0] * Math.log(2 * Math.PI);
    return M.add(constant).mul(-0.5).sub(this._half_log_det);
  }

  override entropy(): Tensor {
    const H = this._half_log_det.add(0.5 * this._event_shape[0] * (1 + Math.log(2 * Math.PI)));
    return this._batch_shape.length === 0 ? H : H.expand(this._batch_shape);
  }
}
