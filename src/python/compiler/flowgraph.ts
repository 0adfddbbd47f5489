/**
 * @file Improves the graph of basic blocks: cuts what cannot be reached, shortens chains of jumps, copies small exits, and gives every exit a line.
 * @mirrors Python/compile.c (CPython 3.11): optimize_cfg, duplicate_exits_without_lineno, propagate_line_numbers
 *
 * A removed instruction first becomes a NOP. A NOP stays in the code only if it is all that is left of a line: a debugger can stop there.
 */
import type { ConstantTable } from "./constants.ts";
import { type BasicBlock, type Instruction, is_block_push, is_exit, is_jump, line_of, PSEUDO } from "./instruction.ts";
import { OP } from "./opcode.ts";
import { optimize_instructions } from "./optimize_instructions.ts";
import type { Unit } from "./unit.ts";

/** Blocks in the order of the code object. */
export function* blocks_from(entry: BasicBlock): Generator<BasicBlock> {
  for (let block: BasicBlock | null = entry; block !== null; block = block.next) yield block;
}

/** The block itself, or the next one that is not empty. */
function not_empty(block: BasicBlock): BasicBlock {
  let found = block;
  while (found.instructions.length === 0 && found.next !== null) found = found.next;
  return found;
}

/** Notes how each block ends. */
export function normalize({ blocks }: Unit): void {
  for (const block of blocks) {
    for (const instruction of block.instructions) {
      const { opcode } = instruction;
      if (is_exit(opcode)) block.exit = block.no_fallthrough = true;
      else if (opcode === PSEUDO.JUMP || opcode === PSEUDO.JUMP_NO_INTERRUPT) block.no_fallthrough = true;
      if (is_jump(opcode) && opcode !== OP.SEND) skip_empty_target(instruction);
    }
  }
  extend_blocks(blocks);
}

function skip_empty_target(instruction: Instruction): void {
  instruction.target = not_empty(instruction.target as BasicBlock);
}

const MAX_COPY_SIZE = 4;

/** A block that jumps to a small exit without a line gets a copy of it instead of the jump. */
function extend_blocks(blocks: readonly BasicBlock[]): void {
  for (let i = blocks.length - 1; i >= 0; i--) {
    const block = blocks[i];
    const last = block.last();
    if (last === undefined || last.opcode !== PSEUDO.JUMP) continue;
    const target = last.target as BasicBlock;
    if (!target.exit || target.instructions.length > MAX_COPY_SIZE) continue;
    if (target.instructions.some((each) => line_of(each) > 0)) continue;
    last.opcode = OP.NOP;
    for (const each of target.instructions) block.instructions.push(each.copy());
    block.exit = true;
  }
}

export function optimize(unit: Unit): void {
  const [entry] = unit.blocks;
  for (const block of blocks_from(entry)) {
    optimize_instructions(block, unit.consts);
    remove_nops(block);
  }
  extend_blocks(unit.blocks);
  mark_reachable(entry);
  for (const block of blocks_from(entry)) {
    if (block.predecessors > 0) continue;
    block.instructions = [];
    block.no_fallthrough = false;
  }
  remove_empty_blocks(entry);
  for (const block of blocks_from(entry)) remove_nops(block);
  remove_jumps_to_next(entry);
  duplicate_exits(unit);
  trim_constants(entry, unit.consts);
  propagate_lines(entry);
  give_exits_lines(entry, unit.firstlineno);
}

/** Removes the NOPs whose line another instruction has. */
export function remove_nops(block: BasicBlock): void {
  const { instructions } = block;
  if (!instructions.some(({ opcode }) => opcode === OP.NOP)) return;
  const kept: Instruction[] = [];
  let previous = -1;
  instructions.forEach((instruction, i) => {
    const line = line_of(instruction);
    if (instruction.opcode === OP.NOP) {
      if (line < 0 || line === previous) return;
      const next = instructions[i + 1];
      if (next !== undefined) {
        if (line_of(next) === line) return;
        if (line_of(next) < 0) {
          next.location = instruction.location;
          return;
        }
      } else {
        const following = block.next === null ? undefined : not_empty(block.next).instructions[0];
        if (following !== undefined && line_of(following) === line) return;
      }
    }
    kept.push(instruction);
    previous = line;
  });
  block.instructions = kept;
}

/** Counts the ways into each block. */
function mark_reachable(entry: BasicBlock): void {
  entry.predecessors = 1;
  const todo = [entry];
  const reach = (block: BasicBlock): void => {
    if (block.predecessors++ === 0) todo.push(block);
  };
  for (let block = todo.pop(); block !== undefined; block = todo.pop()) {
    if (block.next !== null && !block.no_fallthrough) reach(block.next);
    for (const { opcode, target } of block.instructions)
      if (target !== null && (is_jump(opcode) || is_block_push(opcode))) reach(target);
  }
}

function remove_empty_blocks(entry: BasicBlock): void {
  for (const block of blocks_from(entry)) if (block.next !== null) block.next = not_empty(block.next);
  for (const block of blocks_from(entry)) {
    const last = block.last();
    if (last !== undefined && is_jump(last.opcode)) skip_empty_target(last);
  }
}

function remove_jumps_to_next(entry: BasicBlock): void {
  let changed = false;
  for (const block of blocks_from(entry)) {
    const last = block.last();
    if (last === undefined || (last.opcode !== PSEUDO.JUMP && last.opcode !== PSEUDO.JUMP_NO_INTERRUPT)) continue;
    if (last.target !== block.next) continue;
    block.no_fallthrough = false;
    last.opcode = OP.NOP;
    last.target = null;
    changed = true;
  }
  if (changed) remove_empty_blocks(entry);
}

// Lines -----------------------------------------------------------------------------------------------------------------------

function is_exit_without_line({ exit, instructions }: BasicBlock): boolean {
  return exit && instructions.every((each) => each.location === null);
}

/**
 * Every return needs a line. An exit without one takes it from the block before, so each block that jumps there gets an exit of its own.
 */
function duplicate_exits(unit: Unit): void {
  for (const block of [...unit.blocks].reverse()) {
    const last = block.last();
    if (last === undefined || !is_jump(last.opcode)) continue;
    const target = last.target as BasicBlock;
    if (!is_exit_without_line(target) || target.predecessors <= 1) continue;
    const copy = unit.new_block();
    copy.instructions = target.instructions.map((each) => each.copy());
    copy.exit = target.exit;
    copy.no_fallthrough = true;
    copy.instructions[0].location = last.location;
    copy.predecessors = 1;
    copy.next = target.next;
    target.next = copy;
    target.predecessors--;
    last.target = copy;
  }
  for (const block of unit.blocks)
    while (block.next !== null && block.next.instructions.length === 0) block.next = block.next.next;
  for (const block of [...unit.blocks].reverse()) {
    const { next } = block;
    const last = block.last();
    if (block.no_fallthrough || next === null || last === undefined) continue;
    if (is_exit_without_line(next)) next.instructions[0].location = last.location;
  }
}

/** An instruction without a line takes that of the instruction before, a block without a line that of its only predecessor. */
function propagate_lines(entry: BasicBlock): void {
  for (const block of blocks_from(entry)) {
    const last = block.last();
    if (last === undefined) continue;
    let location: Instruction["location"] = null;
    for (const each of block.instructions) {
      if (each.location === null) each.location = location;
      else ({ location } = each);
    }
    const inherit = (other: BasicBlock | null): void => {
      const first = other?.instructions[0];
      if (other?.predecessors === 1 && first !== undefined && first.location === null) first.location = location;
    };
    if (!block.no_fallthrough) inherit(block.next);
    if (is_jump(last.opcode)) inherit(last.target);
  }
}

function give_exits_lines(entry: BasicBlock, firstlineno: number): void {
  let lineno = firstlineno;
  for (const block of blocks_from(entry)) {
    const last = block.last();
    if (last === undefined) continue;
    if (last.location !== null) ({ lineno } = last.location);
    else if (last.opcode === OP.RETURN_VALUE) {
      const location = { lineno, col_offset: -1, end_lineno: -1, end_col_offset: -1 };
      for (const each of block.instructions) each.location = location;
    }
  }
}

// Constants -------------------------------------------------------------------------------------------------------------------

/** Constants at the end that nothing uses any more are dropped; the first stays, it may be the docstring. */
function trim_constants(entry: BasicBlock, consts: ConstantTable): void {
  let last = 0;
  for (const block of blocks_from(entry))
    for (const { opcode, arg } of block.instructions)
      if ((opcode === OP.LOAD_CONST || opcode === OP.KW_NAMES) && arg > last) last = arg;
  consts.values.length = Math.min(consts.values.length, last + 1);
}
