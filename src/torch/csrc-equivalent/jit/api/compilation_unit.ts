/**
 * @file Owner of functions and class types: what a script defines, a module's methods, an archive's code.
 * @mirrors torch/csrc/jit/api/compilation_unit.h
 */
import type { ClassType } from "#aten/core/class_type";
import type { EnumType } from "#aten/core/enum_type";
import { Argument, FunctionSchema } from "#aten/core/function_schema";
import { InterfaceType } from "#aten/core/interface_type";
import type { NamedTupleType } from "#aten/core/tuple_type";
import { TORCH_CHECK } from "#c10/util/Exception";
import { ErrorReport } from "../frontend/error_report.ts";
import { emitNamedFunction } from "../frontend/ir_emitter/index.ts";
import { mangle } from "../frontend/name_mangler.ts";
import { Parser } from "../frontend/parser.ts";
import type { Resolver } from "../frontend/resolver.ts";
import { ScriptTypeParser } from "../frontend/script_type_parser.ts";
import { Source, type SourceRange } from "../frontend/source_range.ts";
import type { SugaredValue } from "../frontend/sugared_value/base.ts";
import type { Self } from "../frontend/sugared_value/classes.ts";
import { FunctionValue } from "../frontend/sugared_value/simple_value.ts";
import { type ClassDef, Def, ExprStmt, type Property } from "../frontend/tree_views.ts";
import { Graph } from "../ir/ir.ts";
import { GraphFunction } from "./function_impl.ts";

/** A type with a qualified name. */
export type NamedType = ClassType | EnumType | InterfaceType | NamedTupleType;

/** Functions that are defined together see each other. */
class FunctionResolver implements Resolver {
  private readonly other: Resolver;
  private readonly functions: ReadonlyMap<string, GraphFunction>;

  constructor(other: Resolver, functions: ReadonlyMap<string, GraphFunction>) {
    this.other = other;
    this.functions = functions;
  }

  resolveValue(name: string, m: GraphFunction, loc: SourceRange): SugaredValue | null {
    const fn = this.functions.get(name);
    return fn === undefined ? this.other.resolveValue(name, m, loc) : new FunctionValue([fn]);
  }

  resolveType(name: string, loc: SourceRange) {
    return this.other.resolveType(name, loc);
  }
}

/** Definitions that are made together. Each definition has a resolver of its own. */
export interface Definitions {
  readonly properties?: readonly (readonly [Property, Resolver])[];
  readonly defs: readonly (readonly [Def, Resolver])[];
  /** The class whose methods they are; null for functions. */
  readonly self: Self | null;
  /** Whether a name that is taken is changed; otherwise it is an error. */
  readonly shouldMangle?: boolean;
}

export class CompilationUnit {
  private readonly functions_: GraphFunction[] = [];
  private readonly dict_ = new Map<string, GraphFunction>();
  private readonly classes_ = new Map<string, NamedType>();

  find_function(name: string): GraphFunction | null {
    return this.dict_.get(name) ?? null;
  }

  get_function(name: string): GraphFunction {
    const fn = this.find_function(name);
    TORCH_CHECK(fn !== null, `attempted to get undefined function ${name}`);
    return fn;
  }

  get_functions(): readonly GraphFunction[] {
    return this.functions_;
  }

  /** Adds a function that has a graph already. */
  create_function(name: string, graph: Graph, shouldMangle = false): GraphFunction {
    const fn = new GraphFunction(shouldMangle ? this.freeName(name) : name, graph);
    this.register_function(fn);
    return fn;
  }

  private register_function(fn: GraphFunction): void {
    TORCH_CHECK(!this.dict_.has(fn.qualname()), `method '${fn.qualname()}' already defined.`);
    this.functions_.push(fn);
    this.dict_.set(fn.qualname(), fn);
  }

  unsafeRemoveMethod(name: string): void {
    const fn = this.get_function(name);
    this.functions_.splice(this.functions_.indexOf(fn), 1);
    this.dict_.delete(name);
  }

  // Types

  register_type(type: NamedType): void {
    const name = type.name();
    TORCH_CHECK(name !== null && !this.classes_.has(name), `class '${name}' already defined.`);
    this.classes_.set(name as string, type);
  }

  get_type(name: string): NamedType | null {
    return this.classes_.get(name) ?? null;
  }

  get_class(name: string): ClassType | null {
    const type = this.get_type(name);
    return type?.kind() === "ClassType" ? (type as ClassType) : null;
  }

  get_interface(name: string): InterfaceType | null {
    const type = this.get_type(name);
    return type instanceof InterfaceType ? type : null;
  }

  types(): readonly NamedType[] {
    return [...this.classes_.values()];
  }

  /** The name, or one made from it that no function and no type has. */
  private freeName(name: string): string {
    let free = name;
    while (this.dict_.has(free) || this.classes_.has(free)) free = mangle(free);
    return free;
  }

  mangle(name: string): string {
    let free = mangle(name);
    while (this.dict_.has(free) || this.classes_.has(free)) free = mangle(free);
    return free;
  }

  // Definitions

  /** Defines the functions of a text; those of a class if `self` is given. */
  define_source(
    prefix: string | null,
    source: string,
    resolver: Resolver,
    self: Self | null,
  ): readonly GraphFunction[] {
    const parser = new Parser(new Source(source, "<string>", 1));
    const defs: [Def, Resolver][] = [];
    while (parser.lexer().cur().kind !== "eof") defs.push([parser.parseFunction(self !== null), resolver]);
    return this.define(prefix, { defs, self });
  }

  define(prefix: string | null, { properties = [], defs, self, shouldMangle = false }: Definitions): GraphFunction[] {
    const functions: GraphFunction[] = [];
    const table = new Map<string, GraphFunction>();
    const record = (fn: GraphFunction): GraphFunction => {
      table.set(fn.name(), fn);
      functions.push(fn);
      this.register_function(fn);
      return fn;
    };
    const options = { self, shouldMangle, table };
    for (const [property, resolver] of properties) {
      const getter = this.make(prefix, property.getter(), resolver, options);
      const setter_def = property.setter().valueOrNull();
      const setter = setter_def === null ? null : this.make(prefix, setter_def, resolver, options);
      self?.getClassType().addProperty(property.name().name(), getter, setter);
      record(getter);
      if (setter !== null) record(setter);
    }
    for (const [def, resolver] of defs) record(this.make(prefix, def, resolver, options));
    // The constructor decides which attributes the other methods see.
    table.get("__init__")?.ensure_defined();
    for (const fn of functions) fn.ensure_defined();
    return functions;
  }

  /** Compiles a hook of a module. It is no method of the class. */
  define_hook(prefix: string, def: Def, resolver: Resolver, self: Self): GraphFunction {
    const name = `${prefix}.${def.name().name()}`;
    const fn = new GraphFunction(name, new Graph(), (hook) => emitNamedFunction(def, resolver, self, hook));
    this.register_function(fn);
    fn.ensure_defined();
    return fn;
  }

  /** A function that is compiled when it is first needed. */
  private make(
    prefix: string | null,
    def: Def,
    given: Resolver,
    options: { self: Self | null; shouldMangle: boolean; table: ReadonlyMap<string, GraphFunction> },
  ): GraphFunction {
    const { self, shouldMangle, table } = options;
    const resolver = self === null ? new FunctionResolver(given, table) : given;
    const full = prefix === null ? def.name().name() : `${prefix}.${def.name().name()}`;
    const name = shouldMangle ? this.freeName(full) : full;
    const fn = new GraphFunction(name, new Graph(), (method) => emitNamedFunction(def, resolver, self, method));
    self?.getClassType().addMethod(fn);
    return fn;
  }

  /** Declares an interface: methods with annotations, whose bodies are `pass`. */
  define_interface(qualified_name: string, class_def: ClassDef, resolver: Resolver, is_module = false): void {
    const type = InterfaceType.create(qualified_name, is_module);
    for (const stmt of class_def.body()) {
      if (stmt.kind() !== "def") {
        throw new ErrorReport(stmt, "interface declartions can only contain method definitions");
      }
      const def = new Def(stmt.get());
      if (!def.decl().return_type().present()) {
        throw new ErrorReport(def, "interface declarations must have a return type annotated.");
      }
      type.addMethod(schemaWithSelf(def, resolver, type));
      const statements = def.statements().all();
      for (const [i, inner] of statements.entries()) {
        const last = i === statements.length - 1;
        if (inner.kind() === "pass") {
          if (last) break;
          this.register_type(type); // as in PyTorch, what follows a "pass" is not read
          return;
        }
        if (last) throw new ErrorReport(def, "interfaces declarations should contain 'pass' statement.");
        const comment =
          inner.kind() !== "expression statement" || new ExprStmt(inner.get()).expr().kind() === "string_literal";
        if (!comment) {
          throw new ErrorReport(def, "interfaces declarations should only contain a single 'pass' statement.");
        }
      }
    }
    this.register_type(type);
  }
}

/** The schema of a method, with its first argument of the given type. */
function schemaWithSelf(def: Def, resolver: Resolver, type: ClassType | InterfaceType): FunctionSchema {
  const schema = new ScriptTypeParser(resolver).parseSchemaFromDef(def, true);
  const self = new Argument(def.decl().params().at(0).ident().name(), type);
  return new FunctionSchema(schema.operator_name(), [self, ...schema.arguments()], schema.returns());
}
