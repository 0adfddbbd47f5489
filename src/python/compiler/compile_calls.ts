/**
 * @file Instructions for calls.
 * @mirrors Python/compile.c (CPython 3.11): compiler_call
 */
import * as ast from "../ast/nodes.ts";
import { tuple } from "../Objects/tupleobject.ts";
import { ExpressionCompiler } from "./compile_expressions.ts";
import { STACK_USE_GUIDELINE } from "./compile_unit.ts";
import { OP } from "./opcode.ts";

export abstract class CallCompiler extends ExpressionCompiler {
  protected override call(node: ast.Call): void {
    const { func, args, keywords } = node;
    this.check_keywords(keywords);
    if (func instanceof ast.Attribute && this.is_method_call(func, args, keywords)) {
      this.method_call(node, func);
      return;
    }
    const { unit } = this;
    this.check_callable(func);
    unit.location = this.folder.fold(func);
    unit.emit(OP.PUSH_NULL);
    unit.location = node;
    this.expression(func);
    this.arguments_and_call(0, args, keywords);
  }

  /** Whether the function can be looked up as a method, without making a bound method. What a module contains is no method. */
  private is_method_call(func: ast.Attribute, args: readonly ast.expr[], keywords: readonly ast.keyword[]): boolean {
    if (func.value instanceof ast.Name && this.is_imported(func.value.id)) return false;
    const count = args.length + keywords.length + (keywords.length > 0 ? 1 : 0);
    return count < STACK_USE_GUIDELINE && !is_unpacked(args, keywords);
  }

  private method_call(node: ast.Call, func: ast.Attribute): void {
    const { unit } = this;
    const { args, keywords } = node;
    this.expression(func.value);
    unit.location = func;
    this.start_at_attribute(func);
    this.emit_name(OP.LOAD_METHOD, func.attr);
    this.expressions(args);
    if (keywords.length > 0) this.keyword_values(keywords);
    unit.location = node;
    this.start_at_attribute(func);
    this.emit_call(args.length + keywords.length);
  }

  protected emit_call(count: number): void {
    this.unit.emit(OP.PRECALL, count);
    this.unit.emit(OP.CALL, count);
  }

  private keyword_values(keywords: readonly ast.keyword[]): void {
    for (const { value } of keywords) this.expression(value);
    this.unit.emit(OP.KW_NAMES, this.unit.consts.index(tuple(keywords.map(({ arg }) => arg))));
  }

  /**
   * The arguments of a call, and the call.
   * @param pushed arguments that are already on the stack
   */
  protected arguments_and_call(pushed: number, args: readonly ast.expr[], keywords: readonly ast.keyword[]): void {
    this.check_keywords(keywords);
    if (args.length + keywords.length * 2 > STACK_USE_GUIDELINE || is_unpacked(args, keywords)) {
      const [first] = args;
      if (pushed === 0 && args.length === 1 && first instanceof ast.Starred) this.expression(first.value);
      else this.argument_tuple(args, pushed);
      if (keywords.length > 0) this.keyword_dict(keywords);
      this.unit.emit(OP.CALL_FUNCTION_EX, keywords.length > 0 ? 1 : 0);
      return;
    }
    this.expressions(args);
    if (keywords.length > 0) this.keyword_values(keywords);
    this.emit_call(pushed + args.length + keywords.length);
  }

  private keyword_dict(keywords: readonly ast.keyword[]): void {
    const { unit } = this;
    let have_dict = false;
    let waiting: ast.keyword[] = [];
    const flush = (): void => {
      this.keyword_dict_part(waiting);
      if (have_dict) unit.emit(OP.DICT_MERGE, 1);
      have_dict = true;
      waiting = [];
    };
    for (const each of keywords) {
      if (each.arg !== null) {
        waiting.push(each);
        continue;
      }
      if (waiting.length > 0) flush();
      if (!have_dict) unit.emit(OP.BUILD_MAP, 0);
      have_dict = true;
      this.expression(each.value);
      unit.emit(OP.DICT_MERGE, 1);
    }
    if (waiting.length > 0) flush();
  }

  private keyword_dict_part(keywords: readonly ast.keyword[]): void {
    const { unit } = this;
    const count = keywords.length;
    const big = count * 2 > STACK_USE_GUIDELINE;
    if (count > 1 && !big) {
      for (const { value } of keywords) this.expression(value);
      unit.load_const(tuple(keywords.map(({ arg }) => arg)));
      unit.emit(OP.BUILD_CONST_KEY_MAP, count);
      return;
    }
    if (big) unit.emit(OP.BUILD_MAP, 0, null);
    for (const { arg, value } of keywords) {
      unit.load_const(arg);
      this.expression(value);
      if (big) unit.emit(OP.MAP_ADD, 1, null);
    }
    if (!big) unit.emit(OP.BUILD_MAP, count);
  }

  private check_keywords(keywords: readonly ast.keyword[]): void {
    keywords.forEach(({ arg }, i) => {
      if (arg === null) return;
      this.check_name(arg, "store");
      const repeated = keywords.find((other, j) => j > i && other.arg === arg);
      if (repeated === undefined) return;
      this.unit.location = repeated;
      throw this.error(`keyword argument repeated: ${arg}`);
    });
  }
}

/** Whether arguments are only known when the program runs: `f(*args)`, `f(**kwargs)`. */
function is_unpacked(args: readonly ast.expr[], keywords: readonly ast.keyword[]): boolean {
  return args.some((each) => each instanceof ast.Starred) || keywords.some(({ arg }) => arg === null);
}
