/**
 * @file One code object while it is made: its names, constants and basic blocks, and where the next instruction goes.
 * @mirrors Python/compile.c (CPython 3.11): compiler_unit
 */
import type * as ast from "../ast/nodes.ts";
import { ConstantTable } from "./constants.ts";
import { BasicBlock, Instruction, is_exit, is_jump, type Location } from "./instruction.ts";
import { OP } from "./opcode.ts";
import { DEF, Scope, type SymtableEntry } from "./symtable_entry.ts";

export type UnitType = "module" | "class" | "function" | "lambda" | "comprehension";

/** A construct around the current statement that `return`, `break` and `continue` must leave in order. */
export interface FrameBlock {
  readonly type:
    | "while"
    | "for"
    | "try except"
    | "finally try"
    | "finally end"
    | "with"
    | "handler cleanup"
    | "pop value"
    | "exception handler"
    | "exception group handler";
  /** Where `continue` goes. */
  readonly start: BasicBlock | null;
  /** Where `break` goes. */
  readonly exit: BasicBlock | null;
  /** The `with` statement, the body of `finally`, or the name that `except ... as` binds. */
  readonly datum?: ast.With | readonly ast.stmt[] | string | null;
}

/** Numbers for names in the order in which they are first used. */
export class NameTable extends Map<string, number> {
  index(name: string): number {
    let index = this.get(name);
    if (index === undefined) this.set(name, (index = this.size));
    return index;
  }
}

export class Unit {
  readonly entry: SymtableEntry;
  readonly type: UnitType;
  readonly name: string;
  readonly qualname: string;
  readonly node: ast.AST;
  readonly firstlineno: number;
  /** The class whose private names are mangled here. */
  class_name: string | null;
  argcount = 0;
  posonlyargcount = 0;
  kwonlyargcount = 0;

  readonly consts = new ConstantTable();
  readonly names = new NameTable();
  readonly varnames = new NameTable();
  readonly cellvars = new NameTable();
  /** Free variables count on after the cells. */
  readonly freevars = new NameTable();

  /** All blocks in the order in which they were made; the first is the entry. */
  readonly blocks: BasicBlock[] = [];
  readonly frame_blocks: FrameBlock[] = [];
  /** Place of the next instructions. */
  location: Location;
  current: BasicBlock;
  /** The last instruction ended its block. */
  private block_ended = false;

  constructor(
    entry: SymtableEntry,
    type: UnitType,
    name: string,
    qualname: string,
    outer: Unit | null,
    firstlineno: number,
  ) {
    this.entry = entry;
    this.type = type;
    this.name = name;
    this.qualname = qualname;
    this.node = entry.node;
    this.firstlineno = firstlineno;
    this.class_name = outer === null ? null : outer.class_name;
    for (const each of entry.parameters) this.varnames.index(each);
    for (const each of entry.names_with(Scope.CELL)) this.cellvars.index(each);
    if (entry.needs_class_closure) this.cellvars.index("__class__");
    for (const each of entry.names_with(Scope.FREE, DEF.FREE_CLASS))
      this.freevars.set(each, this.cellvars.size + this.freevars.size);
    this.current = this.new_block();
    const lineno = type === "module" ? 0 : firstlineno;
    this.location = { lineno, col_offset: 0, end_lineno: firstlineno, end_col_offset: 0 };
    this.emit(OP.RESUME, 0);
    this.location = { lineno: firstlineno, col_offset: 0, end_lineno: firstlineno, end_col_offset: 0 };
  }

  /** Whether names are fast local variables. */
  get is_function(): boolean {
    return this.entry.type === "function";
  }

  new_block(): BasicBlock {
    const block = new BasicBlock();
    this.blocks.push(block);
    return block;
  }

  /** The next instructions go into `block`, which follows what there is. */
  use_next_block(block: BasicBlock): void {
    this.current.next = block;
    this.current = block;
    this.block_ended = false;
  }

  emit(opcode: number, arg = 0, location: Location = this.location): void {
    this.add(opcode, arg, location, null);
    if (opcode === OP.RETURN_VALUE) this.current.returns = true;
  }

  /** A jump, or an instruction that names its exception handler. */
  emit_jump(opcode: number, target: BasicBlock, location: Location = this.location): void {
    this.add(opcode, 0, location, target);
  }

  private add(opcode: number, arg: number, location: Location, target: BasicBlock | null): void {
    if (this.block_ended) this.use_next_block(this.new_block());
    const place = location !== null && location.lineno < 0 ? null : location;
    this.current.instructions.push(new Instruction(opcode, arg, place, target));
    this.block_ended = is_jump(opcode) || is_exit(opcode);
  }

  load_const(value: unknown): void {
    this.emit(OP.LOAD_CONST, this.consts.index(value));
  }
}
