/**
 * @file Functions, classes, lambdas and comprehensions: each makes a code object of its own.
 * @mirrors Python/compile.c (CPython 3.11): compiler_function, compiler_class, compiler_comprehension
 */
import * as ast from "../ast/nodes.ts";
import { annotation_text } from "../ast/unparse.ts";
import { tuple } from "../Objects/tupleobject.ts";
import { CO, type Code } from "./code.ts";
import { CallCompiler } from "./compile_calls.ts";
import { MAKE_FUNCTION } from "./compile_unit.ts";
import { type BasicBlock, PSEUDO } from "./instruction.ts";
import { OP } from "./opcode.ts";

type Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp;

/** The text at the beginning of a body; null without one. */
export function docstring_of(body: readonly ast.stmt[]): string | null {
  const [first] = body;
  if (!(first instanceof ast.Expr && first.value instanceof ast.Constant)) return null;
  const { value } = first.value;
  return typeof value === "string" ? value : null;
}

export abstract class FunctionCompiler extends CallCompiler {
  protected abstract statements(body: readonly ast.stmt[]): void;
  protected abstract documented_statements(body: readonly ast.stmt[], has_docstring: boolean): void;
  protected abstract body(body: readonly ast.stmt[]): void;

  protected get future_annotations(): boolean {
    return (this.future.flags & CO.FUTURE_ANNOTATIONS) !== 0;
  }

  // Functions ---------------------------------------------------------------------------------------------------------------

  protected function_def(node: ast.FunctionDef): void {
    const { name, args, body, decorator_list, returns } = node;
    this.check_parameters(args);
    this.expressions(decorator_list);
    let flags = this.defaults(args);
    if (this.annotations(args, returns)) flags |= MAKE_FUNCTION.ANNOTATIONS;
    const code = this.in_scope(node, "function", name, decorator_list[0]?.lineno ?? node.lineno, () => {
      const docstring = docstring_of(body);
      this.unit.consts.index(docstring);
      this.count_parameters(args);
      this.documented_statements(docstring === null ? body : body.slice(1), docstring !== null);
    });
    this.make_closure(code, flags);
    this.apply_decorators(decorator_list);
    this.name_op(name, "store");
  }

  protected override lambda(node: ast.Lambda): void {
    const { args, body } = node;
    this.check_parameters(args);
    const flags = this.defaults(args);
    const code = this.in_scope(node, "lambda", "<lambda>", node.lineno, () => {
      // The first constant is the docstring.
      this.unit.consts.index(null);
      this.count_parameters(args);
      this.expression(body);
      this.unit.emit(OP.RETURN_VALUE, 0, this.unit.entry.generator ? null : this.unit.location);
    });
    this.make_closure(code, flags);
  }

  private count_parameters({ posonlyargs, args, kwonlyargs }: ast.arguments_): void {
    const { unit } = this;
    unit.argcount = posonlyargs.length + args.length;
    unit.posonlyargcount = posonlyargs.length;
    unit.kwonlyargcount = kwonlyargs.length;
  }

  private check_parameters({ posonlyargs, args, vararg, kwonlyargs, kwarg }: ast.arguments_): void {
    for (const each of [...posonlyargs, ...args, vararg, ...kwonlyargs, kwarg])
      if (each !== null) this.check_name(each.arg, "store");
  }

  private apply_decorators(decorators: readonly ast.expr[]): void {
    const { unit } = this;
    const { location } = unit;
    for (let i = decorators.length - 1; i >= 0; i--) {
      unit.location = this.folder.fold(decorators[i]);
      this.emit_call(0);
    }
    unit.location = location;
  }

  /** Pushes a tuple and a dict of default values, as far as there are any. */
  private defaults({ defaults, kwonlyargs, kw_defaults }: ast.arguments_): number {
    const { unit } = this;
    let flags = 0;
    if (defaults.length > 0) {
      this.expressions(defaults);
      unit.emit(OP.BUILD_TUPLE, defaults.length);
      flags |= MAKE_FUNCTION.DEFAULTS;
    }
    const names: string[] = [];
    kwonlyargs.forEach(({ arg }, i) => {
      const value = kw_defaults[i];
      if (value === null) return;
      names.push(this.mangled(arg));
      this.expression(value);
    });
    if (names.length > 0) {
      unit.load_const(tuple(names));
      unit.emit(OP.BUILD_CONST_KEY_MAP, names.length);
      flags |= MAKE_FUNCTION.KWDEFAULTS;
    }
    return flags;
  }

  /** Pushes a tuple of names and annotations in turn. */
  private annotations(parameters: ast.arguments_, returns: ast.expr | null): boolean {
    const { args, posonlyargs, vararg, kwonlyargs, kwarg } = parameters;
    let count = 0;
    for (const each of [...args, ...posonlyargs, vararg, ...kwonlyargs, kwarg])
      if (each !== null && each.annotation !== null) {
        this.annotation(each.arg, each.annotation);
        count += 2;
      }
    if (returns !== null) {
      this.annotation("return", returns);
      count += 2;
    }
    if (count > 0) this.unit.emit(OP.BUILD_TUPLE, count);
    return count > 0;
  }

  private annotation(name: string, annotation: ast.expr): void {
    const { unit } = this;
    unit.load_const(this.mangled(name));
    if (this.future_annotations) this.annotation_text(annotation);
    else if (annotation instanceof ast.Starred) {
      // `*args: *Ts`
      this.expression(annotation.value);
      unit.emit(OP.UNPACK_SEQUENCE, 1);
    } else this.expression(annotation);
  }

  /** With `from __future__ import annotations`, an annotation is kept as text. */
  protected annotation_text(annotation: ast.expr): void {
    this.unit.load_const(annotation_text(annotation));
  }

  // Classes -----------------------------------------------------------------------------------------------------------------

  protected class_def(node: ast.ClassDef): void {
    const { unit } = this;
    const { name, bases, keywords, body, decorator_list } = node;
    this.expressions(decorator_list);
    const code = this.in_scope(node, "class", name, decorator_list[0]?.lineno ?? node.lineno, () =>
      this.class_body(name, body),
    );
    unit.emit(OP.PUSH_NULL);
    unit.emit(OP.LOAD_BUILD_CLASS);
    this.make_closure(code);
    unit.load_const(name);
    this.arguments_and_call(2, bases, keywords);
    this.apply_decorators(decorator_list);
    this.name_op(name, "store");
  }

  private class_body(name: string, body: readonly ast.stmt[]): void {
    const { unit } = this;
    unit.class_name = name;
    this.name_op("__name__", "load");
    this.name_op("__module__", "store");
    unit.load_const(unit.qualname);
    this.name_op("__qualname__", "store");
    this.body(body);
    unit.location = null;
    if (unit.entry.needs_class_closure) {
      // `__build_class__` puts the class into this cell, where its methods find it.
      unit.emit(OP.LOAD_CLOSURE, unit.cellvars.get("__class__"));
      unit.emit(OP.COPY, 1);
      this.name_op("__classcell__", "store");
    } else unit.load_const(null);
    unit.emit(OP.RETURN_VALUE);
  }

  // Comprehensions ----------------------------------------------------------------------------------------------------------

  /** A comprehension is a function of its first iterable, which is called at once. */
  protected override comprehension(node: Comprehension): void {
    const { unit } = this;
    this.make_closure(this.comprehension_code(node));
    this.expression(this.folder.iterable(node.generators[0].iter));
    unit.emit(OP.GET_ITER);
    this.emit_call(0);
  }

  private comprehension_code(node: Comprehension): Code {
    const [name, build] = COMPREHENSIONS.get(node.constructor) as readonly [string, number | null];
    return this.in_scope(node, "comprehension", name, node.lineno, () => {
      const { unit } = this;
      unit.location = node;
      if (build !== null) unit.emit(build, 0);
      unit.argcount = 1;
      this.comprehension_loop(node, 0, 0);
      if (build !== null) unit.emit(OP.RETURN_VALUE);
    });
  }

  /**
   * One `for` of a comprehension with everything to its right.
   * @param depth loops around, each with an iterator on the stack
   */
  private comprehension_loop(node: Comprehension, index: number, depth: number): void {
    const { unit } = this;
    const { target, iter, ifs } = node.generators[index];
    const start = unit.new_block();
    const if_cleanup = unit.new_block();
    const anchor = unit.new_block();
    const only = index === 0 ? null : this.only_element(iter);
    // `for y in [f(x)]` is an assignment.
    if (only !== null) this.expression(only);
    else {
      if (index === 0) unit.emit(OP.LOAD_FAST, 0);
      else {
        this.expression(this.folder.iterable(iter));
        unit.emit(OP.GET_ITER);
      }
      unit.use_next_block(start);
      unit.emit_jump(OP.FOR_ITER, anchor);
    }
    const loops = only === null ? depth + 1 : depth;
    this.expression(target);
    for (const each of ifs) this.jump_if(each, if_cleanup, false);
    if (index + 1 < node.generators.length) this.comprehension_loop(node, index + 1, loops);
    else this.comprehension_element(node, loops);
    unit.use_next_block(if_cleanup);
    if (only === null) this.close_loop(start, anchor);
  }

  private close_loop(start: BasicBlock, anchor: BasicBlock): void {
    this.unit.emit_jump(PSEUDO.JUMP, start);
    this.unit.use_next_block(anchor);
  }

  private only_element(iter: ast.expr): ast.expr | null {
    const folded = this.folder.iterable(iter);
    if (!(folded instanceof ast.Tuple || folded instanceof ast.List) || folded.elts.length !== 1) return null;
    return folded.elts[0] instanceof ast.Starred ? null : folded.elts[0];
  }

  private comprehension_element(node: Comprehension, loops: number): void {
    const { unit } = this;
    if (node instanceof ast.DictComp) {
      this.expression(node.key);
      this.expression(node.value);
      unit.emit(OP.MAP_ADD, loops + 1);
      return;
    }
    this.expression(node.elt);
    if (node instanceof ast.ListComp) unit.emit(OP.LIST_APPEND, loops + 1);
    else if (node instanceof ast.SetComp) unit.emit(OP.SET_ADD, loops + 1);
    else {
      this.emit_yield();
      unit.emit(OP.POP_TOP);
    }
  }
}

/** Names of the functions, and the instruction that makes the result. */
const COMPREHENSIONS = new Map<unknown, readonly [name: string, build: number | null]>([
  [ast.ListComp, ["<listcomp>", OP.BUILD_LIST]],
  [ast.SetComp, ["<setcomp>", OP.BUILD_SET]],
  [ast.DictComp, ["<dictcomp>", OP.BUILD_MAP]],
  [ast.GeneratorExp, ["<genexpr>", null]],
]);
