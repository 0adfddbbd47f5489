/**
 * @file The Dirichlet distribution, over probability vectors.
 * @mirrors torch/distributions/dirichlet.py
 */

import { ValueError } from "#c10/util/Exception";
import { with_method } from "#torch/_C";
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Function as Function_, type FunctionCtx, once_differentiable } from "#torch/autograd/function";
import * as F from "#torch/nn/functional/index";
import { class_attributes } from "./class_attributes.ts";
import { independent, positive, simplex } from "./constraints.ts";
import {
  type Distribution,
  def_distribution,
  type ExpandArgs,
  type SampleArgs,
  type ValueArgs,
} from "./distribution.ts";
import { ExponentialFamily } from "./exp_family.ts";
import type { Size } from "./utils.ts";

/** A sample, with the gradient for the concentrations: each coordinate's own term minus the weighted mean of all, since they sum to 1. */
class _Dirichlet extends Function_ {
  static override forward(ctx: FunctionCtx, concentration: Tensor): Tensor {
    const x = torch._sample_dirichlet(concentration);
    ctx.save_for_backward(x, concentration);
    return x;
  }

  static override backward = once_differentiable((ctx: FunctionCtx, grad_output: Tensor): Tensor => {
    const [x, concentration] = ctx.saved_tensors as Tensor[];
    const total = concentration.sum(-1, true).expand_as(concentration);
    const grad = torch._dirichlet_grad(x, concentration, total);
    return grad.mul(grad_output.sub(x.mul(grad_output).sum(-1, true)));
  });
}

const Dirichlet_init = new Init(
  "Dirichlet.__init__(self, concentration, validate_args=None)",
  types<[concentration: Tensor, validate_args: boolean | null]>,
);

/** Dirichlet distribution over points of a simplex, with concentrations along the last dim. */
export class Dirichlet extends ExponentialFamily {
  static override readonly __module__: string = "torch.distributions.dirichlet";
  declare concentration: Tensor;

  static {
    class_attributes(Dirichlet, {
      arg_constraints: { concentration: independent(positive, 1) },
      support: simplex,
      has_rsample: true,
    });
    def_distribution(Dirichlet, Dirichlet_init, { rsample: "(self, sample_shape=())" });
  }

  constructor(...args: InitArgs<typeof Dirichlet_init>) {
    const [concentration, validate_args] = Dirichlet_init.bind(args);
    if (with_method(concentration, "dim").dim() < 1)
      throw new ValueError("`concentration` parameter must be at least one-dimensional.");
    super();
    this.concentration = concentration;
    super.__init__(concentration.shape.slice(0, -1), concentration.shape.slice(-1), validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Dirichlet, _instance);
    const shape = torch.Size(batch_shape);
    new_.concentration = this.concentration.expand([...shape, ...this._event_shape]);
    return this._expanded(new_, shape);
  }

  override rsample(...args: SampleArgs): Tensor;
  override rsample(sample_shape: Size): Tensor {
    return _Dirichlet.apply(this.concentration.expand(this._extended_shape(sample_shape))) as Tensor;
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const { concentration } = this;
    return torch
      .xlogy(concentration.sub(1), value)
      .sum(-1)
      .add(torch.lgamma(concentration.sum(-1)))
      .sub(torch.lgamma(concentration).sum(-1));
  }

  override get mean(): Tensor {
    return this.concentration.div(this.concentration.sum(-1, true));
  }

  // If all concentrations are below 1, the density is infinite at all corners; the mode is the corner of the largest concentration.
  override get mode(): Tensor {
    const above = this.concentration.sub(1).clamp({ min: 0 });
    const mode = above.div(above.sum(-1, true));
    const mask = this.concentration.lt(1).all(-1);
    const corner = F.one_hot(mode.at(mask).argmax(-1), above.size(-1)).to(mode);
    return mode.set_at(corner, mask);
  }

  override get variance(): Tensor {
    const con0 = this.concentration.sum(-1, true);
    return this.concentration.mul(con0.sub(this.concentration)).div(con0.pow(2).mul(con0.add(1)));
  }

  override entropy(): Tensor {
    const { concentration } = this;
    const k = concentration.size(-1);
    const a0 = concentration.sum(-1);
    return torch
      .lgamma(concentration)
      .sum(-1)
      .sub(torch.lgamma(a0))
      .sub(a0.__rsub__(k).mul(torch.digamma(a0)))
      .sub(concentration.sub(1).mul(torch.digamma(concentration)).sum(-1));
  }

  override get _natural_params(): Tensor[] {
    return [this.concentration];
  }

  override _log_normalizer(x: Tensor): Tensor {
    return x
      .lgamma()
      .sum(-1)
      .sub(torch.lgamma(x.sum(-1)));
  }
}
