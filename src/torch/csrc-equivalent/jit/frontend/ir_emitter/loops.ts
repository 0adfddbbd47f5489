/**
 * @file Branches and loops.
 * @mirrors torch/csrc/jit/frontend/ir_emitter.cpp#emitLoopCommon
 */
import { IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import * as types from "#aten/core/jit_type";
import { unifyTypes } from "#aten/core/type";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { Block, Value } from "../../ir/ir.ts";
import { ErrorReport } from "../error_report.ts";
import type { SourceRange } from "../source_range.ts";
import type { SugaredValue } from "../sugared_value/base.ts";
import { asSimple, SimpleValue } from "../sugared_value/simple_value.ts";
import { Expr, type For, type If, List, type Stmt, TupleLiteral, type While } from "../tree_views.ts";
import { AssignmentEmitter } from "./assignments.ts";
import { MAX_INT64 } from "./base.ts";
import type { Environment } from "./environment.ts";
import type { CondValue, RefinementSet } from "./refinements.ts";

// A loop is emitted with its condition in a block of its own, because `continue` will repeat it:
//
//   = prim::Loop(%max_trip_count)
//     block0(%trip_count : int):     the body
//     block1():                      the condition
//       -> (%condition)
//
// inline_loop_condition.ts gives it the form that graphs have: Loop(max trip count, condition, carried values).

/** A branch that has been emitted. */
interface Branch {
  readonly block: Block;
  readonly frame: Environment;
  readonly exits: boolean;
}

export abstract class LoopEmitter extends AssignmentEmitter {
  private emitSingleIfBranch(block: Block, branch: List<Stmt>, refinements: RefinementSet): Branch {
    this.pushFrame(block);
    this.insertAt(block, () => {
      this.insertRefinements(branch.range(), refinements);
      this.emitStatements(branch);
    });
    return { block, frame: this.popFrame(), exits: this.exit_blocks.has(block) };
  }

  protected emitIf(stmt: If): void {
    this.emitIfElseBlocks(stmt.range(), this.emitCondExpr(stmt.cond()), stmt.trueBranch(), stmt.falseBranch());
  }

  protected emitIfElseBlocks(loc: SourceRange, cond: CondValue, true_stmts: List<Stmt>, false_stmts: List<Stmt>): void {
    if (cond.staticIf !== null) {
      this.insertRefinements(loc, cond.staticIf ? cond.refinements : cond.refinements.Not());
      this.emitStatements(cond.staticIf ? true_stmts : false_stmts);
      return;
    }
    const node = this.graph.insertNode(this.create("prim::If", loc, 0));
    node.addInput(cond.value);
    const true_block = node.addBlock();
    const false_block = node.addBlock();
    const on_true = this.emitSingleIfBranch(true_block, true_stmts, cond.refinements);
    const on_false = this.emitSingleIfBranch(false_block, false_stmts, cond.refinements.Not());
    if (on_true.exits && on_false.exits) this.exit_blocks.add(node.owningBlock());

    // A variable that one branch sets is seen behind the `if` where the other sets it too, had it before, or does not go on.
    const mutated = new Set<string>();
    const collect = (from: Branch, other: Branch, other_name: string): void => {
      for (const name of from.frame.definedVariables()) {
        const found = this.insertAt(other.block, () => other.frame.findInAnyFrame(name) !== null);
        if (found || other.exits) mutated.add(name);
        else {
          const error = new ErrorReport(loc, name, ` is not defined in the ${other_name} branch`);
          this.environment_stack.setVariableTypeError(name, error.message);
        }
      }
    };
    collect(on_true, on_false, "false");
    collect(on_false, on_true, "true");
    for (const name of [...mutated].sort(byteOrder)) this.mergeVariable(loc, name, on_true, on_false);
  }

  /** Gives a variable the type that it has behind both branches. */
  private mergeVariable(loc: SourceRange, name: string, on_true: Branch, on_false: Branch): void {
    const read = ({ block, frame, exits }: Branch): Value | null =>
      exits ? null : this.insertAt(block, () => frame.getVar(name, loc));
    let tv = read(on_true);
    let fv = read(on_false);
    if (tv === null && fv === null) return;
    const uninitialized = (block: Block, type: Type): Value => {
      const value = this.graph.createUninitialized(type).insertBefore(block.return_node()).output();
      this.graph.createStore(name, value).insertBefore(block.return_node());
      return value;
    };
    tv ??= uninitialized(on_true.block, (fv as Value).type());
    fv ??= uninitialized(on_false.block, tv.type());

    // A variable that was annotated as a Union before may hold a different member in each branch.
    const outer = this.environment_stack.findInAnyFrame(name);
    const full_type = outer === null ? null : (asSimple(outer)?.type() ?? null);
    const default_to_union =
      full_type !== null && ["UnionType", "OptionalType", "NumberType"].includes(full_type.kind());
    const unified = unifyTypes(tv.type(), fv.type(), default_to_union);
    if (unified !== null) {
      this.environment_stack.setType(name, unified);
      return;
    }
    const error = new ErrorReport(
      loc,
      `Type mismatch: ${name} is set to type ${tv.type().repr_str()} in the true branch`,
      ` and type ${fv.type().repr_str()} in the false branch`,
    );
    if (on_true.frame.findInParentFrame(name) !== null || on_false.frame.findInParentFrame(name) !== null) throw error;
    this.environment_stack.setVariableTypeError(name, error.message);
  }

  private emitLoopCommon(
    loc: SourceRange,
    emit_body: () => void,
    { iterable, targets, cond }: { iterable: SugaredValue | null; targets: List<Expr> | null; cond: Expr | null },
  ): void {
    const max_trip_count = iterable === null ? this.materializeInt(MAX_INT64, loc) : iterable.len(loc, this.method);
    const node = this.graph.insertNode(this.create("prim::Loop", loc, 0));
    const body = node.addBlock();
    const condition = node.addBlock();
    this.pushFrame(condition);
    const out =
      cond === null
        ? this.insertAt(node, () => this.constant(IValue.True, loc))
        : this.insertAt(condition, () => this.emitToBool(cond.range(), this.emitExpr(cond)));
    condition.registerOutput(out);
    this.popFrame();
    node.addInput(max_trip_count);
    this.withLoopStatus("IN_LOOP", () => {
      const trip_count = body.addInput().setType(types.IntType);
      this.pushFrame(body);
      this.insertAt(body, () => {
        if (iterable !== null && targets !== null) this.assignElement(loc, iterable, targets, trip_count);
        emit_body();
        this.popFrame();
      });
    });
  }

  private assignElement(loc: SourceRange, iterable: SugaredValue, targets: List<Expr>, trip_count: Value): void {
    const element = iterable.getitem(loc, this.method, trip_count).asValue(loc, this.method);
    this.validateAssignLhsExpr(targets, loc);
    const one = targets.size() === 1 ? targets : List.of<Expr>(loc, Expr, [TupleLiteral.create(loc, targets)]);
    this.emitExprsAssign(one, [new SimpleValue(element)], loc, 1);
  }

  /** A loop over modules or a tuple: its elements may be of different types, so the body is emitted for each. */
  private emitUnrolledLoop(loc: SourceRange, emit_body: () => void, iterable: SugaredValue, targets: List<Expr>): void {
    const length = iterable.staticLen();
    TORCH_INTERNAL_ASSERT(length !== null, "Unrolled loop iter should have static length");
    this.withLoopStatus("IN_UNROLLED_LOOP", () => {
      for (let i = 0; i < length; i++) {
        const index = this.materializeInt(i, loc);
        const element = iterable.getitem(loc, this.method, index);
        this.emitExprsAssign(targets, [element], targets.range(), 1);
        emit_body();
      }
    });
  }

  protected override emitForOver(targets: List<Expr>, itrs: List<Expr>, loc: SourceRange, emit_body: () => void): void {
    if (itrs.size() !== 1) throw new ErrorReport(loc, "List of iterables is not supported currently");
    const iterable = this.emitSugaredExpr(itrs.at(0), 1).iter(loc, this.method);
    if (iterable.shouldEmitUnrolled()) this.emitUnrolledLoop(loc, emit_body, iterable, targets);
    else this.emitLoopCommon(loc, emit_body, { iterable, targets, cond: null });
  }

  protected emitFor(stmt: For): void {
    this.emitForOver(stmt.targets(), stmt.itrs(), stmt.range(), () => this.emitStatements(stmt.body()));
  }

  protected emitWhile(stmt: While): void {
    const parts = { iterable: null, targets: null, cond: stmt.cond() };
    this.emitLoopCommon(stmt.range(), () => this.emitStatements(stmt.body()), parts);
  }
}

/** The order of names in a `std::set`. */
export function byteOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
