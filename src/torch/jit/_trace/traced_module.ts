/**
 * @file The result of tracing a module: `TopLevelTracedModule`, and `TracedModule` for those inside it.
 * @mirrors torch/jit/_trace.py#TracedModule
 * @differs They are RecursiveScriptModules here; in PyTorch they hold one and pass every attribute on to it.
 */
import { AssertionError, RuntimeError, ValueError } from "#c10/util/Exception";
import { str } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import { Init, types } from "../../_signature.ts";
import { type_repr } from "../../_utils/index.ts";
import { Module } from "../../nn/modules/module/index.ts";
import { script_object_of } from "../_C.ts";
import { _qualified_name } from "../_jit_internal.ts";
import { create_script_module } from "../_recursive/modules.ts";
import { RecursiveScriptModule, ScriptModule } from "../_script/script_module.ts";

/** The traced module's attributes: parameters, buffers and submodules, under the name of the original's class. */
function members_of(orig: Module): Module {
  class QualnameWrapper extends Module {
    static readonly _jit_override_qualname = _qualified_name(type_of(orig).cls);
  }
  const members = new QualnameWrapper();
  members.training = orig.training;
  const seen = new Set<unknown>();
  const add = (to: Map<string, unknown>, from: ReadonlyMap<string, unknown>): void => {
    for (const [name, tensor] of from) {
      if (tensor === null) continue;
      if (seen.has(tensor)) throw new ValueError("TracedModules don't support parameter sharing between modules");
      seen.add(tensor);
      to.set(name, tensor);
    }
  };
  add(members._parameters as Map<string, unknown>, orig._parameters);
  add(members._buffers as Map<string, unknown>, orig._buffers);
  for (const [name, value] of Object.entries(orig)) {
    if (script_object_of(value) !== null && !(value instanceof Module)) {
      (members as unknown as Record<string, unknown>)[name] = value;
    }
  }
  if (orig._backward_hooks.size > 0) {
    throw new ValueError(`Modules that have backward hooks assigned can't be compiled: ${str(orig)}`);
  }
  for (const [name, submodule] of orig._modules) {
    if (submodule !== null) members._modules.set(name, make_traced_module(submodule, TracedModule));
  }
  return members;
}

const TracedModule_init = new Init(
  "TracedModule.__init__(self, orig: object, id_set=None, _compilation_unit=None)",
  types<[orig: unknown, id_set: unknown, _compilation_unit: unknown]>,
);

/** A submodule of a traced module. */
export class TracedModule extends RecursiveScriptModule {
  static override readonly __module__: string = "torch.jit._trace";
  declare private readonly name_: string;

  constructor(...given: [orig: Module, id_set?: unknown, _compilation_unit?: unknown]) {
    const [orig] = TracedModule_init.bind(given);
    if (!(orig instanceof Module)) throw new AssertionError(`Expected nn.Module, got ${type_repr(orig, "class")}`);
    const actual = create_script_module(members_of(orig), () => [], false);
    super(actual._c, actual._concrete_type);
    for (const [name, module] of actual._modules) this._modules.set(name, module);
    Object.defineProperty(this, "name_", { value: type_of(orig).name });
    this.refresh();
  }

  override forward(..._args: unknown[]): unknown {
    throw new RuntimeError("Trace submodules cannot be called.");
  }
  override _get_name(): string {
    return this.name_;
  }
  override extra_repr(): string {
    return `original_name=${this.name_}`;
  }
}

/** The traced form of a module: calling it runs the recorded graph. */
export class TopLevelTracedModule extends TracedModule {
  static override readonly __module__: string = "torch.jit";

  override forward(...args: unknown[]): unknown {
    return this._c._get_method("forward")(...args);
  }
}

export type TracedModuleClass = new (orig: Module) => ScriptModule;

/** A module whose methods a trace can fill; one that is a script already stays as it is. */
export function make_traced_module(mod: Module, module_class: TracedModuleClass): ScriptModule {
  return mod instanceof ScriptModule ? mod : new module_class(mod);
}
