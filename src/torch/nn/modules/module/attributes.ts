/**
 * @file A module's attributes: which of them are parameters, buffers and modules, and what assigning and deleting them does.
 * @mirrors torch/nn/modules/module.py#Module.__setattr__
 * @differs Ours cannot intercept a class field (`weight = new Parameter(...)`, or a bare `weight;`), because JavaScript defines it without
 * calling a setter. The module registers it when it is next used or given a new attribute; until then, assignments to this name follow no
 * rule. Class fields whose names are whole numbers come first, as in JavaScript. PyTorch sees every assignment in `__setattr__`.
 * @differs `delete module.weight` in ours says nothing if the name does not exist; PyTorch raises, as our `module.__delattr__("weight")`
 * does.
 *
 * Note [Adoption]
 * ~~~~~~~~~~~~~~~
 * Python calls `__setattr__` for every assignment. Two things replace this here. First, an assignment to a name that a module does not have
 * climbs its prototypes; the last one is `attributes`, which calls `__setattr__`. A parameter, buffer or module is then stored in
 * `_parameters`, `_buffers` or `_modules`, and the module gets an accessor with its name, so later assignments go through `__setattr__`,
 * too.
 * Second, a class field never climbs. Therefore `adopt` looks at the module's own properties whenever these maps are read. In the same way
 * it notices `delete module.weight`, and names that were put directly into a map.
 */

import { AttributeError, KeyError, TypeError_ } from "#c10/util/Exception";
import { check_absent } from "#torch/_absent";
import { is_of_another_copy, py_str, python_type } from "#torch/_C";
import { is_length } from "#torch/_length";
import { Tensor } from "#torch/_tensor/index";
import { type_name } from "#torch/_utils/index";
import { Buffer, Parameter } from "#torch/nn/parameter/index";
import type { Module } from "./index.ts";
import { _global_module_registration_hooks, through_hooks } from "./registration.ts";
import { STATE } from "./state.ts";

/** `isinstance(value, Module)`, for files that `Module` itself imports. */
export function is_module(value: unknown): value is Module {
  return typeof value === "function" && Object.hasOwn(value, STATE);
}

/** `hasattr(module, name)`. A declared class field without a value is no attribute, and neither is a `length` that only asks `__len__`. */
export function hasattr(module: Module, name: string): boolean {
  if (is_module(module) && !(name in module)) return false; // reading an absent name of PyTorch would raise
  if (name === "length" && is_length(property_of_class(module, name)) && !Object.hasOwn(module, name)) return false;
  return (module as unknown as Record<string, unknown>)[name] !== undefined;
}

/** `getattr(module, name)`. */
export function attribute(module: Module, name: string): unknown {
  if (!hasattr(module, name)) throw no_attribute(module, name);
  return (module as unknown as Record<string, unknown>)[name];
}

/** The property of this name that the class of the module gives it. */
function property_of_class(module: Module, name: string): PropertyDescriptor | undefined {
  for (let home: object = Object.getPrototypeOf(module); home !== attributes; home = Object.getPrototypeOf(home)) {
    const property = Object.getOwnPropertyDescriptor(home, name);
    if (property !== undefined) return property;
  }
  return undefined;
}

/** Whether the class of the module has a property of this name with a setter. */
function has_setter(module: Module, name: string): boolean {
  const property = property_of_class(module, name);
  return property?.set !== undefined && !is_length(property);
}

/** Marks the classes of modules that are lists: a whole number is an index, and not the name of an attribute. */
export const BY_INDEX: unique symbol = Symbol("by index");

interface List {
  __len__(): number;
  __getitem__(idx: number): unknown;
  __setitem__(idx: number, value: unknown): void;
}

const INDEX = /^-?\d+$/;

/** The list, if `name` is an index of it. */
function list_at(module: unknown, name: string): List | null {
  if (!INDEX.test(name) || !is_module(module) || !(BY_INDEX in module)) return null;
  return module as unknown as List;
}

/** The last prototype of every module; it receives assignments to names that the module does not have, and `list[-1]`. */
export const attributes: object = new Proxy(Object.create(Object.prototype) as object, {
  get(target, name, receiver: unknown) {
    if (typeof name !== "string" || name in target) return Reflect.get(target, name, receiver);
    if (name[0] !== "-") return is_module(receiver) ? check_absent("torch.nn.Module", name) : undefined;
    const list = list_at(receiver, name);
    return list !== null && -Number(name) <= list.__len__() ? list.__getitem__(Number(name)) : undefined;
  },
  set(target, name, value, receiver: object) {
    if (typeof name !== "string" || name in target || !is_module(receiver))
      return Reflect.set(target, name, value, receiver);
    const list = list_at(receiver, name);
    if (list === null) receiver.__setattr__(name, value);
    else list.__setitem__(Number(name), value);
    return true;
  },
});

/** Makes the maps and the module's own properties agree; see Note [Adoption]. */
export function adopt(module: Module): void {
  const s = module[STATE];
  if (s === undefined) throw new AttributeError(`'${python_type(module)}' object has no attribute '_modules'`);
  if (s.adopting) return;
  s.adopting = true;
  try {
    for (const name of [...s.accessors]) follow(module, name); // a copy: accessors are made anew
    for (const name of Object.keys(module)) {
      const { value } = Object.getOwnPropertyDescriptor(module, name) as PropertyDescriptor;
      if (value instanceof Parameter || value instanceof Buffer || is_module(value) || is_foreign_member(value)) {
        release(module, name);
        module.__setattr__(name, value);
      }
    }
    for (const members of [s.parameters, s.buffers, s.modules]) for (const name of members.keys()) own(module, name);
  } finally {
    s.adopting = false;
  }
}

/** Checks one accessor: it may have been deleted, hidden by a field of a subclass, or its name may be gone from the map. */
function follow(module: Module, name: string): void {
  const { parameters, buffers, modules, non_persistent } = module[STATE];
  const property = Object.getOwnPropertyDescriptor(module, name);
  if (property === undefined) {
    parameters.delete(name);
    buffers.delete(name);
    modules.delete(name);
    non_persistent.delete(name);
    release(module, name);
  } else if ("value" in property) {
    release(module, name);
    own(module, name);
    module.__setattr__(name, property.value);
  } else if (!parameters.has(name) && !buffers.has(name) && !modules.has(name)) {
    release(module, name);
  }
}

type AttributeHook = (module: Module, name: string, value: unknown) => unknown;
let attribute_hook: AttributeHook | null = null;

/** Sees every read of a parameter, buffer or module, as a program that replaces `Module.__getattr__` does in Python; gives the hook before. */
export function replace_module_getattr(hook: AttributeHook | null): AttributeHook | null {
  const before = attribute_hook;
  attribute_hook = hook;
  return before;
}

/** Defines an accessor for the name of a parameter, a buffer or a module. */
export function own(module: Module, name: string): void {
  const { parameters, buffers, modules, accessors } = module[STATE];
  if (accessors.has(name)) return;
  accessors.add(name);
  Object.defineProperty(module, name, {
    configurable: true,
    enumerable: true,
    get: () => {
      const value = parameters.get(name) ?? buffers.get(name) ?? modules.get(name) ?? null;
      return attribute_hook === null ? value : attribute_hook(module, name, value);
    },
    set: (value: unknown) => module.__setattr__(name, value),
  });
}

/** Removes the module's own property of this name. */
function release(module: Module, name: string): void {
  module[STATE].accessors.delete(name);
  Reflect.deleteProperty(module, name);
}

/** Checks that `Module.__init__` has run. */
export function check_initialized(module: Module, kind: string): void {
  if (!is_module(module)) throw new AttributeError(`cannot assign ${kind} before Module.__init__() call`);
}

/** Checks a name under which something is to be registered. */
export function check_name(module: Module, kind: string, name: unknown, present: ReadonlyMap<string, unknown>): void {
  if (typeof name !== "string") throw new TypeError_(`${kind} name should be a string. Got ${type_name(name)}`);
  const exists = hasattr(module, name) && !present.has(name);
  const already = new KeyError(`attribute '${name}' already exists`);
  if (kind === "module" && exists) throw already;
  if (name.includes("."))
    throw new KeyError(`${kind} name can't contain "."${kind === "module" ? `, got: ${name}` : ""}`);
  if (name === "") throw new KeyError(`${kind} name can't be empty string ""`);
  if (exists) throw already;
}

/** A module or a tensor of another copy of the library. As a plain attribute it would be left out of training without a word. */
function is_foreign_member(value: unknown): boolean {
  return is_of_another_copy(value) && ("requires_grad" in (value as object) || "_get_name" in (value as object));
}

/** `__setattr__` before `Module.__init__`. */
function set_before_init(module: Module, name: string, value: unknown): void {
  const what = value instanceof Parameter ? "parameters" : is_module(value) ? "module" : "buffer";
  if (what !== "buffer" || value instanceof Buffer)
    throw new AttributeError(`cannot assign ${what} before Module.__init__() call`);
  Object.defineProperty(module, name, { value, writable: true, enumerable: true, configurable: true });
}

function check_attribute_name(name: unknown): void {
  if (typeof name !== "string") throw new TypeError_(`attribute name must be string, not '${python_type(name)}'`);
}

export function setattr(module: Module, name: string, value: unknown): void {
  check_attribute_name(name);
  if (!is_module(module)) {
    set_before_init(module, name, value);
    return;
  }
  adopt(module);
  const { parameters, buffers, modules, non_persistent } = module[STATE];
  if (value instanceof Parameter) {
    buffers.delete(name);
    modules.delete(name);
    non_persistent.delete(name);
    if (!parameters.has(name)) release(module, name);
    module.register_parameter(name, value);
  } else if (parameters.has(name)) {
    if (value !== null) throw not_assignable(value, `parameter '${name}' (torch.nn.Parameter or None expected)`);
    module.register_parameter(name, null);
  } else if (is_module(value)) {
    buffers.delete(name);
    non_persistent.delete(name);
    modules.set(name, through_hooks(_global_module_registration_hooks, module, name, value as Module | null));
    own(module, name);
  } else if (modules.has(name)) {
    if (value !== null) throw not_assignable(value, `child module '${name}' (torch.nn.Module or None expected)`);
    modules.set(name, through_hooks(_global_module_registration_hooks, module, name, null));
  } else if (value instanceof Buffer || buffers.has(name)) {
    if (value !== null && !(value instanceof Tensor))
      throw not_assignable(value, `buffer '${name}' (torch.nn.Buffer, torch.Tensor or None expected)`);
    module.register_buffer(name, value, value instanceof Buffer ? value.persistent : !non_persistent.has(name));
  } else if (is_foreign_member(value)) {
    throw not_assignable(value, `attribute '${name}'`);
  } else if (has_setter(module, name)) {
    Reflect.set(module, name, value);
  } else {
    Object.defineProperty(module, name, { value, writable: true, enumerable: true, configurable: true });
  }
}

function not_assignable(value: unknown, as: string): TypeError_ {
  return new TypeError_(`cannot assign '${type_name(value)}' as ${as}`);
}

export function delattr(module: Module, name: string): void {
  check_attribute_name(name);
  adopt(module);
  const { parameters, buffers, modules, non_persistent } = module[STATE];
  if (!Object.hasOwn(module, name)) throw no_attribute(module, name);
  // At most one of the maps contains it.
  parameters.delete(name);
  if (buffers.delete(name)) non_persistent.delete(name);
  modules.delete(name);
  release(module, name);
}

/** The fallback of attribute access, which Python calls for a name that it finds nowhere else. */
export function getattr(module: Module, name: string): unknown {
  if (!is_module(module)) throw no_attribute(module, name);
  adopt(module);
  for (const members of [module[STATE].parameters, module[STATE].buffers, module[STATE].modules])
    if (members.has(name)) return members.get(name);
  throw no_attribute(module, name);
}

function no_attribute(module: Module, name: string): AttributeError {
  return new AttributeError(`'${module._get_name()}' object has no attribute '${py_str(name)}'`);
}
