/**
 * @file The type of one module of a Python program: its class and attributes, what each attribute is, and the class type that scripts see.
 * @mirrors torch/csrc/jit/frontend/concrete_module_type.cpp
 *
 * Two modules of one Python class can need different types: their attributes have other types, their constants other values, or their
 * submodules are others. Modules whose builders are equal share a type, and so share compiled methods.
 */
import { ClassType } from "#aten/core/class_type";
import type { Function } from "#aten/core/function";
import { InterfaceType } from "#aten/core/interface_type";
import type { IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import { unshapedType } from "#aten/core/type";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { CompilationUnit } from "../api/compilation_unit.ts";

/** How a loop runs over the module. */
export type IterableModuleKind = "NONE" | "LIST" | "DICT" | "PARAMLIST" | "PARAMDICT";

export interface ModuleAttribute {
  readonly type: Type;
  readonly is_param: boolean;
  readonly is_buffer: boolean;
}

/** An attribute that is a function of Python, with its compiled form. */
interface FunctionAttribute {
  readonly function_: Function;
  readonly py_function: unknown;
}

function same_entries<K, V>(a: ReadonlyMap<K, V>, b: ReadonlyMap<K, V>, equal: (x: V, y: V) => boolean): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([key, value]) => {
    const other = b.get(key);
    return other !== undefined && equal(value, other);
  });
}

function same_list<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}

export class ConcreteModuleTypeBuilder {
  readonly py_class: unknown;
  /** A poisoned builder equals no other: its type is never shared. */
  private poisoned_ = false;
  iterable_kind: IterableModuleKind = "NONE";
  readonly constants = new Map<string, IValue>();
  readonly attributes = new Map<string, ModuleAttribute>();
  readonly overloads = new Map<string, readonly string[]>();
  readonly function_attributes = new Map<string, FunctionAttribute>();
  readonly builtin_functions = new Map<string, string>();
  /** Attributes that could not be converted, with the reasons. */
  readonly failed_attributes = new Map<string, string>();
  readonly ignored_attributes = new Set<string>();
  readonly modules: (readonly [string, ConcreteModuleType])[] = [];
  readonly forward_hooks: unknown[] = [];
  readonly forward_pre_hooks: unknown[] = [];

  /** @param py_class the Python class; null for a type that was loaded */
  constructor(py_class: unknown) {
    this.py_class = py_class;
  }

  set_poisoned(): void {
    this.poisoned_ = true;
  }
  add_attribute(name: string, type: Type, is_param: boolean, is_buffer: boolean): void {
    TORCH_INTERNAL_ASSERT(type.kind() !== "FunctionType");
    this.attributes.set(name, { type: unshapedType(type), is_param, is_buffer });
  }
  add_module(name: string, type: ConcreteModuleType): void {
    this.modules.push([name, type]);
  }

  equals(other: ConcreteModuleTypeBuilder): boolean {
    if (this.poisoned_ || other.poisoned_) return false;
    const equal =
      this.py_class === other.py_class &&
      this.iterable_kind === other.iterable_kind &&
      same_list([...this.ignored_attributes].sort(), [...other.ignored_attributes].sort()) &&
      same_entries(this.constants, other.constants, (a, b) => a.tag === b.tag && a.equals(b)) &&
      same_list([...this.attributes.keys()], [...other.attributes.keys()]) &&
      same_entries(
        this.attributes,
        other.attributes,
        (a, b) => a.is_param === b.is_param && a.is_buffer === b.is_buffer && a.type.equals(b.type),
      ) &&
      same_entries(this.overloads, other.overloads, same_list) &&
      same_entries(this.function_attributes, other.function_attributes, (a, b) => a.function_ === b.function_) &&
      same_entries(this.builtin_functions, other.builtin_functions, (a, b) => a === b) &&
      same_list(this.forward_hooks, other.forward_hooks) &&
      same_list(this.forward_pre_hooks, other.forward_pre_hooks);
    // Modules are in the order in which they were added, which does not count.
    return equal && same_entries(new Map(this.modules), new Map(other.modules), (a, b) => a.equals(b));
  }

  /**
   * Makes the type.
   * @param qualified_name the name of the Python class, which is changed if another type has it
   */
  build(cu: CompilationUnit, qualified_name: string): ConcreteModuleType {
    const name = cu.get_class(qualified_name) === null ? qualified_name : cu.mangle(qualified_name);
    const type = ClassType.create(name, cu, true);
    cu.register_type(type);
    for (const [attribute, { type: of, is_param, is_buffer }] of this.attributes) {
      type.addAttribute(attribute, of, is_param, is_buffer);
    }
    for (const [constant, value] of this.constants) type.addConstant(constant, value);
    for (const [module, concrete] of this.modules) type.addAttribute(module, concrete.jit_type);
    return new ConcreteModuleType(this, type);
  }
}

export class ConcreteModuleType {
  readonly data: ConcreteModuleTypeBuilder;
  readonly jit_type: ClassType | InterfaceType;

  constructor(data: ConcreteModuleTypeBuilder, jit_type: ClassType | InterfaceType) {
    this.data = data;
    this.jit_type = jit_type;
  }

  /** The type of a module that has no Python class, because it was loaded, or is known by an interface only. */
  static fromJitType(type: Type): ConcreteModuleType {
    const builder = new ConcreteModuleTypeBuilder(null);
    builder.set_poisoned();
    if (type instanceof InterfaceType) {
      TORCH_INTERNAL_ASSERT(type.is_module());
      return new ConcreteModuleType(builder, type);
    }
    TORCH_INTERNAL_ASSERT(type instanceof ClassType);
    for (const { name, type: of, kind } of type.getAttributes()) {
      if (is_module(of)) builder.add_module(name, ConcreteModuleType.fromJitType(of));
      else builder.add_attribute(name, of, kind === "PARAMETER", kind === "BUFFER");
    }
    for (const name of type.constantNames()) builder.constants.set(name, type.getConstant(name));
    return new ConcreteModuleType(builder, type);
  }

  class_type(): ClassType {
    TORCH_INTERNAL_ASSERT(this.jit_type instanceof ClassType);
    return this.jit_type;
  }

  equals(other: ConcreteModuleType | ConcreteModuleTypeBuilder): boolean {
    if (this === other) return true;
    if (other instanceof ConcreteModuleTypeBuilder) return this.data.equals(other);
    return this.jit_type === other.jit_type;
  }

  findSubmoduleConcreteType(name: string): ConcreteModuleType | null {
    return this.data.modules.find(([module]) => module === name)?.[1] ?? null;
  }
}

/** Whether a type is that of a module, or of an interface of modules. */
export function is_module(type: Type): boolean {
  return (type instanceof ClassType || type instanceof InterfaceType) && type.is_module();
}
