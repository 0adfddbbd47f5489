/**
 * @file The common ground of all parts of the emitter: the function and its graph, frames of variables, constants, and the parts' calls of
 * each other.
 * @mirrors torch/csrc/jit/frontend/ir_emitter.cpp#to_ir
 */
import { IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import type { GraphFunction } from "../../api/function_impl.ts";
import type { Block, Graph, Node, Value } from "../../ir/ir.ts";
import type { NamedValue } from "../../ir/named_value.ts";
import type { Resolver } from "../resolver.ts";
import { ScriptTypeParser } from "../script_type_parser.ts";
import type { SourceRange } from "../source_range.ts";
import type { SugaredValue } from "../sugared_value/base.ts";
import type { ClosureValue } from "../sugared_value/simple_value.ts";
import type { Compound, TreeRef } from "../tree.ts";
import type { Const, Expr, List, Stmt, TupleLiteral } from "../tree_views.ts";
import { Environment } from "./environment.ts";
import type { CondValue, RefinementSet } from "./refinements.ts";

// Each part of the emitter is a class that extends the part before it:
//
//   base <- conditions <- containers <- subscripts <- calls <- expressions <- assignments <- loops <- statements <- to_ir
//
// A part may call a later one: an expression contains a loop in a list comprehension, for example. Such methods are declared here.

/** Return types of the function, or of the closure in it, that is being compiled. */
export interface DefContext {
  /** Null if there is no annotation. */
  declared_return_type: Type | null;
  /** Null until a `return` has been seen. */
  merged_return_type: Type | null;
}

export type LoopStatus = "NOT_IN_LOOP" | "IN_LOOP" | "IN_UNROLLED_LOOP";

export abstract class EmitterBase {
  protected readonly method: GraphFunction;
  protected readonly graph: Graph;
  protected readonly resolver: Resolver;
  protected readonly typeParser_: ScriptTypeParser;
  protected environment_stack: Environment;
  protected readonly def_stack_: DefContext[] = [];
  /** Blocks that end in `return` or `raise`: what follows in them is not compiled. */
  protected readonly exit_blocks = new Set<Block>();
  protected loop_status_: LoopStatus = "NOT_IN_LOOP";
  private readonly constants = new Map<string, Value>();
  private temp_name_count_ = 0;

  constructor(method: GraphFunction, resolver: Resolver) {
    this.method = method;
    this.graph = method.graph();
    this.resolver = resolver;
    this.typeParser_ = new ScriptTypeParser(resolver);
    this.environment_stack = new Environment(method, resolver, this.graph.block(), null);
    this.def_stack_.push({ declared_return_type: null, merged_return_type: null });
  }

  // Calls of later parts

  abstract emitExpr(tree: Expr, type_hint?: Type | null): Value;
  abstract emitSugaredExpr(tree: Expr, n_binders: number, type_hint?: Type | null): SugaredValue;
  abstract emitStatements(statements: List<Stmt>): void;
  protected abstract emitForOver(targets: List<Expr>, itrs: List<Expr>, loc: SourceRange, emit_body: () => void): void;
  protected abstract emitClosure(emit_body: (block: Block) => void): ClosureValue;
  protected abstract emitTupleSlice(loc: SourceRange, tuple: Value, args: readonly (Value | null)[]): Value;
  protected abstract getNamedValues(trees: readonly TreeRef[], maybe_unpack: boolean): NamedValue[];
  protected abstract emitCondExpr(expr: Expr): CondValue;
  protected abstract emitTupleAssign(tl: TupleLiteral, rhs: Expr): void;

  // Blocks and frames

  /** Runs `emit` with new nodes put before `point`, or at the end of a block. */
  protected insertAt<T>(point: Block | Node, emit: () => T): T {
    const saved = this.graph.insertPoint();
    this.graph.setInsertPoint(point);
    try {
      return emit();
    } finally {
      this.graph.setInsertPoint(saved);
    }
  }

  protected pushFrame(b: Block, starts_def = false): void {
    if (starts_def) this.def_stack_.push({ declared_return_type: null, merged_return_type: null });
    this.environment_stack = new Environment(this.method, this.resolver, b, this.environment_stack);
  }

  protected popFrame(ends_def = false): Environment {
    const old = this.environment_stack;
    if (old.next !== null) this.environment_stack = old.next;
    if (ends_def) this.def_stack_.pop();
    return old;
  }

  protected currentDef(): DefContext {
    return this.def_stack_[this.def_stack_.length - 1];
  }

  protected withLoopStatus<T>(status: LoopStatus, emit: () => T): T {
    const saved = this.loop_status_;
    this.loop_status_ = status;
    try {
      return emit();
    } finally {
      this.loop_status_ = saved;
    }
  }

  // Values

  protected createTempName(prefix: string): string {
    return prefix + this.temp_name_count_++;
  }

  protected create(kind: string, loc: SourceRange, n_outputs: number): Node {
    return this.graph.create(kind, [], n_outputs).setSourceRange(loc);
  }

  protected constant(value: IValue, loc: SourceRange): Value {
    return this.graph.insertConstant(value, loc);
  }

  /** The constant of a number literal: one for each value, at the front of the graph. */
  protected materializeConstant(value: IValue, loc: SourceRange): Value {
    const key = value.isDouble() && value.toDouble() === 0 ? "Double 0" : `${value.tag} ${value}`;
    let constant = this.constants.get(key);
    if (constant === undefined) {
      constant = this.insertAt(firstNode(this.graph.block()), () => this.graph.insertConstant(value, loc));
      this.constants.set(key, constant);
    }
    return constant;
  }

  protected materializeInt(value: number | bigint, loc: SourceRange): Value {
    return this.materializeConstant(IValue.fromInt(value), loc);
  }

  protected emitConst(c: Const): Value {
    if (c.isFloatingPoint()) return this.materializeConstant(IValue.fromDouble(c.asFloatingPoint()), c.range());
    if (c.isComplex()) {
      return this.materializeConstant(IValue.fromComplexDouble({ real: 0, imag: c.asImaginary() }), c.range());
    }
    const value = c.asIntegral();
    return this.materializeInt(BigInt.asIntN(54, value) === value ? Number(value) : value, c.range());
  }

  /** Gives a variable the type that a condition says. */
  protected insertRefinements(loc: SourceRange, refinements: RefinementSet): void {
    for (const { identifier, type } of refinements.activeRefinements()) {
      const value = this.environment_stack.getVar(identifier, loc);
      this.environment_stack.setVar(loc, identifier, this.graph.insertUncheckedCast(value, type));
    }
  }
}

/** The largest int: the trip count of a loop that only its condition ends. */
export const MAX_INT64 = 2n ** 63n - 1n;

/** The first node of a block, or its return node. */
export function firstNode(block: Block): Node {
  return block.param_node().next();
}

/** A tree as a compound: operands of an operator are never strings. */
export function operands(tree: Compound): readonly Compound[] {
  return tree.trees() as readonly Compound[];
}
