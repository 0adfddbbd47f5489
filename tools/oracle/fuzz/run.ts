/**
 * @file Runs the steps of a program in our library: the counterpart of `Run` in steps.py.
 * @original
 */
import { type Any, type Library, places } from "./library.ts";
import type { Step, Wire } from "./program.ts";

export interface Outcome {
  readonly result?: unknown;
  readonly error?: unknown;
  readonly warnings: readonly (readonly [string, string])[];
}

const LAMBDAS: Readonly<Record<string, (epoch: number) => number>> = {
  halves: (e) => 0.5 ** e,
  third: (e) => 1 / (1 + Math.floor(e / 3)),
  tenth: () => 0.1,
  grows: (e) => 1 + e,
};

export class Run {
  readonly env = new Map<string, Any>();
  heard: [string, ...Any[]][] = [];
  readonly #library: Library;

  constructor(library: Library, seed: number) {
    this.#library = library;
    library.torch.manual_seed(seed);
  }

  get torch(): Any {
    return this.#library.torch;
  }

  decode(v: Wire): Any {
    if (v === null || typeof v !== "object") return v;
    if (Array.isArray(v)) return v.map((x) => this.decode(x));
    const [mark, given] = Object.entries(v)[0] as [string, Any];
    switch (mark) {
      case "$v":
        return this.env.get(given);
      case "$storage":
        return this.env.get(given).untyped_storage();
      case "$state":
        return this.env.get(given).state_dict();
      case "$dict":
        return Object.fromEntries(Object.entries(given as Record<string, Wire>).map(([k, x]) => [k, this.decode(x)]));
      case "$closure":
        return this.#closure(given[0], this.decode(given[1]));
      case "$lambda":
        return LAMBDAS[given];
      case "$f":
        return new this.torch.Float(pythonFloat(given));
      case "$i":
        return BigInt(given);
      case "$tuple":
        return this.#library.tuple(given.map((x: Wire) => this.decode(x)));
      case "$slice": {
        const [start, stop, step] = given.map((x: Wire) => this.decode(x));
        return this.torch.slice(start, stop, step);
      }
      case "$ellipsis":
        return "...";
      case "$torch":
        return this.torch[given];
      case "$device":
        return this.torch.device(given);
      default:
        throw new Error(`no value ${mark}`);
    }
  }

  /** The call as a function without arguments. */
  #function(step: Step): () => Any {
    const { torch } = this;
    const args = step.args.map((a) => this.decode(a));
    const kwargs = Object.fromEntries(Object.entries(step.kwargs).map(([k, v]) => [k, this.decode(v)]));
    const given = Object.keys(kwargs).length === 0 ? args : [...args, kwargs];
    const [place, ...names] = step.call.split(".") as [string, ...string[]];
    const name = names.join(".");
    switch (place) {
      case "torch":
        return () => torch[name](...given);
      case "F":
        return () => torch.nn.functional[name](...given);
      case "aten": {
        const [packet, overload] = names as [string, string];
        return () => torch.ops.aten[packet][overload](...given);
      }
      case "nn":
        return () => this.#madeAndCalled(torch.nn[name], given[0], given.slice(1));
      case "init":
      case "utils":
        return () => places(torch)[place][name](...given);
      case "optim":
      case "lr_scheduler":
      case "swa_utils":
        return () => new (places(torch)[place][name])(...given);
      case "Tensor":
      case "Optimizer":
      case "Scheduler":
        return () => given[0][name](...given.slice(1));
      default:
        return () => this.#special[place]?.(step, ...given);
    }
  }

  #madeAndCalled(cls: Any, inputs: Any[], args: Any[]): Any {
    const module = new cls(...args);
    const out = inputs.length > 0 ? module(...inputs) : null;
    return [module.__repr__(), [...module.state_dict().keys()], out, ...module.parameters(), ...module.buffers()];
  }

  run(step: Step): Outcome {
    const warnings: [string, string][] = [];
    this.#library.setWarningHandler(({ type, msg }) => warnings.push([type, msg]));
    this.heard = [];
    const { torch } = this;
    const scopes: Record<string, (fn: () => Any) => Any> = torch;
    let result: Any;
    try {
      const call = this.#function(step);
      result = (scopes[step.scope ?? "enable_grad"] as (fn: () => Any) => Any)(call);
    } catch (error) {
      return { error, warnings };
    }
    const known = new Set(this.env.values());
    const names = [...step.out];
    for (const value of this.parts(result)) {
      if (!this.isKept(value) || known.has(value)) continue;
      known.add(value);
      const name = names.shift();
      if (name !== undefined) this.env.set(name, value);
    }
    return { result, warnings };
  }

  zero(names: readonly string[]): void {
    for (const name of names) {
      const t = this.env.get(name);
      if (t?.device.type === "cpu") t.untyped_storage().fill_(0);
    }
  }

  isKept(value: Any): boolean {
    return value instanceof this.torch.Tensor || typeof value?.remove === "function" || this.isObject(value);
  }

  /** Whether it is an optimizer or a scheduler. */
  isObject(value: Any): boolean {
    const { Optimizer, lr_scheduler } = this.torch.optim;
    return value instanceof Optimizer || value instanceof lr_scheduler.LRScheduler;
  }

  *parts(result: Any): Iterable<Any> {
    if (Array.isArray(result)) for (const r of result) yield* this.parts(r);
    else yield result;
  }

  // Steps that are not function calls: syntax, properties, hooks.

  readonly #special: Record<string, (step: Step, ...args: Any[]) => Any> = {
    getitem: (step, x, index) => x.__getitem__(this.#index(step, index)),
    setitem: (step, x, index, value) => x.__setitem__(this.#index(step, index), value),
    get: (_, x, name) => x[name],
    set: (_, x, name, value) => {
      x[name] = value;
      return null;
    },
    print: (_, x) => x.__repr__(),
    grad: (_, ...args) => this.torch.autograd.grad(...args),
    hook: (_, x, kind) => x.register_hook(this.#hook(kind)),
    post_hook: (_, x, kind) => x.register_post_accumulate_grad_hook(this.#hook(kind)),
    node_hook: (_, x, kind) =>
      x.grad_fn.register_hook((into: Any, outof: Any) => {
        this.heard.push([kind, ...[...into, ...outof].map((g) => g?.detach().clone() ?? null)]);
        return kind === "double" ? [...into].map((g) => g?.mul(2) ?? null) : null;
      }),
    node_prehook: (_, x, kind) =>
      x.grad_fn.register_prehook((grads: Any) => {
        this.heard.push([kind, ...[...grads].map((g: Any) => g?.detach().clone() ?? null)]);
        return kind === "double" ? [...grads].map((g: Any) => g?.mul(2) ?? null) : null;
      }),
    unhook: (_, handle) => {
      handle.remove();
      return null;
    },
    descend: (_, kind, params) => {
      const loss = this.#loss(kind, params);
      loss.backward();
      return loss;
    },
    average: (_, kind, decay, updates, use_buffers) => this.#average(kind, decay, updates, use_buffers),
    saved: (_, x) => {
      const names = new Set<string>();
      for (let p = x.grad_fn; p !== null; p = Object.getPrototypeOf(p))
        for (const n of Object.getOwnPropertyNames(p)) names.add(n);
      const saved = [...names].filter((n) => n.startsWith("_saved_")).sort();
      return saved.map((n) => [n, x.grad_fn[n]]);
    },
  };

  #loss(kind: string, params: Any[]): Any {
    const { torch } = this;
    let loss = torch.zeros([], { dtype: torch.float64 });
    params.forEach((p, i) => {
      const x = p.to(torch.float64);
      const each = kind === "square" ? x.sub(0.5).square() : x.pow(4).sub(x);
      loss = loss.add(each.sum().mul(i + 1));
    });
    return loss;
  }

  #closure(kind: string, params: Any[]): () => Any {
    return () => {
      if (kind === "raise") throw Object.assign(new Error("the closure refuses"), { name: "ValueError" });
      if (kind === "none" || kind === "number") return kind === "none" ? null : 1.5;
      for (const p of params) p.grad = null;
      const loss = this.#loss(kind, params);
      loss.backward();
      return loss;
    };
  }

  #average(kind: string, decay: number, updates: number, use_buffers: boolean): Any {
    const { torch } = this;
    const { nn } = torch;
    const { swa_utils } = torch.optim;
    const model = new nn.Sequential(new nn.Linear(2, 3), new nn.BatchNorm1d(3));
    const functions: Record<string, () => Any> = {
      none: () => ({}),
      ema: () => ({ avg_fn: swa_utils.get_ema_avg_fn(decay) }),
      ema_multi: () => ({ multi_avg_fn: swa_utils.get_ema_multi_avg_fn(decay) }),
      swa: () => ({ avg_fn: swa_utils.get_swa_avg_fn() }),
      swa_multi: () => ({ multi_avg_fn: swa_utils.get_swa_multi_avg_fn() }),
    };
    const averaged = new swa_utils.AveragedModel(model, { use_buffers, ...functions[kind]?.() });
    for (let i = 0; i < updates; i++) {
      torch.no_grad(() => {
        for (const p of model.parameters()) p.mul_(0.5).add_(i);
      });
      model(torch.ones(2, 2));
      averaged.update_parameters(model);
    }
    swa_utils.update_bn([torch.full([2, 2], 0.5), torch.ones(3, 2)], averaged);
    const state = averaged.state_dict();
    return [averaged.__repr__(), [...state.keys()], ...state.values()];
  }

  /** `x[[0, 1]]` has a list, `x[0, 1]` a tuple; here both are arrays, and a single array is the tuple. */
  #index(step: Step, index: Any): Any {
    return Array.isArray(step.args[1]) ? [index] : index;
  }

  #hook(kind: string): (grad: Any) => Any {
    const heard = (grad: Any): Any => {
      this.heard.push([kind, grad.detach().clone()]);
      switch (kind) {
        case "raise":
          throw Object.assign(new Error("the hook refuses"), { name: "ValueError" });
        case "double":
          return grad.mul(2);
        case "wrong":
          return 5;
        case "reshape":
          return grad.reshape(-1).__getitem__(this.torch.slice(null, 1));
        default:
          return null;
      }
    };
    return heard;
  }
}

export function pythonFloat(text: string): number {
  if (text === "inf") return Number.POSITIVE_INFINITY;
  if (text === "-inf") return Number.NEGATIVE_INFINITY;
  return Number(text);
}
