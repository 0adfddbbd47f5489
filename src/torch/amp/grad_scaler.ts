/**
 * @file `torch.amp.GradScaler`: multiplies losses so that small gradients survive in float16, and divides the gradients before a step.
 * @mirrors torch/amp/grad_scaler.py
 * @differs Ours has no sparse gradients and no optimizer that unscales by itself (`fused`); PyTorch has both.
 */

import { AssertionError, RuntimeError, ValueError, warn } from "#c10/util/Exception";
import { Allocated } from "#python/Objects/allocated";
import { PyObject_RichCompareBool } from "#torch/_C";
import { type Args, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { Optimizer } from "#torch/optim/optimizer/index";

type Stage = "READY" | "UNSCALED" | "STEPPED";
/** By device: a tensor that is 1 if a gradient was infinite or NaN. */
type FoundInf = Map<string, Tensor>;

interface OptimizerState {
  stage: Stage;
  found_inf_per_device: FoundInf;
}

/** Copies of a tensor, one per device, made on demand. */
class _MultiDeviceReplicator {
  private readonly master: Tensor;
  readonly per_device: FoundInf = new Map();

  constructor(master_tensor: Tensor) {
    this.master = master_tensor;
  }

  get(device: Tensor["device"]): Tensor {
    const key = String(device);
    let copy = this.per_device.get(key);
    if (copy === undefined) {
      copy = this.master.to(device, { non_blocking: true, copy: true });
      this.per_device.set(key, copy);
    }
    return copy;
  }
}

/** One tensor, or arrays and iterables of tensors, which may be nested. */
export type Outputs = Tensor | Iterable<Outputs>;

/** The contents of `state_dict`; empty if scaling is disabled. */
export interface GradScalerState {
  scale: number;
  growth_factor: number;
  backoff_factor: number;
  growth_interval: number;
  _growth_tracker: number;
}

const GradScaler_init = new Init(
  "GradScaler.__init__(self, device='cuda', init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True)",
  types<
    [
      device: string,
      init_scale: number,
      growth_factor: number,
      backoff_factor: number,
      growth_interval: number,
      enabled: boolean,
    ]
  >,
);

const methods = {
  scale: "(self, outputs: object)",
  unscale_: "(self, optimizer)",
  step: "(self, optimizer, *args, **kwargs)",
  update: "(self, new_scale=None)",
  get_scale: "(self)",
  get_growth_factor: "(self)",
  set_growth_factor: "(self, new_factor)",
  get_backoff_factor: "(self)",
  set_backoff_factor: "(self, new_factor)",
  get_growth_interval: "(self)",
  set_growth_interval: "(self, new_interval)",
  is_enabled: "(self)",
  state_dict: "(self)",
  load_state_dict: "(self, state_dict: dict)",
} as const;
type Methods = typeof methods;

/**
 * A training step is `scaler.scale(loss).backward()`, `scaler.step(optimizer)`, `scaler.update()`. A step whose gradients contain an
 * infinity or NaN is skipped, and the scale decreases; after `growth_interval` good steps it increases.
 * @param device the device type of the gradients: "cpu", "webgpu"; "cuda" does not exist here and disables scaling with a warning
 */
export class GradScaler extends Allocated {
  private readonly _device: string;
  private readonly _enabled: boolean;
  private _init_scale: number;
  private _growth_factor: number;
  private _backoff_factor: number;
  private _growth_interval: number;
  private _init_growth_tracker = 0;
  /** Created at the first use, on the device of the scaled tensor. */
  private _scale: Tensor | null = null;
  private _growth_tracker: Tensor | null = null;
  private _per_optimizer_states = new Map<Optimizer, OptimizerState>();

  static {
    def_methods(GradScaler, { __init__: GradScaler_init, ...methods });
  }

  constructor(...args: InitArgs<typeof GradScaler_init>) {
    const [device, init_scale, growth_factor, backoff_factor, growth_interval, enabled] = GradScaler_init.bind(args);
    super();
    this._device = device;
    if (device === "cuda" && enabled)
      warn("UserWarning", "torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.");
    this._enabled = enabled && device !== "cuda";
    this._init_scale = init_scale;
    this._growth_factor = growth_factor;
    this._backoff_factor = backoff_factor;
    this._growth_interval = growth_interval;
    if (!this._enabled) return;
    if (PyObject_RichCompareBool(growth_factor, "<=", 1, "float"))
      throw new AssertionError("The growth factor must be > 1.0.");
    if (PyObject_RichCompareBool(backoff_factor, ">=", 1, "float"))
      throw new AssertionError("The backoff factor must be < 1.0.");
  }

  /** `outputs` multiplied by the scale, in arrays of the same structure. */
  scale<T extends Outputs>(...args: Args<Methods["scale"], [outputs: T]>): T;
  scale(outputs: Outputs): Outputs {
    if (!this._enabled) return outputs;
    if (outputs instanceof Tensor) {
      const scale = this._scale ?? this._lazy_init_scale_growth_tracker(outputs.device);
      return outputs.mul(scale.to(outputs.device, { non_blocking: true }));
    }
    let replicas: _MultiDeviceReplicator | null = null;
    const apply_scale = (value: unknown): Outputs => {
      if (value instanceof Tensor) {
        replicas ??= new _MultiDeviceReplicator(this._scale ?? this._lazy_init_scale_growth_tracker(value.device));
        return value.mul(replicas.get(value.device));
      }
      if (Array.isArray(value)) return value.map(apply_scale);
      if (typeof value === "object" && value !== null && Symbol.iterator in value)
        return (function* () {
          for (const each of value as Iterable<unknown>) yield apply_scale(each);
        })();
      throw new ValueError("outputs must be a Tensor or an iterable of Tensors");
    };
    return apply_scale(outputs);
  }

  /** Divides the gradients of the optimizer by the scale now, for clipping or inspection; otherwise `step` does it. */
  unscale_(...args: Args<Methods["unscale_"], [optimizer: Optimizer]>): void;
  unscale_(optimizer: Optimizer): void {
    if (!this._enabled) return;
    const [scale] = this._check_scale_growth_tracker("unscale_");
    const state = this._state_of(optimizer);
    if (state.stage === "UNSCALED")
      throw new RuntimeError("unscale_() has already been called on this optimizer since the last update().");
    if (state.stage === "STEPPED") throw new RuntimeError("unscale_() is being called after step().");
    const inv_scale = scale.double().reciprocal().float();
    const found_inf = torch.full([], 0, { dtype: torch.float32, device: scale.device });
    state.found_inf_per_device = this._unscale_grads_(optimizer, inv_scale, found_inf, false);
    state.stage = "UNSCALED";
  }

  /** Calls `optimizer.step(...)` with unscaled gradients; does nothing if one of them is infinite or NaN. */
  step(optimizer: Optimizer, ...args: unknown[]): unknown;
  step(...bound: unknown[]): unknown {
    const [optimizer, args, kwargs] = bound as [Optimizer, unknown[], Record<string, unknown>];
    const step = (): unknown => (optimizer as { step(...args: unknown[]): unknown }).step(...args, kwargs);
    if (!this._enabled) return step();
    if ("closure" in kwargs) throw new RuntimeError("Closure use is not currently supported if GradScaler is enabled.");
    this._check_scale_growth_tracker("step");
    const state = this._state_of(optimizer);
    if (state.stage === "STEPPED") throw new RuntimeError("step() has already been called since the last update().");
    if (optimizer._step_supports_amp_scaling) {
      if (state.stage === "READY") this._check_inf_per_device(optimizer);
      this._leave_scale(optimizer, state);
      const result = step();
      state.stage = "STEPPED";
      delete optimizer.grad_scale;
      delete optimizer.found_inf;
      return result;
    }
    if (state.stage === "READY") this.unscale_(optimizer);
    if (state.found_inf_per_device.size === 0)
      throw new AssertionError("No inf checks were recorded for this optimizer.");
    const found = [...state.found_inf_per_device.values()].some((v) => v.item() !== 0);
    const result = found ? null : step();
    state.stage = "STEPPED";
    return result;
  }

  /** Stores the scale and the infinity check on an optimizer whose step unscales by itself. */
  private _leave_scale(optimizer: Optimizer, state: OptimizerState): void {
    const scaler = this._scale as Tensor;
    const given = optimizer.grad_scale;
    if (state.stage === "UNSCALED") optimizer.grad_scale = given ?? null;
    else optimizer.grad_scale = given ? scaler.mul(given) : scaler.mul(1);
    const found_infs = [...state.found_inf_per_device.values()].map((t) => t.to(scaler.device, { non_blocking: true }));
    optimizer.found_inf = found_infs.reduce((sum, t) => sum.add(t));
  }

  /** Checks for infinite gradients without changing them. */
  private _check_inf_per_device(optimizer: Optimizer): void {
    const [scale] = this._check_scale_growth_tracker("_check_inf_per_device");
    const of = { dtype: torch.float32, device: scale.device };
    const found = this._unscale_grads_(optimizer, torch.full([], 1, of), torch.full([], 0, of), true);
    this._state_of(optimizer).found_inf_per_device = found;
  }

  /** Updates the scale after the steps of all optimizers; `new_scale` sets it. */
  update(...args: Args<Methods["update"], [new_scale: number | Tensor | null]>): void;
  update(new_scale: number | Tensor | null): void {
    if (!this._enabled) return;
    const [scale, growth_tracker] = this._check_scale_growth_tracker("update");
    if (typeof new_scale === "number") scale.fill_(new_scale);
    else if (new_scale !== null) {
      const fits = new_scale.device.type === this._device && new_scale.numel() === 1 && !new_scale.requires_grad;
      if (!fits)
        throw new AssertionError(
          "new_scale should be a float or a 1-element torch.cuda.FloatTensor or " +
            "torch.FloatTensor with requires_grad=False.",
        );
      scale.copy_(new_scale);
    } else {
      const found_infs = [...this._per_optimizer_states.values()].flatMap((state) =>
        [...state.found_inf_per_device.values()].map((found) => found.to(scale.device, { non_blocking: true })),
      );
      const [combined] = found_infs;
      if (combined === undefined) throw new AssertionError("No inf checks were recorded prior to update.");
      for (const found_inf of found_infs.slice(1)) combined.add_(found_inf);
      const { _growth_factor, _backoff_factor, _growth_interval } = this;
      torch._amp_update_scale_(scale, growth_tracker, combined, _growth_factor, _backoff_factor, _growth_interval);
    }
    this._per_optimizer_states = new Map();
  }

  /** The current scale; 1 if scaling is disabled. */
  get_scale(): number {
    if (!this._enabled) return 1;
    return this._scale === null ? this._init_scale : (this._scale.item() as number);
  }

  get_growth_factor(): number {
    return this._growth_factor;
  }

  set_growth_factor(...args: Args<Methods["set_growth_factor"], [new_factor: number]>): void;
  set_growth_factor(new_factor: number): void {
    this._growth_factor = new_factor;
  }

  get_backoff_factor(): number {
    return this._backoff_factor;
  }

  set_backoff_factor(...args: Args<Methods["set_backoff_factor"], [new_factor: number]>): void;
  set_backoff_factor(new_factor: number): void {
    this._backoff_factor = new_factor;
  }

  get_growth_interval(): number {
    return this._growth_interval;
  }

  set_growth_interval(...args: Args<Methods["set_growth_interval"], [new_interval: number]>): void;
  set_growth_interval(new_interval: number): void {
    this._growth_interval = new_interval;
  }

  is_enabled(): boolean {
    return this._enabled;
  }

  state_dict(): GradScalerState | Record<string, never> {
    if (!this._enabled) return {};
    return {
      scale: this.get_scale(),
      growth_factor: this._growth_factor,
      backoff_factor: this._backoff_factor,
      growth_interval: this._growth_interval,
      _growth_tracker: this._get_growth_tracker(),
    };
  }

  load_state_dict(...args: Args<Methods["load_state_dict"], [state_dict: GradScalerState]>): void;
  load_state_dict(state_dict: GradScalerState): void {
    if (!this._enabled) return;
    if (Object.keys(state_dict).length === 0)
      throw new RuntimeError(
        "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler.",
      );
    this._init_scale = state_dict.scale;
    this._scale?.fill_(state_dict.scale);
    this._growth_factor = state_dict.growth_factor;
    this._backoff_factor = state_dict.backoff_factor;
    this._growth_interval = state_dict.growth_interval;
    this._init_growth_tracker = state_dict._growth_tracker;
    this._growth_tracker?.fill_(state_dict._growth_tracker);
  }

  private _get_growth_tracker(): number {
    return this._growth_tracker === null ? this._init_growth_tracker : (this._growth_tracker.item() as number);
  }

  private _state_of(optimizer: Optimizer): OptimizerState {
    let state = this._per_optimizer_states.get(optimizer);
    if (state === undefined) {
      state = { stage: "READY", found_inf_per_device: new Map() };
      this._per_optimizer_states.set(optimizer, state);
    }
    return state;
  }

  private _check_scale_growth_tracker(funcname: string): [scale: Tensor, growth_tracker: Tensor] {
    const fix = "This may indicate your script did not use scaler.scale(loss or outputs) earlier in the iteration.";
    if (this._scale === null) throw new AssertionError(`Attempted ${funcname} but _scale is None.  ${fix}`);
    return [this._scale, this._growth_tracker as Tensor];
  }

  private _lazy_init_scale_growth_tracker(device: Tensor["device"]): Tensor {
    this._scale = torch.full([], this._init_scale, { dtype: torch.float32, device });
    this._growth_tracker = torch.full([], this._init_growth_tracker, { dtype: torch.int32, device });
    return this._scale;
  }

  /** Unscales all gradients with one call for each device and dtype. */
  private _unscale_grads_(optimizer: Optimizer, inv_scale: Tensor, found_inf: Tensor, allow_fp16: boolean): FoundInf {
    const per_device_inv_scale = new _MultiDeviceReplicator(inv_scale);
    const per_device_found_inf = new _MultiDeviceReplicator(found_inf);
    const grads = new Map<string, Tensor[]>();
    torch.no_grad(() => {
      for (const group of optimizer.param_groups)
        for (const { grad } of group.params) {
          if (grad === null) continue;
          if (!allow_fp16 && grad.dtype === torch.float16)
            throw new ValueError("Attempting to unscale FP16 gradients.");
          const key = `${grad.device} ${grad.dtype}`;
          const list = grads.get(key);
          if (list === undefined) grads.set(key, [grad]);
          else list.push(grad);
        }
      for (const list of grads.values()) {
        const { device } = list[0];
        const inv = per_device_inv_scale.get(device);
        torch._amp_foreach_non_finite_check_and_unscale_(list, per_device_found_inf.get(device), inv);
      }
    });
    return per_device_found_inf.per_device;
  }
}

const CudaGradScaler_init = new Init(
  "GradScaler.__init__(self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True)",
  types<[init_scale: number, growth_factor: number, backoff_factor: number, growth_interval: number, enabled: boolean]>,
);

/** `torch.cuda.amp.GradScaler`, a deprecated name. */
export class CudaGradScaler extends GradScaler {
  static readonly __name__ = "GradScaler";

  static {
    def_methods(CudaGradScaler, { __init__: CudaGradScaler_init });
  }

  constructor(...args: InitArgs<typeof CudaGradScaler_init>) {
    const rest = CudaGradScaler_init.bind(args);
    warn(
      "FutureWarning",
      "`torch.cuda.amp.GradScaler(args...)` is deprecated. Please use `torch.amp.GradScaler('cuda', args...)` instead.",
    );
    super("cuda", ...rest);
  }
}
