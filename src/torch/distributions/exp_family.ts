/**
 * @file Exponential families: densities `exp(<t(x), theta> - F(theta) + k(x))`. Autograd computes their entropy and divergence from `F`.
 * @mirrors torch/distributions/exp_family.py
 */
import { NotImplementedError } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Distribution, Distribution_init, def_distribution } from "./distribution.ts";

/** A distribution with natural parameters and a log normalizer. */
export class ExponentialFamily extends Distribution {
  static override readonly __module__: string = "torch.distributions.exp_family";

  static {
    def_distribution(ExponentialFamily, Distribution_init);
  }

  /** The natural parameters theta. */
  get _natural_params(): Tensor[] {
    throw new NotImplementedError("");
  }

  /** The log normalizer F(theta). */
  _log_normalizer(..._natural_params: Tensor[]): Tensor {
    throw new NotImplementedError("");
  }

  /** The mean of k(x). */
  get _mean_carrier_measure(): number {
    throw new NotImplementedError("");
  }

  /** The natural parameters as leaves, the log normalizer, and its gradients. */
  _normalizer_and_gradients(): [nparams: Tensor[], lg_normal: Tensor, gradients: Tensor[]] {
    const nparams = this._natural_params.map((p) => p.detach().requires_grad_());
    const lg_normal = this._log_normalizer(...nparams);
    const gradients = torch.autograd.grad(lg_normal.sum(), nparams, { create_graph: true }) as Tensor[];
    return [nparams, lg_normal, gradients];
  }

  override entropy(): Tensor {
    const carrier = -this._mean_carrier_measure;
    const [nparams, lg_normal, gradients] = this._normalizer_and_gradients();
    return nparams.reduce(
      (result, np, i) =>
        result.sub(
          np
            .mul(gradients[i])
            .reshape([...this._batch_shape, -1])
            .sum(-1),
        ),
      lg_normal.add(carrier),
    );
  }
}
