/**
 * @file Averages of a model's weights during training: with equal weights (SWA) or exponential decay (EMA).
 * @mirrors torch/optim/swa_utils.py
 */
import { AssertionError, ValueError, warn } from "#c10/util/Exception";
import { having, py_format, py_str } from "#torch/_C";
import { deepcopy } from "#torch/_deepcopy";
import { type Args, def, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Module } from "#torch/nn/modules/module/index";
import type { DeviceLike } from "#torch/types";
import {
  _get_foreach_kernels_supported_devices,
  _group_tensors_by_device_and_dtype,
} from "#torch/utils/_foreach_utils";
import { _format_param, LRScheduler, type SchedulerState } from "./lr_scheduler/base.ts";
import { getitem } from "./optimizer/helpers.ts";
import type { Optimizer } from "./optimizer/index.ts";
import { add, div, mul, type NumberOrTensor, sub } from "./python_operators.ts";

/** A function that returns the new average, given the last average and the model's value. */
export type AvgFn = (averaged_param: Tensor, current_param: Tensor, num_averaged: NumberOrTensor) => Tensor;
/** A function that updates lists of averages in place. */
export type MultiAvgFn = (averaged: Tensor[], current: Tensor[], num_averaged: NumberOrTensor) => void;

function check_decay(decay: number): void {
  if (decay < 0 || decay > 1)
    throw new ValueError(`Invalid decay value ${py_format(decay)} provided. Please provide a value in [0,1] range.`);
}

/** A function that updates exponential moving averages of many tensors in place. */
export const get_ema_multi_avg_fn = def("get_ema_multi_avg_fn(decay=0.999)", (decay: number): MultiAvgFn => {
  check_decay(decay);
  return (ema_param_list, current_param_list) =>
    torch.no_grad(() => {
      if (ema_param_list[0].is_floating_point()) torch._foreach_lerp_(ema_param_list, current_param_list, 1 - decay);
      else
        for (const [i, p_ema] of ema_param_list.entries())
          p_ema.copy_(p_ema.mul(decay).add(current_param_list[i].mul(1 - decay)));
    });
});

/** A function that updates plain averages of many tensors in place. */
export const get_swa_multi_avg_fn = def("get_swa_multi_avg_fn()", (): MultiAvgFn => {
  return (averaged_param_list, current_param_list, num_averaged) =>
    torch.no_grad(() => {
      const count = add(num_averaged, 1);
      if (averaged_param_list[0].is_floating_point()) {
        torch._foreach_lerp_(averaged_param_list, current_param_list, div(1, count) as number);
        return;
      }
      const diffs = torch._foreach_sub(current_param_list, averaged_param_list);
      if (typeof count === "number") torch._foreach_add_(averaged_param_list, diffs, { alpha: 1 / count });
      else
        torch._foreach_addcdiv_(
          averaged_param_list,
          diffs,
          averaged_param_list.map(() => count),
        );
    });
});

/** A function that returns the next exponential moving average of one tensor. */
export const get_ema_avg_fn = def("get_ema_avg_fn(decay=0.999)", (decay: number): AvgFn => {
  check_decay(decay);
  return (ema_param, current_param) => torch.no_grad(() => ema_param.mul(decay).add(current_param.mul(1 - decay)));
});

/** A function that returns the next plain average of one tensor. */
export const get_swa_avg_fn = def("get_swa_avg_fn()", (): AvgFn => {
  return (averaged_param, current_param, num_averaged) =>
    torch.no_grad(() => averaged_param.add(current_param.sub(averaged_param).div(add(num_averaged, 1))));
});

const AveragedModel_init = new Init(
  "AveragedModel.__init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False)",
  types<
    [
      model: Module,
      device: DeviceLike | null,
      avg_fn: AvgFn | null,
      multi_avg_fn: MultiAvgFn | null,
      use_buffers: boolean,
    ]
  >,
);

/** A copy of a model whose parameters are averages of the model's parameters over time. */
export class AveragedModel extends Module {
  declare readonly module: Module;
  declare readonly n_averaged: Tensor;
  declare readonly avg_fn: AvgFn | null;
  declare readonly multi_avg_fn: MultiAvgFn | null;
  declare readonly use_buffers: boolean;

  static {
    def_methods(AveragedModel, {
      __init__: AveragedModel_init,
      forward: "(self, *args, **kwargs)",
      update_parameters: "(self, model)",
    });
  }

  constructor(...args: InitArgs<typeof AveragedModel_init>) {
    const [model, device, avg_fn, multi_avg_fn, use_buffers] = AveragedModel_init.bind(args);
    super();
    if (avg_fn !== null && multi_avg_fn !== null)
      throw new AssertionError("Only one of avg_fn and multi_avg_fn should be provided");
    const copy = deepcopy(model);
    this.module = device === null ? copy : having(copy, "to").to(device);
    this.register_buffer("n_averaged", torch.tensor(0, device === null ? {} : { device }));
    this.avg_fn = avg_fn;
    this.multi_avg_fn = multi_avg_fn;
    this.use_buffers = use_buffers;
  }

  override forward(...given: unknown[]): unknown;
  override forward(args: unknown[], kwargs: Record<string, unknown>): unknown {
    return Object.keys(kwargs).length === 0 ? this.module(...args) : this.module(...args, kwargs);
  }

  /** Adds the model's current parameters to the average; the first time they are copied. */
  update_parameters(...args: Args<"(self, model)", [model: Module]>): void;
  update_parameters(model: Module): void {
    const of = (m: Module): Tensor[] => [...m.parameters(), ...(this.use_buffers ? m.buffers() : [])];
    const averaged = of(this.use_buffers ? this.module : this).map((p) => p.detach());
    const current = of(model)
      .slice(0, averaged.length)
      .map((p, i) => p.detach().to(averaged[i].device));
    if (this.n_averaged.item() === 0) {
      for (const [i, p] of averaged.entries()) p.copy_(current[i]);
    } else if (this.multi_avg_fn !== null || this.avg_fn === null) {
      for (const { lists } of _group_tensors_by_device_and_dtype({ averaged, current }))
        this._average_lists(lists.averaged, lists.current);
    } else {
      for (const [i, p] of averaged.entries()) p.copy_(this.avg_fn(p, current[i], this.n_averaged.to(p.device)));
    }
    if (!this.use_buffers) {
      // Buffers are not averaged; the copy takes the model's buffers.
      const buffers = [...model.buffers()];
      for (const [i, b_swa] of [...this.module.buffers()].entries()) b_swa.detach().copy_(buffers[i].detach());
    }
    this.n_averaged.add_(1);
  }

  private _average_lists(averaged: Tensor[], current: Tensor[]): void {
    const { device } = averaged[0];
    const n_averaged = this.n_averaged.to(device);
    if (this.multi_avg_fn !== null) this.multi_avg_fn(averaged, current, n_averaged);
    else if (_get_foreach_kernels_supported_devices().includes(device.type))
      get_swa_multi_avg_fn()(averaged, current, n_averaged);
    else for (const [i, p] of averaged.entries()) p.copy_(get_swa_avg_fn()(p, current[i], n_averaged));
  }
}

/** A module with running statistics, for example batch norm. */
interface RunningStats extends Module {
  momentum: number | null;
  reset_running_stats(): void;
}

/**
 * Runs a model over the data once, to compute the running statistics of its batch norms for the current weights; all batches count equally.
 * @differs Ours recognizes a batch norm by its members (`running_mean`, `momentum`, `reset_running_stats`); PyTorch by its class.
 */
export const update_bn = def(
  "update_bn(loader, model, device=None)",
  (loader: Iterable<unknown>, model: Module, device: DeviceLike | null): void => {
    torch.no_grad(() => {
      const momenta = new Map<RunningStats, number | null>();
      for (const module of model.modules() as Iterable<RunningStats>) {
        if (typeof module.reset_running_stats !== "function" || !("momentum" in module)) continue;
        module.reset_running_stats();
        momenta.set(module, module.momentum);
      }
      if (momenta.size === 0) return;
      const was_training = model.training;
      model.train();
      for (const module of momenta.keys()) module.momentum = null;
      for (const batch of loader) {
        const input = (Array.isArray(batch) ? batch[0] : batch) as Tensor;
        model(device === null ? input : input.to(device));
      }
      for (const [module, momentum] of momenta) module.momentum = momentum;
      model.train(was_training);
    });
  },
);

const SWALR_init = new Init(
  "SWALR.__init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy='cos', last_epoch=-1)",
  types<
    [
      optimizer: Optimizer,
      swa_lr: number | readonly number[],
      anneal_epochs: number,
      anneal_strategy: "cos" | "linear",
      last_epoch: number,
    ]
  >,
);

/** Moves the rate of each group to `swa_lr` within `anneal_epochs`; then the rate stays there. */
export class SWALR extends LRScheduler {
  declare anneal_epochs: number;
  declare _anneal_strategy: "cos" | "linear";

  static {
    def_methods(SWALR, {
      __init__: SWALR_init,
      get_lr: "(self)",
      state_dict: "(self)",
      load_state_dict: "(self, state_dict: dict)",
    });
  }

  constructor(...args: InitArgs<typeof SWALR_init>) {
    const [optimizer, swa_lr, anneal_epochs, anneal_strategy, last_epoch] = SWALR_init.bind(args);
    const swa_lrs = _format_param("swa_lr", optimizer, swa_lr);
    for (const [i, group] of optimizer.param_groups.entries()) group["swa_lr"] = swa_lrs[i];
    if (anneal_strategy !== "cos" && anneal_strategy !== "linear")
      throw new ValueError(`anneal_strategy must be one of 'cos' or 'linear', instead got ${py_str(anneal_strategy)}`);
    super();
    this._anneal_strategy = anneal_strategy;
    if (!Number.isInteger(anneal_epochs) || anneal_epochs < 0)
      throw new ValueError(`anneal_epochs must be equal or greater than 0, got ${py_format(anneal_epochs)}`);
    this.anneal_epochs = anneal_epochs;
    super.__init__(optimizer, last_epoch);
  }

  /** The completed part of the way at time `t`, both between 0 and 1. */
  private _anneal(t: number): number {
    return this._anneal_strategy === "cos" ? (1 - Math.cos(Math.PI * t)) / 2 : t;
  }

  override get_lr(): NumberOrTensor[] {
    if (!this._get_lr_called_within_step)
      warn("UserWarning", "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.");
    const made = (step: number): number =>
      this._anneal(Math.max(0, Math.min(1, step / Math.max(1, this.anneal_epochs))));
    const step = this.anneal_epochs === 0 ? Math.max(1, this._step_count - 1) : this._step_count - 1;
    const [before, alpha] = [made(step - 1), made(step)];
    return this.optimizer.param_groups.map((group) => {
      const [lr, swa_lr] = [group["lr"], getitem(group, "swa_lr")];
      // The start of the way: the rate that the group would have without this scheduler.
      const initial = before === 1 ? swa_lr : div(sub(lr, mul(before, swa_lr)), 1 - before);
      return add(mul(swa_lr, alpha), mul(initial, 1 - alpha));
    });
  }

  override state_dict(): SchedulerState {
    return this._attributes("optimizer");
  }

  override load_state_dict(state_dict: SchedulerState): void {
    this._update_attributes(state_dict);
  }
}
