/**
 * @file The part of the compiler that statements, expressions and patterns share: scopes, names, functions from code, errors.
 * @mirrors Python/compile.c (CPython 3.11): compiler_enter_scope, compiler_nameop, compiler_make_closure
 */
import type * as ast from "../ast/nodes.ts";
import { assemble } from "./assemble.ts";
import { Folder } from "./ast_opt.ts";
import type { Code } from "./code.ts";
import type { Source } from "./compile_error.ts";
import type { Future } from "./future.ts";
import { mangle } from "./mangle.ts";
import { OP } from "./opcode.ts";
import { DEF, Scope } from "./symtable_entry.ts";
import type { Symtable } from "./symtable_scopes.ts";
import { type FrameBlock, Unit, type UnitType } from "./unit.ts";

export type NameUse = "load" | "store" | "delete";

const FAST = { load: OP.LOAD_FAST, store: OP.STORE_FAST, delete: OP.DELETE_FAST };
const DEREF = { load: OP.LOAD_DEREF, store: OP.STORE_DEREF, delete: OP.DELETE_DEREF };
const GLOBAL = { load: OP.LOAD_GLOBAL, store: OP.STORE_GLOBAL, delete: OP.DELETE_GLOBAL };
const NAME = { load: OP.LOAD_NAME, store: OP.STORE_NAME, delete: OP.DELETE_NAME };

/** More values on the stack at once are avoided: long calls and displays are built piece by piece. */
export const STACK_USE_GUIDELINE = 30;

const MAX_BLOCKS = 20;
const NOWHERE: ast.Range = { lineno: -1, col_offset: -1, end_lineno: -1, end_col_offset: -1 };

/** Bits of `MAKE_FUNCTION`'s argument. */
export const MAKE_FUNCTION = { DEFAULTS: 1, KWDEFAULTS: 2, ANNOTATIONS: 4, CLOSURE: 8 } as const;

export abstract class UnitCompiler {
  protected readonly source: Source;
  protected readonly future: Future;
  protected readonly folder = new Folder();
  private readonly symtable: Symtable;
  private readonly outer_units: Unit[] = [];
  protected unit!: Unit;

  constructor(source: Source, future: Future, symtable: Symtable) {
    this.source = source;
    this.future = future;
    this.symtable = symtable;
  }

  // Scopes ------------------------------------------------------------------------------------------------------------------

  /** Compiles a scope with `body` and gives its code. */
  protected in_scope(node: ast.AST, type: UnitType, name: string, firstlineno: number, body: () => void): Code {
    const outer = this.outer_units.length === 0 && type === "module" ? null : this.unit;
    const qualname = outer === null ? name : this.qualname(name, type, outer);
    const unit = new Unit(this.symtable.entry(node), type, name, qualname, outer, firstlineno);
    if (outer !== null) this.outer_units.push(outer);
    this.unit = unit;
    body();
    if (outer !== null) this.unit = this.outer_units.pop() as Unit;
    return assemble(unit, this.source.filename, this.future.flags);
  }

  private qualname(name: string, type: UnitType, outer: Unit): string {
    // The module's own name is no part of it.
    if (outer.type === "module") return name;
    if (type === "function" || type === "class") {
      const scope = outer.entry.scope_of(mangle(outer.class_name, name));
      if (scope === Scope.GLOBAL_EXPLICIT) return name;
    }
    const has_locals = outer.type === "function" || outer.type === "lambda";
    return `${outer.qualname}${has_locals ? ".<locals>" : ""}.${name}`;
  }

  protected get is_outermost(): boolean {
    return this.outer_units.length === 0;
  }

  /** Loads a function with this code; its defaults and annotations are on the stack. */
  protected make_closure(code: Code, flags = 0): void {
    const { unit } = this;
    for (const name of code.co_freevars) {
      const is_cell = unit.type === "class" && name === "__class__" ? true : unit.entry.scope_of(name) === Scope.CELL;
      unit.emit(OP.LOAD_CLOSURE, (is_cell ? unit.cellvars : unit.freevars).get(name));
    }
    const closure = code.co_freevars.length;
    if (closure > 0) unit.emit(OP.BUILD_TUPLE, closure);
    unit.load_const(code);
    unit.emit(OP.MAKE_FUNCTION, closure > 0 ? flags | MAKE_FUNCTION.CLOSURE : flags);
  }

  // Names -------------------------------------------------------------------------------------------------------------------

  protected mangled(name: string): string {
    return mangle(this.unit.class_name, name);
  }

  protected name_op(name: string, use: NameUse): void {
    this.check_name(name, use);
    const { unit } = this;
    const mangled = this.mangled(name);
    const scope = unit.entry.scope_of(mangled);
    if (scope === Scope.FREE || scope === Scope.CELL) {
      const opcode = use === "load" && unit.type === "class" ? OP.LOAD_CLASSDEREF : DEREF[use];
      unit.emit(opcode, (scope === Scope.FREE ? unit.freevars : unit.cellvars).get(mangled));
    } else if (scope === Scope.LOCAL && unit.is_function) unit.emit(FAST[use], unit.varnames.index(mangled));
    else {
      const is_global = scope === Scope.GLOBAL_EXPLICIT || (scope === Scope.GLOBAL_IMPLICIT && unit.is_function);
      const index = unit.names.index(mangled);
      if (!is_global) unit.emit(NAME[use], index);
      // The lowest bit of LOAD_GLOBAL's argument says whether a null is pushed before it.
      else unit.emit(GLOBAL[use], use === "load" ? index << 1 : index);
    }
  }

  /** An instruction whose argument is a name: an attribute, a module. */
  protected emit_name(opcode: number, name: string): void {
    this.unit.emit(opcode, this.unit.names.index(this.mangled(name)));
  }

  protected check_name(name: string, use: NameUse): void {
    if (name !== "__debug__" || use === "load") return;
    throw this.error(use === "store" ? "cannot assign to __debug__" : "cannot delete __debug__");
  }

  /** Whether the module imports this name somewhere. */
  protected is_imported(name: string): boolean {
    return ((this.symtable.top.symbols.get(name) ?? 0) & DEF.IMPORT) !== 0;
  }

  // Places ------------------------------------------------------------------------------------------------------------------

  /** An error at the place of the next instruction. */
  protected error(message: string): Error {
    return this.source.error(message, this.unit.location ?? NOWHERE);
  }

  protected warn(message: string): void {
    this.source.warn(message, this.unit.location ?? NOWHERE);
  }

  protected push_frame_block(block: FrameBlock): void {
    if (this.unit.frame_blocks.length >= MAX_BLOCKS) throw this.error("too many statically nested blocks");
    this.unit.frame_blocks.push(block);
  }

  protected pop_frame_block(): void {
    this.unit.frame_blocks.pop();
  }
}
