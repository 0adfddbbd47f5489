/**
 * @file Collects the names of every scope of a program, before it is compiled.
 * @mirrors Python/symtable.c (CPython 3.11)
 * @differs `async` and `await` are refused here; CPython compiles them.
 */
import * as ast from "../ast/nodes.ts";
import { RecursionError } from "../Objects/exceptions.ts";
import { CO } from "./code.ts";
import type { Source } from "./compile_error.ts";
import type { Future } from "./future.ts";
import { analyze } from "./symtable_analysis.ts";
import { type ComprehensionType, DEF } from "./symtable_entry.ts";
import { ScopeBuilder, type Symtable } from "./symtable_scopes.ts";

export type Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp;

/** The parts of the compiler call themselves for each level, and the engine's stack must not decide. CPython stops at 3000. */
const MAX_DEPTH = 1500;

/** @throws {SyntaxError_} for names that cannot be used as they are */
export function symtable(tree: ast.mod, future: Future, source: Source): Symtable {
  const visitor = new Visitor(tree, future, source);
  analyze(visitor.top, source);
  return visitor;
}

/** Reads the tree as CPython does: the order decides which of two errors is told. */
class Visitor extends ScopeBuilder {
  private readonly future_annotations: boolean;
  /** Statements and expressions around what is visited. */
  private depth = 0;

  constructor(tree: ast.mod, future: Future, source: Source) {
    super(tree, source);
    this.future_annotations = (future.flags & CO.FUTURE_ANNOTATIONS) !== 0;
    this.visit(tree);
  }

  private visit(node: ast.AST): void {
    if (node.constructor._fields.length === 0) return;
    if (++this.depth > MAX_DEPTH) throw new RecursionError("maximum recursion depth exceeded during compilation");
    if (!this.visit_special(node)) this.visit_children(node);
    this.depth--;
  }

  private visit_all(nodes: readonly (ast.AST | null | undefined)[]): void {
    for (const each of nodes) if (each !== null && each !== undefined) this.visit(each);
  }

  /** Most nodes only hold others, in the order in which they are read. */
  private visit_children(node: ast.AST): void {
    for (const field of node.constructor._fields) {
      const child = (node as unknown as Record<string, unknown>)[field];
      if (child instanceof ast.AST) this.visit(child);
      else if (Array.isArray(child)) for (const each of child) if (each instanceof ast.AST) this.visit(each);
    }
  }

  /** @returns whether the node makes or binds a name, or a scope, and was visited */
  private visit_special(node: ast.AST): boolean {
    if (node instanceof ast.Name) this.name(node);
    else if (node instanceof ast.expr) return this.visit_special_expression(node);
    else if (node instanceof ast.FunctionDef) this.function_def(node);
    else if (node instanceof ast.ClassDef) this.class_def(node);
    else if (node instanceof ast.alias) this.alias(node);
    else if (node instanceof ast.AnnAssign) this.annotated_assignment(node);
    else if (node instanceof ast.Try || node instanceof ast.TryStar) {
      for (const part of [node.body, node.orelse, node.handlers, node.finalbody]) this.visit_all(part);
    } else if (node instanceof ast.ExceptHandler) {
      this.visit_all([node.type]);
      this.captured(node.name, node);
      this.visit_all(node.body);
    } else if (node instanceof ast.Global) this.declaration(node, DEF.GLOBAL, "global");
    else if (node instanceof ast.Nonlocal) this.declaration(node, DEF.NONLOCAL, "nonlocal");
    else if (node instanceof ast.MatchStar || node instanceof ast.MatchAs) {
      this.visit_children(node);
      this.captured(node.name, node);
    } else if (node instanceof ast.MatchMapping) {
      this.visit_children(node);
      this.captured(node.rest, node);
    } else if (node instanceof ast.AsyncFunctionDef) throw this.refused("async def", node);
    else if (node instanceof ast.AsyncFor) throw this.refused("async for", node);
    else if (node instanceof ast.AsyncWith) throw this.refused("async with", node);
    else return false;
    return true;
  }

  private visit_special_expression(node: ast.expr): boolean {
    if (node instanceof ast.Constant) return true;
    if (node instanceof ast.ListComp) this.comprehension(node, "list comprehension", "listcomp");
    else if (node instanceof ast.GeneratorExp) this.comprehension(node, "generator expression", "genexpr");
    else if (node instanceof ast.DictComp) this.comprehension(node, "dict comprehension", "dictcomp");
    else if (node instanceof ast.SetComp) this.comprehension(node, "set comprehension", "setcomp");
    else if (node instanceof ast.Lambda) this.lambda(node);
    else if (node instanceof ast.NamedExpr) this.named_expression(node);
    else if (node instanceof ast.Yield || node instanceof ast.YieldFrom) this.yield_(node);
    else if (node instanceof ast.Await) throw this.refused("await", node);
    else return false;
    return true;
  }

  // Statements -----------------------------------------------------------------------------------------------------------

  private refused(what: string, at: ast.Range): Error {
    return this.source.error(`'${what}' is not in this Python`, at);
  }

  private function_def(node: ast.FunctionDef): void {
    const { name, args, returns, body } = node;
    this.add(name, DEF.LOCAL, node);
    this.defaults(args);
    const visit = (): void => {
      const { posonlyargs, vararg, kwarg, kwonlyargs } = args;
      for (const each of [...posonlyargs, ...args.args, vararg, kwarg, ...kwonlyargs])
        this.visit_all([each?.annotation]);
    };
    if (this.future_annotations) this.inside("_annotation", "annotation", node, visit);
    else visit();
    if (returns !== null) this.annotation(returns);
    this.visit_all(node.decorator_list);
    this.inside(name, "function", node, () => {
      this.parameters(args);
      this.visit_all(body);
    });
  }

  private class_def(node: ast.ClassDef): void {
    this.add(node.name, DEF.LOCAL, node);
    this.visit_all(node.bases);
    this.visit_all(node.keywords);
    this.visit_all(node.decorator_list);
    this.inside(node.name, "class", node, () => {
      const outer = this.class_name;
      this.class_name = node.name;
      this.visit_all(node.body);
      this.class_name = outer;
    });
  }

  private annotated_assignment(node: ast.AnnAssign): void {
    const { target, annotation, value } = node;
    if (target instanceof ast.Name) {
      const flags = this.flags_of(target.id);
      if (flags & (DEF.GLOBAL | DEF.NONLOCAL) && this.current !== this.top && node.simple) {
        const kind = flags & DEF.GLOBAL ? "global" : "nonlocal";
        throw this.source.error(`annotated name '${target.id}' can't be ${kind}`, node);
      }
      if (node.simple) this.add(target.id, DEF.ANNOT | DEF.LOCAL, target);
      else if (value !== null) this.add(target.id, DEF.LOCAL, target);
    } else this.visit(target);
    this.annotation(annotation);
    this.visit_all([value]);
  }

  private annotation(node: ast.expr): void {
    if (this.future_annotations) this.inside("_annotation", "annotation", node, () => this.visit(node));
    else this.visit(node);
  }

  private declaration(node: ast.Global | ast.Nonlocal, flag: number, word: string): void {
    for (const name of node.names) {
      const before = this.flags_of(name);
      if (before & DEF.PARAM) throw this.source.error(`name '${name}' is parameter and ${word}`, node);
      if (before & DEF.USE) throw this.source.error(`name '${name}' is used prior to ${word} declaration`, node);
      if (before & DEF.ANNOT) throw this.source.error(`annotated name '${name}' can't be ${word}`, node);
      if (before & DEF.LOCAL) throw this.source.error(`name '${name}' is assigned to before ${word} declaration`, node);
      this.add(name, flag, node);
      this.direct(name, node);
    }
  }

  private alias(node: ast.alias): void {
    const { name, asname } = node;
    if (name === "*") {
      if (this.current.type !== "module") throw this.source.error("import * only allowed at module level", node);
      return;
    }
    this.add(asname ?? name.split(".", 1)[0], DEF.IMPORT, node);
  }

  private captured(name: string | null, at: ast.Range): void {
    if (name !== null) this.add(name, DEF.LOCAL, at);
  }

  // Expressions -------------------------------------------------------------------------------------------------------------

  private lambda(node: ast.Lambda): void {
    this.defaults(node.args);
    this.inside("lambda", "function", node, () => {
      this.parameters(node.args);
      this.visit(node.body);
    });
  }

  private name(node: ast.Name): void {
    const load = node.ctx instanceof ast.Load;
    // `__debug__` is a constant when its value is asked.
    if (load && node.id === "__debug__") return;
    this.add(node.id, load ? DEF.USE : DEF.LOCAL, node);
    if (load && node.id === "super" && this.current.type === "function") this.add("__class__", DEF.USE, node);
  }

  private yield_(node: ast.Yield | ast.YieldFrom): void {
    this.not_in_annotation("yield expression", node);
    this.visit_all([node.value]);
    this.current.generator = true;
    const { comprehension } = this.current;
    if (comprehension !== null) throw this.source.error(`'yield' inside ${comprehension}`, node);
  }

  private not_in_annotation(what: string, at: ast.Range): void {
    if (this.current.type === "annotation")
      throw this.source.error(`'${what}' can not be used within an annotation`, at);
  }

  private named_expression(node: ast.NamedExpr): void {
    this.not_in_annotation("named expression", node);
    if (this.current.comp_iter_expr > 0)
      throw this.source.error("assignment expression cannot be used in a comprehension iterable expression", node);
    if (this.current.comprehension !== null) this.bind_outside_comprehension(node.target as ast.Name);
    this.visit(node.value);
    this.visit(node.target);
  }

  private comprehension(node: Comprehension, type: ComprehensionType, name: string): void {
    const [first, ...rest] = node.generators;
    // The first iterable is evaluated outside and handed over as an argument.
    this.iterable(first);
    this.inside(name, "function", node, (entry) => {
      entry.comprehension = type;
      this.add(".0", DEF.PARAM, node);
      this.target(first);
      this.visit_all(first.ifs);
      for (const each of rest) {
        this.target(each);
        this.iterable(each);
        this.visit_all(each.ifs);
      }
      if (node instanceof ast.DictComp) {
        this.visit(node.value);
        this.visit(node.key);
      } else this.visit(node.elt);
      entry.generator = type === "generator expression";
    });
  }

  private target({ target, is_async }: ast.comprehension): void {
    if (is_async) throw this.refused("async for", target);
    this.current.comp_iter_target = true;
    this.visit(target);
    this.current.comp_iter_target = false;
  }

  private iterable({ iter }: ast.comprehension): void {
    this.current.comp_iter_expr++;
    this.visit(iter);
    this.current.comp_iter_expr--;
  }

  private defaults(args: ast.arguments_): void {
    this.visit_all(args.defaults);
    this.visit_all(args.kw_defaults);
  }

  private parameters({ posonlyargs, args, kwonlyargs, vararg, kwarg }: ast.arguments_): void {
    for (const each of [...posonlyargs, ...args, ...kwonlyargs]) this.add(each.arg, DEF.PARAM, each);
    if (vararg !== null) {
      this.add(vararg.arg, DEF.PARAM, vararg);
      this.current.varargs = true;
    }
    if (kwarg !== null) {
      this.add(kwarg.arg, DEF.PARAM, kwarg);
      this.current.varkeywords = true;
    }
  }
}
