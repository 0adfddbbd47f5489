/**
 * @file Schedulers made of other schedulers: in sequence, or all at once.
 * @mirrors torch/optim/lr_scheduler.py#SequentialLR
 */
import { IndexError, TypeError_, ValueError } from "#c10/util/Exception";
import { having, PyObject_Size, PySequence_Tuple, python_type, repr } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { getitem } from "#torch/optim/optimizer/helpers";
import type { Optimizer } from "#torch/optim/optimizer/index";
import { _param_groups_val_list, _update_param_group_val, LRScheduler, type SchedulerState } from "./base.ts";
import { bisect_right } from "./factor.ts";
import { ReduceLROnPlateau } from "./plateau.ts";

/** Checks the schedulers for both classes. */
function check_schedulers(name: string, schedulers: readonly LRScheduler[], optimizer: Optimizer): void {
  PySequence_Tuple(schedulers).forEach((scheduler, i) => {
    if (scheduler?.optimizer === undefined)
      throw new TypeError_(`${name} at index ${i} should have \`optimizer\` as its attribute.`);
    if ((scheduler as unknown) instanceof ReduceLROnPlateau)
      throw new ValueError(
        `${name} does not support \`ReduceLROnPlateau\` scheduler as it requires additional kwargs to be specified when calling \`step\`, but got one at index ${i} in the given schedulers sequence.`,
      );
    if (optimizer !== scheduler.optimizer)
      throw new ValueError(
        `${name} expects all schedulers to belong to the same optimizer, but got scheduler ${scheduler.constructor.name} at index ${i} has ${repr(scheduler.optimizer)}, which is different from ${python_type(optimizer)}.`,
      );
  });
}

abstract class SchedulerOfSchedulers extends LRScheduler {
  declare _schedulers: LRScheduler[];

  static {
    def_methods(SchedulerOfSchedulers, { state_dict: "(self)", load_state_dict: "(self, state_dict: dict)" });
  }

  override state_dict(): SchedulerState {
    return {
      ...this._attributes("optimizer", "_schedulers"),
      _schedulers: this._schedulers.map((scheduler) => scheduler.state_dict()),
    };
  }

  override load_state_dict(state_dict: SchedulerState): void {
    const { _schedulers, ...others } = state_dict;
    this._update_attributes(others);
    (_schedulers as SchedulerState[]).forEach((saved, i) => {
      if (i >= this._schedulers.length) throw new IndexError("list index out of range");
      this._schedulers[i].load_state_dict(saved);
    });
  }
}

/** Undoes the first step that a scheduler made in its constructor. */
function recursive_undo(scheduler: LRScheduler): void {
  if (scheduler instanceof SchedulerOfSchedulers) for (const inner of scheduler._schedulers) recursive_undo(inner);
  else scheduler.last_epoch -= 1;
}

const SequentialLR_init = new Init(
  "SequentialLR.__init__(self, optimizer, schedulers, milestones, last_epoch=-1)",
  types<[optimizer: Optimizer, schedulers: LRScheduler[], milestones: number[], last_epoch: number]>,
);

/** Runs one scheduler after the other; each begins at its milestone. */
export class SequentialLR extends SchedulerOfSchedulers {
  declare _milestones: number[];

  static {
    def_methods(SequentialLR, { __init__: SequentialLR_init, step: "(self)" });
  }

  constructor(...args: InitArgs<typeof SequentialLR_init>) {
    const [optimizer, schedulers, milestones, last_epoch] = SequentialLR_init.bind(args);
    if (PyObject_Size(schedulers) < 1)
      throw new ValueError(`${new.target.name} expects at least one scheduler, but got no scheduler.`);
    check_schedulers(new.target.name, schedulers, optimizer);
    if (PyObject_Size(milestones) !== schedulers.length - 1)
      throw new ValueError(
        "Sequential Schedulers expects number of schedulers provided to be one more " +
          `than the number of milestone points, but got number of schedulers ${schedulers.length} and the ` +
          `number of milestones to be equal to ${milestones.length}`,
      );
    super();
    this._schedulers = schedulers;
    this._milestones = milestones;
    this.last_epoch = last_epoch + 1;
    this.optimizer = optimizer;
    // Restore the state before any of them was created; then the first one begins.
    for (const group of optimizer.param_groups) _update_param_group_val(group, "lr", getitem(group, "initial_lr"));
    recursive_undo(this);
    const idx = bisect_right(milestones, 0);
    schedulers[idx]._initial_step();
    this._last_lr = schedulers[idx].get_last_lr();
  }

  override step(): void {
    this.last_epoch += 1;
    const idx = bisect_right(this._milestones, this.last_epoch);
    const scheduler = this._schedulers[idx];
    if (idx > 0 && this._milestones[idx - 1] === this.last_epoch) scheduler._update_lr(0);
    else scheduler.step();
    this._last_lr = scheduler.get_last_lr();
  }
}

const ChainedScheduler_init = new Init(
  "ChainedScheduler.__init__(self, schedulers, optimizer=None)",
  types<[schedulers: readonly LRScheduler[], optimizer: Optimizer | null]>,
);

/** Runs several schedulers at once: each step makes a step of all of them, in order. */
export class ChainedScheduler extends SchedulerOfSchedulers {
  static {
    def_methods(ChainedScheduler, { __init__: ChainedScheduler_init, step: "(self)" });
  }

  constructor(...args: InitArgs<typeof ChainedScheduler_init>) {
    const [list, given] = ChainedScheduler_init.bind(args);
    const schedulers = PySequence_Tuple(list);
    if (PyObject_Size(schedulers) < 1)
      throw new ValueError(`${new.target.name} expects at least one scheduler to be chained, but got no scheduler.`);
    const optimizer = given ?? having(schedulers[0], "optimizer").optimizer;
    check_schedulers(new.target.name, schedulers, optimizer);
    super();
    this._schedulers = schedulers;
    this.optimizer = optimizer;
    this._take_last_lr();
  }

  override step(): void {
    for (const scheduler of this._schedulers) scheduler.step();
    this._take_last_lr();
  }

  private _take_last_lr(): void {
    this._last_lr = _param_groups_val_list((this._schedulers.at(-1) as LRScheduler).optimizer, "lr");
  }
}
