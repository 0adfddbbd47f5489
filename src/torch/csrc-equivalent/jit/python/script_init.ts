/**
 * @file The compilation unit of the scripts of Python programs, and the compilation of functions and classes for it.
 * @mirrors torch/csrc/jit/python/script_init.cpp
 */
import { ClassType } from "#aten/core/class_type";
import { Argument, FunctionSchema } from "#aten/core/function_schema";
import { isInferredType } from "#aten/core/inferred_type";
import { IntType, type Type } from "#aten/core/jit_type";
import { OperatorName } from "#aten/core/operator_name";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { PyDict } from "#python/Objects/dictobject";
import { repr } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import { THPUtils_checkLong } from "#torch/csrc-equivalent/utils/python_numbers";
import { CompilationUnit } from "../api/compilation_unit.ts";
import type { GraphFunction } from "../api/function_impl.ts";
import type { ConcreteModuleType } from "../frontend/concrete_module_type.ts";
import { ErrorReport } from "../frontend/error_report.ts";
import type { Resolver } from "../frontend/resolver.ts";
import type { SourceRange } from "../frontend/source_range.ts";
import type { SugaredValue } from "../frontend/sugared_value/base.ts";
import { ClassValue, SimpleSelf } from "../frontend/sugared_value/classes.ts";
import { type ClassDef, Def, type Property } from "../frontend/tree_views.ts";
import { ModuleSelf } from "./module_value.ts";
import { toIValue } from "./pybind_utils.ts";
import { python_frontend, toSugaredValue } from "./python_sugared_value.ts";

/** Finds the object of a name; undefined or null if there is none. */
export type ResolutionCallback = (name: string) => unknown;

/** Finds names in the Python program around a script. */
export class PythonResolver implements Resolver {
  private readonly rcb_: ResolutionCallback;
  /** The class that is being compiled; its methods see it. */
  private readonly class_: { readonly name: string; readonly type: ClassType } | null;

  constructor(rcb: ResolutionCallback, cls: { readonly name: string; readonly type: ClassType } | null = null) {
    this.rcb_ = rcb;
    this.class_ = cls;
  }

  resolveValue(name: string, m: GraphFunction, loc: SourceRange): SugaredValue | null {
    if (this.class_?.name === name) return new ClassValue(this.class_.type);
    const obj = this.rcb_(name);
    return obj === null || obj === undefined ? null : toSugaredValue(obj, m, loc);
  }

  resolveType(name: string, loc: SourceRange): Type | null {
    if (this.class_?.name === name) return this.class_.type;
    const obj = this.rcb_(name);
    if (obj === null || obj === undefined) return null;
    return python_frontend.current?.try_ann_to_type(obj, loc) ?? null;
  }
}

let python_cu = new CompilationUnit();

/** The unit that holds what Python programs script. */
export function get_python_cu(): CompilationUnit {
  return python_cu;
}

/** Forgets everything that was scripted. For tests. */
export function clear_python_cu(): void {
  python_cu = new CompilationUnit();
}

/** Default values of arguments by name. */
export type FunctionDefaults = ReadonlyMap<string, unknown>;

function checkMutableFunctionDefault(range: SourceRange, arg: Argument, value: unknown): void {
  if (!(value instanceof PyDict) && (!Array.isArray(value) || type_of(value).tp_name !== "list")) return;
  throw new ErrorReport(
    range,
    "Mutable default parameters are not supported because Python binds them to the function",
    " and they persist across function calls.\n As a workaround, make the default None and instantiate",
    ` the default parameter within the body of the function. Found ${repr(type_of(value).cls)} on parameter ${arg.name()}`,
  );
}

/** The schema under another name, with the defaults that Python evaluated. */
function getSchemaWithNameAndDefaults(
  range: SourceRange,
  schema: FunctionSchema,
  new_name: string | null,
  defaults: FunctionDefaults,
): FunctionSchema {
  const args = schema.arguments().map((arg) => {
    if (!defaults.has(arg.name())) return arg;
    const value = defaults.get(arg.name());
    checkMutableFunctionDefault(range, arg, value);
    try {
      const N = arg.N();
      // One number for a list of N stays one number: a call makes the list of it.
      const type = N !== null && THPUtils_checkLong(value) ? IntType : arg.type();
      const default_value = toIValue(value, type, N);
      return new Argument(arg.name(), arg.type(), { N, default_value, kwarg_only: arg.kwarg_only() });
    } catch {
      const because = isInferredType(arg.type())
        ? `.Because "${arg.name()}" was not annotated with an explicit type it is assumed to be type 'Tensor'.`
        : ".";
      throw new ErrorReport(
        range,
        `Expected a default value of type ${arg.type().repr_str()} on parameter "${arg.name()}"${because}`,
      );
    }
  });
  const name = new_name === null ? schema.operator_name() : new OperatorName(new_name, schema.overload_name());
  return new FunctionSchema(name, args, schema.returns(), schema.is_vararg(), schema.is_varret());
}

/** A definition with the names that it sees and the default values of its parameters. */
export interface MethodStub {
  readonly def: Def;
  readonly rcb: ResolutionCallback;
  readonly defaults: FunctionDefaults;
}

/** Compiles methods and properties of a module. */
export function create_methods_and_properties(
  type: ConcreteModuleType,
  methods: readonly MethodStub[],
  properties: readonly { readonly def: Property; readonly rcb: ResolutionCallback }[],
): void {
  const class_type = type.class_type();
  const prefix = class_type.name();
  const cu = class_type.compilation_unit() as CompilationUnit;
  cu.define(prefix, {
    properties: properties.map(({ def, rcb }) => [def, new PythonResolver(rcb)] as const),
    defs: methods.map(({ def, rcb }) => [def, new PythonResolver(rcb)] as const),
    self: new ModuleSelf(type),
  });
  for (const { def, defaults } of methods) {
    const method = cu.get_function(`${prefix}.${def.name().name()}`);
    method.setSchema(getSchemaWithNameAndDefaults(def.range(), method.getSchema(), null, defaults));
  }
}

/** Compiles the hooks of a module, which take it first. */
export function create_hooks(type: ConcreteModuleType, stubs: readonly MethodStub[], is_pre_hook: boolean): void {
  const class_type = type.class_type();
  const cu = class_type.compilation_unit() as CompilationUnit;
  for (const { def, rcb } of stubs) {
    const name = def.name().name();
    const known = class_type.findHook(name);
    const fn = known ?? cu.define_hook(class_type.name(), def, new PythonResolver(rcb), new ModuleSelf(type));
    if (is_pre_hook) class_type.addForwardPreHook(fn);
    else class_type.addForwardHook(fn);
  }
}

function prefix_of(name: string): string {
  return name.slice(0, name.lastIndexOf("."));
}

/** Compiles a function; its name is changed if it is taken. */
export function script_compile_function(
  name: string,
  def: Def,
  defaults: FunctionDefaults,
  rcb: ResolutionCallback,
): GraphFunction {
  const resolver = new PythonResolver(rcb);
  const [fn] = get_python_cu().define(prefix_of(name), { defs: [[def, resolver]], self: null, shouldMangle: true });
  const short = def.name().name();
  fn.setSchema(getSchemaWithNameAndDefaults(def.range(), fn.getSchema(), short, defaults));
  return fn;
}

/** Compiles an implementation with the parameters of one of its declarations. */
export function script_compile_overloaded_function(
  name: string,
  { overload, implementation }: { readonly overload: Def; readonly implementation: Def },
  {
    defaults,
    overload_defaults,
  }: { readonly defaults: FunctionDefaults; readonly overload_defaults: FunctionDefaults },
  rcb: ResolutionCallback,
): GraphFunction {
  const merged = new Map([...defaults, ...overload_defaults]);
  const decl = overload.decl();
  const def = Def.create(implementation.range(), implementation.name(), decl, implementation.statements());
  return script_compile_function(name, def, merged, rcb);
}

/** Compiles the methods of a class. */
export function script_class_compile(
  qualified_name: string,
  class_def: ClassDef,
  defaults: ReadonlyMap<string, FunctionDefaults>,
  rcb: ResolutionCallback,
): ClassType {
  TORCH_INTERNAL_ASSERT(!class_def.superclass().present(), "Superclass not supported");
  const cu = get_python_cu();
  const name = cu.get_type(qualified_name) === null ? qualified_name : cu.mangle(qualified_name);
  const type = ClassType.create(name, cu, false);
  cu.register_type(type);
  const short = qualified_name.slice(qualified_name.lastIndexOf(".") + 1);
  const resolver = new PythonResolver(rcb, { name: short, type });
  const defs = class_def.body().map((stmt) => new Def(stmt.get()));
  cu.define(name, {
    properties: class_def.properties().map((property) => [property, resolver] as const),
    defs: defs.map((def) => [def, resolver] as const),
    self: new SimpleSelf(type),
  });
  for (const def of defs) {
    const method = type.getMethod(def.name().name()) as GraphFunction;
    const values = defaults.get(def.name().name()) ?? new Map<string, unknown>();
    method.setSchema(getSchemaWithNameAndDefaults(def.range(), method.getSchema(), method.name(), values));
  }
  return type;
}
