/**
 * @file `try`, `with`, and how `return`, `break` and `continue` leave them.
 * @mirrors Python/compile.c (CPython 3.11): compiler_try_except, compiler_try_finally, compiler_with, compiler_unwind_fblock
 *
 * A range of instructions that has a handler begins with a `SETUP_` instruction and ends with `POP_BLOCK`. The handler finds the exception
 * on the stack. It has a range of its own, whose handler (`cleanup`) gives the current exception back to what it was.
 */
import * as ast from "../ast/nodes.ts";
import { FunctionCompiler } from "./compile_functions.ts";
import { type BasicBlock, PSEUDO } from "./instruction.ts";
import { OP } from "./opcode.ts";
import type { FrameBlock } from "./unit.ts";

export abstract class BlockCompiler extends FunctionCompiler {
  // Leaving -----------------------------------------------------------------------------------------------------------------

  /**
   * Instructions that leave one construct.
   * @param keep_top a value on top of the stack is needed afterwards
   */
  private leave(block: FrameBlock, keep_top: boolean): void {
    const { unit } = this;
    const under_top = (): void => {
      if (keep_top) unit.emit(OP.SWAP, 2);
    };
    switch (block.type) {
      case "for":
      case "pop value":
        under_top();
        unit.emit(OP.POP_TOP);
        break;
      case "try except":
        unit.emit(PSEUDO.POP_BLOCK);
        break;
      case "finally try":
        unit.emit(PSEUDO.POP_BLOCK);
        if (keep_top) this.push_frame_block({ type: "pop value", start: null, exit: null });
        this.statements(block.datum as readonly ast.stmt[]);
        if (keep_top) this.pop_frame_block();
        // What follows seems to happen after the `finally`, at no line of its own.
        unit.location = null;
        break;
      case "finally end":
        under_top();
        unit.emit(OP.POP_TOP);
        under_top();
        unit.emit(PSEUDO.POP_BLOCK);
        unit.emit(OP.POP_EXCEPT);
        break;
      case "with":
        unit.location = block.datum as ast.With;
        unit.emit(PSEUDO.POP_BLOCK);
        under_top();
        this.call_exit_with_nones();
        unit.emit(OP.POP_TOP);
        unit.location = null;
        break;
      case "handler cleanup": {
        const name = block.datum as string | null;
        if (name !== null) unit.emit(PSEUDO.POP_BLOCK);
        under_top();
        unit.emit(PSEUDO.POP_BLOCK);
        unit.emit(OP.POP_EXCEPT);
        if (name !== null) this.forget(name);
        break;
      }
    }
  }

  /**
   * Leaves all constructs up to a loop, or up to the function.
   * @returns the loop
   */
  private leave_all(keep_top: boolean, to_loop: boolean): FrameBlock | null {
    const { frame_blocks } = this.unit;
    const top = frame_blocks[frame_blocks.length - 1];
    if (top === undefined) return null;
    if (top.type === "exception group handler")
      throw this.error("'break', 'continue' and 'return' cannot appear in an except* block");
    if (to_loop && (top.type === "while" || top.type === "for")) return top;
    // Statements of a `finally` are compiled outside of what they leave.
    frame_blocks.pop();
    this.leave(top, keep_top);
    const loop = this.leave_all(keep_top, to_loop);
    frame_blocks.push(top);
    return loop;
  }

  protected return_(node: ast.Return): void {
    const { unit } = this;
    if (!unit.is_function) throw this.error("'return' outside function");
    const value = node.value === null ? null : this.folder.fold(node.value);
    const constant = value instanceof ast.Constant ? value : null;
    if (constant !== null) {
      unit.location = constant;
      unit.emit(OP.NOP);
    } else if (value !== null) this.expression(value);
    if (value === null || value.lineno !== node.lineno) {
      unit.location = node;
      unit.emit(OP.NOP);
    }
    const on_stack = value !== null && constant === null;
    this.leave_all(on_stack, false);
    if (!on_stack) unit.load_const(constant === null ? null : constant.value);
    unit.emit(OP.RETURN_VALUE);
  }

  protected break_or_continue(node: ast.Break | ast.Continue): void {
    const { unit } = this;
    const is_break = node instanceof ast.Break;
    // The line of the statement must be seen, even if nothing is left of it.
    unit.emit(OP.NOP);
    const loop = this.leave_all(false, true);
    if (loop === null) {
      unit.location = node;
      throw this.error(is_break ? "'break' outside loop" : "'continue' not properly in loop");
    }
    if (is_break) this.leave(loop, false);
    unit.emit_jump(PSEUDO.JUMP, (is_break ? loop.exit : loop.start) as BasicBlock);
  }

  // Try ---------------------------------------------------------------------------------------------------------------------

  protected try_(node: ast.Try | ast.TryStar): void {
    if (node.finalbody.length > 0) this.try_finally(node);
    else this.try_except(node);
  }

  private try_except(node: ast.Try | ast.TryStar): void {
    if (node instanceof ast.TryStar) this.try_star_handlers(node);
    else this.try_handlers(node);
  }

  private try_finally(node: ast.Try | ast.TryStar): void {
    const { unit } = this;
    const body = unit.new_block();
    const end = unit.new_block();
    const exit = unit.new_block();
    const cleanup = unit.new_block();
    unit.emit_jump(PSEUDO.SETUP_FINALLY, end);
    unit.use_next_block(body);
    this.push_frame_block({ type: "finally try", start: body, exit: end, datum: node.finalbody });
    if (node.handlers.length > 0) this.try_except(node);
    else this.statements(node.body);
    unit.emit(PSEUDO.POP_BLOCK, 0, null);
    this.pop_frame_block();
    // The statements of `finally` stand twice: here, and in the handler.
    this.statements(node.finalbody);
    unit.emit_jump(PSEUDO.JUMP, exit, null);
    this.begin_handler(end, cleanup);
    this.push_frame_block({ type: "finally end", start: end, exit: null });
    this.statements(node.finalbody);
    this.pop_frame_block();
    unit.emit(OP.RERAISE, 0);
    this.cleanup(cleanup);
    unit.use_next_block(exit);
  }

  private begin_handler(handler: BasicBlock, cleanup: BasicBlock): void {
    const { unit } = this;
    unit.use_next_block(handler);
    unit.location = null;
    unit.emit_jump(PSEUDO.SETUP_CLEANUP, cleanup);
    unit.emit(OP.PUSH_EXC_INFO);
  }

  /** An exception inside a handler: the exception that was current before becomes current again. */
  private cleanup(block: BasicBlock): void {
    const { unit } = this;
    unit.use_next_block(block);
    unit.emit(OP.COPY, 3);
    unit.emit(OP.POP_EXCEPT);
    unit.emit(OP.RERAISE, 1);
  }

  /** The name of `except ... as name` ends with its handler. */
  private forget(name: string): void {
    this.unit.load_const(null);
    this.name_op(name, "store");
    this.name_op(name, "delete");
  }

  private try_handlers(node: ast.Try): void {
    const { unit } = this;
    const body = unit.new_block();
    const first = unit.new_block();
    const end = unit.new_block();
    const cleanup = unit.new_block();
    unit.emit_jump(PSEUDO.SETUP_FINALLY, first);
    unit.use_next_block(body);
    this.push_frame_block({ type: "try except", start: body, exit: null });
    this.statements(node.body);
    this.pop_frame_block();
    unit.emit(PSEUDO.POP_BLOCK, 0, null);
    this.statements(node.orelse);
    unit.emit_jump(PSEUDO.JUMP, end, null);
    this.begin_handler(first, cleanup);
    this.push_frame_block({ type: "exception handler", start: null, exit: null });
    const handlers = node.handlers as ast.ExceptHandler[];
    handlers.forEach((handler, i) => {
      unit.location = handler;
      if (handler.type === null && i < handlers.length - 1) throw this.error("default 'except:' must be last");
      const next = unit.new_block();
      if (handler.type !== null) {
        this.expression(handler.type);
        unit.emit(OP.CHECK_EXC_MATCH);
        unit.emit_jump(PSEUDO.POP_JUMP_IF_FALSE, next);
      }
      if (handler.name !== null) this.named_handler(handler.name, handler.body, end);
      else this.nameless_handler(handler.body, end);
      unit.use_next_block(next);
    });
    unit.location = null;
    this.pop_frame_block();
    unit.emit(OP.RERAISE, 0);
    this.cleanup(cleanup);
    unit.use_next_block(end);
  }

  private named_handler(name: string, statements: readonly ast.stmt[], end: BasicBlock): void {
    const { unit } = this;
    const cleanup_end = unit.new_block();
    const body = unit.new_block();
    this.name_op(name, "store");
    unit.emit_jump(PSEUDO.SETUP_CLEANUP, cleanup_end);
    unit.use_next_block(body);
    this.push_frame_block({ type: "handler cleanup", start: body, exit: null, datum: name });
    this.statements(statements);
    this.pop_frame_block();
    unit.location = null;
    unit.emit(PSEUDO.POP_BLOCK);
    unit.emit(PSEUDO.POP_BLOCK);
    unit.emit(OP.POP_EXCEPT);
    this.forget(name);
    unit.emit_jump(PSEUDO.JUMP, end);
    unit.use_next_block(cleanup_end);
    unit.location = null;
    this.forget(name);
    unit.emit(OP.RERAISE, 1);
  }

  private nameless_handler(statements: readonly ast.stmt[], end: BasicBlock): void {
    const { unit } = this;
    const body = unit.new_block();
    unit.emit(OP.POP_TOP);
    unit.use_next_block(body);
    this.push_frame_block({ type: "handler cleanup", start: body, exit: null, datum: null });
    this.statements(statements);
    this.pop_frame_block();
    unit.location = null;
    unit.emit(PSEUDO.POP_BLOCK);
    unit.emit(OP.POP_EXCEPT);
    unit.emit_jump(PSEUDO.JUMP, end);
  }

  /**
   * `except*`: each handler takes its part of an exception group. On the stack are the original group, a list of what the handlers raised,
   * and the rest of the group.
   */
  private try_star_handlers(node: ast.TryStar): void {
    const { unit } = this;
    const body = unit.new_block();
    const first = unit.new_block();
    const orelse = unit.new_block();
    const end = unit.new_block();
    const cleanup = unit.new_block();
    const reraise_star = unit.new_block();
    unit.emit_jump(PSEUDO.SETUP_FINALLY, first);
    unit.use_next_block(body);
    this.push_frame_block({ type: "try except", start: body, exit: null });
    this.statements(node.body);
    this.pop_frame_block();
    unit.emit(PSEUDO.POP_BLOCK, 0, null);
    unit.emit_jump(PSEUDO.JUMP, orelse, null);
    this.begin_handler(first, cleanup);
    this.push_frame_block({ type: "exception group handler", start: null, exit: null });
    const handlers = node.handlers as ast.ExceptHandler[];
    handlers.forEach((handler, i) => {
      unit.location = handler;
      if (i === 0) {
        unit.emit(OP.COPY, 1);
        unit.emit(OP.BUILD_LIST, 0);
        unit.emit(OP.SWAP, 2);
      }
      this.star_handler(handler);
      if (i < handlers.length - 1) return;
      unit.emit(OP.LIST_APPEND, 1);
      unit.emit_jump(PSEUDO.JUMP, reraise_star);
    });
    unit.location = null;
    this.pop_frame_block();
    this.reraise_group(reraise_star, end);
    this.cleanup(cleanup);
    unit.use_next_block(orelse);
    this.statements(node.orelse);
    unit.use_next_block(end);
  }

  private star_handler({ type, name, body }: ast.ExceptHandler): void {
    const { unit } = this;
    const next = unit.new_block();
    const next_with_error = unit.new_block();
    const no_match = unit.new_block();
    if (type !== null) {
      this.expression(type);
      unit.emit(OP.CHECK_EG_MATCH);
      unit.emit(OP.COPY, 1);
      unit.emit_jump(PSEUDO.POP_JUMP_IF_NONE, no_match);
    }
    const cleanup_end = unit.new_block();
    const cleanup_body = unit.new_block();
    if (name !== null) this.name_op(name, "store");
    else unit.emit(OP.POP_TOP);
    unit.emit_jump(PSEUDO.SETUP_CLEANUP, cleanup_end);
    unit.use_next_block(cleanup_body);
    this.push_frame_block({ type: "handler cleanup", start: cleanup_body, exit: null, datum: name });
    this.statements(body);
    this.pop_frame_block();
    unit.location = null;
    unit.emit(PSEUDO.POP_BLOCK);
    if (name !== null) this.forget(name);
    unit.emit_jump(PSEUDO.JUMP, next);
    unit.use_next_block(cleanup_end);
    unit.location = null;
    if (name !== null) this.forget(name);
    unit.emit(OP.LIST_APPEND, 3);
    unit.emit(OP.POP_TOP);
    unit.emit_jump(PSEUDO.JUMP, next_with_error);
    unit.use_next_block(next);
    unit.emit(OP.NOP);
    unit.emit_jump(PSEUDO.JUMP, next_with_error);
    unit.use_next_block(no_match);
    unit.emit(OP.POP_TOP);
    unit.use_next_block(next_with_error);
  }

  private reraise_group(block: BasicBlock, end: BasicBlock): void {
    const { unit } = this;
    const reraise = unit.new_block();
    unit.use_next_block(block);
    unit.emit(OP.PREP_RERAISE_STAR);
    unit.emit(OP.COPY, 1);
    unit.emit_jump(PSEUDO.POP_JUMP_IF_NOT_NONE, reraise);
    unit.emit(OP.POP_TOP);
    unit.emit(PSEUDO.POP_BLOCK);
    unit.emit(OP.POP_EXCEPT);
    unit.emit_jump(PSEUDO.JUMP, end);
    unit.use_next_block(reraise);
    unit.emit(PSEUDO.POP_BLOCK);
    unit.emit(OP.SWAP, 2);
    unit.emit(OP.POP_EXCEPT);
    unit.emit(OP.RERAISE, 0);
  }

  // With --------------------------------------------------------------------------------------------------------------------

  protected with_(node: ast.With, index = 0): void {
    const { unit } = this;
    const { context_expr, optional_vars } = node.items[index];
    const block = unit.new_block();
    const final = unit.new_block();
    const exit = unit.new_block();
    const cleanup = unit.new_block();
    this.expression(context_expr);
    unit.emit(OP.BEFORE_WITH);
    unit.emit_jump(PSEUDO.SETUP_WITH, final);
    unit.use_next_block(block);
    this.push_frame_block({ type: "with", start: block, exit: final, datum: node });
    if (optional_vars !== null) this.expression(optional_vars);
    else unit.emit(OP.POP_TOP);
    if (index + 1 < node.items.length) this.with_(node, index + 1);
    else this.statements(node.body);
    unit.emit(PSEUDO.POP_BLOCK, 0, null);
    this.pop_frame_block();
    unit.location = node;
    this.call_exit_with_nones();
    unit.emit(OP.POP_TOP);
    unit.emit_jump(PSEUDO.JUMP, exit);
    unit.use_next_block(final);
    unit.emit_jump(PSEUDO.SETUP_CLEANUP, cleanup);
    unit.emit(OP.PUSH_EXC_INFO);
    unit.emit(OP.WITH_EXCEPT_START);
    this.finish_with(cleanup);
    unit.use_next_block(exit);
  }

  private call_exit_with_nones(): void {
    for (let i = 0; i < 3; i++) this.unit.load_const(null);
    this.emit_call(2);
  }

  /** The result of `__exit__` decides whether the exception goes on. */
  private finish_with(cleanup: BasicBlock): void {
    const { unit } = this;
    const suppressed = unit.new_block();
    unit.location = null;
    unit.emit_jump(PSEUDO.POP_JUMP_IF_TRUE, suppressed);
    unit.emit(OP.RERAISE, 2);
    this.cleanup(cleanup);
    unit.use_next_block(suppressed);
    unit.emit(OP.POP_TOP);
    unit.emit(PSEUDO.POP_BLOCK);
    unit.emit(OP.POP_EXCEPT);
    unit.emit(OP.POP_TOP);
    unit.emit(OP.POP_TOP);
  }
}
