/**
 * @file `nn.InstanceNorm1d`, `2d` and `3d`.
 * @mirrors torch/nn/modules/instancenorm.py
 */
import { NotImplementedError, ValueError, warn } from "#c10/util/Exception";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import * as F from "#torch/nn/functional/index";
import { _NormBase, check_dim, type NormArgs } from "./batchnorm/index.ts";
import type { LoadArgs } from "./module/state_dict.ts";

const _InstanceNorm_init = new Init(
  "_InstanceNorm.__init__(self, num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None, *, bias=True)",
  types<NormArgs>,
);

export abstract class _InstanceNorm extends _NormBase {
  static override readonly __module__: string = "torch.nn.modules.instancenorm";

  static {
    def_methods(_InstanceNorm, {
      __init__: _InstanceNorm_init,
      _get_no_batch_dim: "(self)",
      _handle_no_batch_input: "(self, input)",
      _apply_instance_norm: "(self, input)",
      forward: "(self, input)",
    });
  }

  constructor(...args: InitArgs<typeof _InstanceNorm_init>) {
    const [num_features, eps, momentum, affine, track_running_stats, device, dtype, bias] =
      _InstanceNorm_init.bind(args);
    super(num_features, eps, momentum, affine, track_running_stats, { device, dtype, bias });
  }

  /** The number of dims of an input without a batch dim. */
  _get_no_batch_dim(): number {
    throw new NotImplementedError("");
  }

  _handle_no_batch_input(input: Tensor): Tensor {
    return this._apply_instance_norm(input.unsqueeze(0)).squeeze(0);
  }

  _apply_instance_norm(input: Tensor): Tensor {
    return F.instance_norm(
      input,
      this.running_mean,
      this.running_var,
      this.weight,
      this.bias,
      this.training || !this.track_running_stats,
      this.momentum ?? 0,
      this.eps,
    );
  }

  override _load_from_state_dict(...args: LoadArgs): void {
    const [state_dict, prefix, local_metadata, , , , error_msgs] = args;
    if (local_metadata.version === undefined && !this.track_running_stats) {
      const keys = ["running_mean", "running_var"].map((name) => prefix + name).filter((key) => state_dict.has(key));
      if (keys.length > 0) {
        const names = keys.map((key) => `"${key}"`).join(" and ");
        const klass = this._get_name();
        error_msgs.push(
          `Unexpected running stats buffer(s) ${names} for ${klass} with track_running_stats=False. If state_dict is a checkpoint saved before 0.4.0, this may be expected because ${klass} does not track running stats by default since 0.4.0. Please remove these keys from state_dict. If the running stats are actually needed, instead set track_running_stats=True in ${klass} to enable them. See the documentation of ${klass} for details.`,
        );
        for (const key of keys) state_dict.delete(key);
      }
    }
    super._load_from_state_dict(...args);
  }

  override forward(input: Tensor): Tensor {
    this._check_input_dim(input);
    const no_batch = this._get_no_batch_dim();
    const feature_dim = input.dim() - no_batch;
    const size = input.size(feature_dim);
    if (size !== this.num_features) {
      if (this.affine)
        throw new ValueError(
          `expected input's size at dim=${feature_dim} to match num_features (${this.num_features}), but got: ${size}.`,
        );
      warn(
        "UserWarning",
        `input's size at dim=${feature_dim} does not match num_features. You can silence this warning by not passing in num_features, which is not used because affine=False`,
      );
    }
    return input.dim() === no_batch ? this._handle_no_batch_input(input) : this._apply_instance_norm(input);
  }
}

/** Normalizes each channel of each sequence separately.   `(N, C, L) or (C, L)` */
export class InstanceNorm1d extends _InstanceNorm {
  static {
    def_methods(InstanceNorm1d, { _get_no_batch_dim: "(self)", _check_input_dim: "(self, input)" });
  }

  override _get_no_batch_dim(): number {
    return 2;
  }

  override _check_input_dim(input: Tensor): void {
    check_dim(input, 2, 3);
  }
}

/** Normalizes each channel of each image separately.   `(N, C, H, W) or (C, H, W)` */
export class InstanceNorm2d extends _InstanceNorm {
  static {
    def_methods(InstanceNorm2d, { _get_no_batch_dim: "(self)", _check_input_dim: "(self, input)" });
  }

  override _get_no_batch_dim(): number {
    return 3;
  }

  override _check_input_dim(input: Tensor): void {
    check_dim(input, 3, 4);
  }
}

/** Normalizes each channel of each volume separately.   `(N, C, D, H, W) or (C, D, H, W)` */
export class InstanceNorm3d extends _InstanceNorm {
  static {
    def_methods(InstanceNorm3d, { _get_no_batch_dim: "(self)", _check_input_dim: "(self, input)" });
  }

  override _get_no_batch_dim(): number {
    return 4;
  }

  override _check_input_dim(input: Tensor): void {
    check_dim(input, 4, 5);
  }
}
