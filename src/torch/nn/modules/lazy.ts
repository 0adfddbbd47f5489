/**
 * @file Lazy modules, whose parameters get their shapes from the first input.
 * @mirrors torch/nn/modules/lazy.py
 * @differs Ours is a function from a class to a subclass; PyTorch's mixin is a second base class.
 */
import { NotImplementedError, RuntimeError } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { is_lazy } from "#torch/nn/parameter/lazy";
import type { RemovableHandle } from "#torch/utils/hooks";
import type { Module } from "./module/index.ts";
import type { LoadArgs, StateDict } from "./module/state_dict.ts";

// biome-ignore lint/suspicious/noExplicitAny: TypeScript requires it of the base of a mixin
type ModuleClass = abstract new (...args: any[]) => Module;
type Kwargs = Readonly<Record<string, unknown>>;

/** Members that the mixin adds to a module class. */
export interface Lazy {
  _load_hook: RemovableHandle;
  _initialize_hook: RemovableHandle;
  _lazy_load_hook(...args: LoadArgs): void;
  /** Gives the parameters the shapes that fit the module's arguments. */
  initialize_parameters(...args: unknown[]): void;
  has_uninitialized_params(): boolean;
}

export interface LazyClass {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  new (...args: any[]): Lazy;
  readonly cls_to_become: ModuleClass | null;
}

/**
 * A class of modules that call `initialize_parameters` with their first input and then become `cls_to_become`. A state can also be loaded
 * before that: uninitialized parameters take the shapes of the loaded ones.
 */
export function LazyModuleMixin<B extends ModuleClass>(Base: B): B & LazyClass {
  abstract class LazyModule extends Base implements Lazy {
    static readonly cls_to_become: ModuleClass | null = null;
    declare _load_hook: RemovableHandle;
    declare _initialize_hook: RemovableHandle;

    // biome-ignore lint/suspicious/noExplicitAny: as above
    constructor(...args: any[]) {
      super(...args);
      this._load_hook = this._register_load_state_dict_pre_hook((...given: LoadArgs) => this._lazy_load_hook(...given));
      this._initialize_hook = this.register_forward_pre_hook(
        (module: LazyModule, given: unknown[], kwargs: Kwargs) => this._infer_parameters(module, given, kwargs),
        { with_kwargs: true },
      );
    }

    override _save_to_state_dict(destination: StateDict, prefix: string, keep_vars: boolean): void {
      const kept = (t: Tensor) => (is_lazy(t) || keep_vars ? t : t.detach());
      for (const [name, param] of this._parameters) if (param !== null) destination.set(prefix + name, kept(param));
      for (const [name, buf] of this._buffers)
        if (buf !== null && !this._non_persistent_buffers_set.has(name)) destination.set(prefix + name, kept(buf));
    }

    _lazy_load_hook(...[state_dict, prefix]: LoadArgs): void {
      for (const [name, param] of [...this._parameters, ...this._buffers]) {
        const input_param = state_dict.get(prefix + name) as Tensor | undefined;
        if (input_param !== undefined && is_lazy(param) && !is_lazy(input_param))
          torch.no_grad(() => param.materialize(input_param.shape));
      }
    }

    initialize_parameters(..._args: unknown[]): void {
      throw new NotImplementedError(`initialize_parameters is not implemented for ${this._get_name()}`);
    }

    has_uninitialized_params(): boolean {
      return [...this._parameters.values(), ...this._buffers.values()].some((t) => is_lazy(t));
    }

    _infer_parameters(module: LazyModule, args: unknown[], kwargs: Kwargs): void {
      module.initialize_parameters(...args, ...(Object.keys(kwargs).length > 0 ? [kwargs] : []));
      if (module.has_uninitialized_params())
        throw new RuntimeError(`module ${this._get_name()} has not been fully initialized`);
      module._initialize_hook.remove();
      module._load_hook.remove();
      module.__delattr__("_initialize_hook");
      module.__delattr__("_load_hook");
      const { cls_to_become } = module.constructor as typeof LazyModule;
      if (cls_to_become !== null) Object.setPrototypeOf(module, cls_to_become.prototype);
    }
  }
  return LazyModule as unknown as B & LazyClass;
}
