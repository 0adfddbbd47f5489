/**
 * @file Decides where each name lives: a local variable, a cell that inner functions share, a free variable of an outer function, a global.
 *
 * The analysis goes down the scopes with the names that the functions around bind, and comes up with the names that inner scopes take
 * from outside. A local name that comes up becomes a cell.
 * @mirrors Python/symtable.c (CPython 3.11): analyze_block
 */
import type { Source } from "./compile_error.ts";
import { DEF, DEF_BOUND, Scope, type SymtableEntry } from "./symtable_entry.ts";

type Names = Set<string>;

/** @throws {SyntaxError_} for `nonlocal` without a variable to refer to */
export function analyze(top: SymtableEntry, source: Source): void {
  analyze_block(top, null, new Set(), source);
}

/**
 * @param bound names that functions around bind; null at module level
 * @param global names that are declared global around
 * @returns names that the scope takes from functions around it
 */
function analyze_block(entry: SymtableEntry, bound: Names | null, global: Names, source: Source): Names {
  const is_class = entry.type === "class";
  const local: Names = new Set();
  const free: Names = new Set();
  // The names of a class cannot be seen in its methods, so they see what was known before the class.
  const outer_bound: Names = new Set(is_class ? bound : []);
  const outer_global: Names = new Set(is_class ? global : []);
  for (const [name, flags] of entry.symbols) {
    const scope = analyze_name(entry, name, flags, bound, local, global, source);
    entry.scopes.set(name, scope);
    if (scope === Scope.FREE) free.add(name);
  }
  if (is_class) outer_bound.add("__class__");
  else {
    if (entry.type === "function") for (const name of local) outer_bound.add(name);
    for (const name of bound ?? []) outer_bound.add(name);
    for (const name of global) outer_global.add(name);
  }
  const from_children: Names = new Set();
  for (const child of entry.children)
    for (const name of analyze_block(child, new Set(outer_bound), new Set(outer_global), source))
      from_children.add(name);
  if (entry.type === "function")
    for (const [name, scope] of entry.scopes) {
      if (scope === Scope.LOCAL && from_children.delete(name)) entry.scopes.set(name, Scope.CELL);
    }
  else if (is_class && from_children.delete("__class__")) entry.needs_class_closure = true;
  for (const name of from_children) take_from_outside(entry, name, bound);
  for (const name of from_children) free.add(name);
  return free;
}

function analyze_name(
  entry: SymtableEntry,
  name: string,
  flags: number,
  bound: Names | null,
  local: Names,
  global: Names,
  source: Source,
): Scope {
  if (flags & DEF.GLOBAL) {
    if (flags & DEF.NONLOCAL) throw at_directive(entry, name, `name '${name}' is nonlocal and global`, source);
    global.add(name);
    bound?.delete(name);
    return Scope.GLOBAL_EXPLICIT;
  }
  if (flags & DEF.NONLOCAL) {
    if (bound === null) throw at_directive(entry, name, "nonlocal declaration not allowed at module level", source);
    if (!bound.has(name)) throw at_directive(entry, name, `no binding for nonlocal '${name}' found`, source);
    return Scope.FREE;
  }
  if (flags & DEF_BOUND) {
    local.add(name);
    global.delete(name);
    return Scope.LOCAL;
  }
  return bound?.has(name) ? Scope.FREE : Scope.GLOBAL_IMPLICIT;
}

/** An inner scope takes `name` from outside: this scope must hand it on. */
function take_from_outside(entry: SymtableEntry, name: string, bound: Names | null): void {
  const flags = entry.symbols.get(name);
  if (flags !== undefined) {
    if (entry.type === "class" && flags & (DEF_BOUND | DEF.GLOBAL)) entry.symbols.set(name, flags | DEF.FREE_CLASS);
  } else if (bound === null || bound.has(name)) {
    entry.symbols.set(name, 0);
    entry.scopes.set(name, Scope.FREE);
  }
}

function at_directive(entry: SymtableEntry, name: string, message: string, source: Source): Error {
  const directive = entry.directives.find((each) => each.name === name);
  return source.error(message, directive?.at ?? { lineno: 0, col_offset: 0, end_lineno: 0, end_col_offset: 0 });
}
