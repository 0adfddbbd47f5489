/**
 * @file The base class of optimizers: parameter groups, state, hooks around `step`, and saving.
 * @mirrors torch/optim/optimizer.py
 * @differs In ours the `args` of a hook around `step` begin after the optimizer, which is `this`; PyTorch's begin with the optimizer.
 * @differs Ours stores an option as a plain number, and prints it as a float if its default is a float; PyTorch prints the value as it was
 * given.
 */
import { AttributeError, KeyError, RuntimeError, TypeError_, ValueError, warn } from "#c10/util/Exception";
import { nothing, traceCall, tracer } from "#c10/util/Trace";
import { Allocated } from "#python/Objects/allocated";
import {
  float_repr,
  isDict,
  isFloat,
  PySequence_Tuple,
  py_format,
  python_type,
  repr,
  written_as_ints,
} from "#torch/_C";
import {
  type Args,
  def,
  def_methods,
  Init,
  type InitArgs,
  signature as signature_of,
  split_keywords,
  types,
  wraps,
} from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { type_name, type_repr } from "#torch/_utils/index";
import { float } from "#torch/optim/python_operators";
import { _group_tensors_by_device_and_dtype } from "#torch/utils/_foreach_utils";
import { RemovableHandle } from "#torch/utils/hooks";
import { _get_scalar_dtype, getitem } from "./helpers.ts";
import { pack, shallow_copy, unpack } from "./state_dict.ts";
import { States } from "./states.ts";
import type { Lists, OptimizerStateDict, Options, ParamGroup, SavedState, State } from "./types.ts";

// Note [An optimizer in miniature]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//   class SGD {
//     constructor(params, defaults) {                                      // { lr: 0.1, momentum: 0.9 }
//       this.state = new Map();                                            // parameter -> its state
//       this.param_groups = [{ ...defaults, params: [...params] }];        // parameters with equal options
//     }
//     zero_grad() { for (const { params } of this.param_groups) for (const p of params) p.grad = null; }
//     step() {
//       for (const { params, lr, momentum } of this.param_groups)
//         for (const p of params) {
//           if (p.grad === null) continue;
//           const buf = this.state.get(p)?.mul(momentum).add(p.grad) ?? p.grad;
//           this.state.set(p, buf);
//           torch.no_grad(() => p.sub_(buf.mul(lr)));                      // the formula: at the top of each optimizer's file
//         }
//     }
//     state_dict() {                                                       // state_dict.ts: a parameter is saved as a number
//       const params = this.param_groups.flatMap((group) => group.params);
//       const number = (p) => params.indexOf(p);
//       return {
//         state: new Map([...this.state].map(([p, buf]) => [number(p), buf])),
//         param_groups: this.param_groups.map((group) => ({ ...group, params: group.params.map(number) })),
//       };
//     }
//   }
// The base class has all of it but the formula. It adds hooks around `step` and around saving, and checks of what it is given.

export type ParamsT = Iterable<Tensor> | Iterable<Options> | Iterable<readonly [string, Tensor]>;
export type Closure = () => Tensor;

type StateDictHook = (optimizer: Optimizer, state_dict: OptimizerStateDict) => OptimizerStateDict | null | undefined;
type PlainHook = (optimizer: Optimizer) => unknown;

/** The `step` of any optimizer, called with any arguments. */
type Step = (this: Optimizer, ...args: unknown[]) => Tensor | null;
type OptimizerHook = (optimizer: Optimizer, args: unknown[], kwargs: Options) => unknown;
type HookMap = Map<number, OptimizerHook>;

const _global_optimizer_pre_hooks: HookMap = new Map();
const _global_optimizer_post_hooks: HookMap = new Map();

function add_hook<F>(hooks: Map<number, F>, hook: F, prepend = false): RemovableHandle {
  const handle = new RemovableHandle(hooks);
  const others = prepend ? [...hooks] : [];
  if (prepend) hooks.clear();
  hooks.set(handle.id, hook);
  for (const [id, other] of others) hooks.set(id, other);
  return handle;
}

/** Registers a hook that runs before the step of every optimizer. */
export const register_optimizer_step_pre_hook = def(
  "register_optimizer_step_pre_hook(hook)",
  (hook: OptimizerHook): RemovableHandle => add_hook(_global_optimizer_pre_hooks, hook),
);

/** Registers a hook that runs after the step of every optimizer. */
export const register_optimizer_step_post_hook = def(
  "register_optimizer_step_post_hook(hook)",
  (hook: OptimizerHook): RemovableHandle => add_hook(_global_optimizer_post_hooks, hook),
);

const Optimizer_init = new Init(
  "Optimizer.__init__(self, params, defaults: dict)",
  types<[params: ParamsT, defaults: Options]>,
);

const methods = {
  register_step_pre_hook: "(self, hook)",
  register_step_post_hook: "(self, hook)",
  register_state_dict_pre_hook: "(self, hook, prepend=False)",
  register_state_dict_post_hook: "(self, hook, prepend=False)",
  register_load_state_dict_pre_hook: "(self, hook, prepend=False)",
  register_load_state_dict_post_hook: "(self, hook, prepend=False)",
  zero_grad: "(self, set_to_none=True)",
  add_param_group: "(self, param_group: dict)",
  state_dict: "(self)",
  load_state_dict: "(self, state_dict: dict)",
} as const;
type Methods = typeof methods;

/** The arguments of every optimizer's `step`. */
export type StepArgs = Args<"(self, closure=None)", [closure: Closure | null]>;

/** Functions `step` that already call hooks; each class is wrapped once. */
const hooked = new WeakSet<object>();

/** The dictionaries of hooks, which an optimizer from a pickle gets anew. */
const HOOKS = [
  "_optimizer_step_pre_hooks",
  "_optimizer_step_post_hooks",
  "_optimizer_state_dict_pre_hooks",
  "_optimizer_state_dict_post_hooks",
  "_optimizer_load_state_dict_pre_hooks",
  "_optimizer_load_state_dict_post_hooks",
];

/** Base class of optimizers: groups of parameters with their options, and the state of each parameter. */
export abstract class Optimizer extends Allocated {
  defaults: Options;
  /** Parameter -> its state; a step creates the entries. */
  state: Map<Tensor, State> = new States();
  param_groups: ParamGroup[] = [];
  /**
   * True for a fused step: it divides by the scale of a gradient scaler, and is skipped if a gradient is infinite. The scaler stores both
   * values here.
   */
  declare _step_supports_amp_scaling?: boolean;
  declare grad_scale?: Tensor | null;
  declare found_inf?: Tensor | null;
  private readonly _optimizer_step_pre_hooks: HookMap = new Map();
  private readonly _optimizer_step_post_hooks: HookMap = new Map();
  private readonly _optimizer_state_dict_pre_hooks = new Map<number, PlainHook>();
  private readonly _optimizer_state_dict_post_hooks = new Map<number, StateDictHook>();
  private readonly _optimizer_load_state_dict_pre_hooks = new Map<number, StateDictHook>();
  private readonly _optimizer_load_state_dict_post_hooks = new Map<number, PlainHook>();

  static {
    def_methods(Optimizer, { __init__: Optimizer_init, ...methods });
  }

  constructor(...args: InitArgs<typeof Optimizer_init>) {
    const [params, defaults] = Optimizer_init.bind(args);
    super();
    if (typeof defaults !== "object" || defaults === null)
      throw new AttributeError(`'${python_type(defaults)}' object has no attribute 'get'`);
    this.defaults = defaults;
    this._patch_step_function();
    if (params instanceof Tensor) {
      throw new TypeError_(
        `params argument given to the optimizer should be an iterable of Tensors or dicts, but got ${type_name(params)}`,
      );
    }
    const groups = isDict(params) ? Object.keys(params) : PySequence_Tuple(params as Iterable<unknown>);
    if (groups.length === 0) throw new ValueError("optimizer got an empty parameter list");
    if (isDict(groups[0])) for (const group of groups) this.add_param_group(group as Options);
    else this.add_param_group({ params: groups });
  }

  /** One update of the parameters. A closure is called first to compute the loss again. */
  abstract step(...args: StepArgs): Tensor | null;

  /** The parts of an optimizer that a pickle keeps. */
  __getstate__(): Options {
    const { defaults, state, param_groups } = this;
    return { defaults, state, param_groups };
  }

  /** Restores a saved state, perhaps from an older version. Subclasses add options that it lacks. */
  __setstate__(state: SavedState): void {
    if (!isDict(state)) throw new TypeError_(`'${python_type(state)}' object is not iterable`);
    Object.assign(this, state);
    for (const hooks of HOOKS) if (!Object.hasOwn(this, hooks)) Object.assign(this, { [hooks]: new Map() });
    this._patch_step_function();
    this.defaults["differentiable"] ??= false;
  }

  /** The state of a parameter; at first an empty dict. */
  protected _state_of(param: Tensor): State {
    let state = this.state.get(param);
    if (state === undefined) this.state.set(param, (state = {}));
    return state;
  }

  /**
   * The parameters of a group that have a gradient, and beside each its state.
   * @param kept under the name of a list the key of the state that fills it; false leaves the list empty
   * @param new_state state of a parameter before its first step
   * @param check refuses a parameter, which has its state by then
   */
  protected _init_lists<K extends string>(
    group: { readonly params: readonly Tensor[] },
    kept: Readonly<Record<K, string | false>>,
    new_state: (p: Tensor, grad: Tensor) => State,
    check?: (state: State) => void,
  ): Lists<K> {
    const names = Object.keys(kept) as K[];
    const lists = Object.fromEntries(["params", "grads", ...names].map((name) => [name, [] as Tensor[]])) as Lists<K>;
    for (const p of group.params) {
      const { grad } = p;
      if (grad === null) continue;
      lists.params.push(p);
      lists.grads.push(grad);
      const state = this._state_of(p);
      if (Object.keys(state).length === 0) Object.assign(state, new_state(p, grad));
      for (const name of names) {
        const key = kept[name];
        if (key) lists[name].push(getitem(state, key));
      }
      check?.(state);
    }
    return lists;
  }

  /** Converts step counts that were saved as numbers to tensors. */
  protected _steps_to_tensors(group: Options, on_device: boolean, is_fused: boolean | null = null): void {
    for (const p of group["params"] as Tensor[]) {
      const state = this.state.get(p);
      if (state === undefined || Object.keys(state).length === 0 || getitem(state, "step") instanceof Tensor) continue;
      const dtype = _get_scalar_dtype(is_fused);
      state["step"] = torch.tensor(float(state["step"]), on_device ? { dtype, device: p.device } : { dtype });
    }
  }

  /** Replaces the `step` of the class by a function that runs the hooks, so that they also run for optimizers written by users. */
  private _patch_step_function(): void {
    const prototype = Object.getPrototypeOf(this) as Optimizer;
    if (typeof prototype.step !== "function" || hooked.has(prototype.step)) return;
    const step = profile_hook_step(prototype.step as Step);
    hooked.add(step);
    Object.defineProperty(prototype, "step", { value: step, writable: true, configurable: true });
  }

  /** Runs `step` between the hooks. */
  _step_with_hooks(step: Step, given: unknown[]): Tensor | null {
    let [args, kwargs] = split_keywords(given);
    for (const pre_hook of [..._global_optimizer_pre_hooks.values(), ...this._optimizer_step_pre_hooks.values()]) {
      const result = pre_hook(this, args, kwargs);
      if (result === null || result === undefined) continue;
      if (!Array.isArray(result) || result.length !== 2) {
        throw new RuntimeError(
          `step must return None or a tuple of (new_args, new_kwargs), but got ${String(result)}.`,
        );
      }
      [args, kwargs] = result as [unknown[], Options];
    }
    const out = step.apply(this, Object.keys(kwargs).length === 0 ? args : [...args, kwargs]);
    for (const post_hook of [...this._optimizer_step_post_hooks.values(), ..._global_optimizer_post_hooks.values()])
      post_hook(this, args, kwargs);
    return out;
  }

  /** Registers a hook that runs before this optimizer's step; it may return other arguments. */
  register_step_pre_hook(...args: Args<Methods["register_step_pre_hook"], [hook: OptimizerHook]>): RemovableHandle;
  register_step_pre_hook(hook: OptimizerHook): RemovableHandle {
    return add_hook(this._optimizer_step_pre_hooks, hook);
  }

  /** Registers a hook that runs after this optimizer's step. */
  register_step_post_hook(...args: Args<Methods["register_step_post_hook"], [hook: OptimizerHook]>): RemovableHandle;
  register_step_post_hook(hook: OptimizerHook): RemovableHandle {
    return add_hook(this._optimizer_step_post_hooks, hook);
  }

  /** Registers a hook that runs before `state_dict`. */
  register_state_dict_pre_hook(
    ...args: Args<Methods["register_state_dict_pre_hook"], [hook: PlainHook, prepend: boolean]>
  ): RemovableHandle;
  register_state_dict_pre_hook(hook: PlainHook, prepend: boolean): RemovableHandle {
    return add_hook(this._optimizer_state_dict_pre_hooks, hook, prepend);
  }

  /** Registers a hook that receives the result of `state_dict`; it may change or replace it. */
  register_state_dict_post_hook(
    ...args: Args<Methods["register_state_dict_post_hook"], [hook: StateDictHook, prepend: boolean]>
  ): RemovableHandle;
  register_state_dict_post_hook(hook: StateDictHook, prepend: boolean): RemovableHandle {
    return add_hook(this._optimizer_state_dict_post_hooks, hook, prepend);
  }

  /** Registers a hook that receives a shallow copy of the state to be loaded; it may change or replace it. */
  register_load_state_dict_pre_hook(
    ...args: Args<Methods["register_load_state_dict_pre_hook"], [hook: StateDictHook, prepend: boolean]>
  ): RemovableHandle;
  register_load_state_dict_pre_hook(hook: StateDictHook, prepend: boolean): RemovableHandle {
    return add_hook(this._optimizer_load_state_dict_pre_hooks, hook, prepend);
  }

  /** Registers a hook that runs after a state was loaded. */
  register_load_state_dict_post_hook(
    ...args: Args<Methods["register_load_state_dict_post_hook"], [hook: PlainHook, prepend: boolean]>
  ): RemovableHandle;
  register_load_state_dict_post_hook(hook: PlainHook, prepend: boolean): RemovableHandle {
    return add_hook(this._optimizer_load_state_dict_post_hooks, hook, prepend);
  }

  /** Removes all gradients; with `set_to_none: false`, sets them to zero. */
  zero_grad(...args: Args<Methods["zero_grad"], [set_to_none: boolean]>): void;
  zero_grad(set_to_none: boolean): void {
    const foreach = Boolean(this.defaults["foreach"] || this.defaults["fused"]);
    const to_zero: Tensor[] = [];
    for (const group of this.param_groups) {
      for (const p of group.params) {
        if (p.grad === null) continue;
        if (set_to_none) {
          p.grad = null;
        } else {
          if (p.grad.grad_fn !== null) p.grad.detach_();
          else p.grad.requires_grad_(false);
          if (foreach) to_zero.push(p.grad);
          else p.grad.zero_();
        }
      }
    }
    if (to_zero.length > 0)
      for (const { lists } of _group_tensors_by_device_and_dtype({ to_zero })) torch._foreach_zero_(lists.to_zero);
  }

  add_param_group(...args: Args<Methods["add_param_group"], [param_group: Options]>): void;
  add_param_group(param_group: Options): void {
    if (!isDict(param_group))
      throw new TypeError_(`param_group must be a dict, but got ${type_repr(param_group, "class")}`);
    const given: unknown = param_group["params"];
    if (given instanceof Set) {
      throw new TypeError_(
        "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets will change between runs. Please use a list instead.",
      );
    }
    if (given === undefined) throw new KeyError("params");
    const params = given instanceof Tensor ? [given] : PySequence_Tuple(given as Iterable<unknown>);
    const names = params.filter(Array.isArray).map((named) => named[0] as string);
    const tensors = params.map((param) => (Array.isArray(param) ? (param[1] as unknown) : param));
    // From here on the dict of the caller is the group.
    const group = param_group as ParamGroup;
    group.params = tensors as Tensor[];
    if (names.length > 0) {
      if (names.length !== tensors.length)
        throw new ValueError("all optimizer params should be with/without names. Some param names are missing");
      group["param_names"] = names;
    }
    for (const param of tensors) {
      if (!(param instanceof Tensor))
        throw new TypeError_(`optimizer can only optimize Tensors, but one of the params is ${type_name(param)}`);
      if (!this.defaults["differentiable"] && !(param.is_leaf || param.retains_grad))
        throw new ValueError("can't optimize a non-leaf Tensor");
    }
    set_defaults(group, this.defaults);
    if (new Set(group.params).size !== group.params.length) {
      warn(
        "UserWarning",
        "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; see github.com/pytorch/pytorch/issues/40967 for more information",
      );
    }
    const named = "param_names" in group;
    for (const other of this.param_groups) {
      if (named !== "param_names" in other) {
        throw new ValueError(
          "all optimizer param groups should be with/without names. " +
            `cannot add param group ${named ? "with names" : "without names"} to the optimizer`,
        );
      }
    }
    const known = new Set(this.param_groups.flatMap((other) => other.params));
    if (group.params.some((param) => known.has(param)))
      throw new ValueError("some parameters appear in more than one parameter group");
    this.param_groups.push(group);
  }

  /** The state for saving; parameters appear as numbers, in the order of the groups. */
  state_dict(): OptimizerStateDict {
    for (const pre_hook of this._optimizer_state_dict_pre_hooks.values()) pre_hook(this);
    let state_dict = pack(this.state, this.param_groups);
    for (const post_hook of this._optimizer_state_dict_post_hooks.values())
      state_dict = post_hook(this, state_dict) ?? state_dict;
    return state_dict;
  }

  load_state_dict(...args: Args<Methods["load_state_dict"], [state_dict: OptimizerStateDict]>): void;
  load_state_dict(given: OptimizerStateDict): void {
    let state_dict = shallow_copy(given);
    for (const pre_hook of this._optimizer_load_state_dict_pre_hooks.values())
      state_dict = pre_hook(this, state_dict) ?? state_dict;
    this.__setstate__(unpack(state_dict, this.param_groups));
    for (const post_hook of this._optimizer_load_state_dict_post_hooks.values()) post_hook(this);
  }

  __repr__(): string {
    let text = `${this.constructor.name} (`;
    const defaults = defaults_of(this.constructor);
    this.param_groups.forEach((group, i) => {
      text += `\nParameter Group ${i}\n`;
      const ints = written_as_ints.get(group);
      for (const key of Object.keys(group).sort()) {
        if (key === "params") continue;
        const default_ = ints?.get(key) === group[key] ? null : defaults.get(key.replace(/^initial_/, ""));
        text += `    ${key}: ${option_text(key, group[key], default_)}\n`;
      }
    });
    return `${text})`;
  }

  override toString(): string {
    return this.__repr__();
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.__repr__();
  }
}

/**
 * The options for a computation, with a number for each `torch.Float`. The group itself keeps the Float, which Python's 1.0 is: it prints as
 * 1.0, and is saved as a float.
 */
export function with_numbers(group: Options): Options {
  let plain: Options | null = null;
  for (const [key, value] of Object.entries(group)) {
    if (isFloat(value)) (plain ??= { ...group })[key] = value.value;
    else if (key !== "params" && Array.isArray(value) && value.some(isFloat))
      (plain ??= { ...group })[key] = value.map((each) => (isFloat(each) ? each.value : (each as unknown)));
  }
  return plain ?? group;
}

/** `dict.setdefault` for each of the defaults. */
export function set_defaults(group: Options, defaults: Options): void {
  for (const [name, value] of Object.entries(defaults)) if (group[name] === undefined) group[name] = value;
}

/** The default values in the signature of a constructor, as Python prints them. */
function defaults_of(cls: object): ReadonlyMap<string, string | null> {
  return new Map(signature_of(cls)?.parameters.map((p) => [p.name, p.default]));
}

/**
 * An option as text. An array is a tuple in Python, except for the names.
 * @param default_ the default; if it is a float, 1 is printed as 1.0
 */
function option_text(key: string, value: unknown, default_: string | null = null): string {
  if (!Array.isArray(value) || key === "param_names") return number_text(value, default_) ?? py_format(value);
  const defaults = (default_ ?? "").replace(/[()]/g, "").split(", ");
  return `(${value.map((x, i) => number_text(x, defaults[i]) ?? repr(x)).join(", ")}${value.length === 1 ? "," : ""})`;
}

/** A number whose default is a float, as text; null for other values. */
function number_text(value: unknown, default_: string | null = null): string | null {
  return typeof value === "number" && /^-?\d+(\.|e)/.test(default_ ?? "") ? float_repr(value) : null;
}

/** The `step` with its hooks, recorded as `Optimizer.step#SGD.step`. */
function profile_hook_step(step: Step): Step {
  const hooked_step: Step = function (...args) {
    if (!((this as unknown) instanceof Optimizer)) return step.apply(this, args); // the original raises an error
    if (tracer !== null) {
      const name = `Optimizer.step#${this.constructor.name}.step`;
      return traceCall("python", name, this._step_with_hooks.bind(this), [step, args], {}, nothing);
    }
    return this._step_with_hooks(step, args);
  };
  return wraps(hooked_step, step);
}

/** `_use_grad_for_differentiable`: autograd records a step only if the option `differentiable` is set. */
export function _use_grad_for_differentiable<R>(self: Optimizer, fn: () => R): R {
  const { differentiable = false } = self.defaults;
  return torch.set_grad_enabled(differentiable as boolean, () => fn());
}

/** Runs a closure with grad mode on, as `step` must. */
export function call_closure(closure: Closure | null | undefined): Tensor | null {
  if (closure === null || closure === undefined) return null;
  if (typeof closure !== "function") throw new TypeError_(`'${python_type(closure)}' object is not callable`);
  return torch.enable_grad(() => closure());
}

/** Raises if a group lacks an option, which can happen after loading the state of another optimizer. */
export function check_options(self: Optimizer, group: Options): void {
  for (const option of Object.keys(self.defaults)) if (option !== "differentiable") getitem(group, option);
}

/** The form of most steps: call the closure, then update each group. */
export function step_groups<G>(self: Optimizer, closure: Closure | null, step: (group: G) => void): Tensor | null {
  return _use_grad_for_differentiable(self, () => {
    const loss = call_closure(closure);
    for (const group of self.param_groups) {
      check_options(self, group);
      step(with_numbers(group) as G);
    }
    return loss;
  });
}
