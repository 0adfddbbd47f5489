/**
 * @file Modules and methods of scripts for Python: `torch._C.ScriptModule`, `torch._C.ScriptMethod`.
 * @mirrors torch/csrc/jit/python/script_init.cpp
 */
import type { ClassType } from "#aten/core/class_type";
import type { FunctionSchema } from "#aten/core/function_schema";
import type { IValue } from "#aten/core/ivalue";
import type { Object_ } from "#aten/core/ivalue_inl";
import type { Stack } from "#aten/core/stack";
import { AttributeError } from "#c10/util/Exception";
import { PyDict } from "#python/Objects/dictobject";
import { tuple } from "#python/Objects/tupleobject";
import { incompatible_constructor, pybind_class, pybind_def } from "../../utils/pybind.ts";
import type { CompilationUnit } from "../api/compilation_unit.ts";
import type { GraphFunction } from "../api/function_impl.ts";
import { ModuleObject } from "../api/module.ts";
import type { ConcreteModuleType } from "../frontend/concrete_module_type.ts";
import { Parser } from "../frontend/parser.ts";
import { Source } from "../frontend/source_range.ts";
import type { Def } from "../frontend/tree_views.ts";
import type { Graph } from "../ir/ir.ts";
import { freeze_module } from "../passes/freeze_module/index.ts";
import { inlined } from "../passes/inliner.ts";
import { executor_of } from "../runtime/graph_executor/index.ts";
import { code_of } from "../serialization/python_print/index.ts";
import { graph_for, PyGraphExecutorState } from "./executor.ts";
import { createStackForSchema, splitKwargs, toIValue } from "./pybind_utils.ts";
import {
  createGraphByTracing,
  createGraphByTracingWithDict,
  runAndInsertCall,
  type TracedFunction,
  toTraceableStack,
} from "./python_tracer.ts";
import { create_methods_and_properties, type ResolutionCallback } from "./script_init.ts";
import { module_wrapper, register_script_object } from "./script_objects.ts";
import { result_for_python, toPythonObject } from "./script_values.ts";

/** A method of a module, with the module. It can be called. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor returns a callable object
export class ScriptMethod {
  static readonly __name__ = "ScriptMethod";
  declare private readonly function_: GraphFunction;
  declare readonly owner: ScriptModule;

  constructor(owner: ScriptModule, fn: GraphFunction) {
    const self = ((...args: unknown[]) => call_method(owner, fn, args)) as unknown as ScriptMethod;
    Reflect.deleteProperty(self, "name");
    Object.setPrototypeOf(self, new.target.prototype);
    Object.assign(self, { function_: fn, owner });
    // biome-ignore lint/correctness/noConstructorReturn: a callable object
    return self;
  }

  get name(): string {
    return this.function_.name();
  }
  get __name__(): string {
    return this.function_.name();
  }
  get qualified_name(): string {
    return this.function_.qualname();
  }
  get graph(): Graph {
    return this.function_.graph();
  }
  get inlined_graph(): Graph {
    return inlined(this.function_.graph());
  }
  get schema(): FunctionSchema {
    return this.function_.getSchema();
  }
  get code(): string {
    return code_of(this.function_, true);
  }
  /** The code, and the constants by the names that the code has for them. */
  get code_with_constants(): [code: string, constants: Map<string, unknown>] {
    const table: IValue[] = [];
    const code = code_of(this.function_, true, table);
    const constants = new PyDict();
    for (const [i, value] of table.entries()) constants.set(`c${i}`, toPythonObject(value));
    return tuple<unknown>([code, constants]) as unknown as [string, Map<string, unknown>];
  }
  get_debug_state(): PyGraphExecutorState {
    return new PyGraphExecutorState(executor_of(this.function_).getDebugState());
  }
  /** The graph that runs for these arguments. */
  graph_for(...args: unknown[]): Graph {
    return graph_for(this, args);
  }
}
export interface ScriptMethod {
  // biome-ignore lint/style/useShorthandFunctionType: merged with the class
  (...args: unknown[]): unknown;
}

function call_method(owner: ScriptModule, fn: GraphFunction, args: readonly unknown[]): unknown {
  const { positional, kwargs } = splitKwargs(args);
  const stack = createStackForSchema(fn.getSchema(), [owner, ...positional], kwargs);
  runAndInsertCall(fn, stack, true, (values) => executor_of(fn).run(values));
  return result_for_python(stack);
}

/** A module of scripts. */
export class ScriptModule {
  static readonly __name__ = "ScriptModule";
  readonly module: ModuleObject;

  constructor(module: ModuleObject) {
    if (!(module instanceof ModuleObject))
      throw incompatible_constructor(
        "torch._C.ScriptModule(arg0: str, arg1: torch::jit::CompilationUnit, arg2: bool)",
        [module],
      );
    this.module = module;
    register_script_object(this, module.object);
  }

  /** The one object of Python for a module. */
  static of(object: Object_): ScriptModule {
    let known = wrappers.get(object);
    if (known === undefined) {
      known = new ScriptModule(new ModuleObject(object));
      wrappers.set(object, known);
    }
    return known;
  }

  _type(): ClassType {
    return this.module.type();
  }
  hasattr(name: string): boolean {
    return this._type().hasAttribute(name);
  }
  getattr(name: string): unknown {
    if (!this.hasattr(name)) {
      throw new AttributeError(`'${this._type().annotation_str()}' object has no attribute '${name}'`);
    }
    return toPythonObject(this.module.attr(name));
  }
  setattr(name: string, value: unknown): void {
    this.module.object.setAttr(name, toIValue(value, this._type().getAttribute(name)));
  }
  _has_method(name: string): boolean {
    return this.module.find_method(name) !== null;
  }
  _get_method(name: string): ScriptMethod {
    return new ScriptMethod(this, this.module.get_method(name));
  }
  _get_methods(): ScriptMethod[] {
    return this.module.methods().map((method) => new ScriptMethod(this, method));
  }
  _method_names(): string[] {
    return this.module.methods().map((method) => method.name());
  }
  dump_to_str(code = true, attrs = true, params = true): string {
    return this.module.dump_to_str({ code, attrs, params });
  }
  /** Adds a method that is the trace of a function. */
  _create_method_from_trace(
    name: string,
    traced: TracedFunction,
    inputs: readonly unknown[],
    store_inputs: boolean,
  ): void {
    const stack = toTraceableStack(inputs);
    this.add_traced(name, createGraphByTracing(traced, stack, this.module), store_inputs ? stack : null);
  }
  _create_method_from_trace_with_dict(
    name: string,
    traced: TracedFunction,
    inputs: ReadonlyMap<string, unknown>,
    store_inputs: boolean,
  ): void {
    const [graph, stack] = createGraphByTracingWithDict(traced, inputs, this.module);
    this.add_traced(name, graph, store_inputs ? stack : null);
  }
  private add_traced(name: string, graph: Graph, inputs: Stack | null): void {
    const type = this._type();
    const unit = type.compilation_unit() as CompilationUnit; // classes of modules are in one
    type.addMethod(unit.create_function(`${type.name()}.${name}`, graph));
    if (inputs !== null) this.module.store_traced_inputs(name, inputs);
  }
  /** Compiles the methods in a text. */
  _define(type: ConcreteModuleType, source: string, rcb: ResolutionCallback): void {
    const parser = new Parser(new Source(source, "<string>", 1));
    const defs: Def[] = [];
    while (parser.lexer().cur().kind !== "eof") defs.push(parser.parseFunction(true));
    const stubs = defs.map((def) => ({ def, rcb, defaults: new Map<string, unknown>() }));
    create_methods_and_properties(type, stubs, []);
  }
}

const wrappers = new WeakMap<Object_, ScriptModule>();
module_wrapper.wrap = (object) => ScriptModule.of(object);

/** The members of a module of one kind, as Python's dict-like objects. */
abstract class SlotDict {
  declare static readonly __name__: string;
  protected readonly module: ModuleObject;

  constructor(module: ScriptModule) {
    if (!(module instanceof ScriptModule))
      throw incompatible_constructor(`torch._C.${new.target.__name__}(arg0: torch._C.ScriptModule)`, [module]);
    this.module = module.module;
  }
  abstract items(): [string, unknown][];
  keys(): string[] {
    return this.items().map(([name]) => name);
  }
  values(): unknown[] {
    return this.items().map(([, value]) => value);
  }
}

/** `torch._C.ModuleDict` */
export class ModuleDict extends SlotDict {
  static override readonly __name__ = "ModuleDict";
  override items(): [string, unknown][] {
    return [...this.module.named_children()].map(
      ([name, child]) => tuple<unknown>([name, ScriptModule.of(child.object)]) as unknown as [string, unknown],
    );
  }
}

/** `torch._C.ParameterDict` */
export class ParameterDict extends SlotDict {
  static override readonly __name__ = "ParameterDict";
  override items(): [string, unknown][] {
    return items_of(this.module, "PARAMETER");
  }
}

/** `torch._C.BufferDict` */
export class BufferDict extends SlotDict {
  static override readonly __name__ = "BufferDict";
  override items(): [string, unknown][] {
    return items_of(this.module, "BUFFER");
  }
}

function items_of(module: ModuleObject, kind: "PARAMETER" | "BUFFER"): [string, unknown][] {
  return [...module.slots(kind)].map(
    ([name, value]) => tuple<unknown>([name, toPythonObject(value)]) as unknown as [string, unknown],
  );
}

const signatures = {
  _freeze_module:
    "(module: torch::jit::Module, preservedAttrs: collections.abc.Sequence[str] = [], freezeInterfaces: bool = True, preserveParameters: bool = False) -> torch::jit::Module",
} as const;

export function initScriptModuleBindings(m: Record<string, unknown>): void {
  pybind_class("torch::jit::Module", (value) => value instanceof ScriptModule);
  pybind_class(
    "collections.abc.Sequence[str]",
    (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
  );
  Object.assign(m, { ScriptModule, ScriptMethod, ModuleDict, ParameterDict, BufferDict });
  pybind_def(m, signatures, {
    _freeze_module: (
      module: ScriptModule,
      preserved_attrs: readonly string[] = [],
      freeze_interfaces = true,
      preserve_parameters = false,
    ) =>
      ScriptModule.of(freeze_module(module.module, { preserved_attrs, freeze_interfaces, preserve_parameters }).object),
  });
}
