/**
 * @file The names of one scope: how they occur, and where their values live.
 * @mirrors Include/internal/pycore_symtable.h (CPython 3.11)
 */
import type { AST, Range } from "../ast/nodes.ts";

/** How a name occurs in a scope; bits. */
export const DEF = {
  GLOBAL: 1,
  LOCAL: 2,
  PARAM: 4,
  NONLOCAL: 8,
  USE: 16,
  /** A class binds the name, and a method uses the variable of the same name around the class. */
  FREE_CLASS: 64,
  IMPORT: 128,
  ANNOT: 256,
  /** It is an iteration variable of a comprehension. */
  COMP_ITER: 512,
} as const;
export const DEF_BOUND = DEF.LOCAL | DEF.PARAM | DEF.IMPORT;

/** Where a name's value lives. */
export const Scope = { UNKNOWN: 0, LOCAL: 1, GLOBAL_EXPLICIT: 2, GLOBAL_IMPLICIT: 3, FREE: 4, CELL: 5 } as const;
export type Scope = (typeof Scope)[keyof typeof Scope];

export type BlockType = "function" | "class" | "module" | "annotation";
export type ComprehensionType =
  | "list comprehension"
  | "set comprehension"
  | "dict comprehension"
  | "generator expression";

export class SymtableEntry {
  readonly name: string;
  readonly type: BlockType;
  readonly node: AST;
  /** Whether a function is around it. */
  readonly nested: boolean;
  readonly children: SymtableEntry[] = [];
  /** Bits of `DEF` for each name, mangled. */
  readonly symbols = new Map<string, number>();
  /** Filled by the analysis. */
  readonly scopes = new Map<string, Scope>();
  /** Parameters in their order. */
  readonly parameters: string[] = [];
  /** Places of `global` and `nonlocal`, for errors. */
  readonly directives: { readonly name: string; readonly at: Range }[] = [];
  comprehension: ComprehensionType | null = null;
  generator = false;
  varargs = false;
  varkeywords = false;
  /** A class whose methods use `__class__` or `super()`. */
  needs_class_closure = false;
  /** Whether the target of a comprehension is visited. */
  comp_iter_target = false;
  /** How many expressions that give a comprehension its iterator are around what is visited. */
  comp_iter_expr = 0;

  constructor(name: string, type: BlockType, node: AST, nested: boolean) {
    this.name = name;
    this.type = type;
    this.node = node;
    this.nested = nested;
  }

  scope_of(name: string): Scope {
    return this.scopes.get(name) ?? Scope.UNKNOWN;
  }

  /** Names in this scope with this kind of storage, in the order in which a code object lists them. */
  names_with(scope: Scope, flag = 0): string[] {
    const names: string[] = [];
    for (const [name, each] of this.scopes)
      if (each === scope || ((this.symbols.get(name) ?? 0) & flag) !== 0) names.push(name);
    return names.sort();
  }
}
