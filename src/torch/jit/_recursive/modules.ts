/**
 * @file Modules of Python as modules of scripts: which methods are compiled, and what the new module takes from the old one.
 * @mirrors torch/jit/_recursive.py#create_script_module
 * @differs The warning about annotated attributes that begin empty in `__init__` is not given.
 */

import { InterfaceType } from "#aten/core/interface_type";
import { AssertionError, RuntimeError } from "#c10/util/Exception";
import { call } from "#python/Objects/call";
import { bind_method, METHOD, type PyMethod } from "#python/Objects/funcobject";
import { getattr, getattr_or_undefined } from "#python/Objects/object";
import { info_of, type_of } from "#python/Objects/typeobject";
import { body_of_class, class_member } from "../../_bodies/index.ts";
import torch from "../../index.ts";
import type { Module } from "../../nn/modules/module/index.ts";
import { is_lazy } from "../../nn/parameter/lazy.ts";
import {
  type ConcreteModuleType,
  ScriptModule as CppModule,
  create_hooks,
  create_methods_and_properties,
  Def,
  Ident,
  Maybe,
  type MethodStub,
  ModuleObject,
  module_frontend,
  Property,
} from "../_C.ts";
import {
  createResolutionCallbackFromClosure,
  FunctionModifiers,
  get_torchscript_modifier,
  is_ignored_fn,
  should_drop,
} from "../_jit_internal.ts";
import { compile_derived, RecursiveScriptModule, ScriptModule } from "../_script/script_module.ts";
import { get_jit_def, parse_def } from "../frontend/index.ts";
import { class_function, class_of, dir_of_class, overloaded_methods_of, properties_of } from "./class_members.ts";
import { Attribute, get_module_concrete_type, methods_compiled } from "./concrete_types.ts";
import { get_default_args } from "./index.ts";

type StubsOf = (nn_module: Module) => MethodStub[];

const SELF = { self_name: "RecursiveScriptModule" };

function make_stub(fn: unknown, name: string): MethodStub {
  return {
    def: get_jit_def(fn, name, SELF),
    rcb: createResolutionCallbackFromClosure(fn),
    defaults: get_default_args(fn),
  };
}

/** The function of a method. @throws {OSError} if it has no Python text */
function function_of_method(nn_module: Module, name: string): unknown {
  const found = class_function(class_of(nn_module), name);
  if (found !== undefined) return found.fn;
  const member = getattr(nn_module, name);
  parse_def(member);
  return typeof member === "function" && METHOD in member ? (member as unknown as PyMethod)[METHOD].func : member;
}

export function make_stub_from_method(nn_module: Module, name: string): MethodStub {
  return make_stub(function_of_method(nn_module, name), name);
}

function check_module_initialized(nn_module: Module): void {
  for (const [what, members] of [
    ["parameters", nn_module._parameters],
    ["buffers", nn_module._buffers],
  ] as const) {
    for (const [name, member] of members) {
      if (member === null || !is_lazy(member)) continue;
      throw new RuntimeError(
        `'${type_of(nn_module).name}' has uninitialized ${what} ${name}. Did you forget to run a forward pass?`,
      );
    }
  }
}

/** Whether the class has a `forward` of its own. A class of the library that has a body without one has none in PyTorch. */
function has_forward(nn_module: Module): boolean {
  const cls = class_of(nn_module);
  if (class_function(cls, "forward") !== undefined) return true;
  const owner = info_of(cls)?.mro.find((type) =>
    Object.hasOwn((type.cls as { prototype: object }).prototype, "forward"),
  );
  return owner !== undefined && owner.name !== "Module" && (owner.heap || body_of_class(owner) === undefined);
}

/** Each declaration of an overloaded method with the statements of its implementation: `forward__0`, `forward__1`. */
function overload_stubs(cls: unknown): MethodStub[] {
  return overloaded_methods_of(cls).flatMap(([name, implementation, declarations]) => {
    const original = get_jit_def(implementation, name, SELF);
    return declarations.map((declaration, i): MethodStub => {
      const decl = get_jit_def(declaration, name, SELF).decl();
      const range = original.range();
      const def = Def.create(range, Ident.create(range, `${name}__${i}`), decl, original.statements());
      const rcb = createResolutionCallbackFromClosure(implementation);
      return { def, rcb, defaults: get_default_args(declaration) };
    });
  });
}

/** `forward`, and the methods under `@torch.jit.export`. */
export function infer_methods_to_compile(nn_module: Module): MethodStub[] {
  check_module_initialized(nn_module);
  const cls = class_of(nn_module);
  const methods = new Set<string>();
  if (has_forward(nn_module) && !is_ignored_fn(class_function(cls, "forward")?.fn)) methods.add("forward");
  for (const name of dir_of_class(cls)) {
    if (get_torchscript_modifier(class_member(cls, name)) === FunctionModifiers.EXPORT) methods.add(name);
  }
  const overloads = overload_stubs(cls);
  for (const [name] of overloaded_methods_of(cls)) methods.delete(name);
  return [...overloads, ...[...methods].map((name) => make_stub_from_method(nn_module, name))];
}

function hook_stubs(hooks: ReadonlyMap<number, { readonly hook: unknown }>): MethodStub[] {
  return [...hooks.values()].map(({ hook }) => make_stub(hook, getattr(hook, "__name__") as string));
}

function property_stubs(cls: unknown): { readonly def: Property; readonly rcb: MethodStub["rcb"] }[] {
  return properties_of(cls)
    .filter(([, { fget }]) => !should_drop(fget))
    .map(([name, { fget, fset }]) => {
      const getter = get_jit_def(fget, `__${name}_getter`, SELF);
      const setter = fset === null ? null : get_jit_def(fset, `__${name}_setter`, SELF);
      const range = getter.range();
      const maybe_setter = Maybe.of(setter?.range() ?? range, Def, setter);
      const def = Property.create(range, Ident.create(range, name), getter, maybe_setter);
      return { def, rcb: createResolutionCallbackFromClosure(fget) };
    });
}

export function create_script_module(nn_module: Module, stubs_of: StubsOf, share_types = true): RecursiveScriptModule {
  if (nn_module instanceof RecursiveScriptModule) {
    throw new AssertionError("Cannot script a RecursiveScriptModule (already compiled)");
  }
  check_module_initialized(nn_module);
  return create_script_module_impl(nn_module, get_module_concrete_type(nn_module, share_types), stubs_of);
}

/** Methods under `@torch.jit.script_method`. */
const script_methods = new WeakSet<object>();

export function add_script_method(fn: object): void {
  script_methods.add(fn);
}

/** The compiled module of a class that extends ScriptModule. Other methods than those marked are compiled when they are called. */
export function create_derived_module(module: ScriptModule): RecursiveScriptModule {
  const cls = class_of(module);
  const marked = dir_of_class(cls).filter((name) => script_methods.has(class_member(cls, name) as object));
  return create_script_module(module, (inner) =>
    inner === (module as Module)
      ? marked.map((name) => make_stub_from_method(inner, name))
      : infer_methods_to_compile(inner),
  );
}

/** A module that an interface describes: its methods are compiled. */
function interface_script(type: InterfaceType, nn_module: Module): Module {
  if (nn_module instanceof ScriptModule) return nn_module;
  return create_script_module(nn_module, (module) =>
    type.methods().map((method) => make_stub_from_method(module, method.name())),
  );
}

function scripted_submodule(type: ConcreteModuleType, nn_module: Module, stubs_of: StubsOf): Module {
  if (type.jit_type instanceof InterfaceType) return interface_script(type.jit_type, nn_module);
  if (nn_module instanceof ScriptModule) return nn_module;
  return create_script_module_impl(nn_module, type, stubs_of);
}

function create_script_module_impl(
  nn_module: Module,
  type: ConcreteModuleType,
  stubs_of: StubsOf,
): RecursiveScriptModule {
  const cpp_module = CppModule.of(ModuleObject.create(type.class_type()).object);
  const cls = class_of(nn_module);
  const stubs = stubs_of(nn_module);
  const script_module = new RecursiveScriptModule(cpp_module, type);
  const value_of = (name: string): unknown => {
    if (name === "_is_full_backward_hook") return nn_module._is_full_backward_hook;
    const raw = Object.hasOwn(nn_module, name)
      ? (nn_module as unknown as Record<string, unknown>)[name]
      : getattr(nn_module, name);
    return raw instanceof Attribute ? raw.value : raw;
  };
  for (const name of type.data.attributes.keys()) cpp_module.setattr(name, value_of(name));
  for (const [name, sub_type] of type.data.modules) {
    const submodule = nn_module._modules.get(name) as Module; // a module of the type was found under the name
    script_module._modules.set(name, scripted_submodule(sub_type, submodule, stubs_of));
  }
  copy_python_members(nn_module, script_module, type);
  if (!methods_compiled.has(type)) {
    create_methods_and_properties(type, stubs, property_stubs(cls));
    create_hooks(type, hook_stubs(nn_module._forward_hooks), false);
    create_hooks(type, hook_stubs(nn_module._forward_pre_hooks), true);
    methods_compiled.add(type);
    define_container_methods(nn_module, script_module);
  }
  script_module.refresh();
  return script_module;
}

/** Methods and attributes that stay Python can be called on the new module too. */
function copy_python_members(nn_module: Module, script_module: RecursiveScriptModule, type: ConcreteModuleType): void {
  for (const name of dir_of_class(class_of(nn_module))) {
    const found = class_function(class_of(nn_module), name);
    if (found !== undefined && !found.is_static && is_ignored_fn(found.fn)) {
      script_module.set_python_attribute(name, bind_method(found.fn, script_module));
    }
  }
  for (const name of type.data.ignored_attributes) {
    const value = getattr_or_undefined(nn_module, name);
    if (value !== undefined) script_module.set_python_attribute(name, value);
  }
}

/** `len` and `in` of containers, whose answers are known. */
function define_container_methods(nn_module: Module, script_module: RecursiveScriptModule): void {
  const { ModuleList, Sequential, ModuleDict } = torch.nn;
  const is_dict = nn_module instanceof ModuleDict;
  if (!is_dict && !(nn_module instanceof ModuleList) && !(nn_module instanceof Sequential)) return;
  const { _c } = script_module;
  if (!_c._has_method("__len__")) {
    script_module.define(`def __len__(self):\n   return ${nn_module._modules.size}\n`);
  }
  if (!is_dict || _c._has_method("__contains__")) return;
  const keys = [...nn_module._modules.keys()].map((key) => `'${key}'`).join(", ");
  const answer = keys === "" ? "False" : `key in [${keys}]`;
  script_module.define(`def __contains__(self, key: str):\n   return ${answer}\n`);
}

/** Calls a method that stays Python with a module that the script has. */
function lazy_bind(type: ConcreteModuleType, fn: unknown): unknown {
  const bound = (cpp_module: unknown, ...args: unknown[]): unknown => {
    const script_module = RecursiveScriptModule.wrap(cpp_module as CppModule);
    const { py_class } = type.data;
    for (const name of dir_of_class(py_class)) {
      const found = class_function(py_class, name);
      if (found !== undefined && is_ignored_fn(found.fn)) {
        script_module.set_python_attribute(name, bind_method(found.fn, script_module));
      }
    }
    for (const [name, value] of type.data.constants) script_module.set_constant(name, value);
    return call(fn, script_module, ...args);
  };
  Object.defineProperty(bound, "original_fn", { value: fn });
  Object.defineProperty(bound, "name", { value: getattr(fn, "__name__") });
  return bound;
}

compile_derived.make = create_derived_module;

module_frontend.current = {
  class_function,
  is_ignored_fn,
  lazy_bind,
  compile_unbound_method: (type, fn, name) => create_methods_and_properties(type, [make_stub(fn, name)], []),
};
