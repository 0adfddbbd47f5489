/**
 * @file Types from expressions: `List[int]`, `Optional[Tensor]`, `int | None`; and the schema of a definition with its defaults.
 * @mirrors torch/csrc/jit/frontend/script_type_parser.cpp
 */
import { Argument, FunctionSchema } from "#aten/core/function_schema";
import { inferredTensorType } from "#aten/core/inferred_type";
import type { IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import * as types from "#aten/core/jit_type";
import { OperatorName } from "#aten/core/operator_name";
import { UnionType } from "#aten/core/union_type";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { ErrorReport } from "./error_report.ts";
import { kindToString } from "./lexer.ts";
import { Parser } from "./parser.ts";
import type { Resolver } from "./resolver.ts";
import { Source, type SourceRange } from "./source_range.ts";
import {
  type Assign,
  Decl,
  Def,
  Expr,
  Ident,
  List,
  Maybe,
  Param,
  pep604union_to_union,
  Return,
  Select,
  Stmt,
  StringLiteral,
  Subscript,
  TupleLiteral,
  Var,
} from "./tree_views.ts";

const string_to_type_lut: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["Tensor", types.TensorType],
  ["int", types.IntType],
  ["float", types.FloatType],
  ["bool", types.BoolType],
  ["complex", types.ComplexType],
  ["str", types.StringType],
  ["Device", types.DeviceObjType],
  ["Generator", types.GeneratorType],
  ["Stream", types.StreamObjType],
  ["number", types.NumberType],
  ["None", types.NoneType],
  ["NoneType", types.NoneType],
  ["Any", types.AnyType],
  ["Capsule", types.CapsuleType],
  ["list", types.AnyListType],
  ["tuple", types.AnyTupleType],
]);

const tensorSubtypes = new Set(
  "Tensor LongTensor FloatTensor DoubleTensor IntTensor ShortTensor HalfTensor CharTensor ByteTensor BoolTensor".split(
    " ",
  ),
);

/** `a.b.c` as a text. */
function collectQualname(select: Select): string {
  const base = select.value();
  const prefix =
    base.kind() === "variable" ? new Var(base.get()).name().name() : collectQualname(new Select(base.get()));
  return `${prefix}.${select.selector().name()}`;
}

/** The name that a type expression says: `torch.Tensor` is `Tensor`. Null if it says no name. */
function parseBaseTypeName(expr: Expr): string | null {
  switch (expr.kind()) {
    case "variable":
      return new Var(expr.get()).name().name();
    case "None":
    case "NoneType":
      return expr.kind();
    case ".": {
      const select = new Select(expr.get());
      const base = select.value();
      const name = select.selector().name();
      const torch = base.kind() === "variable" && new Var(base.get()).name().name() === "torch";
      return torch && tensorSubtypes.has(name) ? name : collectQualname(select);
    }
    default:
      return null;
  }
}

/** A list for which a single number may be given, and its length. */
type BroadcastList = readonly [type: Type, N: number];

/** Compiles a definition without arguments and runs it. The compiler, which calls this file, says how. */
let evaluate: ((def: Def, resolver: Resolver | null) => IValue) | null = null;

export function setDefaultsEvaluator(evaluator: typeof evaluate): void {
  evaluate = evaluator;
}

export class ScriptTypeParser {
  private readonly resolver_: Resolver | null;

  constructor(resolver: Resolver | null = null) {
    this.resolver_ = resolver;
  }

  // Types

  parseTypeFromExpr(expr: Expr): Type {
    const resolved = this.resolver_?.resolveType(expr.range().text(), expr.range()) ?? null;
    return resolved ?? this.parseTypeFromExprImpl(pep604union_to_union(expr));
  }

  private parseTypeFromExprImpl(given: Expr): Type {
    const expr = pep604union_to_union(given);
    if (expr.kind() === "subscript") {
      const subscript = new Subscript(expr.get());
      const name = parseBaseTypeName(subscript.value());
      if (name === null) throw new ErrorReport(subscript.value(), "Subscripted type must be a type identifier");
      return this.subscriptToType(name, subscript);
    }
    if (expr.kind() === "string_literal") {
      const name = new StringLiteral(expr.get()).text();
      return this.resolver_?.resolveType(name, expr.range()) ?? unknownType(expr, name);
    }
    const name = parseBaseTypeName(expr);
    if (name === null) {
      const kind = kindToString(expr.kind());
      throw new ErrorReport(expr, `Expression of type ${kind} cannot be used in a type expression`);
    }
    const known = string_to_type_lut.get(name) ?? this.resolver_?.resolveType(name, expr.range());
    return known ?? unknownType(expr, name);
  }

  private subscriptToType(name: string, subscript: Subscript): Type {
    const exprs = subscript.subscript_exprs();
    const [first] = exprs.all();
    const elements = () => exprs.map((expr) => this.parseTypeFromExprImpl(expr));
    const one = (): Type => {
      if (exprs.size() === 1) return this.parseTypeFromExprImpl(first);
      throw new ErrorReport(subscript, ` expected exactly one element type but found ${exprs.size()}`);
    };
    switch (name) {
      case "Tuple":
      case "tuple":
        // Tuple[()] is the empty tuple.
        if (exprs.size() === 1 && first.kind() === "tuple-literal") {
          const literal = new TupleLiteral(first.get());
          if (literal.inputs().size() === 0) return types.TupleType.create([]);
          throw new ErrorReport(literal, "Tuple literal in Tuple type annotation must not have any elements!");
        }
        return types.TupleType.create(elements());
      case "List":
      case "list":
        return types.ListType.create(one());
      case "Optional":
        return types.OptionalType.create(one());
      case "Union":
        return UnionType.create(elements());
      case "Future":
      case "torch.jit.Future":
        return types.FutureType.create(one());
      case "Await":
      case "torch.jit._Await":
        return types.AwaitType.create(one());
      case "RRef":
        return types.RRefType.create(one());
      case "Dict":
      case "dict": {
        if (exprs.size() !== 2) {
          throw new ErrorReport(subscript, ` expected exactly 2 element types but found ${exprs.size()}`);
        }
        const [key, value] = elements();
        return types.DictType.create(key, value);
      }
      default:
        throw new ErrorReport(subscript, "Unknown type constructor ", name);
    }
  }

  /** `BroadcastingList2[int]`, alone or in an Optional; `_size_2_t` is another name for it. */
  parseBroadcastList(expr: Expr): BroadcastList | null {
    if (expr.kind() === "variable") {
      const match = /^_size_(\d)_t$/.exec(new Var(expr.get()).name().name());
      return match === null ? null : [types.ListType.ofInts(), Number(match[1])];
    }
    if (expr.kind() !== "subscript") return null;
    const subscript = new Subscript(expr.get());
    if (subscript.value().kind() !== "variable") return null;
    const name = new Var(subscript.value().get()).name().name();
    const exprs = subscript.subscript_exprs();
    const [first] = exprs.all();
    if (name === "Optional") {
      const list = this.parseBroadcastList(first);
      return list === null ? null : [types.OptionalType.create(list[0]), list[1]];
    }
    if (!name.startsWith("BroadcastingList")) return null;
    if (exprs.size() !== 1) {
      throw new ErrorReport(exprs, "BroadcastingList/Optional[BroadcastingList] must be subscripted with a type");
    }
    if (first.kind() !== "variable") {
      throw new ErrorReport(subscript.value(), "Subscripted type must be a type identifier");
    }
    const element = new Var(first.get()).name().name();
    if (element !== "float" && element !== "int") {
      throw new ErrorReport(subscript.value(), "Broadcastable lists only supported for int or float");
    }
    const length = name.slice("BroadcastingList".length);
    if (!/^\d*$/.test(length)) {
      throw new ErrorReport(exprs, "subscript of Broadcastable list must be a positive integer");
    }
    return [types.ListType.create(element === "int" ? types.IntType : types.FloatType), Number(length)];
  }

  parseType(text: string): Type {
    return this.parseTypeFromExpr(new Parser(new Source(text)).parseExp());
  }

  // Schemas

  /** Values of defaults: a function that returns them all as a tuple is compiled and run. */
  private evaluateDefaults(
    loc: SourceRange,
    default_types: readonly Expr[],
    default_exprs: readonly Expr[],
  ): readonly IValue[] {
    if (default_exprs.length === 0) return [];
    TORCH_INTERNAL_ASSERT(evaluate !== null);
    const name = (text: string) => Ident.create(loc, text);
    const tuple = Subscript.create(loc, Var.create(loc, name("Tuple")), List.of(loc, Expr, default_types));
    const decl = Decl.create(loc, List.of<Param>(loc, Param, []), Maybe.of<Expr>(loc, Expr, tuple));
    const value = TupleLiteral.create(loc, List.of(loc, Expr, default_exprs));
    const body = List.of<Stmt>(loc, Stmt, [Return.create(loc, value)]);
    return evaluate(Def.create(loc, name("defaults"), decl, body), this.resolver_).toTuple();
  }

  parseArgsFromDecl(decl: Decl, skip_self: boolean): Argument[] {
    const params = decl
      .params()
      .all()
      .slice(skip_self ? 1 : 0);
    const with_default = params.filter((param) => param.defaultValue().present());
    for (const param of with_default) {
      if (param.type().present()) continue;
      const what = "Keyword arguments with defaults need to be type-hinted (TorchScript C++ frontend)";
      throw new ErrorReport(param, what);
    }
    const defaults = this.evaluateDefaults(
      decl.range(),
      with_default.map((param) => param.type().value()),
      with_default.map((param) => param.defaultValue().value()),
    );
    return params.map((param) => {
      const annotation = param.type().valueOrNull();
      const list = annotation === null ? null : this.parseBroadcastList(annotation);
      const type = annotation === null ? inferredTensorType : (list?.[0] ?? this.parseTypeFromExpr(annotation));
      const position = with_default.indexOf(param);
      const default_value = position < 0 ? null : defaults[position];
      return new Argument(param.ident().name(), type, {
        N: list?.[1] ?? null,
        default_value,
        kwarg_only: param.kwarg_only(),
      });
    });
  }

  /** Empty if no return type is annotated. */
  private parseReturnFromDecl(decl: Decl): Argument[] {
    const annotation = decl.return_type().valueOrNull();
    if (annotation === null) return [];
    if (this.parseBroadcastList(annotation) !== null) {
      throw new ErrorReport(decl.return_type(), "Broadcastable lists cannot appear as a return type");
    }
    return [new Argument("", this.parseTypeFromExpr(annotation))];
  }

  parseSchemaFromDef(def: Def, skip_self: boolean): FunctionSchema {
    const args = this.parseArgsFromDecl(def.decl(), skip_self);
    return new FunctionSchema(new OperatorName(def.name().name()), args, this.parseReturnFromDecl(def.decl()));
  }

  /** The value of `name: Final[T] = value` in a class of printed code. */
  parseClassConstant(assign: Assign): IValue {
    if (assign.lhs().kind() !== "variable") throw new ErrorReport(assign, "Expected to a variable for class constant");
    const final_type = assign.type().value();
    const expr = assign.rhs().value();
    if (final_type.kind() !== "subscript")
      throw new ErrorReport(assign, "Expected subscripted type for class constant");
    const subscript = new Subscript(final_type.get());
    const name = parseBaseTypeName(subscript.value());
    if (name === null) throw new ErrorReport(subscript.value(), "Subscripted type must be a type identifier");
    if (name !== "Final") throw new ErrorReport(subscript, "Base type must be Final for class constant");
    const exprs = subscript.subscript_exprs();
    if (exprs.size() !== 1) {
      throw new ErrorReport(subscript, ` expected exactly one element type but found ${exprs.size()}`);
    }
    return this.evaluateDefaults(expr.range(), [exprs.at(0)], [expr])[0];
  }
}

function unknownType(expr: Expr, name: string): never {
  throw new ErrorReport(expr, `Unknown type name '${name}'`);
}
