/**
 * @file What optimizers share: parameter groups, state, hooks around `step`, saving.
 * @mirrors torch/optim/optimizer.py
 */
import { AttributeError, KeyError, RuntimeError, TypeError_, ValueError, warn } from "#c10/util/Exception";
import { nothing, traceCall, tracer } from "#c10/util/Trace";
import { isDict, PySequence_Tuple, python_type, repr } from "#torch/_C";
import { type Args, def, def_methods, Init, type InitArgs, split_keywords, types, wraps } from "#torch/_signature";
import { Tensor } from "#torch/_tensor";
import { torch } from "#torch/_torch";
import { type_name, type_repr } from "#torch/_utils";
import { RemovableHandle } from "#torch/utils/hooks";

// biome-ignore lint/suspicious/noExplicitAny: options differ by optimizer
export type Options = Record<string, any>;
export type ParamGroup = Options & { params: Tensor[] };
export type ParamsT = Iterable<Tensor> | Iterable<Options> | Iterable<readonly [string, Tensor]>;
/** Per parameter: what the optimizer remembers of it. */
export type State = Options;
export type Closure = () => Tensor;

export interface OptimizerStateDict {
  state: Record<number, State>;
  param_groups: (Options & { params: number[] })[];
}

/** Any optimizer's `step`, given whatever the caller wrote. */
type Step = (this: Optimizer, ...args: unknown[]) => Tensor | null;
type OptimizerHook = (optimizer: Optimizer, args: unknown[], kwargs: Options) => unknown;
type HookMap = Map<number, OptimizerHook>;

const _global_optimizer_pre_hooks: HookMap = new Map();
const _global_optimizer_post_hooks: HookMap = new Map();

function add_hook<F>(hooks: Map<number, F>, hook: F): RemovableHandle {
  const handle = new RemovableHandle(hooks);
  hooks.set(handle.id, hook);
  return handle;
}

/** Called before every optimizer's step. */
export const register_optimizer_step_pre_hook = def(
  "register_optimizer_step_pre_hook(hook)",
  (hook: OptimizerHook): RemovableHandle => add_hook(_global_optimizer_pre_hooks, hook),
);

/** Called after every optimizer's step. */
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
  zero_grad: "(self, set_to_none=True)",
  add_param_group: "(self, param_group: dict)",
  state_dict: "(self)",
  load_state_dict: "(self, state_dict: dict)",
} as const;
type Methods = typeof methods;

/** What every optimizer's `step` may be given. */
export type StepArgs = Args<"(self, closure=None)", [closure: Closure | null]>;

/** Optimizers whose `step` is wrapped already: once per class. */
const hooked = new WeakSet<object>();

/** Base of optimizers: groups of parameters with their options, and what is remembered of each parameter. */
export abstract class Optimizer {
  defaults: Options;
  /** Parameter -> what is remembered of it; an entry appears when a step makes one. */
  state: Map<Tensor, State> = new Map();
  param_groups: ParamGroup[] = [];
  private readonly _optimizer_step_pre_hooks: HookMap = new Map();
  private readonly _optimizer_step_post_hooks: HookMap = new Map();

  static {
    def_methods(Optimizer, { __init__: Optimizer_init, ...methods });
  }

  constructor(...args: InitArgs<typeof Optimizer_init>) {
    const [params, defaults] = Optimizer_init.bind(args);
    this.defaults = defaults;
    this._patch_step_function();
    if (params instanceof Tensor) {
      throw new TypeError_(
        `params argument given to the optimizer should be an iterable of Tensors or dicts, but got ${type_name(params)}`,
      );
    }
    const groups = PySequence_Tuple(params as Iterable<unknown>);
    if (groups.length === 0) throw new ValueError("optimizer got an empty parameter list");
    if (isDict(groups[0])) for (const group of groups) this.add_param_group(group as Options);
    else this.add_param_group({ params: groups });
  }

  /** One update. With a closure, that is called first to compute the loss again. */
  abstract step(...args: StepArgs): Tensor | null;

  /** Hooks run around `step` of every optimizer, whoever wrote it: the class's function is replaced by one that calls them. */
  private _patch_step_function(): void {
    const prototype = Object.getPrototypeOf(this) as Optimizer;
    if (hooked.has(prototype) || !Object.hasOwn(prototype, "step")) return;
    hooked.add(prototype);
    prototype.step = profile_hook_step(prototype.step as Step);
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

  /** Called before this optimizer's step; may give other arguments. */
  register_step_pre_hook(...args: Args<Methods["register_step_pre_hook"], [hook: OptimizerHook]>): RemovableHandle;
  register_step_pre_hook(hook: OptimizerHook): RemovableHandle {
    return add_hook(this._optimizer_step_pre_hooks, hook);
  }

  /** Called after this optimizer's step. */
  register_step_post_hook(...args: Args<Methods["register_step_post_hook"], [hook: OptimizerHook]>): RemovableHandle;
  register_step_post_hook(hook: OptimizerHook): RemovableHandle {
    return add_hook(this._optimizer_step_post_hooks, hook);
  }

  /** Forgets gradients; `set_to_none: false` fills them with zeros instead. */
  zero_grad(...args: Args<Methods["zero_grad"], [set_to_none: boolean]>): void;
  zero_grad(set_to_none: boolean): void {
    for (const group of this.param_groups) {
      for (const p of group.params) {
        if (p.grad === null) continue;
        if (set_to_none) {
          p.grad = null;
        } else {
          if (p.grad.grad_fn !== null) p.grad.detach_();
          else p.grad.requires_grad_(false);
          p.grad.zero_();
        }
      }
    }
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
    if (given === undefined) throw new KeyError("'params'");
    const params = given instanceof Tensor ? [given] : PySequence_Tuple(given as Iterable<unknown>);
    const tensors = params.map((param) => (Array.isArray(param) ? (param[1] as unknown) : param));
    for (const param of tensors) {
      if (!(param instanceof Tensor))
        throw new TypeError_(`optimizer can only optimize Tensors, but one of the params is ${type_name(param)}`);
      if (!this.defaults["differentiable"] && !(param.is_leaf || param.retains_grad))
        throw new ValueError("can't optimize a non-leaf Tensor");
    }
    const group: ParamGroup = { ...param_group, params: tensors as Tensor[] };
    if (params.some(Array.isArray)) group["param_names"] = params.map((param) => (param as [string, Tensor])[0]);
    for (const [name, value] of Object.entries(this.defaults)) group[name] ??= value;
    if (new Set(group.params).size !== group.params.length) {
      warn(
        "UserWarning",
        "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; see github.com/pytorch/pytorch/issues/40967 for more information",
      );
    }
    const known = new Set(this.param_groups.flatMap((other) => other.params));
    if (group.params.some((param) => known.has(param)))
      throw new ValueError("some parameters appear in more than one parameter group");
    this.param_groups.push(group);
  }

  /** Parameters appear as numbers, in the order of the groups. */
  state_dict(): OptimizerStateDict {
    const index = new Map<Tensor, number>();
    for (const group of this.param_groups) for (const p of group.params) if (!index.has(p)) index.set(p, index.size);
    const param_groups = this.param_groups.map(({ params, ...rest }) => ({
      ...rest,
      params: params.map((p) => index.get(p) as number),
    }));
    const state: Record<number, State> = {};
    for (const [p, value] of this.state) state[index.get(p) as number] = value;
    return { state, param_groups };
  }

  load_state_dict(...args: Args<Methods["load_state_dict"], [state_dict: OptimizerStateDict]>): void;
  load_state_dict(state_dict: OptimizerStateDict): void {
    if (!isDict(state_dict)) throw new AttributeError(`'${python_type(state_dict)}' object has no attribute 'copy'`);
    for (const key of ["param_groups", "state"]) if (!(key in state_dict)) throw new KeyError(`'${key}'`);
    const saved_groups = PySequence_Tuple(state_dict.param_groups);
    if (this.param_groups.length !== saved_groups.length)
      throw new ValueError("loaded state dict has a different number of parameter groups");
    if (this.param_groups.some((group, i) => group.params.length !== saved_groups[i]?.params.length)) {
      throw new ValueError(
        "loaded state dict contains a parameter group that doesn't match the size of optimizer's group",
      );
    }
    const of_id = new Map<number, Tensor>();
    for (const [i, group] of this.param_groups.entries()) {
      for (const [j, p] of group.params.entries()) of_id.set(saved_groups[i]?.params[j], p);
    }
    this.state = new Map();
    for (const [id, value] of Object.entries(state_dict.state)) {
      const param = of_id.get(Number(id));
      if (param !== undefined)
        this.state.set(
          param,
          Object.fromEntries(Object.entries(value).map(([key, v]) => [key, cast_state(param, key, v)])),
        );
    }
    this.param_groups = this.param_groups.map((group, i) => ({
      ...(saved_groups[i] as Options),
      params: group.params,
    }));
  }

  __repr__(): string {
    let text = `${this.constructor.name} (`;
    this.param_groups.forEach((group, i) => {
      text += `\nParameter Group ${i}\n`;
      for (const key of Object.keys(group).sort())
        if (key !== "params") text += `    ${key}: ${typeof group[key] === "string" ? group[key] : repr(group[key])}\n`;
    });
    return `${text})`;
  }

  toString(): string {
    return this.__repr__();
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.__repr__();
  }
}

/** State follows its parameter's dtype and device; a step count keeps its own. */
function cast_state(param: Tensor, key: string, value: unknown): unknown {
  if (!(value instanceof Tensor)) return value;
  if (key === "step") return value;
  return param.is_floating_point() ? value.to(param.device, param.dtype) : value.to(param.device);
}

/** `step` with its hooks, on record as `Optimizer.step#SGD.step`. */
function profile_hook_step(step: Step): Step {
  const hooked_step: Step = function (...args) {
    if (tracer !== null) {
      const name = `Optimizer.step#${this.constructor.name}.step`;
      return traceCall("python", name, this._step_with_hooks.bind(this), [step, args], {}, nothing);
    }
    return this._step_with_hooks(step, args);
  };
  return wraps(hooked_step, step);
}

/** `_use_grad_for_differentiable`: a step is part of the graph only where it is asked to be. */
export function _use_grad_for_differentiable<R>(self: Optimizer, fn: () => R): R {
  return torch.set_grad_enabled(Boolean(self.defaults["differentiable"]), fn);
}

/** Runs a closure with grad mode on, as `step` must. */
export function call_closure(closure: Closure | null | undefined): Tensor | null {
  if (closure === null || closure === undefined) return null;
  if (typeof closure !== "function") throw new TypeError_(`'${python_type(closure)}' object is not callable`);
  return torch.enable_grad(closure);
}
