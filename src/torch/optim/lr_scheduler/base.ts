/**
 * @file The base class of learning rate schedulers: when a rate is computed, where it is written, what is saved.
 * @mirrors torch/optim/lr_scheduler.py#LRScheduler
 *
 * Note [A scheduler computes when it is made]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * The constructor makes the first step, and `get_lr` reads attributes that Python's subclasses set before they call `super().__init__`.
 * JavaScript has no `this` before `super()`. Therefore the work is done in `__init__`: a subclass with its own attributes calls `super()`
 * without arguments, sets the attributes, and then calls `super.__init__(optimizer, last_epoch)`.
 */
import { KeyError, NotImplementedError, TypeError_, ValueError, warn } from "#c10/util/Exception";
import { Allocated, INITIALIZE } from "#python/Objects/allocated";
import { Float, having, isDict, isFloat, python_type } from "#torch/_C";
import { type Args, def_methods, Init, type InitArgs, types, wraps } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { _to_scalar, getitem } from "#torch/optim/optimizer/helpers";
import { Optimizer } from "#torch/optim/optimizer/index";
import type { Options, ParamGroup } from "#torch/optim/optimizer/types";
import type { NumberOrTensor } from "#torch/optim/python_operators";

/** The warning that `scheduler.step(epoch)` gives. */
export const EPOCH_DEPRECATION_WARNING =
  "The epoch parameter in `scheduler.step()` was not necessary and is being " +
  "deprecated where possible. Please use `scheduler.step()` to step the " +
  "scheduler. During the deprecation, if epoch is different from None, the " +
  "closed form is used instead of the new chainable form, where available. " +
  "Please open an issue if you are unable to replicate your use case: " +
  "https://github.com/pytorch/pytorch/issues/new/choose.";

function copied<T>(value: T): T {
  return value instanceof Tensor ? (value.clone() as T & Tensor) : value;
}

/** A list with one value for each group: the given list, or one value for all groups. */
export function _format_param(
  name: string,
  optimizer: Optimizer,
  param: NumberOrTensor | readonly NumberOrTensor[],
): NumberOrTensor[] {
  const n = having(optimizer, "param_groups").param_groups.length;
  if (!Array.isArray(param)) return Array.from({ length: n }, () => copied(param as NumberOrTensor));
  if (param.length !== n)
    throw new ValueError(
      `${name} must have the same length as optimizer.param_groups. ${name} has ${param.length} values, param_groups has ${n}.`,
    );
  return param.map(copied);
}

export function _param_groups_val_list(optimizer: Optimizer, key: string): NumberOrTensor[] {
  return optimizer.param_groups.map((group) => copied(getitem(group, key) as NumberOrTensor));
}

/** Writes a value to a group; a tensor is updated in place, and what was a float stays one when it is a whole number. */
export function _update_param_group_val(param_group: ParamGroup, key: string, val: NumberOrTensor): void {
  const held = getitem(param_group, key) as NumberOrTensor;
  if (held instanceof Tensor) held.fill_(_to_scalar(val));
  else param_group[key] = isFloat(held) && Number.isInteger(val) ? Float(val as number) : val;
}

/** `zip(a, b, strict=True)`: it yields all complete pairs and then raises if the lengths differ. */
export function* zip<A, B>(a: readonly A[], b: readonly B[]): Generator<[A, B]> {
  for (const [i, x] of a.entries()) {
    if (i === b.length) break;
    yield [x, b[i]];
  }
  if (a.length !== b.length)
    throw new ValueError(`zip() argument 2 is ${b.length < a.length ? "shorter" : "longer"} than argument 1`);
}

export function check_optimizer(optimizer: unknown): asserts optimizer is Optimizer {
  if (!(optimizer instanceof Optimizer)) throw new TypeError_(`${python_type(optimizer)} is not an Optimizer`);
}

type CountedStep = Optimizer["step"] & { _wrapped_by_lr_sched?: true };

/** Wraps `optimizer.step` so that it records that a step was made. */
function patch_track_step_called(optimizer: Optimizer): void {
  if ((optimizer.step as CountedStep)._wrapped_by_lr_sched) return;
  const func = optimizer.step as (...args: unknown[]) => unknown;
  const wrapper = function (this: Optimizer, ...args: unknown[]): unknown {
    (optimizer as { _opt_called?: boolean })._opt_called = true;
    return func.apply(optimizer, args);
  };
  const step = Object.assign(wraps(wrapper, func as never), { _wrapped_by_lr_sched: true });
  Object.defineProperty(optimizer, "step", { value: step, writable: true, configurable: true });
}

const LRScheduler_init = new Init(
  "LRScheduler.__init__(self, optimizer, last_epoch=-1)",
  types<[optimizer: Optimizer, last_epoch: number]>,
);

/** The attributes of a scheduler by name, as they are saved. */
export type SchedulerState = Options;

/**
 * Base class of schedulers: a step calls `get_lr` for the rate of each group and writes it to the group.
 * @differs In ours `super()` without arguments only prepares the object, see Note [A scheduler computes when it is made]; PyTorch's
 * subclasses set attributes before `super().__init__`.
 */
export class LRScheduler extends Allocated {
  declare optimizer: Optimizer;
  declare base_lrs: NumberOrTensor[];
  declare last_epoch: number;
  declare _step_count: number;
  /** Whether this is the step that the constructor makes. */
  declare _is_initial: boolean;
  declare _get_lr_called_within_step: boolean;
  declare _last_lr: NumberOrTensor[];

  static {
    // Attributes of the class: they are saved only when an instance has its own value.
    Object.assign(LRScheduler.prototype, { _get_lr_called_within_step: false, _is_initial: false });
    def_methods(LRScheduler, {
      __init__: LRScheduler_init,
      step: "(self, epoch=None)",
      state_dict: "(self)",
      load_state_dict: "(self, state_dict: dict)",
      get_lr: "(self)",
      get_last_lr: "(self)",
    });
  }

  constructor(...args: InitArgs<typeof LRScheduler_init> | []) {
    super();
    if (args.length > 0 || new.target === LRScheduler) LRScheduler[INITIALIZE](this, args);
  }

  static [INITIALIZE](self: LRScheduler, args: readonly unknown[]): void {
    LRScheduler.prototype.__init__.apply(self, LRScheduler_init.bind(args as InitArgs<typeof LRScheduler_init>));
  }

  __init__(optimizer: Optimizer, last_epoch = -1): void {
    check_optimizer(optimizer);
    this.optimizer = optimizer;
    if (last_epoch === -1) {
      for (const group of optimizer.param_groups) group["initial_lr"] ??= copied(group["lr"]);
    } else {
      optimizer.param_groups.forEach((group, i) => {
        if ("initial_lr" in group) return;
        throw new KeyError(
          `param 'initial_lr' is not specified in param_groups[${i}] when resuming scheduler with last_epoch >= 0.\nThis typically happens when:\n1. You're trying to resume training from a checkpoint but haven't properly loaded the optimizer state\n2. You're using last_epoch >= 0 for a fresh training run (not recommended)`,
        );
      });
    }
    this.base_lrs = _param_groups_val_list(optimizer, "initial_lr");
    this.last_epoch = last_epoch;
    patch_track_step_called(optimizer);
    this._initial_step();
  }

  _initial_step(): void {
    this._step_count = 0;
    this._is_initial = true;
    try {
      this.step();
    } finally {
      this._is_initial = false;
    }
  }

  /** All attributes except the optimizer. */
  state_dict(): SchedulerState {
    return this._attributes("optimizer");
  }

  protected _attributes(...left_out: string[]): SchedulerState {
    return Object.fromEntries(Object.entries(this).filter(([key]) => !left_out.includes(key)));
  }

  load_state_dict(...args: Args<"(self, state_dict: dict)", [state_dict: SchedulerState]>): void;
  load_state_dict(state_dict: SchedulerState): void {
    this._update_attributes(state_dict);
  }

  protected _update_attributes(state_dict: SchedulerState): void {
    if (!isDict(state_dict) && !((state_dict as unknown) instanceof Map))
      throw new TypeError_(`'${python_type(state_dict)}' object is not iterable`);
    const entries = (state_dict as unknown) instanceof Map ? [...(state_dict as never)] : Object.entries(state_dict);
    Object.assign(this, Object.fromEntries(entries));
  }

  get_last_lr(): NumberOrTensor[] {
    return this._last_lr;
  }

  /** The rates of this epoch, often computed from the current rates of the groups. */
  get_lr(): NumberOrTensor[] {
    throw new NotImplementedError("");
  }

  /** The rates of any epoch, if a formula gives them; `step(epoch)` uses it. */
  _get_closed_form_lr?(): NumberOrTensor[];

  // biome-ignore lint/suspicious/noExplicitAny: a subclass may have other arguments, for example ReduceLROnPlateau
  step(...args: any[]): void;
  step(epoch?: number | null): void {
    if (this._step_count === 1) this._check_order();
    this._step_count += 1;
    const given = epoch ?? null;
    if (given !== null) warn("UserWarning", EPOCH_DEPRECATION_WARNING);
    this._update_lr(given);
  }

  /** Warns at the first step after the constructor if the optimizer has not made a step. */
  private _check_order(): void {
    if (!(this.optimizer.step as CountedStep)._wrapped_by_lr_sched) {
      warn(
        "UserWarning",
        "Seems like `optimizer.step()` has been overridden after learning rate scheduler " +
          "initialization. Please, make sure to call `optimizer.step()` before " +
          "`lr_scheduler.step()`. See more details at " +
          "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate",
      );
    } else if (!(this.optimizer as { _opt_called?: boolean })._opt_called) {
      warn(
        "UserWarning",
        "Detected call of `lr_scheduler.step()` before `optimizer.step()`. " +
          "In PyTorch 1.1.0 and later, you should call them in the opposite order: " +
          "`optimizer.step()` before `lr_scheduler.step()`.  Failure to do this " +
          "will result in PyTorch skipping the first value of the learning rate schedule. " +
          "See more details at " +
          "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate",
      );
    }
  }

  _update_lr(epoch: number | null = null): void {
    const values = this._within_step(() => {
      this.last_epoch = epoch ?? this.last_epoch + 1;
      if (epoch !== null && this._get_closed_form_lr !== undefined) return this._get_closed_form_lr();
      return this.get_lr();
    });
    this._set_lr(values);
  }

  protected _within_step<R>(fn: () => R): R {
    this._get_lr_called_within_step = true;
    try {
      return fn();
    } finally {
      this._get_lr_called_within_step = false;
    }
  }

  protected _set_lr(values: readonly NumberOrTensor[]): void {
    for (const [group, lr] of zip(this.optimizer.param_groups, values)) _update_param_group_val(group, "lr", lr);
    this._last_lr = _param_groups_val_list(this.optimizer, "lr");
  }

  /** The current rates of the groups. */
  protected _group_lrs(): NumberOrTensor[] {
    return _param_groups_val_list(this.optimizer, "lr");
  }
}

export function _warn_get_lr_called_within_step(lr_scheduler: LRScheduler): void {
  if (!lr_scheduler._get_lr_called_within_step)
    warn("UserWarning", "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.");
}

/** The former name of `LRScheduler`. Programs still write subclasses of it, and ask whether a scheduler is one. */
export class _LRScheduler extends LRScheduler {}
