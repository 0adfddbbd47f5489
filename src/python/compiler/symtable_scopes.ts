/**
 * @file The scopes of a program while they are filled with names: which one is current, and what a name in it may be.
 * @mirrors Python/symtable.c (CPython 3.11): symtable_enter_block, symtable_add_def_helper
 */
import type * as ast from "../ast/nodes.ts";
import type { Source } from "./compile_error.ts";
import { mangle } from "./mangle.ts";
import { type BlockType, DEF, SymtableEntry } from "./symtable_entry.ts";

/** Scopes by the node that makes them. */
export interface Symtable {
  readonly top: SymtableEntry;
  entry(node: ast.AST): SymtableEntry;
}

export abstract class ScopeBuilder implements Symtable {
  readonly top: SymtableEntry;
  protected readonly source: Source;
  protected current: SymtableEntry;
  /** The class whose private names are mangled. */
  protected class_name: string | null = null;
  private readonly entries = new Map<ast.AST, SymtableEntry>();
  private readonly stack: SymtableEntry[];

  constructor(tree: ast.mod, source: Source) {
    this.source = source;
    this.top = new SymtableEntry("top", "module", tree, false);
    this.current = this.top;
    this.stack = [this.top];
    this.entries.set(tree, this.top);
  }

  entry(node: ast.AST): SymtableEntry {
    const entry = this.entries.get(node);
    if (entry === undefined) throw new Error("this node makes no scope");
    return entry;
  }

  protected inside(name: string, type: BlockType, node: ast.AST, visit: (entry: SymtableEntry) => void): void {
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

  protected add(name: string, flag: number, at: ast.Range, entry = this.current): void {
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

  protected direct(name: string, at: ast.Range): void {
    this.current.directives.push({ name: mangle(this.class_name, name), at });
  }

  protected flags_of(name: string): number {
    return this.current.symbols.get(mangle(this.class_name, name)) ?? 0;
  }

  /** `:=` in a comprehension binds a name of the function around it. */
  protected bind_outside_comprehension(target: ast.Name): void {
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
}
