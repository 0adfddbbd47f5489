/**
 * @file Instructions for comparisons, `and`, `or`, `not` and `... if ... else ...`, as values and as conditions of a jump.
 * @mirrors Python/compile.c (CPython 3.11): compiler_compare, compiler_boolop, compiler_jump_if
 */
import * as ast from "../ast/nodes.ts";
import { UnitCompiler } from "./compile_unit.ts";
import { check_compare } from "./compile_warnings.ts";
import { type BasicBlock, PSEUDO } from "./instruction.ts";
import { cmp_op, OP } from "./opcode.ts";

const COMPARE = new Map<unknown, readonly [opcode: number, arg: number]>([
  [ast.Eq, [OP.COMPARE_OP, cmp_op.indexOf("==")]],
  [ast.NotEq, [OP.COMPARE_OP, cmp_op.indexOf("!=")]],
  [ast.Lt, [OP.COMPARE_OP, cmp_op.indexOf("<")]],
  [ast.LtE, [OP.COMPARE_OP, cmp_op.indexOf("<=")]],
  [ast.Gt, [OP.COMPARE_OP, cmp_op.indexOf(">")]],
  [ast.GtE, [OP.COMPARE_OP, cmp_op.indexOf(">=")]],
  [ast.Is, [OP.IS_OP, 0]],
  [ast.IsNot, [OP.IS_OP, 1]],
  [ast.In, [OP.CONTAINS_OP, 0]],
  [ast.NotIn, [OP.CONTAINS_OP, 1]],
]);

export abstract class ConditionCompiler extends UnitCompiler {
  /** Leaves the value of an expression on the stack. */
  protected abstract expression(node: ast.expr): void;

  protected compare_op(op: ast.cmpop): void {
    const [opcode, arg] = COMPARE.get(op.constructor) as readonly [number, number];
    this.unit.emit(opcode, arg);
  }

  protected compare(node: ast.Compare): void {
    const { unit } = this;
    this.check_compare(node);
    const last = node.ops.length - 1;
    this.expression(node.left);
    if (last === 0) {
      this.expression(node.comparators[0]);
      this.compare_op(node.ops[0]);
      return;
    }
    const cleanup = unit.new_block();
    for (let i = 0; i < last; i++) {
      this.compare_and_keep(node, i);
      unit.emit_jump(OP.JUMP_IF_FALSE_OR_POP, cleanup);
    }
    this.expression(node.comparators[last]);
    this.compare_op(node.ops[last]);
    const end = unit.new_block();
    unit.emit_jump(PSEUDO.JUMP, end, null);
    unit.use_next_block(cleanup);
    unit.emit(OP.SWAP, 2);
    unit.emit(OP.POP_TOP);
    unit.use_next_block(end);
  }

  private check_compare(node: ast.Compare): void {
    check_compare(
      node,
      (operand) => this.folder.fold(operand),
      (message) => this.warn(message),
    );
  }

  /** One link of `a < b < c`: the right side stays below the result. */
  private compare_and_keep(node: ast.Compare, i: number): void {
    this.expression(node.comparators[i]);
    this.unit.emit(OP.SWAP, 2);
    this.unit.emit(OP.COPY, 2);
    this.compare_op(node.ops[i]);
  }

  protected bool_op(node: ast.BoolOp): void {
    const { unit } = this;
    const jump = node.op instanceof ast.And ? OP.JUMP_IF_FALSE_OR_POP : OP.JUMP_IF_TRUE_OR_POP;
    const end = unit.new_block();
    const last = node.values.length - 1;
    for (let i = 0; i < last; i++) {
      this.expression(node.values[i]);
      unit.emit_jump(jump, end);
      unit.use_next_block(unit.new_block());
    }
    this.expression(node.values[last]);
    unit.use_next_block(end);
  }

  protected if_expression(node: ast.IfExp): void {
    const { unit } = this;
    const end = unit.new_block();
    const otherwise = unit.new_block();
    this.jump_if(node.test, otherwise, false);
    this.expression(node.body);
    unit.emit_jump(PSEUDO.JUMP, end, null);
    unit.use_next_block(otherwise);
    this.expression(node.orelse);
    unit.use_next_block(end);
  }

  /** Goes to `target` if the truth of an expression is `condition`; the value itself is not needed. */
  protected jump_if(node_: ast.expr, target: BasicBlock, condition: boolean): void {
    const { unit } = this;
    const node = this.folder.fold(node_);
    if (node instanceof ast.UnaryOp && node.op instanceof ast.Not) {
      this.jump_if(node.operand, target, !condition);
      return;
    }
    if (node instanceof ast.BoolOp) {
      this.jump_if_bool_op(node, target, condition);
      return;
    }
    if (node instanceof ast.IfExp) {
      const end = unit.new_block();
      const otherwise = unit.new_block();
      this.jump_if(node.test, otherwise, false);
      this.jump_if(node.body, target, condition);
      unit.emit_jump(PSEUDO.JUMP, end, null);
      unit.use_next_block(otherwise);
      this.jump_if(node.orelse, target, condition);
      unit.use_next_block(end);
      return;
    }
    if (node instanceof ast.Compare) {
      unit.location = node;
      if (node.ops.length > 1) {
        this.jump_if_chain(node, target, condition);
        return;
      }
    }
    this.expression(node);
    unit.emit_jump(condition ? PSEUDO.POP_JUMP_IF_TRUE : PSEUDO.POP_JUMP_IF_FALSE, target);
  }

  private jump_if_bool_op(node: ast.BoolOp, target: BasicBlock, condition: boolean): void {
    const is_or = node.op instanceof ast.Or;
    const last = node.values.length - 1;
    // A value that decides the whole goes to the target or to the end.
    const decided = is_or === condition ? target : this.unit.new_block();
    for (let i = 0; i < last; i++) this.jump_if(node.values[i], decided, is_or);
    this.jump_if(node.values[last], target, condition);
    if (decided !== target) this.unit.use_next_block(decided);
  }

  private jump_if_chain(node: ast.Compare, target: BasicBlock, condition: boolean): void {
    const { unit } = this;
    this.check_compare(node);
    const last = node.ops.length - 1;
    const cleanup = unit.new_block();
    this.expression(node.left);
    for (let i = 0; i < last; i++) {
      this.compare_and_keep(node, i);
      unit.emit_jump(PSEUDO.POP_JUMP_IF_FALSE, cleanup);
    }
    this.expression(node.comparators[last]);
    this.compare_op(node.ops[last]);
    unit.emit_jump(condition ? PSEUDO.POP_JUMP_IF_TRUE : PSEUDO.POP_JUMP_IF_FALSE, target);
    const end = unit.new_block();
    unit.emit_jump(PSEUDO.JUMP, end, null);
    unit.use_next_block(cleanup);
    unit.emit(OP.POP_TOP);
    if (!condition) unit.emit_jump(PSEUDO.JUMP, target, null);
    unit.use_next_block(end);
  }
}
