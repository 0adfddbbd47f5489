/**
 * @file Statements other than assignments and loops: `return`, `raise`, `assert`, `del`, `with`, functions inside functions.
 * @mirrors torch/csrc/jit/frontend/ir_emitter.cpp#emitStatements
 */
import { ClassType } from "#aten/core/class_type";
import type { FunctionSchema } from "#aten/core/function_schema";
import { IValue } from "#aten/core/ivalue";
import * as types from "#aten/core/jit_type";
import { unifyTypes } from "#aten/core/type";
import type { Block, Value } from "../../ir/ir.ts";
import { NamedValue } from "../../ir/named_value.ts";
import { ErrorReport } from "../error_report.ts";
import { kindToString } from "../lexer.ts";
import { insert, tryConvertToType } from "../schema_matching.ts";
import { SourceRange } from "../source_range.ts";
import { positional } from "../sugared_value/base.ts";
import type { Self } from "../sugared_value/classes.ts";
import { ClosureValue, MethodValue } from "../sugared_value/simple_value.ts";
import { ExceptionMessageValue, ExceptionValue } from "../sugared_value/special.ts";
import {
  Apply,
  Assert,
  Assign,
  Attribute,
  AugAssign,
  Def,
  Delete,
  Expr,
  ExprStmt,
  For,
  Ident,
  If,
  List,
  Raise,
  Return,
  Stmt,
  StringLiteral,
  Subscript,
  Var,
  While,
  With,
} from "../tree_views.ts";
import { LoopEmitter } from "./loops.ts";

export abstract class StatementEmitter extends LoopEmitter {
  protected abstract emitDef(def: Def, self: Self | null, block: Block): FunctionSchema;

  override emitStatements(statements: List<Stmt>): void {
    for (const stmt of statements) {
      ErrorReport.update_pending_range(stmt.range());
      this.emitStatement(stmt);
      // What follows a `return` or `raise` is never reached, so it is not even checked.
      if (this.exit_blocks.has(this.environment_stack.block())) return;
    }
  }

  private emitStatement(stmt: Stmt): void {
    const tree = stmt.get();
    switch (stmt.kind()) {
      case "if":
        this.emitIf(new If(tree));
        break;
      case "while":
        this.emitWhile(new While(tree));
        break;
      case "for":
        this.emitFor(new For(tree));
        break;
      case "assign":
        this.emitAssignment(new Assign(tree));
        break;
      case "aug_assign":
        this.emitAugAssignment(new AugAssign(tree));
        break;
      case "expression statement":
        this.emitSugaredExpr(new ExprStmt(tree).expr(), 0);
        break;
      case "raise":
        this.emitRaise(new Raise(tree));
        break;
      case "assert":
        this.emitAssert(new Assert(tree));
        break;
      case "return":
        this.emitReturn(new Return(tree));
        break;
      case "continue":
      case "break":
        this.emitLoopExit(stmt);
        break;
      case "pass":
        break;
      case "def":
        this.emitClosureDef(new Def(tree));
        break;
      case "del":
        this.emitDelete(new Delete(tree));
        break;
      case "with":
        this.emitWith(new With(tree));
        break;
      default:
        throw new ErrorReport(stmt, "Unrecognized statement kind ", kindToString(stmt.kind()));
    }
  }

  private emitLoopExit(stmt: Stmt): void {
    const name = stmt.kind();
    if (this.loop_status_ === "NOT_IN_LOOP") throw new ErrorReport(stmt, `SyntaxError: '${name}' outside loop`);
    if (this.loop_status_ === "IN_UNROLLED_LOOP") {
      throw new ErrorReport(
        stmt,
        "Because we emit iteration over modulelists or tuples as unrolled loops, we do not support break or continue inside the body of these loops",
      );
    }
    const kind = name === "break" ? "prim::BreakStmt" : "prim::ContinueStmt";
    this.graph.insertNode(this.create(kind, stmt.range(), 0));
  }

  protected emitReturn(stmt: Return): void {
    const def = this.currentDef();
    const declared = def.declared_return_type;
    let value = this.emitExpr(stmt.expr(), declared);
    let type = declared;
    if (type !== null) {
      value = tryConvertToType(stmt.range(), this.graph, type, value, true);
      if (!value.type().isSubtypeOf(type)) {
        throw new ErrorReport(
          stmt,
          `Return value was annotated as having type ${type.repr_str()} but is actually of type ${value.type().repr_str()}`,
        );
      }
    } else {
      const before = def.merged_return_type ?? value.type();
      type = unifyTypes(before, value.type());
      if (type === null) {
        throw new ErrorReport(
          stmt,
          `Previous return statement returned a value of type ${before.repr_str()}`,
          ` but this return statement returns a value of type ${value.type().repr_str()}`,
        );
      }
    }
    def.merged_return_type = type;
    // Any does not unify with its subtypes, so that returns in different branches must all be Any.
    if (type === types.AnyType && value.type() !== types.AnyType) value = this.graph.insertUncheckedCast(value, type);
    this.graph.insertNode(this.graph.create("prim::ReturnStmt", [value], 0));
    this.exit_blocks.add(this.environment_stack.block());
  }

  private emitRaise(stmt: Raise): void {
    const raised = this.emitSugaredExpr(stmt.expr(), 1);
    let message: Value;
    let class_name: Value | null = null;
    if (raised instanceof ExceptionMessageValue) {
      message = raised.getValue();
      class_name = raised.getQualifiedClassName();
    } else if (raised instanceof ExceptionValue) {
      message = this.constant(IValue.fromString(""), stmt.range());
    } else {
      throw new ErrorReport(stmt, "exceptions must derive from BaseException");
    }
    if (!message.type().isSubtypeOf(types.StringType)) {
      message = insert(this.graph, "aten::str", [message], [], SourceRange.empty());
    }
    const name = class_name === null ? new NamedValue(IValue.None) : new NamedValue(class_name);
    insert(this.graph, "prim::RaiseException", [message, name], [], stmt.range());
    this.exit_blocks.add(this.environment_stack.block());
  }

  /** `assert c, m` is `if c: pass` `else: raise AssertionError(m)`. */
  private emitAssert(stmt: Assert): void {
    const cond = this.emitCondExpr(stmt.test());
    const loc = stmt.range();
    const message = stmt.msg().valueOrNull() ?? StringLiteral.create(loc, "");
    const callee = Var.create(loc, Ident.create(loc, "AssertionError"));
    const inputs = List.of<Expr>(loc, Expr, [message]);
    const error = Apply.create(loc, callee, inputs, List.of<Attribute>(loc, Attribute, []));
    const raise = List.of<Stmt>(loc, Stmt, [Raise.create(loc, error)]);
    this.emitIfElseBlocks(loc, cond, List.of<Stmt>(loc, Stmt, []), raise);
  }

  private emitDelete(stmt: Delete): void {
    for (const target of stmt.targets()) {
      if (target.kind() === "subscript") {
        this.emitDeleteItem(stmt, new Subscript(target.get()));
      } else if (target.kind() === "variable") {
        const name = new Var(target.get()).name();
        this.environment_stack.removeVar(name.name(), name.range());
      } else {
        throw new ErrorReport(
          target,
          "del statements are only supported for deleting list and dict items and variables",
        );
      }
    }
  }

  private emitDeleteItem(stmt: Delete, target: Subscript): void {
    const [subscript] = target.subscript_exprs().all();
    if (subscript.kind() === "slice expr") {
      throw new ErrorReport(
        target,
        "del statements only support deletion at a single index, slicing is not supported (see https://github.com/pytorch/pytorch/issues/31430)",
      );
    }
    const container = this.emitSugaredExpr(target.value(), 1);
    const idx = this.emitExpr(subscript);
    const value = container.asValue(target.value().range(), this.method);
    const type = value.type();
    if (type instanceof ClassType) {
      if (type.findMethod("__delitem__") === null) throw new ErrorReport(target, "Class does not define __delitem__");
      new MethodValue(value, ["__delitem__"]).call(stmt.range(), this.method, positional([new NamedValue(idx)], 0));
      return;
    }
    this.graph.insertNode(this.graph.create("aten::Delete", [value, idx], 0).setSourceRange(target.range()));
  }

  private emitWith(stmt: With): void {
    const entered: Value[] = [];
    for (const target of stmt.targets()) {
      const expr = target.target();
      const object = this.emitExpr(expr);
      const enter = this.graph.insertNode(this.graph.create("prim::Enter", [object]));
      entered.push(object);
      enter.output().setType(enteredType(expr, object));
      const variable = target.var().valueOrNull();
      if (variable !== null) {
        this.environment_stack.setVar(variable.range(), variable.name().name(), enter.output());
      }
    }
    this.emitStatements(stmt.body());
    for (const object of entered.reverse()) {
      const exit = this.graph.insertNode(this.graph.create("prim::Exit"));
      exit.addInput(object);
    }
  }

  protected override emitClosure(emit_body: (block: Block) => void): ClosureValue {
    const node = this.graph.insertNode(this.graph.create("prim::Closure"));
    node.output().setType(types.NoneType);
    const block = node.addBlock();
    this.withLoopStatus("NOT_IN_LOOP", () =>
      this.insertAt(block, () => {
        this.pushFrame(block, true);
        emit_body(block);
        this.popFrame(true);
      }),
    );
    return new ClosureValue(node.output());
  }

  private emitClosureDef(def: Def): void {
    const closure = this.emitClosure((block) => {
      this.emitDef(def, null, block);
    });
    this.environment_stack.setSugaredVar(def.name().range(), def.name().name(), closure, null);
  }
}

/** The result of `__enter__`. @throws ErrorReport unless the object has both methods with the right arguments */
function enteredType(expr: Expr, object: Value) {
  const type = object.type();
  if (!(type instanceof ClassType)) throw new ErrorReport(expr, "With item expression must return an object");
  const enter = type.findMethod("__enter__");
  const exit = type.findMethod("__exit__");
  if (enter === null || exit === null) {
    throw new ErrorReport(
      expr,
      "Object returned by with item expression does not define __enter__ and __exit__ methods",
    );
  }
  if (enter.getSchema().arguments().length !== 1) {
    throw new ErrorReport(expr, "__enter__ must have only one argument and one return value");
  }
  const exit_args = exit.getSchema().arguments();
  if (exit_args.length !== 4) throw new ErrorReport(expr, "__exit__ must have four arguments");
  for (let i = 1; i < 4; i++) {
    if (exit_args[i].type() === types.AnyType) continue;
    const reason =
      "must have Any type; TorchScript does not currently support passing exception type, value, or traceback to the __exit__ function.";
    throw new ErrorReport(expr, `argument ${i} of __exit__ ${reason}`);
  }
  return enter.getSchema().returns()[0].type();
}
