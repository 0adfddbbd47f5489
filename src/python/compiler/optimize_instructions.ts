/**
 * @file Improves the instructions of one basic block: known conditions, jumps to jumps, tuples of constants, swaps.
 * @mirrors Python/compile.c (CPython 3.11): optimize_basic_block, swaptimize, apply_static_swaps
 */
import { type PyTuple, tuple } from "../Objects/tupleobject.ts";
import { truth_of } from "./constant_arithmetic.ts";
import type { ConstantTable } from "./constants.ts";
import { type BasicBlock, type Instruction, is_block_push, is_jump, line_of, PSEUDO } from "./instruction.ts";
import { OP } from "./opcode.ts";

export function optimize_instructions(block: BasicBlock, consts: ConstantTable): void {
  const { instructions } = block;
  for (let i = 0; i < instructions.length; i++) {
    const instruction = instructions[i];
    const next = instructions[i + 1];
    const { opcode } = instruction;
    let target: Instruction | undefined;
    if (is_jump(opcode) || is_block_push(opcode)) {
      while ((instruction.target as BasicBlock).instructions.length === 0)
        instruction.target = (instruction.target as BasicBlock).next;
      target = (instruction.target as BasicBlock).instructions[0];
    }
    switch (opcode) {
      case OP.LOAD_CONST:
        known_condition(block, i, consts);
        break;
      case OP.BUILD_TUPLE:
        build_tuple(instructions, i, consts);
        break;
      case OP.SWAP:
        if (instruction.arg === 1) instruction.opcode = OP.NOP;
        else {
          i = shorten_swaps(instructions, i);
          apply_swaps(instructions, i);
        }
        break;
      case OP.PUSH_NULL:
        if (next?.opcode === OP.LOAD_GLOBAL) {
          instruction.opcode = OP.NOP;
          next.arg |= 1;
        }
        break;
      default:
        // A jump that was changed is looked at again: its new target may be a jump, too.
        if (target !== undefined && thread_jump(instruction, target)) i--;
    }
  }
}

// Jumps -----------------------------------------------------------------------------------------------------------------------

/** A constant before a conditional jump: the jump is taken always or never. */
function known_condition(block: BasicBlock, i: number, consts: ConstantTable): void {
  const { instructions } = block;
  const instruction = instructions[i];
  const next = instructions[i + 1];
  if (next === undefined) return;
  const value = consts.values[instruction.arg];
  switch (next.opcode) {
    case PSEUDO.POP_JUMP_IF_FALSE:
    case PSEUDO.POP_JUMP_IF_TRUE:
    case OP.JUMP_IF_FALSE_OR_POP:
    case OP.JUMP_IF_TRUE_OR_POP: {
      const pops = next.opcode === PSEUDO.POP_JUMP_IF_FALSE || next.opcode === PSEUDO.POP_JUMP_IF_TRUE;
      const jumps_if = next.opcode === PSEUDO.POP_JUMP_IF_TRUE || next.opcode === OP.JUMP_IF_TRUE_OR_POP;
      const jumps = truth_of(value) === jumps_if;
      if (pops || !jumps) instruction.opcode = OP.NOP;
      if (jumps) {
        next.opcode = PSEUDO.JUMP;
        block.no_fallthrough = true;
      } else {
        next.opcode = OP.NOP;
        next.target = null;
      }
      break;
    }
    case OP.IS_OP: {
      const jump = instructions[i + 2];
      const if_false = jump?.opcode === PSEUDO.POP_JUMP_IF_FALSE;
      if (value !== null || jump === undefined || !(if_false || jump.opcode === PSEUDO.POP_JUMP_IF_TRUE)) break;
      jump.opcode = (next.arg === 1) !== if_false ? PSEUDO.POP_JUMP_IF_NOT_NONE : PSEUDO.POP_JUMP_IF_NONE;
      instruction.opcode = OP.NOP;
      next.opcode = OP.NOP;
      break;
    }
  }
}

/** A jump to a jump goes on to the second target at once, if both are on one line. */
function thread_jump(jump: Instruction, target: Instruction): boolean {
  switch (jump.opcode) {
    case OP.JUMP_IF_FALSE_OR_POP:
      return thread_or_pop(jump, target, PSEUDO.POP_JUMP_IF_FALSE, PSEUDO.POP_JUMP_IF_TRUE, OP.JUMP_IF_TRUE_OR_POP);
    case OP.JUMP_IF_TRUE_OR_POP:
      return thread_or_pop(jump, target, PSEUDO.POP_JUMP_IF_TRUE, PSEUDO.POP_JUMP_IF_FALSE, OP.JUMP_IF_FALSE_OR_POP);
    case PSEUDO.POP_JUMP_IF_NONE:
    case PSEUDO.POP_JUMP_IF_NOT_NONE:
    case PSEUDO.POP_JUMP_IF_FALSE:
    case PSEUDO.POP_JUMP_IF_TRUE:
    case PSEUDO.JUMP:
      return target.opcode === PSEUDO.JUMP && redirect(jump, target, jump.opcode);
    default:
      return false;
  }
}

/**
 * `JUMP_IF_x_OR_POP` to a test of the same value, whose result is known.
 * @param same the test that pops and jumps as the first one does
 * @param opposite the tests that do not jump then
 */
function thread_or_pop(jump: Instruction, target: Instruction, same: number, ...opposite: number[]): boolean {
  if (target.opcode === same) return redirect(jump, target, same);
  if (target.opcode === PSEUDO.JUMP || target.opcode === jump.opcode) return redirect(jump, target, jump.opcode);
  if (!opposite.includes(target.opcode) || line_of(jump) !== line_of(target)) return false;
  jump.opcode = same;
  jump.target = (jump.target as BasicBlock).next;
  return true;
}

function redirect(jump: Instruction, target: Instruction, opcode: number): boolean {
  if (line_of(jump) !== line_of(target) || jump.target === target.target) return false;
  jump.target = target.target;
  jump.opcode = opcode;
  return true;
}

// Tuples ----------------------------------------------------------------------------------------------------------------------

function build_tuple(instructions: readonly Instruction[], i: number, consts: ConstantTable): void {
  const instruction = instructions[i];
  const next = instructions[i + 1];
  const { arg } = instruction;
  // `a, b = b, a` needs no tuple.
  if (next?.opcode === OP.UNPACK_SEQUENCE && next.arg === arg && arg >= 1 && arg <= 3) {
    instruction.opcode = OP.NOP;
    next.opcode = arg === 1 ? OP.NOP : OP.SWAP;
    return;
  }
  const elements = instructions.slice(Math.max(0, i - arg), i);
  if (i < arg || !elements.every(({ opcode }) => opcode === OP.LOAD_CONST)) return;
  const folded: PyTuple = tuple(elements.map((each) => consts.values[each.arg]));
  for (const each of elements) each.opcode = OP.NOP;
  instruction.opcode = OP.LOAD_CONST;
  instruction.arg = consts.index(folded);
}

// Swaps -----------------------------------------------------------------------------------------------------------------------

/**
 * Replaces a run of swaps by the shortest one with the same effect.
 * @returns the index of the last instruction of the run
 */
function shorten_swaps(instructions: readonly Instruction[], start: number): number {
  let end = start + 1;
  let depth = instructions[start].arg;
  let swaps = 1;
  for (; end < instructions.length; end++) {
    const { opcode, arg } = instructions[end];
    if (opcode === OP.SWAP) {
      depth = Math.max(depth, arg);
      swaps++;
    } else if (opcode !== OP.NOP) break;
  }
  if (swaps === 1) return start;
  // Where each value comes from; -1 when it is done.
  const stack = Array.from({ length: depth }, (_, i) => i);
  for (let i = start; i < end; i++) {
    const { opcode, arg } = instructions[i];
    if (opcode === OP.SWAP) [stack[0], stack[arg - 1]] = [stack[arg - 1], stack[0]];
  }
  // A permutation is a set of cycles. Swapping along a cycle undoes it; written from the end, it makes it.
  let current = end - 1;
  for (let i = 0; i < depth; i++) {
    if (stack[i] === -1 || stack[i] === i) continue;
    for (let j = i; ; ) {
      if (j > 0) {
        instructions[current].opcode = OP.SWAP;
        instructions[current--].arg = j + 1;
      }
      const next = stack[j];
      if (next === -1) break;
      stack[j] = -1;
      j = next;
    }
  }
  for (; current >= start; current--) instructions[current].opcode = OP.NOP;
  return end - 1;
}

/** These only take the top of the stack, so their order may be changed. */
function is_swappable(opcode: number): boolean {
  return opcode === OP.STORE_FAST || opcode === OP.POP_TOP;
}

/** @param lineno the line that must not be left; -1: any */
function next_swappable(instructions: readonly Instruction[], after: number, lineno: number): number {
  for (let i = after + 1; i < instructions.length; i++) {
    const instruction = instructions[i];
    if (lineno >= 0 && line_of(instruction) !== lineno) return -1;
    if (instruction.opcode === OP.NOP) continue;
    return is_swappable(instruction.opcode) ? i : -1;
  }
  return -1;
}

function stored_in({ opcode, arg }: Instruction): number {
  return opcode === OP.STORE_FAST ? arg : -1;
}

/** Swaps instructions that take two values instead of the values: `SWAP 2; STORE a; STORE b` is `STORE b; STORE a`. */
function apply_swaps(instructions: Instruction[], last: number): void {
  for (let i = last; i >= 0; i--) {
    const swap = instructions[i];
    if (swap.opcode !== OP.SWAP) {
      if (swap.opcode === OP.NOP || is_swappable(swap.opcode)) continue;
      return;
    }
    const j = next_swappable(instructions, i, -1);
    if (j < 0) return;
    const lineno = line_of(instructions[j]);
    let k = j;
    for (let count = swap.arg - 1; count > 0; count--) {
      k = next_swappable(instructions, k, lineno);
      if (k < 0) return;
    }
    // Two stores into one variable must keep their order.
    const [first, second] = [stored_in(instructions[j]), stored_in(instructions[k])];
    if (first >= 0 || second >= 0) {
      if (first === second) return;
      for (let between = j + 1; between < k; between++) {
        const stored = stored_in(instructions[between]);
        if (stored >= 0 && (stored === first || stored === second)) return;
      }
    }
    swap.opcode = OP.NOP;
    [instructions[j], instructions[k]] = [instructions[k], instructions[j]];
  }
}
