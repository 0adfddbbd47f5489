/**
 * @file A module while a script is compiled: its attributes, submodules, methods, and the loops over it.
 * @mirrors torch/csrc/jit/python/python_sugared_value.cpp#ModuleValue
 */
import type { ClassType } from "#aten/core/class_type";
import { InterfaceType } from "#aten/core/interface_type";
import { IValue } from "#aten/core/ivalue";
import { NoneType, type Type } from "#aten/core/jit_type";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { is_function } from "#python/Objects/funcobject";
import type { GraphFunction } from "../api/function_impl.ts";
import { ConcreteModuleType, is_module } from "../frontend/concrete_module_type.ts";
import { ErrorReport } from "../frontend/error_report.ts";
import type { SourceRange } from "../frontend/source_range.ts";
import { type CallArguments, positional, SugaredValue } from "../frontend/sugared_value/base.ts";
import type { Self } from "../frontend/sugared_value/classes.ts";
import { IterableTree } from "../frontend/sugared_value/iterables.ts";
import {
  BuiltinFunction,
  FunctionValue,
  MethodValue,
  SimpleValue,
  SugaredTupleValue,
} from "../frontend/sugared_value/simple_value.ts";
import { toIValue } from "../ir/constants.ts";
import { createTupleUnpack, type Graph, type Value } from "../ir/ir.ts";
import { NamedValue } from "../ir/named_value.ts";
import { PythonValue, toSugaredValue } from "./python_sugared_value.ts";

/** Questions about the class of a module, and the compilation of its methods: functions of `torch.jit._recursive`. */
export interface ModuleFrontend {
  /** A function of the class that takes the module first, or a static one; undefined if there is none. */
  class_function(py_class: unknown, name: string): { readonly fn: unknown; readonly is_static: boolean } | undefined;
  /** Whether the function stays Python. */
  is_ignored_fn(fn: unknown): boolean;
  /** The function, called with a module. */
  lazy_bind(type: ConcreteModuleType, fn: unknown): unknown;
  compile_unbound_method(type: ConcreteModuleType, fn: unknown, name: string): void;
}

/** `torch.jit` sets it. */
export const module_frontend: { current: ModuleFrontend | null } = { current: null };

function frontend(): ModuleFrontend {
  return module_frontend.current as ModuleFrontend;
}

/** Members of a module with their names: `modules` are modules, parameters or buffers. */
interface SugaredDict {
  readonly keys: SugaredTupleValue;
  readonly modules: SugaredTupleValue;
}

/** A method such as `items`, whose result is already known. */
class ModuleDictMethod extends SugaredValue {
  private readonly iterable_: SugaredValue;
  private readonly name_: string;

  constructor(iterable: SugaredValue, name: string) {
    super();
    this.iterable_ = iterable;
    this.name_ = name;
  }

  kind(): string {
    return this.name_;
  }

  override call(loc: SourceRange, _m: GraphFunction, { args, kwargs }: CallArguments): SugaredValue {
    if (args.length > 0 || kwargs.length > 0)
      throw new ErrorReport(loc, this.name_, " method does not accept any arguments");
    return this.iterable_;
  }
}

/** `self` in the methods of a module. */
export class ModuleSelf implements Self {
  private readonly concrete_type_: ConcreteModuleType;

  constructor(type: ConcreteModuleType) {
    this.concrete_type_ = type;
  }
  makeSugared(value: Value): SugaredValue {
    value.setType(this.getClassType());
    return new ModuleValue(value, this.concrete_type_);
  }
  getClassType(): ClassType {
    return this.concrete_type_.class_type();
  }
}

export class ModuleValue extends SugaredValue {
  private readonly self_: Value;
  private readonly concrete_type_: ConcreteModuleType;

  constructor(self: Value, type: ConcreteModuleType) {
    super();
    this.self_ = self;
    this.concrete_type_ = type;
  }

  kind(): string {
    return "module";
  }

  override asValue(): Value {
    return this.self_;
  }

  // Attributes

  /** Also what a property gives. @throws {ErrorReport} with the reason why an attribute of the program could not be converted */
  override attr(loc: SourceRange, m: GraphFunction, field: string): SugaredValue {
    const found = this.tryGetAttr(loc, m, field);
    if (found !== null) return found;
    const type = this.concrete_type_.class_type();
    const property = type.getProperty(field);
    if (property !== null) return new MethodValue(this.self_, [property.getter.name()]).call(loc, m, positional([]));
    const { failed_attributes, ignored_attributes } = this.concrete_type_.data;
    const ignored = ignored_attributes.has(field) ? "attribute was ignored during compilation" : "";
    const hint = failed_attributes.get(field) ?? ignored;
    const atom = type.name().slice(type.name().lastIndexOf(".") + 1);
    throw new ErrorReport(loc, `Module '${atom}' has no attribute '${field}' `, hint);
  }

  override hasAttr(loc: SourceRange, m: GraphFunction, field: string): boolean {
    return this.tryGetAttr(loc, m, field) !== null;
  }

  override setAttr(loc: SourceRange, m: GraphFunction, field: string, value: Value): void {
    new SimpleValue(this.self_).setAttr(loc, m, field, value);
  }

  private tryGetAttr(loc: SourceRange, m: GraphFunction, field: string): SugaredValue | null {
    const { data, jit_type } = this.concrete_type_;
    if (jit_type instanceof InterfaceType) return new SimpleValue(this.self_).attr(loc, m, field);
    const of_type = this.attrOfType(loc, m, field, jit_type);
    if (of_type !== null) return of_type;
    const iterated = this.iteration(loc, m, field);
    if (iterated !== null) return iterated;
    const overloads = data.overloads.get(field);
    if (overloads !== undefined) return new MethodValue(this.self_, overloads);
    const fn = data.function_attributes.get(field);
    if (fn !== undefined) return new FunctionValue([fn.function_]);
    const builtin = data.builtin_functions.get(field);
    if (builtin !== undefined) return new BuiltinFunction(builtin);
    return this.attrOfClass(loc, m, field);
  }

  private attrOfType(loc: SourceRange, m: GraphFunction, field: string, type: ClassType): SugaredValue | null {
    const attribute = type.findAttribute(field);
    if (attribute !== null && is_module(attribute)) return this.submodule(m, field, attribute);
    if (attribute !== null || type.findMethod(field) !== null) return new SimpleValue(this.self_).attr(loc, m, field);
    const constant = type.findConstant(field);
    return constant === null ? null : new SimpleValue(insertNested(m.graph(), constant, loc));
  }

  private submodule(m: GraphFunction, field: string, type: Type): ModuleValue {
    const concrete = this.concrete_type_.findSubmoduleConcreteType(field) ?? ConcreteModuleType.fromJitType(type);
    return new ModuleValue(m.graph().insertGetAttr(this.self_, field), concrete);
  }

  /** A method of the Python class that has not been compiled, or that stays Python. */
  private attrOfClass(loc: SourceRange, m: GraphFunction, field: string): SugaredValue | null {
    const { py_class } = this.concrete_type_.data;
    const found = py_class === null ? undefined : frontend().class_function(py_class, field);
    if (found === undefined) return null;
    if (found.is_static) return toSugaredValue(found.fn, m, loc);
    TORCH_INTERNAL_ASSERT(is_function(found.fn));
    if (frontend().is_ignored_fn(found.fn)) {
      return new PythonValue(frontend().lazy_bind(this.concrete_type_, found.fn), this.self_);
    }
    frontend().compile_unbound_method(this.concrete_type_, found.fn, field);
    return this.attr(loc, m, field);
  }

  // Iteration

  /** `items`, `children`, `named_modules` and so on. */
  private iteration(loc: SourceRange, m: GraphFunction, field: string): SugaredValue | null {
    const kind = this.concrete_type_.data.iterable_kind;
    if (["keys", "values", "items"].includes(field)) {
      if (kind === "DICT") return this.methodOf(loc, m, this.submodules(loc, m), field);
      if (kind === "PARAMDICT") return this.methodOf(loc, m, this.parameters(loc, m), field);
      return null;
    }
    if (["named_modules", "modules", "children", "named_children"].includes(field)) {
      return this.methodOf(loc, m, this.submodules(loc, m), field);
    }
    if (field === "named_buffers") return this.methodOf(loc, m, this.members(loc, m, "BUFFER"), field);
    return null;
  }

  private methodOf(loc: SourceRange, m: GraphFunction, dict: SugaredDict, field: string): SugaredValue {
    switch (field) {
      case "keys":
        return new ModuleDictMethod(dict.keys, field);
      case "values":
      case "children":
        return new ModuleDictMethod(dict.modules, field);
      case "modules":
      case "named_modules": {
        const [keys, values]: [SugaredValue[], SugaredValue[]] = [[], []];
        this.recurseThroughNestedModules(loc, m, { keys, values }, "");
        const modules = new SugaredTupleValue(values);
        if (field === "modules") return new ModuleDictMethod(modules, field);
        return new ModuleDictMethod(new IterableTree(loc, [new SugaredTupleValue(keys), modules]), field);
      }
      default:
        return new ModuleDictMethod(new IterableTree(loc, [dict.keys, dict.modules]), field);
    }
  }

  private recurseThroughNestedModules(
    loc: SourceRange,
    m: GraphFunction,
    found: { readonly keys: SugaredValue[]; readonly values: SugaredValue[] },
    prefix: string,
  ): void {
    found.keys.push(new SimpleValue(m.graph().insertConstant(IValue.fromString(prefix))));
    found.values.push(this);
    const { keys, modules } = this.submodules(loc, m);
    for (const [i, module] of modules.asTuple().entries()) {
      const key = toIValue(keys.asTuple()[i].asValue(loc, m))?.toStringRef() ?? "";
      (module as ModuleValue).recurseThroughNestedModules(loc, m, found, prefix === "" ? key : `${prefix}.${key}`);
    }
  }

  private submodules(_loc: SourceRange, m: GraphFunction): SugaredDict {
    const found = this.concrete_type_
      .class_type()
      .getAttributes()
      .filter(({ type }) => is_module(type));
    const keys: SugaredValue[] = [];
    const modules: SugaredValue[] = [];
    for (const { name, type } of found) {
      keys.push(new SimpleValue(m.graph().insertConstant(IValue.fromString(name))));
      modules.push(this.submodule(m, name, type));
    }
    return { keys: new SugaredTupleValue(keys), modules: new SugaredTupleValue(modules) };
  }

  /** Parameters or buffers. Each is read twice, as in PyTorch; nothing uses the first. */
  private members(loc: SourceRange, m: GraphFunction, kind: "BUFFER" | "PARAMETER"): SugaredDict {
    const keys: SugaredValue[] = [];
    const modules: SugaredValue[] = [];
    for (const attribute of this.concrete_type_.class_type().getAttributes()) {
      if (attribute.kind !== kind) continue;
      keys.push(new SimpleValue(m.graph().insertConstant(IValue.fromString(attribute.name))));
      m.graph().insertGetAttr(this.self_, attribute.name);
      modules.push(this.attr(loc, m, attribute.name));
    }
    return { keys: new SugaredTupleValue(keys), modules: new SugaredTupleValue(modules) };
  }

  private parameters(loc: SourceRange, m: GraphFunction): SugaredDict {
    return this.members(loc, m, "PARAMETER");
  }

  override iter(loc: SourceRange, m: GraphFunction): SugaredValue {
    switch (this.concrete_type_.data.iterable_kind) {
      case "DICT":
        return this.submodules(loc, m).keys;
      case "LIST":
        return this.submodules(loc, m).modules;
      case "PARAMLIST":
        return this.parameters(loc, m).modules;
      case "PARAMDICT":
        return this.parameters(loc, m).keys;
      default:
        throw new ErrorReport(
          loc,
          "Only constant Sequential, ModuleList, ModuleDict, or ParameterList can be used as an iterable",
        );
    }
  }

  override asTuple(loc: SourceRange, m: GraphFunction): readonly SugaredValue[] {
    const kind = this.concrete_type_.data.iterable_kind;
    if (kind === "LIST") return this.submodules(loc, m).modules.asTuple();
    if (kind === "PARAMLIST") return this.parameters(loc, m).modules.asTuple();
    throw new ErrorReport(loc, "Only ModuleList or Sequential modules can be used as tuple");
  }

  override asTupleValue(loc: SourceRange, m: GraphFunction): SugaredValue {
    if (this.concrete_type_.data.iterable_kind === "LIST") return this.submodules(loc, m).modules;
    throw new ErrorReport(loc, "Only ModuleList or Sequential modules can be used as tuple");
  }

  override getitem(loc: SourceRange, m: GraphFunction, idx: Value, type_hint: Type | null = null): SugaredValue {
    const kind = this.concrete_type_.data.iterable_kind;
    switch (kind) {
      case "LIST":
        if (type_hint !== null) return this.hinted(loc, m, idx, type_hint);
        return this.submodules(loc, m).modules.getitem(loc, m, idx);
      case "PARAMLIST":
        return this.parameters(loc, m).modules.getitem(loc, m, idx);
      case "DICT":
      case "PARAMDICT": {
        const key = toIValue(idx);
        if (key !== null) {
          const { keys, modules } = kind === "DICT" ? this.submodules(loc, m) : this.parameters(loc, m);
          const text = key.toStringRef();
          const i = keys.asTuple().findIndex((name) => toIValue(name.asValue(loc, m))?.toStringRef() === text);
          if (i < 0) throw new ErrorReport(loc, "Key Error, ", text);
          return modules.asTuple()[i];
        }
        if (type_hint !== null) return this.hinted(loc, m, idx, type_hint);
        throw new ErrorReport(
          loc,
          "Unable to extract string literal index. ModuleDict indexing is only supported with string literals. ",
          `For example, 'i = "a"; self.layers[i](x)' will fail because i is not a literal. `,
          "Enumeration of ModuleDict is supported, e.g. 'for k, v in self.items(): out = v(inp)'",
        );
      }
      default:
        throw new ErrorReport(
          loc,
          "Only ModuleList, Sequential, ModuleDict, ParameterList, and ParameterDict modules are subscriptable",
        );
    }
  }

  /** `layer: Interface = self.layers[i]` with an index that is not known now. */
  private hinted(loc: SourceRange, m: GraphFunction, idx: Value, type_hint: Type): SugaredValue {
    for (const { name, type } of this.concrete_type_.class_type().getAttributes()) {
      const why_not: string[] = [];
      if (!is_module(type) || type.isSubtypeOfExt(type_hint, why_not)) continue;
      throw new ErrorReport(
        loc,
        `Attribute ${name} is not of annotated type ${type_hint.annotation_str()}: `,
        why_not.join(""),
      );
    }
    return new SimpleValue(this.self_).getitem(loc, m, idx, type_hint);
  }

  // Calls

  /** Pre-hooks take the arguments as a tuple; hooks take them and the result. */
  override call(loc: SourceRange, m: GraphFunction, { args, kwargs, n_binders }: CallArguments): SugaredValue {
    const { jit_type } = this.concrete_type_;
    const graph = m.graph();
    const hooks = jit_type instanceof InterfaceType ? [] : jit_type.getForwardHooks();
    const pre_hooks = jit_type instanceof InterfaceType ? [] : jit_type.getForwardPreHooks();
    let given = args;
    const run = (hook: FunctionValue, inputs: readonly Value[]): Value =>
      hook.call(loc, m, { args: inputs.map((input) => new NamedValue(input)), kwargs, n_binders }).asValue(loc, m);
    let input: Value | null = null;
    if (hooks.length + pre_hooks.length > 0) {
      input = graph.insertNode(graph.createTuple(args.map((arg) => arg.value(graph)))).output();
    }
    if (pre_hooks.length > 0) {
      for (const hook of pre_hooks) {
        const output = run(new FunctionValue([hook]), [this.self_, input as Value]);
        if (output.type() === NoneType) continue;
        input = output.type().kind() === "TupleType" ? output : graph.insertNode(graph.createTuple([output])).output();
      }
      const elements = createTupleUnpack(input as Value).map((element) => new NamedValue(element));
      if (args.length > 0) given = elements;
    }
    const forward = this.attr(loc, m, "forward").call(loc, m, { args: given, kwargs, n_binders });
    if (hooks.length + pre_hooks.length === 0) return forward;
    let output = forward.asValue(loc, m);
    for (const hook of hooks) {
      const replaced = run(new FunctionValue([hook]), [this.self_, input as Value, output]);
      if (replaced.type() !== NoneType) output = replaced;
    }
    return new SimpleValue(output);
  }
}

/** A constant; the elements of a tuple are constants of their own. */
function insertNested(graph: Graph, value: IValue, loc: SourceRange): Value {
  if (value.tag !== "Tuple") return graph.insertConstant(value, loc);
  const elements = value.toTuple().map((element) => insertNested(graph, element, loc));
  return graph.insertNode(graph.createTuple(elements)).output();
}
