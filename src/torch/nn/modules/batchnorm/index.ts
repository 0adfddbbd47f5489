/**
 * @file `nn.BatchNorm1d`, `2d` and `3d`, and their common base with InstanceNorm.
 * @mirrors torch/nn/modules/batchnorm.py
 */
import { NotImplementedError, ValueError } from "#c10/util/Exception";
import { having, py_format, py_str } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import * as F from "#torch/nn/functional/index";
import * as init from "#torch/nn/init";
import { Module, type Unary } from "#torch/nn/modules/module/index";
import type { LoadArgs } from "#torch/nn/modules/module/state_dict";
import { Parameter } from "#torch/nn/parameter/index";
import type { DeviceLike, dtype } from "#torch/types";

export type NormArgs = [
  num_features: number,
  eps: number,
  momentum: number | null,
  affine: boolean,
  track_running_stats: boolean,
  device: DeviceLike | null,
  dtype: dtype | null,
  bias: boolean,
];

const _NormBase_init = new Init(
  "_NormBase.__init__(self, num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True)",
  types<NormArgs>,
);

/** Weight and bias of each channel and, if statistics are tracked, the running mean and variance. */
export abstract class _NormBase extends Module<Unary, Tensor> {
  static readonly __module__: string = "torch.nn.modules.batchnorm";
  /** Version 2 added `num_batches_tracked`. */
  static readonly _version: number = 2;

  num_features: number;
  eps: number;
  momentum: number | null;
  affine: boolean;
  track_running_stats: boolean;
  declare weight: Parameter | null;
  declare bias: Parameter | null;
  declare running_mean: Tensor | null;
  declare running_var: Tensor | null;
  declare num_batches_tracked: Tensor | null;

  static {
    def_methods(_NormBase, {
      __init__: _NormBase_init,
      reset_running_stats: "(self)",
      reset_parameters: "(self)",
      _check_input_dim: "(self, input)",
      extra_repr: "(self)",
    });
  }

  constructor(...args: InitArgs<typeof _NormBase_init>) {
    const [num_features, eps, momentum, affine, track_running_stats, device, dtype, bias] = _NormBase_init.bind(args);
    const factory_kwargs = { device, dtype };
    super();
    this.num_features = num_features;
    this.eps = eps;
    this.momentum = momentum;
    this.affine = affine;
    this.track_running_stats = track_running_stats;
    if (affine) this.weight = new Parameter(torch.empty(num_features, factory_kwargs));
    else this.register_parameter("weight", null);
    if (affine && bias) this.bias = new Parameter(torch.empty(num_features, factory_kwargs));
    else this.register_parameter("bias", null);
    if (track_running_stats) {
      this.register_buffer("running_mean", torch.zeros(num_features, factory_kwargs));
      this.register_buffer("running_var", torch.ones(num_features, factory_kwargs));
      this.register_buffer("num_batches_tracked", torch.tensor(0, { dtype: torch.long, device }));
    } else {
      this.register_buffer("running_mean", null);
      this.register_buffer("running_var", null);
      this.register_buffer("num_batches_tracked", null);
    }
    this.reset_parameters();
  }

  reset_running_stats(): void {
    if (!this.track_running_stats) return;
    having(this.running_mean as Tensor, "zero_").zero_();
    having(this.running_var as Tensor, "fill_").fill_(1);
    having(this.num_batches_tracked as Tensor, "zero_").zero_();
  }

  reset_parameters(): void {
    this.reset_running_stats();
    if (!this.affine) return;
    init.ones_(this.weight as Parameter);
    if (this.bias !== null) init.zeros_(this.bias);
  }

  _check_input_dim(_input: Tensor): void {
    throw new NotImplementedError("");
  }

  override extra_repr(): string {
    const { num_features, eps, momentum, affine, track_running_stats } = this;
    return `${py_str(num_features)}, eps=${py_format(eps)}, momentum=${py_str(momentum)}, affine=${py_str(affine)}, bias=${py_str(this.bias !== null)}, track_running_stats=${py_str(track_running_stats)}`;
  }

  override _load_from_state_dict(...args: LoadArgs): void {
    const [state_dict, prefix, local_metadata] = args;
    const { version } = local_metadata;
    const key = `${prefix}num_batches_tracked`;
    if ((version === undefined || version < 2) && this.track_running_stats && !state_dict.has(key)) {
      const tracked = this.num_batches_tracked;
      const usable = tracked !== null && !tracked.is_meta;
      state_dict.set(key, usable ? tracked : torch.tensor(0, { dtype: torch.long }));
    }
    super._load_from_state_dict(...args);
  }
}

const _BatchNorm_init = new Init(
  "_BatchNorm.__init__(self, num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True)",
  types<NormArgs>,
);

export abstract class _BatchNorm extends _NormBase {
  static {
    def_methods(_BatchNorm, { __init__: _BatchNorm_init, forward: "(self, input)" });
  }

  constructor(...args: InitArgs<typeof _BatchNorm_init>) {
    const [num_features, eps, momentum, affine, track_running_stats, device, dtype, bias] = _BatchNorm_init.bind(args);
    super(num_features, eps, momentum, affine, track_running_stats, { device, dtype, bias });
  }

  override forward(input: Tensor): Tensor {
    this._check_input_dim(input);
    const { training, track_running_stats } = this;
    // Without a momentum all batches count equally: the n-th one has weight 1/n.
    let exponential_average_factor = this.momentum ?? 0;
    if (training && track_running_stats && this.num_batches_tracked !== null) {
      this.num_batches_tracked.add_(1);
      if (this.momentum === null) exponential_average_factor = 1 / Number(this.num_batches_tracked.item());
    }
    const bn_training = training || (this.running_mean === null && this.running_var === null);
    // In training, statistics that are not tracked are not passed on, because the operator would update them.
    const passed = !training || track_running_stats;
    return F.batch_norm(
      input,
      passed ? this.running_mean : null,
      passed ? this.running_var : null,
      this.weight,
      this.bias,
      bn_training,
      exponential_average_factor,
      this.eps,
    );
  }
}

/** Refuses an input whose number of dims is not one of `expected`. */
export function check_dim(input: Tensor, ...expected: number[]): void {
  const dim = having(input, "dim").dim();
  if (!expected.includes(dim))
    throw new ValueError(`expected ${expected.map((n) => `${n}D`).join(" or ")} input (got ${dim}D input)`);
}

/** Batch normalization of vectors or sequences.   `(N, C) or (N, C, L)` */
export class BatchNorm1d extends _BatchNorm {
  static {
    def_methods(BatchNorm1d, { _check_input_dim: "(self, input)" });
  }

  override _check_input_dim(input: Tensor): void {
    check_dim(input, 2, 3);
  }
}

/** Batch normalization of images.   `(N, C, H, W)` */
export class BatchNorm2d extends _BatchNorm {
  static {
    def_methods(BatchNorm2d, { _check_input_dim: "(self, input)" });
  }

  override _check_input_dim(input: Tensor): void {
    check_dim(input, 4);
  }
}

/** Batch normalization of volumes.   `(N, C, D, H, W)` */
export class BatchNorm3d extends _BatchNorm {
  static {
    def_methods(BatchNorm3d, { _check_input_dim: "(self, input)" });
  }

  override _check_input_dim(input: Tensor): void {
    check_dim(input, 5);
  }
}

const SyncBatchNorm_init = new Init(
  "SyncBatchNorm.__init__(self, num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, process_group=None, device=None, dtype=None, *, bias=True)",
  types<
    [
      num_features: number,
      eps: number,
      momentum: number | null,
      affine: boolean,
      track_running_stats: boolean,
      process_group: unknown,
      device: DeviceLike | null,
      dtype: dtype | null,
      bias: boolean,
    ]
  >,
);

/**
 * Batch normalization with statistics over all processes.   `(N, C, *)`
 * @differs Ours has no process groups, so the statistics are those of this process; PyTorch does the same if no process group is
 * initialized.
 */
export class SyncBatchNorm extends _BatchNorm {
  process_group: unknown;

  static {
    def_methods(SyncBatchNorm, {
      __init__: SyncBatchNorm_init,
      _check_input_dim: "(self, input)",
      _check_non_zero_input_channels: "(self, input)",
      forward: "(self, input)",
    });
  }

  constructor(...args: InitArgs<typeof SyncBatchNorm_init>) {
    const [num_features, eps, momentum, affine, track_running_stats, process_group, device, dtype, bias] =
      SyncBatchNorm_init.bind(args);
    super(num_features, eps, momentum, affine, track_running_stats, { device, dtype, bias });
    this.process_group = process_group;
  }

  override _check_input_dim(input: Tensor): void {
    const dim = having(input, "dim").dim();
    if (dim < 2) throw new ValueError(`expected at least 2D input (got ${dim}D input)`);
  }

  _check_non_zero_input_channels(input: Tensor): void {
    if (input.size(1) === 0) throw new ValueError("SyncBatchNorm number of input channels should be non-zero");
  }

  override forward(input: Tensor): Tensor {
    this._check_input_dim(input);
    this._check_non_zero_input_channels(input);
    return super.forward(input);
  }
}
