/**
 * @file A copy of a module with classes of its own, so that the copy's code and attributes can be changed.
 * @mirrors torch/csrc/jit/api/module.cpp#clone
 */
import { ClassType } from "#aten/core/class_type";
import { Argument, FunctionSchema } from "#aten/core/function_schema";
import type { Type } from "#aten/core/jit_type";
import { withContained } from "#aten/core/type";
import type { CompilationUnit } from "./compilation_unit.ts";
import type { GraphFunction } from "./function_impl.ts";
import { ModuleObject } from "./module.ts";

/** New classes by the old ones: modules of one class have one class in the copy, too. */
type TypeRemap = Map<ClassType, ClassType>;

/** Copies the modules; tensors and other attributes are shared with the original. */
export function clone_module(module: ModuleObject, type_remap: TypeRemap = new Map()): ModuleObject {
  const old_type = module.type();
  const known = type_remap.get(old_type);
  const type = known ?? new_class(old_type);
  type_remap.set(old_type, type);
  const copy = ModuleObject.create(type);
  for (const [slot, { name, type: attribute_type, kind }] of old_type.getAttributes().entries()) {
    const value = module.object.getSlot(slot);
    const is_module = value.isObject() && (value.toObject().type() as ClassType).is_module(); // objects have classes
    const child = is_module ? clone_module(new ModuleObject(value.toObject()), type_remap) : null;
    // The attribute of an interface keeps the interface.
    const new_type = child !== null && attribute_type instanceof ClassType ? child.type() : attribute_type;
    if (known === undefined) type.addAttribute(name, new_type, kind === "PARAMETER", kind === "BUFFER");
    copy.object.setAttr(name, child === null ? value : child.ivalue());
  }
  if (known === undefined) clone_methods(old_type, type, type_remap);
  return copy;
}

function new_class(old_type: ClassType): ClassType {
  const cu = old_type.compilation_unit() as CompilationUnit; // classes of modules are in one
  const name = cu.get_type(old_type.name()) === null ? old_type.name() : cu.mangle(old_type.name());
  const type = ClassType.create(name, cu, true);
  cu.register_type(type);
  return type;
}

function clone_methods(old_type: ClassType, type: ClassType, type_remap: TypeRemap): void {
  const cu = type.compilation_unit() as CompilationUnit; // `new_class` gave it one
  for (const [i, name] of old_type.constantNames().entries()) type.addConstant(name, old_type.constantValues()[i]);
  const remap = (given: Type): Type => {
    if (given instanceof ClassType) return type_remap.get(given) ?? given;
    const contained = given.containedTypes();
    const mapped = contained.map(remap);
    return mapped.every((inner, i) => inner === contained[i]) ? given : withContained(given, mapped);
  };
  const clone = (fn: GraphFunction): GraphFunction => {
    fn.ensure_defined();
    const graph = fn.graph().copy();
    graph.remapTypes(remap);
    const copied = cu.create_function(`${type.name()}.${fn.name()}`, graph);
    copied.setSchema(remapped_schema(fn.getSchema(), remap));
    return copied;
  };
  for (const method of old_type.methods()) type.addMethod(clone(method as GraphFunction));
  for (const hook of old_type.getForwardHooks()) type.addForwardHook(clone(hook as GraphFunction));
  for (const hook of old_type.getForwardPreHooks()) type.addForwardPreHook(clone(hook as GraphFunction));
}

function remapped_schema(schema: FunctionSchema, remap: (type: Type) => Type): FunctionSchema {
  const args = (list: readonly Argument[]): Argument[] =>
    list.map(
      (arg) =>
        new Argument(arg.name(), remap(arg.type()), {
          N: arg.N(),
          default_value: arg.default_value(),
          kwarg_only: arg.kwarg_only(),
        }),
    );
  return new FunctionSchema(schema.operator_name(), args(schema.arguments()), args(schema.returns()));
}
