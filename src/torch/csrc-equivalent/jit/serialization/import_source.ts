/**
 * @file Reads the code of an archive: a class or function is compiled when its name is first asked for.
 * @mirrors torch/csrc/jit/serialization/import_source.cpp
 */
import { ClassType } from "#aten/core/class_type";
import { EnumType } from "#aten/core/enum_type";
import { IValue } from "#aten/core/ivalue";
import { FloatType, IntType, StringType, type Type } from "#aten/core/jit_type";
import { NamedTupleType } from "#aten/core/tuple_type";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { CompilationUnit } from "../api/compilation_unit.ts";
import type { GraphFunction } from "../api/function_impl.ts";
import { ErrorReport } from "../frontend/error_report.ts";
import { Parser } from "../frontend/parser.ts";
import type { Resolver } from "../frontend/resolver.ts";
import { ScriptTypeParser } from "../frontend/script_type_parser.ts";
import type { Source, SourceRange } from "../frontend/source_range.ts";
import { SugaredValue } from "../frontend/sugared_value/base.ts";
import { ClassValue, NamedTupleConstructor, SimpleSelf, SugaredEnumClass } from "../frontend/sugared_value/classes.ts";
import { FunctionValue, SimpleValue, SpecialFormValue } from "../frontend/sugared_value/simple_value.ts";
import { BuiltinModule } from "../frontend/sugared_value/special.ts";
import {
  Assign,
  ClassDef,
  Const,
  Def,
  type Expr,
  ListLiteral,
  StringLiteral,
  Subscript,
  Var,
} from "../frontend/tree_views.ts";

/** The text of the file for `__torch__.net`, or null if there is none. */
export type SourceLoader = (qualifier: string) => Source | null;

/** `__torch__.net`: a part of a name that is not a class or a function yet. */
class ClassNamespaceValue extends SugaredValue {
  private readonly basename_: string;
  private readonly importer_: SourceImporter;

  constructor(name: string, importer: SourceImporter) {
    super();
    this.basename_ = name;
    this.importer_ = importer;
  }

  kind(): string {
    return "Class Namespace";
  }

  override attr(_loc: SourceRange, _m: GraphFunction, name: string): SugaredValue {
    const full_name = `${this.basename_}.${name}`;
    const type = this.importer_.findNamedType(full_name);
    if (type instanceof ClassType) return new ClassValue(type);
    if (type instanceof NamedTupleType) return new NamedTupleConstructor(type);
    if (type instanceof EnumType) return new SugaredEnumClass(type);
    const fn = this.importer_.findFunction(full_name);
    return fn === null ? new ClassNamespaceValue(full_name, this.importer_) : new FunctionValue([fn]);
  }
}

/** `CONSTANTS.c0` */
class ConstantTableValue extends SugaredValue {
  private readonly constants_: readonly IValue[];

  constructor(constants: readonly IValue[]) {
    super();
    this.constants_ = constants;
  }

  kind(): string {
    return "CONSTANTS";
  }

  override attr(loc: SourceRange, m: GraphFunction, field: string): SugaredValue {
    const offset = Number(field.slice(1));
    if (!(offset < this.constants_.length)) {
      throw new ErrorReport(loc, `constant index ${offset} is out of bounds (only ${this.constants_.length} found)`);
    }
    return new SimpleValue(m.graph().insertConstant(this.constants_[offset], loc));
  }
}

/** `ops.prim` */
class OpsValue extends SugaredValue {
  kind(): string {
    return "ops";
  }
  override attr(_loc: SourceRange, _m: GraphFunction, field: string): SugaredValue {
    return new BuiltinModule(field);
  }
}

/** A number that has no literal. */
class ConstantValue extends SugaredValue {
  private readonly value_: IValue;

  constructor(value: IValue) {
    super();
    this.value_ = value;
  }
  kind(): string {
    return "constant";
  }
  override asValue(loc: SourceRange, m: GraphFunction) {
    return m.graph().insertConstant(this.value_, loc);
  }
}

const complex = (imag: number): ConstantValue => new ConstantValue(IValue.fromComplexDouble({ real: 0, imag }));

/** The statements of a class, sorted. */
interface ClassBody {
  readonly lists: Map<string, readonly string[]>;
  readonly attributes: [name: string, type: Expr][];
  readonly constants: Assign[];
  readonly defs: Def[];
}

const NAME_LISTS: ReadonlySet<string> = new Set([
  "__parameters__",
  "__buffers__",
  "__forward_pre_hooks__",
  "__forward_hooks__",
]);

export class SourceImporter implements Resolver {
  private readonly cu_: CompilationUnit;
  private readonly env_: ReadonlyMap<string, SugaredValue>;
  private readonly source_loader_: SourceLoader;
  private readonly loaded_sources_ = new Set<string>();
  /** Definitions that were read and not compiled yet, by qualified name. */
  private readonly to_be_defined_ = new Map<string, ClassDef | Def>();

  constructor(cu: CompilationUnit, constant_table: readonly IValue[], source_loader: SourceLoader) {
    this.cu_ = cu;
    this.source_loader_ = source_loader;
    this.env_ = new Map<string, SugaredValue>([
      ["torch", new BuiltinModule("aten")],
      ["ops", new OpsValue()],
      ["CONSTANTS", new ConstantTableValue(constant_table)],
      ["fork", new SpecialFormValue("prim::fork")],
      ["awaitable", new SpecialFormValue("prim::awaitable")],
      ["annotate", new SpecialFormValue("prim::annotate")],
      ["unchecked_cast", new SpecialFormValue("prim::unchecked_cast")],
      ["uninitialized", new SpecialFormValue("prim::Uninitialized")],
      ["inf", new ConstantValue(IValue.fromDouble(Number.POSITIVE_INFINITY))],
      ["nan", new ConstantValue(IValue.fromDouble(Number.NaN))],
      ["infj", complex(Number.POSITIVE_INFINITY)],
      ["nanj", complex(Number.NaN)],
    ]);
  }

  resolveValue(name: string, _m: GraphFunction, _loc: SourceRange): SugaredValue | null {
    return this.env_.get(name) ?? (name === "__torch__" ? new ClassNamespaceValue(name, this) : null);
  }
  resolveType(name: string, _loc: SourceRange): Type | null {
    return this.findNamedType(name);
  }

  /** The class, enum or named tuple of a name that must exist. */
  loadType(name: string): Type {
    const type = this.findNamedType(name);
    TORCH_CHECK(type !== null, `Unknown type name '${name}'`);
    return type;
  }
  findNamedType(name: string): Type | null {
    const def = this.definition(name);
    if (def instanceof ClassDef) {
      this.to_be_defined_.delete(name);
      this.importNamedType(prefix_of(name), def);
    }
    return this.cu_.get_type(name);
  }
  findFunction(name: string): GraphFunction | null {
    const def = this.definition(name);
    if (def instanceof Def) {
      this.to_be_defined_.delete(name);
      this.cu_.define(prefix_of(name), { defs: [[def, this]], self: null });
    }
    return this.cu_.find_function(name);
  }
  parse_type(annotation: string): Type {
    return new ScriptTypeParser(this).parseType(annotation);
  }

  /** The definition of a name, if it has not been compiled. */
  private definition(name: string): ClassDef | Def | undefined {
    this.parseSourceIfNeeded(prefix_of(name));
    return this.to_be_defined_.get(name);
  }

  /** A name may be a class in a file or a part of a longer name: only the file tells. */
  private parseSourceIfNeeded(qualifier: string): void {
    if (qualifier === "" || this.loaded_sources_.has(qualifier)) return;
    this.loaded_sources_.add(qualifier);
    const source = this.source_loader_(qualifier);
    if (source === null) return;
    const parser = new Parser(source);
    for (let kind = parser.lexer().cur().kind; kind !== "eof"; kind = parser.lexer().cur().kind) {
      if (kind === "class") {
        const def = parser.parseClass();
        this.to_be_defined_.set(`${qualifier}.${def.name().name()}`, def);
      } else {
        const def = parser.parseFunction(false);
        this.to_be_defined_.set(`${qualifier}.${def.name().name()}`, def);
      }
    }
  }

  private importNamedType(qualifier: string, def: ClassDef): void {
    const name = `${qualifier}.${def.name().name()}`;
    const superclass = def.superclass().valueOrNull();
    const kind = superclass === null ? "" : new Var(superclass.get()).name().name();
    switch (kind) {
      case "":
        this.importClass(name, def, false);
        break;
      case "Module":
        this.importClass(name, def, true);
        break;
      case "NamedTuple":
        this.importNamedTuple(name, def);
        break;
      case "Interface":
        this.cu_.define_interface(name, def, this, false);
        break;
      case "ModuleInterface":
        this.cu_.define_interface(name, def, this, true);
        break;
      case "Enum":
        this.importEnum(name, def);
        break;
      default:
        throw new ErrorReport(def.range(), "Torchscript does not support class inheritance.");
    }
  }

  private importClass(name: string, def: ClassDef, is_module: boolean): void {
    const type = ClassType.create(name, this.cu_, is_module);
    const body = split(def);
    const parser = new ScriptTypeParser(this);
    const listed = (list: string): ReadonlySet<string> => new Set(body.lists.get(list) ?? []);
    const [parameters, buffers] = [listed("__parameters__"), listed("__buffers__")];
    for (const [attribute, expr] of body.attributes) {
      type.addAttribute(attribute, parser.parseTypeFromExpr(expr), parameters.has(attribute), buffers.has(attribute));
    }
    for (const assign of body.constants) {
      type.addConstant(new Var(assign.lhs().get()).name().name(), parser.parseClassConstant(assign));
    }
    this.cu_.register_type(type);
    const hooks = new Set([
      ...(body.lists.get("__forward_pre_hooks__") ?? []),
      ...(body.lists.get("__forward_hooks__") ?? []),
    ]);
    const self = new SimpleSelf(type);
    this.cu_.define(name, {
      defs: body.defs.filter((method) => !hooks.has(method.name().name())).map((method) => [method, this] as const),
      self,
    });
    const made = new Map<string, GraphFunction>();
    for (const hook of body.defs.filter((method) => hooks.has(method.name().name()))) {
      made.set(hook.name().name(), this.cu_.define_hook(name, hook, this, self));
    }
    for (const hook of body.lists.get("__forward_pre_hooks__") ?? [])
      type.addForwardPreHook(made.get(hook) as GraphFunction);
    for (const hook of body.lists.get("__forward_hooks__") ?? []) type.addForwardHook(made.get(hook) as GraphFunction);
  }

  private importNamedTuple(name: string, def: ClassDef): void {
    const parser = new ScriptTypeParser(this);
    const fields = def.body().map((statement): [string, Type] => {
      const assign = new Assign(statement.get());
      return [new Var(assign.lhs().get()).name().name(), parser.parseTypeFromExpr(assign.type().value())];
    });
    this.cu_.register_type(
      new NamedTupleType(
        name,
        fields.map(([field]) => field),
        fields.map(([, type]) => type),
      ),
    );
  }

  private importEnum(name: string, def: ClassDef): void {
    let value_type: Type = IntType;
    const members = def.body().map((statement): readonly [string, IValue] => {
      const assign = new Assign(statement.get());
      const member = new Var(assign.lhs().get()).name().name();
      const rhs = assign.rhs().value();
      if (rhs.kind() === "string_literal") {
        value_type = StringType;
        return [member, IValue.fromString(new StringLiteral(rhs.get()).text())];
      }
      const number = new Const(rhs.get());
      if (number.isFloatingPoint()) {
        value_type = FloatType;
        return [member, IValue.fromDouble(number.asFloatingPoint())];
      }
      return [member, IValue.fromInt(Number(number.asIntegral()))];
    });
    this.cu_.register_type(EnumType.create(name, value_type, members, this.cu_));
  }
}

function prefix_of(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf(".")));
}

/** `weight : Tensor`, `__annotations__["0"] = T`, `k : Final[int] = 3`, `__parameters__ = ["weight", ]` and methods. */
function split(def: ClassDef): ClassBody {
  const body: ClassBody = { lists: new Map(), attributes: [], constants: [], defs: [] };
  for (const statement of def.body()) {
    if (statement.kind() === "def") {
      body.defs.push(new Def(statement.get()));
      continue;
    }
    const assign = new Assign(statement.get());
    const lhs = assign.lhs();
    const rhs = assign.rhs().valueOrNull();
    if (lhs.kind() === "subscript") {
      const [key] = new Subscript(lhs.get()).subscript_exprs().all();
      body.attributes.push([new StringLiteral(key.get()).text(), rhs as Expr]);
      continue;
    }
    const name = new Var(lhs.get()).name().name();
    if (NAME_LISTS.has(name)) {
      const items = new ListLiteral((rhs as Expr).get()).inputs().all();
      body.lists.set(
        name,
        items.map((item) => new StringLiteral(item.get()).text()),
      );
    } else if (name !== "__annotations__") {
      if (rhs === null) body.attributes.push([name, assign.type().value()]);
      else body.constants.push(assign);
    }
  }
  return body;
}
