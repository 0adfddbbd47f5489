/**
 * @file The beta distribution, over numbers between 0 and 1.
 * @mirrors torch/distributions/beta.py
 */
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "./class_attributes.ts";
import { positive, unit_interval } from "./constraints.ts";
import { Dirichlet } from "./dirichlet.ts";
import {
  type Distribution,
  def_distribution,
  type ExpandArgs,
  type SampleArgs,
  type ValueArgs,
} from "./distribution.ts";
import { ExponentialFamily } from "./exp_family.ts";
import { broadcast_all, is_number, type Number_, type Size } from "./utils.ts";

const Beta_init = new Init(
  "Beta.__init__(self, concentration1, concentration0, validate_args=None)",
  types<[concentration1: Tensor | Number_, concentration0: Tensor | Number_, validate_args: boolean | null]>,
);

/** Beta distribution: the density is proportional to `x ** (concentration1 - 1) * (1 - x) ** (concentration0 - 1)`. */
export class Beta extends ExponentialFamily {
  static override readonly __module__: string = "torch.distributions.beta";
  declare _dirichlet: Dirichlet;

  static {
    class_attributes(Beta, {
      arg_constraints: { concentration1: positive, concentration0: positive },
      support: unit_interval,
      has_rsample: true,
    });
    def_distribution(Beta, Beta_init, { rsample: "(self, sample_shape=())" });
  }

  constructor(...args: InitArgs<typeof Beta_init>) {
    const [concentration1, concentration0, validate_args] = Beta_init.bind(args);
    super();
    const both =
      is_number(concentration1) && is_number(concentration0)
        ? torch.tensor([Number(concentration1), Number(concentration0)], { dtype: torch.get_default_dtype() })
        : torch.stack(broadcast_all(concentration1, concentration0), -1);
    this._dirichlet = new Dirichlet(both, validate_args);
    super.__init__(this._dirichlet._batch_shape, [], validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(Beta, _instance);
    const shape = torch.Size(batch_shape);
    new_._dirichlet = this._dirichlet.expand(shape);
    return this._expanded(new_, shape);
  }

  override get mean(): Tensor {
    return this.concentration1.div(this.concentration1.add(this.concentration0));
  }

  override get mode(): Tensor {
    return this._dirichlet.mode.at("...", 0);
  }

  override get variance(): Tensor {
    const total = this.concentration1.add(this.concentration0);
    return this.concentration1.mul(this.concentration0).div(total.pow(2).mul(total.add(1)));
  }

  override rsample(...args: SampleArgs): Tensor;
  override rsample(sample_shape: Size): Tensor {
    return this._dirichlet.rsample(sample_shape).select(-1, 0);
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    return this._dirichlet.log_prob(torch.stack([value, value.__rsub__(1)], -1));
  }

  override entropy(): Tensor {
    return this._dirichlet.entropy();
  }

  get concentration1(): Tensor {
    return this._dirichlet.concentration.at("...", 0);
  }

  get concentration0(): Tensor {
    return this._dirichlet.concentration.at("...", 1);
  }

  override get _natural_params(): Tensor[] {
    return [this.concentration1, this.concentration0];
  }

  override _log_normalizer(x: Tensor, y: Tensor): Tensor {
    return torch
      .lgamma(x)
      .add(torch.lgamma(y))
      .sub(torch.lgamma(x.add(y)));
  }
}
