/**
 * @file From blocks to a code object: variables, exception handlers, directions of jumps, bytes.
 * @mirrors Python/compile.c (CPython 3.11): assemble
 */
import type { Range } from "../ast/nodes.ts";
import { CO, Code, type ExceptionTableEntry, type Position } from "./code.ts";
import { blocks_from, normalize, optimize, remove_nops } from "./flowgraph.ts";
import { type BasicBlock, Instruction, is_block_push, is_jump, type Location, PSEUDO } from "./instruction.ts";
import { hasfree, hasjrel, INLINE_CACHE_ENTRIES, OP } from "./opcode.ts";
import { stack_depth } from "./stack_effect.ts";
import type { Unit } from "./unit.ts";

/** The instruction for a jump forwards and for a jump backwards. */
const DIRECTIONS: ReadonlyMap<number, readonly [forward: number, backward: number]> = new Map([
  [PSEUDO.JUMP, [OP.JUMP_FORWARD, OP.JUMP_BACKWARD]],
  [PSEUDO.JUMP_NO_INTERRUPT, [OP.JUMP_FORWARD, OP.JUMP_BACKWARD_NO_INTERRUPT]],
  [PSEUDO.POP_JUMP_IF_FALSE, [OP.POP_JUMP_FORWARD_IF_FALSE, OP.POP_JUMP_BACKWARD_IF_FALSE]],
  [PSEUDO.POP_JUMP_IF_TRUE, [OP.POP_JUMP_FORWARD_IF_TRUE, OP.POP_JUMP_BACKWARD_IF_TRUE]],
  [PSEUDO.POP_JUMP_IF_NONE, [OP.POP_JUMP_FORWARD_IF_NONE, OP.POP_JUMP_BACKWARD_IF_NONE]],
  [PSEUDO.POP_JUMP_IF_NOT_NONE, [OP.POP_JUMP_FORWARD_IF_NOT_NONE, OP.POP_JUMP_BACKWARD_IF_NOT_NONE]],
]);

/** @param future_flags bits of `co_flags` from `from __future__` */
export function assemble(unit: Unit, filename: string, future_flags: number): Code {
  if (!unit.current.returns) {
    unit.location = null;
    unit.load_const(null);
    unit.emit(OP.RETURN_VALUE);
  }
  const [entry] = unit.blocks;
  normalize(unit);
  const flags = code_flags(unit) | future_flags;
  insert_prologue(unit, (flags & CO.GENERATOR) !== 0);
  number_cells(unit);
  optimize(unit);
  const stacksize = stack_depth(entry, unit.entry.generator);
  find_handlers(entry);
  for (const block of blocks_from(entry)) {
    remove_nops(block);
    // What a NOP was before is over.
    for (const each of block.instructions) if (each.opcode === OP.NOP) each.arg = 0;
  }
  give_jumps_directions(entry);
  const length = place_blocks(entry);
  const { code, positions } = emit(entry, length);
  return new Code({
    argcount: unit.argcount,
    posonlyargcount: unit.posonlyargcount,
    kwonlyargcount: unit.kwonlyargcount,
    stacksize,
    flags,
    code,
    consts: unit.consts.values,
    names: [...unit.names.keys()],
    varnames: [...unit.varnames.keys()],
    cellvars: cell_names(unit),
    freevars: [...unit.freevars.keys()],
    filename,
    name: unit.name,
    qualname: unit.qualname,
    firstlineno: unit.firstlineno,
    positions,
    exceptiontable: exception_table(entry),
    node: unit.node,
  });
}

function code_flags({ entry }: Unit): number {
  if (entry.type !== "function") return 0;
  let flags: number = CO.NEWLOCALS | CO.OPTIMIZED;
  if (entry.nested) flags |= CO.NESTED;
  if (entry.generator) flags |= CO.GENERATOR;
  if (entry.varargs) flags |= CO.VARARGS;
  if (entry.varkeywords) flags |= CO.VARKEYWORDS;
  return flags;
}

// Variables -------------------------------------------------------------------------------------------------------------------

/** Numbers of the cells and free variables among all fast variables. A cell that is a local variable shares its number. */
function cell_numbers({ varnames, cellvars, freevars }: Unit): number[] {
  let next = varnames.size;
  const numbers = [...cellvars.keys()].map((name) => varnames.get(name) ?? next++);
  for (const _ of freevars) numbers.push(next++);
  return numbers;
}

/** Names of the cells in the order of their numbers: parameters come first. */
function cell_names({ varnames, cellvars }: Unit): string[] {
  const parameters = [...varnames.keys()].filter((name) => cellvars.has(name));
  return [...parameters, ...[...cellvars.keys()].filter((name) => !varnames.has(name))];
}

/** Before the first instruction: free variables are brought in, cells are made, a generator is returned. */
function insert_prologue(unit: Unit, is_generator: boolean): void {
  const prologue: Instruction[] = [];
  const insert = (opcode: number, arg: number, location: Location = null): void => {
    prologue.push(new Instruction(opcode, arg, location, null));
  };
  const { cellvars, freevars, firstlineno } = unit;
  if (freevars.size > 0) insert(OP.COPY_FREE_VARS, freevars.size);
  const numbers = cell_numbers(unit);
  const cells = Array.from({ length: cellvars.size }, (_, i) => i);
  for (const cell of cells.sort((a, b) => numbers[a] - numbers[b])) insert(OP.MAKE_CELL, cell);
  if (is_generator) {
    insert(OP.RETURN_GENERATOR, 0, {
      lineno: firstlineno,
      col_offset: -1,
      end_lineno: firstlineno,
      end_col_offset: -1,
    });
    insert(OP.POP_TOP, 0);
  }
  unit.blocks[0].instructions.unshift(...prologue);
}

function number_cells(unit: Unit): void {
  if (unit.cellvars.size + unit.freevars.size === 0) return;
  const numbers = cell_numbers(unit);
  for (const block of blocks_from(unit.blocks[0]))
    for (const each of block.instructions) if (hasfree.has(each.opcode)) each.arg = numbers[each.arg];
}

// Exceptions ------------------------------------------------------------------------------------------------------------------

/** Follows the control flow with a stack of handlers, and notes for each instruction which one is on top. */
function find_handlers(entry: BasicBlock): void {
  for (const block of blocks_from(entry)) block.visited = false;
  const todo: { readonly block: BasicBlock; readonly handlers: readonly BasicBlock[] }[] = [];
  const visit = (block: BasicBlock | null, handlers: readonly BasicBlock[]): void => {
    if (block === null || block.visited) return;
    block.visited = true;
    todo.push({ block, handlers });
  };
  visit(entry, []);
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { block } = next;
    let { handlers } = next;
    for (const instruction of block.instructions) {
      const { opcode, target } = instruction;
      if (is_block_push(opcode)) {
        const handler = target as BasicBlock;
        visit(handler, handlers);
        if (opcode !== PSEUDO.SETUP_FINALLY) handler.preserve_lasti = true;
        handlers = [...handlers, handler];
        instruction.opcode = OP.NOP;
      } else if (opcode === PSEUDO.POP_BLOCK) {
        handlers = handlers.slice(0, -1);
        instruction.opcode = OP.NOP;
      } else {
        instruction.handler = handlers[handlers.length - 1] ?? null;
        if (is_jump(opcode)) visit(target, handlers);
      }
    }
    if (!block.no_fallthrough) visit(block.next, handlers);
  }
}

function exception_table(entry: BasicBlock): ExceptionTableEntry[] {
  const table: ExceptionTableEntry[] = [];
  let handler: BasicBlock | null = null;
  let start = 0;
  let end = 0;
  const close = (): void => {
    if (handler === null) return;
    const lasti = handler.preserve_lasti;
    table.push({ start, end, target: handler.offset, depth: handler.start_depth - (lasti ? 2 : 1), lasti });
  };
  for (const block of blocks_from(entry)) {
    end = block.offset;
    for (const each of block.instructions) {
      if (each.handler !== handler) {
        close();
        start = end;
        ({ handler } = each);
      }
      end += size_of(each);
    }
  }
  close();
  return table;
}

// Bytes -----------------------------------------------------------------------------------------------------------------------

function give_jumps_directions(entry: BasicBlock): void {
  for (const block of blocks_from(entry)) block.visited = false;
  for (const block of blocks_from(entry)) {
    block.visited = true;
    const last = block.last();
    const directions = last === undefined ? undefined : DIRECTIONS.get(last.opcode);
    if (last === undefined || directions === undefined) continue;
    last.opcode = directions[last.target?.visited ? 1 : 0];
  }
}

function extended_args(arg: number): number {
  return arg > 0xffffff ? 3 : arg > 0xffff ? 2 : arg > 0xff ? 1 : 0;
}

/** Length in code units, with `EXTENDED_ARG` and caches. */
function size_of({ opcode, arg }: Instruction): number {
  return extended_args(arg) + 1 + INLINE_CACHE_ENTRIES[opcode];
}

/**
 * Gives blocks their offsets and jumps their distances. A long distance makes its jump longer, which moves what follows: so until nothing
 * changes any more.
 * @returns the length of the code
 */
function place_blocks(entry: BasicBlock): number {
  for (;;) {
    let offset = 0;
    for (const block of blocks_from(entry)) {
      block.offset = offset;
      for (const each of block.instructions) offset += size_of(each);
    }
    let changed = false;
    for (const block of blocks_from(entry)) {
      let end = block.offset;
      for (const each of block.instructions) {
        const size = size_of(each);
        end += size;
        if (each.target === null || !hasjrel.has(each.opcode)) continue;
        each.arg = Math.abs(each.target.offset - end);
        if (size_of(each) !== size) changed = true;
      }
    }
    if (!changed) return offset;
  }
}

const NO_POSITION: Position = { lineno: null, end_lineno: null, col_offset: null, end_col_offset: null };

function position_of(location: Range | null): Position {
  if (location === null) return NO_POSITION;
  const { lineno, col_offset, end_lineno, end_col_offset } = location;
  return {
    lineno,
    end_lineno: end_lineno < 0 ? lineno : end_lineno,
    col_offset: col_offset < 0 ? null : col_offset,
    end_col_offset: end_col_offset < 0 ? null : end_col_offset,
  };
}

function emit(entry: BasicBlock, length: number): { code: Uint8Array; positions: Position[] } {
  const code = new Uint8Array(2 * length);
  const positions: Position[] = new Array<Position>(length);
  let at = 0;
  for (const block of blocks_from(entry))
    for (const each of block.instructions) {
      const { opcode, arg } = each;
      const position = position_of(each.location);
      const end = at + size_of(each);
      for (let i = extended_args(arg); i > 0; i--) {
        positions[at] = position;
        code[2 * at] = OP.EXTENDED_ARG;
        code[2 * at++ + 1] = arg >>> (8 * i);
      }
      positions[at] = position;
      code[2 * at] = opcode;
      code[2 * at++ + 1] = arg;
      for (; at < end; at++) positions[at] = position;
    }
  return { code, positions };
}
