/**
 * @file Modules of scripts as Python and TypeScript see them: `torch.jit.ScriptModule`, `torch.jit.RecursiveScriptModule`.
 * @mirrors torch/jit/_script.py#RecursiveScriptModule
 * @differs A subclass of ScriptModule is compiled when it is first used, not at the end of its `__init__`: there is no metaclass here.
 * Files for the light interpreter have no debug information and no flat buffers: both keywords are refused.
 */
import type { IValue } from "#aten/core/ivalue";
import { AttributeError, NotImplementedError, RuntimeError } from "#c10/util/Exception";
import { Module } from "../../nn/modules/module/index.ts";
import { STATE, type State } from "../../nn/modules/module/state.ts";
import {
  type AttributeSlotKind,
  ConcreteModuleType,
  ScriptModule as CppModule,
  type Graph,
  incompatible_constructor,
  type ScriptMethod,
  toPythonObject,
} from "../_C.ts";
import { createResolutionCallbackFromFrame } from "../_jit_internal.ts";

/** A map whose values are the slots of a module's object. */
class SlotMap<V> extends Map<string, V> {
  private readonly c: CppModule;
  private readonly kind: AttributeSlotKind;

  constructor(c: CppModule, kind: AttributeSlotKind) {
    super();
    this.c = c;
    this.kind = kind;
  }

  override get size(): number {
    return [...this.keys()].length;
  }
  override has(name: string): boolean {
    return [...this.keys()].includes(name);
  }
  override get(name: string): V | undefined {
    return this.has(name) ? (this.c.getattr(name) as V) : undefined;
  }
  override set(name: string, value: V): this {
    if (!this.has(name)) {
      throw new RuntimeError(
        `Can't add a new parameter or buffer after ScriptModule construction. Tried to add '${name}`,
      );
    }
    this.c.setattr(name, value);
    return this;
  }
  override delete(_name: string): boolean {
    return false; // a class of scripts keeps its attributes: nothing is removed
  }
  override *keys(): MapIterator<string> {
    for (const [name] of this.c.module.slots(this.kind)) yield name;
  }
  override *values(): MapIterator<V> {
    for (const [, value] of this.entries()) yield value;
  }
  override *entries(): MapIterator<[string, V]> {
    for (const [name, value] of this.c.module.slots(this.kind)) yield [name, toPythonObject(value) as V];
  }
  override [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries();
  }
  override forEach(visit: (value: V, name: string, map: Map<string, V>) => void): void {
    for (const [name, value] of this.entries()) visit(value, name, this);
  }
}

/** Submodules: the same wrapper is found each time, and a new one must be scripted. */
class ModuleMap extends Map<string, Module | null> {
  private readonly c: CppModule;

  constructor(c: CppModule) {
    super();
    this.c = c;
  }

  override set(name: string, value: Module | null): this {
    if (!(value instanceof ScriptModule)) {
      throw new RuntimeError(
        `Cannot re-assign modules in a ScriptModule with non-scripted module, tried to replace existing module '${name}': ${String(value)}`,
      );
    }
    this.c.setattr(name, value._c);
    return super.set(name, value);
  }
}

/** Makes the compiled module of a ScriptModule that a program derived; `_recursive` sets it. */
export const compile_derived: { make: ((module: ScriptModule) => RecursiveScriptModule) | null } = { make: null };

interface SaveOptions {
  readonly extra_files: unknown;
  /** Whether the archive has instructions for the light interpreter. */
  readonly bytecode_format: boolean;
}

/** `save` of modules and functions; `_serialization.ts` sets it. Without a target it returns the bytes. */
export const archives: {
  save: (obj: unknown, f: unknown, options: SaveOptions) => Uint8Array | null;
} = {
  save: () => {
    throw new RuntimeError("archives are not loaded");
  },
};

/** Keywords of `_save_for_lite_interpreter`. */
interface LiteSaveKwargs {
  _extra_files?: unknown;
  _save_mobile_debug_info?: unknown;
  _use_flatbuffer?: unknown;
}

function lite_options(kwargs: LiteSaveKwargs): SaveOptions {
  for (const name of ["_save_mobile_debug_info", "_use_flatbuffer"] as const) {
    if (kwargs[name] === true)
      throw new NotImplementedError(`${name}=True is not built here: the file has instructions only`);
  }
  return { extra_files: kwargs._extra_files ?? null, bytecode_format: true };
}

/** Base of scripted modules. A class of a program that extends it has its methods compiled. */
export class ScriptModule extends Module {
  static readonly __module__: string = "torch.jit";
  declare private actual_: RecursiveScriptModule | null | undefined;

  /** The compiled module. */
  protected actual(): RecursiveScriptModule {
    if (this.actual_ === undefined) {
      const make = compile_derived.make as (module: ScriptModule) => RecursiveScriptModule;
      Object.defineProperty(this, "actual_", { value: null, configurable: true });
      const actual = make(this);
      Object.defineProperty(this, "actual_", { value: actual });
      expose_methods(this, actual._c);
    }
    return this.actual_ as RecursiveScriptModule;
  }

  /** Whether the compilation of this module is under way. */
  is_being_compiled(): boolean {
    return this.actual_ === null;
  }

  get _c(): CppModule {
    return this.actual()._c;
  }
  get _concrete_type(): ConcreteModuleType {
    return this.actual()._concrete_type;
  }

  override forward(...args: unknown[]): unknown {
    return this._c._get_method("forward")(...args);
  }
  get graph(): Graph {
    return this._c._get_method("forward").graph;
  }
  get inlined_graph(): Graph {
    return this._c._get_method("forward").inlined_graph;
  }
  get code(): string {
    return this._c._get_method("forward").code;
  }
  get code_with_constants(): ScriptMethod["code_with_constants"] {
    return this._c._get_method("forward").code_with_constants;
  }
  get original_name(): string {
    const name = this._c._type().name();
    return name.slice(name.lastIndexOf(".") + 1);
  }
  get_debug_state(): ScriptMethod["get_debug_state"] extends () => infer R ? R : never {
    return this._c._get_method("forward").get_debug_state();
  }
  graph_for(...args: unknown[]): Graph {
    return this._c._get_method("forward").graph_for(...args);
  }

  /** Compiles methods from a text. */
  define(src: string): null {
    const actual = this.actual();
    actual._c._define(actual._concrete_type, src, createResolutionCallbackFromFrame());
    actual.refresh();
    if (actual !== (this as unknown)) expose_methods(this, actual._c);
    return null;
  }

  /** Writes the module as an archive. */
  save(f: string, kwargs: { _extra_files?: unknown } = {}): null {
    archives.save(this, f, { extra_files: kwargs._extra_files ?? null, bytecode_format: false });
    return null;
  }
  /** The archive as bytes. */
  save_to_buffer(kwargs: { _extra_files?: unknown } = {}): Uint8Array {
    return archives.save(this, null, {
      extra_files: kwargs._extra_files ?? null,
      bytecode_format: false,
    }) as Uint8Array; // without a target the bytes are returned
  }
  /** Writes the module with instructions, which `torch.jit.mobile` runs without the compiler. */
  _save_for_lite_interpreter(f: string, kwargs: LiteSaveKwargs = {}): null {
    archives.save(this, f, lite_options(kwargs));
    return null;
  }
  _save_to_buffer_for_lite_interpreter(kwargs: LiteSaveKwargs = {}): Uint8Array {
    return archives.save(this, null, lite_options(kwargs)) as Uint8Array; // without a target the bytes are returned
  }

  override extra_repr(): string {
    return `original_name=${this.original_name}`;
  }
}

/** Makes the methods attributes of the module. */
function expose_methods(module: Module, c: CppModule): void {
  for (const name of c._method_names()) {
    if (name.startsWith("__") && name !== "__len__" && name !== "__contains__") continue;
    Object.defineProperty(module, name, { configurable: true, get: () => c._get_method(name) });
  }
}

/** A module that was scripted, or loaded. Its tensors and attributes are those of the script's object. */
export class RecursiveScriptModule extends ScriptModule {
  static override readonly __module__: string = "torch.jit._script";
  declare private readonly c_: CppModule;
  declare private readonly type_: ConcreteModuleType;

  constructor(cpp_module: CppModule, type: ConcreteModuleType) {
    super();
    if (!(cpp_module instanceof CppModule))
      throw incompatible_constructor("torch._C.ModuleDict(arg0: torch::jit::Module)", [cpp_module]);
    Object.defineProperty(this, "c_", { value: cpp_module });
    Object.defineProperty(this, "type_", { value: type });
    const state = (this as unknown as Record<symbol, State>)[STATE];
    state.parameters = new SlotMap(cpp_module, "PARAMETER");
    state.buffers = new SlotMap(cpp_module, "BUFFER");
    state.modules = new ModuleMap(cpp_module);
    Reflect.deleteProperty(this, "training");
    this.refresh();
  }

  /** A wrapper for a module that exists, with wrappers for its submodules. */
  static wrap(cpp_module: CppModule): RecursiveScriptModule {
    const type = ConcreteModuleType.fromJitType(cpp_module._type());
    const wrapper = new RecursiveScriptModule(cpp_module, type);
    for (const [name, child] of cpp_module.module.named_children()) {
      wrapper._modules.set(name, RecursiveScriptModule.wrap(CppModule.of(child.object)));
    }
    wrapper.refresh();
    return wrapper;
  }

  protected override actual(): RecursiveScriptModule {
    return this;
  }
  override get _c(): CppModule {
    return this.c_;
  }
  override get _concrete_type(): ConcreteModuleType {
    return this.type_;
  }

  /** Makes attributes and methods of the script's object attributes of this one. */
  refresh(): void {
    const c = this.c_;
    for (const { name, kind } of c._type().getAttributes()) {
      if (kind !== "REGULAR_ATTRIBUTE" || this._modules.has(name)) continue;
      Object.defineProperty(this, name, {
        configurable: true,
        get: () => c.getattr(name),
        set: (value: unknown) => c.setattr(name, value),
      });
    }
    expose_methods(this, c);
    for (const name of this.type_.data.constants.keys()) {
      if (Object.hasOwn(this, name)) continue;
      Object.defineProperty(this, name, {
        configurable: true,
        get: () => undefined,
        set: (value: unknown) => {
          throw new AttributeError(`Cannot mutate TorchScript constant value: '${name}'. Value: '${String(value)}'`);
        },
      });
    }
  }

  /** An attribute that the script does not know. */
  set_python_attribute(name: string, value: unknown): void {
    Object.defineProperty(this, name, { value, configurable: true, writable: true });
  }
  set_constant(name: string, value: IValue): void {
    this.set_python_attribute(name, toPythonObject(value));
  }
}
