/**
 * @file Expressions: names, attributes, operators, literals.
 * @mirrors torch/csrc/jit/frontend/ir_emitter.cpp#emitSugaredExpr
 */
import { IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import * as types from "#aten/core/jit_type";
import { RuntimeError, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { createTupleUnpack, type Value } from "../../ir/ir.ts";
import { runNodeIfInputsAreConstant } from "../../passes/constant_propagation.ts";
import { ErrorReport } from "../error_report.ts";
import type { Kind } from "../lexer.ts";
import { emitBuiltinCall } from "../schema_matching.ts";
import type { SugaredValue } from "../sugared_value/base.ts";
import { asSimple, BuiltinFunction, SimpleValue } from "../sugared_value/simple_value.ts";
import { MagicMethod } from "../sugared_value/special.ts";
import type { Compound } from "../tree.ts";
import * as views from "../tree_views.ts";
import { Expr } from "../tree_views.ts";
import { operands } from "./base.ts";
import { CallEmitter } from "./calls.ts";

/** Operators: the operator of the graph, and the method of a class that overrides it. */
// biome-ignore format: table
const operators = new Map<Kind, readonly [symbol: string, method: string]>([
  ["+", ["aten::add", "__add__"]],
  ["-", ["aten::sub", "__sub__"]],
  ["*", ["aten::mul", "__mul__"]],
  ["/", ["aten::div", "__truediv__"]],
  ["%", ["aten::remainder", "__mod__"]],
  ["pow operator", ["aten::pow", "__pow__"]],
  ["ne", ["aten::ne", "__ne__"]],
  ["eq", ["aten::eq", "__eq__"]],
  ["<", ["aten::lt", "__lt__"]],
  [">", ["aten::gt", "__gt__"]],
  ["le", ["aten::le", "__le__"]],
  ["ge", ["aten::ge", "__ge__"]],
  ["<<", ["aten::__lshift__", "__lshift__"]],
  [">>", ["aten::__rshift__", "__rshift__"]],
  ["&", ["aten::__and__", "__and__"]],
  ["|", ["aten::__or__", "__or__"]],
  ["^", ["aten::__xor__", "__xor__"]],
  ["in", ["aten::__contains__", "__contains__"]],
]);

export abstract class ExpressionEmitter extends CallEmitter {
  override emitExpr(tree: Expr, type_hint: Type | null = null): Value {
    ErrorReport.update_pending_range(tree.range());
    const value = this.emitSugaredExpr(tree, 1, type_hint).asValue(tree.range(), this.method);
    // Any is the one type that does not unify with its subtypes, as in `x: Any = 1 if cond else "a"`.
    const cast = type_hint === types.AnyType && value.type() !== types.AnyType;
    return cast ? this.graph.insertUncheckedCast(value, types.AnyType) : value;
  }

  /** `type_hint` is the type that the program asks for; it may be ignored, and the caller checks the result. */
  override emitSugaredExpr(tree: Expr, n_binders: number, type_hint: Type | null = null): SugaredValue {
    switch (tree.kind()) {
      case "variable": {
        const name = new views.Var(tree.get()).name();
        return this.environment_stack.getSugaredVar(name.name(), name.range());
      }
      case ".": {
        const select = new views.Select(tree.get());
        const value = this.emitSugaredExpr(select.value(), 1);
        return value.attr(select.range(), this.method, select.selector().name());
      }
      case "apply":
        return this.emitApplyExpr(new views.Apply(tree.get()), n_binders, type_hint);
      case "subscript":
        return this.emitSubscript(new views.Subscript(tree.get()), type_hint);
      default:
        return new SimpleValue(this.emitSimpleExpr(tree, type_hint));
    }
  }

  private emitSimpleExpr(expr: Expr, type_hint: Type | null): Value {
    const tree = expr.get();
    const loc = tree.range();
    switch (expr.kind()) {
      case "floordiv":
        return emitBuiltinCall(loc, this.graph, "aten::floordiv", this.getNamedValues(tree.trees(), false));
      case "@":
        return emitBuiltinCall(loc, this.graph, "aten::matmul", this.getNamedValues(tree.trees(), false));
      case "%":
        return this.emitModulo(tree);
      case "is":
      case "is not":
      case "and":
      case "or":
      case "not":
        return this.emitCondExpr(expr).value;
      case "unary minus":
        return this.emitUnaryOp(tree, "__neg__", "aten::neg");
      case "~":
        return this.emitUnaryOp(tree, "__invert__", "aten::bitwise_not");
      case "starred":
        throw new ErrorReport(tree, "Unexpected starred expansion. File a bug report");
      case "const":
        return this.emitConst(new views.Const(tree));
      case "True":
        return this.constant(IValue.True, loc);
      case "False":
        return this.constant(IValue.False, loc);
      case "None":
        return this.constant(IValue.None, loc);
      case "if expr":
        return this.emitTernaryIf(new views.TernaryIf(tree), type_hint);
      case "string_literal":
        return this.constant(IValue.fromString(new views.StringLiteral(tree).text()), loc);
      case "list-literal":
        return this.emitListLiteral(new views.ListLiteral(tree), type_hint);
      case "tuple-literal": {
        const inputs = new views.TupleLiteral(tree).inputs().get();
        const values = this.getNamedValues(inputs.trees(), true).map((named) => named.value(this.graph));
        return this.graph.insertNode(this.graph.createTuple(values)).output();
      }
      case "dict-literal":
        return this.emitDictLiteral(new views.DictLiteral(tree), type_hint);
      case "list comprehension":
        return this.emitListComprehension(new views.ListComp(tree), type_hint);
      case "dict comprehension":
        return this.emitDictComprehension(new views.DictComp(tree), type_hint);
      default:
        if (operators.has(expr.kind())) return this.emitBinaryOp(tree);
        throw new ErrorReport(tree, "Cannot emit expr for: ", tree);
    }
  }

  /** `%` of a string formats. To find out, the left side is emitted, and for numbers a second time. */
  private emitModulo(tree: Compound): Value {
    const [lhs] = operands(tree);
    const value = this.emitSugaredExpr(new Expr(lhs), 0).asValue(lhs.range(), this.method);
    if (value.type() !== types.StringType) return this.emitBinaryOp(tree);
    const values = this.getNamedValues(tree.trees(), false).map((named) => named.value(this.graph));
    const node = this.graph.create("aten::percentFormat", values, 1).setSourceRange(tree.range());
    return this.graph.insertNode(node).output().setType(types.StringType);
  }

  private emitBinaryOp(tree: Compound): Value {
    const operator = operators.get(tree.kind());
    if (operator === undefined) throw new RuntimeError(`unknown kind ${tree.kind()}`);
    const [symbol, method] = operator;
    const args = this.getNamedValues(tree.trees(), false);
    if (tree.kind() === "in") args.reverse(); // the container is asked
    const [first, second] = args;
    if (symbol === "aten::add" && first.type().kind() === "TupleType" && second.type().kind() === "TupleType") {
      const elements = [first, second].flatMap((tuple) => createTupleUnpack(tuple.value(this.graph)));
      return this.graph.insertNode(this.graph.createTuple(elements)).output();
    }
    const call = { args, kwargs: [], n_binders: 0 };
    const result = new MagicMethod(method, new BuiltinFunction(symbol)).call(tree.range(), this.method, call);
    return result.asValue(tree.range(), this.method);
  }

  /** A unary operator; of a constant it is computed at once, as `-1` in `x[:-n]` needs. */
  private emitUnaryOp(tree: Compound, method: string, symbol: string): Value {
    const args = this.getNamedValues(tree.trees(), false);
    const magic = new MagicMethod(method, new BuiltinFunction(symbol));
    const value = asSimple(magic.call(tree.range(), this.method, { args, kwargs: [], n_binders: 0 }));
    TORCH_INTERNAL_ASSERT(value !== null);
    if (value.node().kind() !== symbol) return value;
    const results = runNodeIfInputsAreConstant(value.node());
    return results === null ? value : this.graph.insertConstant(results[0], tree.range());
  }
}
