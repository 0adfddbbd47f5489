/**
 * @file Instructions for expressions: each leaves its value on the stack.
 * @mirrors Python/compile.c (CPython 3.11): compiler_visit_expr
 */
import * as ast from "../ast/nodes.ts";
import { tuple } from "../Objects/tupleobject.ts";
import { frozenset } from "./ast_opt.ts";
import { type NameUse, STACK_USE_GUIDELINE, UnitCompiler } from "./compile_unit.ts";
import { check_caller, check_compare, check_subscript } from "./compile_warnings.ts";
import { type BasicBlock, PSEUDO } from "./instruction.ts";
import { cmp_op, nb_ops, OP } from "./opcode.ts";

/** Index of a sign in `BINARY_OP`'s table; the one that works in place is 13 further. */
const BINARY_SIGNS = new Map<unknown, string>([
  [ast.Add, "+"],
  [ast.Sub, "-"],
  [ast.Mult, "*"],
  [ast.MatMult, "@"],
  [ast.Div, "/"],
  [ast.Mod, "%"],
  [ast.Pow, "**"],
  [ast.LShift, "<<"],
  [ast.RShift, ">>"],
  [ast.BitOr, "|"],
  [ast.BitXor, "^"],
  [ast.BitAnd, "&"],
  [ast.FloorDiv, "//"],
]);
const BINARY = new Map([...BINARY_SIGNS].map(([op, sign]) => [op, nb_ops.findIndex((each) => each[1] === sign)]));
const IN_PLACE = 13;

const UNARY = new Map<unknown, number>([
  [ast.Invert, OP.UNARY_INVERT],
  [ast.Not, OP.UNARY_NOT],
  [ast.UAdd, OP.UNARY_POSITIVE],
  [ast.USub, OP.UNARY_NEGATIVE],
]);

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

/** Argument of `FORMAT_VALUE`: how the value becomes text first, and whether a format specification lies above it. */
const CONVERSION = new Map([
  [-1, 0],
  ["s".charCodeAt(0), 1],
  ["r".charCodeAt(0), 2],
  ["a".charCodeAt(0), 3],
]);
const HAVE_SPEC = 4;

/** How a display grows: the instruction that makes it, and those that add one element or all of an iterable. */
interface Display {
  readonly build: number;
  readonly add: number;
  readonly extend: number;
}
const LIST: Display = { build: OP.BUILD_LIST, add: OP.LIST_APPEND, extend: OP.LIST_EXTEND };
const SET: Display = { build: OP.BUILD_SET, add: OP.SET_ADD, extend: OP.SET_UPDATE };

export function name_use(ctx: ast.expr_context): NameUse {
  return ctx instanceof ast.Load ? "load" : ctx instanceof ast.Store ? "store" : "delete";
}

export abstract class ExpressionCompiler extends UnitCompiler {
  protected abstract lambda(node: ast.Lambda): void;
  protected abstract comprehension(node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp): void;
  protected abstract call(node: ast.Call): void;

  protected expression(node: ast.expr): void {
    const { unit } = this;
    const { location } = unit;
    const folded = this.folder.fold(node);
    unit.location = folded;
    this.folded_expression(folded);
    unit.location = location;
  }

  protected expressions(nodes: readonly ast.expr[]): void {
    for (const each of nodes) this.expression(each);
  }

  private folded_expression(node: ast.expr): void {
    const { unit } = this;
    if (node instanceof ast.Name) this.name_op(node.id, name_use(node.ctx));
    else if (node instanceof ast.Constant) unit.load_const(node.value);
    else if (node instanceof ast.Attribute) this.attribute(node);
    else if (node instanceof ast.Call) this.call(node);
    else if (node instanceof ast.Subscript) this.subscript(node);
    else if (node instanceof ast.BinOp) {
      this.expression(node.left);
      this.expression(node.right);
      this.binary_op(node.op, false);
    } else if (node instanceof ast.Tuple || node instanceof ast.List) this.sequence(node);
    else if (node instanceof ast.Compare) this.compare(node);
    else if (node instanceof ast.BoolOp) this.bool_op(node);
    else if (node instanceof ast.UnaryOp) {
      this.expression(node.operand);
      unit.emit(UNARY.get(node.op.constructor) as number);
    } else if (node instanceof ast.JoinedStr) this.joined_str(node);
    else if (node instanceof ast.FormattedValue) this.formatted_value(node);
    else if (node instanceof ast.IfExp) this.if_expression(node);
    else if (node instanceof ast.Slice) this.slice(node);
    else if (node instanceof ast.Dict) this.dict(node);
    else if (node instanceof ast.Set) this.display(node.elts, 0, SET, false);
    else if (node instanceof ast.Lambda) this.lambda(node);
    else if (node instanceof ast.NamedExpr) {
      this.expression(node.value);
      unit.emit(OP.COPY, 1);
      this.expression(node.target);
    } else if (node instanceof ast.Yield || node instanceof ast.YieldFrom) this.yield_(node);
    else if (node instanceof ast.Starred)
      throw this.error(
        node.ctx instanceof ast.Store
          ? "starred assignment target must be in a list or tuple"
          : "can't use starred expression here",
      );
    else this.comprehension(node as ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp);
  }

  // Operators ---------------------------------------------------------------------------------------------------------------

  protected binary_op(op: ast.operator, in_place: boolean): void {
    this.unit.emit(OP.BINARY_OP, (BINARY.get(op.constructor) as number) + (in_place ? IN_PLACE : 0));
  }

  protected compare_op(op: ast.cmpop): void {
    const [opcode, arg] = COMPARE.get(op.constructor) as readonly [number, number];
    this.unit.emit(opcode, arg);
  }

  private compare(node: ast.Compare): void {
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

  private bool_op(node: ast.BoolOp): void {
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

  private if_expression(node: ast.IfExp): void {
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

  // Attributes and items ----------------------------------------------------------------------------------------------------

  private attribute(node: ast.Attribute): void {
    const use = name_use(node.ctx);
    this.expression(node.value);
    this.start_at_attribute(node);
    if (use === "store") this.check_name(node.attr, use);
    this.emit_name(use === "load" ? OP.LOAD_ATTR : use === "store" ? OP.STORE_ATTR : OP.DELETE_ATTR, node.attr);
  }

  /** In an attribute access over several lines the next instruction stands where the name of the attribute stands. */
  protected start_at_attribute({ end_lineno, end_col_offset, attr }: ast.Attribute): void {
    const { unit } = this;
    const at = unit.location;
    if (at === null || at.lineno === end_lineno) return;
    const col_offset = end_col_offset - [...attr].length;
    const end = Math.max(end_lineno, at.end_lineno);
    unit.location = {
      lineno: end_lineno,
      col_offset,
      end_lineno: end,
      end_col_offset: end === end_lineno ? Math.max(col_offset, at.end_col_offset) : at.end_col_offset,
    };
  }

  private subscript(node: ast.Subscript): void {
    const use = name_use(node.ctx);
    if (use === "load") {
      const value = this.folder.fold(node.value);
      check_subscript(value, this.folder.fold(node.slice), (message) => this.warn(message));
    }
    this.expression(node.value);
    this.expression(node.slice);
    this.unit.emit(use === "load" ? OP.BINARY_SUBSCR : use === "store" ? OP.STORE_SUBSCR : OP.DELETE_SUBSCR);
  }

  private slice({ lower, upper, step }: ast.Slice): void {
    for (const bound of [lower, upper]) {
      if (bound === null) this.unit.load_const(null);
      else this.expression(bound);
    }
    if (step !== null) this.expression(step);
    this.unit.emit(OP.BUILD_SLICE, step === null ? 2 : 3);
  }

  // Displays ----------------------------------------------------------------------------------------------------------------

  private sequence(node: ast.Tuple | ast.List): void {
    if (node.ctx instanceof ast.Load) this.display(node.elts, 0, LIST, node instanceof ast.Tuple);
    else if (node.ctx instanceof ast.Store) this.unpack(node.elts);
    else this.expressions(node.elts);
  }

  private unpack(elements: readonly ast.expr[]): void {
    const { unit } = this;
    const star = elements.findIndex((each) => each instanceof ast.Starred);
    if (star < 0) unit.emit(OP.UNPACK_SEQUENCE, elements.length);
    else {
      const after = elements.length - star - 1;
      if (star >= 1 << 8 || after >= (2 ** 31 - 1) >> 8)
        throw this.error("too many expressions in star-unpacking assignment");
      unit.emit(OP.UNPACK_EX, star + (after << 8));
      if (elements.some((each, i) => i > star && each instanceof ast.Starred))
        throw this.error("multiple starred expressions in assignment");
    }
    for (const each of elements) this.expression(each instanceof ast.Starred ? each.value : each);
  }

  /** The values of constant expressions; null if an expression is not constant. */
  private constant_values(nodes: readonly (ast.expr | null)[]): unknown[] | null {
    const values: unknown[] = [];
    for (const each of nodes) {
      const folded = each === null ? null : this.folder.fold(each);
      if (!(folded instanceof ast.Constant)) return null;
      values.push(folded.value);
    }
    return values;
  }

  /**
   * A list, set or tuple.
   * @param pushed elements that are already on the stack
   */
  private display(
    elements: readonly ast.expr[],
    pushed: number,
    { build, add, extend }: Display,
    as_tuple: boolean,
  ): void {
    const { unit } = this;
    const { length } = elements;
    const constants = length > 2 ? this.constant_values(elements) : null;
    if (constants !== null) {
      if (as_tuple && pushed === 0) unit.load_const(tuple(constants));
      else {
        unit.emit(build, pushed);
        unit.load_const(build === OP.BUILD_SET ? frozenset(constants) : tuple(constants));
        unit.emit(extend, 1);
        if (as_tuple) unit.emit(OP.LIST_TO_TUPLE);
      }
      return;
    }
    const big = length + pushed > STACK_USE_GUIDELINE;
    if (!big && !elements.some((each) => each instanceof ast.Starred)) {
      this.expressions(elements);
      unit.emit(as_tuple ? OP.BUILD_TUPLE : build, length + pushed);
      return;
    }
    let built = big;
    if (big) unit.emit(build, pushed);
    elements.forEach((each, i) => {
      if (each instanceof ast.Starred) {
        if (!built) unit.emit(build, i + pushed);
        built = true;
        this.expression(each.value);
        unit.emit(extend, 1);
      } else {
        this.expression(each);
        if (built) unit.emit(add, 1);
      }
    });
    if (as_tuple) unit.emit(OP.LIST_TO_TUPLE);
  }

  /** The positional arguments of a call as one tuple. */
  protected argument_tuple(elements: readonly ast.expr[], pushed: number): void {
    this.display(elements, pushed, LIST, true);
  }

  private dict(node: ast.Dict): void {
    const { unit } = this;
    let have_dict = false;
    let waiting = 0;
    const flush = (end: number): void => {
      this.dict_part(node, end - waiting, end);
      if (have_dict) unit.emit(OP.DICT_UPDATE, 1);
      have_dict = true;
      waiting = 0;
    };
    node.values.forEach((value, i) => {
      if (node.keys[i] === null) {
        if (waiting > 0) flush(i);
        if (!have_dict) unit.emit(OP.BUILD_MAP, 0);
        have_dict = true;
        this.expression(value);
        unit.emit(OP.DICT_UPDATE, 1);
      } else if (waiting * 2 > STACK_USE_GUIDELINE) {
        this.dict_part(node, i - waiting, i + 1);
        if (have_dict) unit.emit(OP.DICT_UPDATE, 1);
        have_dict = true;
        waiting = 0;
      } else waiting++;
    });
    if (waiting > 0) flush(node.values.length);
    if (!have_dict) unit.emit(OP.BUILD_MAP, 0);
  }

  private dict_part(node: ast.Dict, begin: number, end: number): void {
    const { unit } = this;
    const count = end - begin;
    const big = count * 2 > STACK_USE_GUIDELINE;
    const keys = node.keys.slice(begin, end) as ast.expr[];
    const constants = count > 1 && !big ? this.constant_values(keys) : null;
    if (constants !== null) {
      this.expressions(node.values.slice(begin, end));
      unit.load_const(tuple(constants));
      unit.emit(OP.BUILD_CONST_KEY_MAP, count);
      return;
    }
    if (big) unit.emit(OP.BUILD_MAP, 0);
    keys.forEach((key, i) => {
      this.expression(key);
      this.expression(node.values[begin + i]);
      if (big) unit.emit(OP.MAP_ADD, 1);
    });
    if (!big) unit.emit(OP.BUILD_MAP, count);
  }

  // Text --------------------------------------------------------------------------------------------------------------------

  private joined_str({ values }: ast.JoinedStr): void {
    const { unit } = this;
    if (values.length > STACK_USE_GUIDELINE) {
      unit.load_const("");
      this.emit_name(OP.LOAD_METHOD, "join");
      unit.emit(OP.BUILD_LIST, 0);
      for (const each of values) {
        this.expression(each);
        unit.emit(OP.LIST_APPEND, 1);
      }
      unit.emit(OP.PRECALL, 1);
      unit.emit(OP.CALL, 1);
    } else {
      this.expressions(values);
      if (values.length !== 1) unit.emit(OP.BUILD_STRING, values.length);
    }
  }

  private formatted_value({ value, conversion, format_spec }: ast.FormattedValue): void {
    this.expression(value);
    if (format_spec !== null) this.expression(format_spec);
    const how = CONVERSION.get(conversion) as number;
    this.unit.emit(OP.FORMAT_VALUE, format_spec === null ? how : how | HAVE_SPEC);
  }

  // Generators --------------------------------------------------------------------------------------------------------------

  private yield_(node: ast.Yield | ast.YieldFrom): void {
    const { unit } = this;
    if (!unit.is_function) throw this.error("'yield' outside function");
    if (node.value === null) unit.load_const(null);
    else this.expression(node.value);
    if (node instanceof ast.Yield) this.emit_yield();
    else {
      unit.emit(OP.GET_YIELD_FROM_ITER);
      unit.load_const(null);
      this.delegate();
    }
  }

  protected emit_yield(): void {
    this.unit.emit(OP.YIELD_VALUE);
    this.unit.emit(OP.RESUME, 1);
  }

  /** The loop of `yield from`: sends values into the inner iterator and yields what it gives, until it ends. */
  private delegate(): void {
    const { unit } = this;
    const start = unit.new_block();
    const resume = unit.new_block();
    const exit = unit.new_block();
    unit.use_next_block(start);
    unit.emit_jump(OP.SEND, exit);
    unit.use_next_block(resume);
    unit.emit(OP.YIELD_VALUE);
    unit.emit(OP.RESUME, 2);
    unit.emit_jump(PSEUDO.JUMP_NO_INTERRUPT, start);
    unit.use_next_block(exit);
  }

  /** Warns about a call of what cannot be called. */
  protected check_callable(node: ast.expr): void {
    check_caller(this.folder.fold(node), (message) => this.warn(message));
  }
}
