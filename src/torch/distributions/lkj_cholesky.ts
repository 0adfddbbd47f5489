/**
 * @file The LKJ distribution (Lewandowski, Kurowicka, Joe) over Cholesky factors of correlation matrices.
 * @mirrors torch/distributions/lkj_cholesky.py
 */

import { ValueError } from "#c10/util/Exception";
import { PyObject_RichCompareBool, py_str } from "#torch/_C";
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Beta } from "./beta.ts";
import { class_attributes } from "./class_attributes.ts";
import { corr_cholesky, positive } from "./constraints.ts";
import { Distribution, def_distribution, type ExpandArgs, type SampleArgs, type ValueArgs } from "./distribution.ts";
import { broadcast_all, type Number_, type Size } from "./utils.ts";

const LKJCholesky_init = new Init(
  "LKJCholesky.__init__(self, dim, concentration=1.0, validate_args=None)",
  types<[dim: number, concentration: Tensor | Number_, validate_args: boolean | null]>,
);

/**
 * LKJ distribution over Cholesky factors `L` with `dim` rows. The density of `L L^T` is proportional to
 * `det(L L^T) ** (concentration - 1)`: with 1 it is uniform over all correlation matrices, with a larger value it prefers those near the
 * identity.
 */
export class LKJCholesky extends Distribution {
  static override readonly __module__: string = "torch.distributions.lkj_cholesky";
  declare dim: number;
  declare concentration: Tensor;
  declare _beta: Beta;

  static {
    class_attributes(LKJCholesky, { arg_constraints: { concentration: positive }, support: corr_cholesky });
    def_distribution(LKJCholesky, LKJCholesky_init);
  }

  constructor(...args: InitArgs<typeof LKJCholesky_init>) {
    const [dim, concentration, validate_args] = LKJCholesky_init.bind(args);
    if (PyObject_RichCompareBool(dim, "<", 2, "int"))
      throw new ValueError(`Expected dim to be an integer greater than or equal to 2. Found dim=${py_str(dim)}.`);
    super();
    this.dim = dim;
    [this.concentration] = broadcast_all(concentration);
    const marginal_conc = this.concentration.add(0.5 * (dim - 2));
    const { dtype, device } = this.concentration;
    const arange = torch.arange(dim - 1, { dtype, device });
    const offset = torch.cat([arange.new_zeros([1]), arange]);
    this._beta = new Beta(offset.add(0.5), marginal_conc.unsqueeze(-1).sub(offset.mul(0.5)));
    super.__init__(this.concentration.size(), [dim, dim], validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(LKJCholesky, _instance);
    const shape = torch.Size(batch_shape);
    new_.dim = this.dim;
    new_.concentration = this.concentration.expand(shape);
    new_._beta = this._beta.expand([...shape, this.dim]);
    return this._expanded(new_, shape);
  }

  // The onion method for all rows at once: each row has a random direction, and a beta variable gives its distance from the diagonal.
  override sample(...args: SampleArgs): Tensor;
  override sample(sample_shape: Size): Tensor {
    const y = this._beta.sample(sample_shape).unsqueeze(-1);
    const { dtype, device } = y;
    const u_normal = torch.randn(this._extended_shape(sample_shape), { dtype, device }).tril(-1);
    const u_hypersphere = u_normal.div(u_normal.norm({ dim: -1, keepdim: true }));
    u_hypersphere.at("...", 0, torch.slice()).fill_(0); // 0 / 0 before this line
    const w = torch.sqrt(y).mul(u_hypersphere);
    const left = torch.sum(w.pow(2), { dim: -1 }).__rsub__(1);
    const diag_elems = torch.clamp(left, { min: torch.finfo(w.dtype).tiny }).sqrt();
    return w.add_(torch.diag_embed(diag_elems));
  }

  // The product of L_ii ** (2 * concentration - 2 + dim - i), from the power of the determinant and the Jacobian of the map from L to L
  // L^T.
  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const diag_elems = value.diagonal({ dim1: -1, dim2: -2 }).at("...", torch.slice(1, null));
    const rows = torch.arange(2, this.dim + 1, { device: this.concentration.device });
    const order = this.concentration.sub(1).unsqueeze(-1).mul(2).add(this.dim).sub(rows);
    const unnormalized_log_pdf = torch.sum(order.mul(diag_elems.log()), { dim: -1 });
    const dm1 = this.dim - 1;
    const alpha = this.concentration.add(0.5 * dm1);
    const denominator = torch.lgamma(alpha).mul(dm1);
    const numerator = torch.mvlgamma(alpha.sub(0.5), dm1);
    const pi_constant = 0.5 * dm1 * Math.log(Math.PI); // the constant in mvlgamma is smaller by this
    const normalize_term = numerator.add(pi_constant).sub(denominator);
    return unnormalized_log_pdf.sub(normalize_term);
  }
}
