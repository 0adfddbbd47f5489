/**
 * @file Batch normalization of 1, 2 and 3 dimensions, and what instance normalization shares with it.
 * @mirrors torch/csrc/api/include/torch/nn/modules/batchnorm.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { as_options, type OptionsArgs } from "../../arg.ts";
import { Cloneable } from "../cloneable.ts";
import { batch_norm } from "../functional/batchnorm.ts";
import * as init from "../init.ts";
import { BatchNormFuncOptions, BatchNormOptions } from "../options/batchnorm.ts";
import type { InstanceNormOptions } from "../options/instancenorm.ts";
import { type ModuleHolder, TORCH_MODULE } from "../pimpl.ts";
import { g, printed } from "./printed.ts";

/** Scale and shift of each feature, and running statistics. */
export abstract class NormImplBase<O extends BatchNormOptions | InstanceNormOptions> extends Cloneable {
  readonly options: O;
  declare weight: Tensor;
  declare bias: Tensor;
  declare running_mean: Tensor;
  declare running_var: Tensor;
  declare num_batches_tracked: Tensor;
  protected abstract _check_input_dim(input: Tensor): void;

  constructor(options: O) {
    super();
    this.options = options;
    this.reset();
  }
  override reset(): void {
    const { options } = this;
    const size = [options.num_features()];
    const affine = options.affine();
    const parameter = () => (affine ? at.empty_memory_format(size) : new Tensor());
    this.weight = this.register_parameter("weight", parameter(), affine);
    this.bias = this.register_parameter("bias", parameter(), affine);
    const tracked = options.track_running_stats();
    const long = new TensorOptions(ScalarType.Long);
    const buffer = (make: () => Tensor) => (tracked ? make() : new Tensor());
    this.running_mean = this.register_buffer(
      "running_mean",
      buffer(() => at.zeros(size)),
    );
    this.running_var = this.register_buffer(
      "running_var",
      buffer(() => at.ones(size)),
    );
    this.num_batches_tracked = this.register_buffer(
      "num_batches_tracked",
      buffer(() => at.zeros([], long)),
    );
    this.reset_parameters();
  }
  reset_running_stats(): void {
    if (!this.options.track_running_stats()) return;
    this.running_mean.zero_();
    this.running_var.fill__Scalar(Scalar.ONE);
    this.num_batches_tracked.zero_();
  }
  reset_parameters(): void {
    this.reset_running_stats();
    if (!this.options.affine()) return;
    init.ones_(this.weight);
    init.zeros_(this.bias);
  }
  /** The text, with the name of the class. */
  protected printed_as(name: string): string {
    const { options } = this;
    const momentum = options.momentum();
    return printed(name, [options.num_features()], {
      eps: g(options.eps()),
      momentum: momentum === null ? null : g(momentum),
      affine: options.affine(),
      track_running_stats: options.track_running_stats(),
    });
  }
}

/** Batch normalization; `forward` of an input that has the wrong number of dimensions throws. */
export type BatchNormImpl = NormImplBase<BatchNormOptions> & { forward(input: Tensor): Tensor };
type BatchNormClass = ModuleHolder<new (...args: OptionsArgs<typeof BatchNormOptions>) => BatchNormImpl>;

/** @param dims the numbers of dimensions that an input may have */
function batch_norm_module(D: number, dims: readonly number[]): BatchNormClass {
  class Impl extends NormImplBase<BatchNormOptions> {
    constructor(...args: OptionsArgs<typeof BatchNormOptions>) {
      super(as_options(BatchNormOptions, args));
    }
    protected override _check_input_dim(input: Tensor): void {
      const expected = dims.map((dim) => `${dim}D`).join(" or ");
      TORCH_CHECK(dims.includes(input.dim()), `expected ${expected} input (got ${input.dim()}D input)`);
    }
    forward(input: Tensor): Tensor {
      this._check_input_dim(input);
      const { options } = this;
      let factor = options.momentum() ?? 0;
      if (this.is_training() && options.track_running_stats()) {
        this.num_batches_tracked.add__Scalar(Scalar.ONE);
        if (options.momentum() === null) factor = 1 / this.num_batches_tracked.item().toDouble();
      }
      const call = BatchNormFuncOptions()
        .weight(this.weight)
        .bias(this.bias)
        .training(this.is_training() || !options.track_running_stats())
        .momentum(factor)
        .eps(options.eps());
      return batch_norm(input, this.running_mean, this.running_var, call);
    }
    override pretty_print(): string {
      return this.printed_as(`BatchNorm${D}d`);
    }
  }
  return TORCH_MODULE(Impl, `BatchNorm${D}d`) as unknown as BatchNormClass;
}
export const BatchNorm1d: BatchNormClass = batch_norm_module(1, [2, 3]);
export const BatchNorm2d: BatchNormClass = batch_norm_module(2, [4]);
export const BatchNorm3d: BatchNormClass = batch_norm_module(3, [5]);
