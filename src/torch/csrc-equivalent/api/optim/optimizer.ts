/**
 * @file Base class of optimizers: groups of parameters with options of their own, and a state for each parameter.
 *
 *   for each group, for each parameter p with a gradient:      step()
 *     p -= update(gradient of p, state of p, options of the group)
 * @mirrors torch/csrc/api/include/torch/optim/optimizer.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { GradMode, NoGradGuard } from "#c10/core/GradMode";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";
import type { OptionsBase } from "../arg.ts";
import { set_grad } from "../mutable_grad.ts";
import type { InputArchive } from "../serialize/input-archive.ts";
import type { OutputArchive } from "../serialize/output-archive.ts";
import { read_optimizer, type StateKind, write_optimizer } from "./serialize.ts";

/** Options of an optimizer; each has a learning rate. */
export type OptimizerOptions = OptionsBase & { lr(): number; lr(value: number): unknown };

/** Parameters that share options. */
export class OptimizerParamGroup<O extends OptimizerOptions = OptimizerOptions> {
  private readonly params_: Tensor[];
  private options_: O | null;

  /** @param options null for the optimizer's */
  constructor(params: readonly Tensor[], options: O | null = null) {
    this.params_ = [...params];
    this.options_ = options?.copy() ?? null;
  }
  has_options(): boolean {
    return this.options_ !== null;
  }
  options(): O {
    TORCH_CHECK(this.options_ !== null, "options_ != nullptr");
    return this.options_;
  }
  set_options(options: O): void {
    this.options_ = options;
  }
  params(): Tensor[] {
    return this.params_;
  }
}

/** Parameters, or groups of them. */
export type Params<O extends OptimizerOptions> = readonly Tensor[] | readonly OptimizerParamGroup<O>[];
/** A function that computes the loss and its gradients. */
export type LossClosure = () => Tensor;

export abstract class Optimizer<O extends OptimizerOptions = OptimizerOptions, S extends object = object> {
  protected readonly param_groups_: OptimizerParamGroup<O>[] = [];
  /** The states by parameter. */
  protected readonly state_ = new Map<TensorImpl, S>();
  protected readonly defaults_: O;
  /** The types of the fields of a state, for archives. */
  protected abstract readonly state_kind: StateKind<S>;

  constructor(params: Params<O>, defaults: O) {
    this.defaults_ = defaults.copy();
    const groups = params.length > 0 && params[0] instanceof OptimizerParamGroup;
    for (const group of groups
      ? (params as OptimizerParamGroup<O>[])
      : [new OptimizerParamGroup<O>(params as Tensor[])])
      this.add_param_group(group);
  }

  /** A group's options that have the values of their class are the optimizer's. */
  add_param_group(param_group: OptimizerParamGroup<O>): void {
    const params = param_group.params();
    for (const param of params) TORCH_CHECK(param.is_leaf(), "can't optimize a non-leaf Tensor");
    TORCH_CHECK(
      params.every((param) => !this.state_.has(param.unsafeGetTensorImpl())),
      "some parameters appear in more than one parameter group",
    );
    const given = param_group.has_options() ? param_group.options().merged_over(this.defaults_) : this.defaults_;
    this.param_groups_.push(new OptimizerParamGroup(params, given as O));
  }

  /**
   * Changes the parameters once.
   * @param closure computes the loss again; its result is returned
   */
  abstract step(closure?: LossClosure | null): Tensor | null;

  /** `step` of an optimizer that changes each parameter by itself: those that have a gradient, without recording. */
  protected step_each(closure: LossClosure | null, update: (parameter: Tensor, options: O) => void): Tensor | null {
    const no_grad = new NoGradGuard();
    try {
      const loss = this.evaluate(closure);
      for (const group of this.param_groups_)
        for (const parameter of group.params()) if (parameter.grad().defined()) update(parameter, group.options());
      return loss;
    } finally {
      no_grad.restore();
    }
  }

  /** Calls the closure with gradients, if there is one. */
  protected evaluate(closure: LossClosure | null): Tensor | null {
    if (closure === null) return null;
    const before = GradMode.is_enabled();
    GradMode.set_enabled(true);
    try {
      return closure();
    } finally {
      GradMode.set_enabled(before);
    }
  }
  /** The state of a parameter, which is made at its first use. */
  protected state_of(parameter: Tensor, make: () => S): S {
    const key = parameter.unsafeGetTensorImpl();
    let state = this.state_.get(key);
    if (state === undefined) {
      state = make();
      this.state_.set(key, state);
    }
    return state;
  }

  zero_grad(set_to_none = true): void {
    for (const group of this.param_groups_) {
      for (const parameter of group.params()) {
        if (!parameter.grad().defined()) continue;
        parameter.grad().detach_();
        if (set_to_none) set_grad(parameter, null);
        else parameter.grad().zero_();
      }
    }
  }

  /** All options of the optimizer, which groups without options of their own have. */
  defaults(): O {
    return this.defaults_;
  }
  param_groups(): OptimizerParamGroup<O>[] {
    return this.param_groups_;
  }
  state(): Map<TensorImpl, S> {
    return this.state_;
  }
  /** Adds parameters to the first group. */
  add_parameters(parameters: readonly Tensor[]): void {
    TORCH_WARN("Optimizer::add_parameters() will be removed in PyTorch 1.6");
    this.param_groups_[0].params().push(...parameters);
  }
  parameters(): Tensor[] {
    TORCH_WARN("Optimizer::parameters() will be removed in PyTorch 1.6");
    return this.param_groups_[0].params();
  }
  size(): number {
    TORCH_WARN("Optimizer::size() will be removed in PyTorch 1.6");
    return this.param_groups_.reduce((count, group) => count + group.params().length, 0);
  }

  save(archive: OutputArchive): void {
    write_optimizer(archive, this.param_groups_, this.state_, this.state_kind);
  }
  load(archive: InputArchive): void {
    read_optimizer(archive, this.param_groups_, this.state_, this.state_kind);
  }
}
