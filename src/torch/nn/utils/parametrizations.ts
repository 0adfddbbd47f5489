/**
 * @file Ready-made parametrizations: weight normalization (length and direction) and spectral normalization.
 * @mirrors torch/nn/utils/parametrizations.py
 * @see parametrizations_orthogonal.ts (orthogonal matrices)
 */
import { AssertionError, IndexError, TypeError_, ValueError } from "#c10/util/Exception";
import { python_type } from "#torch/_C";
import { def, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import * as F from "#torch/nn/functional/index";
import { ConvTranspose1d, ConvTranspose2d, ConvTranspose3d } from "#torch/nn/modules/conv/transpose";
import { Module } from "#torch/nn/modules/module/index";
import { register_parametrization } from "./parametrize.ts";

export { orthogonal } from "./parametrizations_orthogonal.ts";

const _WeightNorm_init = new Init("_WeightNorm.__init__(self, dim=0)", types<[dim: number | null]>);

export class _WeightNorm extends Module<[weight_g: Tensor, weight_v: Tensor], Tensor> {
  static readonly __module__: string = "torch.nn.utils.parametrizations";

  dim: number;

  static {
    def_methods(_WeightNorm, {
      __init__: _WeightNorm_init,
      forward: "(self, weight_g, weight_v)",
      right_inverse: "(self, weight)",
    });
  }

  constructor(...args: InitArgs<typeof _WeightNorm_init>) {
    const [dim] = _WeightNorm_init.bind(args);
    super();
    this.dim = dim ?? -1;
  }

  override forward(weight_g: Tensor, weight_v: Tensor): Tensor {
    return torch._weight_norm(weight_v, weight_g, this.dim);
  }

  right_inverse(weight: Tensor): [weight_g: Tensor, weight_v: Tensor] {
    return [torch.norm_except_dim(weight, 2, this.dim), weight];
  }
}

/** Weight normalization: the parameter is `original0`, the length of each slice along `dim`, times the direction of `original1`. */
export const weight_norm = def(
  "weight_norm(module, name='weight', dim=0)",
  <M extends Module>(module: M, name: string, dim: number | null): M => {
    register_parametrization(module, name, new _WeightNorm(dim), { unsafe: true });
    // A checkpoint of the older `torch.nn.utils.weight_norm` contains `weight_g` and `weight_v`.
    module._register_load_state_dict_pre_hook((state_dict: Map<string, unknown>, prefix: string): void => {
      const old_keys = [`${prefix}${name}_g`, `${prefix}${name}_v`];
      if (!old_keys.every((key) => state_dict.has(key))) return;
      for (const [i, key] of old_keys.entries()) {
        state_dict.set(`${prefix}parametrizations.${name}.original${i}`, state_dict.get(key));
        state_dict.delete(key);
      }
    });
    return module;
  },
);

const _SpectralNorm_init = new Init(
  "_SpectralNorm.__init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12)",
  types<[weight: Tensor, n_power_iterations: number, dim: number, eps: number]>,
);

export class _SpectralNorm extends Module<[weight: Tensor], Tensor> {
  static readonly __module__: string = "torch.nn.utils.parametrizations";

  dim: number;
  eps: number;
  declare n_power_iterations: number;
  declare _u: Tensor;
  declare _v: Tensor;

  static {
    def_methods(_SpectralNorm, {
      __init__: _SpectralNorm_init,
      _reshape_weight_to_matrix: "(self, weight)",
      _power_method: "(self, weight_mat, n_power_iterations)",
      forward: "(self, weight)",
      right_inverse: "(self, value)",
    });
  }

  constructor(...args: InitArgs<typeof _SpectralNorm_init>) {
    const [weight, n_power_iterations, dim, eps] = _SpectralNorm_init.bind(args);
    super();
    const ndim = weight.dim();
    if (dim >= ndim || dim < -ndim)
      throw new IndexError(
        `Dimension out of range (expected to be in range of [-${ndim}, ${ndim - 1}] but got ${dim})`,
      );
    if (n_power_iterations <= 0)
      throw new ValueError(
        `Expected n_power_iterations to be positive, but got n_power_iterations=${n_power_iterations}`,
      );
    this.dim = dim >= 0 ? dim : dim + ndim;
    this.eps = eps;
    if (ndim <= 1) return;
    this.n_power_iterations = n_power_iterations;
    const weight_mat = this._reshape_weight_to_matrix(weight);
    const [h, w] = weight_mat.shape;
    const u = weight_mat.new_empty([h]).normal_(0, 1);
    const v = weight_mat.new_empty([w]).normal_(0, 1);
    this.register_buffer("_u", F.normalize(u, { dim: 0, eps }));
    this.register_buffer("_v", F.normalize(v, { dim: 0, eps }));
    this._power_method(weight_mat, 15); // a good start, so that one iteration per forward is enough
  }

  /** The weight as a matrix: `dim` first, all other dims merged. */
  _reshape_weight_to_matrix(weight: Tensor): Tensor {
    if (weight.dim() <= 1)
      throw new AssertionError(`Expected weight to have more than 1 dimension, got ${weight.dim()}`);
    const others = [...weight.shape.keys()].filter((d) => d !== this.dim);
    return (this.dim === 0 ? weight : weight.permute([this.dim, ...others])).flatten(1);
  }

  /** Power method: updates the buffers with the left and right singular vectors of the largest singular value. */
  _power_method(weight_mat: Tensor, n_power_iterations: number): void {
    if (weight_mat.dim() <= 1)
      throw new AssertionError(`Expected weight_mat to have more than 1 dimension, got ${weight_mat.dim()}`);
    if (!Number.isInteger(n_power_iterations))
      throw new TypeError_(`'${python_type(n_power_iterations)}' object cannot be interpreted as an integer`);
    const { eps } = this;
    torch.no_grad(() => {
      for (let i = 0; i < n_power_iterations; i++) {
        this._u = F.normalize(torch.mv(weight_mat, this._v), { dim: 0, eps, out: this._u });
        this._v = F.normalize(torch.mv(weight_mat.t(), this._u), { dim: 0, eps, out: this._v });
      }
    });
  }

  override forward(weight: Tensor): Tensor {
    if (weight.dim() === 1) return F.normalize(weight, { dim: 0, eps: this.eps }); // a vector has one singular value: its length
    const weight_mat = this._reshape_weight_to_matrix(weight);
    if (this.training) this._power_method(weight_mat, this.n_power_iterations);
    // The next forward changes the buffers in place, but backward needs their current values.
    const u = this._u.clone({ memory_format: torch.contiguous_format });
    const v = this._v.clone({ memory_format: torch.contiguous_format });
    return weight.div(torch.vdot(u, torch.mv(weight_mat, v)));
  }

  /** The value itself; the next forward divides by its norm. */
  right_inverse(value: Tensor): Tensor {
    return value;
  }
}

/**
 * Spectral normalization: a parameter divided by its largest singular value.
 * @param n_power_iterations iterations of the power method per forward in training
 * @param dim the dim that becomes the rows of the matrix; 1 for transposed convolutions, else 0
 */
export const spectral_norm = def(
  "spectral_norm(module, name='weight', n_power_iterations=1, eps=1e-12, dim=None)",
  <M extends Module>(module: M, name: string, n_power_iterations: number, eps: number, dim: number | null): M => {
    const weight = (module as unknown as Record<string, unknown>)[name];
    if (!(weight instanceof Tensor))
      throw new ValueError(`Module '${module}' has no parameter or buffer with name '${name}'`);
    const rows = dim ?? output_dim(module);
    register_parametrization(module, name, new _SpectralNorm(weight, n_power_iterations, rows, eps));
    return module;
  },
);

/** The dim of a weight that indexes the outputs. */
export function output_dim(module: Module): number {
  const transposed = [ConvTranspose1d, ConvTranspose2d, ConvTranspose3d].some((cls) => module instanceof cls);
  return transposed ? 1 : 0;
}
