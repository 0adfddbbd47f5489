/**
 * @file `nn.Module`: a callable that owns parameters, buffers and other modules.
 * @mirrors torch/nn/modules/module.py
 *
 * Note [Modules are functions]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * `net(x)` must work, so the constructor returns a function whose prototype is the class's. Fields of subclasses are defined on this
 * function. Fields of this class would be defined on the object that it replaces; therefore the constructor assigns them.
 */

import { AttributeError, NotImplementedError, RuntimeError, TypeError_, ValueError } from "#c10/util/Exception";
import { ALLOCATE, Allocated } from "#python/Objects/allocated";
import { pack } from "#python/Objects/tupleobject";
import { having, python_type } from "#torch/_C";
import type { Memo } from "#torch/_deepcopy";
import { def_length } from "#torch/_length";
import { type Args, def_methods, Init, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { type_name, type_repr } from "#torch/_utils/index";
import { Parameter } from "#torch/nn/parameter/index";
import type { DeviceLike, dtype, memory_format } from "#torch/types";
import type { RemovableHandle } from "#torch/utils/hooks";
import { _apply, parse_to } from "./apply.ts";
import {
  adopt,
  attributes,
  check_initialized,
  check_name,
  delattr,
  getattr,
  hasattr,
  own,
  setattr,
} from "./attributes.ts";
import { _wrapped_call_impl, add_hook, check_one_kind } from "./call.ts";
import { deepcopy_module } from "./deepcopy.ts";
import {
  _global_buffer_registration_hooks,
  _global_module_registration_hooks,
  _global_parameter_registration_hooks,
  through_hooks,
} from "./registration.ts";
import { type Hook, type HookMap, ids_of, missing_state, STATE, type State } from "./state.ts";
import {
  _load_from_state_dict,
  _save_to_state_dict,
  EXTRA_STATE,
  type IncompatibleKeys,
  type LoadArgs,
  load_state_dict,
  type StateDict,
  type StateDictHook,
  state_dict,
} from "./state_dict.ts";

// Note [A module in miniature]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//   class Module {
//     parameters = new Map(); modules = new Map(); hooks = new Map();
//     __call__(...args) {                                                  // net(x): call.ts
//       let result = this.forward(...args);                                // the subclass's computation
//       for (const hook of this.hooks.values()) result = hook(this, args, result) ?? result;
//       return result;
//     }
//     __setattr__(name, value) {                                           // net.fc = new nn.Linear(2, 3): attributes.ts
//       if (value instanceof Parameter) this.parameters.set(name, value);
//       else if (value instanceof Module) this.modules.set(name, value);
//       this[name] = value;
//     }
//     *named_parameters(prefix = "") {                                     // ["fc.weight", ...], ["fc.bias", ...]
//       for (const [name, p] of this.parameters) yield [prefix + name, p];
//       for (const [name, module] of this.modules) yield* module.named_parameters(`${prefix}${name}.`);
//     }
//     state_dict() {                                                       // state_dict.ts
//       return new Map([...this.named_parameters()].map(([name, p]) => [name, p.detach()]));
//     }
//     load_state_dict(saved) {
//       for (const [name, p] of this.named_parameters()) torch.no_grad(() => p.copy_(saved.get(name)));
//     }
//   }
// Buffers are a third map, of tensors that are saved but not trained. `to`, `train` and the like visit the same maps. The rest of this
// file is around these: hooks of more kinds, checks of names and types, printing.

interface ToKwargs {
  device?: DeviceLike | null;
  dtype?: dtype | null;
  non_blocking?: boolean;
  memory_format?: memory_format;
}

const Module_init = new Init(
  "Module.__init__(self, *args, **kwargs)",
  types<[args: unknown[], kwargs: Record<string, unknown>]>,
);

const methods = {
  forward: "_forward_unimplemented(self, *input)",
  register_buffer: "(self, name, tensor, persistent=True)",
  register_parameter: "(self, name, param)",
  add_module: "(self, name, module)",
  register_module: "(self, name, module)",
  get_submodule: "(self, target)",
  set_submodule: "(self, target, module, strict=False)",
  get_parameter: "(self, target)",
  get_buffer: "(self, target)",
  parameters: "(self, recurse=True)",
  named_parameters: "(self, prefix='', recurse=True, remove_duplicate=True)",
  buffers: "(self, recurse=True)",
  named_buffers: "(self, prefix='', recurse=True, remove_duplicate=True)",
  children: "(self)",
  named_children: "(self)",
  modules: "(self, remove_duplicate=True)",
  named_modules: "(self, memo=None, prefix='', remove_duplicate=True)",
  apply: "(self, fn)",
  to: "(self, *args, **kwargs)",
  to_empty: "(self, *, device, recurse=True)",
  type: "(self, dst_type)",
  float: "(self)",
  double: "(self)",
  half: "(self)",
  bfloat16: "(self)",
  cpu: "(self)",
  cuda: "(self, device=None)",
  xpu: "(self, device=None)",
  train: "(self, mode=True)",
  eval: "(self)",
  requires_grad_: "(self, requires_grad=True)",
  zero_grad: "(self, set_to_none=True)",
  register_forward_pre_hook: "(self, hook, *, prepend=False, with_kwargs=False)",
  register_forward_hook: "(self, hook, *, prepend=False, with_kwargs=False, always_call=False)",
  register_full_backward_pre_hook: "(self, hook, prepend=False)",
  register_backward_hook: "(self, hook)",
  register_full_backward_hook: "(self, hook, prepend=False)",
  _register_state_dict_hook: "(self, hook)",
  register_state_dict_post_hook: "(self, hook)",
  register_state_dict_pre_hook: "(self, hook)",
  register_load_state_dict_pre_hook: "(self, hook)",
  _register_load_state_dict_pre_hook: "(self, hook, with_module=False)",
  register_load_state_dict_post_hook: "(self, hook)",
  state_dict: "(self, *args, destination=None, prefix='', keep_vars=False)",
  load_state_dict: "(self, state_dict: dict, strict=True, assign=False)",
  get_extra_state: "(self)",
  set_extra_state: "(self, state: object)",
  extra_repr: "(self)",
} as const;
type Methods = typeof methods;

/** The arguments of `named_parameters` and `named_buffers`. */
type Named = Args<Methods["named_parameters"], [prefix: string, recurse: boolean, remove_duplicate: boolean]>;

type BackwardHookArgs = Args<Methods["register_full_backward_hook"], [hook: Hook, prepend: boolean]>;

/** The call of a module that takes one tensor. */
export type Unary = Args<"(self, input)", [input: Tensor]>;

// biome-ignore lint/suspicious/noExplicitAny: the default signature accepts and returns anything
export interface Module<A extends unknown[] = any[], R = any> {
  (...args: A): R;
  /** A subclass of a module with another `forward`: its own arguments. */
  (...args: Parameters<this["forward"]>): ReturnType<this["forward"]>;
}

/** Base class of modules: parameters, buffers and submodules by name, hooks, and a call that runs `forward`. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the interface above makes a module callable; see the Note
// biome-ignore lint/suspicious/noExplicitAny: as above
// biome-ignore lint/correctness/noUnusedVariables: the interface uses them
export abstract class Module<A extends unknown[] = any[], R = any> extends Allocated {
  declare training: boolean;
  declare private [STATE]: State;

  static {
    def_methods(Module, { __init__: Module_init, ...methods });
    def_length(Module);
    Object.setPrototypeOf(Module.prototype, attributes);
    Object.defineProperty(Module.prototype, STATE, { get: missing_state });
  }

  static override [ALLOCATE](prototype: object): Module {
    const self = ((...args: unknown[]) => _wrapped_call_impl(self, args)) as unknown as Module;
    // A function's own `name` and `length` would shadow fields of those names.
    delete (self as { name?: string }).name;
    delete (self as { length?: number }).length;
    return Object.setPrototypeOf(self, prototype) as Module;
  }

  constructor();
  constructor(...given: unknown[]) {
    super();
    if (given.length > 0) refuse(new.target.name, ...Module_init.bind(given));
    const waiting = typeof this === "function"; // an object that is only now constructed; see allocated.ts
    const self = waiting ? this : (Module[ALLOCATE](new.target.prototype) as this);
    const state: State = {
      parameters: new Map(),
      buffers: new Map(),
      non_persistent: new Set(),
      modules: new Map(),
      accessors: new Set(),
      adopting: false,
      backward_pre_hooks: new Map(),
      backward_hooks: new Map(),
      is_full_backward_hook: null,
      forward_hooks: new Map(),
      forward_pre_hooks: new Map(),
      state_dict_hooks: new Map(),
      state_dict_pre_hooks: new Map(),
      load_state_dict_pre_hooks: new Map(),
      load_state_dict_post_hooks: new Map(),
    };
    Object.defineProperty(self, STATE, { value: state, configurable: true });
    Object.defineProperty(self, "training", { value: true, writable: true, enumerable: true, configurable: true });
    // biome-ignore lint/correctness/noConstructorReturn: see the Note
    return self;
  }

  /** The computation of the module; subclasses define it. */
  // biome-ignore lint/suspicious/noExplicitAny: each subclass has its own signature
  forward(...args: any[]): any;
  forward(_input: unknown): unknown {
    throw new NotImplementedError(`Module [${this._get_name()}] is missing the required "forward" function`);
  }

  /** A module of the same class with copies of everything that this one owns; its constructor is not run. */
  __deepcopy__(memo: Memo): this {
    if (!(memo instanceof Map)) throw new TypeError_(`argument of type '${python_type(memo)}' is not iterable`);
    return deepcopy_module(this, memo, () => Reflect.construct(Module, [], this.constructor) as this);
  }

  // Ownership

  get _parameters(): Map<string, Parameter | null> {
    adopt(this);
    return this[STATE].parameters;
  }

  get _buffers(): Map<string, Tensor | null> {
    adopt(this);
    return this[STATE].buffers;
  }

  get _modules(): Map<string, Module | null> {
    adopt(this);
    return this[STATE].modules;
  }

  get _non_persistent_buffers_set(): Set<string> {
    adopt(this);
    return this[STATE].non_persistent;
  }

  /** Adds `param` under `name`; null reserves the name. */
  register_parameter(...args: Args<Methods["register_parameter"], [name: string, param: Parameter | null]>): void;
  register_parameter(name: string, param: Parameter | null): void {
    check_initialized(this, "parameter");
    adopt(this);
    check_name(this, "parameter", name, this[STATE].parameters);
    if (param !== null && !(param instanceof Parameter)) {
      throw new TypeError_(
        `cannot assign '${type_name(param)}' object to parameter '${name}' (torch.nn.Parameter or None required)`,
      );
    }
    if (param?.grad_fn) {
      throw new ValueError(
        `Cannot assign non-leaf Tensor to parameter '${name}'. Model parameters must be created explicitly. To express '${name}' as a function of another Tensor, compute the value in the forward() method.`,
      );
    }
    const hooks = _global_parameter_registration_hooks; // the hooks do not see a reserved name
    this[STATE].parameters.set(name, param === null ? null : through_hooks(hooks, this, name, param));
    own(this, name);
  }

  /** Adds `tensor` as a buffer: state that is not trained. */
  register_buffer(
    ...args: Args<Methods["register_buffer"], [name: string, tensor: Tensor | null, persistent: boolean]>
  ): void;
  register_buffer(name: string, tensor: Tensor | null, persistent: boolean): void {
    check_initialized(this, "buffer");
    adopt(this);
    check_name(this, "buffer", name, this[STATE].buffers);
    if (tensor !== null && !(tensor instanceof Tensor)) {
      throw new TypeError_(
        `cannot assign '${type_name(tensor)}' object to buffer '${name}' (torch Tensor or None required)`,
      );
    }
    this[STATE].buffers.set(name, through_hooks(_global_buffer_registration_hooks, this, name, tensor));
    if (persistent) this[STATE].non_persistent.delete(name);
    else this[STATE].non_persistent.add(name);
    own(this, name);
  }

  /** Adds `module` as a child. */
  add_module(...args: Args<Methods["add_module"], [name: string, module: Module | null]>): void;
  add_module(name: string, module: Module | null): void {
    adopt(this);
    if (module !== null && !(module instanceof Module))
      throw new TypeError_(`${type_name(module)} is not a Module subclass`);
    check_name(this, "module", name, this[STATE].modules);
    this[STATE].modules.set(name, through_hooks(_global_module_registration_hooks, this, name, module));
    own(this, name);
  }

  /** Another name of `add_module`. */
  register_module(...args: Args<Methods["register_module"], [name: string, module: Module | null]>): void;
  register_module(name: string, module: Module | null): void {
    this.add_module(name, module);
  }

  get_submodule(...args: Args<Methods["get_submodule"], [target: string]>): Module;
  get_submodule(target: string): Module {
    let mod: Module = this;
    if (target === "") return mod;
    for (const item of having(target, "split").split(".")) {
      adopt(mod);
      const next = (mod as unknown as Record<string, unknown>)[item];
      if (next === undefined) throw new AttributeError(`${mod._get_name()} has no attribute \`${item}\``);
      if (!(next instanceof Module)) throw new AttributeError(`\`${item}\` is not an nn.Module`);
      mod = next;
    }
    return mod;
  }

  /** Replaces the submodule at the path `target` by `module`. With `strict` it must already exist. */
  set_submodule(...args: Args<Methods["set_submodule"], [target: string, module: Module, strict: boolean]>): void;
  set_submodule(target: string, module: Module, strict: boolean): void {
    if (target === "") throw new ValueError("Cannot set the submodule without a target name!");
    if (!(module instanceof Module))
      throw new ValueError(`\`module\` is not an nn.Module, found ${type_repr(module, "class")}`);
    const [parent, name] = owner_of(this, target);
    adopt(parent);
    if (strict && !hasattr(parent, name))
      throw new AttributeError(`${parent._get_name()} has no attribute \`${name}\``);
    const there = (parent as unknown as Record<string, unknown>)[name];
    if (there !== undefined && !(there instanceof Module)) throw new AttributeError(`\`${name}\` is not an nn.Module`);
    parent.__setattr__(name, module);
  }

  get_parameter(...args: Args<Methods["get_parameter"], [target: string]>): Parameter;
  get_parameter(target: string): Parameter {
    const [mod, name] = owner_of(this, target);
    adopt(mod);
    const param = (mod as unknown as Record<string, unknown>)[name];
    if (param === undefined) throw new AttributeError(`${mod._get_name()} has no attribute \`${name}\``);
    if (!(param instanceof Parameter)) throw new AttributeError(`\`${name}\` is not an nn.Parameter`);
    return param;
  }

  get_buffer(...args: Args<Methods["get_buffer"], [target: string]>): Tensor;
  get_buffer(target: string): Tensor {
    const [mod, name] = owner_of(this, target);
    const buffer = (mod as unknown as Record<string, unknown>)[name];
    if (buffer === undefined) throw new AttributeError(`${mod._get_name()} has no attribute \`${name}\``);
    if (!mod._buffers.has(name)) throw new AttributeError(`\`${name}\` is not a buffer`);
    return buffer as Tensor;
  }

  /** Hooks that run before forward, by the ids of their handles. */
  get _forward_pre_hooks(): HookMap {
    return this[STATE].forward_pre_hooks;
  }

  /** Hooks that run after forward, by the ids of their handles. */
  get _forward_hooks(): HookMap {
    return this[STATE].forward_hooks;
  }

  /** The ids of the hooks that get the keyword arguments, too, and of those that run even if forward raises. */
  get _forward_pre_hooks_with_kwargs(): Map<number, boolean> {
    return ids_of(this[STATE].forward_pre_hooks, "with_kwargs");
  }
  get _forward_hooks_with_kwargs(): Map<number, boolean> {
    return ids_of(this[STATE].forward_hooks, "with_kwargs");
  }
  get _forward_hooks_always_called(): Map<number, boolean> {
    return ids_of(this[STATE].forward_hooks, "always_call");
  }

  /** Hooks of the other kinds, by the ids of their handles. */
  get _backward_hooks(): HookMap {
    return this[STATE].backward_hooks;
  }
  get _backward_pre_hooks(): HookMap {
    return this[STATE].backward_pre_hooks;
  }
  get _state_dict_pre_hooks(): HookMap {
    return this[STATE].state_dict_pre_hooks;
  }
  get _load_state_dict_pre_hooks(): HookMap {
    return this[STATE].load_state_dict_pre_hooks;
  }
  get _load_state_dict_post_hooks(): HookMap {
    return this[STATE].load_state_dict_post_hooks;
  }

  /** The kind of the module's backward hooks; null before the first one. */
  get _is_full_backward_hook(): boolean | null {
    return this[STATE].is_full_backward_hook;
  }

  // Attributes

  /** Receives every assignment to an attribute; see Note [Adoption] for the exceptions. */
  __setattr__(name: string, value: unknown): void {
    setattr(this, name, value);
  }

  /** @throws {AttributeError} if there is no attribute of this name */
  __delattr__(name: string): void {
    delattr(this, name);
  }

  /** A parameter, buffer or module by its name. */
  __getattr__(name: string): unknown {
    return getattr(this, name);
  }

  // Enumeration

  /** Members of this module and all submodules, each object once unless `remove_duplicate` is false. */
  *_named_members<T>(
    get_members: (module: Module) => Iterable<[string, T | null]>,
    prefix = "",
    recurse = true,
    remove_duplicate = true,
  ): IterableIterator<[string, T]> {
    const memo = new Set<T>();
    const modules = recurse
      ? this.named_modules(new Set(), prefix, remove_duplicate)
      : [[prefix, this] as [string, Module]];
    for (const [module_prefix, module] of modules) {
      for (const [name, member] of get_members(module)) {
        if (member === null || memo.has(member)) continue;
        if (remove_duplicate) memo.add(member);
        yield pack(module_prefix === "" ? name : `${module_prefix}.${name}`, member);
      }
    }
  }

  parameters(...args: Args<Methods["parameters"], [recurse: boolean]>): IterableIterator<Parameter>;
  *parameters(recurse: boolean): IterableIterator<Parameter> {
    for (const [, param] of this.named_parameters({ recurse })) yield param;
  }

  named_parameters(...args: Named): IterableIterator<[string, Parameter]>;
  named_parameters(prefix: string, recurse: boolean, remove_duplicate: boolean): IterableIterator<[string, Parameter]> {
    return this._named_members((module) => module._parameters, prefix, recurse, remove_duplicate);
  }

  buffers(...args: Args<Methods["buffers"], [recurse: boolean]>): IterableIterator<Tensor>;
  *buffers(recurse: boolean): IterableIterator<Tensor> {
    for (const [, buffer] of this.named_buffers({ recurse })) yield buffer;
  }

  named_buffers(...args: Named): IterableIterator<[string, Tensor]>;
  named_buffers(prefix: string, recurse: boolean, remove_duplicate: boolean): IterableIterator<[string, Tensor]> {
    return this._named_members((module) => module._buffers, prefix, recurse, remove_duplicate);
  }

  *children(): IterableIterator<Module> {
    for (const [, module] of this.named_children()) yield module;
  }

  *named_children(): IterableIterator<[string, Module]> {
    const memo = new Set<Module>();
    for (const [name, module] of this._modules) {
      if (module === null || memo.has(module)) continue;
      memo.add(module);
      yield pack(name, module);
    }
  }

  modules(...args: Args<Methods["modules"], [remove_duplicate: boolean]>): IterableIterator<Module>;
  *modules(remove_duplicate: boolean): IterableIterator<Module> {
    for (const [, module] of this.named_modules({ remove_duplicate })) yield module;
  }

  named_modules(
    ...args: Args<Methods["named_modules"], [memo: Set<Module> | null, prefix: string, remove_duplicate: boolean]>
  ): IterableIterator<[string, Module]>;
  *named_modules(
    given_memo: Set<Module> | null,
    prefix: string,
    remove_duplicate: boolean,
  ): IterableIterator<[string, Module]> {
    const memo = given_memo ?? new Set();
    if (memo.has(this)) return;
    if (remove_duplicate) memo.add(this);
    yield pack<[string, Module]>(prefix, this);
    for (const [name, module] of this._modules) {
      if (module !== null)
        yield* module.named_modules(memo, prefix === "" ? name : `${prefix}.${name}`, remove_duplicate);
    }
  }

  // Changing all at once

  /** Calls `fn` on every submodule and then on this module. */
  apply(...args: Args<Methods["apply"], [fn: (module: Module) => void]>): this;
  apply(fn: (module: Module) => void): this {
    for (const module of this.children()) module.apply(fn);
    if (typeof fn !== "function") throw new TypeError_(`'${python_type(fn)}' object is not callable`);
    fn(this);
    return this;
  }

  /** Replaces every parameter, gradient and buffer `t` by `fn(t)`; `to`, `double` and others use it. */
  _apply(fn: (t: Tensor) => Tensor, recurse = true): this {
    _apply(this, fn, recurse);
    return this;
  }

  /** Converts to another dtype (floating members only) and device. */
  to(dtype: dtype, kwargs?: object): this;
  to(device: DeviceLike | null, kwargs?: object): this;
  to(device: DeviceLike | null, dtype: dtype | null, kwargs?: object): this;
  to(tensor: Tensor, kwargs?: object): this;
  to(kwargs: ToKwargs): this;
  to(args: unknown, kwargs?: unknown): this {
    return this._apply(parse_to([...(args as unknown[]), kwargs]));
  }

  /** Moves to another device without copying values: the memory is uninitialized. */
  to_empty(...args: Args<Methods["to_empty"], [device: DeviceLike | null, recurse: boolean]>): this;
  to_empty(...bound: unknown[]): this {
    const [device, recurse] = bound as [DeviceLike | null, boolean];
    return this._apply((t) => torch.empty_like(t, { device }), recurse);
  }

  type(...args: Args<Methods["type"], [dst_type: dtype | string]>): this;
  type(dst_type: dtype | string): this {
    return this._apply((t) => t.type(dst_type));
  }

  float(): this {
    return this._apply((t) => (t.is_floating_point() ? t.float() : t));
  }

  double(): this {
    return this._apply((t) => (t.is_floating_point() ? t.double() : t));
  }

  half(): this {
    return this._apply((t) => (t.is_floating_point() ? t.half() : t));
  }

  bfloat16(): this {
    return this._apply((t) => (t.is_floating_point() ? t.bfloat16() : t));
  }

  cpu(): this {
    return this._apply((t) => t.cpu());
  }

  /** Moves to a CUDA device. @throws {AssertionError} "Torch not compiled with CUDA enabled", if there is a parameter or buffer */
  cuda(...args: Args<Methods["cuda"], [device: DeviceLike | null]>): this;
  cuda(device: DeviceLike | null): this {
    return this._apply((t) => t.cuda(device));
  }

  /** Moves to an XPU device. @throws {AssertionError} "Torch not compiled with XPU enabled", if there is a parameter or buffer */
  xpu(...args: Args<Methods["xpu"], [device: DeviceLike | null]>): this;
  xpu(device: DeviceLike | null): this {
    return this._apply((t) => t.xpu(device));
  }

  train(...args: Args<Methods["train"], [mode: boolean]>): this;
  train(mode: boolean): this {
    if (typeof mode !== "boolean") throw new ValueError("training mode is expected to be boolean");
    this.training = mode;
    for (const module of this.children()) module.train(mode);
    return this;
  }

  eval(): this {
    return this.train(false);
  }

  requires_grad_(...args: Args<Methods["requires_grad_"], [requires_grad: boolean]>): this;
  requires_grad_(requires_grad: boolean): this {
    for (const p of this.parameters()) p.requires_grad_(requires_grad);
    return this;
  }

  /** Removes all gradients; with `set_to_none: false`, sets them to zero. */
  zero_grad(...args: Args<Methods["zero_grad"], [set_to_none: boolean]>): void;
  zero_grad(set_to_none: boolean): void {
    for (const p of this.parameters()) {
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

  // Hooks

  /** Registers `hook(module, args)`, which runs before forward; a returned value replaces the arguments. */
  register_forward_pre_hook(
    ...args: Args<Methods["register_forward_pre_hook"], [hook: Hook, prepend: boolean, with_kwargs: boolean]>
  ): RemovableHandle;
  register_forward_pre_hook(...bound: unknown[]): RemovableHandle {
    const [hook, prepend, with_kwargs] = bound as [Hook, boolean, boolean];
    return add_hook(this[STATE].forward_pre_hooks, hook, with_kwargs, prepend);
  }

  /** Registers `hook(module, args, output)`, which runs after forward; a returned value replaces the output. */
  register_forward_hook(
    ...args: Args<
      Methods["register_forward_hook"],
      [hook: Hook, prepend: boolean, with_kwargs: boolean, always_call: boolean]
    >
  ): RemovableHandle;
  register_forward_hook(...bound: unknown[]): RemovableHandle {
    const [hook, prepend, with_kwargs, always_call] = bound as [Hook, boolean, boolean, boolean];
    return add_hook(this[STATE].forward_hooks, hook, with_kwargs, prepend, always_call);
  }

  /** Registers `hook(module, grad_output)`, which runs before the gradients of the module are computed. */
  register_full_backward_pre_hook(...args: BackwardHookArgs): RemovableHandle;
  register_full_backward_pre_hook(hook: Hook, prepend: boolean): RemovableHandle {
    return add_hook(this[STATE].backward_pre_hooks, hook, false, prepend);
  }

  /** Registers a hook of the old kind: `hook(module, grad_input, grad_output)` with the gradients at the last node of `forward`. */
  register_backward_hook(...args: Args<Methods["register_backward_hook"], [hook: Hook]>): RemovableHandle;
  register_backward_hook(hook: Hook): RemovableHandle {
    check_one_kind(this[STATE].is_full_backward_hook, false, "on a single Module");
    this[STATE].is_full_backward_hook = false;
    return add_hook(this[STATE].backward_hooks, hook);
  }

  /** Registers `hook(module, grad_input, grad_output)`, which runs when the gradients of the module's inputs are known. */
  register_full_backward_hook(...args: BackwardHookArgs): RemovableHandle;
  register_full_backward_hook(hook: Hook, prepend: boolean): RemovableHandle {
    check_one_kind(this[STATE].is_full_backward_hook, true, "on a single Module");
    this[STATE].is_full_backward_hook = true;
    return add_hook(this[STATE].backward_hooks, hook, false, prepend);
  }

  /**
   * Registers `hook(module, state_dict, prefix, local_metadata)`; a returned value replaces the dictionary, but only in the module on which
   * `state_dict` was called.
   */
  _register_state_dict_hook(
    ...args: Args<Methods["_register_state_dict_hook"], [hook: StateDictHook]>
  ): RemovableHandle;
  _register_state_dict_hook(hook: StateDictHook): RemovableHandle {
    if ((hook as StateDictHook | null)?._from_public_api === true)
      throw new RuntimeError(
        "Cannot register the same function as the state dict post hook that was previously registered via register_state_dict_post_hook",
      );
    return add_hook(this[STATE].state_dict_hooks, hook);
  }

  /** Registers a hook after `state_dict`, which must return nothing. */
  register_state_dict_post_hook(
    ...args: Args<Methods["register_state_dict_post_hook"], [hook: StateDictHook]>
  ): RemovableHandle;
  register_state_dict_post_hook(hook: StateDictHook): RemovableHandle {
    if (typeof hook !== "function")
      throw new AttributeError(`'${python_type(hook)}' object has no attribute '_from_public_api'`);
    hook._from_public_api = true;
    return add_hook(this[STATE].state_dict_hooks, hook);
  }

  register_state_dict_pre_hook(...args: Args<Methods["register_state_dict_pre_hook"], [hook: Hook]>): RemovableHandle;
  register_state_dict_pre_hook(hook: Hook): RemovableHandle {
    return add_hook(this[STATE].state_dict_pre_hooks, hook);
  }

  register_load_state_dict_pre_hook(
    ...args: Args<Methods["register_load_state_dict_pre_hook"], [hook: Hook]>
  ): RemovableHandle;
  register_load_state_dict_pre_hook(hook: Hook): RemovableHandle {
    return add_hook(this[STATE].load_state_dict_pre_hooks, hook);
  }

  /** Registers a hook before loading; without `with_module` the hook does not receive the module. */
  _register_load_state_dict_pre_hook(
    ...args: Args<Methods["_register_load_state_dict_pre_hook"], [hook: Hook, with_module: boolean]>
  ): RemovableHandle;
  _register_load_state_dict_pre_hook(hook: Hook, with_module: boolean): RemovableHandle {
    const called: Hook = with_module ? hook : (_module: Module, ...args: unknown[]) => hook(...args);
    return add_hook(this[STATE].load_state_dict_pre_hooks, called);
  }

  register_load_state_dict_post_hook(
    ...args: Args<Methods["register_load_state_dict_post_hook"], [hook: Hook]>
  ): RemovableHandle;
  register_load_state_dict_post_hook(hook: Hook): RemovableHandle {
    return add_hook(this[STATE].load_state_dict_post_hooks, hook);
  }

  // State

  /** Extra state of this module that is saved besides its tensors; a subclass with such state defines this method and `set_extra_state`. */
  get_extra_state(): unknown {
    throw never_called("get_extra_state");
  }

  set_extra_state(..._args: Args<Methods["set_extra_state"], [state: unknown]>): void {
    throw never_called("set_extra_state");
  }

  /** Puts the members of this module into `destination`, without those of its children. */
  _save_to_state_dict(destination: StateDict, prefix: string, keep_vars: boolean): void {
    _save_to_state_dict(this, destination, prefix, keep_vars);
    if (this.get_extra_state !== Module.prototype.get_extra_state)
      destination.set(prefix + EXTRA_STATE, this.get_extra_state());
  }

  /** Parameters and persistent buffers by their dotted names. The tensors are detached but share memory. */
  state_dict(
    ...args: Args<
      Methods["state_dict"],
      [args: unknown[], destination: StateDict | null, prefix: string, keep_vars: boolean]
    >
  ): StateDict;
  state_dict(...bound: unknown[]): StateDict {
    const [args, destination, prefix, keep_vars] = bound as [unknown[], StateDict | null, string, boolean];
    return state_dict(this, args, destination, prefix, keep_vars);
  }

  /** Copies values into the module; with `strict`, the names on both sides must be equal. */
  load_state_dict(
    ...args: Args<Methods["load_state_dict"], [state_dict: unknown, strict: boolean, assign: boolean]>
  ): IncompatibleKeys;
  load_state_dict(source: unknown, strict: boolean, assign: boolean): IncompatibleKeys {
    return load_state_dict(this, source, strict, assign);
  }

  /**
   * Copies the members of this module out of `state_dict`, without those of its children, and adds mismatches to the three lists.
   * @param strict true even if `load_state_dict` was called with false: missing keys are collected in both cases
   */
  _load_from_state_dict(...args: LoadArgs): void {
    _load_from_state_dict(this, this.set_extra_state !== Module.prototype.set_extra_state, ...args);
  }

  /** Hooks around saving and loading, used by state_dict.ts. */
  _state_dict_hooks(kind: "state_dict" | "state_dict_pre" | "load_state_dict_pre" | "load_state_dict_post"): Hook[] {
    return [...this[STATE][`${kind}_hooks`].values()].map((entry) => entry.hook);
  }

  // Printing

  _get_name(): string {
    return this.constructor.name;
  }

  /** The text between the brackets of `repr`; subclasses define it. */
  extra_repr(): string {
    return "";
  }

  __repr__(): string {
    const extra = this.extra_repr();
    const extra_lines = extra === "" ? [] : extra.split("\n");
    const child_lines: string[] = [];
    for (const [key, module] of this._modules)
      child_lines.push(`(${key}): ${addindent(module === null ? "None" : module.__repr__(), 2)}`);
    const lines = [...extra_lines, ...child_lines];
    const name = this._get_name();
    if (lines.length === 0) return `${name}()`;
    if (extra_lines.length === 1 && child_lines.length === 0) return `${name}(${extra_lines[0]})`;
    return `${name}(\n  ${lines.join("\n  ")}\n)`;
  }

  override toString(): string {
    return this.__repr__();
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.__repr__();
  }
}

/** Refuses arguments that a subclass without its own constructor passed on to `Module`. */
function refuse(cls: string, args: readonly unknown[], kwargs: Record<string, unknown>): void {
  for (const name in kwargs) throw new TypeError_(`${cls}.__init__() got an unexpected keyword argument '${name}'`);
  if (args.length > 0)
    throw new TypeError_(`${cls}.__init__() takes 1 positional argument but ${args.length + 1} were given`);
}

function never_called(method: string): RuntimeError {
  return new RuntimeError(
    `Reached a code path in Module.${method}() that should never be called. Please file an issue at https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug.`,
  );
}

export function addindent(text: string, spaces: number): string {
  return text.split("\n").join(`\n${" ".repeat(spaces)}`);
}

function owner_of(module: Module, target: string): [Module, string] {
  if (typeof target !== "string")
    throw new AttributeError(`'${python_type(target)}' object has no attribute 'rpartition'`);
  const dot = target.lastIndexOf(".");
  return dot === -1 ? [module, target] : [module.get_submodule(target.slice(0, dot)), target.slice(dot + 1)];
}
