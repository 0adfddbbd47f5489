/**
 * @file A module of scripts: an object whose class has parameters, buffers, submodules and methods.
 * @mirrors torch/csrc/jit/api/module.cpp
 */
import { ClassType } from "#aten/core/class_type";
import { IValue } from "#aten/core/ivalue";
import { print_ivalue } from "#aten/core/ivalue.impl";
import { Object_ } from "#aten/core/ivalue_inl";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { GraphFunction } from "./function_impl.ts";

function prefixed(prefix: string, text: string): string {
  const lines = text.endsWith("\n") ? text.slice(0, -1) : text;
  if (text === "") return "";
  return lines
    .split("\n")
    .map((line) => `${prefix}${line}\n`)
    .join("");
}

/** Parts of a module that `dump_to_str` prints. */
export interface DumpOptions {
  readonly code: boolean;
  readonly attrs: boolean;
  readonly params: boolean;
}

/** Example inputs by method, for modules that were traced. */
const traced_inputs = new WeakMap<Object_, Map<string, readonly IValue[]>>();

export class ModuleObject {
  readonly object: Object_;

  constructor(object: Object_) {
    this.object = object;
  }

  /** A module of a class whose attributes are not set yet. */
  static create(type: ClassType): ModuleObject {
    return new ModuleObject(new Object_(type, type.numAttributes()));
  }

  type(): ClassType {
    return this.object.type() as ClassType; // a module's type is always a class
  }
  ivalue(): IValue {
    return IValue.fromObject(this.object);
  }
  attr(name: string): IValue {
    return this.object.getAttr(name);
  }

  /** Keeps the inputs with which a method was traced: an archive of the module has them. */
  store_traced_inputs(method: string, inputs: readonly IValue[]): void {
    let stored = traced_inputs.get(this.object);
    if (stored === undefined) {
      stored = new Map();
      traced_inputs.set(this.object, stored);
    }
    stored.set(method, inputs);
  }
  traced_inputs(): ReadonlyMap<string, readonly IValue[]> {
    return traced_inputs.get(this.object) ?? new Map();
  }

  methods(): readonly GraphFunction[] {
    return this.type().methods() as readonly GraphFunction[]; // methods of modules are compiled
  }
  find_method(name: string): GraphFunction | null {
    return this.type().findMethod(name) as GraphFunction | null;
  }
  get_method(name: string): GraphFunction {
    const method = this.find_method(name);
    TORCH_CHECK(method !== null, `Method '${name}' is not defined.`);
    return method;
  }

  /** Names and values of one kind, in the order of the slots. */
  *slots(kind: "PARAMETER" | "BUFFER" | "MODULE"): IterableIterator<[name: string, value: IValue]> {
    for (const [slot, attribute] of this.type().getAttributes().entries()) {
      const value = this.object.getSlot(slot);
      const is_module = attribute.type instanceof ClassType ? attribute.type.is_module() : isModuleValue(value);
      if (kind === "MODULE" ? is_module : attribute.kind === kind) yield [attribute.name, value];
    }
  }
  *named_children(): IterableIterator<[name: string, module: ModuleObject]> {
    for (const [name, value] of this.slots("MODULE")) yield [name, new ModuleObject(value.toObject())];
  }

  dump_to_str(options: DumpOptions): string {
    const type = this.type();
    const parameters = [...this.slots("PARAMETER")]
      .filter(([, value]) => value.isTensor())
      .map(([name, value]) => `${name} = ${options.params ? print_ivalue(value) : "..."}\n`);
    const attributes = type.getAttributes().map(({ name }, slot) => {
      const value = this.object.getSlot(slot);
      return `${name} = ${!value.isTensor() || options.attrs ? print_ivalue(value) : "..."}\n`;
    });
    const methods = this.methods().map((method) => {
      const body = options.code ? `${prefixed("    ", String(method.graph()))}\n` : "";
      return `  method ${method.name()} {\n${body}  }\n`;
    });
    const children = [...this.named_children()].map(([, child]) => prefixed("    ", child.dump_to_str(options)));
    const section = (name: string, text: string): string => `  ${name} {\n${text}  }\n`;
    return [
      `module ${type.name()} {\n`,
      section("parameters", prefixed("    ", parameters.join(""))),
      section("attributes", prefixed("    ", attributes.join(""))),
      section("methods", prefixed("  ", methods.join(""))),
      section("submodules", children.join("")),
      "}\n",
    ].join("");
  }
}

function isModuleValue(value: IValue): boolean {
  if (!value.isObject()) return false;
  const type = value.toObject().type();
  return type instanceof ClassType && type.is_module();
}
