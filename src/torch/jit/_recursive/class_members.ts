/**
 * @file Members of the class of a module: functions, annotations, constants, properties.
 * @mirrors torch/jit/_recursive.py#get_annotations
 */
import { call } from "#python/Objects/call";
import { PyProperty, PyStaticMethod } from "#python/Objects/descrobject";
import { is_function } from "#python/Objects/funcobject";
import { getattr } from "#python/Objects/object";
import { info_of, type_of } from "#python/Objects/typeobject";
import { import_module } from "#python/vm/import";
import { class_member, own_members } from "../../_bodies/index.ts";
import type { Module } from "../../nn/modules/module/index.ts";
import { _get_overloaded_methods } from "../_jit_internal.ts";
import { ScriptModule } from "../_script/script_module.ts";

/** The Python class of a module, or the class of the library. */
export function class_of(nn_module: Module): unknown {
  return type_of(nn_module).cls;
}

/** A function under this name, and whether it is static; undefined if there is none. */
export function class_function(
  cls: unknown,
  name: string,
): { readonly fn: unknown; readonly is_static: boolean } | undefined {
  const value = class_member(cls, name);
  if (value instanceof PyStaticMethod) return { fn: value.__func__, is_static: true };
  return is_function(value) ? { fn: value, is_static: false } : undefined;
}

/** Names in the class and its bases, in the order of `dir`. */
export function dir_of_class(cls: unknown): string[] {
  const names = new Set<string>();
  for (const type of info_of(cls)?.mro ?? []) for (const name of own_members(type).keys()) names.add(name);
  return [...names].sort((a, b) => (a < b ? -1 : 1));
}

/** The annotations of the nearest class that has some. Those of bases behind it do not count, as in PyTorch. */
export function get_annotations(cls: unknown): ReadonlyMap<unknown, unknown> {
  for (const type of info_of(cls)?.mro ?? []) {
    if (type.cls === (ScriptModule as unknown)) return new Map(); // it has some, but none of an attribute
    const annotations = own_members(type).get("__annotations__");
    if (annotations instanceof Map && annotations.size > 0) return annotations;
  }
  return new Map();
}

/** Whether an annotation is `Final[T]`. */
export function is_final(annotation: unknown): boolean {
  const typing = import_module("typing");
  const final = getattr(typing, "Final");
  if (annotation === undefined) return false;
  if (annotation === final) return true;
  return call(getattr(typing, "get_origin"), annotation) === final;
}

/** Properties of the class and its bases, in the order of their names. */
export function properties_of(cls: unknown): [name: string, property: PyProperty][] {
  const unused = class_member(cls, "__jit_unused_properties__");
  const skipped = Array.isArray(unused) ? (unused as readonly unknown[]) : [];
  return dir_of_class(cls).flatMap((name): [string, PyProperty][] => {
    const value = class_member(cls, name);
    return value instanceof PyProperty && !skipped.includes(name) ? [[name, value]] : [];
  });
}

/** Methods with declarations under `@torch.jit._overload_method`. */
export function overloaded_methods_of(
  cls: unknown,
): [name: string, implementation: unknown, declarations: readonly unknown[]][] {
  return dir_of_class(cls).flatMap((name): [string, unknown, readonly unknown[]][] => {
    const found = class_function(cls, name);
    const declarations = found === undefined ? [] : _get_overloaded_methods(found.fn);
    return declarations.length === 0 ? [] : [[name, found?.fn, declarations]];
  });
}
