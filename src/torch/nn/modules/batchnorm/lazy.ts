/**
 * @file Batch and instance normalization modules that infer `num_features` from the first input.
 * @mirrors torch/nn/modules/batchnorm.py#_LazyNormBase
 */
import { IndexError } from "#c10/util/Exception";
import { having } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { _InstanceNorm, InstanceNorm1d, InstanceNorm2d, InstanceNorm3d } from "#torch/nn/modules/instancenorm";
import { LazyModuleMixin } from "#torch/nn/modules/lazy";
import { is_lazy, UninitializedBuffer, UninitializedParameter } from "#torch/nn/parameter/lazy";
import {
  _BatchNorm,
  type _NormBase,
  BatchNorm1d,
  BatchNorm2d,
  BatchNorm3d,
  check_dim,
  type NormArgs,
} from "./index.ts";

type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

const PARAMETERS =
  "self, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True";
const _LazyNormBase_init = new Init(`_LazyNormBase.__init__(${PARAMETERS})`, types<Tail<NormArgs>>);

// biome-ignore lint/suspicious/noExplicitAny: TypeScript requires it of the base of a mixin
type NormClass = abstract new (...args: any[]) => _NormBase;

/** The class that the mixin returns: instances of the base, with other constructor arguments. */
type LazyNormClass<I> = abstract new (...args: InitArgs<typeof _LazyNormBase_init>) => I & LazyNorm;
interface LazyNorm {
  has_uninitialized_params(): boolean;
  initialize_parameters(input: Tensor): void;
}

function _LazyNormBase<B extends NormClass>(Base: B) {
  abstract class LazyNormBase extends LazyModuleMixin(Base) {
    static {
      const initialize_parameters = "_LazyNormBase.initialize_parameters(self, input)";
      def_methods(LazyNormBase, { __init__: _LazyNormBase_init, initialize_parameters });
    }

    // biome-ignore lint/suspicious/noExplicitAny: as above; InitArgs gives their types
    constructor(...args: any[]) {
      const [eps, momentum, affine, track_running_stats, device, dtype, bias] = _LazyNormBase_init.bind(args);
      const factory_kwargs = { device, dtype };
      super(0, eps, momentum, false, false, { ...factory_kwargs, bias: false });
      this.affine = affine;
      this.track_running_stats = track_running_stats;
      if (affine) {
        this.weight = new UninitializedParameter(factory_kwargs);
        if (bias) this.bias = new UninitializedParameter(factory_kwargs);
      }
      if (track_running_stats) {
        this.running_mean = new UninitializedBuffer(factory_kwargs);
        this.running_var = new UninitializedBuffer(factory_kwargs);
        this.num_batches_tracked = torch.tensor(0, { dtype: torch.long, device });
      }
    }

    override reset_parameters(): void {
      if (!this.has_uninitialized_params() && this.num_features !== 0) super.reset_parameters();
    }

    override initialize_parameters(input: Tensor): void {
      if (!this.has_uninitialized_params()) return;
      const { shape } = having(input, "shape");
      if (shape.length < 2) throw new IndexError("tuple index out of range");
      this.num_features = shape[1];
      for (const t of [this.weight, this.bias, this.running_mean, this.running_var])
        if (is_lazy(t)) t.materialize([this.num_features]);
      this.reset_parameters();
    }
  }
  return LazyNormBase as unknown as LazyNormClass<InstanceType<B>>;
}

/** A `BatchNorm1d` that infers `num_features` from its first input. */
export class LazyBatchNorm1d extends _LazyNormBase(_BatchNorm) {
  static readonly cls_to_become = BatchNorm1d;

  override _check_input_dim(input: Tensor): void {
    check_dim(input, 2, 3);
  }
}

/** A `BatchNorm2d` that infers `num_features` from its first input. */
export class LazyBatchNorm2d extends _LazyNormBase(_BatchNorm) {
  static readonly cls_to_become = BatchNorm2d;

  override _check_input_dim(input: Tensor): void {
    check_dim(input, 4);
  }
}

/** A `BatchNorm3d` that infers `num_features` from its first input. */
export class LazyBatchNorm3d extends _LazyNormBase(_BatchNorm) {
  static readonly cls_to_become = BatchNorm3d;

  override _check_input_dim(input: Tensor): void {
    check_dim(input, 5);
  }
}

/** An `InstanceNorm1d` that infers `num_features` from its first input. */
export class LazyInstanceNorm1d extends _LazyNormBase(_InstanceNorm) {
  static readonly cls_to_become = InstanceNorm1d;

  override _get_no_batch_dim(): number {
    return 2;
  }

  override _check_input_dim(input: Tensor): void {
    check_dim(input, 2, 3);
  }
}

/** An `InstanceNorm2d` that infers `num_features` from its first input. */
export class LazyInstanceNorm2d extends _LazyNormBase(_InstanceNorm) {
  static readonly cls_to_become = InstanceNorm2d;

  override _get_no_batch_dim(): number {
    return 3;
  }

  override _check_input_dim(input: Tensor): void {
    check_dim(input, 3, 4);
  }
}

/** An `InstanceNorm3d` that infers `num_features` from its first input. */
export class LazyInstanceNorm3d extends _LazyNormBase(_InstanceNorm) {
  static readonly cls_to_become = InstanceNorm3d;

  override _get_no_batch_dim(): number {
    return 4;
  }

  override _check_input_dim(input: Tensor): void {
    check_dim(input, 4, 5);
  }
}
