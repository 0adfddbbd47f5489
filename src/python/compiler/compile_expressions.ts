/**
 * @file Instructions for expressions: each leaves its value on the stack.
 * @mirrors Python/compile.c (CPython 3.11): compiler_visit_expr
 */
import * as ast from "../ast/nodes.ts";
import { tuple } from "../Objects/tupleobject.ts";
import { frozenset } from "./ast_opt.ts";
import { ConditionCompiler } from "./compile_conditions.ts";
import { type NameUse, STACK_USE_GUIDELINE } from "./compile_unit.ts";
import { check_caller, check_subscript } from "./compile_warnings.ts";
import { PSEUDO } from "./instruction.ts";
import { nb_ops, OP } from "./opcode.ts";

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

export abstract class ExpressionCompiler extends ConditionCompiler {
  protected abstract lambda(node: ast.Lambda): void;
  protected abstract comprehension(node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp): void;
  protected abstract call(node: ast.Call): void;

  protected override expression(node: ast.expr): void {
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
