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
import { mangle } from "./mangle.ts";
import { analyze } from "./symtable_analysis.ts";
import { type BlockType, type ComprehensionType, DEF, SymtableEntry } from "./symtable_entry.ts";

export type Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp;

/** The parts of the compiler call themselves for each level, and the engine's stack must not decide. CPython stops at 3000. */
const MAX_DEPTH = 1500;

/** Scopes by the node that makes them. */
export interface Symtable {
  readonly top: SymtableEntry;
  entry(node: ast.AST): SymtableEntry;
}

/** @throws {SyntaxError_} for names that cannot be used as they are */
export function symtable(tree: ast.mod, future: Future, source: Source): Symtable {
  const builder = new Builder(tree, future, source);
  analyze(builder.top, source);
  return builder;
}

/** Reads the tree as CPython does: the order decides which of two errors is told. */
class Builder implements Symtable {
  readonly top: SymtableEntry;
  private readonly entries = new Map<ast.AST, SymtableEntry>();
  private readonly source: Source;
  private readonly future_annotations: boolean;
  private readonly stack: SymtableEntry[] = [];
  private current: SymtableEntry;
  private class_name: string | null = null;
  /** Statements and expressions around what is visited. */
  private depth = 0;

  constructor(tree: ast.mod, future: Future, source: Source) {
    this.source = source;
    this.future_annotations = (future.flags & CO.FUTURE_ANNOTATIONS) !== 0;
    this.top = new SymtableEntry("top", "module", tree, false);
    this.current = this.top;
    this.stack.push(this.top);
    this.entries.set(tree, this.top);
    if (tree instanceof ast.Expression) this.expression(tree.body);
    else if (tree instanceof ast.Module || tree instanceof ast.Interactive) this.statements(tree.body);
  }

  entry(node: ast.AST): SymtableEntry {
    const entry = this.entries.get(node);
    if (entry === undefined) throw new Error("this node makes no scope");
    return entry;
  }

  // Scopes ------------------------------------------------------------------------------------------------------------------

  private inside(name: string, type: BlockType, node: ast.AST, visit: (entry: SymtableEntry) => void): void {
    const outer = this.current;
    const entry = new SymtableEntry(name, type, node, outer.nested || outer.type === "function");
    // An assignment expression is not allowed anywhere in what a comprehension iterates over, inner functions included.
    entry.comp_iter_expr = outer.comp_iter_expr;
    // Future annotations are text: their names do not count.
    if (type !== "annotation") {
      outer.children.push(entry);
      this.entries.set(node, entry);
    }
    this.stack.push(entry);
    this.current = entry;
    visit(entry);
    this.stack.pop();
    this.current = outer;
  }

  private add(name: string, flag: number, at: ast.Range, entry = this.current): void {
    const mangled = mangle(this.class_name, name);
    const { symbols } = entry;
    const before = symbols.get(mangled) ?? 0;
    if (flag & DEF.PARAM && before & DEF.PARAM)
      throw this.source.error(`duplicate argument '${name}' in function definition`, at);
    let flags = before | flag;
    if (entry.comp_iter_target) {
      if (flags & (DEF.GLOBAL | DEF.NONLOCAL))
        throw this.source.error(`comprehension inner loop cannot rebind assignment expression target '${name}'`, at);
      flags |= DEF.COMP_ITER;
    }
    symbols.set(mangled, flags);
    if (flag & DEF.PARAM) entry.parameters.push(mangled);
    else if (flag & DEF.GLOBAL) this.top.symbols.set(mangled, (this.top.symbols.get(mangled) ?? 0) | flag);
  }

  private direct(name: string, at: ast.Range): void {
    this.current.directives.push({ name: mangle(this.class_name, name), at });
  }

  private flags_of(name: string): number {
    return this.current.symbols.get(mangle(this.class_name, name)) ?? 0;
  }

  // Statements --------------------------------------------------------------------------------------------------------------

  private statements(body: readonly ast.stmt[]): void {
    for (const each of body) this.statement(each);
  }

  private enter(): void {
    if (++this.depth > MAX_DEPTH) throw new RecursionError("maximum recursion depth exceeded during compilation");
  }

  private statement(node: ast.stmt): void {
    this.enter();
    this.visit_statement(node);
    this.depth--;
  }

  private visit_statement(node: ast.stmt): void {
    if (node instanceof ast.Expr) this.expression(node.value);
    else if (node instanceof ast.Assign) {
      this.expressions(node.targets);
      this.expression(node.value);
    } else if (node instanceof ast.If || node instanceof ast.While) {
      this.expression(node.test);
      this.statements(node.body);
      this.statements(node.orelse);
    } else if (node instanceof ast.Return) this.optional(node.value);
    else if (node instanceof ast.FunctionDef) this.function_def(node);
    else if (node instanceof ast.ClassDef) this.class_def(node);
    else if (node instanceof ast.For) {
      this.expression(node.target);
      this.expression(node.iter);
      this.statements(node.body);
      this.statements(node.orelse);
    } else if (node instanceof ast.Import || node instanceof ast.ImportFrom) {
      for (const each of node.names) this.alias(each);
    } else if (node instanceof ast.AugAssign) {
      this.expression(node.target);
      this.expression(node.value);
    } else if (node instanceof ast.AnnAssign) this.annotated_assignment(node);
    else if (node instanceof ast.Raise) {
      this.optional(node.exc);
      this.optional(node.cause);
    } else if (node instanceof ast.Assert) {
      this.expression(node.test);
      this.optional(node.msg);
    } else if (node instanceof ast.With) {
      for (const { context_expr, optional_vars } of node.items) {
        this.expression(context_expr);
        this.optional(optional_vars);
      }
      this.statements(node.body);
    } else if (node instanceof ast.Try || node instanceof ast.TryStar) this.try_(node);
    else if (node instanceof ast.Delete) this.expressions(node.targets);
    else if (node instanceof ast.Global) this.declaration(node, DEF.GLOBAL, "global");
    else if (node instanceof ast.Nonlocal) this.declaration(node, DEF.NONLOCAL, "nonlocal");
    else if (node instanceof ast.Match) this.match(node);
    else if (node instanceof ast.AsyncFunctionDef) throw this.refused("async def", node);
    else if (node instanceof ast.AsyncFor) throw this.refused("async for", node);
    else if (node instanceof ast.AsyncWith) throw this.refused("async with", node);
  }

  private refused(what: string, at: ast.Range): Error {
    return this.source.error(`'${what}' is not in this Python`, at);
  }

  private function_def(node: ast.FunctionDef): void {
    const { name, args, returns, body } = node;
    this.add(name, DEF.LOCAL, node);
    this.defaults(args);
    const visit = (): void => {
      const { posonlyargs, vararg, kwarg, kwonlyargs } = args;
      for (const each of [...posonlyargs, ...args.args, vararg, kwarg, ...kwonlyargs]) this.optional(each?.annotation);
    };
    if (this.future_annotations) this.inside("_annotation", "annotation", node, visit);
    else visit();
    if (returns !== null) this.annotation(returns);
    this.expressions(node.decorator_list);
    this.inside(name, "function", node, () => {
      this.parameters(args);
      this.statements(body);
    });
  }

  private class_def(node: ast.ClassDef): void {
    this.add(node.name, DEF.LOCAL, node);
    this.expressions(node.bases);
    for (const { value } of node.keywords) this.expression(value);
    this.expressions(node.decorator_list);
    this.inside(node.name, "class", node, () => {
      const outer = this.class_name;
      this.class_name = node.name;
      this.statements(node.body);
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
    } else this.expression(target);
    this.annotation(annotation);
    this.optional(value);
  }

  private annotation(node: ast.expr): void {
    if (this.future_annotations) this.inside("_annotation", "annotation", node, () => this.expression(node));
    else this.expression(node);
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

  private try_(node: ast.Try | ast.TryStar): void {
    this.statements(node.body);
    this.statements(node.orelse);
    for (const handler of node.handlers as ast.ExceptHandler[]) {
      this.optional(handler.type);
      if (handler.name !== null) this.add(handler.name, DEF.LOCAL, handler);
      this.statements(handler.body);
    }
    this.statements(node.finalbody);
  }

  private match(node: ast.Match): void {
    this.expression(node.subject);
    for (const { pattern, guard, body } of node.cases) {
      this.pattern(pattern);
      this.optional(guard);
      this.statements(body);
    }
  }

  private pattern(node: ast.pattern): void {
    if (node instanceof ast.MatchValue) this.expression(node.value);
    else if (node instanceof ast.MatchSequence || node instanceof ast.MatchOr)
      for (const each of node.patterns) this.pattern(each);
    else if (node instanceof ast.MatchStar) this.captured(node.name, node);
    else if (node instanceof ast.MatchMapping) {
      this.expressions(node.keys);
      for (const each of node.patterns) this.pattern(each);
      this.captured(node.rest, node);
    } else if (node instanceof ast.MatchClass) {
      this.expression(node.cls);
      for (const each of node.patterns) this.pattern(each);
      for (const each of node.kwd_patterns) this.pattern(each);
    } else if (node instanceof ast.MatchAs) {
      if (node.pattern !== null) this.pattern(node.pattern);
      this.captured(node.name, node);
    }
  }

  private captured(name: string | null, at: ast.Range): void {
    if (name !== null) this.add(name, DEF.LOCAL, at);
  }

  // Expressions -------------------------------------------------------------------------------------------------------------

  private expressions(list: readonly (ast.expr | null)[]): void {
    for (const each of list) if (each !== null) this.expression(each);
  }

  private optional(node: ast.expr | null | undefined): void {
    if (node !== null && node !== undefined) this.expression(node);
  }

  private expression(node: ast.expr): void {
    this.enter();
    this.visit_expression(node);
    this.depth--;
  }

  private visit_expression(node: ast.expr): void {
    if (node instanceof ast.Name) this.name(node);
    else if (node instanceof ast.Constant) return;
    else if (node instanceof ast.Attribute || node instanceof ast.Starred) this.expression(node.value);
    else if (node instanceof ast.Call) {
      this.expression(node.func);
      this.expressions(node.args);
      for (const { value } of node.keywords) this.expression(value);
    } else if (node instanceof ast.Subscript) {
      this.expression(node.value);
      this.expression(node.slice);
    } else if (node instanceof ast.Tuple || node instanceof ast.List || node instanceof ast.Set)
      this.expressions(node.elts);
    else if (node instanceof ast.BinOp) {
      this.expression(node.left);
      this.expression(node.right);
    } else if (node instanceof ast.UnaryOp) this.expression(node.operand);
    else if (node instanceof ast.BoolOp || node instanceof ast.JoinedStr) this.expressions(node.values);
    else if (node instanceof ast.Compare) {
      this.expression(node.left);
      this.expressions(node.comparators);
    } else if (node instanceof ast.FormattedValue) {
      this.expression(node.value);
      this.optional(node.format_spec);
    } else if (node instanceof ast.Dict) {
      this.expressions(node.keys);
      this.expressions(node.values);
    } else if (node instanceof ast.IfExp) {
      this.expression(node.test);
      this.expression(node.body);
      this.expression(node.orelse);
    } else if (node instanceof ast.Slice) {
      this.optional(node.lower);
      this.optional(node.upper);
      this.optional(node.step);
    } else if (node instanceof ast.ListComp) this.comprehension(node, "list comprehension", "listcomp");
    else if (node instanceof ast.GeneratorExp) this.comprehension(node, "generator expression", "genexpr");
    else if (node instanceof ast.DictComp) this.comprehension(node, "dict comprehension", "dictcomp");
    else if (node instanceof ast.SetComp) this.comprehension(node, "set comprehension", "setcomp");
    else if (node instanceof ast.Lambda) {
      this.defaults(node.args);
      this.inside("lambda", "function", node, () => {
        this.parameters(node.args);
        this.expression(node.body);
      });
    } else if (node instanceof ast.NamedExpr) this.named_expression(node);
    else if (node instanceof ast.Yield || node instanceof ast.YieldFrom) this.yield_(node);
    else if (node instanceof ast.Await) throw this.refused("await", node);
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
    this.optional(node.value);
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
    this.expression(node.value);
    this.expression(node.target);
  }

  /** `:=` in a comprehension binds a name of the function around it. */
  private bind_outside_comprehension(target: ast.Name): void {
    const { id } = target;
    for (let i = this.stack.length - 1; i >= 0; i--) {
      const entry = this.stack[i];
      const flags = entry.symbols.get(id) ?? 0;
      if (entry.comprehension !== null) {
        if (flags & DEF.COMP_ITER)
          throw this.source.error(
            `assignment expression cannot rebind comprehension iteration variable '${id}'`,
            target,
          );
      } else if (entry.type === "function" || entry.type === "module") {
        const is_global = entry.type === "module" || (flags & DEF.GLOBAL) !== 0;
        this.add(id, is_global ? DEF.GLOBAL : DEF.NONLOCAL, target);
        this.direct(id, target);
        this.add(id, entry.type === "module" ? DEF.GLOBAL : DEF.LOCAL, target, entry);
        return;
      } else if (entry.type === "class")
        throw this.source.error("assignment expression within a comprehension cannot be used in a class body", target);
    }
  }

  private comprehension(node: Comprehension, type: ComprehensionType, name: string): void {
    const [first, ...rest] = node.generators;
    // The first iterable is evaluated outside and handed over as an argument.
    this.iterable(first);
    this.inside(name, "function", node, (entry) => {
      entry.comprehension = type;
      this.add(".0", DEF.PARAM, node);
      this.target(first);
      this.expressions(first.ifs);
      for (const each of rest) {
        this.target(each);
        this.iterable(each);
        this.expressions(each.ifs);
      }
      if (node instanceof ast.DictComp) {
        this.expression(node.value);
        this.expression(node.key);
      } else this.expression(node.elt);
      entry.generator = type === "generator expression";
    });
  }

  private target({ target, is_async }: ast.comprehension): void {
    if (is_async) throw this.refused("async for", target);
    this.current.comp_iter_target = true;
    this.expression(target);
    this.current.comp_iter_target = false;
  }

  private iterable({ iter }: ast.comprehension): void {
    this.current.comp_iter_expr++;
    this.expression(iter);
    this.current.comp_iter_expr--;
  }

  private defaults(args: ast.arguments_): void {
    this.expressions(args.defaults);
    this.expressions(args.kw_defaults);
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
