/**
 * @file Which attributes of which modules a frozen module keeps, and the way from a value of a graph to the module that it is.
 * @mirrors torch/csrc/jit/passes/freeze_module.cpp#findConstantAttr
 */
import { ClassType } from "#aten/core/class_type";
import { InterfaceType } from "#aten/core/interface_type";
import type { IValue } from "#aten/core/ivalue";
import { type_of } from "#aten/core/ivalue.impl";
import type { Object_ } from "#aten/core/ivalue_inl";
import { ModuleObject } from "../../api/module.ts";
import { AliasDb } from "../../ir/alias_analysis.ts";
import type { Graph, Value } from "../../ir/ir.ts";
import { AliasedValues, overlaps } from "./aliased_values.ts";

/** Whether a value is a module or an interface that one has. */
export function is_module_value(value: Value): boolean {
  const type = value.type();
  return type instanceof InterfaceType || (type instanceof ClassType && type.is_module());
}

/** Names of the attributes that lead from the graph's `self` to a module: `["net", "0"]`. Null if it does not come from there. */
export function modulePath(input: Value, graph: Graph): string[] | null {
  const names: string[] = [];
  let node = input.node();
  while (node.outputs()[0]?.type() !== graph.inputs()[0].type()) {
    if (node.kind() !== "prim::GetAttr") return null;
    names.unshift(node.s("name"));
    node = node.input(0).node();
  }
  return names;
}

export class PreservedAttributes {
  /** Attributes that can be written to. */
  readonly values = new AliasedValues();
  /** The others: their modules, and their names. */
  private readonly scalars_ = new Map<Object_, Set<string>>();

  add(name: string, value: IValue, module: Object_): void {
    if (AliasDb.isMutableType(type_of(value))) {
      this.values.add(value);
      return;
    }
    let names = this.scalars_.get(module);
    if (names === undefined) {
      names = new Set();
      this.scalars_.set(module, names);
    }
    names.add(name);
  }

  has(name: string, value: IValue, module: Object_): boolean {
    if (AliasDb.isMutableType(type_of(value))) return this.values.has(value);
    return this.scalars_.get(module)?.has(name) === true;
  }

  /** The module at the end of a path; null if a module on the way can be replaced. */
  module_at(root: ModuleObject, path: readonly string[]): ModuleObject | null {
    let module = root;
    for (const name of path) {
      const value = module.attr(name);
      if (this.values.has(value)) return null;
      module = new ModuleObject(value.toObject());
    }
    return module;
  }

  /**
   * The module whose attribute `GetAttr` or `SetAttr` names, and its path, if the attribute never changes. Null otherwise.
   * @param input the value that has the attribute
   */
  findConstantAttr(
    input: Value,
    name: string,
    root: ModuleObject,
    graph: Graph,
  ): { readonly module: ModuleObject; readonly path: readonly string[] } | null {
    const path = is_module_value(input) ? modulePath(input, graph) : null;
    const module = path === null ? null : this.module_at(root, path);
    if (path === null || module === null) return null;
    const value = module.attr(name);
    if (this.has(name, value, module.object)) return null;
    const is_object = value.isObject();
    if (!is_object && AliasDb.isMutableType(type_of(value))) {
      for (const preserved of this.values) if (!preserved.isObject() && overlaps(preserved, value)) return null;
    }
    return { module, path };
  }
}
