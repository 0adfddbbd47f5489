/**
 * @file Plain objects, Maps, Sets, iterators and namespaces of the library, as a program sees them.
 * @original
 */
import "../Objects/dictobject/methods.ts";
import "../Objects/setobject/methods.ts";
import { dict_type } from "../Objects/dictobject.ts";
import { StopIteration } from "../Objects/exceptions.ts";
import { generator_type } from "../Objects/genobject.ts";
import { address } from "../Objects/hashing.ts";
import { instance_dict } from "../Objects/instance_dict.ts";
import { NativeIterator, type PyIterator } from "../Objects/iterobject.ts";
import { BUILTIN, define_methods, type Implementation, is_builtin } from "../Objects/methodobject.ts";
import { module_type, no_attribute } from "../Objects/moduleobject.ts";
import { frozenset_type, PySet, set_type } from "../Objects/setobject.ts";
import { builtin_type, object_type, type TypeObject } from "../Objects/typeobject.ts";
import { import_module, module_kinds, modules } from "../vm/import.ts";
import { naming } from "./names.ts";
import { from_library } from "./values.ts";

/** A plain object is a dict: all methods work on its properties. */
export const plain_object_type: TypeObject = builtin_type("dict", {
  bases: [dict_type],
  prototype: {},
  shown_as: dict_type,
});
{
  const methods: Record<string, Implementation> = {};
  for (const [, fn] of dict_type.dict) {
    if (!is_builtin(fn) || fn[BUILTIN].is_static || fn[BUILTIN].name === "__init__") continue;
    const run = fn as unknown as (...args: unknown[]) => unknown;
    methods[fn[BUILTIN].text] = (self: object, ...args: unknown[]) => run(instance_dict(self), ...args);
  }
  define_methods(plain_object_type, methods);
}

/** JavaScript's Set, as the library may return it. */
export const native_set_type: TypeObject = builtin_type("set", {
  bases: [set_type],
  prototype: {},
  shown_as: set_type,
});
{
  const methods: Record<string, Implementation> = {};
  for (const base of [frozenset_type, set_type])
    for (const [, fn] of base.dict) {
      if (!is_builtin(fn) || fn[BUILTIN].is_static || fn[BUILTIN].name === "__init__") continue;
      const run = fn as unknown as (...args: unknown[]) => unknown;
      methods[fn[BUILTIN].text] = (self: Set<unknown>, ...args: unknown[]) => run(new PySet(self), ...args);
    }
  define_methods(native_set_type, methods);
}

/** Names of the namespaces of the library that a program has met. */
const namespaces = new WeakMap<object, string>();

/** Makes an object of the library a module of this name. */
export function register_namespace(namespace: object, name: string): void {
  namespaces.set(namespace, name);
}

export const is_namespace = (value: unknown): boolean =>
  typeof value === "object" && value !== null && namespaces.has(value);
module_kinds.is_foreign_module = is_namespace;

/** Objects of no class. The library gives some of them a prototype of their own, which answers for names that are absent. */
export function is_plain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === null || prototype === Object.prototype) return true;
  return Object.getPrototypeOf(prototype) === Object.prototype && !Object.hasOwn(prototype, "constructor");
}

/** Names that a program set on a namespace, which JavaScript may refuse to change. */
const overridden = new WeakMap<object, Map<string, unknown>>();

/** Gives a namespace a name that only programs see; undefined takes it away. */
export function override(namespace: object, name: string, value: unknown): void {
  let own = overridden.get(namespace);
  if (own === undefined) {
    own = new Map();
    overridden.set(namespace, own);
  }
  if (value === undefined) own.delete(name);
  else own.set(name, value);
}

/** A variable of a module that the library keeps elsewhere, because a namespace of JavaScript is constant. */
export interface Variable {
  get(): unknown;
  set(value: unknown): void;
}
/** Variables by full name: `torch.nn.modules.module._global_forward_hooks`. */
export const variables = new Map<string, Variable>();

/** Tell whether a module of this full name can be imported: `import torch` has loaded it in PyTorch, so that it is an attribute. */
export const submodules: ((full: string) => boolean)[] = [];
const looked_for = new Set<string>();

/** The module below a namespace; undefined if there is none, or if it is just being imported. */
export function submodule(full: string): unknown {
  const loaded = modules.get(full);
  if (loaded !== undefined || looked_for.has(full) || !submodules.some((has) => has(full))) return loaded;
  looked_for.add(full);
  try {
    return import_module(full);
  } finally {
    looked_for.delete(full);
  }
}

/** A name that the library finds only when it is asked for. The library may say why it lacks a name. @throws {AttributeError} if it does */
function found_late(namespace: Record<string, unknown>, module: string, name: string): unknown {
  const error = no_attribute(module, name);
  try {
    const value = name in Object.prototype ? undefined : namespace[name];
    if (value !== undefined) return from_library(value);
  } catch (reason) {
    if (reason instanceof Error) error.__notes__ = [reason.message];
  }
  throw error;
}

export const namespace_type: TypeObject = builtin_type("module", {
  bases: [module_type],
  prototype: {},
  shown_as: module_type,
  tp_alloc: null,
  tp_getattro: (namespace: object, name) => {
    const own = overridden.get(namespace)?.get(name);
    if (own !== undefined) return own;
    const module = namespaces.get(namespace) as string;
    const variable = variables.get(`${module}.${name}`);
    if (variable !== undefined) return variable.get();
    switch (name) {
      case "__name__":
      case "__package__":
        return module;
      case "__path__":
        return [];
      case "__dict__":
        return instance_dict(namespace);
    }
    if (!(name in namespace) || (name in Object.prototype && !Object.hasOwn(namespace, name))) {
      const found = object_type.lookup(name);
      if (found !== undefined) return undefined;
      const member = naming.member(module, name);
      if (member !== undefined) return member;
      const below = submodule(`${module}.${name}`);
      if (below !== undefined) return below;
      return found_late(namespace as Record<string, unknown>, module, name);
    }
    const value = (namespace as Record<string, unknown>)[name];
    if (is_plain(value) && !namespaces.has(value as object)) namespaces.set(value as object, `${module}.${name}`);
    return from_library(value);
  },
  tp_setattro: (namespace: object, name, value) => {
    const variable = variables.get(`${namespaces.get(namespace)}.${name}`);
    if (variable !== undefined) {
      variable.set(value);
      return;
    }
    override(namespace, name, value);
    try {
      if (value !== undefined) (namespace as Record<string, unknown>)[name] = value;
    } catch {
      // A namespace of JavaScript is constant; the program sees its own value.
    }
  },
});
define_methods(namespace_type, {
  "__repr__(self, /)": (namespace: object) => `<module '${namespaces.get(namespace)}'>`,
  "__dir__(self, /)": (namespace: object) => Object.keys(namespace).sort(),
});

/** Iterators and generators of JavaScript. */
export const native_iterator_type: TypeObject = builtin_type("iterator", { prototype: {} });
const adapted = new WeakMap<object, PyIterator>();

/** One iterator of Python for each iterator of JavaScript: a program may take values one by one. */
function adapt(iterator: Iterator<unknown>): PyIterator {
  let known = adapted.get(iterator);
  if (known === undefined) {
    known = new NativeIterator({
      next: () => {
        const { done, value } = iterator.next();
        return { done: done === true, value: done === true ? undefined : from_library(value) };
      },
    } as Iterator<unknown>);
    adapted.set(iterator, known);
  }
  return known;
}
define_methods(native_iterator_type, {
  "__iter__(self, /)": (self: Iterator<unknown>) => adapt(self),
  "__next__(self, /)": (self: Iterator<unknown>) => {
    const value = adapt(self).step();
    if (value === undefined) throw new StopIteration();
    return value;
  },
});

/** Generators of JavaScript. */
export const native_generator_type: TypeObject = builtin_type("generator", {
  bases: [generator_type],
  prototype: {},
  shown_as: generator_type,
});
define_methods(native_generator_type, {
  "__iter__(self, /)": (self: object) => self,
  "__next__(self, /)": (self: Iterator<unknown>) => {
    const value = adapt(self).step();
    if (value === undefined) throw new StopIteration();
    return value;
  },
  "send(self, value, /)": (self: Iterator<unknown>, value: unknown) => {
    const { done, value: result } = self.next(value as never);
    if (done === true) throw new StopIteration();
    return from_library(result);
  },
  "close(self, /)": (self: Iterator<unknown>) => {
    self.return?.();
  },
  "__repr__(self, /)": (self: object) => `<generator object at ${address(self)}>`,
});

/** `iter(value)` for an object that JavaScript can iterate. */
export function native_iter(value: Iterable<unknown>): PyIterator {
  return adapt(value[Symbol.iterator]());
}
