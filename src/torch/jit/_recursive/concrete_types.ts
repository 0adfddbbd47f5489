/**
 * @file The type of a module from its class and its attributes, and the store of the types that modules share.
 * @mirrors torch/jit/_recursive.py#infer_concrete_type_builder
 */
import { InterfaceType } from "#aten/core/interface_type";
import type { Type } from "#aten/core/jit_type";
import { AssertionError, RuntimeError, TypeError_, warn } from "#c10/util/Exception";
import { builtins } from "#python/Objects/builtins_of";
import { FloatValue } from "#python/Objects/floatobject";
import { is_function } from "#python/Objects/funcobject";
import { getattr_or_undefined } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { full_name, type_of } from "#python/Objects/typeobject";
import { body_of_function, class_member } from "../../_bodies/index.ts";
import { OpOverloadPacket } from "../../_ops.ts";
import torch from "../../index.ts";
import type { Module } from "../../nn/modules/module/index.ts";
import { STATE } from "../../nn/modules/module/state.ts";
import { _find_builtin } from "../_builtins.ts";
import {
  ConcreteModuleType,
  ConcreteModuleTypeBuilder,
  get_python_cu,
  type InferredType,
  type IterableModuleKind,
  SourceRange,
  toIValue,
  tryToInferType,
} from "../_C.ts";
import { _qualified_name } from "../_jit_internal.ts";
import { ScriptModule } from "../_script/script_module.ts";
import { ann_to_type } from "../annotations.ts";
import { class_of, get_annotations, is_final, overloaded_methods_of } from "./class_members.ts";
import { as_function, compile_function } from "./index.ts";

/** Attributes of every module that are not compiled. */
const ignored_attributes: ReadonlySet<string> = new Set(
  (
    "_version _parameters _buffers _non_persistent_buffers_set _backward_hooks _backward_pre_hooks _forward_hooks " +
    "_forward_hooks_with_kwargs _forward_pre_hooks _forward_pre_hooks_with_kwargs _forward_hooks_always_called _state_dict_hooks " +
    "_state_dict_pre_hooks _load_state_dict_pre_hooks _load_state_dict_post_hooks _modules _initializing dump_patches"
  ).split(" "),
);

/** `torch.jit.Attribute(value, type)` */
export class Attribute {
  static readonly __module__: string = "torch.jit._script";
  static readonly __name__ = "Attribute";
  readonly value: unknown;
  readonly type: unknown;

  constructor(value: unknown, type: unknown) {
    this.value = value;
    this.type = type;
  }
}

function iterable_kind(nn_module: Module): IterableModuleKind {
  const { ModuleDict, ModuleList, Sequential, ParameterList, ParameterDict } = torch.nn;
  if (nn_module instanceof ModuleDict) return "DICT";
  if (nn_module instanceof ModuleList || nn_module instanceof Sequential) return "LIST";
  if (nn_module instanceof ParameterList) return "PARAMLIST";
  return nn_module instanceof ParameterDict ? "PARAMDICT" : "NONE";
}

function is_annotation(annotation: unknown, name: string): boolean {
  return annotation === builtins.get(name) || (is_final(annotation) && final_of(annotation) === builtins.get(name));
}

function final_of(annotation: unknown): unknown {
  const args = getattr_or_undefined(annotation, "__args__") as readonly unknown[] | undefined;
  return args?.[0];
}

/** Whether an attribute of a class of the library is a float, although JavaScript does not tell: its annotation or its body says so. */
function is_float(cls: unknown, name: string, annotation: unknown): boolean {
  const floats = class_member(cls, "__floats__");
  return is_annotation(annotation, "float") || (Array.isArray(floats) && floats.includes(name));
}

function as_annotated(cls: unknown, name: string, value: unknown, annotation: unknown): unknown {
  const is_number = typeof value === "number" && Number.isInteger(value);
  return is_number && is_float(cls, name, annotation) ? new FloatValue(value) : value;
}

function is_constant(value: unknown): boolean {
  if (value === null || ["boolean", "number", "bigint", "string"].includes(typeof value)) return true;
  if (value instanceof FloatValue) return true;
  return [torch.device, torch.layout, torch.dtype].some((cls) => type_of(value).cls === (cls as unknown));
}

const CONSTANT_TYPES =
  "builtins.bool, builtins.float, builtins.int, builtins.str, builtins.NoneType, torch.device, torch.layout, torch.dtype, torch.qscheme";

function _get_valid_constant(attr: string, value: unknown, owner_type: string): unknown {
  if (is_constant(value)) return value;
  if (Array.isArray(value)) return tuple(value.map((item) => _get_valid_constant(attr, item, owner_type)));
  throw new TypeError_(
    `\n'${full_name(type_of(value))}' object in attribute '${owner_type}.${attr}' is not a valid constant.\nValid constants are:\n1. a nn.ModuleList\n2. a value of type {${CONSTANT_TYPES}}\n3. a list or tuple of (2)\n`,
  );
}

/** The attributes of the object itself, in the order in which they were set, without those that every module has. */
export function own_attributes(nn_module: Module): [name: string, value: unknown][] {
  const { accessors, is_full_backward_hook } = nn_module[STATE as never] as {
    accessors: ReadonlySet<string>;
    is_full_backward_hook: boolean | null;
  };
  const own: [string, unknown][] = [
    ["training", nn_module.training],
    ["_is_full_backward_hook", is_full_backward_hook],
  ];
  for (const name of Object.keys(nn_module)) {
    if (name === "training" || accessors.has(name)) continue;
    own.push([name, (nn_module as unknown as Record<string, unknown>)[name]]);
  }
  return own;
}

class ConcreteTypeInference {
  private readonly nn_module: Module;
  private readonly cls: unknown;
  private readonly annotations: ReadonlyMap<unknown, unknown>;
  private readonly builder: ConcreteModuleTypeBuilder;
  private readonly share_types: boolean;
  private readonly added_names = new Set<string>();

  constructor(nn_module: Module, share_types: boolean) {
    this.nn_module = nn_module;
    this.cls = class_of(nn_module);
    this.annotations = get_annotations(this.cls);
    this.builder = new ConcreteModuleTypeBuilder(this.cls);
    this.builder.iterable_kind = iterable_kind(nn_module);
    this.share_types = share_types;
  }

  build(): ConcreteModuleTypeBuilder {
    const { builder, nn_module } = this;
    const ignored = (class_member(this.cls, "__jit_ignored_attributes__") ?? []) as Iterable<string>;
    for (const name of ignored) builder.ignored_attributes.add(name);
    this.addTensors(nn_module._parameters, true);
    this.addTensors(nn_module._buffers, false);
    this.addModules();
    this.addConstants();
    for (const [name, , declarations] of overloaded_methods_of(this.cls)) {
      builder.overloads.set(
        name,
        declarations.map((_, i) => `${name}__${i}`),
      );
    }
    for (const [name, value] of own_attributes(nn_module)) this.addAttribute(name, value);
    // Attributes of PyTorch's class that ours computes.
    const computed = (class_member(this.cls, "__computed_attributes__") ?? []) as Iterable<string>;
    for (const name of computed) this.addAttribute(name, getattr_or_undefined(nn_module, name));
    for (const { hook } of nn_module._forward_hooks.values()) builder.forward_hooks.push(hook);
    for (const { hook } of nn_module._forward_pre_hooks.values()) builder.forward_pre_hooks.push(hook);
    return builder;
  }

  /** The type of the annotation, or that of the value. */
  private infer_type(name: string, item: unknown): { readonly type: InferredType; readonly inferred: boolean } {
    try {
      if (this.annotations.has(name) && name !== "forward") {
        return { type: { type: ann_to_type(this.annotations.get(name), SourceRange.empty()) }, inferred: false };
      }
      if (item instanceof Attribute) {
        return { type: { type: ann_to_type(item.type, SourceRange.empty()) }, inferred: false };
      }
      return { type: tryToInferType(item), inferred: true };
    } catch (error) {
      if (!(error instanceof RuntimeError)) throw error;
      throw new RuntimeError(`Error inferring type for ${name}: ${String(item)}: ${error.message}`);
    }
  }

  private typeOf(name: string, item: unknown): Type {
    const { type } = this.infer_type(name, item);
    if ("reason" in type) throw new RuntimeError(type.reason);
    return type.type;
  }

  private addTensors(members: ReadonlyMap<string, unknown>, is_param: boolean): void {
    for (const [name, item] of members) {
      if (this.builder.ignored_attributes.has(name)) continue;
      this.builder.add_attribute(name, this.typeOf(name, item), is_param, !is_param);
      this.added_names.add(name);
    }
  }

  private addModules(): void {
    for (const [name, item] of this.nn_module._modules) {
      if (this.builder.ignored_attributes.has(name)) continue;
      if (item === null) {
        this.builder.add_attribute(name, this.typeOf(name, item), false, false);
        continue;
      }
      const annotated = this.annotations.has(name) ? this.interfaceOf(name, item) : null;
      const type =
        annotated === null
          ? get_module_concrete_type(item, this.share_types)
          : ConcreteModuleType.fromJitType(annotated);
      this.builder.add_module(name, type);
      this.added_names.add(name);
    }
  }

  /** The interface with which a submodule is annotated. */
  private interfaceOf(name: string, item: unknown): Type {
    const type = this.typeOf(name, item);
    if (type instanceof InterfaceType) return type;
    throw new AssertionError(`Expected inferred type to be interface type for '${name}'`);
  }

  private addConstants(): void {
    const names = new Set<string>((class_member(this.cls, "__constants__") ?? []) as Iterable<string>);
    for (const [name, annotation] of this.annotations) if (is_final(annotation)) names.add(name as string);
    const { nn_module } = this;
    const cls_name = type_of(nn_module).name;
    for (const name of names) {
      if (this.added_names.has(name)) {
        const hint = nn_module._modules.has(name) ? "submodule" : nn_module._buffers.has(name) ? "buffer" : "parameter";
        warn(
          "UserWarning",
          `'${name}' was found in ScriptModule constants,  but it is a non-constant ${hint}. Consider removing it.`,
        );
        continue;
      }
      const own = Object.hasOwn(nn_module, name) ? (nn_module as unknown as Record<string, unknown>)[name] : undefined;
      const value = own ?? getattr_or_undefined(nn_module, name);
      if (value === undefined) {
        warn(
          "UserWarning",
          `'${name}' was found in ScriptModule constants, but was not actually set in __init__. Consider removing it.`,
        );
        continue;
      }
      const constant = _get_valid_constant(
        name,
        as_annotated(this.cls, name, value, this.annotations.get(name)),
        cls_name,
      );
      const type = tryToInferType(constant);
      if ("reason" in type) throw new RuntimeError(type.reason);
      this.builder.constants.set(name, toIValue(constant, type.type));
      this.added_names.add(name);
    }
  }

  private addAttribute(name: string, given: unknown): void {
    const { builder } = this;
    if (ignored_attributes.has(name) || name.startsWith("__")) return;
    if (builder.ignored_attributes.has(name) || this.added_names.has(name)) return;
    const packet = given instanceof OpOverloadPacket ? given.op : given;
    const value = body_of_function(packet) ?? packet;
    if (is_function(value)) {
      this.addFunction(name, value);
      return;
    }
    const builtin = _find_builtin(value);
    if (builtin !== null) {
      builder.builtin_functions.set(name, builtin);
      return;
    }
    const compiled = as_function(value);
    if (compiled !== null) {
      builder.function_attributes.set(name, { function_: compiled, py_function: value });
      return;
    }
    const { type, inferred } = this.infer_type(name, as_annotated(this.cls, name, value, undefined));
    if ("type" in type) {
      builder.add_attribute(name, type.type, false, false);
      return;
    }
    const why = inferred ? "Its type was inferred; try adding a type annotation for the attribute." : "";
    builder.failed_attributes.set(
      name,
      `(This attribute exists on the Python module, but we failed to convert Python type: '${python_typename(value)}' to a TorchScript type. ${type.reason}. ${why})`,
    );
  }

  /** A function that cannot be compiled is no error until a script uses it. */
  private addFunction(name: string, fn: object): void {
    try {
      const compiled = compile_function(fn);
      this.builder.function_attributes.set(name, { function_: compiled, py_function: fn });
    } catch (error) {
      this.builder.failed_attributes.set(
        name,
        `(This function exists as an attribute on the Python module, but we failed to compile it to a TorchScript function. \nThe error stack is reproduced here:\n${(error as Error).message})`,
      );
    }
  }
}

/** `torch.typename`: builtin types have no module. */
function python_typename(value: unknown): string {
  const type = type_of(value);
  const name = full_name(type);
  return name.startsWith("builtins.") ? name.slice("builtins.".length) : name;
}

const type_store = new Map<unknown, ConcreteModuleType[]>();
/** Types whose methods have been compiled. */
export const methods_compiled = new WeakSet<ConcreteModuleType>();

function build(builder: ConcreteModuleTypeBuilder): ConcreteModuleType {
  return builder.build(get_python_cu(), _qualified_name(builder.py_class));
}

/** A type that fits the module: one that another module has, if it is equal. */
export function get_module_concrete_type(nn_module: Module, share_types = true): ConcreteModuleType {
  if (nn_module instanceof ScriptModule && !nn_module.is_being_compiled()) return nn_module._concrete_type;
  const builder = new ConcreteTypeInference(nn_module, share_types).build();
  if (!share_types) {
    builder.set_poisoned();
    return build(builder);
  }
  let known = type_store.get(builder.py_class);
  if (known === undefined) {
    known = [];
    type_store.set(builder.py_class, known);
  }
  const shared = known.find((type) => type.data.equals(builder));
  if (shared !== undefined) return shared;
  const type = build(builder);
  known.push(type);
  return type;
}
