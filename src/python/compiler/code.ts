/**
 * @file A code object: the instructions of one function, class body, comprehension or module, with everything that they name.
 * @mirrors Objects/codeobject.c (CPython 3.11)
 */
import type * as ast from "../ast/nodes.ts";

/** Bits of `co_flags`. */
export const CO = {
  OPTIMIZED: 0x1,
  NEWLOCALS: 0x2,
  VARARGS: 0x4,
  VARKEYWORDS: 0x8,
  NESTED: 0x10,
  GENERATOR: 0x20,
  COROUTINE: 0x80,
  ITERABLE_COROUTINE: 0x100,
  ASYNC_GENERATOR: 0x200,
  FUTURE_ANNOTATIONS: 0x1000000,
} as const;

/** Place of an instruction in the program's text; null: CPython knows none. Lines count from 1, columns are UTF-8 bytes from 0. */
export interface Position {
  readonly lineno: number | null;
  readonly end_lineno: number | null;
  readonly col_offset: number | null;
  readonly end_col_offset: number | null;
}

/** One row of the exception table. Offsets count code units of two bytes; `end` is the first that is not covered. */
export interface ExceptionTableEntry {
  readonly start: number;
  readonly end: number;
  readonly target: number;
  /** How many values stay on the stack. */
  readonly depth: number;
  /** Whether the offset of the instruction that failed is pushed below the exception. */
  readonly lasti: boolean;
}

/** The fields that the compiler hands over; the names are CPython's without `co_`. */
export interface CodeFields {
  readonly argcount: number;
  readonly posonlyargcount: number;
  readonly kwonlyargcount: number;
  readonly stacksize: number;
  readonly flags: number;
  /** Pairs of bytes (instruction, argument), with `CACHE` and `EXTENDED_ARG`, as CPython writes them. */
  readonly code: Uint8Array;
  /** Python values; strings, tuples and code objects among them. */
  readonly consts: readonly unknown[];
  readonly names: readonly string[];
  /** Parameters first, then the other local variables. */
  readonly varnames: readonly string[];
  readonly cellvars: readonly string[];
  readonly freevars: readonly string[];
  readonly filename: string;
  readonly name: string;
  readonly qualname: string;
  readonly firstlineno: number;
  /** One place a code unit, `CACHE`s included. */
  readonly positions: readonly Position[];
  readonly exceptiontable: readonly ExceptionTableEntry[];
  /** The node that was compiled; null if the code was not made from a text. */
  readonly node: ast.AST | null;
}

export class Code {
  readonly co_argcount: number;
  readonly co_posonlyargcount: number;
  readonly co_kwonlyargcount: number;
  readonly co_nlocals: number;
  readonly co_stacksize: number;
  readonly co_flags: number;
  readonly co_code: Uint8Array;
  readonly co_consts: readonly unknown[];
  readonly co_names: readonly string[];
  readonly co_varnames: readonly string[];
  readonly co_cellvars: readonly string[];
  readonly co_freevars: readonly string[];
  readonly co_filename: string;
  readonly co_name: string;
  readonly co_qualname: string;
  readonly co_firstlineno: number;
  readonly co_exceptiontable: readonly ExceptionTableEntry[];
  readonly node: ast.AST | null;
  private readonly positions_: readonly Position[];
  /** The machine's own form of the code, made when it first runs; see vm/prepared_code.ts. */
  prepared: unknown = null;

  constructor(fields: CodeFields) {
    this.co_argcount = fields.argcount;
    this.co_posonlyargcount = fields.posonlyargcount;
    this.co_kwonlyargcount = fields.kwonlyargcount;
    this.co_nlocals = fields.varnames.length;
    this.co_stacksize = fields.stacksize;
    this.co_flags = fields.flags;
    this.co_code = fields.code;
    this.co_consts = fields.consts;
    this.co_names = fields.names;
    this.co_varnames = fields.varnames;
    this.co_cellvars = fields.cellvars;
    this.co_freevars = fields.freevars;
    this.co_filename = fields.filename;
    this.co_name = fields.name;
    this.co_qualname = fields.qualname;
    this.co_firstlineno = fields.firstlineno;
    this.co_exceptiontable = fields.exceptiontable;
    this.positions_ = fields.positions;
    this.node = fields.node;
  }

  /** A place for each code unit of two bytes, as `code.co_positions()` gives them. */
  co_positions(): readonly Position[] {
    return this.positions_;
  }

  /**
   * Names of all fast variables in the machine's order: local variables first, then the cells that are no local variables, then the free
   * variables. Arguments of `LOAD_FAST`, `LOAD_DEREF` and `MAKE_CELL` count in this list.
   */
  localsplusnames(): readonly string[] {
    const own = new Set(this.co_varnames);
    return [...this.co_varnames, ...this.co_cellvars.filter((name) => !own.has(name)), ...this.co_freevars];
  }
}
