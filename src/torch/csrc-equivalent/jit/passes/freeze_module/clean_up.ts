/**
 * @file Removes from the classes of a frozen module the attributes and methods that nothing needs any more.
 * @mirrors torch/csrc/jit/passes/freeze_module.cpp#cleanupFrozenModule
 */
import type { ClassType } from "#aten/core/class_type";
import { InterfaceType } from "#aten/core/interface_type";
import type { Object_ } from "#aten/core/ivalue_inl";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { CompilationUnit } from "../../api/compilation_unit.ts";
import type { GraphFunction } from "../../api/function_impl.ts";
import { ModuleObject } from "../../api/module.ts";
import type { Graph, Node } from "../../ir/ir.ts";
import { allNodes } from "../../runtime/graph_iterator.ts";
import type { PreservedAttributes } from "./preserved_attributes.ts";

/** Keeps what `GetAttr` nodes still read: any module of the right class may be the one that they read. */
export function recordReferencedAttrs(graph: Graph, root: ModuleObject, preserved: PreservedAttributes): void {
  const modules = new Set<Object_>([root.object]);
  for (const node of allNodes(graph)) {
    if (node.kind() !== "prim::GetAttr") continue;
    const name = node.s("name");
    for (const object of modules) {
      if (object.type() !== node.input(0).type()) continue;
      const value = object.getAttr(name);
      preserved.add(name, value, object);
      if (value.isObject() && (value.toObject().type() as ClassType).is_module()) modules.add(value.toObject()); // objects have classes
    }
  }
}

/** A task that was not forked need not be waited for. */
export function removeExtraWaitCalls(graph: Graph): void {
  const is_extra = (node: Node): boolean =>
    node.kind() === "aten::wait" && node.input(0).type().kind() !== "FutureType";
  for (const node of allNodes(graph).filter(is_extra)) {
    node.output().replaceAllUsesWith(node.input(0));
    node.destroy();
  }
}

/** Slots that a class keeps; null for all of them, and its methods. */
type Kept = Set<number> | null;

export class UnusedAttributes {
  private readonly preserved: PreservedAttributes;
  private readonly preserved_methods: ReadonlySet<GraphFunction>;
  /** Submodules that the caller wants whole. */
  private readonly preserved_modules: ReadonlySet<Object_>;
  private readonly kept = new Map<ClassType, Kept>();
  private readonly modules_of = new Map<ClassType, Set<Object_>>();

  constructor(
    preserved: PreservedAttributes,
    preserved_methods: ReadonlySet<GraphFunction>,
    preserved_modules: ReadonlySet<Object_>,
  ) {
    this.preserved = preserved;
    this.preserved_methods = preserved_methods;
    this.preserved_modules = preserved_modules;
  }

  private escapes(module: ModuleObject, graph: Graph): boolean {
    return (
      graph.outputs().some((output) => module.type().isSubtypeOf(output.type())) ||
      this.preserved_modules.has(module.object)
    );
  }

  /** Notes what each class keeps. Modules of one class keep the attributes that any of them needs. */
  collect(module: ModuleObject, graph: Graph): void {
    const type = module.type();
    if (this.escapes(module, graph)) {
      this.kept.set(type, null);
      return;
    }
    const before = this.kept.get(type);
    const slots: Kept = before === undefined ? new Set() : before;
    this.kept.set(type, slots);
    const modules = this.modules_of.get(type) ?? new Set();
    this.modules_of.set(type, modules.add(module.object));
    for (const [slot, attribute] of type.getAttributes().entries()) {
      const value = module.object.getSlot(slot);
      if (!this.preserved.has(attribute.name, value, module.object)) continue;
      slots?.add(slot);
      if (!value.isObject() || !(value.toObject().type() as ClassType).is_module()) continue; // objects have classes
      TORCH_CHECK(
        !(attribute.type instanceof InterfaceType),
        `Unexpected interface attribute '${attribute.name}' during freezing`,
      );
      this.collect(new ModuleObject(value.toObject()), graph);
    }
  }

  remove(): void {
    for (const [type, slots] of this.kept) {
      if (slots === null) continue;
      const unused = type.getAttributes().filter((_, slot) => !slots.has(slot));
      for (const { name } of unused) {
        for (const object of this.modules_of.get(type) ?? []) object.unsafeRemoveSlot(type.getAttributeSlot(name));
        type.unsafeRemoveAttribute(name);
      }
      for (const method of type.methods() as readonly GraphFunction[]) {
        // methods of modules are compiled
        if (this.preserved_methods.has(method)) continue;
        type.unsafeRemoveMethod(method.name());
        (type.compilation_unit() as CompilationUnit).unsafeRemoveMethod(method.qualname()); // modules have one
      }
    }
  }
}
