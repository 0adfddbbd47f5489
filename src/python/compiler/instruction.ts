/**
 * @file Instructions while a function is compiled: basic blocks, jumps to blocks, and a few instructions that no code object contains.
 * @mirrors Python/compile.c (CPython 3.11): basicblock, instr
 */
import type { Range } from "../ast/nodes.ts";
import { OP } from "./opcode.ts";

/**
 * Instructions that only the compiler uses. A jump here has no direction yet: the assembler knows whether its target comes before or
 * after it. The `SETUP_` instructions begin a range of instructions that has an exception handler, and `POP_BLOCK` ends it; they
 * become rows of the exception table.
 */
export const PSEUDO = {
  SETUP_FINALLY: 256,
  SETUP_CLEANUP: 257,
  SETUP_WITH: 258,
  POP_BLOCK: 259,
  JUMP: 260,
  JUMP_NO_INTERRUPT: 261,
  POP_JUMP_IF_FALSE: 262,
  POP_JUMP_IF_TRUE: 263,
  POP_JUMP_IF_NONE: 264,
  POP_JUMP_IF_NOT_NONE: 265,
} as const;

/** Place of an instruction; null if the instruction has none. A column of -1 is unknown. */
export type Location = Range | null;

export class Instruction {
  opcode: number;
  arg: number;
  location: Location;
  /** Where a jump goes to, or the handler that a `SETUP_` instruction names. */
  target: BasicBlock | null;
  /** The block that handles an exception of this instruction. */
  handler: BasicBlock | null = null;

  constructor(opcode: number, arg: number, location: Location, target: BasicBlock | null) {
    this.opcode = opcode;
    this.arg = arg;
    this.location = location;
    this.target = target;
  }

  copy(): Instruction {
    return new Instruction(this.opcode, this.arg, this.location, this.target);
  }
}

/** Line of an instruction; -1 without a location. */
export function line_of(instruction: Instruction): number {
  return instruction.location === null ? -1 : instruction.location.lineno;
}

/** Instructions that are entered at the first only and left at the last only, exceptions aside. */
export class BasicBlock {
  instructions: Instruction[] = [];
  /** The block that follows in the code object. */
  next: BasicBlock | null = null;
  /** How many ways lead here; set when unreachable blocks are removed. */
  predecessors = 0;
  /** Whether control never runs on into `next`. */
  no_fallthrough = false;
  /** Whether the block leaves the function. */
  exit = false;
  /** Whether it contains `RETURN_VALUE`. */
  returns = false;
  visited = false;
  /** Whether an exception that this block handles comes with the offset of the instruction that raised it. */
  preserve_lasti = false;
  /** Values on the stack when the block is entered; -1 if it was not reached yet. */
  start_depth = -1;
  /** Offset in code units. */
  offset = 0;

  last(): Instruction | undefined {
    return this.instructions[this.instructions.length - 1];
  }
}

export function is_jump(opcode: number): boolean {
  switch (opcode) {
    case PSEUDO.JUMP:
    case PSEUDO.JUMP_NO_INTERRUPT:
    case PSEUDO.POP_JUMP_IF_FALSE:
    case PSEUDO.POP_JUMP_IF_TRUE:
    case PSEUDO.POP_JUMP_IF_NONE:
    case PSEUDO.POP_JUMP_IF_NOT_NONE:
    case OP.FOR_ITER:
    case OP.SEND:
    case OP.JUMP_IF_FALSE_OR_POP:
    case OP.JUMP_IF_TRUE_OR_POP:
      return true;
    default:
      return false;
  }
}

export function is_block_push(opcode: number): boolean {
  return opcode === PSEUDO.SETUP_FINALLY || opcode === PSEUDO.SETUP_CLEANUP || opcode === PSEUDO.SETUP_WITH;
}

/** Whether an instruction leaves the function. */
export function is_exit(opcode: number): boolean {
  return opcode === OP.RETURN_VALUE || opcode === OP.RAISE_VARARGS || opcode === OP.RERAISE;
}
