/**
 * @file Instructions for statements.
 * @mirrors Python/compile.c (CPython 3.11): compiler_visit_stmt
 */
import * as ast from "../ast/nodes.ts";
import { PyTuple, tuple } from "../Objects/tupleobject.ts";
import type { Code } from "./code.ts";
import { docstring_of } from "./compile_functions.ts";
import { PatternCompiler } from "./compile_patterns.ts";
import { TOO_LATE } from "./future.ts";
import { PSEUDO } from "./instruction.ts";
import { OP } from "./opcode.ts";

export class StatementCompiler extends PatternCompiler {
  /** Values of expressions are printed, as at a prompt. */
  private interactive = false;

  /** Compiles a whole program. */
  program(tree: ast.mod): Code {
    return this.in_scope(tree, "module", "<module>", 1, () => {
      const { unit } = this;
      if (tree instanceof ast.Module) this.body(tree.body);
      else if (tree instanceof ast.Interactive) {
        this.interactive = true;
        if (has_annotations(tree.body)) unit.emit(OP.SETUP_ANNOTATIONS);
        this.statements(tree.body);
      } else {
        this.expression((tree as ast.Expression).body);
        unit.emit(OP.RETURN_VALUE, 0, null);
      }
    });
  }

  /** The body of a module or class, with its docstring and annotations. */
  protected override body(body: readonly ast.stmt[]): void {
    const { unit } = this;
    if (unit.type === "module" && body.length > 0) unit.location = body[0];
    if (has_annotations(body)) unit.emit(OP.SETUP_ANNOTATIONS);
    if (docstring_of(body) === null) {
      this.documented_statements(body, false);
      return;
    }
    this.expression((body[0] as ast.Expr).value);
    unit.location = null;
    this.name_op("__doc__", "store");
    this.statements(body.slice(1));
  }

  /** A text at the beginning that was only computed, `"a" + "b"`, is no docstring, but it stays where a docstring would stand. */
  protected override documented_statements(body: readonly ast.stmt[], has_docstring: boolean): void {
    const [first] = body;
    const value = !has_docstring && first instanceof ast.Expr ? this.folder.fold(first.value) : null;
    if (!(value instanceof ast.Constant && typeof value.value === "string")) {
      this.statements(body);
      return;
    }
    this.unit.location = first;
    this.evaluated_statement(value);
    this.statements(body.slice(1));
  }

  protected override statements(body: readonly ast.stmt[]): void {
    for (const each of body) this.statement(each);
  }

  private statement(node: ast.stmt): void {
    const { unit } = this;
    unit.location = node;
    if (node instanceof ast.Expr) this.expression_statement(node.value);
    else if (node instanceof ast.Assign) this.assign(node);
    else if (node instanceof ast.If) this.if_(node);
    else if (node instanceof ast.Return) this.return_(node);
    else if (node instanceof ast.FunctionDef) this.function_def(node);
    else if (node instanceof ast.ClassDef) this.class_def(node);
    else if (node instanceof ast.For) this.for_(node);
    else if (node instanceof ast.Import) this.import_(node);
    else if (node instanceof ast.ImportFrom) this.import_from(node);
    else if (node instanceof ast.AugAssign) this.augmented_assignment(node);
    else if (node instanceof ast.AnnAssign) this.annotated_assignment(node);
    else if (node instanceof ast.Raise) this.raise(node);
    else if (node instanceof ast.Assert) this.assert_(node);
    else if (node instanceof ast.With) this.with_(node);
    else if (node instanceof ast.Try || node instanceof ast.TryStar) this.try_(node);
    else if (node instanceof ast.While) this.while_(node);
    else if (node instanceof ast.Pass) unit.emit(OP.NOP);
    else if (node instanceof ast.Break || node instanceof ast.Continue) this.break_or_continue(node);
    else if (node instanceof ast.Delete) this.expressions(node.targets);
    else if (node instanceof ast.Match) this.match(node);
  }

  // Simple statements -------------------------------------------------------------------------------------------------------

  private expression_statement(value_: ast.expr): void {
    const { unit } = this;
    const value = this.folder.fold(value_);
    if (this.interactive && this.is_outermost) {
      this.expression(value);
      unit.emit(OP.PRINT_EXPR);
      return;
    }
    // A constant has no effect, but its line is kept.
    if (value instanceof ast.Constant) {
      unit.emit(OP.NOP);
      return;
    }
    this.evaluated_statement(value);
  }

  private evaluated_statement(value: ast.expr): void {
    this.expression(value);
    this.unit.location = null;
    this.unit.emit(OP.POP_TOP);
  }

  private assign({ targets, value }: ast.Assign): void {
    this.expression(value);
    targets.forEach((target, i) => {
      if (i < targets.length - 1) this.unit.emit(OP.COPY, 1);
      this.expression(target);
    });
  }

  private augmented_assignment({ target, op, value }: ast.AugAssign): void {
    const { unit } = this;
    const { location } = unit;
    unit.location = target;
    if (target instanceof ast.Attribute) {
      this.expression(target.value);
      unit.emit(OP.COPY, 1);
      this.start_at_attribute(target);
      this.emit_name(OP.LOAD_ATTR, target.attr);
    } else if (target instanceof ast.Subscript) {
      this.expression(target.value);
      this.expression(target.slice);
      unit.emit(OP.COPY, 2);
      unit.emit(OP.COPY, 2);
      unit.emit(OP.BINARY_SUBSCR);
    } else this.name_op((target as ast.Name).id, "load");
    unit.location = location;
    this.expression(value);
    this.binary_op(op, true);
    unit.location = target;
    if (target instanceof ast.Attribute) {
      this.start_at_attribute(target);
      unit.emit(OP.SWAP, 2);
      this.emit_name(OP.STORE_ATTR, target.attr);
    } else if (target instanceof ast.Subscript) {
      unit.emit(OP.SWAP, 3);
      unit.emit(OP.SWAP, 2);
      unit.emit(OP.STORE_SUBSCR);
    } else this.name_op((target as ast.Name).id, "store");
  }

  private annotated_assignment({ target, annotation, value, simple }: ast.AnnAssign): void {
    const { unit } = this;
    const is_kept = unit.type === "module" || unit.type === "class";
    if (value !== null) {
      this.expression(value);
      this.expression(target);
    }
    if (target instanceof ast.Name) {
      this.check_name(target.id, "store");
      if (simple && is_kept) {
        if (this.future_annotations) this.annotation_text(annotation);
        else this.expression(annotation);
        this.emit_name(OP.LOAD_NAME, "__annotations__");
        unit.load_const(this.mangled(target.id));
        unit.emit(OP.STORE_SUBSCR);
      }
    } else if (target instanceof ast.Attribute) {
      this.check_name(target.attr, "store");
      if (value === null) this.evaluate(target.value);
    } else if (target instanceof ast.Subscript && value === null) {
      this.evaluate(target.value);
      this.evaluate_slice(target.slice);
    }
    if (!simple && is_kept && !this.future_annotations) this.evaluate(annotation);
  }

  /** Evaluates an expression that has no other use: it may raise. */
  private evaluate(node: ast.expr): void {
    this.expression(node);
    this.unit.emit(OP.POP_TOP);
  }

  private evaluate_slice(node_: ast.expr): void {
    const node = this.folder.fold(node_);
    if (node instanceof ast.Slice) {
      for (const each of [node.lower, node.upper, node.step]) if (each !== null) this.evaluate(each);
    } else if (node instanceof ast.Tuple) for (const each of node.elts) this.evaluate_slice(each);
    else this.evaluate(node);
  }

  private raise({ exc, cause }: ast.Raise): void {
    let count = 0;
    for (const each of [exc, cause])
      if (each !== null) {
        this.expression(each);
        count++;
      }
    this.unit.emit(OP.RAISE_VARARGS, count);
  }

  private assert_({ test: test_, msg }: ast.Assert): void {
    const { unit } = this;
    const test = this.folder.fold(test_);
    const elements = test instanceof ast.Tuple ? test.elts : test instanceof ast.Constant ? test.value : null;
    if ((test instanceof ast.Tuple || elements instanceof PyTuple) && (elements as unknown[]).length > 0)
      this.warn("assertion is always true, perhaps remove parentheses?");
    const end = unit.new_block();
    this.jump_if(test, end, true);
    unit.emit(OP.LOAD_ASSERTION_ERROR);
    if (msg !== null) {
      this.expression(msg);
      this.emit_call(0);
    }
    unit.emit(OP.RAISE_VARARGS, 1);
    unit.use_next_block(end);
  }

  // Imports -----------------------------------------------------------------------------------------------------------------

  private import_({ names }: ast.Import): void {
    const { unit } = this;
    for (const { name, asname } of names) {
      unit.load_const(0);
      unit.load_const(null);
      this.emit_name(OP.IMPORT_NAME, name);
      const [first, ...rest] = name.split(".");
      // `import a.b` binds `a`, `import a.b as c` binds `b`.
      if (asname === null) this.name_op(first, "store");
      else {
        rest.forEach((attribute, i) => {
          if (i > 0) {
            unit.emit(OP.SWAP, 2);
            unit.emit(OP.POP_TOP);
          }
          unit.emit(OP.IMPORT_FROM, unit.names.index(attribute));
        });
        this.name_op(asname, "store");
        if (rest.length > 0) unit.emit(OP.POP_TOP);
      }
    }
  }

  private import_from(node: ast.ImportFrom): void {
    const { unit } = this;
    const { module, names, level } = node;
    unit.load_const(level ?? 0);
    if (node.lineno > this.future.lineno && module === "__future__") throw this.error(TOO_LATE);
    unit.load_const(tuple(names.map(({ name }) => name)));
    this.emit_name(OP.IMPORT_NAME, module ?? "");
    if (names[0]?.name === "*") {
      unit.emit(OP.IMPORT_STAR);
      return;
    }
    for (const { name, asname } of names) {
      this.emit_name(OP.IMPORT_FROM, name);
      this.name_op(asname ?? name, "store");
    }
    unit.emit(OP.POP_TOP);
  }

  // Compound statements -----------------------------------------------------------------------------------------------------

  private if_({ test, body, orelse }: ast.If): void {
    const { unit } = this;
    const end = unit.new_block();
    const otherwise = orelse.length > 0 ? unit.new_block() : end;
    this.jump_if(test, otherwise, false);
    this.statements(body);
    if (orelse.length > 0) {
      unit.emit_jump(PSEUDO.JUMP, end, null);
      unit.use_next_block(otherwise);
      this.statements(orelse);
    }
    unit.use_next_block(end);
  }

  private for_({ target, iter, body, orelse }: ast.For): void {
    const { unit } = this;
    const start = unit.new_block();
    const first = unit.new_block();
    const cleanup = unit.new_block();
    const end = unit.new_block();
    this.push_frame_block({ type: "for", start, exit: end });
    this.expression(this.folder.iterable(iter));
    unit.emit(OP.GET_ITER);
    unit.use_next_block(start);
    unit.emit_jump(OP.FOR_ITER, cleanup);
    unit.use_next_block(first);
    this.expression(target);
    this.statements(body);
    unit.location = null;
    unit.emit_jump(PSEUDO.JUMP, start);
    unit.use_next_block(cleanup);
    this.pop_frame_block();
    this.statements(orelse);
    unit.use_next_block(end);
  }

  /** The test stands twice: before the loop, and at its end, so that each turn makes one jump. */
  private while_(node: ast.While): void {
    const { unit } = this;
    const loop = unit.new_block();
    const body = unit.new_block();
    const anchor = unit.new_block();
    const end = unit.new_block();
    unit.use_next_block(loop);
    this.push_frame_block({ type: "while", start: loop, exit: end });
    this.jump_if(node.test, anchor, false);
    unit.use_next_block(body);
    this.statements(node.body);
    unit.location = node;
    this.jump_if(node.test, body, true);
    this.pop_frame_block();
    unit.use_next_block(anchor);
    this.statements(node.orelse);
    unit.use_next_block(end);
  }
}

/** Whether a body contains an annotation of a variable, inner functions and classes aside. */
function has_annotations(body: readonly ast.stmt[]): boolean {
  return body.some((each) => {
    if (each instanceof ast.AnnAssign) return true;
    if (each instanceof ast.For || each instanceof ast.While || each instanceof ast.If)
      return has_annotations(each.body) || has_annotations(each.orelse);
    if (each instanceof ast.With) return has_annotations(each.body);
    if (each instanceof ast.Try || each instanceof ast.TryStar)
      return (
        has_annotations(each.body) ||
        has_annotations(each.orelse) ||
        has_annotations(each.finalbody) ||
        (each.handlers as ast.ExceptHandler[]).some((handler) => has_annotations(handler.body))
      );
    return each instanceof ast.Match && each.cases.some((match_case) => has_annotations(match_case.body));
  });
}
